/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two files of filch bench --json, compared: for each result that both have, by how much the new one differs from the
 * old one, and whether that is more than the samples vary anyway. Times of different machines or builds are not
 * comparable, so what differs is found out first.
 */
#ifndef FILCHI_BENCH_COMPARE_H
#define FILCHI_BENCH_COMPARE_H

#include "../../harness/json_read.h"
#include "../../harness/ratio.h"

#include <stdbool.h>
#include <stdio.h>

#define FILCHI_COMPARE_MAX_METRICS 32
#define FILCHI_COMPARE_MAX_DIFFERENCES 16

/* From and to where a ratio counts as that of the same, if its interval is in there. */
#define FILCHI_COMPARE_FROM 0.9
#define FILCHI_COMPARE_TO 1.1

/* Unclear: the samples show no difference, and cannot rule one out. */
enum filchi_compare_result {
	FILCHI_COMPARE_SAME,
	FILCHI_COMPARE_UNCLEAR,
	FILCHI_COMPARE_BETTER, /* from here on: clear differences */
	FILCHI_COMPARE_WORSE,
	FILCHI_COMPARE_OTHER
};

/* One metric of a result that both files have. */
struct filchi_compare_row {
	const char *subject, *measure, *metric, *unit;
	double old_median, new_median;
	struct filchi_ratio ratio; /* new to old */
	enum filchi_compare_result result;
};

/* Something that is not the same in both; "" where a file does not say. */
struct filchi_compare_difference {
	const char *what;
	char old[160], new[160];
};

struct filchi_compare {
	struct filchi_json_file old, new;
	/* Names of metrics to compare; none: of each result the first that is a time, a rate, or a share of the CPU. */
	size_t metric_count;
	const char *metrics[FILCHI_COMPARE_MAX_METRICS];
	bool all; /* of them */
	/* Of machine and build: with these, ratios mean little. Of options: worth a word. */
	size_t difference_count, option_count;
	struct filchi_compare_difference differences[FILCHI_COMPARE_MAX_DIFFERENCES];
	struct filchi_compare_difference options[FILCHI_COMPARE_MAX_DIFFERENCES];
	size_t row_count;
	struct filchi_compare_row *rows;
	size_t old_only, new_only; /* results */
	char error[1400];
};

/* 0; or -errno with the reason in error: one of the files cannot be read, is no JSON, or not that of filch bench. */
int filchi_compare_read(struct filchi_compare *c, const char *old_path, const char *new_path);
/* Finds what both have. 0; -ENOENT: nothing; -ENOMEM; with the reason in error. */
int filchi_compare_match(struct filchi_compare *c);
void filchi_compare_free(struct filchi_compare *c);

/* How many rows are so; of filch: without those of subjects that have no filch in them. */
size_t filchi_compare_count(const struct filchi_compare *c, enum filchi_compare_result result);
size_t filchi_compare_count_filch(const struct filchi_compare *c, enum filchi_compare_result result);
/* Serial, plain, or another runtime: it cannot have become faster or slower by itself. */
bool filchi_compare_is_control(const struct filchi_compare_row *row);

/* What differs, one to a line. */
void filchi_compare_differences(const struct filchi_compare *c, FILE *f);
/* For people. 0 or -ENOMEM. */
int filchi_compare_table(const struct filchi_compare *c, FILE *f, bool color);

#endif
