/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges of the test: they order nothing, so that only the library does.
 *   FLAG
 */
#include "group_cancel.h"
#include "pool_stage.h"

#include <errno.h>

static const struct stage_setup one = {"locked", 1, 0};

static void serve_two(void *worker)
{
	stage_serve(stage_become((unsigned)(uintptr_t)worker), 2);
}

static bool was_begun(unsigned n)
{
	return filchi_load_rlx(&stage.job[n].begun, FLAG);
}

void group_cancel(void *unused)
{
	int id, err;

	(void)unused;
	stage_begin_group(&one);
	stage_submit_new_member(0, NULL, 0);
	id = chk_thread(stage_serve_one, NULL);
	chk_assert(filch_group_cancel(stage.group) == 0);
	err = filch_group_wait(stage.group);
	chk_assert(err == (was_begun(0) ? 0 : -ECANCELED));
	(was_begun(0) ? stage_has_run : stage_has_not_run)(0);
	chk_assert(filch_group_destroy(stage.group) == err);
	chk_join(id);
	stage_end();
}

/* A group that was cancelled takes no more members. One that comes at the same moment is run, dropped or refused. */
static FILCHI_ATOMIC(uint32_t) drops;

static void count_drop(void *arg)
{
	(void)arg;
	(void)filchi_fetch_add_rlx(&drops, 1, FLAG);
}

static int count_run(void *arg, void **result)
{
	(void)arg;
	(void)result;
	stage.job[0].error++; /* one thread runs it, and the group orders it */
	return 0;
}

static void canceller(void *unused)
{
	(void)unused;
	chk_assert(filch_group_cancel(stage.group) == 0);
}

void group_cancel_before(void *unused)
{
	int id, err, end;

	(void)unused;
	stage_begin_group(&one);
	filchi_atomic_init(&drops, 0);
	id = chk_thread(canceller, NULL);
	err = filch_group_submit_or_drop(stage.group, count_run, count_drop, NULL);
	chk_assert(!err || err == -ECANCELED);
	if (!err)
		stage_serve_one(NULL);
	filchi_thread_local_set(NULL);
	chk_join(id);
	chk_assert(filch_group_submit(stage.group, count_run, NULL) == -ECANCELED);
	end = filch_group_destroy(stage.group);
	chk_assert((uint32_t)stage.job[0].error + filchi_load_rlx(&drops, FLAG) == !err);
	chk_assert(end == (filchi_load_rlx(&drops, FLAG) ? -ECANCELED : 0));
	stage_end();
}

/* An error counts more than that others were cancelled, whatever came first. */
void group_error_or_cancel(void *unused)
{
	int id, err;

	(void)unused;
	stage_begin_group(&one);
	stage_submit_new_member(0, NULL, 0);
	stage_submit_new_member(1, NULL, -EIO);
	id = chk_thread(serve_two, NULL);
	chk_assert(filch_group_cancel(stage.group) == 0);
	err = filch_group_destroy(stage.group);
	chk_assert(err == (was_begun(1) ? -EIO : -ECANCELED));
	for (unsigned n = 0; n < 2; n++)
		(was_begun(n) ? stage_has_run : stage_has_not_run)(n);
	chk_join(id);
	stage_end();
}

/* What was written before the group was cancelled can be read by a member that finds that it was. */
static void look_for_cancel(unsigned n)
{
	(void)n;
	while (!filch_cancelled())
		filchi_spin_wait();
	chk_assert(filchi_cell_get(&stage.job[1].state) == STAGE_NEW);
}

void group_cancel_running(void *unused)
{
	int id, err;

	(void)unused;
	stage_begin_group(&one);
	stage_submit_new_member(0, look_for_cancel, -EIO);
	id = chk_thread(stage_serve_one, NULL);
	stage_prepare(1, NULL, 0);
	chk_assert(filch_group_cancel(stage.group) == 0);
	err = filch_group_destroy(stage.group);
	chk_assert(err == (was_begun(0) ? -EIO : -ECANCELED));
	chk_join(id);
	stage_end();
}

/* It had begun; that the other one did not is known first. */
void group_error_after_cancel(void *unused)
{
	int id;

	(void)unused;
	stage_begin_group(&one);
	stage_submit_new_member(0, look_for_cancel, -EIO);
	stage_submit_new_member(1, NULL, 0);
	id = chk_thread(serve_two, NULL);
	stage_await_begun(0);
	chk_assert(filch_group_cancel(stage.group) == 0);
	chk_assert(filch_group_destroy(stage.group) == -EIO);
	stage_has_run(0);
	stage_has_not_run(1);
	chk_join(id);
	stage_end();
}

/* Nobody has to take them from where they are queued. */
void group_cancel_alone(void *unused)
{
	(void)unused;
	stage_begin_group(&one);
	stage_submit_new_member(0, NULL, 0);
	stage_submit_new_member(1, NULL, 0);
	chk_assert(filch_group_cancel(stage.group) == 0);
	chk_assert(filch_group_destroy(stage.group) == -ECANCELED);
	stage_has_not_run(0);
	stage_has_not_run(1);
	stage_end();
}
