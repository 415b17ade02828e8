/* SPDX-License-Identifier: Apache-2.0 */
/* The result as text and CSV. */
#define _GNU_SOURCE
#include "print.h"
#include "act.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- totals ---- */

/* With --isolate the files of the first DIR stay, all of them. */
uint64_t filchi_dupes_could_go(const struct filchi_dupes_run *run, const struct filchi_dupes_group *g)
{
	size_t stay = 1;

	if (run->set->action) { /* as planned */
		stay = 0;
		for (size_t i = 0; i < g->count; i++)
			stay += g->files[i]->fate == FILCHI_DUPES_KEPT || g->files[i]->fate == FILCHI_DUPES_SHARED;
		return g->count - stay;
	}
	while (run->set->isolate && stay < g->count && g->files[stay]->dir->root == g->files[0]->dir->root)
		stay++;
	return g->count - stay;
}

void filchi_dupes_sum(const struct filchi_dupes_run *run, struct filchi_dupes_sum *sum)
{
	*sum = (struct filchi_dupes_sum){.groups = run->found.count};
	for (size_t i = 0; i < run->found.count; i++) {
		const struct filchi_dupes_group *g = &run->found.groups[i];

		sum->files += g->count;
		sum->could_go += filchi_dupes_could_go(run, g);
		sum->bytes += filchi_dupes_could_go(run, g) * g->files[0]->size;
		for (size_t k = 0; k < g->count; k++) {
			sum->done += g->files[k]->fate == FILCHI_DUPES_DONE;
			sum->left += g->files[k]->fate == FILCHI_DUPES_LEFT;
		}
	}
}

/* ---- formats ---- */

/* A name with a control character, or one that could be read as something else, is printed as $'...' of the shell. */
static bool is_plain(const char *path)
{
	if (*path == ' ' || !strncmp(path, "$'", 2) || !filchi_dupes_is_utf8(path))
		return false;
	for (const unsigned char *p = (const unsigned char *)path; *p; p++)
		if (*p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0)) /* C1 controls too */
			return false;
	return true;
}

void filchi_dupes_print_path(FILE *out, const char *path)
{
	if (is_plain(path)) {
		fputs(path, out);
		return;
	}
	fputs("$'", out);
	for (const unsigned char *p = (const unsigned char *)path; *p; p++)
		if (*p == '\\' || *p == '\'')
			fprintf(out, "\\%c", *p);
		else if (*p < 0x20 || *p >= 0x7f)
			fprintf(out, "\\%03o", *p);
		else
			putc(*p, out);
	fputs("'", out);
}

void filchi_dupes_print_bytes(FILE *out, uint64_t bytes)
{
	static const char units[] = "KMGTPE";
	double value = (double)bytes / 1024;
	int unit = 0;

	fprintf(out, "%" PRIu64 " bytes", bytes);
	if (bytes < 1024)
		return;
	for (; value >= 1024; unit++)
		value /= 1024;
	fprintf(out, " (%.1f %ciB)", value, units[unit]);
}

static void print_text(const struct filchi_dupes_run *run, const struct filchi_dupes_group *g, char *path,
		       struct filchi_dupes_file *f, bool other)
{
	if (f == g->files[0] && !other) {
		printf("# %zu files of ", g->count);
		filchi_dupes_print_bytes(stdout, f->size);
		putchar('\n');
	}
	if (other)
		fputs("  = ", stdout);
	if (f->fate)
		printf("%s ", filchi_dupes_fate_word(run, f));
	filchi_dupes_print_path(stdout, path);
	putchar('\n');
}

/* RFC 4180: quotes around each path, and quotes in it twice. */
static void print_csv(size_t group, size_t file, uint64_t size, const char *path, const char *fate)
{
	printf("%zu,%zu,%" PRIu64 ",\"", group + 1, file + 1, size);
	for (; *path; path++) {
		if (*path == '"')
			putchar('"');
		putchar(*path);
	}
	printf("\"%s%s\r\n", *fate ? "," : "", fate);
}

static int print_file(struct filchi_dupes_run *run, size_t group, size_t file)
{
	const struct filchi_dupes_group *g = &run->found.groups[group];

	for (struct filchi_dupes_file *f = g->files[file]; f; f = f->link) {
		char *path = filchi_dupes_path_new(f->dir, f->name);

		if (!path)
			return -ENOMEM;
		if (run->set->format == FILCHI_DUPES_CSV)
			print_csv(group, file, f->size, path, filchi_dupes_fate_word(run, f));
		else if (run->set->format == FILCHI_DUPES_TEXT)
			print_text(run, g, path, f, f != g->files[file]);
		else if (f == g->files[file])
			fwrite(path, strlen(path) + 1, 1, stdout);
		free(path);
	}
	return 0;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_totals(struct filchi_dupes_run *run, bool complete)
{
	struct filchi_dupes_sum sum;

	filchi_dupes_sum(run, &sum);
	printf("# %" PRIu64 " file%s looked at, ", run->totals.files, plural(run->totals.files));
	filchi_dupes_print_bytes(stdout, run->totals.bytes);
	printf("; %" PRIu64 " group%s of duplicates\n", sum.groups, plural(sum.groups));
	if (run->set->action && run->set->yes) {
		printf("# %" PRIu64 " file%s %s, %" PRIu64 " left as they are\n", sum.done, plural(sum.done),
		       filchi_dupes_done_word(run->set->action), sum.left);
	} else {
		printf("# %" PRIu64 " file%s could go, ", sum.could_go, plural(sum.could_go));
		filchi_dupes_print_bytes(stdout, sum.bytes);
		fputs(" saved\n", stdout);
	}
	if (run->set->action && !run->set->yes)
		fputs("# nothing was changed; --yes does it\n", stdout);
	if (run->problem_count)
		printf("# %zu could not be read, have changed, or were left as they are\n", run->problem_count);
	if (!complete)
		fputs("# stopped early: there may be more\n", stdout);
}

int filchi_dupes_print(struct filchi_dupes_run *run, bool complete)
{
	enum filchi_dupes_format format = run->set->format;
	int err = 0;

	if (format == FILCHI_DUPES_JSON)
		return filchi_dupes_print_json(run, complete);
	if (format == FILCHI_DUPES_CSV)
		printf("group,file,size,path%s\r\n", run->set->action ? ",action" : "");
	for (size_t i = 0; i < run->found.count && format != FILCHI_DUPES_SUMMARY && !err; i++) {
		for (size_t k = 0; k < run->found.groups[i].count && !err; k++)
			err = print_file(run, i, k);
		if (format == FILCHI_DUPES_TEXT)
			putchar('\n');
		else if (format == FILCHI_DUPES_NULL)
			putchar(0);
	}
	if (format == FILCHI_DUPES_TEXT || format == FILCHI_DUPES_SUMMARY)
		print_totals(run, complete);
	return err;
}

const char *filchi_dupes_why(int why)
{
	switch (why) {
	case FILCHI_DUPES_CHANGED:
		return "changed while it was read";
	case FILCHI_DUPES_CHANGED_SINCE:
		return "left as it is: it, or the kept file, has changed since the comparison";
	case FILCHI_DUPES_WRITER:
		return "left as it is: a process has it, or the kept file, open for writing";
	case FILCHI_DUPES_OWNER:
		return "left as it is: owner, group or mode differ from the kept file; --any-owner allows this";
	case FILCHI_DUPES_NO_REFLINKS:
		return "left as it is: the file system cannot share blocks between these files";
	case FILCHI_DUPES_NO_EXCHANGE:
		return "left as it is: the file system cannot exchange two names";
	case FILCHI_DUPES_ASIDE:
		return "another process was in the way; its file is now beside it, in a name with filch-";
	case ENOENT:
		return "vanished, or does not exist";
	default:
		return strerror(why);
	}
}

void filchi_dupes_print_problems(struct filchi_dupes_run *run, const char *command)
{
	for (size_t i = 0; i < run->problem_count; i++) {
		const struct filchi_dupes_problem *p = &run->problems[i];
		char *path = filchi_dupes_path_new(p->dir, p->name);

		fprintf(stderr, "%s: ", command);
		filchi_dupes_print_path(stderr, path ? path : "(no memory for the path)");
		fprintf(stderr, ": %s\n", filchi_dupes_why(p->why));
		free(path);
	}
}
