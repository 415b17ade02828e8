/* SPDX-License-Identifier: Apache-2.0 */
#include "filch_rounds.h"
#include "table.h"

/* Expands the lists of parameters before filch counts them. */
#define TASK(...) FILCH_TASK(__VA_ARGS__)
#define SPAWN(...) FILCH_SPAWN(__VA_ARGS__)
#define CALL(...) FILCH_CALL(__VA_ARGS__)

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
	ROUNDS(static, params_##k, FILCH_CALL(params_##k##_ones, job->size, job->one))
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
	ROUNDS(static, tree_##children, FILCH_CALL(tree_##children, job->size))
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
ROUNDS(static, loop, FILCH_CALL(loop, job->size, job->loops))

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
ROUNDS(static, spawn_n, FILCH_CALL(spawn_n, job->size, job->loops))

static uint64_t runs_rounds(const struct filchi_spawn_job *job)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < job->rounds; i++)
		sum += (uint64_t)FILCH_RUN(loop, job->size, 0);
	return sum;
}

FILCHI_SPAWN_TABLE;
