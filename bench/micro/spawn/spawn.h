/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the cost of a spawn and the gain of more workers, in the variants that users write. Subjects are
 * RUNTIME-FLAGS: a runtime whose program was built by one compiler with one optimization. Measures are CASE/WORKERS;
 * bench/workloads/spawn has the cases and the programs. A sample is one run of a program.
 */
#ifndef FILCHI_BENCH_SPAWN_H
#define FILCHI_BENCH_SPAWN_H

#include "../../harness/suite.h"
#include "../../workloads/spawn/spawn.h"

#define FILCHI_SPAWN_MAX_CASES 128
#define FILCHI_SPAWN_MAX_SUBJECTS 16

/* The runtimes, and the compilers with their optimization, from 0; NULL beyond the last. */
const char *filchi_spawn_runtime(unsigned n);
const char *filchi_spawn_flags(unsigned n);

struct filchi_spawn_options {
	char folder[4096]; /* with the programs */
	unsigned workers;  /* to compare with one worker */
	size_t case_count, runtime_count, flags_count;
	const struct filchi_spawn_case *cases[FILCHI_SPAWN_MAX_CASES];
	const char *runtimes[FILCHI_SPAWN_MAX_SUBJECTS], *flags[FILCHI_SPAWN_MAX_SUBJECTS];
};

/* True if a program of these runtimes and flags exists. */
bool filchi_spawn_there(const struct filchi_spawn_options *o);

/* 0 or -errno. Leaves out programs that do not exist, which the report mentions. */
int filchi_spawn_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_spawn_options *spawn);

/* ---- between the files of this folder ---- */

struct filchi_spawn_subject {
	const char *runtime, *flags;
	char name[32];
};

struct filchi_spawn_bench;

/* The context of a case of the suite. */
struct filchi_spawn_context {
	struct filchi_spawn_bench *bench;
	const struct filchi_spawn_case *which;
	const struct filchi_spawn_subject *subject;
	unsigned workers;
	double seconds; /* of a sample */
	char measure[64];
};

/* The own data of a suite. */
struct filchi_spawn_bench {
	struct filchi_spawn_options options;
	double loops[FILCHI_SPAWN_MAX_CASES]; /* of the body of each case; 0: no body, or not known yet */
	size_t subject_count, absent_count;
	struct filchi_spawn_subject subjects[FILCHI_SPAWN_MAX_SUBJECTS];
	char absent[FILCHI_SPAWN_MAX_SUBJECTS][32]; /* programs that do not exist */
	struct filchi_spawn_context *contexts;
};

bool filchi_spawn_is_serial(const struct filchi_spawn_subject *subject);

/* Its samples. */
extern const struct filchi_bench_case filchi_spawn_bench_pattern;

/* Its reports. */
int filchi_spawn_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_spawn_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
