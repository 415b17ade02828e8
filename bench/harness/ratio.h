/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two sets of samples compared: by how much is one larger than the other, and how sure is that? By bootstrap, which
 * knows nothing of how samples are distributed: sets of the same size are drawn from those that there are, thousands of
 * times, and the spread of what comes of them is taken for that of the ratio.
 */
#ifndef FILCHI_BENCH_RATIO_H
#define FILCHI_BENCH_RATIO_H

#include <stdbool.h>
#include <stddef.h>

/* From what probability on a difference is called clear: 95 % of both sides. */
#define FILCHI_RATIO_CLEAR 0.975

struct filchi_ratio {
	size_t count;	  /* of samples of the smaller set */
	double ratio;	  /* of the medians; NaN without samples, as all below */
	double low, high; /* it is in here with 95 % */
	/*
	 * How likely it is that the median of a is less than that of b, 0 to 1. Of n samples never more than 1 - 2^-n:
	 * as often as that n in a row are less by chance, nothing more can be said.
	 */
	double less;
};

/*
 * a and b: samples, of which NaN are none. paired: a[i] and b[i] were taken together, and are drawn together, so that
 * what drifts does not count; both have as many. Answers the same for the same samples. 0 or -ENOMEM.
 */
int filchi_ratio(struct filchi_ratio *out, const double *a, size_t a_count, const double *b, size_t b_count,
		 bool paired);

/* Is a clearly less than b, or clearly more? */
bool filchi_ratio_is_less(const struct filchi_ratio *r);
bool filchi_ratio_is_more(const struct filchi_ratio *r);

#endif
