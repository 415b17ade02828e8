/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Duwadi, "Analysis of novel approaches for work-stealing scheduling" (2025), 5.2: the microbenchmark, here filch
 * bench queue. The machine was a Ryzen 7 5800H with 8 cores, under WSL2. Its figures are plots; the numbers here
 * come from its tables and its text.
 */
#ifndef FILCHI_BENCH_FIGURES_THESIS_H
#define FILCHI_BENCH_FIGURES_THESIS_H

#include "figures.h"

enum { FILCHI_BWOS, FILCHI_ABP, FILCHI_CL, FILCHI_LOCKED, FILCHI_QUEUES };

extern const char *const filchi_thesis_names[FILCHI_QUEUES];

/* Thieves, rates and items of figures 5.3 to 5.6, in this order. */
extern const struct filchi_measurement filchi_thesis_alone_4, filchi_thesis_five_4, filchi_thesis_alone_8,
	filchi_thesis_five_8;

/* Finds a metric of that queue, by throughput or latency, at the rate of each thief. */
struct filchi_found filchi_thesis_found(const struct filchi_data *data, int queue, const char *kind, const char *rate,
					const char *metric);

#define FILCHI_THESIS "BWoS thesis, "
#define FILCHI_THESIS_OWNER "The owner fills a deque of 1,024 items and empties it, over and over, "
#define FILCHI_THESIS_CROWD "If there are more thieves than CPUs, thieves share CPUs. "
#define FILCHI_THESIS_KINDS "queue --kinds bwos_lifo,abp,chase_lev,locked "
#define FILCHI_THESIS_QUICK " --runs 3 --seconds 0.02"
#define FILCHI_THESIS_FULL " --runs 30 --seconds 1"

#endif
