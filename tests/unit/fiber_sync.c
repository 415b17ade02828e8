/* SPDX-License-Identifier: Apache-2.0 */
/* Mutex, condition, channels and select of fibers, with each kind of deque; also between fibers, jobs and threads. */
#include "../fixtures/fiber/fibers.h"

#include <pthread.h>

/* Few rounds: most wake a thread. On a busy machine each wake may wait for the time slices of other programs. */
enum { FIBERS = 8, ROUNDS = 16 };

/* ---- mutex and condition ---- */

static struct filch_fiber_mutex mutex;
static struct filch_fiber_cond cond;
static int counter, turn;

static int increments(void *arg, void **result)
{
	(void)arg;
	(void)result;
	for (int i = 0; i < ROUNDS; i++) {
		int before;

		TEST_CHECK(filch_fiber_mutex_lock(&mutex) == 0);
		before = counter;
		if (i % 8 == 0)
			filch_fiber_yield();
		counter = before + 1;
		TEST_CHECK(filch_fiber_mutex_unlock(&mutex) == 0);
	}
	return 0;
}

static void *increments_in_thread(void *unused)
{
	void *ignored;

	(void)increments(unused, &ignored);
	return NULL;
}

static void mutexes(void)
{
	struct filch_fiber *f[FIBERS];
	struct filch_future *future;
	pthread_t thread;

	counter = 0;
	for (int i = 0; i < FIBERS; i++)
		f[i] = go(increments, NULL);
	TEST_CHECK(filch_pool_submit(NULL, increments, NULL, &future) == 0);
	TEST_CHECK(pthread_create(&thread, NULL, increments_in_thread, NULL) == 0);
	for (int i = 0; i < FIBERS; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	TEST_CHECK(filch_future_wait(future, NULL) == 0);
	filch_future_destroy(future);
	pthread_join(thread, NULL);
	TEST_CHECK(counter == (FIBERS + 2) * ROUNDS);
	TEST_CHECK(filch_fiber_mutex_trylock(&mutex) == 0 && filch_fiber_mutex_trylock(&mutex) == -EBUSY);
	TEST_CHECK(filch_fiber_mutex_lock(&mutex) == -EDEADLK && filch_fiber_mutex_unlock(&mutex) == 0);
	TEST_CHECK(filch_fiber_mutex_unlock(&mutex) == -EPERM);
	TEST_CHECK(filch_fiber_cond_wait(&cond, &mutex) == -EPERM);
}

static int takes_turns(void *arg, void **result)
{
	(void)result;
	TEST_CHECK(filch_fiber_mutex_lock(&mutex) == 0);
	for (int i = 0; i < ROUNDS / 4; i++) {
		while (turn % FIBERS != (int)(intptr_t)arg)
			TEST_CHECK(filch_fiber_cond_wait(&cond, &mutex) == 0);
		turn++;
		filch_fiber_cond_broadcast(&cond);
	}
	TEST_CHECK(filch_fiber_mutex_unlock(&mutex) == 0);
	return 0;
}

static void conditions(void)
{
	struct filch_fiber *f[FIBERS];

	turn = 0;
	for (int i = 0; i < FIBERS; i++)
		f[i] = go(takes_turns, (void *)(intptr_t)i);
	for (int i = 0; i < FIBERS; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	TEST_CHECK(turn == FIBERS * (ROUNDS / 4));
	TEST_CHECK(filch_fiber_mutex_lock(&mutex) == 0);
	TEST_CHECK(filch_fiber_cond_wait_for(&cond, &mutex, 1000) == -ETIMEDOUT);
	filch_fiber_cond_signal(&cond);
	TEST_CHECK(filch_fiber_mutex_unlock(&mutex) == 0);
}

static int waits_for_mutex(void *arg, void **result)
{
	(void)result;
	TEST_CHECK(filch_fiber_mutex_lock_for(&mutex, 1000) == -ETIMEDOUT);
	atomic_store((atomic_int *)arg, 1);
	TEST_CHECK(filch_fiber_mutex_lock_for(&mutex, UINT64_MAX) == -ECANCELED);
	/* A plain lock does not listen. */
	TEST_CHECK(filch_fiber_mutex_lock(&mutex) == 0 && filch_fiber_mutex_unlock(&mutex) == 0);
	return 0;
}

static void gives_up(void)
{
	atomic_int begun = 0;
	struct filch_fiber *f;

	TEST_CHECK(filch_fiber_mutex_lock(&mutex) == 0);
	f = go(waits_for_mutex, &begun);
	while (!atomic_load(&begun))
		filch_fiber_yield();
	filch_fiber_cancel(f);
	TEST_CHECK(filch_fiber_join_for(f, 1000000, NULL) == -ETIMEDOUT);
	TEST_CHECK(filch_fiber_mutex_unlock(&mutex) == 0);
	TEST_CHECK(filch_fiber_join(f, NULL) == 0);
}

/* ---- channels ---- */

static struct filch_channel *numbers, *squares;

static int sends(void *arg, void **result)
{
	(void)result;
	for (intptr_t i = 1; i <= (intptr_t)arg; i++)
		TEST_CHECK(filch_channel_send(numbers, &i) == 0);
	return 0;
}

static int squares_them(void *arg, void **result)
{
	intptr_t n;
	int err;

	(void)arg;
	(void)result;
	while (!(err = filch_channel_recv(numbers, &n))) {
		n *= n;
		TEST_CHECK(filch_channel_send(squares, &n) == 0);
	}
	return err;
}

static intptr_t sum_of(intptr_t count)
{
	intptr_t sum = 0, n;

	while (count--) {
		TEST_CHECK(filch_channel_recv(squares, &n) == 0);
		sum += n;
	}
	return sum;
}

static void channels(void)
{
	for (size_t capacity = 0; capacity < 4; capacity++) {
		struct filch_fiber *from[2], *by[3];

		TEST_CHECK(filch_channel_create(&numbers, sizeof(intptr_t), capacity) == 0);
		TEST_CHECK(filch_channel_create(&squares, sizeof(intptr_t), capacity) == 0);
		for (int i = 0; i < 3; i++)
			by[i] = go(squares_them, NULL);
		for (int i = 0; i < 2; i++)
			from[i] = go(sends, (void *)20);
		TEST_CHECK(sum_of(40) == 2 * 2870);
		for (int i = 0; i < 2; i++)
			TEST_CHECK(filch_fiber_join(from[i], NULL) == 0);
		TEST_CHECK(filch_channel_close(numbers) == 0 && filch_channel_close(numbers) == -EPIPE);
		for (int i = 0; i < 3; i++)
			TEST_CHECK(filch_fiber_join(by[i], NULL) == -EPIPE);
		filch_channel_destroy(numbers);
		filch_channel_destroy(squares);
	}
}

static int waits_to_send(void *arg, void **result)
{
	(void)result;
	return filch_channel_send(arg, &(intptr_t){5});
}

static void closing(void)
{
	struct filch_channel *ch;
	struct filch_fiber *f;
	intptr_t n = 3;

	TEST_CHECK(filch_channel_create(&ch, sizeof(n), 1) == 0);
	TEST_CHECK(filch_channel_try_recv(ch, &n) == -EAGAIN && filch_channel_recv_for(ch, &n, 1000) == -ETIMEDOUT);
	TEST_CHECK(filch_channel_try_send(ch, &n) == 0 && filch_channel_try_send(ch, &n) == -EAGAIN);
	TEST_CHECK(filch_channel_send_for(ch, &n, 1000) == -ETIMEDOUT);
	f = go(waits_to_send, ch);
	TEST_CHECK(filch_fiber_join_for(f, 1000000, NULL) == -ETIMEDOUT);
	TEST_CHECK(filch_channel_close(ch) == 0);
	TEST_CHECK(filch_fiber_join(f, NULL) == -EPIPE);
	n = 0;
	TEST_CHECK(filch_channel_recv(ch, &n) == 0 && n == 3 && filch_channel_recv(ch, &n) == -EPIPE);
	TEST_CHECK(filch_channel_send(ch, &n) == -EPIPE);
	filch_channel_destroy(ch);
	f = NULL;
	TEST_CHECK(filch_channel_create(&ch, sizeof(n), 0) == 0);
	f = go(waits_to_send, ch);
	TEST_CHECK(filch_fiber_join_for(f, 1000000, NULL) == -ETIMEDOUT);
	filch_fiber_cancel(f);
	TEST_CHECK(filch_fiber_join(f, NULL) == -ECANCELED);
	TEST_CHECK(filch_channel_try_recv(ch, &n) == -EAGAIN);
	filch_channel_destroy(ch);
	TEST_CHECK(filch_channel_create(&ch, 0, 1) == -EINVAL && filch_channel_recv(NULL, &n) == -EINVAL);
	filch_channel_destroy(NULL);
}

/* ---- select ---- */

static int feeds(void *arg, void **result)
{
	(void)result;
	for (intptr_t i = 0; i < ROUNDS; i++)
		TEST_CHECK(filch_channel_send(arg, &i) == 0);
	return 0;
}

static void selects(void)
{
	enum { CHANNELS = 10 }; /* more than need no memory */
	struct filch_channel_case cases[CHANNELS];
	struct filch_fiber *f[CHANNELS];
	intptr_t next[CHANNELS] = {0}, got;
	size_t which = 0;

	for (int i = 0; i < CHANNELS; i++) {
		cases[i] = (struct filch_channel_case){.op = FILCH_CHANNEL_RECV, .element = &got};
		TEST_CHECK(filch_channel_create(&cases[i].channel, sizeof(got), (size_t)i % 3) == 0);
	}
	TEST_CHECK(filch_channel_select(cases, CHANNELS, 0, &which) == -ETIMEDOUT);
	TEST_CHECK(filch_channel_select(cases, CHANNELS, 1000, &which) == -ETIMEDOUT);
	for (int i = 0; i < CHANNELS; i++)
		f[i] = go(feeds, cases[i].channel);
	for (int i = 0; i < CHANNELS * ROUNDS; i++) {
		TEST_CHECK(filch_channel_select(cases, CHANNELS, UINT64_MAX, &which) == 0 && which < CHANNELS);
		TEST_CHECK(got == next[which]++);
	}
	for (int i = 0; i < CHANNELS; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	filch_channel_close(cases[4].channel);
	TEST_CHECK(filch_channel_select(cases, CHANNELS, UINT64_MAX, &which) == -EPIPE && which == 4);
	for (int i = 0; i < CHANNELS; i++)
		filch_channel_destroy(cases[i].channel);
	cases[0].op = 3;
	TEST_CHECK(filch_channel_select(cases, 1, 0, NULL) == -EINVAL &&
		   filch_channel_select(cases, 0, 0, NULL) == -EINVAL);
}

/* Two selects that each send or receive on the same two channels: all that is sent arrives. */
static struct filch_channel *both[2];
static atomic_int sent, received;

static int sends_or_receives(void *arg, void **result)
{
	(void)arg;
	(void)result;
	for (int i = 0; i < ROUNDS; i++) {
		intptr_t out = 1, in = 0;
		size_t which;
		struct filch_channel_case cases[] = {{both[i % 2], FILCH_CHANNEL_SEND, &out},
						     {both[1 - i % 2], FILCH_CHANNEL_RECV, &in}};

		if (!filch_channel_select(cases, 2, 20000, &which))
			atomic_fetch_add(which ? &received : &sent, which ? (int)in : 1);
	}
	return 0;
}

static void selects_meet(void)
{
	struct filch_fiber *f[4];
	intptr_t n;

	atomic_store(&sent, 0);
	atomic_store(&received, 0);
	for (int i = 0; i < 2; i++)
		TEST_CHECK(filch_channel_create(&both[i], sizeof(n), (size_t)i) == 0);
	for (int i = 0; i < 4; i++)
		f[i] = go(sends_or_receives, NULL);
	for (int i = 0; i < 4; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	while (!filch_channel_try_recv(both[1], &n))
		atomic_fetch_add(&received, (int)n);
	TEST_CHECK(atomic_load(&sent) == atomic_load(&received));
	filch_channel_destroy(both[0]);
	filch_channel_destroy(both[1]);
}

static void all(void)
{
	mutexes();
	conditions();
	gives_up();
	channels();
	closing();
	selects();
	selects_meet();
}

static int inside(void *arg, void **result)
{
	(void)arg;
	(void)result;
	all();
	return 0;
}

static void everywhere(void)
{
	struct filch_future *future;

	all();
	TEST_CHECK(filch_fiber_join(go(inside, NULL), NULL) == 0);
	TEST_CHECK(filch_pool_submit(NULL, inside, NULL, &future) == 0);
	TEST_CHECK(filch_future_wait(future, NULL) == 0);
	filch_future_destroy(future);
}

int main(void)
{
	for_each_pool(everywhere);
	return 0;
}
