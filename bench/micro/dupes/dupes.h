/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the search for duplicate files of the BWoS thesis (5.3.2), on fibers. Subjects are the kinds of deques.
 * Measures:
 *
 *   warm   all files are in the page cache
 *   cold   they are removed from the page cache before each sample
 *
 * filch dupes is another program, made to be fast. This one does what the thesis describes, so that their numbers can
 * be compared.
 */
#ifndef FILCHI_BENCH_DUPES_H
#define FILCHI_BENCH_DUPES_H

#include "../../harness/suite.h"

#include <sys/types.h>

struct filch_pool;

#define FILCHI_DUPES_MAX_KINDS 16u
#define FILCHI_DUPES_MEASURES 2u

struct filchi_dupes_options {
	unsigned megabytes; /* MiB of the tree */
	unsigned workers;   /* 0: as many as processors */
	unsigned load;	    /* rounds of computation for each block */
	size_t kind_count;  /* 0: all */
	const char *kinds[FILCHI_DUPES_MAX_KINDS];
};

/* 0, or -errno: the tree cannot be made. */
int filchi_dupes_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_dupes_options *dupes);

/* tree.c: a tree of the thesis' shape, in a temporary folder. It is removed at the end, however the process ends. */
#define FILCHI_DUPES_DIRS 600u
#define FILCHI_DUPES_FILES 2500u
#define FILCHI_DUPES_COPIES 625u /* of the files */
struct filchi_dupes_tree {
	char path[256];
	pid_t remover; /* removes the tree when the pipe is closed */
	int pipe;
};
int filchi_dupes_tree_make(struct filchi_dupes_tree *tree, uint64_t bytes);
int filchi_dupes_tree_evict(const struct filchi_dupes_tree *tree); /* from the page cache */
void filchi_dupes_tree_remove(struct filchi_dupes_tree *tree);

/* finder.c: the search itself. The caller is no worker. 0 or -errno. */
struct filchi_dupes_answer {
	uint64_t files, duplicates;
};
int filchi_dupes_find(struct filch_pool *pool, const char *path, unsigned load, struct filchi_dupes_answer *answer);

/* sample.c */
struct filchi_dupes_context {
	const char *kind;
	const struct filchi_dupes_options *options;
	const struct filchi_dupes_tree *tree;
	bool cold;
};
int filchi_dupes_bench_sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error);

/* The own data of a suite. */
struct filchi_dupes_bench {
	struct filchi_dupes_options options;
	struct filchi_dupes_tree tree;
	struct filchi_dupes_context contexts[FILCHI_DUPES_MAX_KINDS * FILCHI_DUPES_MEASURES];
};

/* report.c */
int filchi_dupes_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_dupes_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
