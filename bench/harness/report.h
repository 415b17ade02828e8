/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of all reports: the JSON (docs/bench-json.md), lines and cells. */
#ifndef FILCHI_BENCH_REPORT_H
#define FILCHI_BENCH_REPORT_H

#include "suite.h"
#include "table.h"

/* 0 or -ENOMEM. */
int filchi_report_json(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f);

/* Parts of the JSON for other schemas; the outer object stays open. Machine and build; a metric, 0 or -ENOMEM. */
void filchi_report_json_start(struct filchi_json *j, const char *schema, FILE *f);
void filchi_report_json_finished(struct filchi_json *j);
void filchi_report_json_machine(struct filchi_json *j, const struct filchi_machine *m);
int filchi_report_json_metric(struct filchi_json *j, const struct filchi_bench_metric *metric, const double *samples,
			      size_t count, size_t stride);

/* Prints a line on the machine. */
void filchi_report_machine(const struct filchi_machine *m, FILE *f);
/*
 * Ends the current line with "15 interleaved samples of 0.5 s", and prints the machine, the build and an empty
 * line.
 */
void filchi_report_head(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f);
/* Prints common reasons to distrust the numbers: too few samples, no optimized build. */
void filchi_report_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f);

/* Prints a note if some thief has to share its CPU. */
void filchi_report_crowd(unsigned thieves, const struct filchi_machine *m, FILE *f);

/* True if other programs took the CPU more often than on an idle machine. */
bool filchi_report_is_busy(double preemptions, double seconds);
/* Prints a note in that case. */
void filchi_report_busy(double preemptions, double seconds, FILE *f);
/*
 * The same for the cases that counts() accepts, by their metrics "involuntary" and "ns". Only programs with one thread
 * count: no thread of their own took the CPU.
 */
void filchi_report_busy_cases(const struct filchi_bench_suite *s, bool (*counts)(const struct filchi_bench_case *c),
			      FILE *f);

/* Prints a note if workers have to share a CPU. */
void filchi_report_crowded(unsigned workers, const struct filchi_machine *m, FILE *f);

/* Adds a number with three digits, more than a run can distinguish; "-" for NaN. */
void filchi_report_cell(struct filchi_table *t, double value);
/* Adds the median of a metric, divided by the unit, with its spread. 0 or -ENOMEM. */
int filchi_report_median(struct filchi_table *t, const struct filchi_bench_suite *s, const char *subject,
			 const char *measure, const char *metric, double unit);
/* Adds a share as a percentage. */
void filchi_report_share(struct filchi_table *t, double share);

/*
 * A table of a report: for each variant (a rate, a way to call) one row for each subject. row() adds the cells of a
 * row, or none if the subject is not measured so. 0 or -ENOMEM.
 */
struct filchi_report_table {
	const struct filchi_table_column *columns;
	size_t column_count;
	size_t variants; /* 0: one */
	int (*row)(struct filchi_table *t, const struct filchi_bench_suite *s, const char *subject, size_t variant);
};

/* Prints the head, the tables with a blank line between them, and the notes. 0 or -ENOMEM. */
int filchi_report_print(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color,
			void (*head)(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f),
			const struct filchi_report_table *tables, size_t count,
			void (*notes)(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f));

#endif
