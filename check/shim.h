/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that instrumented code calls: one for each kind of memory access.
 *
 * An atomics layer maps its operations to these in a checked build and to plain C11 atomics otherwise. Each call site
 * owns a struct chk_site with its place in the source, the name of the location, and the memory order. The checker uses
 * the order of the site, so that a mutation run can weaken one site at a time without a new compilation.
 */
#ifndef CHK_SHIM_H
#define CHK_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum chk_order { CHK_RLX, CHK_ACQ, CHK_REL, CHK_ACQ_REL, CHK_SC, CHK_NONE };

enum chk_op { CHK_LOAD, CHK_STORE, CHK_EXCHANGE, CHK_CAS, CHK_FETCH_ADD, CHK_FENCE, CHK_CELL_READ, CHK_CELL_WRITE };

struct chk_site {
	const char *file; /* as __FILE__ gives it */
	int line;
	enum chk_op op;
	const char *what;	 /* source text of the location: names it in traces */
	const char *edge;	 /* the edge this access is one end of */
	enum chk_order declared; /* as written in the source */
	enum chk_order fail;	 /* CAS only: the order when it fails */
	enum chk_order order;	 /* in force; equal to declared unless mutated; set at registration */
	int id;			 /* 0 until the checker first meets the site */
	const char *function;	 /* it stands in */
};

/* Makes a site where it stands. The order in force is filled in when the checker first meets it. */
#define CHK_SITE(op_, what_, edge_, order_, fail_)                                                                     \
	(__extension__({                                                                                               \
		static struct chk_site chk_site_here = {__FILE__, __LINE__, op_,    what_, edge_,                      \
							order_,	  fail_,    order_, 0,	   __func__};                  \
		&chk_site_here;                                                                                        \
	}))

/* Atomic accesses: sizes 1, 2, 4 or 8; values travel as 64 bits. */
uint64_t chk_load(const void *at, unsigned size, struct chk_site *site);
void chk_store(void *at, unsigned size, uint64_t value, struct chk_site *site);
uint64_t chk_exchange(void *at, unsigned size, uint64_t value, struct chk_site *site);
uint64_t chk_fetch_add(void *at, unsigned size, uint64_t addend, struct chk_site *site);
/* True if *at held expected and now holds desired; *seen is what it held. Never fails spuriously. */
bool chk_cas(void *at, unsigned size, uint64_t expected, uint64_t desired, uint64_t *seen, struct chk_site *site);
void chk_fence(struct chk_site *site);

/* The non-atomic initialization of an atomic; it races with any access it is not ordered with. */
void chk_init(void *at, unsigned size, uint64_t value, struct chk_site *site);

/* Plain shared data. The access itself is the caller's; these judge it, before it is made. */
void chk_cell_read(const void *at, unsigned size, struct chk_site *site);
void chk_cell_write(void *at, unsigned size, struct chk_site *site);

/*
 * Tracked memory: uninitialized when new; use after free, double free and leaks are found. Addresses are never
 * used twice in one execution. NULL when config.fail_alloc says that this allocation is to fail.
 */
void *chk_alloc(size_t size);
void chk_free(void *block);

/*
 * Marks the end of a turn of a waiting loop that had no success. The checker assumes that the turn changed only shared
 * memory. It repeats a turn that only read when the turn can read another value.
 */
void chk_spin(void);

#ifdef __cplusplus
}
#endif
#endif
