/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of speed: well-formed, without other files, and each bar on the right side of 1. */
#define _GNU_SOURCE

#include "../../bench/report/html/speed.h"

#include "../fixtures/test.h"
#include "xml.h"

#include <math.h>
#include <string.h>

static struct filchi_speed speed = {
	.title = "A <title> & more",
	.explanation = "1× is \"serial\".",
	.captions = {"a machine", "a build; 2026-01-01"},
	.panel_count = 2,
	.runtime_count = 3,
	.program_count = 2,
	.panels = {"1 worker", "2 workers"},
	.runtimes = {"filch", "OpenMP (gcc)", "oneTBB"},
	.programs = {{"fib", "tiny <tasks>", {{0.9, 0.01, 0.1}, {1.8, 0.003, 0.2}}},
		     {"loop", NULL, {{1, NAN, 0.99}, {1.96, 12, 0}}}},
};

static char *draw(const struct filchi_speed *s)
{
	size_t size, where;
	char *text;
	const char *wrong;
	FILE *f = open_memstream(&text, &size);

	TEST_CHECK(f);
	filchi_speed_write(s, f);
	fclose(f);
	wrong = xml_check(text, size, &where);
	if (wrong)
		fprintf(stderr, "%s at %.60s\n", wrong, text + where);
	TEST_CHECK(!wrong);
	return text;
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		n++;
	}
	return n;
}

/* Finds the line at 1 and all bars. Bars of 12 by 12 are in the legend. */
static void bars(const char *text)
{
	double one, x, y, width, height;
	size_t left = 0, right = 0;
	const char *line = strstr(text, "class=\"one\"");

	TEST_CHECK(line && sscanf(line, "class=\"one\" d=\"M%lf", &one) == 1);
	for (const char *at = text; (at = strstr(at, "<rect class=\"bar\"")); at++) {
		TEST_CHECK(sscanf(at, "<rect class=\"bar\" x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y,
				  &width, &height) == 4);
		if (height == 12)
			continue;
		TEST_CHECK(width > 0 && (fabs(x - one) < 0.2 || fabs(x + width - one) < 2));
		*(fabs(x - one) < 0.2 ? &right : &left) += 1;
	}
	/* 1.8, 1, 1.96 and 12 are not below 1. */
	TEST_CHECK(right == 4 && left == 6);
}

int main(void)
{
	char *text = draw(&speed);
	struct filchi_speed none = {
		.panel_count = 1, .runtime_count = 1, .panels = {"1 worker"}, .runtimes = {"filch"}};

	bars(text);
	TEST_CHECK(count(text, ">not measured<") == 2);
	TEST_CHECK(strstr(text, ">0.0030×<") || strstr(text, ">0.003×<"));
	TEST_CHECK(strstr(text, ">0.90×<") && strstr(text, ">1.8×<") && strstr(text, ">12×<") &&
		   strstr(text, ">1.0×<"));
	TEST_CHECK(strstr(text, "A &lt;title&gt; &amp; more") && strstr(text, "tiny &lt;tasks&gt;"));
	TEST_CHECK(strstr(text, "a machine") && strstr(text, "a build; 2026-01-01"));
	TEST_CHECK(strstr(text, "prefers-color-scheme: dark"));
	/* No other files: the only address names the language. */
	TEST_CHECK(count(text, "://") == 1 && !strstr(text, "<script") && !strstr(text, "url(") &&
		   !strstr(text, "@import"));
	free(text);
	free(draw(&none));
	puts("speed: ok");
	return 0;
}
