/* SPDX-License-Identifier: Apache-2.0 */
/* The distribution of samples. */
#ifndef FILCHI_BENCH_PAGE_DENSITY_H
#define FILCHI_BENCH_PAGE_DENSITY_H

#include "axis.h"

struct filchi_density {
	size_t count;
	double *samples;  /* sorted; logarithms for a log axis */
	double bandwidth; /* 0: all samples are equal */
	double greatest;  /* largest density at a sample */
};

/* Uses the samples that have a position on the axis. 0 or -ENOMEM. */
int filchi_density_make(struct filchi_density *d, const struct filchi_axis *axis, const double *samples, size_t count);
void filchi_density_free(struct filchi_density *d);

/* Needs at least one sample. */
double filchi_density_quantile(const struct filchi_density *d, double share);
/* The positions to evaluate, in order: evenly spaced, and closer where there are many samples. */
enum { FILCHI_DENSITY_PLACES = 64 };
void filchi_density_places(const struct filchi_density *d, double out[FILCHI_DENSITY_PLACES]);
/* Returns the density as a share of the largest density, 0 to 1. */
double filchi_density_at(const struct filchi_density *d, double value);

#endif
