/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of the processor for the calling thread, if the system gives access to them. */
#ifndef FILCHI_BENCH_COUNTERS_H
#define FILCHI_BENCH_COUNTERS_H

#define FILCHI_COUNTERS 4

extern const char *const filchi_counter_names[FILCHI_COUNTERS]; /* key in the JSON */

struct filchi_counters {
	int files[FILCHI_COUNTERS];
	double values[FILCHI_COUNTERS]; /* after stop: the count in user mode since start; NaN: unknown */
};

void filchi_counters_start(struct filchi_counters *c);
void filchi_counters_stop(struct filchi_counters *c);

#endif
