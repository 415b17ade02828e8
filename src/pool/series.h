/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A series: many members of a group that one submit made. They have one function, and one argument each.
 *
 * A series is one item in the queue of the pool and one entry on the list of the group. A thread that runs a member
 * claims its number and makes the job for it there. So a member costs no memory until it runs, and one RMW to claim. A
 * worker that takes the item puts it back at once, for the other workers, and then runs some of the members.
 */
#ifndef FILCHI_POOL_SERIES_H
#define FILCHI_POOL_SERIES_H

#include "job.h"

/* Twice as many must fit into the counters of a group and of a pool without workers. */
#define FILCHI_SERIES_MAX ((uint32_t)1 << 29)

struct filchi_series {
	struct filchi_job job;			      /* never runs: the function, and the first argument */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) next; /* the number of the next member; count or more: none is left */
	uint32_t count;
	size_t arg_size; /* from one argument to the next */
};

static inline struct filchi_series *filchi_series_of(struct filchi_job *job)
{
	return (struct filchi_series *)(void *)job;
}

/* count members for the group, enclosed by scope, in no queue yet; with references for a queue and the list. NULL: no
 * memory. */
struct filchi_series *filchi_series_new(struct filch_pool *pool, struct filch_group *group, struct filchi_job *scope,
					filch_job_fn *fn, void *args, size_t arg_size, uint32_t count);
void filchi_series_free(struct filchi_series *s);

/* True: no thread can claim a member any more. False is a hint. */
bool filchi_series_is_over(struct filchi_series *s);
/* Claims a member. It is a job of its own, with one reference. NULL: none is left, or there is no memory. */
struct filchi_job *filchi_series_claim(struct filchi_series *s);
/* Claims all members that no thread has claimed, and returns their number. */
uint32_t filchi_series_claim_rest(struct filchi_series *s);
/* The same if no thread has claimed any. */
bool filchi_series_claim_all(struct filchi_series *s);

/* Found in a queue. */
void filchi_series_run_item(struct filchi_series *s);

#endif
