/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies meet in shared memory: at a barrier, and then by the clock, because a barrier releases one process after
 * another.
 */
#define _GNU_SOURCE

#include "copies.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOT_STARTED 3
/* Nanoseconds from the barrier to the start, to wake up. For the last part all copies spin. */
#define MOMENT 2000000u

static struct shared {
	pthread_barrier_t barrier;
	uint64_t start;
	struct filchi_sample samples[];
} * shared;
static unsigned number; /* of this copy */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void filchi_copies_start(void)
{
	/* The barrier chooses one process. The others see its writes after the second barrier. */
	if (pthread_barrier_wait(&shared->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		shared->start = now() + MOMENT;
	pthread_barrier_wait(&shared->barrier);
	while (now() < shared->start)
		;
}

void filchi_copies_done(const struct filchi_sample *sample)
{
	shared->samples[number] = *sample;
}

static int share(unsigned count)
{
	pthread_barrierattr_t attributes;
	void *memory = mmap(NULL, sizeof(*shared) + count * sizeof(shared->samples[0]), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return -1;
	shared = memory;
	return pthread_barrierattr_init(&attributes) ||
			       pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) ||
			       pthread_barrier_init(&shared->barrier, &attributes, count)
		       ? -1
		       : 0;
}

static void kill_all(const pid_t *copies, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (copies[i])
			kill(copies[i], SIGKILL);
}

/* Other copies would wait for a failed copy, so they end with it. */
static int wait_for_all(pid_t *copies, unsigned count)
{
	int code = 0, status;

	for (unsigned left = count; left; left--) {
		pid_t ended = wait(&status);

		for (unsigned i = 0; i < count; i++)
			if (copies[i] == ended)
				copies[i] = 0;
		if (status && !code) {
			code = WIFEXITED(status) ? WEXITSTATUS(status) : NOT_STARTED;
			if (WIFSIGNALED(status))
				fprintf(stderr, "a copy ended by signal %d: %s\n", WTERMSIG(status),
					strsignal(WTERMSIG(status)));
			kill_all(copies, count);
		}
	}
	return code;
}

static void add_up(unsigned count, struct filchi_sample *mean, double *overlap)
{
	uint64_t begin = 0, end = UINT64_MAX;

	*mean = shared->samples[0];
	for (unsigned c = 0; c < FILCHI_COUNTS; c++) {
		double sum = 0;

		for (unsigned i = 0; i < count; i++)
			sum += (double)shared->samples[i].counts[c];
		if (mean->counts[c] != UINT64_MAX)
			mean->counts[c] = (uint64_t)(sum / count);
	}
	for (unsigned i = 0; i < count; i++) {
		const struct filchi_sample *s = &shared->samples[i];

		begin = s->begin > begin ? s->begin : begin;
		end = s->end < end ? s->end : end;
	}
	*overlap = end > begin ? (double)(end - begin) / (double)mean->counts[FILCHI_COUNT_NS] : 0;
}

/* Returns -1 in each copy. */
static bool make_all(pid_t *copies, unsigned count, unsigned *made)
{
	pid_t parent = getpid();

	for (*made = 0; *made < count; ++*made) {
		copies[*made] = fork();
		if (copies[*made] == 0) {
			number = *made;
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != parent) /* a copy that ended earlier */
				_exit(NOT_STARTED);
			return true;
		}
		if (copies[*made] < 0) {
			kill_all(copies, *made);
			return false;
		}
	}
	return false;
}

int filchi_copies_make(unsigned count, struct filchi_sample *mean, double *overlap)
{
	pid_t *copies = calloc(count, sizeof(*copies));
	unsigned made = 0;
	int code, why;

	if (copies && !share(count) && make_all(copies, count, &made)) {
		free(copies);
		return -1;
	}
	why = errno;
	code = wait_for_all(copies, made);
	free(copies);
	if (made < count) {
		fprintf(stderr, "cannot make %u copies: %s\n", count, strerror(why));
		return NOT_STARTED;
	}
	if (!code)
		add_up(count, mean, overlap);
	return code;
}
