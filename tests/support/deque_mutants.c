/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutation: each access of a deque whose order is stronger than relaxed is weakened, one step at a time and in full,
 * and each fence removed. Some scenario must fail for each mutant; an edge whose mutants all survive is listed by the
 * kind with the reason why it is kept.
 */
#include "deque_check.h"

#include "../../check/chk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SITES = 256 };

static const char *const op_names[] = {"load", "store", "exchange", "cas", "fetch_add", "fence"};

/* The orders next below, CHK_NONE where there is no further. A fence below acquire or release is none at all. */
static unsigned weaker(enum chk_op op, enum chk_order order, enum chk_order out[2])
{
	bool fence = op == CHK_FENCE, rmw = op != CHK_LOAD && op != CHK_STORE && !fence;

	switch (order) {
	case CHK_SC:
		out[0] = rmw || fence ? CHK_ACQ_REL : op == CHK_LOAD ? CHK_ACQ : CHK_REL;
		return 1;
	case CHK_ACQ_REL:
		out[0] = CHK_ACQ;
		out[1] = CHK_REL;
		return 2;
	case CHK_ACQ:
	case CHK_REL:
		out[0] = fence ? CHK_NONE : CHK_RLX;
		return 1;
	default:
		return 0;
	}
}

/* Every order below, each once, strongest first. */
static unsigned all_weaker(enum chk_op op, enum chk_order order, enum chk_order *out)
{
	unsigned n = weaker(op, order, out);

	for (unsigned i = 0; i < n; i++) {
		enum chk_order below[2];
		unsigned m = weaker(op, out[i], below);

		for (unsigned j = 0; j < m; j++) {
			bool known = false;

			for (unsigned k = 0; k < n; k++)
				known = known || out[k] == below[j];
			if (!known)
				out[n++] = below[j];
		}
	}
	return n;
}

static bool of_kind(const struct chk_site *site, const char *kind)
{
	char name[64];
	size_t length = strlen(site->file), suffix;

	snprintf(name, sizeof(name), "/%s.h", kind);
	suffix = strlen(name);
	return length >= suffix && !strcmp(site->file + length - suffix, name) && site->edge[0];
}

struct kill {
	char by[64]; /* empty: nothing has failed */
	enum chk_verdict verdict;
};

static bool try_scenario(const struct deque_check *check, const struct deque_scenario *s, void *context)
{
	struct kill *kill = context;
	struct chk_config config = {.max_seconds = 60};
	struct chk_result r = deque_check_run(check->kind, s, config);

	kill->verdict = r.verdict;
	chk_result_clear(&r);
	if (kill->verdict == CHK_OK)
		return true;
	if (s->name)
		snprintf(kill->by, sizeof(kill->by), "%s", s->name);
	else
		deque_scenario_print(kill->by, sizeof(kill->by), s);
	return false;
}

static const char *kept_because(const struct deque_check *check, const char *edge)
{
	for (const struct deque_kept *k = check->kept; k && k->edge; k++)
		if (!strcmp(k->edge, edge))
			return k->why;
	return NULL;
}

/* "filchi_split_pop_shared" in split is "pop_shared". */
static const char *short_function(const char *function, const char *kind)
{
	char prefix[64];

	snprintf(prefix, sizeof(prefix), "filchi_%s_", kind);
	return strncmp(function, prefix, strlen(prefix)) ? function : function + strlen(prefix);
}

static const char *short_location(const char *what)
{
	const char *member = strrchr(what, '>');

	if (!strcmp(what, ""))
		return "";
	if (strstr(what, "item"))
		return "slot";
	return member ? member + 1 : what;
}

/* In the order of the source. */
static int by_line(const void *a, const void *b)
{
	const struct chk_site *x = *(const struct chk_site *const *)a, *y = *(const struct chk_site *const *)b;

	return x->line < y->line ? -1 : x->line > y->line;
}

struct tally {
	unsigned mutants, killed, kept, wrong;
};

static void try_mutant(const struct deque_check *check, const struct chk_site *site, enum chk_order to, FILE *out,
		       struct tally *tally)
{
	const char *why = kept_because(check, site->edge);
	struct kill kill = {.by = ""};
	bool by;

	chk_weaken(site, to);
	by = !deque_scenarios_each(check, try_scenario, &kill);
	chk_weaken(NULL, CHK_NONE);
	tally->mutants++;
	tally->killed += by;
	tally->kept += !by && why;
	/* A survivor that nobody explains, or an explanation of what is no survivor. */
	tally->wrong += !by == !why;
	fprintf(out, "| %s | %s | %s %s | %s | %s | %s%s%s |\n", site->edge,
		short_function(site->function, check->kind), op_names[site->op], short_location(site->what),
		chk_order_name(site->declared), chk_order_name(to),
		by    ? kill.by
		: why ? "kept"
		      : "SURVIVES",
		by ? ": " : "", by ? chk_verdict_name(kill.verdict) : "");
}

static bool same_as_file(const char *text, const char *path)
{
	FILE *f = fopen(path, "r");
	size_t length = strlen(text), got;
	char *content = malloc(length + 2);
	bool same = false;

	if (f && content) {
		got = fread(content, 1, length + 1, f);
		same = got == length && !memcmp(content, text, length);
	}
	if (f)
		fclose(f);
	free(content);
	return same;
}

static void write_table(const struct deque_check *check, FILE *out, struct tally *tally)
{
	const struct chk_site *sites[MAX_SITES];
	struct kill kill = {.by = ""};
	/* Running everything once makes the sites known. */
	bool fine = deque_scenarios_each(check, try_scenario, &kill);
	unsigned n = chk_sites(sites, MAX_SITES);

	if (!fine) {
		fprintf(out, "%s fails as it is: %s\n", check->kind, kill.by);
		tally->wrong++;
		return;
	}
	qsort(sites, n, sizeof(sites[0]), by_line);
	fprintf(out, "| edge | in | access | order | weakened to | killed by |\n|---|---|---|---|---|---|\n");
	for (unsigned i = 0; i < n; i++) {
		enum chk_order to[5];
		unsigned count = of_kind(sites[i], check->kind) ? all_weaker(sites[i]->op, sites[i]->declared, to) : 0;

		for (unsigned j = 0; j < count; j++)
			try_mutant(check, sites[i], to[j], out, tally);
	}
	fprintf(out, "\n%u mutants: %u killed, %u kept with a reason.\n", tally->mutants, tally->killed, tally->kept);
	for (const struct deque_kept *k = check->kept; k && k->edge; k++)
		fprintf(out, "\n%s is kept: %s\n", k->edge, k->why);
}

int deque_check_mutants(const struct deque_check *check, const char *expect)
{
	struct tally tally = {0};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return 1;
	write_table(check, out, &tally);
	fclose(out);
	fputs(text, stdout);
	if (expect && !same_as_file(text, expect)) {
		fprintf(stderr, "%s is not what was found: write this table there if it is right\n", expect);
		tally.wrong++;
	}
	free(text);
	return tally.wrong != 0;
}
