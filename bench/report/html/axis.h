/* SPDX-License-Identifier: Apache-2.0 */
/* One axis of a plot: from values to places, with ticks at round numbers. */
#ifndef FILCHI_BENCH_PAGE_AXIS_H
#define FILCHI_BENCH_PAGE_AXIS_H

#include "text.h"

#include <stdbool.h>

enum { FILCHI_TICKS = 24 };

struct filchi_axis {
	bool log;
	bool whole;  /* all values so far are whole numbers: no ticks between these */
	bool binary; /* all are powers of two, and so are the ticks of a log axis */
	bool empty;  /* no value so far */
	double low, high;
	size_t value_count; /* of values, each once; beyond the last there is no room for more */
	double values[FILCHI_TICKS + 1];
	double from, to; /* where these two are, for the caller to set */
	size_t tick_count;
	double ticks[FILCHI_TICKS];
	int decimals; /* of all of them, or -1: as each needs */
};

void filchi_axis_start(struct filchi_axis *a, bool log);

/* Whether the axis has a place for it: a number, and above zero if the axis is logarithmic. */
bool filchi_axis_has(const struct filchi_axis *a, double value);

/* Makes room for a value; one that the axis has no place for changes nothing. */
void filchi_axis_take(struct filchi_axis *a, double value);

/* When all are taken: at most about this many ticks; round: the axis begins and ends at one. Otherwise a
 * few whole values are the ticks themselves. */
void filchi_axis_fit(struct filchi_axis *a, unsigned wanted, bool round);

/* What a tick says. */
void filchi_axis_label(const struct filchi_axis *a, size_t tick, char out[FILCHI_NUMBER_SIZE]);

/* Where a value is. One beyond the end of the axis, or below all of a log axis, is at its end. */
double filchi_axis_at(const struct filchi_axis *a, double value);

#endif
