/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include <filch.h>

/* Expands the lists of parameters before filch counts them. */
#define TASK(...) FILCH_TASK(__VA_ARGS__)
#define SPAWN(...) FILCH_SPAWN(__VA_ARGS__)
#define CALL(...) FILCH_CALL(__VA_ARGS__)

/* All rounds are one job: only RUNS measures how a job starts and ends. */
#define ROUNDS(name, call)                                                                                             \
	FILCH_TASK(uint64_t, name##_all, const struct filchi_spawn_job *, job)                                         \
	{                                                                                                              \
		uint64_t sum = 0;                                                                                      \
                                                                                                                       \
		for (uint64_t i = 0; i < job->rounds; i++)                                                             \
			sum += (uint64_t)(call);                                                                       \
		return sum;                                                                                            \
	}                                                                                                              \
	static uint64_t name##_rounds(const struct filchi_spawn_job *job)                                              \
	{                                                                                                              \
		return FILCH_RUN(name##_all, job);                                                                     \
	}

#define FIB(type, name, first, join)                                                                                   \
	FILCH_TASK(type, name, int, n)                                                                                 \
	{                                                                                                              \
		type b;                                                                                                \
                                                                                                                       \
		if (n < 2)                                                                                             \
			return first;                                                                                  \
		FILCH_SPAWN(name, n - 1);                                                                              \
		b = FILCH_CALL(name, n - 2);                                                                           \
		return FILCH_SYNC(name) join b;                                                                        \
	}                                                                                                              \
	ROUNDS(name, FILCH_CALL(name, job->size))

FIB(int, fib_int, n, +)
FIB(long, fib_long, n, +)
FIB(float, fib_float, (float)n, +)
FIB(bool, fib_bool, n == 1, !=)

FILCH_TASK(void, fib_void, int, n, long *, result)
{
	long a, b;

	if (n < 2) {
		*result = n;
		return;
	}
	FILCH_SPAWN(fib_void, n - 1, &a);
	FILCH_CALL(fib_void, n - 2, &b);
	FILCH_SYNC(fib_void);
	*result = a + b;
}

FILCH_TASK(long, fib_by_pointer, int, n)
{
	long result;

	FILCH_CALL(fib_void, n, &result);
	return result;
}
ROUNDS(fib_void, FILCH_CALL(fib_by_pointer, job->size))

typedef struct filchi_spawn_pair pair;
FILCH_TASK(pair, fib_struct, int, n)
{
	pair a, b;

	if (n < 2)
		return (pair){n, 0};
	FILCH_SPAWN(fib_struct, n - 1);
	b = FILCH_CALL(fib_struct, n - 2);
	a = FILCH_SYNC(fib_struct);
	return (pair){a.value + b.value, a.spawns + b.spawns + 1};
}

FILCH_TASK(long, fib_both, int, n)
{
	pair both = FILCH_CALL(fib_struct, n);

	return both.value + both.spawns;
}
ROUNDS(fib_struct, FILCH_CALL(fib_both, job->size))

#define PARAMS(k)                                                                                                      \
	TASK(long, params_##k, int, n FILCHI_SPAWN_TASK_##k)                                                           \
	{                                                                                                              \
		long last;                                                                                             \
                                                                                                                       \
		if (n < 2)                                                                                             \
			return n FILCHI_SPAWN_SUM_##k;                                                                 \
		SPAWN(params_##k, n - 1 FILCHI_SPAWN_ARGUMENTS_##k);                                                   \
		last = CALL(params_##k, n - 2 FILCHI_SPAWN_ARGUMENTS_##k);                                             \
		return FILCH_SYNC(params_##k) + last;                                                                  \
	}                                                                                                              \
	FILCH_TASK(long, params_##k##_ones, int, n, long, one)                                                         \
	{                                                                                                              \
		(void)one;                                                                                             \
		return CALL(params_##k, n FILCHI_SPAWN_ONES_##k);                                                      \
	}                                                                                                              \
	ROUNDS(params_##k, FILCH_CALL(params_##k##_ones, job->size, job->one))
FILCHI_SPAWN_EACH(PARAMS)

#define TREE(children)                                                                                                 \
	FILCH_TASK(int, tree_##children, int, depth)                                                                   \
	{                                                                                                              \
		int sum = 0;                                                                                           \
                                                                                                                       \
		if (!depth)                                                                                            \
			return filchi_spawn_work(0);                                                                   \
		for (int i = 0; i < children; i++)                                                                     \
			FILCH_SPAWN(tree_##children, depth - 1);                                                       \
		for (int i = 0; i < children; i++)                                                                     \
			sum += FILCH_SYNC(tree_##children);                                                            \
		return sum;                                                                                            \
	}                                                                                                              \
	ROUNDS(tree_##children, FILCH_CALL(tree_##children, job->size))
TREE(2)
TREE(4)
TREE(16)

FILCH_TASK(int, work, unsigned, loops)
{
	return filchi_spawn_work(loops);
}

FILCH_TASK(int, loop, int, count, unsigned, loops)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		FILCH_SPAWN(work, loops);
	for (int i = 0; i < count; i++)
		sum += FILCH_SYNC(work);
	return sum;
}
ROUNDS(loop, FILCH_CALL(loop, job->size, job->loops))

FILCH_TASK(int, numbered, int, number, unsigned, loops)
{
	(void)number;
	return filchi_spawn_work(loops);
}

FILCH_TASK(int, spawn_n, int, count, unsigned, loops)
{
	int sum = 0;

	FILCH_SPAWN_N(numbered, count, loops);
	for (int i = 0; i < count; i++)
		sum += FILCH_SYNC(numbered);
	return sum;
}
ROUNDS(spawn_n, FILCH_CALL(spawn_n, job->size, job->loops))

static uint64_t runs_rounds(const struct filchi_spawn_job *job)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < job->rounds; i++)
		sum += (uint64_t)FILCH_RUN(loop, job->size, 0);
	return sum;
}

FILCHI_SPAWN_TABLE;
