/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Terse accesses for the programs that test the checker.
 *
 * Shared atomics are U V X Y Z (32 bits, 0 at the start), shared plain data is C D (0 at the start). Registers r1..r8
 * belong to the thread that writes them; the checker does not see them. Orders o1..o8 come from the running row of the
 * table, so that one program runs with many orders. The fence F(NONE) does nothing.
 */
#ifndef TESTS_CHECKER_OPS_H
#define TESTS_CHECKER_OPS_H

#include "../../check/chk.h"

#include <stdlib.h>
#include <string.h>

#define RLX CHK_RLX
#define ACQ CHK_ACQ
#define REL CHK_REL
#define AR CHK_ACQ_REL
#define SC CHK_SC
#define NONE CHK_NONE

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(a)[0])

struct shared {
	unsigned u, v, x, y, z; /* atomics */
	unsigned c, d;		/* cells */
};

static struct shared shared;
static uint64_t reg[8];
static enum chk_order orders[8];

#define U (shared.u)
#define V (shared.v)
#define X (shared.x)
#define Y (shared.y)
#define Z (shared.z)
#define C (shared.c)
#define D (shared.d)

#define r1 (reg[0])
#define r2 (reg[1])
#define r3 (reg[2])
#define r4 (reg[3])
#define r5 (reg[4])
#define r6 (reg[5])
#define r7 (reg[6])
#define r8 (reg[7])

#define o1 (orders[0])
#define o2 (orders[1])
#define o3 (orders[2])
#define o4 (orders[3])
#define o5 (orders[4])
#define o6 (orders[5])
#define o7 (orders[6])
#define o8 (orders[7])

/*
 * A site has one order, but an access of a parameterised program has many. So the access has one site for each pair of
 * orders.
 */
enum { SITES_MAX = 2048, ACCESSES_MAX = 512 };

static inline struct chk_site *site_of(int access, enum chk_op op, int line, const char *file, const char *what,
				       enum chk_order order, enum chk_order fail)
{
	static struct chk_site sites[SITES_MAX];
	static struct chk_site *by_access[ACCESSES_MAX][(CHK_NONE + 1) * (CHK_NONE + 1)];
	static unsigned used;
	struct chk_site **found;

	if (access >= ACCESSES_MAX)
		abort();
	found = &by_access[access][order * (CHK_NONE + 1) + fail];
	if (!*found) {
		if (used == SITES_MAX)
			abort();
		*found = &sites[used++];
		**found = (struct chk_site){file, line, op, what, "", order, fail, order, 0, ""};
	}
	return *found;
}

#define SITE(op, what, order, fail)                                                                                    \
	site_of(__COUNTER__, op, __LINE__, __FILE__, what, (enum chk_order)(order), (enum chk_order)(fail))

/* For any lvalue of 1, 2, 4 or 8 bytes. */
#define R(x, order) chk_load(&(x), sizeof(x), SITE(CHK_LOAD, #x, order, RLX))
#define W(x, value, order) chk_store(&(x), sizeof(x), (uint64_t)(value), SITE(CHK_STORE, #x, order, RLX))
#define XCHG(x, value, order) chk_exchange(&(x), sizeof(x), (uint64_t)(value), SITE(CHK_EXCHANGE, #x, order, RLX))
#define ADD(x, addend, order) chk_fetch_add(&(x), sizeof(x), (uint64_t)(addend), SITE(CHK_FETCH_ADD, #x, order, RLX))
#define CAS_SEEN(x, expected, desired, seen, order, fail)                                                              \
	chk_cas(&(x), sizeof(x), (uint64_t)(expected), (uint64_t)(desired), seen, SITE(CHK_CAS, #x, order, fail))
#define CAS(x, expected, desired, order, fail)                                                                         \
	(__extension__({                                                                                               \
		uint64_t cas_seen;                                                                                     \
		CAS_SEEN(x, expected, desired, &cas_seen, order, fail);                                                \
	}))
#define F(order) ((order) == CHK_NONE ? (void)0 : chk_fence(SITE(CHK_FENCE, "fence", order, RLX)))
#define INIT(x, value) chk_init(&(x), sizeof(x), (uint64_t)(value), SITE(CHK_STORE, #x, RLX, RLX))

/* Cells. */
#define GET(c) (*(chk_cell_read(&(c), sizeof(c), SITE(CHK_CELL_READ, #c, NONE, NONE)), &(c)))
#define SET(c, value) (chk_cell_write(&(c), sizeof(c), SITE(CHK_CELL_WRITE, #c, NONE, NONE)), (void)((c) = (value)))

/* The initial state of every program. */
static inline void reset(void)
{
	memset(reg, 0, sizeof(reg));
	INIT(U, 0);
	INIT(V, 0);
	INIT(X, 0);
	INIT(Y, 0);
	INIT(Z, 0);
	SET(C, 0);
	SET(D, 0);
}

#endif
