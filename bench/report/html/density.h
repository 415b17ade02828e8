/* SPDX-License-Identifier: Apache-2.0 */
/* How samples are distributed. */
#ifndef FILCHI_BENCH_PAGE_DENSITY_H
#define FILCHI_BENCH_PAGE_DENSITY_H

#include "axis.h"

struct filchi_density {
	size_t count;
	double *samples;  /* sorted; logarithms for a log axis */
	double bandwidth; /* 0 if all are the same */
	double greatest;  /* density at any of the samples */
};

/* Of the samples that the axis has a place for. 0 or -ENOMEM. */
int filchi_density_make(struct filchi_density *d, const struct filchi_axis *axis, const double *samples, size_t count);
void filchi_density_free(struct filchi_density *d);

/* Of at least one sample. */
double filchi_density_quantile(const struct filchi_density *d, double share);
/* Where to look at it, in order: evenly, and more closely where there are many samples. */
enum { FILCHI_DENSITY_PLACES = 64 };
void filchi_density_places(const struct filchi_density *d, double out[FILCHI_DENSITY_PLACES]);
/* As a share of the greatest density, 0 to 1. */
double filchi_density_at(const struct filchi_density *d, double value);

#endif
