/* SPDX-License-Identifier: Apache-2.0 */
/* Written JSON, byte by byte: nesting, escapes, numbers that JSON does not have. */
#define _POSIX_C_SOURCE 200809L

#include "../../bench/harness/json.h"
#include "../fixtures/test.h"

#include <math.h>
#include <string.h>

static char *text;
static size_t text_size;

static struct filchi_json begin(void)
{
	struct filchi_json j;
	FILE *f = open_memstream(&text, &text_size);

	TEST_CHECK(f);
	filchi_json_start(&j, f);
	return j;
}

static void expect(struct filchi_json *j, const char *expected)
{
	fclose(j->f);
	if (strcmp(text, expected))
		fprintf(stderr, "got:\n%s\nexpected:\n%s\n", text, expected);
	TEST_CHECK(!strcmp(text, expected));
	free(text);
}

static void nesting(void)
{
	struct filchi_json j = begin();

	filchi_json_open(&j, NULL, '{');
	filchi_json_bool(&j, "yes", true);
	filchi_json_open(&j, "none", '[');
	filchi_json_close(&j, ']');
	filchi_json_open(&j, "some", '[');
	filchi_json_integer(&j, NULL, UINT64_MAX);
	filchi_json_string(&j, NULL, "x");
	filchi_json_close(&j, ']');
	filchi_json_string(&j, "nothing", NULL);
	filchi_json_close(&j, '}');
	expect(&j, "{\n\t\"yes\": true,\n\t\"none\": [],\n\t\"some\": [\n\t\t18446744073709551615,\n\t\t\"x\"\n\t],\n"
		   "\t\"nothing\": null\n}\n");
}

static void strings(void)
{
	static const struct {
		const char *raw, *written;
	} pairs[] = {
		{"", "\"\""},
		{"a \"b\" \\c", "\"a \\\"b\\\" \\\\c\""},
		{"\n\t\x01\x7f", "\"\\u000a\\u0009\\u0001\\u007f\""},
		{"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82\""},
		{"\xff \xc3", "\"\\ufffd \\ufffd\""},
		{"\xc0\xaf", "\"\\ufffd\\ufffd\""},
		{"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
		{"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct filchi_json j = begin();

		filchi_json_string(&j, NULL, pairs[i].raw);
		expect(&j, pairs[i].written);
	}
}

static void numbers(void)
{
	const double values[] = {0, -1, 0.1, 1e300, 1.0 / 3, 1e6, 123456789, NAN, INFINITY, -INFINITY};
	struct filchi_json j = begin();

	filchi_json_numbers(&j, NULL, values, sizeof(values) / sizeof(values[0]), 1);
	expect(&j, "[0, -1, 0.1, 1e+300, 0.3333333333333333, 1e+06, 123456789, null, null, null]");
	j = begin();
	filchi_json_numbers(&j, NULL, values, 3, 2);
	expect(&j, "[0, 0.1, 0.3333333333333333]");
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"nesting", nesting},
		{"strings", strings},
		{"numbers", numbers},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
