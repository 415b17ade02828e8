/* SPDX-License-Identifier: Apache-2.0 */
/* Which file of a group is kept: the rules of the user in their order, then the order of the output. */
#define _GNU_SOURCE
#include "act.h"

#include <errno.h>
#include <stdlib.h>

struct ranked {
	struct filchi_dupes_file *file;
	size_t place;	  /* in the output */
	uint32_t matches; /* a bit for each rule with a pattern */
};

static bool matches(const char *glob, const struct filchi_dupes_file *f)
{
	for (; f; f = f->link)
		if (filchi_dupes_matches(glob, f->dir, f->name))
			return true;
	return false;
}

static struct ranked rank(const struct filchi_dupes_settings *set, struct filchi_dupes_file *f, size_t place)
{
	struct ranked r = {f, place, 0};

	for (unsigned i = 0; i < set->rule_count; i++)
		if (set->rules[i].kind == FILCHI_DUPES_MATCHING && matches(set->rules[i].glob, f))
			r.matches |= 1u << i;
	return r;
}

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Links cannot lead to another device: each device keeps a file. */
static bool per_device(const struct filchi_dupes_settings *set)
{
	return set->action == FILCHI_DUPES_LINK || set->action == FILCHI_DUPES_REFLINK;
}

static int by_rules(const void *a, const void *b, void *arg)
{
	const struct filchi_dupes_settings *set = arg;
	const struct ranked *r = a, *s = b;
	int found = per_device(set) ? order(r->file->dev, s->file->dev) : 0;

	for (unsigned i = 0; i < set->rule_count && !found; i++)
		switch (set->rules[i].kind) {
		case FILCHI_DUPES_OLDEST:
			found = order(r->file->mtime, s->file->mtime);
			break;
		case FILCHI_DUPES_NEWEST:
			found = order(s->file->mtime, r->file->mtime);
			break;
		case FILCHI_DUPES_FIRST:
			found = order(r->file->dir->root, s->file->dir->root);
			break;
		case FILCHI_DUPES_MATCHING:
			found = order(s->matches >> i & 1, r->matches >> i & 1);
			break;
		}
	return found ? found : order((int64_t)r->place, (int64_t)s->place);
}

static void set_fate(struct filchi_dupes_file *f, enum filchi_dupes_fate fate)
{
	for (; f; f = f->link)
		f->fate = (uint8_t)fate;
}

int filchi_dupes_keep(struct filchi_dupes_run *run, struct filchi_dupes_group *g)
{
	const struct filchi_dupes_settings *set = run->set;
	struct ranked *all = malloc(g->count * sizeof(*all));
	const struct filchi_dupes_file *kept = NULL;

	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < g->count; i++)
		all[i] = rank(set, g->files[i], i);
	qsort_r(all, g->count, sizeof(*all), by_rules, (void *)(uintptr_t)set);
	for (size_t i = 0; i < g->count; i++) {
		struct filchi_dupes_file *f = g->files[i] = all[i].file;

		if (!kept || (per_device(set) && kept->dev != f->dev))
			kept = f;
		/* With --isolate, all files in the DIR of the kept file stay. */
		if (f == kept || (set->isolate && f->dir->root == kept->dir->root))
			set_fate(f, FILCHI_DUPES_KEPT);
		else
			set_fate(f, FILCHI_DUPES_PLANNED);
	}
	free(all);
	return 0;
}
