/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/bulk/bulk_list.h"

/* The request, the owner's part, and the taking. */
static inline int steal_all_of_it(struct filchi_bulk_list *q, double proportion, struct filch_batch *batch)
{
	int result = filchi_bulk_list_steal(q, proportion, batch);

	if (result == FILCH_EMPTY) {
		filchi_bulk_list_poll(q);
		result = filchi_bulk_list_steal(q, proportion, batch);
	}
	return result;
}

#define NAME filchi_bulk_bench_list
#define LABEL "bulk_list"
#define QUEUE struct filchi_bulk_list
#define CREATE(q) filchi_bulk_list_init(q, &(const struct filchi_bulk_setup){0})
#define DESTROY(q) filchi_bulk_list_fini(q)
#define PUSH(q, batch) filchi_bulk_list_push(q, batch)
#define POP(q, node) filchi_bulk_list_pop(q, node)
#define STEAL(q, proportion, batch) steal_all_of_it(q, proportion, batch)
#define SIZE(q) filchi_bulk_list_size(q)
#include "loops.h"
