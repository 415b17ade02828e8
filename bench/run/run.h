/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole programs, compared: each runtime is a program of its own that has all workloads (bench/workloads/common), and
 * a sample is a run of it. So runtimes do not share a process, and memory, time and context switches are theirs alone.
 */
#ifndef FILCHI_BENCH_PROGRAMS_H
#define FILCHI_BENCH_PROGRAMS_H

#include "../harness/suite.h"

#define FILCHI_PROGRAMS_MAX_WORKLOADS 64
#define FILCHI_PROGRAMS_MAX_RUNTIMES 128
#define FILCHI_PROGRAMS_MAX_WORKERS 64
#define FILCHI_PROGRAMS_SYMBOLS 5
#define FILCHI_PROGRAMS_MAX_SIZES 256 /* letters of a list of them */

/* What there is to run, from 0; NULL beyond the last. */
struct filchi_programs_workload {
	const char *name;
	const char *item; /* what times are given per, as in "ns per task" */
	/* Sizes, separated by commas: for a first impression, the usual ones, and the published ones. */
	const char *quick, *usual, *full;
	/* The same for runtimes with which those would take minutes; NULL: no others. Times per item are compared. */
	const char *peer_quick, *peer_usual, *peer_full;
};
const struct filchi_programs_workload *filchi_programs_workload(unsigned n);
const struct filchi_programs_workload *filchi_programs_find(const char *name, size_t length);

/* The programs, in the order in which they are reported; NULL beyond the last. */
const char *filchi_programs_name(unsigned n);
/* What a program needs that may not be there when filch is built. */
const char *filchi_programs_needs(const char *name);

/* A workload to measure; sizes, separated by commas, "": the one that goes with the other options. */
struct filchi_programs_choice {
	const struct filchi_programs_workload *workload;
	char size[FILCHI_PROGRAMS_MAX_SIZES];
};

/*
 * A program, and for that of filch the deque, the victim policy and the join policy, or NULL. copies: N programs with
 * one worker each that run at once, where others have N workers: what the machine gives.
 */
struct filchi_programs_runtime {
	const char *program, *deque, *victim, *join;
	char name[64];
	bool copies;
};

struct filchi_programs_options {
	bool full, no_copies;
	bool profile;	   /* of filch, where it is slower than another */
	unsigned least;	   /* milliseconds of a sample: shorter runs are repeated; 0: once is enough */
	char folder[4096]; /* where the programs are */
	size_t choice_count, runtime_count, workers_count;
	struct filchi_programs_choice choices[FILCHI_PROGRAMS_MAX_WORKLOADS];
	struct filchi_programs_runtime runtimes[FILCHI_PROGRAMS_MAX_RUNTIMES];
	unsigned workers[FILCHI_PROGRAMS_MAX_WORKERS];
};

bool filchi_programs_there(const struct filchi_programs_options *o, const char *program);

/* Does the workload have such sizes, by the word of the program? If not, says why. */
bool filchi_programs_fit(const struct filchi_programs_options *o, const struct filchi_programs_choice *choice,
			 struct filchi_bench_error *why);

/*
 * 0 or -errno. Runtimes whose program is not there are left out, and the report says so. Where filch is measured with
 * one worker and with more, there are copies of its program, too, unless that is not wanted.
 */
int filchi_programs_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			 const struct filchi_programs_options *programs);

/* ---- between the files of this folder ---- */

/* One table: a workload of a size, and for some runtimes of another. */
struct filchi_programs_group {
	const struct filchi_programs_workload *workload;
	char size[32], peer_size[32];
};

struct filchi_programs_case {
	const struct filchi_programs_options *options;
	const struct filchi_programs_runtime *runtime;
	const struct filchi_programs_group *group;
	unsigned workers; /* or copies */
	const char *size;
	char measure[96];    /* WORKLOAD/SIZE/WORKERS */
	size_t symbol_count; /* of a profile */
	struct filchi_programs_symbol {
		char name[96];
		double share;
	} symbols[FILCHI_PROGRAMS_SYMBOLS];
};

struct filchi_programs_bench {
	struct filchi_programs_options options;
	size_t group_count;
	struct filchi_programs_group groups[FILCHI_PROGRAMS_MAX_WORKLOADS];
	struct filchi_programs_case *cases;
	const struct filchi_programs_runtime *copied; /* that there are copies of; NULL: there are none */
	size_t absent_count;
	const char *absent[8]; /* programs that are not there */
};

extern const struct filchi_bench_case filchi_programs_pattern; /* metrics, and how to take a sample */

/* What is run for a case. */
struct filchi_programs_line {
	char path[4200], workers[16], least[16];
	char *argv[18];
	size_t argc;
};
void filchi_programs_line(const struct filchi_programs_case *own, struct filchi_programs_line *line);

/* profile.c. Of cases that lose; fills in their symbols, as far as that is possible. */
void filchi_programs_profile(struct filchi_bench_suite *s);
void filchi_programs_print_profiles(const struct filchi_bench_suite *s, const struct filchi_programs_group *g, FILE *f);
void filchi_programs_json_case(const struct filchi_bench_case *c, struct filchi_json *j);

/* scaling.c. A table of the group: what more workers bring, beside what the machine gives. 0 or -ENOMEM. */
int filchi_programs_scaling(const struct filchi_bench_suite *s, const struct filchi_programs_group *g, FILE *f,
			    bool color);
/* What there is to say of how copies ran. */
void filchi_programs_scaling_notes(const struct filchi_bench_suite *s, FILE *f);

int filchi_programs_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_programs_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
