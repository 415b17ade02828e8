/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers for choosing victims and for tests: splitmix64 (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", 2014). The state is one word, and each seed is good. Not for secrets.
 */
#ifndef FILCHI_BASE_RNG_H
#define FILCHI_BASE_RNG_H

#include <stdint.h>

struct filchi_rng {
	uint64_t state;
};

static inline void filchi_rng_seed(struct filchi_rng *rng, uint64_t seed)
{
	rng->state = seed;
}

static inline uint64_t filchi_rng_next(struct filchi_rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* From [0, n), 0 for n = 0. By multiplication: a division would cost more than the bias of at most n / 2^32. */
static inline uint32_t filchi_rng_below(struct filchi_rng *rng, uint32_t n)
{
	return (uint32_t)(((filchi_rng_next(rng) >> 32) * n) >> 32);
}

#endif
