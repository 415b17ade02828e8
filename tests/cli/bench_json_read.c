/* SPDX-License-Identifier: Apache-2.0 */
/* Reading JSON: valid values, and the place of the error in each invalid text. */
#define _POSIX_C_SOURCE 200809L

#include "../../bench/harness/json_read.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static struct filchi_json_file file;

static const struct filchi_json_value *accept(const char *text)
{
	int err = filchi_json_parse(&file, "x.json", text, strlen(text));

	if (err)
		fprintf(stderr, "%s\nis refused: %s\n", text, file.error);
	TEST_CHECK(!err && file.root);
	TEST_CHECK(!*file.error && file.length == strlen(text) && !strcmp(file.text, text));
	return file.root;
}

static void refuse_bytes(const char *text, size_t length, const char *error)
{
	int err = filchi_json_parse(&file, "x.json", text, length);

	if (err != -EINVAL || (error && strcmp(file.error, error) != 0))
		fprintf(stderr, "%s\ngives %d and '%s',\n not '%s'\n", text, err, file.error, error ? error : "");
	TEST_CHECK(err == -EINVAL);
	TEST_CHECK(!error || !strcmp(file.error, error));
	TEST_CHECK(!file.root && !file.arena.last);
}

static void refuse(const char *text, const char *error)
{
	refuse_bytes(text, strlen(text), error);
}

static void values(void)
{
	const struct filchi_json_value *root =
		accept(" {\"a\": [1, -2.5e-1 ,true,false,null, \"x\"],\r\n\t\"b\":{}, \"a\": 7, \"c\": []}\n");
	const struct filchi_json_value *a = filchi_json_get(root, "a"), *v = a->first;

	TEST_CHECK(root->type == FILCHI_JSON_OBJECT && root->count == 4);
	TEST_CHECK(a->type == FILCHI_JSON_ARRAY && a->count == 6);
	TEST_CHECK(filchi_json_real(v) == 1 && !v->key);
	TEST_CHECK(filchi_json_real(v = v->next) == -0.25);
	TEST_CHECK(filchi_json_true(v = v->next));
	TEST_CHECK(!filchi_json_true(v = v->next) && v->type == FILCHI_JSON_BOOL);
	TEST_CHECK((v = v->next)->type == FILCHI_JSON_NULL);
	TEST_CHECK(!strcmp(filchi_json_text(v = v->next), "x") && !v->next);
	TEST_CHECK(!filchi_json_get(root, "b")->first && !filchi_json_get(root, "c")->first);
	/* Missing members and elements. */
	TEST_CHECK(!filchi_json_get(root, "d") && !filchi_json_get(NULL, "d") && !filchi_json_get(a, "d"));
	TEST_CHECK(!filchi_json_text(a) && !filchi_json_text(NULL) && !filchi_json_true(NULL));
	TEST_CHECK(isnan(filchi_json_real(a)) && isnan(filchi_json_real(NULL)));
	filchi_json_file_free(&file);
	TEST_CHECK(accept("3")->number == 3);
	filchi_json_file_free(&file);
	TEST_CHECK(accept("[]")->type == FILCHI_JSON_ARRAY);
	filchi_json_file_free(&file);
}

static void strings(void)
{
	static const struct {
		const char *written, *meant;
	} pairs[] = {
		{"\"\"", ""},
		{"\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "a\"\\/\b\f\n\r\t"},
		{"\"\\u0041\\u00e9\\u20AC\\ud83d\\ude42\"", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82"},
		{"\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82\x7f\"", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82\x7f"},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		TEST_CHECK(!strcmp(filchi_json_text(accept(pairs[i].written)), pairs[i].meant));
		filchi_json_file_free(&file);
	}
	refuse("\"\xff\"", "x.json:1:2: not UTF-8");
	refuse("\"\xc3\"", "x.json:1:2: not UTF-8");
	refuse("\"\xc0\xaf\"", NULL);
	refuse("\"\xed\xa0\x80\"", NULL);
	refuse("\"\xf4\x90\x80\x80\"", NULL);
	refuse("\"a\tb\"", "x.json:1:3: a control character in a string");
	refuse("\"\\x\"", "x.json:1:3: no such escape");
	refuse("\"\\u12g4\"", "x.json:1:2: \\u wants four hexadecimal digits");
	refuse("\"\\u0000\"", "x.json:1:2: a string with a 0 in it");
	refuse("\"\\ud83d\"", "x.json:1:2: half of a surrogate pair");
	refuse("\"\\ud83d\\u0041\"", NULL);
	refuse("\"\\ude42\"", NULL);
	refuse("[\n\"a]", "x.json:2:1: a string without an end");
	refuse_bytes("\"a\0b\"", 5, "x.json:1:3: a control character in a string");
}

static void numbers(void)
{
	static const struct {
		const char *written;
		double meant;
	} pairs[] = {{"0", 0},	      {"-0", 0},      {"10", 10},
		     {"1e3", 1000},   {"1E+3", 1000}, {"-1.50e-1", -0.15},
		     {"1e-999", 0},   {"0.1", 0.1},   {"18446744073709551615", 18446744073709551615.0},
		     {"1e308", 1e308}};
	static const char *const wrong[] = {"01",  "+1",   ".5",  "1.",	      "1.e2",	   "-",	  "1e",
					    "1e+", "0x10", "NaN", "Infinity", "-Infinity", "1_0", "- 1"};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		TEST_CHECK(filchi_json_real(accept(pairs[i].written)) == pairs[i].meant);
		filchi_json_file_free(&file);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		refuse(wrong[i], NULL);
	refuse("[1,\n 1e999]", "x.json:2:2: too large a number");
	refuse("-1e999", "x.json:1:1: too large a number");
}

static void mistakes(void)
{
	refuse("", "x.json:1:1: the file ends too early");
	refuse(" \n ", "x.json:2:2: the file ends too early");
	refuse("{\"a\" 1}", "x.json:1:6: ':' is missing");
	refuse("{\"a\": 1,}", "x.json:1:9: a name in quotes is missing");
	refuse("{a: 1}", "x.json:1:2: a name in quotes is missing");
	refuse("[1,]", "x.json:1:4: not a value");
	refuse("[,1]", "x.json:1:2: not a value");
	refuse("[1 2]", "x.json:1:4: ',' or ']' is missing");
	refuse("[1}", "x.json:1:3: ',' or ']' is missing");
	refuse("{\"a\": 1]", "x.json:1:8: ',' or '}' is missing");
	refuse("[1] x", "x.json:1:5: something follows the end");
	refuse("[1]]", "x.json:1:4: something follows the end");
	refuse("tru", "x.json:1:1: not a value");
	refuse("truefalse", "x.json:1:5: something follows the end");
	refuse("[1] // so", NULL);
	refuse("'a'", NULL);
	refuse("\xef\xbb\xbf[]", "x.json:1:1: not a value");
	refuse_bytes("[1\0]", 4, NULL);
}

/* Each proper beginning of a text is refused, and so is the text with one invalid byte. */
static void truncated(void)
{
	static const char text[] =
		"{\"a\\u00e9\\ud83d\\ude42\": [1.5e+3, true, null, {\"b\": \"\\n\xc3\xa9\"}], \"c\": {}}";
	char changed[sizeof(text)];

	for (size_t length = 0; length < strlen(text); length++)
		refuse_bytes(text, length, NULL);
	accept(text);
	filchi_json_file_free(&file);
	for (size_t i = 0; i < strlen(text); i++) {
		memcpy(changed, text, sizeof(text));
		changed[i] = '\x01';
		refuse_bytes(changed, strlen(text), NULL);
	}
}

static void depth(void)
{
	char text[2 * FILCHI_JSON_DEPTH + 3];
	size_t most = FILCHI_JSON_DEPTH, many = 1000000;
	char *long_text = malloc(many);

	memset(text, '[', most);
	memset(text + most, ']', most);
	text[2 * most] = '\0';
	accept(text);
	filchi_json_file_free(&file);
	memset(text, '[', most + 1);
	memset(text + most + 1, ']', most + 1);
	text[2 * most + 2] = '\0';
	refuse(text, "x.json:1:65: nested too deeply");
	/* The reader uses no stack; otherwise this would crash. */
	TEST_CHECK(long_text);
	memset(long_text, '[', many);
	refuse_bytes(long_text, many, "x.json:1:65: nested too deeply");
	free(long_text);
}

static void files(void)
{
	char path[] = "/tmp/filch-json.XXXXXX";
	int fd = mkstemp(path);

	TEST_CHECK(fd >= 0 && write(fd, "[1,\n2", 5) == 5);
	TEST_CHECK(filchi_json_read(&file, path) == -EINVAL);
	TEST_CHECK(strstr(file.error, ":2:2: the file ends too early"));
	TEST_CHECK(write(fd, "]\n", 2) == 2);
	TEST_CHECK(!filchi_json_read(&file, path) && file.root->count == 2 && file.length == 7);
	filchi_json_file_free(&file);
	close(fd);
	unlink(path);
	TEST_CHECK(filchi_json_read(&file, path) == -ENOENT && strstr(file.error, "No such file"));
	TEST_CHECK(filchi_json_read(&file, "/") == -EISDIR && !strcmp(file.error, "/: Is a directory"));
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"values", values},	  {"strings", strings}, {"numbers", numbers}, {"mistakes", mistakes},
		{"truncated", truncated}, {"depth", depth},	{"files", files},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
