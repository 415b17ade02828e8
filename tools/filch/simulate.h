/* SPDX-License-Identifier: Apache-2.0 */
/* filch simulate: a row of its table, and its figure. */
#ifndef FILCHI_TOOL_SIMULATE_H
#define FILCHI_TOOL_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct filchi_simulated {
	int ranks;
	bool tree;
	double seconds, speedup;
	double lost;	 /* part of the time of all ranks in which no node was explored */
	double messages; /* that rank 0 gets in a second */
	double busy;	 /* part of the time in which its communication thread handles messages */
	double begin;	 /* seconds until each rank had a node */
	uint64_t batches, moved;
};

/* 0 or an error. */
int filchi_simulate_svg(const char *path, const struct filchi_simulated *all, size_t count);

#endif
