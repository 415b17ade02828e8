/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol between ranks over a simulated network: each node explored once, the end neither early nor missing,
 * checkpoints complete, best values everywhere. search_ranks [FIRST [COUNT]]: these seeds.
 */
#include "../../search/mpi/sim/sim.h"
#include "../fixtures/test.h"

#include <stdio.h>
#include <stdlib.h>

enum { SEEDS = 1500, DEEP = 10000 };

static uint64_t mix(uint64_t *x)
{
	*x = *x * 6364136223846793005u + 1442695040888963407u;
	return *x >> 33;
}

/* All kinds of jobs: few and many ranks, with and without groups, uneven machines, networks that delay. */
static struct filchi_sim_config choose(uint64_t seed)
{
	uint64_t x = seed * 977 + 5;
	struct filchi_sim_config c = {.seed = seed, .exact = true, .node_bytes = 100, .bytes_per_ns = 1};
	static const double spreads[] = {0, 0.5, 2}, node_ns[] = {2e3, 1e5, 3e6}, latencies[] = {1e3, 2e4, 1e6};

	c.ranks = seed % 4 == 0 ? 1 + (int)(mix(&x) % 4) : 2 + (int)(mix(&x) % (seed % 16 == 1 ? 199 : 30));
	c.group = mix(&x) % 3 ? 0 : 2 + (int)(mix(&x) % 8);
	c.nodes = 1 + mix(&x) % (seed % 16 == 1 ? 20000 : 3000);
	c.spread = spreads[mix(&x) % 3];
	c.node_ns = node_ns[mix(&x) % 3];
	c.latency_ns = latencies[mix(&x) % 3];
	c.jitter = (double)(mix(&x) % 3) * 2;
	c.poll_ns = mix(&x) % 2 ? 1e6 : 1e5;
	c.handle_ns = 500;
	c.send_ns = 300;
	c.slow = mix(&x) % 3 ? 0 : 0.2;
	c.slow_factor = 30;
	c.stopped = mix(&x) % 3 ? 0 : 0.2;
	c.stopped_ns = 1e9;
	c.look_ns = 2e6;
	c.report_ns = 1000000;
	c.heartbeat_ns = 50000000;
	c.checkpoints = mix(&x) % 2 != 0;
	c.dies = c.checkpoints && mix(&x) % 2;
	c.limit = mix(&x) % 3 ? 0 : mix(&x) % c.nodes;
	return c;
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : getenv("FILCH_DEEP") ? DEEP : SEEDS;
	uint64_t batches = 0, checkpoints = 0, restarts = 0, messages = 0;

	for (uint64_t seed = first; seed < first + count; seed++) {
		struct filchi_sim_config c = choose(seed);
		struct filchi_sim_result r;

		TEST_CHECK(filchi_sim_run(&c, &r) == 0);
		if (r.failure[0]) {
			printf("seed %llu, %d ranks in groups of %d, %llu nodes: %s\n", (unsigned long long)seed,
			       c.ranks, c.group, (unsigned long long)c.nodes, r.failure);
			return 1;
		}
		batches += r.batches;
		checkpoints += r.checkpoints;
		restarts += r.restarts;
		messages += r.messages;
	}
	printf("%llu seeds: %llu messages, %llu batches, %llu checkpoints, %llu restarts\n", (unsigned long long)count,
	       (unsigned long long)messages, (unsigned long long)batches, (unsigned long long)checkpoints,
	       (unsigned long long)restarts);
	/* The seeds reach everything that they should. */
	TEST_CHECK(argc > 1 || (batches > count && checkpoints > count / 8 && restarts > count / 20));
	return 0;
}
