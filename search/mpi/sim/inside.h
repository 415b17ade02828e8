/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the simulation: the network and its clock (net.c), the search of a rank (tree.c), the run (sim.c). */
#ifndef FILCHI_RANKS_SIM_INSIDE_H
#define FILCHI_RANKS_SIM_INSIDE_H

#include "../protocol.h"
#include "sim.h"

struct filchi_sim;

struct filchi_sim_packet {
	struct filchi_sim_packet *next;
	double time;
	int from;
	void *bytes;
	size_t size;
};

struct filchi_sim_interval {
	uint64_t first, size;
};

struct filchi_sim_rank {
	struct filchi_net net; /* first */
	struct filchi_sim *sim;
	struct filchi_ranks *ranks;
	/* the network */
	struct filchi_sim_packet *inbox, **inbox_end; /* those that have arrived */
	double step_at;				      /* of its communication thread; infinite: nothing is planned */
	double last_step, busy_until, now;
	double stop_at, stop_until;
	/* the search */
	struct filchi_sim_interval *open; /* the newest last */
	size_t count, room;
	uint64_t weight; /* nodes in it */
	double clock;	 /* it has explored until then */
	double mean_ns, work_ns, empty_since, waited_ns;
	uint64_t explored, best, took_id;
	bool began, snap_due, stopping;
	uint64_t part_at;
	double stop_wish; /* time at which it leaves after the end */
};

struct filchi_sim_event {
	double time;
	uint64_t number;
	int rank;
	struct filchi_sim_packet *packet; /* NULL: a step */
};

struct filchi_sim {
	struct filchi_sim_config c;
	struct filchi_sim_result *result;
	struct filchi_sim_rank *rank;
	uint64_t random, numbers;
	double now;
	struct filchi_sim_event *heap;
	size_t events, room;
	/* the time of the last arrival for each pair of ranks */
	struct filchi_sim_pair {
		uint64_t key;
		double time;
	} * pair;
	size_t pairs, pair_room;
	/* exact */
	unsigned char *seen;
	uint64_t *seen_at, steps; /* when, and the clock for it */
	int *seen_by;
	uint64_t lowest; /* number that is not explored yet */
	uint64_t best;	 /* of the explored nodes */
	uint64_t explored;
	struct filchi_sim_interval *saved, *parts; /* of the last complete checkpoint, and of the one under way */
	size_t saved_count, parts_count, parts_room;
	unsigned char *saved_seen;
	bool has_saved, no_memory;
};

double filchi_sim_uniform(struct filchi_sim *s);
uint64_t filchi_sim_hash(uint64_t x);
void filchi_sim_fail(struct filchi_sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- net.c ---- */
void filchi_sim_net_init(struct filchi_sim_rank *k, int rank);
/* Plans a step of the communication thread, if none is planned before. */
void filchi_sim_plan(struct filchi_sim_rank *k, double time);
bool filchi_sim_next(struct filchi_sim *s, struct filchi_sim_event *e);
void filchi_sim_arrive(struct filchi_sim *s, const struct filchi_sim_event *e);
void filchi_sim_net_fini(struct filchi_sim *s);

/* ---- tree.c ---- */
void filchi_sim_advance(struct filchi_sim_rank *k, double time);
bool filchi_sim_push(struct filchi_sim_rank *k, struct filchi_sim_interval i);
extern const struct filchi_ranks_host filchi_sim_host;
void filchi_sim_make_part(struct filchi_sim_rank *k);

#endif
