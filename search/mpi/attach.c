/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search of this rank as a part of the whole: the communication thread, from attach to detach. The thread alone
 * uses the network. It sleeps between two looks: 20 us after a message, then longer, up to 1 ms. While an ask has no
 * answer it is 0.1 ms, for 20 ms at most. A wish of the search wakes it at once.
 */
#define _GNU_SOURCE
#include "job.h"

#include "../../src/base/sized.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGES = 256, GROUP = 1024, MOST_BYTES = 4 << 20 };
#define SHORT_NS 20000u
#define ASKED_NS 100000u
#define ASKED_FOR_NS 20000000u
#define LONG_NS 1000000u
#define SECOND 1000000000u

/* ---- wishes ---- */

/* Takes what others have left for this thread, under the lock. */
struct wishes {
	struct filchi_ranks_bytes best, records, part;
	uint64_t key;
	bool improved, has_part, ended;
};

static void take_wishes(struct filch_search_mpi *job, struct wishes *w)
{
	*w = (struct wishes){.key = job->best, .improved = job->improved, .has_part = job->has_part};
	w->ended = job->run_ended;
	if (job->improved && filchi_ranks_bytes_room(&w->best, job->solution.size)) {
		memcpy(w->best.data, job->solution.data, job->solution.size);
		w->best.size = job->solution.size;
		job->improved = false;
	}
	w->records = job->records;
	job->records = (struct filchi_ranks_bytes){0};
	if (job->has_part) {
		w->part = job->part;
		job->part = (struct filchi_ranks_bytes){0};
		job->has_part = false;
	}
	job->wished = false;
}

static void publish(struct filch_search_mpi *job, const struct filchi_ranks_bytes *records)
{
	uint64_t head[2];

	for (size_t at = 0; at < records->size; at += sizeof(head) + head[1]) {
		memcpy(head, records->data + at, sizeof(head));
		filchi_ranks_publish(job->ranks, head[0], records->data + at + sizeof(head), head[1]);
	}
}

/* The run of this rank has ended: by the end of all, or by its own limit or error. */
static void leave(struct filch_search_mpi *job)
{
	if (!filchi_ranks_ending(job->ranks, NULL)) {
		if (job->run_end == FILCH_SEARCH_ERROR)
			filchi_ranks_stop(job->ranks, job->run_end, job->run_error, "the search failed");
		else
			filchi_ranks_stop(job->ranks, job->run_end, 0, "");
	}
	filchi_ranks_leave(job->ranks, job->run_bound);
	if (job->snapshot_wanted) /* the run has ended before it came to it */
		(void)filch_search_save(job->search, NULL);
	job->snapshot_wanted = false;
}

static bool grant(struct filch_search_mpi *job, struct wishes *w, bool left)
{
	if (w->improved && w->best.size)
		filchi_ranks_improved(job->ranks, w->key, w->best.data, w->best.size);
	publish(job, &w->records);
	if (w->has_part) {
		job->snapshot_wanted = false;
		filchi_ranks_part(job->ranks, w->part.data, w->part.size);
	}
	if (w->ended && !left)
		leave(job);
	free(w->best.data);
	free(w->records.data);
	free(w->part.data);
	return w->ended;
}

/* ---- rank 0: progress and checkpoints ---- */

static void show(struct filch_search_mpi *job, uint64_t now)
{
	struct filch_search_progress p = {.struct_size = sizeof(p)};
	struct filchi_ranks_sums s;

	filchi_ranks_sums(job->ranks, &s);
	p.explored = s.explored;
	p.pruned = s.pruned;
	p.open = s.open;
	p.seconds = (double)(now - job->begin_ns) * 1e-9;
	p.per_second = p.seconds > 0 ? (double)s.explored / p.seconds : 0;
	pthread_mutex_lock(&job->lock);
	p.has_best = job->best != FILCHI_RANKS_NO_KEY;
	p.best = filchi_ranks_job_value(job->problem, job->best);
	p.has_bound = s.bound && s.bound != FILCHI_RANKS_NO_KEY;
	p.bound = filchi_ranks_job_value(job->problem, s.bound < job->best ? s.bound : job->best);
	p.gap = p.has_bound ? filchi_ranks_job_gap(job, job->best, s.bound)
			    : filchi_ranks_job_gap(job, FILCHI_RANKS_NO_KEY, 0);
	pthread_mutex_unlock(&job->lock);
	job->opt.progress(&p, job->opt.arg);
}

static void look_at_clock(struct filch_search_mpi *job, uint64_t now)
{
	if (job->net->rank || filchi_ranks_ending(job->ranks, NULL) || !filchi_ranks_started(job->ranks))
		return;
	if (job->opt.progress && now >= job->progress_due) {
		show(job, now);
		job->progress_due = now + job->opt.progress_ns;
	}
	if (now >= job->checkpoint_due && filchi_ranks_checkpoint(job->ranks))
		job->checkpoint_due = now + job->opt.checkpoint_ns;
}

/* ---- the thread ---- */

static void pause_thread(struct filch_search_mpi *job, uint64_t ns)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)ns;
	until.tv_sec += until.tv_nsec / (long)SECOND;
	until.tv_nsec %= (long)SECOND;
	if (!job->wished)
		pthread_cond_timedwait(&job->wake, &job->lock, &until);
}

/* Tells attach what has changed. Under the lock. */
static void tell(struct filch_search_mpi *job, int err)
{
	bool started = filchi_ranks_started(job->ranks), ended = err || filchi_ranks_ending(job->ranks, NULL);

	if (started == job->started && ended == job->ended)
		return;
	job->started = started;
	job->ended = ended;
	job->error = err;
	pthread_cond_broadcast(&job->changed);
}

/* The longest pause before the next look. A rank that waits for an answer looks more often, for a limited time. */
static uint64_t longest(const struct filch_search_mpi *job, uint64_t now, uint64_t *since)
{
	if (!filchi_ranks_waits(job->ranks))
		*since = 0;
	else if (!*since)
		*since = now;
	return *since && now - *since < ASKED_FOR_NS ? ASKED_NS : LONG_NS;
}

static int work(struct filch_search_mpi *job)
{
	uint64_t interval = SHORT_NS, since = 0;
	bool left = false;
	int handled = 0;

	while (!filchi_ranks_over(job->ranks)) {
		uint64_t now = filchi_ranks_job_clock(), most;
		struct wishes w;

		pthread_mutex_lock(&job->lock);
		tell(job, 0);
		if (!handled)
			pause_thread(job, interval);
		take_wishes(job, &w);
		pthread_mutex_unlock(&job->lock);
		left = grant(job, &w, left);
		handled = filchi_ranks_step(job->ranks, now, MESSAGES);
		if (handled < 0)
			return handled;
		if (filchi_ranks_job_orphaned(job))
			return -EOWNERDEAD;
		look_at_clock(job, now);
		most = longest(job, now, &since);
		interval = handled || w.improved || w.has_part ? SHORT_NS : 2 * interval;
		interval = interval < most ? interval : most;
	}
	while ((handled = job->net->poll(job->net)) > 0)
		usleep(SHORT_NS / 1000);
	return handled;
}

static void *communicate(void *arg)
{
	struct filch_search_mpi *job = arg;
	int err = work(job);

	if (err)
		filchi_ranks_job_host.stop(job, FILCH_SEARCH_ERROR);
	pthread_mutex_lock(&job->lock);
	(void)filchi_ranks_ending(job->ranks, &job->end);
	tell(job, err);
	job->error = err;
	pthread_mutex_unlock(&job->lock);
	return NULL;
}

/* ---- attach ---- */

static int judge(struct filch_search_mpi *job, const struct filch_search_mpi_options *opt)
{
	const struct filch_search_problem *p = job->problem;

	if (filchi_sized_copy(&job->opt, sizeof(job->opt), opt))
		return filchi_ranks_job_error(-EINVAL,
					      "struct filch_search_mpi_options: struct_size or a field is wrong");
	if (!p->pack || !p->unpack)
		return filchi_ranks_job_error(-EINVAL, "pack or unpack is NULL, so nodes cannot go to other ranks");
	if (!(job->opt.gap_limit >= 0))
		return filchi_ranks_job_error(-EINVAL, "gap_limit is %g: must not be negative", job->opt.gap_limit);
	job->opt.progress_ns = job->opt.progress_ns ? job->opt.progress_ns : SECOND;
	job->opt.most_bytes = job->opt.most_bytes ? job->opt.most_bytes : MOST_BYTES;
	return 0;
}

/* All ranks have the same roots: those of rank 0 count. */
static void discard_nodes(struct filch_search_mpi *job)
{
	const struct filch_search_problem *p = job->problem;
	struct filch_batch batch;

	while (!filch_search_extract(job->search, 1, &batch) && batch.count) {
		struct filch_node *node = batch.first, *next;

		for (size_t n = batch.count; n; n--, node = next) {
			next = n > 1 ? node->next : NULL;
			if (p->discard)
				p->discard(NULL, node, p->arg);
		}
	}
}

static struct filchi_ranks_hello say_hello(struct filch_search_mpi *job)
{
	struct filchi_ranks_hello h = {.order = 0x0102030405060708u,
				       .fingerprint = job->problem->fingerprint,
				       .kind = (uint64_t)job->problem->goal << 8 | (uint64_t)job->problem->type};

	snprintf(h.build, sizeof(h.build), "%s", job->opt.build ? job->opt.build : filch_version());
	if (gethostname(h.machine, sizeof(h.machine) - 1))
		snprintf(h.machine, sizeof(h.machine), "?");
	return h;
}

static int make_ranks(struct filch_search_mpi *job)
{
	uint64_t ranks = (uint64_t)job->net->ranks, group = job->opt.group ? job->opt.group : GROUP;
	uint64_t children = group > 1 && group < ranks ? group : ranks;
	struct filchi_ranks_hello hello = say_hello(job);
	struct filchi_ranks_host host = filchi_ranks_job_host;
	struct filchi_ranks_config config = {.group = group == 1 ? 0 : (int)group,
					     .report_ns = FILCHI_RANKS_REPORT_NS,
					     .calm_ns = FILCHI_RANKS_CALM_NS(children),
					     .heartbeat_ns = FILCHI_RANKS_HEARTBEAT_NS(children),
					     .retry_ns = 20000000,
					     .node_limit = job->opt.node_limit,
					     .gap_limit = job->opt.gap_limit,
					     .gap = filchi_ranks_job_gap,
					     .piece = MOST_BYTES,
					     .checkpoint_at_end = job->opt.checkpoint != NULL};

	host.arg = job;
	if (!job->net->rank && !(job->parts = calloc((size_t)ranks, sizeof(*job->parts))))
		return -ENOMEM;
	return filchi_ranks_create(&job->ranks, job->net, &host, &config, &hello);
}

static void release(struct filch_search_mpi *job)
{
	(void)filch_search_join(job->search, NULL);
	if (!job->net->rank && job->ranks)
		filchi_ranks_sums(job->ranks, &job->sums);
	filchi_ranks_destroy(job->ranks);
	job->ranks = NULL;
	for (int i = 0; job->parts && i < job->net->ranks; i++)
		free(job->parts[i].data);
	free(job->parts);
	job->parts = NULL;
	job->search = NULL;
}

static int start_thread(struct filch_search_mpi *job)
{
	int err;

	job->begin_ns = filchi_ranks_job_clock();
	job->progress_due = job->begin_ns + job->opt.progress_ns;
	job->checkpoint_due =
		job->opt.checkpoint && job->opt.checkpoint_ns ? job->begin_ns + job->opt.checkpoint_ns : UINT64_MAX;
	pthread_mutex_lock(&job->lock);
	err = pthread_create(&job->thread, NULL, communicate, job);
	job->running = !err;
	pthread_mutex_unlock(&job->lock);
	return -err;
}

static int attached(struct filch_search_mpi *job)
{
	struct filchi_ranks_end end;
	int err;

	pthread_mutex_lock(&job->lock);
	while (!job->started && !job->ended)
		pthread_cond_wait(&job->changed, &job->lock);
	err = job->ended ? job->error : 0;
	if (!err && job->started) {
		pthread_mutex_unlock(&job->lock);
		return 0;
	}
	pthread_mutex_unlock(&job->lock);
	/* The ranks do not agree: no rank runs. */
	(void)filch_search_mpi_detach(job, FILCH_SEARCH_CANCELLED, 0, NULL, NULL);
	end = job->end;
	if (err)
		return filchi_ranks_job_error(err, "%s",
					      err == -EOWNERDEAD ? "the launcher has ended" : strerror(-err));
	return filchi_ranks_job_error(end.error, "rank %d %s", end.who, end.text);
}

int filch_search_mpi_attach(struct filch_search_mpi *job, struct filch_search *search,
			    const struct filch_search_mpi_options *opt)
{
	struct filch_search_link link;
	int err;

	if (!job || !search)
		return filchi_ranks_job_error(-EINVAL, "%s is NULL", job ? "search" : "job");
	if (job->search)
		return filchi_ranks_job_error(-EINVAL, "the job has a search already");
	job->search = search;
	job->problem = filch_search_problem(search);
	job->best = FILCHI_RANKS_NO_KEY;
	job->started = job->ended = job->improved = job->has_part = job->run_ended = false;
	job->error = 0;
	err = judge(job, opt);
	if (!err && job->net->rank)
		discard_nodes(job);
	link = filchi_ranks_job_link(job);
	if (!err)
		err = filch_search_join(search, &link);
	if (err) {
		job->search = NULL;
		return err;
	}
	filch_search_hold(search);
	job->holds = true;
	err = make_ranks(job);
	if (!err)
		err = start_thread(job);
	if (!err)
		return attached(job);
	filchi_ranks_job_host.stop(job, FILCH_SEARCH_DONE);
	release(job);
	return filchi_ranks_job_error(err, "cannot join the ranks: %s", strerror(-err));
}

/* ---- detach ---- */

static void fill(struct filch_search_mpi *job, struct filch_search_mpi_result *out)
{
	const struct filchi_ranks_sums *s = &job->sums;
	struct filch_search_mpi_result r = {.struct_size = sizeof(r)};
	uint64_t bound = s->bound < job->best ? s->bound : job->best;

	r.end = job->end.end;
	r.error = job->end.error;
	r.rank = job->end.who;
	r.text = job->end.text;
	r.has_best = job->best != FILCHI_RANKS_NO_KEY;
	r.best = filchi_ranks_job_value(job->problem, job->best);
	bound = r.end == FILCH_SEARCH_DONE ? job->best : bound;
	r.has_bound = !job->net->rank && bound && bound != FILCHI_RANKS_NO_KEY;
	r.bound = filchi_ranks_job_value(job->problem, bound);
	if (job->solution.size > sizeof(r.best)) {
		r.solution = job->solution.data + sizeof(r.best);
		r.solution_size = job->solution.size - sizeof(r.best);
	}
	r.explored = s->explored;
	r.pruned = s->pruned;
	r.open = s->open;
	r.batches = s->batches;
	r.nodes = s->nodes;
	r.bytes = s->bytes;
	r.messages = s->messages;
	filchi_sized_fill(out, &r, sizeof(r));
}

int filch_search_mpi_detach(struct filch_search_mpi *job, int end, int error, const union filch_search_value *bound,
			    struct filch_search_mpi_result *result)
{
	int err;

	if (!job || !job->search)
		return filchi_ranks_job_error(-EINVAL, "there is no search to detach");
	if (result && !filchi_sized_makes_sense(result->struct_size))
		return filchi_ranks_job_error(-EINVAL, "struct filch_search_mpi_result: struct_size is not set");
	pthread_mutex_lock(&job->lock);
	job->run_end = end;
	job->run_error = error;
	job->run_bound = bound ? filchi_ranks_job_key(job->problem, *bound) : 0;
	if (!bound && !filch_search_open(job->search))
		job->run_bound = FILCHI_RANKS_NO_KEY;
	job->run_ended = job->wished = true;
	pthread_cond_signal(&job->wake);
	pthread_mutex_unlock(&job->lock);
	pthread_join(job->thread, NULL);
	job->running = false;
	err = job->error;
	release(job);
	if (err)
		return filchi_ranks_job_error(err, "%s",
					      err == -EOWNERDEAD ? "the launcher has ended" : strerror(-err));
	if (result)
		fill(job, result);
	return 0;
}
