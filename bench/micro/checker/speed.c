/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how many executions of a small program the checker explores in a second, and the gain of the reduction. */
#include "../../../check/chk.h"

#include <stdlib.h>
#include <string.h>

static uint32_t shared[4];
static uint64_t seen[4];

#define LOAD(p, o) chk_load(p, 4, CHK_SITE(CHK_LOAD, #p, "", o, CHK_RLX))
#define STORE(p, v, o) chk_store(p, 4, v, CHK_SITE(CHK_STORE, #p, "", o, CHK_RLX))
#define ADD(p, v, o) chk_fetch_add(p, 4, v, CHK_SITE(CHK_FETCH_ADD, #p, "", o, CHK_RLX))
#define FENCE(o) chk_fence(CHK_SITE(CHK_FENCE, "", "", o, CHK_RLX))

/* Store buffering in a ring: thread n writes its own location and reads its neighbour's. */
static void ring(void *arg)
{
	unsigned n = (unsigned)(uintptr_t)arg;

	STORE(&shared[n], 1, CHK_REL);
	seen[n] = LOAD(&shared[(n + 1) % 3], CHK_ACQ);
	seen[n] += LOAD(&shared[(n + 2) % 3], CHK_ACQ);
}

/* Two writers and two readers of one location. */
static void coherence(void *arg)
{
	unsigned n = (unsigned)(uintptr_t)arg;

	if (n < 2)
		STORE(&shared[0], n + 1, CHK_RLX);
	seen[n] = LOAD(&shared[0], CHK_RLX);
	seen[n] += LOAD(&shared[0], CHK_RLX);
}

static void fenced_ring(void *arg)
{
	unsigned n = (unsigned)(uintptr_t)arg;

	STORE(&shared[n], 1, CHK_RLX);
	FENCE(CHK_SC);
	seen[n] = LOAD(&shared[(n + 1) % 3], CHK_RLX);
	seen[n] += LOAD(&shared[(n + 2) % 3], CHK_RLX);
}

static void counters(void *arg)
{
	unsigned n = (unsigned)(uintptr_t)arg;

	seen[n] = ADD(&shared[0], 1, CHK_ACQ_REL);
	seen[n] += ADD(&shared[0], 1, CHK_ACQ_REL);
}

static void scenario(void *arg)
{
	int threads[3];

	for (unsigned i = 0; i < 3; i++)
		chk_init(&shared[i], 4, 0, CHK_SITE(CHK_STORE, "shared", "", CHK_RLX, CHK_RLX));
	for (unsigned i = 0; i < 3; i++)
		threads[i] = chk_thread(*(void (**)(void *))arg, (void *)(uintptr_t)i);
	for (unsigned i = 0; i < 3; i++)
		chk_join(threads[i]);
}

static void measure(const char *name, void (*body)(void *), double seconds)
{
	uint64_t executions = 0, naive;
	double spent = 0;
	struct chk_config config = {.name = name};
	struct chk_result r;

	while (spent < seconds) {
		r = chk_run(&config, scenario, &body);
		if (r.verdict != CHK_OK)
			exit(1);
		executions += r.executions + r.blocked;
		spent += r.seconds;
		chk_result_clear(&r);
	}
	r = chk_run(&config, scenario, &body);
	uint64_t reduced = r.executions + r.blocked, events = r.events / reduced;

	chk_result_clear(&r);
	config.mode = CHK_NAIVE;
	config.max_seconds = 20 * seconds;
	r = chk_run(&config, scenario, &body);
	naive = r.executions + r.blocked;
	printf("%-22s %6llu %9llu%c %8.0f %8llu %12.0f\n", name, (unsigned long long)reduced, (unsigned long long)naive,
	       r.capped ? '+' : ' ', (double)naive / (double)reduced, (unsigned long long)events,
	       (double)executions / spent);
	chk_result_clear(&r);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;

	printf("%-22s %6s %10s %8s %8s %12s\n", "program (3 threads)", "DPOR", "unreduced", "factor", "events",
	       "DPOR runs/s");
	measure("ring, release", ring, seconds);
	measure("ring, sc fences", fenced_ring, seconds);
	measure("coherence, relaxed", coherence, seconds);
	measure("counters, fetch_add", counters, seconds);
	return 0;
}
