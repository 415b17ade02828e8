/* SPDX-License-Identifier: Apache-2.0 */
/* What the processor counts of the calling thread, where the system lets us ask. */
#ifndef FILCHI_BENCH_COUNTERS_H
#define FILCHI_BENCH_COUNTERS_H

#define FILCHI_COUNTERS 4

extern const char *const filchi_counter_names[FILCHI_COUNTERS]; /* as in the JSON */

struct filchi_counters {
	int files[FILCHI_COUNTERS];
	double values[FILCHI_COUNTERS]; /* after stop: in user mode since start; NaN: not known */
};

void filchi_counters_start(struct filchi_counters *c);
void filchi_counters_stop(struct filchi_counters *c);

#endif
