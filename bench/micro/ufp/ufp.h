/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures filch solve ufp with and without shared cuts, and MIP solvers on the extensive form. Subjects are ways, such
 * as "filch-2" or "cbc"; measures are instances. A sample is one run of the program, from its start to its end.
 */
#ifndef FILCHI_BENCH_MICRO_UFP_H
#define FILCHI_BENCH_MICRO_UFP_H

#include "../../harness/suite.h"

#define FILCHI_UFP_BENCH_CASES 64
#define FILCHI_UFP_BENCH_WAYS 16

struct filchi_ufp_bench_options {
	char program[4096]; /* filch */
	double limit;	    /* seconds of a run */
	size_t case_count, way_count;
	const char *cases[FILCHI_UFP_BENCH_CASES]; /* names, or paths of files */
	const char *ways[FILCHI_UFP_BENCH_WAYS];
};

/* The names of generated instances and of ways, or NULL. */
const char *filchi_ufp_bench_case(unsigned n);
const char *filchi_ufp_bench_way(unsigned n);
/* The program of the way is installed. */
bool filchi_ufp_bench_there(const char *way);

/* 0 or -errno. */
int filchi_ufp_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			  const struct filchi_ufp_bench_options *ufp);

/* ---- between the files of this folder ---- */

/* An instance, in files. */
struct filchi_ufp_bench_instance {
	const char *name;
	char file[4200], program[4200]; /* the second: its extensive form */
	double objective;		/* that the first run has found; NaN: none yet */
	double scenarios;
};

struct filchi_ufp_bench_context {
	struct filchi_ufp_bench_instance *instance;
	const struct filchi_ufp_bench_options *options;
	const char *way, *folder;
};

struct filchi_ufp_bench {
	struct filchi_ufp_bench_options options;
	struct filchi_ufp_bench_instance *instances;
	struct filchi_ufp_bench_context *contexts;
	char folder[64]; /* for files; "": none */
};

extern const struct filchi_bench_case filchi_ufp_bench_pattern;
/* Writes the files of an instance. 0 or -errno. */
int filchi_ufp_bench_prepare(const struct filchi_ufp_bench *b, struct filchi_ufp_bench_instance *i);
int filchi_ufp_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);

#endif
