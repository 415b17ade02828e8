/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/bulk/bulk.h"

static const struct filchi_bulk_setup setup = {FILCHI_BULK_CHUNKS, 0};

#define NAME filchi_bulk_bench_chunks
#define LABEL "bulk"
#define QUEUE struct filchi_bulk
#define CREATE(q) filchi_bulk_init(q, &setup)
#define DESTROY(q) filchi_bulk_fini(q)
#define PUSH(q, batch) filchi_bulk_push(q, batch)
#define POP(q, node) filchi_bulk_pop(q, node)
#define STEAL(q, proportion, batch) filchi_bulk_steal(q, proportion, batch)
#define SIZE(q) filchi_bulk_size(q)
#include "loops.h"
