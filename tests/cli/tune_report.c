/* SPDX-License-Identifier: Apache-2.0 */
/* The report of filch tune for made-up samples: the winner, and cases without a winner. */
#include "../../bench/tune/tune.h"
#include "../fixtures/test.h"

#include <string.h>

enum { RUNS = 10 };

static char program[] = "program";
static char *argv[] = {program, NULL};

static void fill(struct filchi_tune_setting *s, double ms)
{
	s->samples = calloc(RUNS, sizeof(*s->samples));
	TEST_CHECK(s->samples);
	for (s->count = 0; s->count < RUNS; s->count++) {
		double ns = (ms + 0.001 * (double)s->count) * 1e6;

		s->samples[s->count] = (struct filchi_tune_sample){.ns = ns, .cpu_ns = ns, .round = (double)s->count};
	}
}

/* The defaults and one other setting take that many milliseconds. The report goes to text. */
static bool report(double usual_ms, double other_ms, char *text, size_t size)
{
	static const struct filchi_machine machine = {.version = "0"};
	static const char *const values[FILCHI_TUNE_AXES] = {[FILCHI_TUNE_DEQUE] = "abp"};
	struct filchi_tune_options options = {.argv = argv, .runs = RUNS};
	struct filchi_tune *t = filchi_tune_new(&options);
	FILE *f = tmpfile();
	bool found;

	TEST_CHECK(t && f && !filchi_tune_space(t));
	t->met = true;
	t->best = filchi_tune_setting(t, values);
	fill(t->settings, usual_ms);
	fill(t->best, other_ms);
	TEST_CHECK(!filchi_tune_compare(t->best, t->settings, false, true, &t->last));
	t->decided = true;
	found = filchi_tune_found(t);
	TEST_CHECK(!filchi_tune_table(t, &machine, f, false));
	rewind(f);
	text[fread(text, 1, size - 1, f)] = '\0';
	fclose(f);
	filchi_tune_free(t);
	return found;
}

static void long_enough(void)
{
	char text[8192];

	TEST_CHECK(report(100, 50, text, sizeof(text)));
	TEST_CHECK(strstr(text, "\nWinner: deque abp\n") && strstr(text, "FILCH_DEQUE=abp program\n"));
	TEST_CHECK(!strstr(text, "No winner"));
	TEST_CHECK(report(21, 1, text, sizeof(text)) && strstr(text, "\nWinner: deque abp\n"));
}

static void no_difference(void)
{
	char text[8192];

	TEST_CHECK(!report(100, 100, text, sizeof(text)));
	TEST_CHECK(strstr(text, "\nNo setting is clearly better") && !strstr(text, "inner:"));
}

/* Most of the time is the start of the process: there is a table, but no winner. */
static void too_short(void)
{
	char text[8192];

	TEST_CHECK(!report(19, 5, text, sizeof(text)));
	TEST_CHECK(strstr(text, "\nNo winner: a run takes 19 ms"));
	TEST_CHECK(strstr(text, "\nsplit ") && strstr(text, "\nabp ") && strstr(text, " best\n"));
	TEST_CHECK(!strstr(text, "Winner") && !strstr(text, " winner\n") && !strstr(text, "FILCH_DEQUE=abp"));
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"long_enough", long_enough}, {"no_difference", no_difference}, {"too_short", too_short}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
