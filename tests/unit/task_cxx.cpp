/* SPDX-License-Identifier: Apache-2.0 */
/* For task_cxx.sh: each macro of the public headers, in C++ that no warning objects to. */
#include "task_cxx.h"

#include <cstdio>

struct large {
	long word[5];
};

static long ticks;

FILCH_TASK(void, tick)
{
	__atomic_fetch_add(&ticks, 1, __ATOMIC_RELAXED);
}

/* The name is in task_cxx_other.cpp, too. */
FILCH_TASK(int, work, int, n)
{
	return n + 1;
}

FILCH_TASK(struct large, wide, long, n, char, c)
{
	struct large l = {{n, c, 0, 0, 0}};

	FILCH_SPAWN(tick);
	FILCH_SYNC(tick);
	return l;
}

FILCH_TASK_DECLARE_STATIC(bool, odd, unsigned, n);
FILCH_TASK(bool, even, unsigned, n)
{
	if (n == 0)
		return true;
	FILCH_SPAWN(odd, n - 1);
	return FILCH_SYNC(odd);
}
FILCH_TASK_DEFINE_STATIC(bool, odd, unsigned, n)
{
	return n == 0 ? false : FILCH_CALL(even, n - 1);
}

namespace inner
{
/* Numbers of all integer types. */
FILCH_TASK(long, number, size_t, i, const long *, of)
{
	return of[i];
}
FILCH_TASK(float, number8, unsigned char, i)
{
	return static_cast<float>(i);
}

FILCH_TASK(long, numbers, size_t, n, const long *, of)
{
	long sum = 0;

	FILCH_SPAWN_N(number, n, of);
	for (size_t i = 0; i < n; i++)
		sum += FILCH_SYNC(number);
	FILCH_SPAWN_N(number8, 3);
	for (int i = 0; i < 3; i++)
		sum += static_cast<long>(FILCH_SYNC(number8));
	FILCH_SPAWN_N(number, 2 + 1, of);
	FILCH_SYNC_ALL(number);
	return FILCH_WORK_REQUESTED() ? sum : sum + 0;
}
} // namespace inner

#define LESS(a, b) ((a) < (b))
FILCH_SORT_DEFINE(sort_own, int, LESS);

struct item {
	long value;
	struct filch_node node;
};

static int failed;

static void expect(bool what, const char *text)
{
	if (!what) {
		std::fprintf(stderr, "failed: %s\n", text);
		failed = 1;
	}
}

int main()
{
	static const long of[] = {1, 10, 100, 1000};
	int numbers[] = {3, 1, 2};
	struct item item = {7, {nullptr}};
	const void *start = &item;

	expect(filch_start(nullptr) == 0, "start");
	expect(FILCH_RUN(work, 1) == 2 && FILCH_RUN_ON(nullptr, work, 2) == 3, "run");
	expect(FILCH_RUN(wide, 5, 'x').word[1] == 'x' && ticks == 1, "a large result");
	expect(FILCH_RUN(even, 8u) && !FILCH_RUN(even, 9u), "tasks that use each other");
	expect(FILCH_RUN(shared, 12, "1") == 233, "a task of two files");
	{
		using namespace inner;
		expect(FILCH_RUN(numbers, 4, of) == 1114, "spawn_n in a namespace");
	}
	expect(other_work() == 307, "tasks and sorts of one name");
	expect(sort_own(nullptr, numbers, 3) == 0 && numbers[0] == 1 && numbers[2] == 3, "sort");
	expect(FILCH_CONTAINER_OF(&item.node, struct item, node) == start, "container_of");
	filch_stop();
	return failed;
}
