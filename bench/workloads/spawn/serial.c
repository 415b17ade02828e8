/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The baseline: plain functions, written as a user writes them without a runtime. The recursive functions are inline,
 * because gcc then inlines them into themselves, and some take half the time.
 */
#include "table.h"

#define ROUNDS(name, call)                                                                                             \
	static uint64_t name##_rounds(const struct filchi_spawn_job *job)                                              \
	{                                                                                                              \
		uint64_t sum = 0;                                                                                      \
                                                                                                                       \
		for (uint64_t i = 0; i < job->rounds; i++)                                                             \
			sum += (uint64_t)(call);                                                                       \
		return sum;                                                                                            \
	}

/* Keeps gcc from computing fib(n - 2) only once for fib(n) and fib(n - 1). The word costs no instruction. */
#define EACH_CALL __asm__ volatile("")
#define ANY_CALL (void)0

#define FIB(type, name, first, join, calls)                                                                            \
	static inline type name(int n)                                                                                 \
	{                                                                                                              \
		calls;                                                                                                 \
		if (n < 2)                                                                                             \
			return first;                                                                                  \
		return name(n - 1) join name(n - 2);                                                                   \
	}                                                                                                              \
	ROUNDS(name, name(job->size))

FIB(int, fib_int, n, +, ANY_CALL)
FIB(long, fib_long, n, +, ANY_CALL)
FIB(float, fib_float, (float)n, +, EACH_CALL)
FIB(bool, fib_bool, n == 1, !=, EACH_CALL)

static inline void fib_void(int n, long *result)
{
	long a, b;

	if (n < 2) {
		*result = n;
		return;
	}
	fib_void(n - 1, &a);
	fib_void(n - 2, &b);
	*result = a + b;
}

static long fib_by_pointer(int n)
{
	long result;

	fib_void(n, &result);
	return result;
}
ROUNDS(fib_void, fib_by_pointer(job->size))

static inline struct filchi_spawn_pair fib_struct(int n)
{
	struct filchi_spawn_pair a, b;

	if (n < 2)
		return (struct filchi_spawn_pair){n, 0};
	a = fib_struct(n - 1);
	b = fib_struct(n - 2);
	return (struct filchi_spawn_pair){a.value + b.value, a.spawns + b.spawns + 1};
}

static long fib_both(int n)
{
	struct filchi_spawn_pair pair = fib_struct(n);

	return pair.value + pair.spawns;
}
ROUNDS(fib_struct, fib_both(job->size))

#define PARAMS(k)                                                                                                      \
	static inline long params_##k(int n FILCHI_SPAWN_TYPED_##k)                                                    \
	{                                                                                                              \
		if (n < 2)                                                                                             \
			return n FILCHI_SPAWN_SUM_##k;                                                                 \
		return params_##k(n - 1 FILCHI_SPAWN_ARGUMENTS_##k) + params_##k(n - 2 FILCHI_SPAWN_ARGUMENTS_##k);    \
	}                                                                                                              \
	static long params_##k##_ones(int n, long one)                                                                 \
	{                                                                                                              \
		(void)one;                                                                                             \
		return params_##k(n FILCHI_SPAWN_ONES_##k);                                                            \
	}                                                                                                              \
	ROUNDS(params_##k, params_##k##_ones(job->size, job->one))
FILCHI_SPAWN_EACH(PARAMS)

#define TREE(children)                                                                                                 \
	static inline int tree_##children(int depth)                                                                   \
	{                                                                                                              \
		int sum = 0;                                                                                           \
                                                                                                                       \
		if (!depth)                                                                                            \
			return filchi_spawn_work(0);                                                                   \
		for (int i = 0; i < children; i++)                                                                     \
			sum += tree_##children(depth - 1);                                                             \
		return sum;                                                                                            \
	}                                                                                                              \
	ROUNDS(tree_##children, tree_##children(job->size))
TREE(2)
TREE(4)
TREE(16)

static int loop(int count, unsigned loops)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += filchi_spawn_work(loops);
	return sum;
}
ROUNDS(loop, loop(job->size, job->loops))
ROUNDS(spawn_n, loop(job->size, job->loops))
ROUNDS(runs, loop(job->size, 0))

FILCHI_SPAWN_TABLE;
