/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the cost of waiting workers, and the time until they start. Subjects are the wait policies, and "warm": the
 * default policy between filch_pool_keep_awake_begin and filch_pool_keep_awake_end. Measures:
 *
 *   idle               CPU time and context switches of a pool without tasks
 *   run_apart          FILCH_RUN of a task that reads the clock, called by a thread outside of the pool: the time
 *                      to the start of the task, and to the return. Workers fall asleep between calls, if they
 *                      ever do.
 *   run_back_to_back   the same without pauses: workers are awake, or about to be
 *   submit_apart       filch_pool_submit and filch_future_wait, with pauses
 *   submit_back_to_back   the same without pauses
 *
 * The code uses only the public interface and the default pool, which each sample starts and stops.
 */
#ifndef FILCHI_BENCH_WAKE_H
#define FILCHI_BENCH_WAKE_H

#include "../../harness/suite.h"

#define FILCHI_WAKE_MAX_WAITS 16u
#define FILCHI_WAKE_WARM "warm"
#define FILCHI_WAKE_IDLE "idle"
#define FILCHI_WAKE_PAUSE_NS 2000000u
#define FILCHI_WAKE_SETTLE_NS 100000000u /* pause after the last task, before a pool counts as idle */

/* Promised maximum for an idle pool, in percent of a core, unless it stays awake. */
#define FILCHI_WAKE_PROMISED_PERCENT 0.1

struct filchi_wake_options {
	unsigned workers;    /* 0: the default of the library */
	double idle_seconds; /* 0: 10, or 1 with --quick */
	size_t wait_count;   /* 0: all */
	const char *waits[FILCHI_WAKE_MAX_WAITS];
};

/* The subjects, from 0: the wait policies of the library, then warm. NULL beyond the last. */
const char *filchi_wake_wait(unsigned n);
/* True if idle workers stay awake. */
bool filchi_wake_is_awake(const char *wait);

/* The ways to call, from 0. NULL beyond the last. */
struct filchi_wake_calls {
	const char *measure;
	const char *how, *when; /* for people */
	bool submit, apart;
};
const struct filchi_wake_calls *filchi_wake_calls(unsigned n);

/* 0 or -ENOMEM. */
int filchi_wake_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			   const struct filchi_wake_options *wake);

/* The context of a case. */
struct filchi_wake_context {
	const char *wait;
	const struct filchi_wake_options *options;
	const struct filchi_wake_calls *calls; /* NULL: no calls */
	double seconds;			       /* of a sample */
};

/* The own data of a suite. */
struct filchi_wake_bench {
	struct filchi_wake_options options;
	double load; /* load of the machine before the run; NaN: unknown */
	struct filchi_wake_context *contexts;
};

/* Its samples. */
extern const struct filchi_bench_case filchi_wake_bench_idle, filchi_wake_bench_calls;

/* Its reports. */
int filchi_wake_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_wake_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
