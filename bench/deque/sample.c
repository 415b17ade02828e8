/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One sample of each measurement, whatever the kind. Each has a deque of its own, so that no sample inherits the state
 * or the place in memory of another.
 *
 * Atomics here and in the loops, besides those of the deques:
 *   STOP   flags that order nothing: the thread has just been started, or is joined
 *   TURN   hand_over: store_rel turn -> wait_while: load_acq turn   one has the deque, then the other
 */
#define _GNU_SOURCE

#include "../../src/base/clock.h"
#include "../harness/pin.h"
#include "deque.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum turn { TURN_OWNER, TURN_THIEF, TURN_END };

struct sample {
	const struct filchi_bench_loops *loops;
	const struct filchi_bench_options *options;
	struct filchi_bench_error *error;
	unsigned threads; /* owner and thieves */
	void *queue;
	struct filchi_bench_tally owner;
	uint64_t thief_ns; /* how long the thief of steal_alone has been at it */
	struct filchi_bench_stop stop;
	FILCHI_OWN_LINE FILCHI_ATOMIC(int) turn;
	FILCHI_OWN_LINE FILCHI_ATOMIC(unsigned) ready; /* thieves */
};

struct thief {
	struct sample *sample;
	unsigned place; /* of its CPU; the owner's is 0 */
	pthread_t thread;
	struct filchi_bench_tally tally;
};

static int fail(struct sample *s, int err, const char *what)
{
	snprintf(s->error->text, sizeof(s->error->text), "%s: %s", what, strerror(-err));
	return err;
}

static int begin(struct sample *s, const struct filchi_bench_case *c, struct filchi_bench_error *error,
		 unsigned threads, size_t capacity)
{
	const struct filchi_bench_contender *contender = c->context;

	memset(s, 0, sizeof(*s));
	s->loops = contender->loops;
	s->options = contender->options;
	s->error = error;
	s->threads = threads;
	s->queue = s->loops->create(capacity);
	if (!s->queue)
		return fail(s, -ENOMEM, "cannot make a deque");
	if (threads > 1)
		filchi_pin(0, threads);
	return 0;
}

/* No item may be gone, and none be there twice. Thieves' tallies have been added to the owner's. */
static int verify(struct sample *s)
{
	const struct filchi_bench_tally *t = &s->owner;
	uint64_t n = t->pushes;
	/* 0 + 1 + ... + n - 1, as wrapped as the sum. */
	uint64_t sum = n % 2 ? n * ((n - 1) / 2) : n / 2 * (n - 1);

	if (n != t->pops + t->steals + t->left) {
		snprintf(s->error->text, sizeof(s->error->text),
			 "items lost or doubled: %" PRIu64 " pushes, but %" PRIu64 " pops + %" PRIu64
			 " steals + %" PRIu64 " left",
			 n, t->pops, t->steals, t->left);
		return -EPROTO;
	}
	if (sum != t->sum) {
		snprintf(s->error->text, sizeof(s->error->text),
			 "items mixed up: as many came out as went in, but not the same ones");
		return -EPROTO;
	}
	return 0;
}

/* Takes what is left and checks the equation, unless the sample has failed already. */
static int end(struct sample *s, int err)
{
	if (!err) {
		s->loops->drain(s->queue, &s->owner);
		err = verify(s);
	}
	s->loops->destroy(s->queue);
	if (s->threads > 1)
		filchi_unpin();
	return err;
}

static void set(const struct filchi_bench_case *c, double *values, const char *metric, double value)
{
	values[filchi_bench_metric(c, metric)] = value;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

/* The owner's bursts for as long as a sample takes; how long it took. */
static int run_owner(struct sample *s, double *ns)
{
	uint64_t start = filchi_clock_ns();
	int err = s->loops->owner(s->queue, start + (uint64_t)(s->options->seconds * 1e9), &s->owner);

	*ns = (double)(filchi_clock_ns() - start);
	return err ? fail(s, err, "push") : 0;
}

/*
 * Of this thread. When the owner is alone the system may give its CPU to another program for a while, which is not what
 * its operations cost; with thieves it is wall time that counts.
 */
static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* How often another program has taken the CPU from this thread so far. */
static long preemptions(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}

int filchi_bench_owner_alone(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	long preempted = preemptions();
	struct sample s;
	double wall_ns, start;
	int err = begin(&s, c, error, 1, FILCHI_BENCH_CAPACITY);

	if (err)
		return err;
	start = cpu_ns();
	err = run_owner(&s, &wall_ns);
	set(c, values, "ns_per_pair", (cpu_ns() - start) / (double)s.owner.pops);
	set(c, values, "pushes", (double)s.owner.pushes);
	set(c, values, "preemptions", (double)(preemptions() - preempted));
	return end(&s, err);
}

/* Away from the owner, beside whom it was started. */
static void pin_thief(const struct thief *thief)
{
	if (!filchi_pin(thief->place, thief->sample->threads))
		filchi_unpin();
}

static void *thief_main(void *argument)
{
	struct thief *thief = argument;
	struct sample *s = thief->sample;

	pin_thief(thief);
	filchi_fetch_add_rlx(&s->ready, 1, STOP);
	s->loops->thief(s->queue, &s->stop, &thief->tally);
	return NULL;
}

/* How many thieves were started: fewer than asked for when one could not be. */
static unsigned start_thieves(struct sample *s, struct thief *thieves, int *err)
{
	unsigned started = 0;

	for (*err = 0; started < s->options->thieves; started++) {
		thieves[started] = (struct thief){.sample = s, .place = started + 1};
		*err = -pthread_create(&thieves[started].thread, NULL, thief_main, &thieves[started]);
		if (*err)
			return started;
	}
	while (filchi_load_rlx(&s->ready, STOP) < started)
		sched_yield();
	return started;
}

static void stop_thieves(struct sample *s, struct thief *thieves, unsigned count)
{
	filchi_store_rlx(&s->stop.now, true, STOP);
	for (unsigned i = 0; i < count; i++) {
		pthread_join(thieves[i].thread, NULL);
		s->owner.steals += thieves[i].tally.steals;
		s->owner.lost += thieves[i].tally.lost;
		s->owner.empty += thieves[i].tally.empty;
		s->owner.sum += thieves[i].tally.sum;
	}
}

int filchi_bench_with_thieves(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_bench_contender *contender = c->context;
	struct thief thieves[FILCHI_BENCH_MAX_THIEVES];
	struct sample s;
	const struct filchi_bench_tally *t = &s.owner;
	unsigned started;
	uint64_t attempts;
	double ns = 0;
	int err = begin(&s, c, error, contender->options->thieves + 1, FILCHI_BENCH_CAPACITY);

	if (err)
		return err;
	started = start_thieves(&s, thieves, &err);
	err = err ? fail(&s, err, "cannot start a thread") : run_owner(&s, &ns);
	stop_thieves(&s, thieves, started);
	err = end(&s, err);
	attempts = t->steals + t->lost + t->empty;
	set(c, values, "owner_ops_per_s", (double)(t->pushes + t->pops) / ns * 1e9);
	set(c, values, "steals_per_s", (double)t->steals / ns * 1e9);
	set(c, values, "lost_share", share(t->lost, attempts));
	set(c, values, "empty_share", share(t->empty, attempts));
	set(c, values, "pushes", (double)t->pushes);
	set(c, values, "pops", (double)t->pops);
	set(c, values, "steals", (double)t->steals);
	set(c, values, "left", (double)t->left);
	set(c, values, "lost", (double)t->lost);
	set(c, values, "empty", (double)t->empty);
	return err;
}

static void hand_over(struct sample *s, enum turn turn)
{
	filchi_store_rel(&s->turn, (int)turn, TURN);
}

/* Until it is no longer the turn of the one given; whose it is then. */
static enum turn wait_while(struct sample *s, enum turn turn)
{
	int now;

	for (unsigned i = 1; (now = filchi_load_acq(&s->turn, TURN)) == (int)turn; i++) {
		filchi_spin_wait();
		if (i % FILCHI_BENCH_PATIENCE == 0)
			sched_yield();
	}
	return (enum turn)now;
}

static void *robber_main(void *argument)
{
	struct thief *thief = argument;
	struct sample *s = thief->sample;

	pin_thief(thief);
	while (wait_while(s, TURN_OWNER) == TURN_THIEF) {
		uint64_t start = filchi_clock_ns();

		s->loops->rob(s->queue, &thief->tally);
		s->thief_ns += filchi_clock_ns() - start;
		hand_over(s, TURN_OWNER);
	}
	return NULL;
}

/* Turn about with the thief, until the sample has taken its time. */
static int take_turns(struct sample *s)
{
	uint64_t last = filchi_clock_ns() + (uint64_t)(s->options->seconds * 1e9);
	int err;

	do {
		err = s->loops->fill(s->queue, &s->owner);
		if (err)
			break;
		hand_over(s, TURN_THIEF);
		wait_while(s, TURN_THIEF);
		s->loops->drain(s->queue, &s->owner);
	} while (filchi_clock_ns() < last);
	hand_over(s, TURN_END);
	return err ? fail(s, err, "push") : 0;
}

int filchi_bench_steal_alone(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	struct sample s;
	struct thief thief;
	int err = begin(&s, c, error, 2, 2 * FILCHI_BENCH_FILL);

	if (err)
		return err;
	thief = (struct thief){.sample = &s, .place = 1};
	err = -pthread_create(&thief.thread, NULL, robber_main, &thief);
	if (err)
		return end(&s, fail(&s, err, "cannot start a thread"));
	err = take_turns(&s);
	pthread_join(thief.thread, NULL);
	set(c, values, "ns_per_steal", share(s.thief_ns, thief.tally.steals));
	set(c, values, "steals", (double)thief.tally.steals);
	s.owner.steals += thief.tally.steals;
	s.owner.sum += thief.tally.sum;
	return end(&s, err);
}
