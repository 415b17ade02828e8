/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <vector>

/* One arena for all rounds, so that only RUNS measures how work starts from outside. */
#define ROUNDS(name, call)                                                                                             \
	static uint64_t name##_rounds(const struct filchi_spawn_job *job)                                              \
	{                                                                                                              \
		uint64_t sum = 0;                                                                                      \
                                                                                                                       \
		tbb::task_arena().execute([&] {                                                                        \
			for (uint64_t i = 0; i < job->rounds; i++)                                                     \
				sum += (uint64_t)(call);                                                               \
		});                                                                                                    \
		return sum;                                                                                            \
	}

#define FIB(type, name, first, join)                                                                                   \
	static type name(int n)                                                                                        \
	{                                                                                                              \
		type a, b;                                                                                             \
                                                                                                                       \
		if (n < 2)                                                                                             \
			return first;                                                                                  \
		tbb::parallel_invoke([&] { a = name(n - 1); }, [&] { b = name(n - 2); });                              \
		return a join b;                                                                                       \
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
	tbb::parallel_invoke([&] { fib_void(n - 1, &a); }, [&] { fib_void(n - 2, &b); });
	*result = a + b;
}

static long fib_by_pointer(int n)
{
	long result;

	fib_void(n, &result);
	return result;
}
ROUNDS(fib_void, fib_by_pointer(job->size))

static filchi_spawn_pair fib_struct(int n)
{
	filchi_spawn_pair a, b;

	if (n < 2)
		return {n, 0};
	tbb::parallel_invoke([&] { a = fib_struct(n - 1); }, [&] { b = fib_struct(n - 2); });
	return {a.value + b.value, a.spawns + b.spawns + 1};
}

static long fib_both(int n)
{
	filchi_spawn_pair pair = fib_struct(n);

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
		tbb::parallel_invoke([&] { first = params_##k(n - 1 FILCHI_SPAWN_ARGUMENTS_##k); },                    \
				     [&] { last = params_##k(n - 2 FILCHI_SPAWN_ARGUMENTS_##k); });                    \
		return first + last;                                                                                   \
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
		tbb::task_group group;                                                                                 \
                                                                                                                       \
		for (int i = 0; i < children; i++)                                                                     \
			group.run([=, &results] {                                                                      \
				results[i] = depth > 1 ? tree_##children(depth - 1) : filchi_spawn_work(0);            \
			});                                                                                            \
		group.wait();                                                                                          \
		for (int i = 0; i < children; i++)                                                                     \
			sum += results[i];                                                                             \
		return sum;                                                                                            \
	}                                                                                                              \
	ROUNDS(tree_##children, tree_##children(job->size))
TREE(2)
TREE(4)
TREE(16)

static int add_up(const std::vector<int> &results)
{
	int sum = 0;

	for (int result : results)
		sum += result;
	return sum;
}

static int loop(int count, unsigned loops)
{
	std::vector<int> results(count);
	tbb::task_group group;

	for (int i = 0; i < count; i++)
		group.run([=, &results] { results[i] = filchi_spawn_work(loops); });
	group.wait();
	return add_up(results);
}
ROUNDS(loop, loop(job->size, job->loops))

/* The runtime chooses the size of its tasks, as with most users. */
static int spawn_n(int count, unsigned loops)
{
	std::vector<int> results(count);

	tbb::parallel_for(0, count, [&](int i) { results[i] = filchi_spawn_work(loops); });
	return add_up(results);
}
ROUNDS(spawn_n, spawn_n(job->size, job->loops))

static uint64_t runs_rounds(const struct filchi_spawn_job *job)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < job->rounds; i++)
		sum += (uint64_t)loop(job->size, 0);
	return sum;
}

extern "C" FILCHI_SPAWN_TABLE;
