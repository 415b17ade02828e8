/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the files on our own figures. */
#ifndef FILCHI_BENCH_FIGURES_OWN_H
#define FILCHI_BENCH_FIGURES_OWN_H

#include "figures.h"

enum { FILCHI_SERIAL, FILCHI_FIRST_PEER, FILCHI_LIBOMP, FILCHI_TBB, FILCHI_OTHERS };
extern const char *const filchi_others[FILCHI_OTHERS];

/* filch compared with another runtime at as many workers, or with the serial program. */
struct filchi_comparison {
	const char *filch;	    /* the runtime of filch */
	unsigned workers;	    /* of the other */
	struct filchi_ratio time;   /* time of filch per item, divided by the time of the other; above 1: a loss */
	struct filchi_ratio memory; /* peak, likewise */
};

struct filchi_comparison filchi_compare(const struct filchi_data *data, const char *workload, unsigned workers,
					int other);

/* losses.c. Adds tables of all losses of filch, with their causes. Returns the number of comparisons of time. */
struct filchi_losses {
	unsigned all, wins, noise; /* noise: losses within the noise */
};
struct filchi_losses filchi_losses(struct filchi_figure_builder *d);

/*
 * causes.c. Returns the known cause of a loss by that ratio, or "cause not known yet". memory: a loss of memory,
 * not of time.
 */
const char *filchi_cause(const char *workload, const char *other, unsigned workers, bool memory, double times);

void filchi_own_make_peers(struct filchi_figure_builder *d);

#endif
