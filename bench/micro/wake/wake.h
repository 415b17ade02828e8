/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What it costs to have workers wait, and what it costs to have them start. Subjects are the wait policies, and
 * "warm": the default one between filch_pool_keep_awake_begin and filch_pool_keep_awake_end. For each:
 *
 *   idle                  a pool that has nothing to do: processor time, context switches
 *   run_apart             FILCH_RUN of a task that reads the clock, from a thread outside, with a pause between calls
 * in which workers fall asleep if they ever do: from the call to the start of the task, and to the return
 *   run_back_to_back      the same without pauses: workers are awake, or about to be
 *   submit_apart, submit_back_to_back   the same of filch_pool_submit and filch_future_wait
 *
 * Only the public interface is used, and the default pool, which is started and stopped for each sample.
 */
#ifndef FILCHI_BENCH_WAKE_H
#define FILCHI_BENCH_WAKE_H

#include "../../harness/suite.h"

#define FILCHI_WAKE_MAX_WAITS 16u
#define FILCHI_WAKE_WARM "warm"
#define FILCHI_WAKE_IDLE "idle"
#define FILCHI_WAKE_PAUSE_NS 2000000u
#define FILCHI_WAKE_SETTLE_NS 100000000u /* from the last task of a pool to where it counts as idle */

/* An idle pool takes less, of one core, unless it is to stay awake. */
#define FILCHI_WAKE_PROMISED_PERCENT 0.1

struct filchi_wake_options {
	unsigned workers;    /* 0: what the library takes by itself */
	double idle_seconds; /* 0: 10, or 1 if it is to be quick */
	size_t wait_count;   /* 0: all */
	const char *waits[FILCHI_WAKE_MAX_WAITS];
};

/* The subjects there are, from 0: the wait policies of the library, then warm. NULL beyond the last. */
const char *filchi_wake_wait(unsigned n);
/* Does it keep workers awake that have nothing to do? */
bool filchi_wake_is_awake(const char *wait);

/* How calls are made, from 0. NULL beyond the last. */
struct filchi_wake_calls {
	const char *measure;
	const char *how, *when; /* for people */
	bool submit, apart;
};
const struct filchi_wake_calls *filchi_wake_calls(unsigned n);

/* 0 or -ENOMEM. */
int filchi_wake_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			   const struct filchi_wake_options *wake);

/* What a case has as its context. */
struct filchi_wake_context {
	const char *wait;
	const struct filchi_wake_options *options;
	const struct filchi_wake_calls *calls; /* NULL: none are made */
	double seconds;			       /* of a sample */
};

/* What a suite has as its own. */
struct filchi_wake_bench {
	struct filchi_wake_options options;
	double load; /* of the machine before it all began; NaN where the system does not say */
	struct filchi_wake_context *contexts;
};

/* Its samples. */
extern const struct filchi_bench_case filchi_wake_bench_idle, filchi_wake_bench_calls;

/* Its reports. */
int filchi_wake_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_wake_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
