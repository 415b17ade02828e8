/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of a problem. Each problem has a reader of its public file format, a generator of random instances, and
 * a check of solutions. The check knows nothing of decision diagrams. A problem is one folder with these files:
 *
 *	NAME.h      the instance
 *	read.c      text -> instance
 *	generate.c  random numbers -> text
 *	check.c     instance, solution -> value
 *	model.c     instance -> problem of the solver
 *
 * None of the first four needs the solver.
 */
#ifndef FILCHI_PROBLEMS_PROBLEM_H
#define FILCHI_PROBLEMS_PROBLEM_H

#include "text.h"

#include <stdio.h>

/* The properties of a random instance. A zero or negative value means the default of the problem. */
struct filchi_generate {
	uint64_t seed;
	size_t size;	/* items, vertices, variables, places, marks or jobs */
	double density; /* of edges, clauses or precedences, 0 to 1; negative: default */
	int64_t range;	/* the largest weight, distance or profit */
	size_t arcs, scenarios; /* of a network; 0: default */
};

/* A wrong solution: the first reason. */
struct filchi_check_error {
	char text[160];
};

struct filchi_problem {
	const char *name;
	const char *title;   /* one line */
	const char *size_of; /* what --size counts */
	size_t size_usual, size_max; /* of generated instances */
	int64_t range_usual;
	unsigned decimals;	     /* the value is in units of 1/10^decimals */
	bool maximise;
	const char *cutset; /* the cutset that suits it; NULL: the default of the solver */
	bool no_cache;	    /* thresholds cost more time than they save: its states hardly ever repeat */
	bool network;	    /* instances have arcs and scenarios; it has a solver of its own, and no model */
	/* An instance, or NULL; then the text has the error. */
	void *(*read)(struct filchi_text *t);
	void (*destroy)(void *instance);
	/* size and range are set, and size is at most size_max. */
	void (*generate)(FILE *out, const struct filchi_generate *g);
	/* 0 and the value; else -EINVAL and the reason. */
	int (*check)(const void *instance, const int32_t *solution, size_t count, int64_t *value,
		     struct filchi_check_error *error);
};

/* Declares the functions of a problem. */
#define FILCHI_PROBLEM_FUNCTIONS(name)                                                                                 \
	void *filchi_##name##_read(struct filchi_text *t);                                                             \
	void filchi_##name##_destroy(void *instance);                                                                  \
	void filchi_##name##_generate(FILE *out, const struct filchi_generate *g);                                     \
	int filchi_##name##_check(const void *instance, const int32_t *solution, size_t count, int64_t *value,         \
				  struct filchi_check_error *error)

/* The problem with number n, or NULL. */
const struct filchi_problem *filchi_problem_at(unsigned n);
const struct filchi_problem *filchi_problem_find(const char *name);

/* Sets the message of a wrong solution. Returns -EINVAL. */
__attribute__((format(printf, 2, 3))) int filchi_check_fail(struct filchi_check_error *error, const char *format, ...);

/* The solution must have count numbers. 0 or -EINVAL. */
int filchi_check_count(struct filchi_check_error *error, size_t count, size_t expected);

/* The solution must have count numbers, each 0 or 1. */
int filchi_check_binary(struct filchi_check_error *error, const int32_t *solution, size_t count, size_t expected);

/* The solution must have each of 1 .. expected once: an order of all places but place 0. */
int filchi_check_order(struct filchi_check_error *error, const int32_t *solution, size_t count, size_t expected);

/* Random numbers: the same for the same seed on every machine. */
struct filchi_random {
	uint64_t state;
};
struct filchi_random filchi_random_begin(const struct filchi_generate *g);
int64_t filchi_random_between(struct filchi_random *r, int64_t min, int64_t max);
bool filchi_random_chance(struct filchi_random *r, double probability);

/* A random order of 0 .. n-1. NULL: no memory. The caller frees it. */
size_t *filchi_random_order(struct filchi_random *r, size_t n);

/* The density, or the default if it is not set. */
double filchi_generate_density(const struct filchi_generate *g, double usual);

/* A square table of bits, for pairs that were seen. */
static inline bool filchi_bit_test(const uint64_t *bits, size_t at)
{
	return bits[at / 64] >> (at % 64) & 1;
}
static inline void filchi_bit_set(uint64_t *bits, size_t at)
{
	bits[at / 64] |= (uint64_t)1 << (at % 64);
}
static inline void filchi_bit_clear(uint64_t *bits, size_t at)
{
	bits[at / 64] &= ~((uint64_t)1 << (at % 64));
}

#endif
