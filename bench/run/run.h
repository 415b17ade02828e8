/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares whole programs. Each runtime is one program with all workloads (bench/workloads/common), and a sample is
 * a run of that program. So runtimes share no process, and memory, time and context switches belong to one runtime.
 */
#ifndef FILCHI_BENCH_PROGRAMS_H
#define FILCHI_BENCH_PROGRAMS_H

#include "../harness/suite.h"

#define FILCHI_PROGRAMS_MAX_WORKLOADS 64
#define FILCHI_PROGRAMS_MAX_RUNTIMES 128
#define FILCHI_PROGRAMS_MAX_WORKERS 64
#define FILCHI_PROGRAMS_SYMBOLS 5
#define FILCHI_PROGRAMS_MAX_SIZES 256 /* letters in a list of sizes */

/* The workloads, from 0; NULL beyond the last. */
struct filchi_programs_workload {
	const char *name;
	const char *item; /* unit of times: "task" for "ns per task" */
	/* Sizes, separated by commas: for --quick, the default, and for --full. */
	const char *quick, *usual, *full;
	/*
	 * Sizes for runtimes that would take minutes with the sizes above; NULL: the same. Times per item are
	 * compared.
	 */
	const char *peer_quick, *peer_usual, *peer_full;
};
const struct filchi_programs_workload *filchi_programs_workload(unsigned n);
const struct filchi_programs_workload *filchi_programs_find(const char *name, size_t length);

/* The programs, in the order of the report; NULL beyond the last. */
const char *filchi_programs_name(unsigned n);
/* Returns the packages that the program needs when filch is built. */
const char *filchi_programs_needs(const char *name);

/* A workload to measure. size: sizes, separated by commas; "": the size that --quick or --full selects. */
struct filchi_programs_choice {
	const struct filchi_programs_workload *workload;
	char size[FILCHI_PROGRAMS_MAX_SIZES];
};

/*
 * A program. For filch also its deque, victim policy and join policy, or NULL. copies: N programs with one worker
 * each that run at once, in place of N workers.
 */
struct filchi_programs_runtime {
	const char *program, *deque, *victim, *join;
	char name[64];
	bool copies;
};

struct filchi_programs_options {
	bool full, no_copies;
	bool profile;	   /* of filch, if it is slower than another runtime */
	unsigned least;	   /* shortest sample in milliseconds; shorter runs are repeated. 0: no limit */
	char folder[4096]; /* with the programs */
	size_t choice_count, runtime_count, workers_count;
	struct filchi_programs_choice choices[FILCHI_PROGRAMS_MAX_WORKLOADS];
	struct filchi_programs_runtime runtimes[FILCHI_PROGRAMS_MAX_RUNTIMES];
	unsigned workers[FILCHI_PROGRAMS_MAX_WORKERS];
};

bool filchi_programs_there(const struct filchi_programs_options *o, const char *program);

/* Asks the program whether the workload has these sizes. If not, why has the reason. */
bool filchi_programs_fit(const struct filchi_programs_options *o, const struct filchi_programs_choice *choice,
			 struct filchi_bench_error *why);

/*
 * 0 or -errno. Leaves out runtimes without a program, which the report mentions. If filch is measured with one and
 * with more workers, adds copies of its program, unless no_copies is set.
 */
int filchi_programs_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			 const struct filchi_programs_options *programs);

/*
 * Runs a program that writes a line of names and numbers after "right", and stores the number of each metric; NaN: the
 * line has no such name. 0, or -errno with the reason in error.
 */
int filchi_programs_sample(char **argv, const struct filchi_bench_case *c, double *values,
			   struct filchi_bench_error *error);

/* ---- between the files of this folder ---- */

/* One table: a workload with one size, and with another size for some runtimes. */
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
	const struct filchi_programs_runtime *copied; /* the copied runtime; NULL: none */
	size_t absent_count;
	const char *absent[8]; /* programs that do not exist */
};

extern const struct filchi_bench_case filchi_programs_pattern; /* metrics, and the function that takes a sample */

/* The command line of a case. */
struct filchi_programs_line {
	char path[4200], workers[16], least[16];
	char *argv[18];
	size_t argc;
};
void filchi_programs_line(const struct filchi_programs_case *own, struct filchi_programs_line *line);

/* profile.c. Fills in the symbols of cases that lose, as far as possible. */
void filchi_programs_profile(struct filchi_bench_suite *s);
void filchi_programs_print_profiles(const struct filchi_bench_suite *s, const struct filchi_programs_group *g, FILE *f);
void filchi_programs_json_case(const struct filchi_bench_case *c, struct filchi_json *j);

/* scaling.c. Prints a table of the group: the speed-up of filch and of the machine. 0 or -ENOMEM. */
int filchi_programs_scaling(const struct filchi_bench_suite *s, const struct filchi_programs_group *g, FILE *f,
			    bool color);
/* Prints notes on the copies. */
void filchi_programs_scaling_notes(const struct filchi_bench_suite *s, FILE *f);

int filchi_programs_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_programs_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
