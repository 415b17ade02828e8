/* SPDX-License-Identifier: Apache-2.0 */
#include "mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SITES = 1024 };

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

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), suffix = strlen(end);

	return length >= suffix && !strcmp(text + length - suffix, end);
}

static const char *kept_because(const struct mutants *m, const char *edge)
{
	for (const struct mutants_kept *k = m->kept; k && k->edge; k++)
		if (!strcmp(k->edge, edge))
			return k->why;
	return NULL;
}

/* "filchi_split_pop_shared" in split is "pop_shared". */
static const char *short_function(const char *function, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(function, prefix, length) ? function : function + length;
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
	int files = strcmp(x->file, y->file);

	if (files)
		return files;
	return x->line < y->line ? -1 : x->line > y->line;
}

struct tally {
	unsigned mutants, killed, kept, wrong;
};

static void try_mutant(const struct mutants *m, const struct chk_site *site, enum chk_order to, FILE *out,
		       struct tally *tally)
{
	const char *why = kept_because(m, site->edge);
	struct mutants_kill kill = {.by = ""};
	bool by;

	chk_weaken(site, to);
	by = !m->passes(m->context, &kill);
	chk_weaken(NULL, CHK_NONE);
	if (!tally->mutants++)
		fprintf(out, "| edge | in | access | order | weakened to | killed by |\n|---|---|---|---|---|---|\n");
	tally->killed += by;
	tally->kept += !by && why;
	/* A survivor that nobody explains, or an explanation of what is no survivor; or it was never judged. */
	tally->wrong += !by == !why || (by && kill.verdict == CHK_MISUSE);
	fprintf(out, "| %s | %s | %s %s | %s | %s | %s%s%s |\n", site->edge, short_function(site->function, m->prefix),
		op_names[site->op], short_location(site->what), chk_order_name(site->declared), chk_order_name(to),
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

static bool is_ours(const struct mutants *m, const struct chk_site *site)
{
	if (m->only && strcmp(m->only, site->edge))
		return false;
	return site->edge[0] && (ends_with(site->file, m->file) || (m->base && ends_with(site->file, m->base)));
}

static const char lead[] =
	"# Mutants of %s\n"
	"\n"
	"Each access in `%s` whose order is stronger than relaxed, weakened one step at a time and in full, and "
	"each\n"
	"fence also removed; and the first scenario that then fails, with the verdict. Made by the check's program "
	"with\n"
	"`--mutants`; [verification.md](../verification.md) explains the words.\n"
	"\n";

/* How many accesses with an order stronger than relaxed a source file has, comments left out. */
static unsigned count_strong(const char *path)
{
	static const char *const ops[] = {"load", "store", "exchange", "cas", "fetch_add", "fence"};
	static const char *const orders[] = {"acq", "rel", "acq_rel", "sc", "light"};
	char line[512], name[64];
	FILE *f = fopen(path, "r");
	unsigned n = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, " *", 2))
			continue;
		for (unsigned i = 0; i < 6 * 5; i++) {
			snprintf(name, sizeof(name), "filchi_%s_%s(", ops[i / 5], orders[i % 5]);
			for (const char *at = line; (at = strstr(at, name)); at++)
				n++;
		}
	}
	if (f)
		fclose(f);
	return n;
}

/* Each of them must have been run by some scenario, or it was not mutated. */
static void check_all_met(const char *file, const struct chk_site **sites, unsigned n, FILE *out, struct tally *tally)
{
	const char *path = NULL;
	unsigned met = 0, there;

	for (unsigned i = 0; i < n; i++) {
		if (!ends_with(sites[i]->file, file) || !sites[i]->edge[0])
			continue;
		path = sites[i]->file;
		met += sites[i]->declared != CHK_RLX;
	}
	there = path ? count_strong(path) : 0;
	if (met != there) {
		fprintf(out, "\nOf %u accesses in %s only %u were run.\n", there, file, met);
		tally->wrong++;
	}
}

static void write_table(const struct mutants *m, FILE *out, struct tally *tally)
{
	const struct chk_site *sites[MAX_SITES];
	struct mutants_kill kill = {.by = ""};
	/* Running everything once makes the sites known. */
	bool fine = m->passes(m->context, &kill);
	unsigned n = chk_sites(sites, MAX_SITES);

	if (n > MAX_SITES) {
		fprintf(out, "%s has %u accesses: raise MAX_SITES\n", m->name, n);
		tally->wrong++;
		return;
	}
	if (!fine) {
		fprintf(out, "%s fails as it is: %s\n", m->name, kill.by);
		tally->wrong++;
		return;
	}
	qsort(sites, n, sizeof(sites[0]), by_line);
	fprintf(out, lead, m->name, m->file + 1);
	if (m->base)
		fprintf(out, "First come those of `%s`, %s.\n\n", m->base + 1,
			m->beside ? "likewise" : "from which it is made");
	for (unsigned i = 0; i < n; i++) {
		enum chk_order to[5];
		unsigned count = is_ours(m, sites[i]) ? all_weaker(sites[i]->op, sites[i]->declared, to) : 0;

		for (unsigned j = 0; j < count; j++)
			try_mutant(m, sites[i], to[j], out, tally);
	}
	if (tally->mutants)
		fprintf(out, "\n%u mutants: %u killed, %u kept with a reason.\n", tally->mutants, tally->killed,
			tally->kept);
	else
		fprintf(out, "There are none: no access here has an order stronger than relaxed.\n");
	for (const struct mutants_kept *k = m->kept; k && k->edge; k++)
		fprintf(out, "\n%s is kept: %s\n", k->edge, k->why);
	check_all_met(m->file, sites, n, out, tally);
	if (m->base)
		check_all_met(m->base, sites, n, out, tally);
}

int mutants_run(const struct mutants *m, const char *expect)
{
	struct tally tally = {0};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return 1;
	write_table(m, out, &tally);
	fclose(out);
	fputs(text, stdout);
	if (expect && !same_as_file(text, expect)) {
		fprintf(stderr, "%s is not what was found: write this table there if it is right\n", expect);
		tally.wrong++;
	}
	free(text);
	return tally.wrong != 0;
}
