/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two files of filch bench --json. For each common result it finds the ratio of the new file to the old
 * one, and whether the difference exceeds the variation of the samples. Times of different machines or builds are
 * not comparable, so their differences are found first.
 */
#ifndef FILCHI_BENCH_COMPARE_H
#define FILCHI_BENCH_COMPARE_H

#include "../../harness/json_read.h"
#include "../../harness/ratio.h"

#include <stdbool.h>
#include <stdio.h>

#define FILCHI_COMPARE_MAX_METRICS 32
#define FILCHI_COMPARE_MAX_DIFFERENCES 16

/* A ratio whose interval is within these limits counts as the same. */
#define FILCHI_COMPARE_FROM 0.9
#define FILCHI_COMPARE_TO 1.1

/* Unclear: the samples show no difference, and cannot exclude one. */
enum filchi_compare_result {
	FILCHI_COMPARE_SAME,
	FILCHI_COMPARE_UNCLEAR,
	FILCHI_COMPARE_BETTER, /* from here on: clear differences */
	FILCHI_COMPARE_WORSE,
	FILCHI_COMPARE_OTHER
};

/* One metric of a common result. */
struct filchi_compare_row {
	const char *subject, *measure, *metric, *unit;
	double old_median, new_median;
	struct filchi_ratio ratio; /* new to old */
	enum filchi_compare_result result;
};

/* A difference of the files; "": a file does not say. */
struct filchi_compare_difference {
	const char *what;
	char old[160], new[160];
};

struct filchi_compare {
	struct filchi_json_file old, new;
	/* Metrics to compare; none: the first metric of each result that is a time, a rate or a share of the CPU. */
	size_t metric_count;
	const char *metrics[FILCHI_COMPARE_MAX_METRICS];
	bool all; /* of them */
	/*
	 * Differences of machine and build, which make ratios worthless; differences of options, which are worth a
	 * note.
	 */
	size_t difference_count, option_count;
	struct filchi_compare_difference differences[FILCHI_COMPARE_MAX_DIFFERENCES];
	struct filchi_compare_difference options[FILCHI_COMPARE_MAX_DIFFERENCES];
	size_t row_count;
	struct filchi_compare_row *rows;
	size_t old_only, new_only; /* results */
	char error[1400];
};

/* 0, or -errno with the reason in error: a file cannot be read, is not JSON, or is not of filch bench. */
int filchi_compare_read(struct filchi_compare *c, const char *old_path, const char *new_path);
/* Finds the common results. 0; -ENOENT: none; -ENOMEM; with the reason in error. */
int filchi_compare_match(struct filchi_compare *c);
void filchi_compare_free(struct filchi_compare *c);

/* Counts the rows with that result. The second function leaves out subjects without filch. */
size_t filchi_compare_count(const struct filchi_compare *c, enum filchi_compare_result result);
size_t filchi_compare_count_filch(const struct filchi_compare *c, enum filchi_compare_result result);
/* True for serial programs, the plain stack and other runtimes, which cannot change by themselves. */
bool filchi_compare_is_control(const struct filchi_compare_row *row);

/* Prints the differences, one to a line. */
void filchi_compare_differences(const struct filchi_compare *c, FILE *f);
/* Prints the table. 0 or -ENOMEM. */
int filchi_compare_table(const struct filchi_compare *c, FILE *f, bool color);

#endif
