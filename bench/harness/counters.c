/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "counters.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *const filchi_counter_names[FILCHI_COUNTERS] = {"cycles", "instructions", "cache_references",
							   "cache_misses"};

void filchi_counters_start(struct filchi_counters *c)
{
	static const uint64_t events[FILCHI_COUNTERS] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
							 PERF_COUNT_HW_CACHE_REFERENCES, PERF_COUNT_HW_CACHE_MISSES};

	for (size_t i = 0; i < FILCHI_COUNTERS; i++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_HARDWARE,
			.size = sizeof(attr),
			.config = events[i],
			.disabled = 1,
			.exclude_kernel = 1,
			.exclude_hv = 1,
			.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		};

		c->files[i] = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	for (size_t i = 0; i < FILCHI_COUNTERS; i++)
		if (c->files[i] >= 0)
			ioctl(c->files[i], PERF_EVENT_IOC_ENABLE, 0);
}

void filchi_counters_stop(struct filchi_counters *c)
{
	for (size_t i = 0; i < FILCHI_COUNTERS; i++) {
		uint64_t read_out[3] = {0}; /* the count, the time enabled and the time counted: counters take turns */

		c->values[i] = NAN;
		if (c->files[i] < 0)
			continue;
		ioctl(c->files[i], PERF_EVENT_IOC_DISABLE, 0);
		if (read(c->files[i], read_out, sizeof(read_out)) == (ssize_t)sizeof(read_out) && read_out[2])
			c->values[i] = (double)read_out[0] * (double)read_out[1] / (double)read_out[2];
		close(c->files[i]);
	}
}
