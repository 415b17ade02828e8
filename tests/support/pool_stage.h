/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stage on which the pool is checked: futures, groups, spares. A pool is put together by hand, so that its workers
 * may be started, or be acted by threads of the scenario, which call what a worker would call: such scenarios stay
 * small enough to be exhausted.
 *
 * A job is a number. What it works on, plain data, is written before it is submitted, changed by who runs it, and read
 * by who has waited for it: whatever is not ordered is a race, and a second run is seen as well.
 */
#ifndef TEST_SUPPORT_POOL_STAGE_H
#define TEST_SUPPORT_POOL_STAGE_H

#include "../../check/chk.h"
#include "../../src/os/os_check.h"
#include "../../src/pool/job.h"

enum { STAGE_JOBS = 4 };
enum { STAGE_NEW = 1, STAGE_RUN = 2 };

struct stage_setup {
	const char *kind;
	unsigned workers, spares;
};

struct stage_job {
	FILCHI_CELL(unsigned) state;
	FILCHI_ATOMIC(uint32_t) begun, ran; /* how often: they order nothing */
	int error;			    /* that it returns */
	void (*body)(unsigned n);	    /* or NULL */
};

struct stage {
	struct filch_pool pool;
	struct stage_job job[STAGE_JOBS];
	struct filch_future *future[STAGE_JOBS];
	struct filch_group *group;
	FILCHI_ATOMIC(uint32_t) flag; /* for the scenario, which sets it with an order of its own */
};
extern struct stage stage;

/* There are no jobs, and no pool; for scenarios that make pools themselves. */
void stage_empty(void);

/* Before anything else. started: workers are threads; else they are acted. */
void stage_begin(const struct stage_setup *setup, bool started);
/* Nothing is left in any queue, and no memory in use. Workers that were started have been stopped. */
void stage_end(void);

/* Another pool, whose workers are acted; and its end, before stage_end. */
void stage_make_pool(struct filch_pool *pool, const struct stage_setup *setup);
void stage_end_pool(struct filch_pool *pool);

/* Prepares job n: its body, and what it returns. Then submits it, in the one way or the other. */
void stage_prepare(unsigned n, void (*body)(unsigned n), int error);
void stage_submit(unsigned n);	      /* nobody waits for it */
void stage_submit_future(unsigned n); /* stage.future[n] */
void stage_submit_future_to(struct filch_pool *pool, unsigned n);
void stage_submit_member(unsigned n); /* of stage.group */
/* With stage.group in it; and a job of that, made and submitted. */
void stage_begin_group(const struct stage_setup *setup);
void stage_submit_new_member(unsigned n, void (*body)(unsigned), int error);
void stage_await_begun(unsigned n);
void stage_serve_one(void *worker); /* a thread: that worker runs one item */

/* It has been run, which the caller is ordered after; or it will never be. */
void stage_has_run(unsigned n);
void stage_has_not_run(unsigned n);
/* Waits for the future: error, or -ECANCELED if it has not run, which it answers with false. */
bool stage_wait(unsigned n);
/* Spins until that many have run the job; orders nothing. */
void stage_await(unsigned n);

/* ---- what acted workers do ---- */

struct filchi_worker *stage_become(unsigned worker);
/* Takes so many items from the injector, and runs them. */
void stage_serve(struct filchi_worker *w, unsigned items);
/* Tries once to steal from that one, and runs what it has got. */
void stage_steal(struct filchi_worker *w, unsigned from);

#endif
