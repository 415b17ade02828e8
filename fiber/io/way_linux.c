/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FILCH_IO, the reason why there is no ring, and statistics of the process.
 *
 * Edges:
 *   W1   filchi_way_refused: store_rel refused → filch_io_way: load_acq refused   the text
 *   COUNTER   orders nothing
 */
#define _GNU_SOURCE
#include "io.h"

#include "../../src/base/sized.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	pthread_mutex_t lock; /* of the text */
	char text[160];
	FILCHI_ATOMIC(uint32_t) refused; /* the text says why */
	FILCHI_ATOMIC(uint64_t) counters[FILCHI_IO_COUNTERS];
} way = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_set(const char *value)
{
	const char *now = getenv("FILCH_IO");

	return now && !strcmp(now, value);
}

bool filchi_way_may_ring(void)
{
	return !is_set("threads");
}

bool filchi_way_may_threads(void)
{
	return !is_set("uring");
}

static const char *error_name(int err)
{
	switch (-err) {
	case EPERM:
		return ": not permitted (EPERM), by a setting of the system or a seccomp filter";
	case ENOSYS:
		return ": the kernel does not have it (ENOSYS)";
	case ENOMEM:
		return ": no memory, or RLIMIT_MEMLOCK is too small (ENOMEM)";
	case EMFILE:
	case ENFILE:
		return ": out of descriptors";
	case EACCES:
		return ": not permitted (EACCES)";
	case EINVAL:
		return ": an option is unknown (EINVAL)";
	case EOPNOTSUPP:
		return ": an operation is missing";
	default:
		return "";
	}
}

void filchi_way_refused(const char *step, int err)
{
	(void)pthread_mutex_lock(&way.lock);
	if (!filchi_load_rlx(&way.refused, W1)) {
		const char *name = error_name(err);

		if (*name)
			(void)snprintf(way.text, sizeof(way.text), "threads: %s%s", step, name);
		else
			(void)snprintf(way.text, sizeof(way.text), "threads: %s failed with error %d", step, -err);
		filchi_store_rel(&way.refused, 1, W1);
	}
	(void)pthread_mutex_unlock(&way.lock);
}

static const char *explain(void)
{
	const char *value = getenv("FILCH_IO"), *step;
	struct filchi_ring r;
	int err;

	if (value && *value && strcmp(value, "auto") && strcmp(value, "uring") && strcmp(value, "threads"))
		return "io_uring, if it is permitted: FILCH_IO is unknown; known: auto, uring, threads";
	if (!filchi_way_may_ring())
		return "threads: FILCH_IO says so";
	if (!filchi_load_acq(&way.refused, W1)) {
		err = filchi_ring_open(&r, &step);
		if (!err) {
			filchi_ring_close(&r);
			return "io_uring";
		}
		filchi_way_refused(step, err);
	}
	return way.text;
}

int filch_io_way(const char **reason)
{
	const char *text = explain();

	if (reason)
		*reason = text;
	return *text == 'i' ? FILCH_IO_URING : FILCH_IO_THREADS;
}

void filchi_way_count(enum filchi_io_counter which, uint64_t n)
{
	if (n)
		(void)filchi_fetch_add_rlx(&way.counters[which], n, COUNTER);
}

static uint64_t counter(enum filchi_io_counter which)
{
	return filchi_load_rlx(&way.counters[which], COUNTER);
}

int filch_io_stats(struct filch_io_stats *stats)
{
	struct filch_io_stats now = {.struct_size = sizeof(now)};

	if (!stats || !filchi_sized_makes_sense(stats->struct_size))
		return -EINVAL;
	now.enters = counter(FILCHI_IO_ENTERS);
	now.submitted = counter(FILCHI_IO_SUBMITTED);
	now.watched = counter(FILCHI_IO_WATCHED);
	now.called = counter(FILCHI_IO_CALLED);
	now.ended_early = counter(FILCHI_IO_ENDED_EARLY);
	return filchi_sized_fill(stats, &now, sizeof(now));
}
