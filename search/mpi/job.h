/* SPDX-License-Identifier: Apache-2.0 */
/* A job: this process as one of several ranks. */
#ifndef FILCHI_RANKS_JOB_H
#define FILCHI_RANKS_JOB_H

#include "plugin.h"
#include "protocol.h"

#include <filch/search_mpi.h>
#include <pthread.h>
#include <sys/types.h>

/* Bytes that grow. */
struct filchi_ranks_bytes {
	unsigned char *data;
	size_t size, room;
};

struct filch_search_mpi {
	void *object; /* of dlopen() */
	const struct filchi_ranks_plugin *plugin;
	struct filchi_net *net;
	int local; /* ranks on this machine */
	pid_t parent;
	bool orphan;

	/* From attach to detach. Only the communication thread touches these while it runs. */
	struct filch_search *search;
	const struct filch_search_problem *problem;
	struct filch_search_mpi_options opt;
	struct filchi_ranks *ranks;
	pthread_t thread;
	uint64_t begin_ns, progress_due, checkpoint_due;
	bool holds, snapshot_wanted;
	struct filchi_ranks_bytes *parts; /* rank 0: the parts of a checkpoint, by rank */
	struct filchi_ranks_end end;
	struct filchi_ranks_sums sums;
	bool has_sums;

	/* Between the communication thread and others, under the lock. */
	pthread_mutex_t lock;
	pthread_cond_t wake, changed; /* of the communication thread; of attach */
	bool running, wished;
	bool started, ended;
	int error;
	bool improved, has_part, run_ended;
	uint64_t best;			    /* key */
	struct filchi_ranks_bytes solution; /* the value and the packed solution of the best */
	struct filchi_ranks_bytes records;  /* to be published: affinity, size, bytes */
	struct filchi_ranks_bytes part;
	int run_end, run_error;
	uint64_t run_bound;
};

int filchi_ranks_job_error(int err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Room for so many bytes more. False: no memory. */
bool filchi_ranks_bytes_room(struct filchi_ranks_bytes *b, size_t more);
uint64_t filchi_ranks_job_clock(void);
/* True: the launcher has ended, so nobody will end this rank. */
bool filchi_ranks_job_orphaned(struct filch_search_mpi *job);

/* ---- load.c ---- */
int filchi_ranks_plugin_load(void **object, const struct filchi_ranks_plugin **plugin);

/* ---- host.c ---- */
extern const struct filchi_ranks_host filchi_ranks_job_host;
uint64_t filchi_ranks_job_key(const struct filch_search_problem *p, union filch_search_value v);
union filch_search_value filchi_ranks_job_value(const struct filch_search_problem *p, uint64_t key);
double filchi_ranks_job_gap(void *arg, uint64_t best, uint64_t bound);
struct filch_search_link filchi_ranks_job_link(struct filch_search_mpi *job);

/* ---- file.c ---- */
/* Writes the parts to PATH.tmp, syncs it, and renames it. 0 or an error. */
int filchi_ranks_job_write(const char *path, const struct filchi_ranks_bytes *parts, int count);

#endif
