/* SPDX-License-Identifier: Apache-2.0 */
/* What the files on figures of our own have in common. */
#ifndef FILCHI_BENCH_FIGURES_OWN_H
#define FILCHI_BENCH_FIGURES_OWN_H

#include "figures.h"

enum { FILCHI_SERIAL, FILCHI_FIRST_PEER, FILCHI_LIBOMP, FILCHI_TBB, FILCHI_OTHERS };
extern const char *const filchi_others[FILCHI_OTHERS];

/* filch next to another with as many workers, or to the serial program. */
struct filchi_comparison {
	const char *filch;	    /* the runtime that is compared */
	unsigned workers;	    /* of the other */
	struct filchi_ratio time;   /* of filch, by that of the other: per item; above 1 is a loss */
	struct filchi_ratio memory; /* peak, likewise */
};

struct filchi_comparison filchi_compare(const struct filchi_data *data, const char *workload, unsigned workers,
					int other);

/* losses.c. Tables of all that filch loses, with what is known of it; how many comparisons of time there are. */
struct filchi_losses {
	unsigned all, wins, noise; /* noise: losses that are within it */
};
struct filchi_losses filchi_losses(struct filchi_figure_builder *d);

/*
 * causes.c. Why filch loses there so many times that of the other, as far as that was found out; "cause not known yet".
 * memory: a loss of memory, not of time.
 */
const char *filchi_cause(const char *workload, const char *other, unsigned workers, bool memory, double times);

void filchi_own_make_peers(struct filchi_figure_builder *d);

#endif
