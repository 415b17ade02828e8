/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many fibers that wait, wake, cancel and steal at random, pinned and free. Each holds a canary on its stack. A hundred
 * million switches in a deep run.
 */
#include "../fixtures/fiber/fibers.h"
#include "../fixtures/sanitizer.h"

enum { FIBERS = 64 };

static uint64_t goal;
static atomic_ulong steps, balance;
static struct filch_channel *channel;
static struct filch_fiber_mutex mutex;
static struct filch_fiber_cond cond;
static long guarded;

static uint64_t next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

static int child(void *arg, void **result)
{
	*result = arg;
	if ((intptr_t)arg % 3 == 0)
		filch_fiber_yield();
	return filch_fiber_sleep((uint64_t)((intptr_t)arg % 7) * 1000);
}

static void join_child(uint64_t random)
{
	struct filch_fiber *f = go(child, (void *)(intptr_t)random);
	void *result;
	int err;

	if (random % 5 == 0)
		filch_fiber_cancel(f);
	if (random % 11 == 0) {
		filch_fiber_detach(f);
		return;
	}
	err = filch_fiber_join(f, &result);
	TEST_CHECK((err == 0 && result == (void *)(intptr_t)random) || (err == -ECANCELED && random % 5 == 0));
}

static void use_mutex(uint64_t random)
{
	TEST_CHECK(filch_fiber_mutex_lock(&mutex) == 0);
	guarded++;
	if (random % 8 == 0)
		(void)filch_fiber_cond_wait_for(&cond, &mutex, 2000);
	else if (random % 8 == 1)
		filch_fiber_cond_signal(&cond);
	guarded++;
	TEST_CHECK(filch_fiber_mutex_unlock(&mutex) == 0);
}

static void use_channel(uint64_t random)
{
	unsigned long one = 1;
	size_t which;
	struct filch_channel_case cases[] = {{channel, FILCH_CHANNEL_SEND, &one}, {channel, FILCH_CHANNEL_RECV, &one}};

	if (random % 3 == 0) {
		if (!filch_channel_send_for(channel, &one, random % 4096))
			atomic_fetch_add(&balance, 1);
	} else if (random % 3 == 1) {
		if (!filch_channel_recv_for(channel, &one, random % 4096))
			atomic_fetch_sub(&balance, 1);
	} else if (!filch_channel_select(cases, 2, random % 4096, &which)) {
		atomic_fetch_add(&balance, which ? -1ul : 1ul);
	}
}

static int worker(void *arg, void **result)
{
	volatile uint64_t canary[32];
	uint64_t seed = (uint64_t)(intptr_t)arg;

	(void)result;
	for (int i = 0; i < 32; i++)
		canary[i] = seed + (uint64_t)i;
	while (atomic_fetch_add(&steps, 1) < goal) {
		uint64_t random = next(&seed);

		if (random % 64 < 44)
			filch_fiber_yield();
		else if (random % 64 < 52)
			use_channel(random / 64);
		else if (random % 64 < 60)
			use_mutex(random / 64);
		else
			join_child(random / 64);
		TEST_CHECK(canary[random % 32] == (uint64_t)(intptr_t)arg + random % 32);
	}
	return 0;
}

static void round_of(const char *deque, int workers, int migrate)
{
	struct filch_fiber_stats s = {.struct_size = sizeof(s)};
	struct filch_fiber *f[FIBERS];
	unsigned long one;

	begin_pool(deque, workers, migrate);
	atomic_store(&steps, 0);
	atomic_store(&balance, 0);
	TEST_CHECK(filch_channel_create(&channel, sizeof(one), 3) == 0);
	for (int i = 0; i < FIBERS; i++)
		f[i] = go(worker, (void *)(intptr_t)(i + 1));
	for (int i = 0; i < FIBERS; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	while (!filch_channel_try_recv(channel, &one))
		atomic_fetch_sub(&balance, 1);
	TEST_CHECK(atomic_load(&balance) == 0);
	filch_channel_destroy(channel);
	TEST_CHECK(filch_fiber_stats(NULL, &s) == 0);
	printf("%-14s %d workers %s: %lu switches, %lu fibers, %lu stolen\n", deque, workers,
	       migrate == FILCH_FIBER_FREE ? "free  " : "pinned", (unsigned long)s.switches, (unsigned long)s.started,
	       (unsigned long)s.stolen);
	TEST_CHECK(filch_stop() == 0);
}

int main(void)
{
	const char *deque;

	goal = getenv("FILCH_DEEP") ? 6000000 : TEST_SANITIZED ? 3000 : 200000;
	for (unsigned i = 0; (deque = filch_deque_kind_name(i)); i++)
		for (int migrate = FILCH_FIBER_PINNED; migrate <= FILCH_FIBER_FREE; migrate++)
			round_of(deque, (int)(i % 3) + 1, migrate);
	return 0;
}
