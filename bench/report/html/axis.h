/* SPDX-License-Identifier: Apache-2.0 */
/* One axis of a plot: maps values to positions, with ticks at round numbers. */
#ifndef FILCHI_BENCH_PAGE_AXIS_H
#define FILCHI_BENCH_PAGE_AXIS_H

#include "text.h"

#include <stdbool.h>

enum { FILCHI_TICKS = 24 };

struct filchi_axis {
	bool log;
	bool whole;  /* all values so far are whole numbers: no ticks between them */
	bool binary; /* all values are powers of two, and so are the ticks of a log axis */
	bool empty;  /* no value so far */
	double low, high;
	size_t value_count; /* the values, each once; no more fit */
	double values[FILCHI_TICKS + 1];
	double from, to; /* positions of these two, set by the caller */
	size_t tick_count;
	double ticks[FILCHI_TICKS];
	int decimals; /* of all ticks, or -1: as each needs */
};

void filchi_axis_start(struct filchi_axis *a, bool log);

/* True if the value is a number, and above zero on a log axis. */
bool filchi_axis_has(const struct filchi_axis *a, double value);

/* Extends the axis to a value. A value without a position changes nothing. */
void filchi_axis_take(struct filchi_axis *a, double value);

/*
 * After all values: makes about this many ticks at most. round: the axis begins and ends at a tick. Otherwise a few
 * whole values are the ticks.
 */
void filchi_axis_fit(struct filchi_axis *a, unsigned wanted, bool round);

/* The text of a tick. */
void filchi_axis_label(const struct filchi_axis *a, size_t tick, char out[FILCHI_NUMBER_SIZE]);

/* Returns the position of a value. A value beyond the axis is at its end. */
double filchi_axis_at(const struct filchi_axis *a, double value);

#endif
