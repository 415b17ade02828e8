/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open subproblems: the nodes of the search.
 *
 * A subproblem has its state, and the labels of the path from the subproblem in whose diagram it was found. The rest of
 * its path is in a *trail*, which all subproblems of that diagram share: the variables of the layers of the diagram, the
 * labels of the parent, and the parent's trail. So no path is copied.
 */
#ifndef FILCHI_DD_SUBPROBLEM_H
#define FILCHI_DD_SUBPROBLEM_H

#include "dd.h"

/* The labels of a few layers, in 1, 2 or 4 bytes each. */
struct filchi_dd_labels {
	const unsigned char *data;
	uint32_t count, size;
};

struct filchi_dd_trail {
	FILCHI_ATOMIC(uint32_t) refs;
	int depth;		    /* of the parent subproblem */
	struct filchi_dd_trail *up; /* the parent's; NULL: the parent has no decisions above its own labels */
	struct filchi_dd_labels labels; /* the parent's */
	size_t bytes;
	int32_t variables[]; /* of the layers below the parent; then the bytes of the labels */
};

/* Each level is a few times as wide as the one before. */
#define FILCHI_DD_LEVELS 10u
/* No width can be halved more often. */
#define FILCHI_DD_NARROW_MAX 64u

struct filchi_dd_subproblem {
	struct filch_node node;
	struct filchi_dd_trail *trail; /* NULL: the root */
	int64_t top, bound, rank;
	uint64_t id; /* the same in each deterministic run */
	int depth;
	uint32_t bytes;
	uint32_t level, narrow; /* of the width of its diagrams; how often it was halved for the memory */
	struct filchi_dd_labels labels;
	unsigned char state[]; /* then the bytes of the labels */
};

/* A subproblem with room for its labels, which are still to be set. It takes a reference to the trail. */
struct filchi_dd_subproblem *filchi_dd_subproblem_new(const struct filchi_dd_model *model,
						      struct filchi_dd_memory *memory, struct filchi_dd_trail *trail,
						      const void *state, const int32_t *labels, uint32_t count);
void filchi_dd_subproblem_free(struct filchi_dd_memory *memory, struct filchi_dd_subproblem *s);

/* The trail for the children of a subproblem: count layers below it have these variables. One reference. */
struct filchi_dd_trail *filchi_dd_trail_new(struct filchi_dd_memory *memory, const struct filchi_dd_subproblem *parent,
					    const int32_t *variables, uint32_t count);
void filchi_dd_trail_release(struct filchi_dd_memory *memory, struct filchi_dd_trail *trail);

/* The decisions of a subproblem, depth of them, from the root on. Either may be NULL. */
void filchi_dd_subproblem_path(const struct filchi_dd_subproblem *s, int32_t *variables, int32_t *labels);

size_t filchi_dd_subproblem_pack(const struct filchi_dd_model *model, const struct filchi_dd_subproblem *s, void *bytes,
				 size_t room);
int filchi_dd_subproblem_unpack(const struct filchi_dd_model *model, struct filchi_dd_memory *memory,
				struct filchi_dd_subproblem **out, const void *bytes, size_t size);

#endif
