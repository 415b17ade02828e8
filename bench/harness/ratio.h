/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two sets of samples: the ratio of their medians and its uncertainty. The bootstrap needs no assumption
 * on the distribution: it draws thousands of sets from the samples, and takes the spread of their ratios as the
 * spread of the ratio.
 */
#ifndef FILCHI_BENCH_RATIO_H
#define FILCHI_BENCH_RATIO_H

#include <stdbool.h>
#include <stddef.h>

/* A difference with at least this probability is clear: 95 % on both sides. */
#define FILCHI_RATIO_CLEAR 0.975

struct filchi_ratio {
	size_t count;	  /* size of the smaller set */
	double ratio;	  /* ratio of the medians; NaN without samples, as all fields below */
	double low, high; /* 95 % interval of the ratio */
	/*
	 * Probability that the median of a is below the median of b, 0 to 1. With n samples it is at most 1 - 2^-n,
	 * the probability that n samples are not all below by chance.
	 */
	double less;
};

/*
 * Compares a and b; NaN is no sample. paired: a[i] and b[i] were taken together and are drawn together, so that
 * drift cancels out; both have the same number of samples. Equal samples give equal answers. 0 or -ENOMEM.
 */
int filchi_ratio(struct filchi_ratio *out, const double *a, size_t a_count, const double *b, size_t b_count,
		 bool paired);

/* True if a is clearly less than b; clearly more. */
bool filchi_ratio_is_less(const struct filchi_ratio *r);
bool filchi_ratio_is_more(const struct filchi_ratio *r);

#endif
