/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated network of ranks in one process, and a simulated search on each rank. The protocol on top is the shipped
 * one. Everything follows from the seed, so a failure can be repeated.
 *
 * The search is a tree whose nodes have the numbers 0 to nodes - 1. The numbers of a subtree are an interval, which
 * begins with the number of its root. So a set of open nodes is a set of disjoint intervals, and one can count exactly.
 */
#ifndef FILCHI_RANKS_SIM_H
#define FILCHI_RANKS_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct filchi_sim_config {
	uint64_t seed;
	int ranks, group;
	uint64_t nodes;
	double node_ns;		   /* mean time to explore a node */
	double spread;		   /* standard deviation of the logarithm of that time */
	double node_bytes;	   /* of a packed node */
	double latency_ns, jitter; /* jitter: mean of a random delay beside it, as a multiple */
	double bytes_per_ns;
	double poll_ns;		    /* time between two looks of a communication thread at most */
	double handle_ns;	    /* time to handle a message */
	double send_ns;		    /* and to send one */
	double slow, slow_factor;   /* part of the ranks that are slower, and how much */
	double stopped, stopped_ns; /* part of the ranks that stop for a while */
	double look_ns;		    /* between two looks of a rank at its own load */
	uint64_t report_ns, calm_ns, heartbeat_ns;
	int checkpoints; /* at random times */
	bool exact;	 /* each node is explored by itself, and accounted for */
	uint64_t limit;	 /* nodes after which some rank ends the search; 0: none */
	bool dies;	 /* the job dies after a checkpoint, and goes on from it with other ranks */
};

struct filchi_sim_result {
	double seconds; /* of the slowest rank */
	double work;	/* seconds of exploring, of all ranks */
	uint64_t explored, messages, batches, moved;
	uint64_t root_messages; /* that rank 0 has received */
	double root_busy;	/* seconds in which the communication thread of rank 0 handles messages */
	double first;		/* seconds until all ranks had a node */
	double waiting;		/* seconds in which ranks had no node, after their first one */
	uint64_t checkpoints, restarts;
	uint64_t events;
	char failure[256]; /* empty: all is right */
};

/* 0; -ENOMEM. What is wrong is in the result. */
int filchi_sim_run(const struct filchi_sim_config *config, struct filchi_sim_result *result);

#endif
