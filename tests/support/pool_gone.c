/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pool is a whole one, with a worker that is started: its memory is the library's, and the checker watches it.
 *
 * Edges of the test:
 *   FLAG   orders nothing, so that only the library does
 *   TOLD   job: store_rel told → main: load_acq told   the future, as the program publishes it
 */
#include "pool_gone.h"
#include "../../src/base/mem.h"
#include "pool_stage.h"

#include <filch/pool.h>

#include <errno.h>

static struct {
	struct filch_pool *pool;
	struct filch_future *future;
	FILCHI_ATOMIC(uint32_t) told;
} now;

static int tell(void *unused, void **result)
{
	(void)unused;
	(void)result;
	filchi_store_rlx(&now.told, 1, FLAG);
	return 0;
}

static int tell_future(void *unused, void **result)
{
	(void)unused;
	filchi_plain_set(result, &now);
	filchi_store_rel(&now.told, 1, TOLD);
	return 0;
}

static void submit(void *with_future)
{
	chk_assert(filch_submit(now.pool, with_future ? tell_future : tell, NULL, with_future ? &now.future : NULL) ==
		   0);
}

static void begin(void)
{
	struct filch_options options = {.size = sizeof(options),
					.workers = 1,
					.deque = "locked",
					.victim = "sequential",
					.wait = "power",
					.searchers = 1,
					.spares = -1,
					.stack_report = -1};

	stage_empty();
	now.future = NULL;
	filchi_atomic_init(&now.told, 0);
	chk_assert(filch_pool_create(&now.pool, &options) == 0);
}

void pool_gone(void *unused)
{
	int id;

	(void)unused;
	begin();
	id = chk_thread(submit, NULL);
	while (!filchi_load_rlx(&now.told, FLAG))
		filchi_spin_wait();
	chk_assert(filch_pool_destroy(now.pool) == 0);
	chk_join(id);
}

/* The future and its job go first, then all memory of jobs. */
void pool_gone_future(void *unused)
{
	void *result = NULL;
	int id;

	(void)unused;
	begin();
	id = chk_thread(submit, &now);
	while (!filchi_load_acq(&now.told, TOLD))
		filchi_spin_wait();
	chk_assert(filch_future_wait(now.future, &result) == 0);
	chk_assert(result == &now);
	filch_future_free(now.future);
	chk_assert(filch_pool_destroy(now.pool) == 0);
	chk_join(id);
}

/*
 * Two jobs fill a segment of the queue. The thread gets memory for its own job, but none for another segment. Its job
 * has room all the same if a worker has overtaken the push of one before, which then went to another segment.
 */
static int nothing(void *unused, void **result)
{
	(void)unused;
	(void)result;
	return 0;
}

static void submit_in_vain(void *unused)
{
	int err;

	(void)unused;
	/* One for the job, and the next fails. No other thread comes so far. */
	for (unsigned i = 0; i < 39; i++)
		filchi_free(filchi_alloc(1));
	err = filch_submit(now.pool, tell, NULL, &now.future);
	chk_assert(err ? err == -ENOMEM && !now.future : now.future != NULL);
	filch_future_free(now.future);
	filchi_store_rlx(&now.told, 1, FLAG);
}

void pool_gone_refused(void *unused)
{
	int id;

	(void)unused;
	begin();
	chk_assert(filch_submit(now.pool, nothing, NULL, NULL) == 0);
	chk_assert(filch_submit(now.pool, nothing, NULL, NULL) == 0);
	id = chk_thread(submit_in_vain, NULL);
	while (!filchi_load_rlx(&now.told, FLAG))
		filchi_spin_wait();
	chk_assert(filch_pool_destroy(now.pool) == 0);
	chk_join(id);
}
