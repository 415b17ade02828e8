/* SPDX-License-Identifier: Apache-2.0 */
#include "trees.h"

#include <math.h>
#include <time.h>

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Turns of a loop, not time: so a processor that is shared does not shorten the work. */
static double turns_per_ns(void)
{
	static double known;

	if (known == 0) {
		double best = 0;

		for (int i = 0; i < 9; i++) {
			uint64_t begin = now();

			for (unsigned n = 0; n < 1000000; n++)
				__asm__ volatile("" : : : "memory");
			if (1e6 / (double)(now() - begin) > best)
				best = 1e6 / (double)(now() - begin);
		}
		known = best;
	}
	return known;
}

/* Log-normal with sigma 1.5: the longest of 10,000 nodes takes about 90 times the mean. */
static void spend(const struct filchi_search_tree *tree, uint64_t word)
{
	const double sigma = 1.5;
	double ns = tree->ns;

	if (tree->log_normal) {
		double u = ((double)(filchi_search_mix(word ^ 1) >> 11) + 0.5) * 0x1p-53;
		double v = ((double)(filchi_search_mix(word ^ 2) >> 11) + 0.5) * 0x1p-53;
		double normal = sqrt(-2 * log(u)) * cos(6.283185307179586 * v);

		ns = exp(log(ns) - sigma * sigma / 2 + sigma * normal);
	}
	for (uint64_t n = (uint64_t)(ns * turns_per_ns()); n; n--)
		__asm__ volatile("" : : : "memory");
}

void filchi_search_child(const struct filchi_search_tree *tree, const struct filchi_search_state *parent,
			 unsigned number, struct filchi_search_state *child)
{
	uint64_t word = parent->word + number + 1;

	for (unsigned i = 0; i < tree->hashes; i++)
		word = filchi_search_mix(word);
	child->word = word;
	child->depth = parent->depth + 1;
	child->bound = parent->bound;
	if (tree->bounds)
		child->bound += tree->bounds == FILCHI_SEARCH_FEW ? word % 16 == 0 : (int64_t)(word >> 40);
	if (tree->ns)
		spend(tree, word);
}
