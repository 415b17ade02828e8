/* SPDX-License-Identifier: Apache-2.0 */
/* Spares: workers that take the place of workers that block. spare.c has the rules. */
#ifndef FILCHI_SCHED_SPARE_H
#define FILCHI_SCHED_SPARE_H

#include "../os/wait.h"
#include "worker.h"

/* The ids of spares come after the ids of workers. */
struct filchi_spares {
	struct filchi_mutex lock;
	FILCHI_ATOMIC(uint32_t) blocked; /* workers and spares that block, and workers that have ended */
	FILCHI_ATOMIC(uint32_t) running; /* spares that run in the place of a blocked worker */
	struct filchi_permits permits;	 /* for parked spares: to run, or to end */
	uint32_t made;
	uint32_t blocks; /* how often a worker began to block */
	uint32_t parked; /* spares that do not run and have no permit */
	uint32_t ended;	 /* workers that have ended; they stay counted as blocked */
	bool closing;
};

int filchi_spare_init(struct filchi_spares *p);
void filchi_spare_fini(struct filchi_spares *p);

/*
 * begin and end enclose a call that blocks in the thread of a worker. In between a spare may run in the worker's place.
 * begin moves free items that only the owner can see from the deque to the injector. Calls nest.
 */
void filchi_spare_begin(struct filchi_worker *w);
void filchi_spare_end(struct filchi_worker *w);
/* The number of begins without an end. unwind does the missing ends, down to that number. */
uint32_t filchi_spare_depth(const struct filchi_worker *w);
void filchi_spare_unwind(struct filchi_worker *w, uint32_t depth);
/* Ends the spares, after the workers have been joined. */
void filchi_spare_close(struct filchi_sched *s);

#endif
