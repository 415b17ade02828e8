/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#define MAX_COUNT 1000 /* tasks of a round */

#define ROUNDS(name, call)                                                                                             \
	static uint64_t name##_rounds(const struct filchi_spawn_job *job)                                              \
	{                                                                                                              \
		uint64_t sum = 0;                                                                                      \
                                                                                                                       \
		_Pragma("omp parallel") _Pragma("omp single") for (uint64_t i = 0; i < job->rounds; i++) sum +=        \
			(uint64_t)(call);                                                                              \
		return sum;                                                                                            \
	}

#define FIB(type, name, first, join)                                                                                   \
	static type name(int n)                                                                                        \
	{                                                                                                              \
		type a, b;                                                                                             \
                                                                                                                       \
		if (n < 2)                                                                                             \
			return first;                                                                                  \
		_Pragma("omp task shared(a)") a = name(n - 1);                                                         \
		b = name(n - 2);                                                                                       \
		_Pragma("omp taskwait") return a join b;                                                               \
	}                                                                                                              \
	ROUNDS(name, name(job->size))

FIB(int, fib_int, n, +)
FIB(long, fib_long, n, +)
FIB(float, fib_float, (float)n, +)
FIB(bool, fib_bool, n == 1, !=)

static void fib_void(int n, long *result)
{
	long a, b;

	if (n < 2) {
		*result = n;
		return;
	}
#pragma omp task shared(a)
	fib_void(n - 1, &a);
	fib_void(n - 2, &b);
#pragma omp taskwait
	*result = a + b;
}

static long fib_by_pointer(int n)
{
	long result;

	fib_void(n, &result);
	return result;
}
ROUNDS(fib_void, fib_by_pointer(job->size))

static struct filchi_spawn_pair fib_struct(int n)
{
	struct filchi_spawn_pair a, b;

	if (n < 2)
		return (struct filchi_spawn_pair){n, 0};
#pragma omp task shared(a)
	a = fib_struct(n - 1);
	b = fib_struct(n - 2);
#pragma omp taskwait
	return (struct filchi_spawn_pair){a.value + b.value, a.spawns + b.spawns + 1};
}

static long fib_both(int n)
{
	struct filchi_spawn_pair pair = fib_struct(n);

	return pair.value + pair.spawns;
}
ROUNDS(fib_struct, fib_both(job->size))

#define PARAMS(k)                                                                                                      \
	static long params_##k(int n FILCHI_SPAWN_TYPED_##k)                                                           \
	{                                                                                                              \
		long first, last;                                                                                      \
                                                                                                                       \
		if (n < 2)                                                                                             \
			return n FILCHI_SPAWN_SUM_##k;                                                                 \
		_Pragma("omp task shared(first)") first = params_##k(n - 1 FILCHI_SPAWN_ARGUMENTS_##k);                \
		last = params_##k(n - 2 FILCHI_SPAWN_ARGUMENTS_##k);                                                   \
		_Pragma("omp taskwait") return first + last;                                                           \
	}                                                                                                              \
	static long params_##k##_ones(int n, long one)                                                                 \
	{                                                                                                              \
		(void)one;                                                                                             \
		return params_##k(n FILCHI_SPAWN_ONES_##k);                                                            \
	}                                                                                                              \
	ROUNDS(params_##k, params_##k##_ones(job->size, job->one))
FILCHI_SPAWN_EACH(PARAMS)

#define TREE(children)                                                                                                 \
	static int tree_##children(int depth)                                                                          \
	{                                                                                                              \
		int results[children], sum = 0;                                                                        \
                                                                                                                       \
		if (!depth)                                                                                            \
			return filchi_spawn_work(0);                                                                   \
		for (int i = 0; i < children; i++) {                                                                   \
			_Pragma("omp task shared(results)") results[i] = tree_##children(depth - 1);                   \
		}                                                                                                      \
		_Pragma("omp taskwait") for (int i = 0; i < children; i++) sum += results[i];                          \
		return sum;                                                                                            \
	}                                                                                                              \
	ROUNDS(tree_##children, tree_##children(job->size))
TREE(2)
TREE(4)
TREE(16)

static int add_up(const int *results, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += results[i];
	return sum;
}

static int loop(int count, unsigned loops)
{
	int results[MAX_COUNT];

	for (int i = 0; i < count; i++) {
#pragma omp task shared(results)
		results[i] = filchi_spawn_work(loops);
	}
#pragma omp taskwait
	return add_up(results, count);
}
ROUNDS(loop, loop(job->size, job->loops))

/* The runtime chooses the size of its tasks, as with most users. */
static int spawn_n(int count, unsigned loops)
{
	int results[MAX_COUNT];

#pragma omp taskloop shared(results)
	for (size_t i = 0; i < (size_t)count; i++)
		results[i] = filchi_spawn_work(loops);
	return add_up(results, count);
}
ROUNDS(spawn_n, spawn_n(job->size, job->loops))

static uint64_t runs_rounds(const struct filchi_spawn_job *job)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < job->rounds; i++) {
#pragma omp parallel
#pragma omp single
		sum += (uint64_t)loop(job->size, 0);
	}
	return sum;
}

FILCHI_SPAWN_TABLE;
