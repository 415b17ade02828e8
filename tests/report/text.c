/* SPDX-License-Identifier: Apache-2.0 */
/* Text in pages: escapes, fitting, numbers. Also checks that the XML reader of these tests can fail. */
#define _POSIX_C_SOURCE 200809L

#include "../../bench/report/html/text.h"

#include "../fixtures/test.h"
#include "xml.h"

#include <math.h>
#include <string.h>

/* Compares the output of a function for a text. */
static void expect(void (*put)(FILE *, const char *), const char *text, const char *expected)
{
	size_t size;
	char *got;
	FILE *f = open_memstream(&got, &size);

	TEST_CHECK(f);
	put(f, text);
	fclose(f);
	if (strcmp(got, expected))
		fprintf(stderr, "got %s, not %s\n", got, expected);
	TEST_CHECK(!strcmp(got, expected));
	free(got);
}

static void escapes(void)
{
	expect(filchi_text_put, NULL, "");
	expect(filchi_text_put, "<a href=\"x\">'&'</a>", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
	expect(filchi_text_put, "µs é € 🙂", "µs é € 🙂");
	expect(filchi_text_put, "a\tb\nc\x01\x1b", "a\tb\nc\ufffd\ufffd");
	/* Not UTF-8: cut off, overlong, a surrogate, beyond the last character; and a character that XML excludes. */
	expect(filchi_text_put, "\xff \xc3( \xe2\x82", "\ufffd \ufffd( \ufffd\ufffd");
	expect(filchi_text_put, "\xc0\xaf", "\ufffd\ufffd");
	expect(filchi_text_put, "\xed\xa0\x80", "\ufffd\ufffd\ufffd");
	expect(filchi_text_put, "\xf4\x90\x80\x80", "\ufffd\ufffd\ufffd\ufffd");
	expect(filchi_text_put, "\xef\xbf\xbf", "\ufffd");
}

static void json(void)
{
	expect(filchi_text_put_json, "{\"a\": [1, \"</script><!--\"]}",
	       "{\"a\": [1, \"\\u003c/script\\u003e\\u003c!--\"]}");
	expect(filchi_text_put_json, "\"\\\"&é\"", "\"\\\"\\u0026é\"");
}

static void fits(void)
{
	char out[FILCHI_FIT_SIZE], text[1000];

	filchi_text_fit(out, NULL, 12, 100);
	TEST_CHECK(!*out);
	filchi_text_fit(out, "short", 12, 100);
	TEST_CHECK(!strcmp(out, "short"));
	for (double width = 20; width < 5000; width *= 1.7) {
		memset(text, 'w', sizeof(text) - 1);
		text[sizeof(text) - 1] = 0;
		filchi_text_fit(out, text, 12, width);
		TEST_CHECK(filchi_text_width(out, 12) <= width && strlen(out) < FILCHI_FIT_SIZE);
		TEST_CHECK(strlen(out) >= 3 && !strcmp(out + strlen(out) - 3, "…"));
	}
	/* Characters are not cut. */
	filchi_text_fit(out, "ééééééééé", 10, 40);
	TEST_CHECK(!strcmp(out, "éééé…"));
	filchi_text_fit(out, "one two three", 10, 40);
	TEST_CHECK(!strcmp(out, "one…") || !strcmp(out, "one t…"));
}

static void numbers(void)
{
	static const struct {
		double value;
		const char *text;
	} pairs[] = {
		{0, "0"},
		{1, "1"},
		{0.25, "0.25"},
		{-3.14159, "-3.142"},
		{999.4, "999.4"},
		{1000, "1,000"},
		{-12345.6, "-12,346"},
		{999999, "999,999"},
		{1e6, "1M"},
		{2.5e6, "2.5M"},
		{3e8, "300M"},
		{1e9, "1G"},
		{4.5e12, "4.5T"},
		{1e15, "1,000T"},
		{1e300, "1e300"},
		{1e-9, "0.000000001"},
		{9.994e14, "999.4T"},
		{-1.25e17, "-125,000T"},
		{1e18, "1e18"},
		{6.6612e-5, "0.00006661"},
		{-0.000012, "-0.000012"},
		{1e-12, "0.000000000001"},
		{1e-13, "1e-13"},
		{0.0001, "0.0001"},
		{NAN, "–"},
		{INFINITY, "–"},
		{-2e6, "-2M"},
	};
	char out[FILCHI_NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		filchi_text_number(out, pairs[i].value, 4);
		if (strcmp(out, pairs[i].text))
			fprintf(stderr, "got %s, not %s\n", out, pairs[i].text);
		TEST_CHECK(!strcmp(out, pairs[i].text));
	}
}

static void xml(void)
{
	static const char *const right[] = {"<a/>", "<a b=\"1\"><c>&lt;&amp;</c> x</a>\n", "<a d=\"M1 -2.5z\"></a>"};
	static const char *const wrong[] = {"",
					    "x",
					    "<a>",
					    "<a></b>",
					    "<a b=1/>",
					    "<a>&x</a>",
					    "<a>&nbsp;</a>",
					    "<a b=\"<\"/>",
					    "<a></a><b/>",
					    "<a x=\"nan\"/>",
					    "<a><b></a></b>",
					    "<a>\x01</a>",
					    "<a d=\"Minf 0\"/>"};
	size_t where;

	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		TEST_CHECK(!xml_check(right[i], strlen(right[i]), &where));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		TEST_CHECK(xml_check(wrong[i], strlen(wrong[i]), &where));
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"escapes", escapes}, {"json", json}, {"fits", fits}, {"numbers", numbers}, {"xml", xml},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
