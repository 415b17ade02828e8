/* SPDX-License-Identifier: Apache-2.0 */
/* What the reports of all workloads have in common: the JSON (docs/bench-json.md), and the usual lines and cells. */
#ifndef FILCHI_BENCH_REPORT_H
#define FILCHI_BENCH_REPORT_H

#include "suite.h"
#include "table.h"

/* 0 or -ENOMEM. */
int filchi_report_json(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f);

/* Its parts, for reports of another schema: the object is left open. Machine and build; a metric, 0 or -ENOMEM. */
void filchi_report_json_start(struct filchi_json *j, const char *schema, FILE *f);
void filchi_report_json_finished(struct filchi_json *j);
void filchi_report_json_machine(struct filchi_json *j, const struct filchi_machine *m);
int filchi_report_json_metric(struct filchi_json *j, const struct filchi_bench_metric *metric, const double *samples,
			      size_t count, size_t stride);

/* A line on the machine. */
void filchi_report_machine(const struct filchi_machine *m, FILE *f);
/* "15 interleaved samples of 0.5 s" ends the line that is begun; then the machine, the build and an empty line. */
void filchi_report_head(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f);
/* Why the numbers may not be trusted, as far as that is the same for all: too few samples, no optimized build. */
void filchi_report_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f);

/* Likewise, if thieves do not have a CPU each besides the owner's. */
void filchi_report_crowd(unsigned thieves, const struct filchi_machine *m, FILE *f);

/* Did other programs, in so many seconds, take the CPU more often than on an idle machine? */
bool filchi_report_is_busy(double preemptions, double seconds);
/* Likewise, if in so many seconds other programs took the CPU from the owner more often than on an idle machine. */
void filchi_report_busy(double preemptions, double seconds, FILE *f);

/* A number with three digits, which are more than a run can tell apart; "-" for NaN. */
void filchi_report_cell(struct filchi_table *t, double value);
/* Likewise, the median of that in some unit, with its spread. 0 or -ENOMEM. */
int filchi_report_median(struct filchi_table *t, const struct filchi_bench_suite *s, const char *subject,
			 const char *measure, const char *metric, double unit);
/* A share, as a percentage. */
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
