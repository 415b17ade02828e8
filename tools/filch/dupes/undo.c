/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the actions of a log back, the last one first. */
#define _GNU_SOURCE
#include "act.h"

#include "../command.h"
#include "print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_PROBLEMS 3

struct counts {
	size_t restored, problems;
};

static void print_entry(const struct filchi_dupes_entry *e, bool yes)
{
	char *path = malloc(strlen(e->root) + strlen(e->below) + 2);

	if (path) {
		sprintf(path, "%s/%s", strcmp(e->root, "/") ? e->root : "", e->below);
		fputs(yes ? "restored " : "restore ", stdout);
		filchi_dupes_print_path(stdout, path);
		putchar('\n');
	}
	free(path);
}

static void undo_line(const char *command, char *line, bool finished, const struct filchi_dupes_settings *set,
		      struct counts *counts)
{
	struct filchi_dupes_entry e;
	int reason;

	if (!filchi_dupes_log_read(line, &e)) {
		fprintf(stderr, "%s: a line of the log is damaged, and was skipped\n", command);
		counts->problems++;
		return;
	}
	if (!strcmp(e.action, "reflink"))
		return;
	reason = filchi_dupes_restore(&e, finished, set);
	if (reason == FILCHI_DUPES_NEVER_DONE)
		return;
	if (!reason) {
		counts->restored++;
		print_entry(&e, set->yes);
		return;
	}
	counts->problems++;
	fprintf(stderr, "%s: ", command);
	filchi_dupes_print_path(stderr, e.root);
	fputs(" : ", stderr);
	filchi_dupes_print_path(stderr, e.below);
	fprintf(stderr, ": not restored: %s\n",
		reason == ESTALE   ? "it, or the kept file, has changed since the action"
		: reason == EEXIST ? "the name exists again"
				   : filchi_dupes_why(reason));
}

/* From the last line to the first. After an action without "done" or "left", its name tells whether it was done. */
static void undo_lines(const char *command, char *text, size_t length, const struct filchi_dupes_settings *set,
		       struct counts *counts)
{
	bool left = false, done = false;

	while (length && text[length - 1] != '\n') /* a part of a line */
		length--;
	for (char *end = text + length; end > text;) {
		char *line = memrchr(text, '\n', (size_t)(end - text));

		line = line ? line + 1 : text;
		*end = 0;
		if (!strcmp(line, "left")) {
			left = true;
		} else if (!strcmp(line, "done")) {
			done = true;
		} else if (*line && strcmp(line, FILCHI_DUPES_LOG_FIRST) != 0) {
			if (!left)
				undo_line(command, line, done, set, counts);
			left = done = false;
		}
		end = line > text ? line - 1 : text;
	}
}

static char *read_log(const char *path, size_t *length)
{
	FILE *in = fopen(path, "re");
	char *text = NULL;
	FILE *out = in ? open_memstream(&text, length) : NULL;
	char buf[4096];
	size_t n;
	bool good = out;

	while (good && (n = fread(buf, 1, sizeof(buf), in)) > 0)
		good = fwrite(buf, 1, n, out) == n;
	good = good && !ferror(in);
	if (out && fclose(out))
		good = false;
	if (in)
		fclose(in);
	if (!good) {
		free(text);
		return NULL;
	}
	return text;
}

int filchi_dupes_undo(const char *command, const struct filchi_dupes_settings *set)
{
	size_t length = 0, first = strlen(FILCHI_DUPES_LOG_FIRST "\n");
	struct counts counts = {0};
	char *text;

	errno = 0;
	text = read_log(set->undo, &length);
	if (!text) {
		fprintf(stderr, "%s: cannot read %s: %s\n", command, set->undo, strerror(errno ? errno : EIO));
		return FILCHI_EXIT_FAILED;
	}
	if (length < first || strncmp(text, FILCHI_DUPES_LOG_FIRST "\n", first) != 0) {
		fprintf(stderr, "%s: %s is no log of filch dupes\n", command, set->undo);
		free(text);
		return FILCHI_EXIT_FAILED;
	}
	undo_lines(command, text, length, set, &counts);
	free(text);
	printf("# %zu files %s\n", counts.restored, set->yes ? "restored" : "could be restored; --yes does it");
	return counts.problems ? EXIT_PROBLEMS : FILCHI_EXIT_OK;
}
