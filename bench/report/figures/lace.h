/* SPDX-License-Identifier: Apache-2.0 */
/* What the files on the Lace paper have in common. */
#ifndef FILCHI_BENCH_FIGURES_LACE_H
#define FILCHI_BENCH_FIGURES_LACE_H

#include "figures.h"

enum { FILCHI_LACE_SPLIT, FILCHI_LACE_PRIVATE, FILCHI_LACE_DEQUES };
/* As runtimes, and for short. */
extern const char *const filchi_lace_deques[FILCHI_LACE_DEQUES], *const filchi_lace_names[FILCHI_LACE_DEQUES];

/* What is published: seconds of the serial program, with 1 and 48 workers by Lace, with the private deque, by Wool. */
struct filchi_lace_row {
	const char *name, *workload, *size; /* its size begins so */
	double serial, one[3], many[3];
	double steals, leapfrogs, grows, shrinks, tasks;
};
#define FILCHI_LACE_ROWS 5
enum { FILCHI_LACE_FIB = 0, FILCHI_LACE_UTS = 2 };
extern const struct filchi_lace_row filchi_lace_rows[FILCHI_LACE_ROWS];

/* The size that was measured; NULL: none. */
const char *filchi_lace_size(const struct filchi_data *data, const struct filchi_lace_row *row);
/* NaN if there is no such size. */
double filchi_lace_value(const struct filchi_data *data, const struct filchi_lace_row *row, const char *runtime,
			 unsigned workers, const char *metric);
/* Likewise, beside what the machine gives. */
struct filchi_scaling filchi_lace_scaling(const struct filchi_data *data, const struct filchi_lace_row *row,
					  const char *runtime, unsigned workers);
/* The most workers that have a CPU each: the last in the list but one, which is twice as many. */
unsigned filchi_lace_most(const struct filchi_data *data);
const char *filchi_lace_title(struct filchi_figure_builder *d, const struct filchi_lace_row *row);

/* Figures 7 and 8: lace_steals.c. */
void filchi_lace_steals(struct filchi_figure_builder *d);
void filchi_lace_joins(struct filchi_figure_builder *d);

#endif
