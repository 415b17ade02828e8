/* SPDX-License-Identifier: Apache-2.0 */
#include "spawn.h"

#include <string.h>

#define FIB 34	    /* 9 million spawns; results of fib are exact in a float up to this number */
#define PEER_FIB 23 /* 46,000 spawns */

#define FIB_CASE(id, text, from)                                                                                       \
	{                                                                                                              \
		.name = "fib/" text, .base = from, .kind = FILCHI_SPAWN_FIB_##id, .size = FIB, .peer_size = PEER_FIB,  \
		.on_compiler = true                                                                                    \
	}
#define PARAMS_CASE(count)                                                                                             \
	{                                                                                                              \
		.name = "params/" #count, .base = "params/" #count, .kind = FILCHI_SPAWN_PARAMS_##count, .size = FIB,  \
		.peer_size = PEER_FIB, .on_compiler = true                                                             \
	}
#define TREE_CASE(children, depth, peer_depth)                                                                         \
	{                                                                                                              \
		.name = "tree/" #children, .base = "tree/" #children, .kind = FILCHI_SPAWN_TREE_##children,            \
		.size = depth, .peer_size = peer_depth, .on_compiler = true                                            \
	}
#define ROUND_CASE(group, id, count, ns)                                                                               \
	{                                                                                                              \
		.name = group "/" #count "/" #ns, .base = "body/" #ns, .kind = FILCHI_SPAWN_##id, .size = count,       \
		.peer_size = count, .body_ns = ns, .on_compiler = ns == 0                                              \
	}
#define BODIES(group, id, count)                                                                                       \
	ROUND_CASE(group, id, count, 0), ROUND_CASE(group, id, count, 16), ROUND_CASE(group, id, count, 30),           \
		ROUND_CASE(group, id, count, 45), ROUND_CASE(group, id, count, 90), ROUND_CASE(group, id, count, 170), \
		ROUND_CASE(group, id, count, 300), ROUND_CASE(group, id, count, 450),                                  \
		ROUND_CASE(group, id, count, 1000), ROUND_CASE(group, id, count, 10000)

static const struct filchi_spawn_case cases[] = {
	FIB_CASE(INT, "int", "fib"),
	FIB_CASE(LONG, "long", "fib"),
	FIB_CASE(FLOAT, "float", "fib/float"),
	FIB_CASE(BOOL, "bool", "fib/bool"),
	FIB_CASE(VOID, "void", "fib/void"),
	FIB_CASE(STRUCT, "struct", "fib/struct"),
	PARAMS_CASE(1),
	PARAMS_CASE(2),
	PARAMS_CASE(3),
	PARAMS_CASE(4),
	PARAMS_CASE(5),
	PARAMS_CASE(6),
	PARAMS_CASE(7),
	PARAMS_CASE(8),
	TREE_CASE(2, 20, 14),
	TREE_CASE(4, 10, 7),
	TREE_CASE(16, 5, 4),
	BODIES("loop", LOOP, 64),
	BODIES("loop", LOOP, 1000),
	BODIES("spawn_n", SPAWN_N, 64),
	BODIES("spawn_n", SPAWN_N, 1000),
	{.name = "runs/1000",
	 .base = "body/0",
	 .kind = FILCHI_SPAWN_RUNS,
	 .size = 1000,
	 .peer_size = 1000,
	 .on_compiler = true},
};

static const char *const groups[] = {"fib", "params", "tree", "loop", "spawn_n", "runs"};

const struct filchi_spawn_case *filchi_spawn_case(unsigned n)
{
	return n < sizeof(cases) / sizeof(cases[0]) ? &cases[n] : NULL;
}

const char *filchi_spawn_group(unsigned n)
{
	return n < sizeof(groups) / sizeof(groups[0]) ? groups[n] : NULL;
}

bool filchi_spawn_case_is(const struct filchi_spawn_case *c, const char *name, size_t length)
{
	return length && !strncmp(c->name, name, length) && (!c->name[length] || c->name[length] == '/');
}

static uint64_t fib(int n)
{
	uint64_t a = 0, b = 1;

	for (; n; n--) {
		uint64_t next = a + b;

		a = b;
		b = next;
	}
	return a;
}

static uint64_t power(uint64_t base, int exponent)
{
	return exponent ? base * power(base, exponent - 1) : 1;
}

/* Returns the children of an inner node; 0: the case is no tree of this kind. */
static uint64_t children(const struct filchi_spawn_case *c)
{
	return c->kind == FILCHI_SPAWN_TREE_2	 ? 2
	       : c->kind == FILCHI_SPAWN_TREE_4	 ? 4
	       : c->kind == FILCHI_SPAWN_TREE_16 ? 16
						 : 0;
}

uint64_t filchi_spawn_spawns(const struct filchi_spawn_case *c, int size)
{
	uint64_t count = 0;

	if (c->kind < FILCHI_SPAWN_TREE_2)
		return fib(size + 1) - 1;
	if (!children(c))
		return (uint64_t)size;
	for (int level = 1; level <= size; level++)
		count += power(children(c), level);
	return count;
}

uint64_t filchi_spawn_answer(const struct filchi_spawn_case *c, int size)
{
	if (c->kind == FILCHI_SPAWN_FIB_BOOL)
		return fib(size) % 2;
	if (c->kind == FILCHI_SPAWN_FIB_STRUCT)
		return fib(size) + filchi_spawn_spawns(c, size);
	/* Each of the fib(n + 1) leaves adds the other parameters, which are 1. */
	if (c->kind >= FILCHI_SPAWN_PARAMS_1 && c->kind <= FILCHI_SPAWN_PARAMS_8)
		return fib(size) + fib(size + 1) * (uint64_t)(c->kind - FILCHI_SPAWN_PARAMS_1);
	if (c->kind < FILCHI_SPAWN_TREE_2)
		return fib(size);
	return children(c) ? power(children(c), size) : (uint64_t)size;
}
