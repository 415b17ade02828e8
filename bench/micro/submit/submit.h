/* SPDX-License-Identifier: Apache-2.0 */
/* The runtimes of submit_speed. All functions are called by one thread, which is no worker. */
#ifndef FILCHI_BENCH_SUBMIT_H
#define FILCHI_BENCH_SUBMIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds of the monotonic clock. */
uint64_t submit_clock(void);

struct submit_runtime {
	const char *name;
	/* 0 or an error. */
	int (*start)(unsigned workers);
	void (*stop)(void);
	/* Submits count empty jobs, one by one, and waits for all of them. */
	void (*jobs)(size_t count);
	/* The same in calls of 1,000 jobs. NULL: the runtime has no such call. */
	void (*bulk)(size_t count);
	/* Submits one empty job and waits for it. */
	void (*single)(void);
	/* Submits a job that stores submit_clock() to *started, and returns at once. */
	void (*stamp)(uint64_t *started);
	/* Waits for that job. */
	void (*stamped)(void);
};

#define SUBMIT_BULK 1000u

extern const struct submit_runtime submit_tbb;

#ifdef __cplusplus
}
#endif

#endif
