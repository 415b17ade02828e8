/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the files on the Lace paper. */
#ifndef FILCHI_BENCH_FIGURES_LACE_H
#define FILCHI_BENCH_FIGURES_LACE_H

#include "figures.h"

enum { FILCHI_LACE_SPLIT, FILCHI_LACE_PRIVATE, FILCHI_LACE_DEQUES };
/* As runtimes, and their short names. */
extern const char *const filchi_lace_deques[FILCHI_LACE_DEQUES], *const filchi_lace_names[FILCHI_LACE_DEQUES];

/* Published seconds: the serial program, Lace with 1 and 48 workers, the private deque, Wool. */
struct filchi_lace_row {
	const char *name, *workload, *size; /* beginning of its size */
	double serial, one[3], many[3];
	double steals, leapfrogs, grows, shrinks, tasks;
};
#define FILCHI_LACE_ROWS 5
enum { FILCHI_LACE_FIB = 0, FILCHI_LACE_UTS = 2 };
extern const struct filchi_lace_row filchi_lace_rows[FILCHI_LACE_ROWS];

/* Returns the measured size; NULL: none. */
const char *filchi_lace_size(const struct filchi_data *data, const struct filchi_lace_row *row);
/* NaN: no such size. */
double filchi_lace_value(const struct filchi_data *data, const struct filchi_lace_row *row, const char *runtime,
			 unsigned workers, const char *metric);
/* Returns the speed-up, beside the speed-up of the machine. */
struct filchi_scaling filchi_lace_scaling(const struct filchi_data *data, const struct filchi_lace_row *row,
					  const char *runtime, unsigned workers);
/* Returns the largest number of workers that have a CPU each. The list ends with twice that number. */
unsigned filchi_lace_most(const struct filchi_data *data);
const char *filchi_lace_title(struct filchi_figure_builder *d, const struct filchi_lace_row *row);

/* Figures 7 and 8: lace_steals.c. */
void filchi_lace_steals(struct filchi_figure_builder *d);
void filchi_lace_joins(struct filchi_figure_builder *d);

#endif
