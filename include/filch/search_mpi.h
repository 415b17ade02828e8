/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One search on many machines, over MPI. A library of its own: link filch_search_mpi. Programs need no MPI to be built:
 * the library loads a plug-in for Open MPI or for MPICH, as the launcher (mpirun, srun) asks for.
 *
 * Each rank makes the same search, with the same root nodes. Only the nodes of rank 0 count. Between attach and detach
 * nodes, best values and records go from rank to rank, and a run ends when no rank has nodes:
 *
 *	struct filch_search_mpi *job = NULL;
 *	struct filch_search_mpi_result all = {.struct_size = sizeof all};
 *
 *	if (filch_search_mpi_promised() > 1)
 *		filch_search_mpi_begin(&job);
 *	if (job)
 *		filch_search_mpi_attach(job, search, NULL);
 *	filch_search_run(search, &mine);
 *	all.explored = mine.explored;
 *	if (job)
 *		filch_search_mpi_detach(job, mine.end, mine.error, mine.has_bound ? &mine.bound : NULL, &all);
 *	if (filch_search_mpi_rank(job) == 0)
 *		...print all...
 *	filch_search_mpi_end(job, 0);
 *
 * The problem needs pack and unpack; pack_solution and unpack_solution if it has solutions; and for records pack_record
 * and unpack_record. One thread calls these functions. The library has a thread of its own, which sleeps most of the
 * time; workers never wait for the network.
 *
 * After a negative result filch_error_message() has the reason. Manual: filch_search_mpi(3).
 */
#ifndef FILCH_SEARCH_MPI_H
#define FILCH_SEARCH_MPI_H

#include "search.h"

FILCH_BEGIN_DECLS

struct filch_search_mpi;

/* A zero means the default. */
struct filch_search_mpi_options {
	size_t struct_size;	/* sizeof(struct filch_search_mpi_options) */
	const char *build;	/* a text that must be the same on all ranks; NULL: the version of filch */
	const char *checkpoint; /* path of the file, which rank 0 writes, also at the end; NULL: none */
	uint64_t checkpoint_ns; /* time between two checkpoints; 0: only at the end */
	/* Rank 0, in the library's thread: after a checkpoint was written, with arg. NULL: not called. */
	void (*saved)(void *arg);
	/* Rank 0, in the library's thread: sums over all ranks, about every progress_ns (0: 1 s), with arg. */
	void (*progress)(const struct filch_search_progress *progress, void *arg);
	void *arg;
	uint64_t progress_ns;
	uint64_t node_limit; /* of all ranks together, about; 0: no limit */
	double gap_limit;    /* of the whole search; 0: none */
	unsigned group;	     /* ranks of a group with its own coordinator; 0: 1,024; 1: no groups */
	unsigned most_bytes; /* of a batch between two ranks, about; 0: 4 MiB */
};

/* The whole search. Counts and bound are known on rank 0 only. */
struct filch_search_mpi_result {
	size_t struct_size; /* sizeof(struct filch_search_mpi_result), set by the caller */
	int end;	    /* enum filch_search_end */
	int error;	    /* of FILCH_SEARCH_ERROR */
	int rank;	    /* that brought the end about; -1: none of them */
	int has_best, has_bound;
	union filch_search_value best, bound;
	const char *text;     /* of an error, for people; valid until the job ends. Never NULL */
	const void *solution; /* of the best value, as pack_solution has written it; valid until the job ends */
	size_t solution_size;
	uint64_t explored, pruned, open; /* nodes of this run */
	uint64_t batches, nodes, bytes;	 /* that went from rank to rank */
	uint64_t messages;		 /* that coordinators have handled */
};

/* The number of ranks that the launcher has promised. 0: no launcher started the program. */
FILCH_API int filch_search_mpi_promised(void);

/*
 * Joins the job. 0; -ENOENT: no launcher has started the program; -ENOPKG: there is no plug-in for this MPI; -EPROTO:
 * MPI has other ranks than the launcher has promised, so the plug-in is for another MPI; -ENOTSUP: MPI has no
 * MPI_THREAD_SERIALIZED; -ENOMEM.
 */
FILCH_API int filch_search_mpi_begin(struct filch_search_mpi **out);

/* Leaves the job, and frees it. failed: ends all other ranks, too. job may be NULL. */
FILCH_API void filch_search_mpi_end(struct filch_search_mpi *job, int failed);

/* The number of this rank, from 0; of ranks; and of ranks on this machine. 0, 1 and 1 if job is NULL. */
FILCH_API int filch_search_mpi_rank(const struct filch_search_mpi *job);
FILCH_API int filch_search_mpi_ranks(const struct filch_search_mpi *job);
FILCH_API int filch_search_mpi_local(const struct filch_search_mpi *job);

/*
 * All ranks call these outside of attach and detach, and wait for each other. agree: the largest code of all ranks, on
 * all ranks; codes are at least 0. sum: adds the values of all ranks, on rank 0. 0 or more; or an error:
 * -EOWNERDEAD: the launcher has ended.
 */
FILCH_API int filch_search_mpi_agree(struct filch_search_mpi *job, int code);
FILCH_API int filch_search_mpi_sum(struct filch_search_mpi *job, uint64_t *values, unsigned count);

/*
 * Joins a search with those of the other ranks. Then each rank runs it. On ranks other than 0 the open nodes are
 * discarded. 0; -EINVAL: an argument makes no sense, or a function of the problem is missing; -EXDEV: another rank has
 * another problem; -EPROTONOSUPPORT: another rank has another build; -ENOMEM; -EOWNERDEAD. After an error there must be
 * no run.
 */
FILCH_API int filch_search_mpi_attach(struct filch_search_mpi *job, struct filch_search *search,
				      const struct filch_search_mpi_options *opt);

/*
 * After the run: waits for the other ranks, and tells the result of all. end, error: of the run of this rank. bound: of
 * its open nodes; NULL: not known. 0: the result says how the search ended. -EINVAL; -EOWNERDEAD: the launcher has
 * ended; or an error of the network.
 */
FILCH_API int filch_search_mpi_detach(struct filch_search_mpi *job, int end, int error,
				      const union filch_search_value *bound, struct filch_search_mpi_result *result);

FILCH_END_DECLS

#endif
