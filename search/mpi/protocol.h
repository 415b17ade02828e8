/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ranks say to each other, without the network below it (net.h) and the search above it (filchi_ranks_host).
 * README.md has the protocol and its argument.
 *
 * Terms:
 *
 *      rank         a process with a search of its own
 *      coordinator  keeps the books of its children, and decides who gives nodes to whom. Rank 0 has the root. With a
 *                   group size, each group of ranks has a coordinator at its first rank, and these are the children of
 *                   the root
 *      ask          a rank has no nodes and wants some
 *      order        a coordinator tells a rank to give nodes to another one
 *      batch        the nodes that answer an order. It may be empty
 *      receipt      an asker tells its coordinator that the batch has come
 *      key          a value or bound as a number of 64 bits; smaller is better
 *
 * All functions are for one thread.
 */
#ifndef FILCHI_RANKS_PROTOCOL_H
#define FILCHI_RANKS_PROTOCOL_H

#include "net.h"

#include <stdbool.h>
#include <stdint.h>

#define FILCHI_RANKS_NO_KEY UINT64_MAX
/*
 * A rank asks when its nodes may last for so long only, at most: the answer takes a look of its own communication
 * thread, one of the coordinator's and one of the victim's, each after 1 ms at most.
 */
#define FILCHI_RANKS_AHEAD_NS 4000000
#define FILCHI_RANKS_REPORT_NS 2000000
/* Changes of a load are reported so seldom that they take a small part of a coordinator's time. */
#define FILCHI_RANKS_CALM_NS(ranks) ((ranks) > 200 ? (uint64_t)(ranks)*10000 : FILCHI_RANKS_REPORT_NS)
/* And at least so often. */
#define FILCHI_RANKS_HEARTBEAT_NS(ranks) ((ranks) > 2000 ? (uint64_t)(ranks)*100000 : 200000000)
#define FILCHI_RANKS_TEXT 256 /* bytes of a message for people, with its end */

struct filchi_ranks;

/* The state of the search of a rank. */
struct filchi_ranks_load {
	uint64_t open, bound, affinity, explored, pruned;
	bool quiet;	/* no node is left, and none will come before the next batch. Exact */
	double node_ns; /* mean time between two nodes that the rank explores; 0: not known */
};

/* What a rank tells before the first node. All ranks must agree, except about the host's name. */
struct filchi_ranks_hello {
	uint64_t order; /* of bytes */
	uint64_t fingerprint, kind;
	char build[64], machine[64];
};

/* The end, for the caller: the same on all ranks. */
struct filchi_ranks_end {
	int end;   /* enum filch_search_end */
	int error; /* of FILCH_SEARCH_ERROR */
	int who;   /* the rank that brought it about; -1: the coordinator */
	char text[FILCHI_RANKS_TEXT];
};

/* Sums over all ranks, for rank 0. */
struct filchi_ranks_sums {
	uint64_t explored, pruned, open, bound;
	uint64_t batches, nodes, bytes; /* that went from rank to rank */
	uint64_t messages;		/* that coordinators have handled */
};

/* What the protocol needs of a search. Functions that return int return 0 or an error, if not said otherwise. */
struct filchi_ranks_host {
	void *arg;
	void (*look)(void *arg, struct filchi_ranks_load *load);
	/* Takes nodes out, packed, in memory of malloc(). *count: how many; 0: none now. again: it may work soon. */
	int (*give)(void *arg, double proportion, void **bytes, size_t *size, uint64_t *count, bool *again);
	int (*take)(void *arg, const void *bytes, size_t size, uint64_t count);
	int (*best)(void *arg, uint64_t key, const void *solution, size_t size);
	int (*learn)(void *arg, const void *records, size_t size);
	/* The search ends: no more nodes will come. */
	void (*stop)(void *arg, int end);
	/* Makes a part of a checkpoint, and calls filchi_ranks_part(), now or later. */
	int (*snapshot)(void *arg);
	/* Rank 0: a piece of the part of a rank; all parts are there; a checkpoint is given up. */
	int (*part)(void *arg, int rank, const void *bytes, size_t size);
	int (*commit)(void *arg);
	void (*abandon)(void *arg);
};

struct filchi_ranks_config {
	int group;	       /* ranks of a group; 0: one coordinator for all */
	uint64_t report_ns;    /* a load is reported at most so often */
	uint64_t calm_ns;      /* and a mere change of it at most so often; 0: as report_ns */
	uint64_t heartbeat_ns; /* and at least so often */
	uint64_t retry_ns;     /* how long a rank tries to answer an order with nodes */
	uint64_t node_limit;   /* over all ranks; 0: none */
	double gap_limit;      /* see gap */
	double (*gap)(void *arg, uint64_t best, uint64_t bound); /* arg of the host */
	size_t piece;						 /* bytes of a message with nodes at most, about */
	bool checkpoint_at_end;
};

/* net and host stay the caller's. 0; -ENOMEM. */
int filchi_ranks_create(struct filchi_ranks **out, struct filchi_net *net, const struct filchi_ranks_host *host,
			const struct filchi_ranks_config *config, const struct filchi_ranks_hello *hello);
void filchi_ranks_destroy(struct filchi_ranks *r);

/* Handles at most `most` messages, and then looks at the search. How many messages it was, or an error of the net. */
int filchi_ranks_step(struct filchi_ranks *r, uint64_t now_ns, int most);

/* All ranks have agreed to begin. / The search ends, and *end says how. / This rank may go. */
bool filchi_ranks_started(const struct filchi_ranks *r);
bool filchi_ranks_ending(const struct filchi_ranks *r, struct filchi_ranks_end *end);
bool filchi_ranks_over(const struct filchi_ranks *r);
/* The rank has no nodes, and waits for the answer to its ask; or it tries to answer an order. */
bool filchi_ranks_waits(const struct filchi_ranks *r);

/* The search of this rank has a new best value. / It has published records. */
void filchi_ranks_improved(struct filchi_ranks *r, uint64_t key, const void *solution, size_t size);
void filchi_ranks_publish(struct filchi_ranks *r, uint64_t affinity, const void *record, size_t size);
/* The search of this rank has met a limit, was cancelled or failed: ends all searches. */
void filchi_ranks_stop(struct filchi_ranks *r, int end, int error, const char *text);
/* The run of this rank has ended. */
void filchi_ranks_leave(struct filchi_ranks *r, uint64_t bound);
/* The part of a checkpoint of this rank. */
void filchi_ranks_part(struct filchi_ranks *r, const void *bytes, size_t size);
/* Rank 0: begins a checkpoint. False: not now. */
bool filchi_ranks_checkpoint(struct filchi_ranks *r);
/* Rank 0: what it knows of all ranks. */
void filchi_ranks_sums(const struct filchi_ranks *r, struct filchi_ranks_sums *sums);

#endif
