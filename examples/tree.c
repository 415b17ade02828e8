/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the nodes and the levels of an uneven tree. The root has 2000 children. A random number decides whether
 * another node has 8 children or none. The size of a subtree is unknown beforehand, so nobody can cut the tree into
 * equal parts.
 */
#include <filch.h>
#include <stdint.h>
#include <stdio.h>

struct size {
	long nodes;
	long depth;
};

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* Visits child number of a node, and the nodes below it. The root has no parent. */
FILCH_TASK(struct size, visit, unsigned, number, uint64_t, parent)
{
	uint64_t node = mix(parent + number + 1);
	unsigned children = !parent ? 2000 : node % 10000 < 1248 ? 8 : 0;
	struct size all = {1, 1};

	FILCH_SPAWN_N(visit, children, node); /* visit(0, node), visit(1, node), ... */
	for (unsigned i = 0; i < children; i++) {
		struct size below = FILCH_SYNC(visit);

		all.nodes += below.nodes;
		if (all.depth < below.depth + 1)
			all.depth = below.depth + 1;
	}
	return all;
}

int main(void)
{
	struct size alone = FILCH_RUN(visit, 0, 0); /* before filch_start: in this thread */
	struct size all;

	if (filch_start(NULL)) {
		fprintf(stderr, "%s\n", filch_error_message());
		return 1;
	}
	all = FILCH_RUN(visit, 0, 0);
	filch_stop();
	printf("%ld nodes, %ld levels\n", all.nodes, all.depth);
	return all.nodes != alone.nodes || all.depth != alone.depth;
}
