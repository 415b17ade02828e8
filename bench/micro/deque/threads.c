/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomics here and in the loops, besides those of the deques:
 *   STOP   flags that order nothing: the thread has just been started, or is joined
 */
#include "threads.h"

#include "../../harness/pin.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int filchi_bench_threads_fail(struct filchi_bench_threads *c, int err, const char *what)
{
	snprintf(c->error->text, sizeof(c->error->text), "%s: %s", what, strerror(-err));
	return err;
}

static void *thief_main(void *argument)
{
	struct filchi_bench_thief *thief = argument;
	struct filchi_bench_threads *c = thief->threads;
	struct filchi_switches before;

	filchi_pin(thief->place);
	filchi_fetch_add_rlx(&c->ready, 1, STOP);
	before = filchi_switches();
	if (c->work)
		c->work(thief);
	else
		c->loops->thief(c->queue, &c->stop, &c->pace, &thief->tally, thief->latency);
	thief->switches = filchi_switches_since(before);
	return NULL;
}

static int start_thieves(struct filchi_bench_threads *c)
{
	for (; c->started < c->thieves; c->started++) {
		struct filchi_bench_thief *thief = &c->thief[c->started];
		int err;

		*thief = (struct filchi_bench_thief){.threads = c, .place = c->started + 1};
		thief->latency = c->latency ? &c->latency[c->started + 1] : NULL;
		err = -pthread_create(&thief->thread, NULL, thief_main, thief);
		if (err)
			return filchi_bench_threads_fail(c, err, "cannot start a thread");
	}
	while (filchi_load_rlx(&c->ready, STOP) < c->started)
		sched_yield();
	return 0;
}

static void add(struct filchi_bench_threads *c, const struct filchi_bench_thief *thief)
{
	c->tally.steals += thief->tally.steals;
	c->tally.lost += thief->tally.lost;
	c->tally.empty += thief->tally.empty;
	c->tally.sum += thief->tally.sum;
	c->thief_switches.voluntary += thief->switches.voluntary;
	c->thief_switches.involuntary += thief->switches.involuntary;
	if (c->latency) {
		filchi_histogram_merge(&c->latency->steal, &thief->latency->steal);
		filchi_histogram_merge(&c->latency->vain, &thief->latency->vain);
	}
}

/* Each item must have left the deque exactly once. */
static int verify(struct filchi_bench_threads *c)
{
	const struct filchi_bench_tally *t = &c->tally;
	uint64_t n = t->pushes;
	/* 0 + 1 + ... + n - 1, with the same overflow as the sum. */
	uint64_t sum = n % 2 ? n * ((n - 1) / 2) : n / 2 * (n - 1);
	/* Numbers that wrapped at 32 bits have the right sum in 32 bits. */
	uint64_t known = c->payload == 4 ? UINT32_MAX : UINT64_MAX;

	if (n != t->pops + t->steals + t->left) {
		snprintf(c->error->text, sizeof(c->error->text),
			 "items lost or doubled: %" PRIu64 " pushes, but %" PRIu64 " pops + %" PRIu64
			 " steals + %" PRIu64 " left",
			 n, t->pops, t->steals, t->left);
		return -EPROTO;
	}
	if ((sum & known) != (t->sum & known)) {
		snprintf(c->error->text, sizeof(c->error->text),
			 "items mixed up: as many came out as went in, but not the same ones");
		return -EPROTO;
	}
	return 0;
}

int filchi_bench_threads_stop(struct filchi_bench_threads *c, int err)
{
	filchi_store_rlx(&c->stop.now, true, STOP);
	for (unsigned i = 0; i < c->started; i++) {
		pthread_join(c->thief[i].thread, NULL);
		add(c, &c->thief[i]);
	}
	if (!err) {
		c->loops->drain(c->queue, &c->tally);
		err = verify(c);
	}
	c->loops->destroy(c->queue);
	c->queue = NULL;
	if (c->thieves)
		filchi_unpin();
	return err;
}

void filchi_bench_threads_free(struct filchi_bench_threads *c)
{
	free(c->latency);
	c->latency = NULL;
}

int filchi_bench_threads_start(struct filchi_bench_threads *c)
{
	int err;

	c->pace.crowded = c->thieves >= filchi_pin_cpus();
	if (c->timed) {
		c->latency = calloc(c->thieves + 1, sizeof(*c->latency));
		if (!c->latency)
			return filchi_bench_threads_fail(c, -ENOMEM, "cannot make room for latencies");
		c->latency->clock = (uint64_t)filchi_clock_cost_ns();
		for (unsigned i = 1; i <= c->thieves; i++)
			c->latency[i].clock = c->latency->clock;
	}
	c->queue = c->loops->create(c->capacity, c->block_size);
	if (!c->queue) {
		filchi_bench_threads_free(c);
		return filchi_bench_threads_fail(c, -ENOMEM, "cannot make a deque");
	}
	if (c->thieves)
		filchi_pin(0);
	err = start_thieves(c);
	if (err) {
		filchi_bench_threads_stop(c, err);
		filchi_bench_threads_free(c);
	}
	return err;
}
