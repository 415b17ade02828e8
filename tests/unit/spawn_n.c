/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FILCH_SPAWN_N: counts, types of numbers, results, parameters, nesting, and other spawns beside it. The tests run with
 * different numbers of workers, deques and join policies, and without a pool. spawn_n_share.c tests which worker gets
 * which number. The source is C and C++.
 */
#include "../fixtures/task/parameters.h"
#include "../fixtures/task/tasks.h"
#include "../fixtures/test.h"

#include <filch/deque.h>
#include <filch/pool.h>
#include <limits.h>
#include <string.h>

enum { MANY = 100000 };

/* ---- counts ---- */

static unsigned char ran[MANY];

FILCH_TASK(void, mark, size_t, number)
{
	__atomic_fetch_add(&ran[number], 1, __ATOMIC_RELAXED);
}

FILCH_TASK(long, scaled, long, number, long, by)
{
	return number * by;
}

FILCH_TASK(void, count_of, size_t, count)
{
	memset(ran, 0, sizeof(ran));
	FILCH_SPAWN_N(mark, count);
	for (size_t i = 0; i < count; i++)
		FILCH_SYNC(mark);
	for (size_t i = 0; i < count; i++)
		TEST_CHECK(ran[i] == 1);
	TEST_CHECK(count == MANY || ran[count] == 0);
	FILCH_SPAWN_N(mark, -1); /* spawns nothing, as a loop would */
	FILCH_SPAWN_N(mark, INT_MIN);
	TEST_CHECK(count == MANY || ran[count] == 0);
	FILCH_SPAWN_N(scaled, count, 3);
	for (size_t i = count; i > 0; i--)
		TEST_CHECK(FILCH_SYNC(scaled) == 3 * (long)(i - 1));
}

/* ---- types of the number ---- */

#define NUMBERS(X)                                                                                                     \
	X(char, char_, 127)                                                                                            \
	X(signed char, schar, 127)                                                                                     \
	X(unsigned char, uchar, 255)                                                                                   \
	X(short, short_, 300)                                                                                          \
	X(unsigned short, ushort_, 300)                                                                                \
	X(int, int_, 300)                                                                                              \
	X(unsigned, unsigned_, 300)                                                                                    \
	X(long, long_, 300)                                                                                            \
	X(unsigned long, ulong_, 300)                                                                                  \
	X(long long, longlong, 300)                                                                                    \
	X(size_t, size, 300)                                                                                           \
	X(ptrdiff_t, ptrdiff, 300)                                                                                     \
	X(int32_t, int32, 300)                                                                                         \
	X(uint64_t, uint64, 300)

/* If the library wrote more bytes than the number has, the argument after it would change. */
#define BY(type, name, count)                                                                                          \
	FILCH_TASK(long, by_##name, type, number, type, after)                                                         \
	{                                                                                                              \
		return after == 77 ? (long)number : -1;                                                                \
	}                                                                                                              \
	FILCH_TASK(void, all_by_##name)                                                                                \
	{                                                                                                              \
		FILCH_SPAWN_N(by_##name, (type)count, (type)77);                                                       \
		for (long i = count; i > 0; i--)                                                                       \
			TEST_CHECK(FILCH_SYNC(by_##name) == i - 1);                                                    \
	}
NUMBERS(BY)

static void all_numbers(void)
{
#define RUN_BY(type, name, count) FILCH_RUN(all_by_##name);
	NUMBERS(RUN_BY)
}

/* ---- results ---- */

#define SIZES(X) X(1) X(8) X(16) X(17) X(24) X(200)

#define OF_SIZE(bytes)                                                                                                 \
	struct of_##bytes {                                                                                            \
		unsigned char at[bytes];                                                                               \
	};                                                                                                             \
	FILCH_TASK(struct of_##bytes, make_##bytes, unsigned, number, unsigned, seed)                                  \
	{                                                                                                              \
		struct of_##bytes r;                                                                                   \
		for (unsigned i = 0; i < bytes; i++)                                                                   \
			r.at[i] = (unsigned char)(31 * number + i + seed);                                             \
		return r;                                                                                              \
	}                                                                                                              \
	FILCH_TASK(void, all_of_##bytes, unsigned, count)                                                              \
	{                                                                                                              \
		FILCH_SPAWN_N(make_##bytes, count, 5);                                                                 \
		for (unsigned n = count; n > 0; n--) {                                                                 \
			struct of_##bytes r = FILCH_SYNC(make_##bytes);                                                \
			for (unsigned i = 0; i < bytes; i++)                                                           \
				TEST_CHECK(r.at[i] == (unsigned char)(31 * (n - 1) + i + 5));                          \
		}                                                                                                      \
	}
SIZES(OF_SIZE)

FILCH_TASK(double, half_of, int, number)
{
	return number / 2.0;
}
FILCH_TASK(const int *, address_of, short, number, const int *, array)
{
	return array + number;
}

FILCH_TASK(void, all_results, int, count)
{
	int array[50];

	FILCH_SPAWN_N(half_of, count);
	FILCH_SPAWN_N(address_of, 50, array);
	for (int i = 50; i > 0; i--)
		TEST_CHECK(FILCH_SYNC(address_of) == &array[i - 1]);
	for (int i = count; i > 0; i--)
		TEST_CHECK(FILCH_SYNC(half_of) == (i - 1) / 2.0);
#define CALL_OF(bytes) FILCH_CALL(all_of_##bytes, (unsigned)count);
	SIZES(CALL_OF)
}

/* ---- parameters ---- */

FILCH_TASK(void, all_parameters, int, six)
{
	struct pair g = {3, 4};

	FILCH_SPAWN_N(with_1, 9);
	FILCH_SPAWN_N(with_2, 9, 2);
	FILCH_SPAWN_N(with_3, 9, 2, 3);
	FILCH_SPAWN_N(with_4, 9, 2, 3, 4);
	FILCH_SPAWN_N(with_5, 9, 2, 3, 4, 5);
	FILCH_SPAWN_N(with_6, 9, 2, 3, 4, 5, &six);
	FILCH_SPAWN_N(with_7, 9, 2, 3, 4, 5, &six, g);
	FILCH_SPAWN_N(with_8, 9, 2, 3, 4, 5, &six, g, 8);
	for (int i = 8; i >= 0; i--)
		TEST_CHECK(FILCH_SYNC(with_8) == 87654320 + i);
	for (int i = 8; i >= 0; i--)
		TEST_CHECK(FILCH_SYNC(with_7) == 7654320 + i);
	for (int i = 8; i >= 0; i--)
		TEST_CHECK(FILCH_SYNC(with_6) == 654320 + i);
	for (int i = 8; i >= 0; i--)
		TEST_CHECK(FILCH_SYNC(with_5) == 54320 + i);
	for (int i = 8; i >= 0; i--)
		TEST_CHECK(FILCH_SYNC(with_4) == 4320 + i);
	for (int i = 8; i >= 0; i--)
		TEST_CHECK(FILCH_SYNC(with_3) == 320 + i);
	for (int i = 8; i >= 0; i--)
		TEST_CHECK(FILCH_SYNC(with_2) == 20 + i);
	for (int i = 8; i >= 0; i--)
		TEST_CHECK(FILCH_SYNC(with_1) == i);
}

/* Each argument is evaluated once, and so is the count. */
FILCH_TASK(void, once, int, count)
{
	int by = 7, b = 1;
	long c = 2;
	int number = 3, spawn_n = 4, end = 5; /* names that the macro might use */

	FILCH_SPAWN_N(scaled, count++, by++);
	FILCH_SPAWN_N(with_3, count--, (char)++b, c += 1);
	TEST_CHECK(by == 8 && b == 2 && c == 3);
	for (int n = count; n >= 0; n--)
		TEST_CHECK(FILCH_SYNC(with_3) == 320 + n);
	for (int n = count; n > 0; n--)
		TEST_CHECK(FILCH_SYNC(scaled) == 7 * (n - 1));
	FILCH_SPAWN_N(scaled, number + spawn_n, end);
	for (int n = 7; n > 0; n--)
		TEST_CHECK(FILCH_SYNC(scaled) == 5 * (n - 1));
}

/* Tasks whose first parameter cannot be a number. They still work with FILCH_SPAWN. */
typedef long function(long);
typedef function *function_pointer;
typedef const char (*array_pointer)[4];

static long twice(long n)
{
	return 2 * n;
}

FILCH_TASK(long, of_nothing)
{
	return 1;
}
FILCH_TASK(long, of_struct, struct pair, p, int, n)
{
	return p.first + p.second + n;
}
FILCH_TASK(long, of_function, function_pointer, f, long, n)
{
	return f(n);
}
FILCH_TASK(long, of_const, const struct pair *, p)
{
	return p->first;
}
FILCH_TASK(long, of_array, array_pointer, a)
{
	return (*a)[3];
}
FILCH_TASK(double, of_float, float, x)
{
	return x;
}
FILCH_TASK(long, of_large, struct of_200, l)
{
	return l.at[199];
}

FILCH_TASK(void, unnumbered, int, six)
{
	struct pair p = {6, -6};
	struct of_200 l;
	const char array[4] = {0, 0, 0, 3};

	memset(&l, six, sizeof(l));
	FILCH_SPAWN(of_struct, p, six);
	FILCH_SPAWN(of_function, twice, six);
	FILCH_SPAWN(of_large, l);
	TEST_CHECK(FILCH_SYNC(of_large) == 6);
	TEST_CHECK(FILCH_SYNC(of_function) == 12);
	TEST_CHECK(FILCH_SYNC(of_struct) == 6);
	TEST_CHECK(FILCH_CALL(of_const, &p) == 6);
	TEST_CHECK(FILCH_CALL(of_array, &array) == 3);
	TEST_CHECK(FILCH_CALL(of_float, 1.5f) == 1.5);
	TEST_CHECK(FILCH_CALL(of_nothing) == 1);
}

/* ---- among other spawns, and nested ---- */

/* Syncs are in reverse order for all kinds of spawn. A result in a register moves to the task stack. */
FILCH_TASK(void, mixed, int, count)
{
	FILCH_SPAWN(with_2, 1, 1);
	FILCH_SPAWN_N(scaled, count, 2);
	FILCH_SPAWN(half_of, 3);
	FILCH_SPAWN(make_200, 7, 7);
	FILCH_SPAWN_N(half_of, count);
	FILCH_SPAWN_N(mark, 0);
	FILCH_SPAWN(with_2, 2, 2);
	TEST_CHECK(FILCH_CALL(scaled, 5, 5) == 25);
	TEST_CHECK(FILCH_SYNC(with_2) == 22);
	for (int i = count; i > count / 2; i--)
		TEST_CHECK(FILCH_SYNC(half_of) == (i - 1) / 2.0);
	FILCH_SPAWN_N(make_17, 3, 1);
	FILCH_SPAWN(with_1, 9);
	TEST_CHECK(FILCH_SYNC(with_1) == 9);
	for (unsigned i = 3; i > 0; i--)
		TEST_CHECK(FILCH_SYNC(make_17).at[16] == (unsigned char)(31 * (i - 1) + 17));
	for (int i = count / 2; i > 0; i--)
		TEST_CHECK(FILCH_SYNC(half_of) == (i - 1) / 2.0);
	TEST_CHECK(FILCH_SYNC(make_200).at[0] == (unsigned char)(31 * 7 + 7));
	TEST_CHECK(FILCH_SYNC(half_of) == 1.5);
	for (int i = count; i > 0; i--)
		TEST_CHECK(FILCH_SYNC(scaled) == 2 * (i - 1));
	TEST_CHECK(FILCH_SYNC(with_2) == 11);
}

/* An uneven tree: a node with a larger number has more children. Each kind of call occurs. */
static unsigned children(unsigned number, unsigned depth)
{
	return depth ? number % 5 + 1 : 0;
}

static long nodes(unsigned number, unsigned depth)
{
	long sum = 1;

	for (unsigned i = 0; i < children(number, depth); i++)
		sum += nodes(i, depth - 1);
	return sum;
}

FILCH_TASK(long, tree, unsigned, number, unsigned, depth)
{
	unsigned count = children(number, depth);
	long sum = 1;

	if (!count)
		return 1;
	FILCH_SPAWN(tree, count - 1, depth - 1);
	FILCH_SPAWN_N(tree, count - 1, depth - 1);
	if (number == 2 && depth > 3)
		TEST_CHECK(FILCH_CALL(tree, 1, 2) == nodes(1, 2));
	if (number == 3 && depth > 3)
		TEST_CHECK(FILCH_RUN(tree, 4, 2) == nodes(4, 2));
	for (unsigned i = 0; i < count; i++)
		sum += FILCH_SYNC(tree);
	return sum;
}

FILCH_TASK_DECLARE_STATIC(long, odd, int, number, int, depth);
FILCH_TASK(long, even, int, number, int, depth)
{
	if (!depth)
		return number;
	FILCH_SPAWN_N(odd, 2, depth - 1);
	return FILCH_SYNC(odd) + FILCH_SYNC(odd);
}
FILCH_TASK_DEFINE_STATIC(long, odd, int, number, int, depth)
{
	if (!depth)
		return -number;
	FILCH_SPAWN_N(even, 2, depth - 1);
	return FILCH_SYNC(even) + FILCH_SYNC(even);
}

FILCH_TASK(void, declared, unsigned, count)
{
	int filled[100];

	FILCH_SPAWN_N(declared_square, count);
	FILCH_SPAWN_N(declared_number, 100, filled);
	for (int i = 0; i < 100; i++)
		FILCH_SYNC(declared_number);
	for (int i = 0; i < 100; i++)
		TEST_CHECK(filled[i] == i);
	for (unsigned long i = count; i > 0; i--)
		TEST_CHECK(FILCH_SYNC(declared_square) == (i - 1) * (i - 1));
}

/* ---- all of these, with different pools ---- */

static void run_all(void)
{
	static const size_t counts[] = {0, 1, 2, 7, 1000};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		FILCH_RUN(count_of, counts[i]);
	all_numbers();
	FILCH_RUN(all_results, 100);
	FILCH_RUN(all_parameters, 6);
	FILCH_RUN(once, 9);
	FILCH_RUN(unnumbered, 6);
	FILCH_RUN(mixed, 40);
	TEST_CHECK(FILCH_RUN(tree, 4, 6) == nodes(4, 6));
	TEST_CHECK(FILCH_RUN(even, 0, 10) == 512);
	TEST_CHECK(FILCH_RUN(even, 0, 9) == -256);
	FILCH_RUN(declared, 100);
	TEST_CHECK(FILCH_RUN(declared_sum, 0, 4) == 1 + 4 + 16 + 64 + 256);
}

static void run_with(int workers, const char *deque, const char *join)
{
	struct filch_options o;

	memset(&o, 0, sizeof(o));
	o.struct_size = sizeof(o);
	o.workers = workers;
	o.deque = deque;
	o.join = join;
	TEST_CHECK(filch_start(&o) == 0);
	for (int i = 0; i < 3; i++)
		run_all();
	FILCH_RUN(count_of, MANY);
	TEST_CHECK(filch_stop() == 0);
}

static void without_start(void)
{
	run_all();
	FILCH_RUN(count_of, MANY);
}

static void no_workers(void)
{
	run_with(FILCH_NONE, NULL, NULL);
}

static void workers(void)
{
	static const int numbers[] = {1, 2, 3, 8};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		run_with(numbers[i], NULL, NULL);
	run_all();
}

static void deques(void)
{
	const char *name;

	for (unsigned kind = 0; (name = filch_deque_kind_name(kind)) != NULL; kind++)
		run_with(3, name, NULL);
}

static void joins(void)
{
	const char *name;

	for (unsigned n = 0; (name = filch_join_name(n)) != NULL; n++)
		run_with(4, NULL, name);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"without_start", without_start},
		{"no_workers", no_workers},
		{"workers", workers},
		{"deques", deques},
		{"joins", joins},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
