/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol's view of a search (struct filchi_ranks_host), and the search's view of the other ranks (struct
 * filch_search_link). Functions of the host run in the communication thread, functions of the link in any thread.
 *
 * Nodes travel as their size and their bytes, one after the other. A best value travels with its solution behind it.
 */
#include "job.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys: smaller is better ---- */

uint64_t filchi_ranks_job_key(const struct filch_search_problem *p, union filch_search_value v)
{
	uint64_t key = (uint64_t)v.i, sign = (uint64_t)1 << 63;

	key = p->type == FILCH_SEARCH_DOUBLE && key & sign ? ~key : key ^ sign;
	key = p->goal == FILCH_SEARCH_MAXIMISE ? ~key : key;
	return key == FILCHI_RANKS_NO_KEY ? key - 1 : key;
}

union filch_search_value filchi_ranks_job_value(const struct filch_search_problem *p, uint64_t key)
{
	uint64_t sign = (uint64_t)1 << 63;

	key = p->goal == FILCH_SEARCH_MAXIMISE ? ~key : key;
	key = p->type == FILCH_SEARCH_DOUBLE && !(key & sign) ? ~key : key ^ sign;
	return (union filch_search_value){.i = (int64_t)key};
}

double filchi_ranks_job_gap(void *arg, uint64_t best, uint64_t bound)
{
	const struct filch_search_problem *p = ((struct filch_search_mpi *)arg)->problem;
	union filch_search_value a = filchi_ranks_job_value(p, best), b = filchi_ranks_job_value(p, bound);
	bool d = p->type == FILCH_SEARCH_DOUBLE;
	double x = d ? a.d : (double)a.i, y = d ? b.d : (double)b.i;

	if (best == FILCHI_RANKS_NO_KEY)
		return INFINITY;
	if (bound >= best || x == y)
		return 0;
	return fabs(x - y) / fmax(fabs(x), 1e-10);
}

/* ---- load ---- */

static void look(void *arg, struct filchi_ranks_load *load)
{
	struct filch_search_mpi *job = arg;
	struct filch_search_progress p = {.struct_size = sizeof(p)};

	load->quiet = job->holds && filch_search_quiet(job->search);
	(void)filch_search_look(job->search, &p);
	load->open = load->quiet ? 0 : filch_search_open(job->search);
	load->explored = p.explored;
	load->pruned = p.pruned;
	load->affinity = p.affinity;
	load->bound = load->quiet ? FILCHI_RANKS_NO_KEY : p.has_bound ? filchi_ranks_job_key(job->problem, p.bound) : 0;
	load->node_ns = p.per_second > 0 ? 1e9 / p.per_second : 0;
}

/* ---- nodes ---- */

/* Adds the packed node. 0 or an error. */
static int pack_node(const struct filch_search_problem *p, const struct filch_node *node, struct filchi_ranks_bytes *b)
{
	uint64_t size = 0;

	for (int i = 0; i < 2; i++) {
		size_t room;

		if (size > SIZE_MAX / 4 || !filchi_ranks_bytes_room(b, sizeof(size) + (size ? size : 256)))
			return -ENOMEM;
		room = b->room - b->size - sizeof(size);
		size = p->pack(node, b->data + b->size + sizeof(size), room, p->arg);
		if (size > room)
			continue;
		memcpy(b->data + b->size, &size, sizeof(size));
		b->size += sizeof(size) + size;
		return 0;
	}
	return -ENOMEM;
}

static int give(void *arg, double proportion, void **bytes, size_t *size, uint64_t *count, bool *again)
{
	struct filch_search_mpi *job = arg;
	const struct filch_search_problem *p = job->problem;
	struct filchi_ranks_bytes b = {0};
	struct filch_batch batch, rest;
	struct filch_node *node, *next;
	int err = filch_search_extract(job->search, proportion, &batch);

	if (err || !batch.count) {
		*again = !err && filch_search_open(job->search) > 1;
		return err;
	}
	filch_batch_init(&rest);
	node = batch.first;
	for (size_t n = batch.count; n; n--, node = next) {
		next = n > 1 ? node->next : NULL;
		if (!err && b.size < job->opt.most_bytes)
			err = pack_node(p, node, &b);
		else
			err = err ? err : 1; /* enough: the rest stays here */
		if (err) {
			filch_batch_add(&rest, node);
			continue;
		}
		++*count;
		if (p->discard)
			p->discard(NULL, node, p->arg);
	}
	(void)filch_search_add(job->search, &rest);
	*bytes = b.data;
	*size = b.size;
	return err < 0 && !*count ? err : 0; /* packed nodes must go, also after an error */
}

static int take(void *arg, const void *bytes, size_t size, uint64_t count)
{
	struct filch_search_mpi *job = arg;
	const struct filch_search_problem *p = job->problem;
	const unsigned char *at = bytes;
	struct filch_batch batch;
	int err = 0;

	filch_batch_init(&batch);
	for (; !err && count; count--) {
		struct filch_node *node;
		uint64_t length;

		if (size < sizeof(length))
			err = -EBADMSG;
		else
			memcpy(&length, at, sizeof(length));
		if (!err && length > size - sizeof(length))
			err = -EBADMSG;
		if (!err)
			err = p->unpack(&node, at + sizeof(length), length, p->arg);
		if (err)
			break;
		filch_batch_add(&batch, node);
		at += sizeof(length) + length;
		size -= sizeof(length) + length;
	}
	/* The nodes that could be unpacked are added in any case, so that they are freed with the search. */
	(void)filch_search_add(job->search, &batch);
	return err ? err : size ? -EBADMSG : 0;
}

/* ---- best values and records ---- */

/* Keeps the best value with its solution, for the result. Under the lock. */
static bool keep_best(struct filch_search_mpi *job, uint64_t key, const void *bytes, size_t size)
{
	if (key >= job->best)
		return false;
	job->solution.size = 0;
	if (!filchi_ranks_bytes_room(&job->solution, size))
		return false;
	memcpy(job->solution.data, bytes, size);
	job->solution.size = size;
	job->best = key;
	return true;
}

static int best(void *arg, uint64_t key, const void *bytes, size_t size)
{
	struct filch_search_mpi *job = arg;
	const struct filch_search_problem *p = job->problem;
	union filch_search_value value;
	void *solution = NULL;
	int err = 0, taken;

	if (size < sizeof(value))
		return -EBADMSG;
	memcpy(&value, bytes, sizeof(value));
	pthread_mutex_lock(&job->lock);
	(void)keep_best(job, key, bytes, size);
	pthread_mutex_unlock(&job->lock);
	if (size > sizeof(value) && p->unpack_solution)
		err = p->unpack_solution(&solution, (const unsigned char *)bytes + sizeof(value), size - sizeof(value),
					 p->arg);
	if (err)
		return err;
	taken = filch_search_improve(job->search, NULL, value, solution);
	if (taken != 1 && solution && p->discard_solution)
		p->discard_solution(solution, p->arg);
	return taken < 0 ? taken : 0;
}

static int learn(void *arg, const void *bytes, size_t size)
{
	struct filch_search_mpi *job = arg;
	const struct filch_search_problem *p = job->problem;
	const unsigned char *at = bytes;

	while (size) {
		struct filch_search_record *record;
		uint64_t head[2];
		int err;

		if (size < sizeof(head))
			return -EBADMSG;
		memcpy(head, at, sizeof(head));
		if (head[1] > size - sizeof(head))
			return -EBADMSG;
		if (p->unpack_record && p->learn) {
			err = p->unpack_record(&record, at + sizeof(head), head[1], p->arg);
			if (err)
				return err;
			record->affinity = head[0];
			err = filch_search_publish(job->search, NULL, record);
			if (err)
				return err;
		}
		at += sizeof(head) + head[1];
		size -= sizeof(head) + head[1];
	}
	return 0;
}

/* ---- end and checkpoints ---- */

static void stop(void *arg, int end)
{
	struct filch_search_mpi *job = arg;

	if (!job->holds)
		return;
	job->holds = false;
	if (end != FILCH_SEARCH_DONE)
		filch_search_cancel(job->search);
	filch_search_release(job->search);
}

static int snapshot(void *arg)
{
	struct filch_search_mpi *job = arg;
	bool ended;

	pthread_mutex_lock(&job->lock);
	ended = job->run_ended;
	pthread_mutex_unlock(&job->lock);
	job->snapshot_wanted = !ended;
	return ended ? filch_search_save(job->search, NULL) : filch_search_checkpoint(job->search);
}

static int part(void *arg, int rank, const void *bytes, size_t size)
{
	struct filchi_ranks_bytes *b = &((struct filch_search_mpi *)arg)->parts[rank];

	if (!filchi_ranks_bytes_room(b, size))
		return -ENOMEM;
	memcpy(b->data + b->size, bytes, size);
	b->size += size;
	return 0;
}

static void abandon(void *arg)
{
	struct filch_search_mpi *job = arg;

	for (int i = 0; i < job->net->ranks; i++) {
		free(job->parts[i].data);
		job->parts[i] = (struct filchi_ranks_bytes){0};
	}
}

static int commit(void *arg)
{
	struct filch_search_mpi *job = arg;
	int err = filchi_ranks_job_write(job->opt.checkpoint, job->parts, job->net->ranks);

	abandon(job);
	if (!err && job->opt.saved)
		job->opt.saved(job->opt.arg);
	return err;
}

const struct filchi_ranks_host filchi_ranks_job_host = {
	.look = look,
	.give = give,
	.take = take,
	.best = best,
	.learn = learn,
	.stop = stop,
	.snapshot = snapshot,
	.part = part,
	.commit = commit,
	.abandon = abandon,
};

/* ---- what the search tells ---- */

static void wake(struct filch_search_mpi *job)
{
	job->wished = true;
	pthread_cond_signal(&job->wake);
}

static bool is_own_thread(struct filch_search_mpi *job)
{
	return job->running && pthread_equal(pthread_self(), job->thread);
}

/* The packed solution behind the value. Without memory the value goes alone. */
static void pack_best(struct filch_search_mpi *job, struct filchi_ranks_bytes *b, union filch_search_value value,
		      const void *solution)
{
	const struct filch_search_problem *p = job->problem;
	size_t size = 0;

	if (!filchi_ranks_bytes_room(b, sizeof(value) + 4096))
		return;
	memcpy(b->data, &value, sizeof(value));
	b->size = sizeof(value);
	if (!solution || !p->pack_solution)
		return;
	size = p->pack_solution(solution, b->data + b->size, b->room - b->size, p->arg);
	if (size > b->room - b->size && size < SIZE_MAX / 4 && filchi_ranks_bytes_room(b, size))
		size = p->pack_solution(solution, b->data + b->size, b->room - b->size, p->arg);
	if (size <= b->room - b->size)
		b->size += size;
}

static void improved(union filch_search_value value, const void *solution, void *arg)
{
	struct filch_search_mpi *job = arg;
	struct filchi_ranks_bytes b = {0};

	if (is_own_thread(job))
		return; /* it came from another rank */
	pack_best(job, &b, value, solution);
	pthread_mutex_lock(&job->lock);
	if (b.size && keep_best(job, filchi_ranks_job_key(job->problem, value), b.data, b.size)) {
		job->improved = true;
		wake(job);
	}
	pthread_mutex_unlock(&job->lock);
	free(b.data);
}

static void published(const struct filch_search_record *record, void *arg)
{
	struct filch_search_mpi *job = arg;
	const struct filch_search_problem *p = job->problem;
	unsigned char bytes[1024];
	size_t size;
	uint64_t head[2];

	if (is_own_thread(job) || !p->pack_record)
		return;
	size = p->pack_record(record, bytes, sizeof(bytes), p->arg);
	if (size > sizeof(bytes))
		return; /* a record can only help: a large one stays here */
	head[0] = record->affinity;
	head[1] = size;
	pthread_mutex_lock(&job->lock);
	if (job->records.size < 1 << 20 && filchi_ranks_bytes_room(&job->records, sizeof(head) + size)) {
		memcpy(job->records.data + job->records.size, head, sizeof(head));
		memcpy(job->records.data + job->records.size + sizeof(head), bytes, size);
		job->records.size += sizeof(head) + size;
	}
	pthread_mutex_unlock(&job->lock);
}

static int saved(const void *bytes, size_t size, void *arg)
{
	struct filch_search_mpi *job = arg;
	int err = 0;

	pthread_mutex_lock(&job->lock);
	job->part.size = 0;
	if (filchi_ranks_bytes_room(&job->part, size)) {
		memcpy(job->part.data, bytes, size);
		job->part.size = size;
		job->has_part = true;
		wake(job);
	} else {
		err = -ENOMEM;
	}
	pthread_mutex_unlock(&job->lock);
	return err;
}

struct filch_search_link filchi_ranks_job_link(struct filch_search_mpi *job)
{
	bool saves = job->opt.checkpoint != NULL;

	return (struct filch_search_link){.struct_size = sizeof(struct filch_search_link),
					  .arg = job,
					  .improved = improved,
					  .published = published,
					  .saved = saves ? saved : NULL,
					  .part = (unsigned)job->net->rank,
					  .parts = (unsigned)job->net->ranks};
}
