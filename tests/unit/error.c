/* SPDX-License-Identifier: Apache-2.0 */
/* The text that a call leaves when it fails: its thread, its length, unknown names. */
#include "../../src/base/error.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <filch/base.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST 255u

static bool message_is(const char *text)
{
	return !strcmp(filch_error_message(), text);
}

static void *start_without_text(void *arg)
{
	(void)arg;
	TEST_CHECK(message_is(""));
	TEST_CHECK(filchi_fail(-EIO, "of the thread") == -EIO && message_is("of the thread"));
	return NULL;
}

static void keep_a_text_for_each_thread(void)
{
	pthread_t thread;

	TEST_CHECK(message_is(""));
	TEST_CHECK(filchi_fail(-EINVAL, "count is %d", 0) == -EINVAL && message_is("count is 0"));
	TEST_CHECK(!pthread_create(&thread, NULL, start_without_text, NULL));
	TEST_CHECK(!pthread_join(thread, NULL));
	TEST_CHECK(message_is("count is 0"));
	TEST_CHECK(filchi_fail_text(-ENOMEM, "no memory") == -ENOMEM && message_is("no memory"));
	TEST_CHECK(filchi_fail_null("out") == -EINVAL && message_is("out is NULL"));
}

static void take_a_text_from_outside(void)
{
	char text[] = "depth is 7";

	TEST_CHECK(filch_error_set(-ERANGE, text) == -ERANGE);
	text[0] = 'x';
	TEST_CHECK(message_is("depth is 7"));
	TEST_CHECK(filch_error_set(-EINVAL, "100 %s") == -EINVAL && message_is("100 %s"));
	TEST_CHECK(filch_error_set(-EINVAL, filch_error_message() + 4) == -EINVAL && message_is("%s"));
	TEST_CHECK(filch_error_set(-EINVAL, NULL) == -EINVAL && message_is(""));
}

static void cut_long_texts(void)
{
	char text[1000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	TEST_CHECK(filchi_fail(-EINVAL, "%s", text) == -EINVAL);
	TEST_CHECK(strlen(filch_error_message()) == LONGEST);
	TEST_CHECK(filch_error_set(-EINVAL, "") == -EINVAL && message_is(""));
	TEST_CHECK(filch_error_set(-EINVAL, text) == -EINVAL);
	TEST_CHECK(strlen(filch_error_message()) == LONGEST);
}

static void tell_why_a_size_is_wrong(void)
{
	size_t none = 0, longer[3] = {sizeof(longer), 0, 1};

	TEST_CHECK(filchi_fail_sized("struct s", &none) == -EINVAL &&
		   message_is("struct s: struct_size is 0; set it to sizeof(struct s)"));
	TEST_CHECK(filchi_fail_sized("struct s", longer) == -EINVAL &&
		   message_is("struct s: a field is set that this library does not know"));
}

static const char *two_names(unsigned n)
{
	static const char *const names[] = {"first", "second", NULL};

	return names[n];
}

static const char *many_names(unsigned n)
{
	return n < 100 ? "another" : NULL;
}

static void list_known_names(void)
{
	TEST_CHECK(filchi_fail_unknown(-ENOENT, "", "deque", "third", two_names) == -ENOENT);
	TEST_CHECK(message_is("third: no such deque; there are first, second"));
	TEST_CHECK(filchi_fail_unknown(-EINVAL, "FILCH_DEQUE=", "deque", "", two_names) == -EINVAL);
	TEST_CHECK(message_is("FILCH_DEQUE=: no such deque; there are first, second"));
	TEST_CHECK(filchi_fail_unknown(-EINVAL, "", "deque", "0123456789012345678901234567890\u00e9", two_names));
	TEST_CHECK(message_is("0123456789012345678901234567890...: no such deque; there are first, second"));
	TEST_CHECK(filchi_fail_unknown(-EINVAL, "", "deque", "none", many_names) == -EINVAL);
	TEST_CHECK(strlen(filch_error_message()) == LONGEST);
}

int main(void)
{
	keep_a_text_for_each_thread();
	take_a_text_from_outside();
	cut_long_texts();
	tell_why_a_size_is_wrong();
	list_known_names();
	return TEST_PASS;
}
