/* SPDX-License-Identifier: Apache-2.0 */
/* A job from begin to end, and what its ranks agree on outside of a search. */
#define _GNU_SOURCE
#include "job.h"
#include "ranks.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COLLECT = 1000, SHORT_US = 50, LONG_US = 1000 }; /* a kind of messages; pauses between two looks */

int filchi_ranks_job_error(int err, const char *format, ...)
{
	char text[FILCHI_RANKS_TEXT];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return filch_error_set(err, text);
}

bool filchi_ranks_bytes_room(struct filchi_ranks_bytes *b, size_t more)
{
	size_t needed = b->size + more;
	unsigned char *data;

	if (needed <= b->room)
		return true;
	data = realloc(b->data, 2 * needed);
	if (!data)
		return false;
	b->data = data;
	b->room = 2 * needed;
	return true;
}

uint64_t filchi_ranks_job_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool filchi_ranks_job_orphaned(struct filch_search_mpi *job)
{
	if (getppid() != job->parent)
		job->orphan = true;
	return job->orphan;
}

static int init(struct filch_search_mpi *job)
{
	pthread_condattr_t attr;
	int err = pthread_mutex_init(&job->lock, NULL);

	if (err)
		return -err;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&job->wake, &attr);
	pthread_cond_init(&job->changed, NULL);
	pthread_condattr_destroy(&attr);
	return 0;
}

/* The threads of MPI inherit a full mask: else a signal for the program could end it in one of them. */
static int open_plugin(struct filch_search_mpi *job)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	err = job->plugin->open(&job->net, &job->local);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

int filch_search_mpi_begin(struct filch_search_mpi **out)
{
	int promised = filch_search_mpi_promised(), err;
	struct filch_search_mpi *job;

	if (!out)
		return filchi_ranks_job_error(-EINVAL, "out is NULL");
	if (!promised)
		return filchi_ranks_job_error(-ENOENT, "the program was not started by a launcher of MPI");
	job = calloc(1, sizeof(*job));
	if (!job)
		return filchi_ranks_job_error(-ENOMEM, "no memory for a job");
	job->parent = getppid();
	err = init(job);
	if (!err)
		err = filchi_ranks_plugin_load(&job->object, &job->plugin);
	if (!err) {
		err = open_plugin(job);
		if (err)
			filchi_ranks_job_error(err, "cannot start MPI: %s",
					       err == -ENOTSUP ? "it has no MPI_THREAD_SERIALIZED" : strerror(-err));
	}
	if (!err && job->net->ranks != promised) {
		err = filchi_ranks_job_error(
			-EPROTO,
			"the launcher has promised %d ranks, but MPI knows %d: the launcher belongs to "
			"another MPI than the plug-in, or needs an option such as --mpi=pmix",
			promised, job->net->ranks);
		job->plugin->close(job->net, 0, 0);
	}
	if (err) {
		free(job);
		return err;
	}
	*out = job;
	return 0;
}

void filch_search_mpi_end(struct filch_search_mpi *job, int failed)
{
	if (!job)
		return;
	job->plugin->close(job->net, failed, job->orphan);
	/* The plug-in stays: an MPI cannot be unloaded. */
	pthread_mutex_destroy(&job->lock);
	pthread_cond_destroy(&job->wake);
	pthread_cond_destroy(&job->changed);
	free(job->solution.data);
	free(job->records.data);
	free(job->part.data);
	free(job);
}

int filch_search_mpi_rank(const struct filch_search_mpi *job)
{
	return job ? job->net->rank : 0;
}

int filch_search_mpi_ranks(const struct filch_search_mpi *job)
{
	return job ? job->net->ranks : 1;
}

int filch_search_mpi_local(const struct filch_search_mpi *job)
{
	return job ? job->local : 1;
}

/* ---- agreements ---- */

static int send_words(struct filch_search_mpi *job, int to, const uint64_t *words, unsigned count)
{
	struct filchi_ranks_message m = {.kind = COLLECT};
	size_t size = count * sizeof(*words);
	unsigned char *bytes = malloc(sizeof(m) + size);

	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, &m, sizeof(m));
	memcpy(bytes + sizeof(m), words, size);
	return job->net->send(job->net, to, bytes, sizeof(m) + size);
}

/* Waits for words of any rank. Late messages of a search are dropped. */
static int receive_words(struct filch_search_mpi *job, uint64_t *words, unsigned count)
{
	unsigned pause_us = SHORT_US;

	for (;;) {
		struct filchi_ranks_message m;
		void *bytes;
		size_t size;
		int from, got = job->net->receive(job->net, &from, &bytes, &size);

		if (got < 0)
			return got;
		if (!got) {
			got = job->net->poll(job->net);
			if (got < 0)
				return got;
			if (filchi_ranks_job_orphaned(job))
				return filchi_ranks_job_error(-EOWNERDEAD, "the launcher has ended");
			usleep(pause_us);
			pause_us = 2 * pause_us < LONG_US ? 2 * pause_us : LONG_US;
			continue;
		}
		memcpy(&m, bytes, sizeof(m));
		if (m.kind == COLLECT && size == sizeof(m) + count * sizeof(*words)) {
			memcpy(words, (unsigned char *)bytes + sizeof(m), count * sizeof(*words));
			free(bytes);
			return 0;
		}
		free(bytes);
	}
}

/* On rank 0 combines the words of all ranks, one message each, by `add`. */
static int collect(struct filch_search_mpi *job, uint64_t *words, unsigned count, bool add)
{
	uint64_t *other;
	int err = 0;

	if (job->net->rank)
		return send_words(job, 0, words, count);
	other = malloc((count + 1) * sizeof(*other));
	if (!other)
		return -ENOMEM;
	for (int n = 1; !err && n < job->net->ranks; n++) {
		err = receive_words(job, other, count);
		for (unsigned i = 0; !err && i < count; i++)
			words[i] = add ? words[i] + other[i] : words[i] > other[i] ? words[i] : other[i];
	}
	free(other);
	return err;
}

/* Rank 0 has the words of all ranks, and tells one word to all. */
static int answer(struct filch_search_mpi *job, uint64_t *word)
{
	int err = 0;

	for (int to = 1; !err && !job->net->rank && to < job->net->ranks; to++)
		err = send_words(job, to, word, 1);
	return job->net->rank ? receive_words(job, word, 1) : err;
}

int filch_search_mpi_agree(struct filch_search_mpi *job, int code)
{
	uint64_t word = (uint64_t)(code > 0 ? code : 0);
	int err;

	if (!job)
		return code;
	err = collect(job, &word, 1, false);
	if (!err)
		err = answer(job, &word);
	return err ? err : (int)word;
}

int filch_search_mpi_sum(struct filch_search_mpi *job, uint64_t *values, unsigned count)
{
	uint64_t word = 0;
	int err;

	if (!job)
		return 0;
	err = collect(job, values, count, true);
	return err ? err : answer(job, &word);
}
