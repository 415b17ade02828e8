/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the protocol: messages, the member that each rank is, and the coordinators. */
#ifndef FILCHI_RANKS_RANKS_H
#define FILCHI_RANKS_RANKS_H

#include "protocol.h"

/* from a member unless said otherwise; to its coordinator, the root, or members */
enum filchi_ranks_kind {
	FILCHI_RANKS_HELLO = 1, /* to the root: who it is */
	FILCHI_RANKS_START,	/* root to all: all ranks agree */
	FILCHI_RANKS_REPORT,	/* its load; also a group's to the root */
	FILCHI_RANKS_ASK,	/* also a group's to the root, for one of its ranks */
	FILCHI_RANKS_GIVE,	/* coordinator to member or group: an order to give nodes to `who` */
	FILCHI_RANKS_BATCH,	/* member to member: nodes */
	FILCHI_RANKS_RECEIPT,	/* the batch has come; also a group's to the root */
	FILCHI_RANKS_BEST,	/* to the root, and root to all: a best value and its solution */
	FILCHI_RANKS_RECORDS,	/* to its coordinator, and coordinator to some */
	FILCHI_RANKS_STOP,	/* to the root: a limit was met, or it failed */
	FILCHI_RANKS_END,	/* root to all: the search ends */
	FILCHI_RANKS_LEFT,	/* to the root: its run has ended, with these counts */
	FILCHI_RANKS_PAUSE,	/* root to groups: no new orders */
	FILCHI_RANKS_PAUSED,	/* group to root: no order is under way */
	FILCHI_RANKS_RESUME,	/* root to groups */
	FILCHI_RANKS_SNAPSHOT,	/* root to all: make a part of a checkpoint */
	FILCHI_RANKS_PART,	/* to the root: the part, in one or several pieces */
	FILCHI_RANKS_BYE	/* root to all: the rank may go */
};

/* Who handles a message. One rank may be all three. */
enum filchi_ranks_level { FILCHI_RANKS_MEMBER = 0, FILCHI_RANKS_GROUP = 1, FILCHI_RANKS_ROOT = 2 };

/* The head of each message. The payload follows. All ranks have the same byte order: HELLO tells. */
struct filchi_ranks_message {
	uint32_t kind, level;
	int32_t who;	  /* ASK, GIVE, RECEIPT: the asker; STOP, END: the rank that ends the search */
	uint32_t orderer; /* GIVE, BATCH, RECEIPT: level of the coordinator that gave the order */
	uint32_t idle;	  /* the sender has no nodes */
	uint32_t last;	  /* piece of a part */
	uint32_t epoch;	  /* of a checkpoint */
	int32_t end, error;
	int32_t victim; /* GIVE, BATCH, RECEIPT: the child that the orderer has chosen */
	uint64_t count; /* nodes of the batch */
	uint64_t load, bound, affinity, explored, pruned;
	uint64_t sent, received, bytes, handled;
	uint64_t key;
	double proportion;
};

/* An order that a member cannot answer yet. */
struct filchi_ranks_order {
	struct filchi_ranks_order *next;
	int asker, victim;
	uint32_t orderer;
	double proportion;
	uint64_t since_ns;
};

struct filchi_ranks_member {
	bool asked, idle; /* idle: it was reported */
	bool started, ending, left, over, run_ended;
	bool snapshot; /* a part is due */
	uint32_t epoch;
	uint64_t reported_ns, reported_load;
	double ahead_ns;	 /* it asks when its nodes may last for so long */
	uint64_t asked_open;	 /* nodes that it had when it asked */
	unsigned refusals;	 /* orders without nodes in a row */
	uint64_t sent, received; /* batches that are not empty */
	uint64_t nodes, bytes, final_bound, received_in_run;
	uint64_t best;
	struct filchi_ranks_order *orders, **orders_end;
	unsigned char *records; /* to be sent */
	size_t records_size, records_room;
	struct filchi_ranks_load load;
	struct filchi_ranks_end end;
};

/* What a coordinator knows of a rank or group. */
struct filchi_ranks_child {
	int rank;
	bool idle;
	int giving;	     /* orders under way from it */
	int getting;	     /* and to it */
	int giver;	     /* of the last of these */
	uint64_t bound_told; /* by itself */
	uint64_t load;	     /* about: less what orders will take */
	uint64_t bound;	     /* no node with it, or on its way to it, has a better one */
	uint64_t affinity, explored, pruned;
	int bucket;	  /* by load; -1: none */
	int next, before; /* in the bucket; -1: none */
};

#define FILCHI_RANKS_BUCKETS 64

struct filchi_ranks_hub {
	struct filchi_ranks *ranks;
	uint32_t level;
	int first, stride, count; /* its children are the ranks first, first + stride, ... */
	struct filchi_ranks_child *child;
	int bucket[FILCHI_RANKS_BUCKETS];
	uint64_t nonempty; /* buckets */
	int *ask;	   /* the asks without an order: a ring of ranks */
	int ask_first, asks, ask_room;
	int active;    /* children that are not idle */
	int under_way; /* orders without a receipt */
	bool paused, told_paused, ending;
	bool up_idle; /* a group: as reported */
	uint64_t up_ns, up_load;
	uint64_t handled; /* messages */
};

/* Rank 0 only: begin, checkpoints and end. */
struct filchi_ranks_root {
	int hellos, lefts, paused_groups, parts;
	bool started, ending, byes;
	enum { FILCHI_RANKS_RUN, FILCHI_RANKS_PAUSING, FILCHI_RANKS_SNAPPING } phase;
	bool at_end; /* the checkpoint at the end was begun */
	uint32_t epoch;
	struct filchi_ranks_message *left; /* the newest LEFT of each rank; kind is 0 before it */
	unsigned char *part_of;		   /* the part of each rank is complete */
	uint64_t looked_ns, best;
	struct filchi_ranks_end end;
};

struct filchi_ranks {
	struct filchi_net *net;
	struct filchi_ranks_host host;
	struct filchi_ranks_config config;
	struct filchi_ranks_hello hello;
	int rank, ranks;
	uint64_t now;
	int broken; /* error of the net or of memory */
	struct filchi_ranks_member member;
	struct filchi_ranks_hub *group, *root_hub; /* NULL: this rank has none. Without groups only the root */
	struct filchi_ranks_root *root;
};

/* ---- ranks.c ---- */
void filchi_ranks_post(struct filchi_ranks *r, int to, const struct filchi_ranks_message *m, const void *payload,
		       size_t size);
/* To all members, by the groups if there are some. The caller is the root, or a group that forwards it. */
void filchi_ranks_spread(struct filchi_ranks *r, struct filchi_ranks_message *m, const void *payload, size_t size);
void filchi_ranks_end_is(struct filchi_ranks_end *to, const struct filchi_ranks_message *m, const char *text,
			 size_t size);

/* ---- member.c ---- */
void filchi_ranks_member_handle(struct filchi_ranks *r, int from, const struct filchi_ranks_message *m,
				const void *payload, size_t size);
void filchi_ranks_member_look(struct filchi_ranks *r);
void filchi_ranks_member_fini(struct filchi_ranks *r);

/* ---- hub.c ---- */
struct filchi_ranks_hub *filchi_ranks_hub_create(struct filchi_ranks *r, uint32_t level);
void filchi_ranks_hub_destroy(struct filchi_ranks_hub *h);
void filchi_ranks_hub_handle(struct filchi_ranks_hub *h, int from, const struct filchi_ranks_message *m,
			     const void *payload, size_t size);
/* Answers asks, if there are victims, and tells the parent what has changed. */
void filchi_ranks_hub_serve(struct filchi_ranks_hub *h);
uint64_t filchi_ranks_hub_bound(const struct filchi_ranks_hub *h);

/* ---- victim.c ---- */
void filchi_ranks_victim_init(struct filchi_ranks_hub *h);
/* The load of a child is now this. */
void filchi_ranks_victim_set(struct filchi_ranks_hub *h, int child, uint64_t load);
/* A child that should give nodes to a rank, and the proportion; -1: none. */
int filchi_ranks_victim_choose(struct filchi_ranks_hub *h, int asker, double *proportion);

/* ---- root.c ---- */
int filchi_ranks_root_create(struct filchi_ranks *r);
void filchi_ranks_root_destroy(struct filchi_ranks *r);
void filchi_ranks_root_handle(struct filchi_ranks *r, int from, const struct filchi_ranks_message *m,
			      const void *payload, size_t size);
/* After messages: limits, the next step of a checkpoint, the end. */
void filchi_ranks_root_look(struct filchi_ranks *r);

#endif
