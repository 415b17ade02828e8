/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the solver on decision diagrams. Subjects are ways: "solve" (time to proof), "copies" (as many programs with
 * one worker at once), "nodes" (nodes compiled per second at a fixed width). Measures are INSTANCE/WORKERS, for nodes
 * INSTANCE/WIDTH. bench/dd has the generated instances and the program. A sample is one run of the program.
 */
#ifndef FILCHI_BENCH_MICRO_DD_H
#define FILCHI_BENCH_MICRO_DD_H

#include "../../dd/cases.h"
#include "../../harness/suite.h"

#define FILCHI_DD_MAX_INSTANCES 256
#define FILCHI_DD_MAX_WORKERS 64
#define FILCHI_DD_WIDTHS 2

struct filchi_dd_instance {
	char name[128];	   /* knapsack/2000, or misp/brock200_2.clq */
	char source[4400]; /* for the program */
	double optimum;	   /* NaN: the program knows it, or nobody does */
};

struct filchi_dd_options {
	char folder[4096]; /* with the program */
	double limit;	   /* seconds of a run at most */
	double seconds;	   /* of a run that counts nodes */
	bool no_nodes;	   /* count no nodes */
	size_t instance_count, workers_count;
	struct filchi_dd_instance *instances;
	unsigned workers[FILCHI_DD_MAX_WORKERS];
};

/* True if the program exists. */
bool filchi_dd_there(const struct filchi_dd_options *o);

/*
 * Adds the instances of a folder: its file optima.csv has lines "FOLDER/FILE,OPTIMUM". 0; -errno if the file cannot be
 * read. Instances of problems that filch solve does not know are left out.
 */
int filchi_dd_add_folder(struct filchi_dd_options *o, const char *folder);

/* 0 or -errno. */
int filchi_dd_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			 const struct filchi_dd_options *dd);

/* ---- between the files of this folder ---- */

extern const unsigned filchi_dd_widths[FILCHI_DD_WIDTHS];

struct filchi_dd_context {
	const struct filchi_dd_options *options;
	const struct filchi_dd_instance *instance;
	const char *way;
	unsigned workers, width; /* width 0: the default of the problem */
	char measure[160];
};

struct filchi_dd_bench {
	struct filchi_dd_options options;
	struct filchi_dd_context *contexts;
};

extern const struct filchi_bench_case filchi_dd_bench_pattern;
int filchi_dd_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_dd_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
