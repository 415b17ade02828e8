/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges of the test: they order nothing, so that only the library does.
 *   FLAG
 */
#include "future_cancel.h"
#include "pool_stage.h"

#include <errno.h>

static const struct stage_setup one = {"locked", 1, 0};

static void canceller(void *unused)
{
	int err = filch_future_cancel(stage.future[0]);

	(void)unused;
	chk_assert(!err || err == -EALREADY);
}

void future_cancel(void *unused)
{
	int id, err;
	bool ran;

	(void)unused;
	stage_begin(&one, false);
	stage_prepare(0, NULL, 0);
	stage_submit_future(0);
	id = chk_thread(stage_serve_one, NULL);
	err = filch_future_cancel(stage.future[0]);
	chk_assert(!err || err == -EALREADY);
	ran = stage_wait(0);
	chk_assert(!err || ran);
	filch_future_free(stage.future[0]);
	chk_join(id);
	stage_end();
}

void future_two_cancel(void *unused)
{
	int id[2];

	(void)unused;
	stage_begin(&one, false);
	stage_prepare(0, NULL, 0);
	stage_submit_future(0);
	id[0] = chk_thread(stage_serve_one, NULL);
	id[1] = chk_thread(canceller, NULL);
	canceller(NULL);
	chk_join(id[1]);
	stage_wait(0);
	filch_future_free(stage.future[0]);
	chk_join(id[0]);
	stage_end();
}

/* What was written before a job was cancelled can be read by who finds that it was. */
static void look_for_cancel(unsigned n)
{
	(void)n;
	while (!filch_cancelled())
		filchi_spin_wait();
	chk_assert(filchi_cell_get(&stage.job[1].state) == STAGE_NEW);
}

void future_cancel_running(void *unused)
{
	int id;

	(void)unused;
	stage_begin(&one, false);
	stage_prepare(0, look_for_cancel, 0);
	stage_submit_future(0);
	id = chk_thread(stage_serve_one, NULL);
	stage_prepare(1, NULL, 0);
	chk_assert(filch_future_cancel(stage.future[0]) == 0);
	stage_wait(0);
	filch_future_free(stage.future[0]);
	chk_join(id);
	stage_end();
}

static struct filchi_job *new_job(struct filchi_job *parent)
{
	struct filchi_job *job = filchi_job_new(&stage.pool, NULL, NULL, 1);

	chk_assert(job);
	filchi_job_enclose(job, parent);
	return job;
}

/* It is cancelled with the job that encloses it, however often it was found not to be before. */
static void look_until_cancelled(void *job)
{
	while (!filchi_job_is_cancelled(job))
		filchi_spin_wait();
	chk_assert(filchi_cell_get(&stage.job[1].state) == STAGE_NEW);
}

void future_cancel_above(void *unused)
{
	struct filchi_job *parent, *child;
	int id;

	(void)unused;
	stage_begin(&one, false);
	parent = new_job(NULL);
	child = new_job(parent);
	id = chk_thread(look_until_cancelled, child);
	stage_prepare(1, NULL, 0);
	filchi_job_cancel(parent);
	chk_join(id);
	filchi_job_unref(child);
	filchi_job_unref(parent);
	stage_end();
}

/*
 * A job that outlives the one that encloses it, whose memory is that of another by then: what becomes of that one is
 * none of its business.
 */
static void cancel_job(struct filchi_job *job)
{
	uintptr_t life = (uintptr_t)filchi_load_rlx(&job->life, FLAG) & (FILCHI_CACHE_LINE - 1);

	filchi_job_ref(job); /* that of a queue, where it is not */
	chk_assert(filch_future_cancel((struct filch_future *)((uintptr_t)job | life)) == 0);
	filchi_job_unref(job);
}

static void look_up(void *job)
{
	chk_assert(!filchi_job_is_cancelled(job));
}

/* The new one is cancelled. */
void future_over(void *unused)
{
	struct filchi_job *parent, *child, *other;
	int id;

	(void)unused;
	stage_begin(&one, false);
	parent = new_job(NULL);
	child = new_job(parent);
	id = chk_thread(look_up, child);
	filchi_job_unref(parent);
	other = new_job(NULL);
	chk_assert(other == parent);
	cancel_job(other);
	chk_join(id);
	filchi_job_unref(other);
	filchi_job_unref(child);
	stage_end();
}

/* The new one is enclosed by one that was cancelled; and has noticed, or not. */
void future_over_above(void *notices)
{
	struct filchi_job *parent, *child, *other, *above;
	int id;

	stage_begin(&one, false);
	above = new_job(NULL);
	cancel_job(above);
	parent = new_job(NULL);
	child = new_job(parent);
	id = chk_thread(look_up, child);
	filchi_job_unref(parent);
	other = new_job(above);
	chk_assert(other == parent);
	if (notices)
		chk_assert(filchi_job_is_cancelled(other));
	chk_join(id);
	filchi_job_unref(other);
	filchi_job_unref(child);
	filchi_job_unref(above);
	stage_end();
}

/* Both that enclose it are over, and each has a new one in its place. */
void future_over_both(void *unused)
{
	struct filchi_job *above, *parent, *child, *new_above, *other;
	int id;

	(void)unused;
	stage_begin(&one, false);
	above = new_job(NULL);
	parent = new_job(above);
	child = new_job(parent);
	id = chk_thread(look_up, child);
	filchi_job_unref(parent);
	filchi_job_unref(above);
	new_above = new_job(NULL);
	cancel_job(new_above);
	other = new_job(new_above);
	chk_assert(new_above == above && other == parent);
	chk_join(id);
	filchi_job_unref(other);
	filchi_job_unref(new_above);
	filchi_job_unref(child);
	stage_end();
}

/*
 * Both that enclose it are over. The outer one's memory is a job that was cancelled; the inner one's is enclosed by a
 * job elsewhere, which was not, and which is in the same life as the cancelled one. The old parent and the new life do
 * not belong together.
 */
void future_over_pair(void *unused)
{
	struct filchi_job *above, *parent, *child, *new_above, *other, *elsewhere;
	int id;

	(void)unused;
	stage_begin(&one, false);
	elsewhere = new_job(NULL);
	filchi_job_unref(elsewhere);
	chk_assert(new_job(NULL) == elsewhere); /* in its second life */
	above = new_job(NULL);
	parent = new_job(above);
	child = new_job(parent);
	id = chk_thread(look_up, child);
	filchi_job_unref(parent);
	filchi_job_unref(above);
	new_above = new_job(NULL);
	cancel_job(new_above);
	other = new_job(elsewhere);
	chk_assert(new_above == above && other == parent);
	chk_join(id);
	filchi_job_unref(other);
	filchi_job_unref(new_above);
	filchi_job_unref(child);
	filchi_job_unref(elsewhere);
	stage_end();
}
