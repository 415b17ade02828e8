/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the settings that suit a program. The program runs with many settings, by the variables that each program with
 * filch reads.
 *
 * All settings together would be hundreds. The search takes one axis after the other, the most important axis first:
 * workers, deque, victim policy, wait policy. The values of an axis race: all take turns, in a new random order each
 * round, with the best setting so far and with the defaults. Values that are clearly slower than the best drop out. A
 * value that is clearly faster than the best so far replaces it. Last, the best setting is measured against the
 * defaults in new runs, because the fastest of many settings was also lucky, and only new runs show how lucky.
 */
#ifndef FILCHI_BENCH_TUNE_H
#define FILCHI_BENCH_TUNE_H

#include "../../src/base/rng.h"
#include "../harness/child.h"
#include "../harness/machine.h"
#include "../harness/progress.h"
#include "../harness/ratio.h"
#include "../harness/sample.h"

#include <stdbool.h>
#include <stdio.h>

#define FILCHI_TUNE_MAX_VALUES 64
#define FILCHI_TUNE_MAX_SETTINGS (4 * FILCHI_TUNE_MAX_VALUES + 2)
#define FILCHI_TUNE_MAX_WORKERS 1024u /* limit of the library */
#define FILCHI_TUNE_KEPT 65536	      /* bytes of the program's output that are kept */

/* In the order of the search. */
enum filchi_tune_axis_name {
	FILCHI_TUNE_WORKERS,
	FILCHI_TUNE_DEQUE,
	FILCHI_TUNE_VICTIM,
	FILCHI_TUNE_WAIT,
	FILCHI_TUNE_AXES
};

struct filchi_tune_axis {
	const char *name;     /* name in tables and in the JSON */
	const char *variable; /* of the environment */
	char usual[24];	      /* value of the defaults */
	bool heard;	      /* the program reads the variable */
	size_t count;
	char values[FILCHI_TUNE_MAX_VALUES][24];
};

enum filchi_tune_outcome {
	FILCHI_TUNE_STAYED,  /* index until the end of its race */
	FILCHI_TUNE_DROPPED, /* clearly slower */
	FILCHI_TUNE_FAILED,  /* for these three, why has details */
	FILCHI_TUNE_LATE,
	FILCHI_TUNE_DIFFERS
};

struct filchi_tune_sample {
	double ns, cpu_ns, peak_bytes, round;
};
#define FILCHI_TUNE_STRIDE (sizeof(struct filchi_tune_sample) / sizeof(double))

struct filchi_tune_setting {
	const char *values[FILCHI_TUNE_AXES]; /* NULL: the default; the variable is not set */
	enum filchi_tune_outcome outcome;
	char why[256];
	size_t count, room;
	size_t first; /* samples in the current race */
	struct filchi_tune_sample *samples;
};

struct filchi_tune_options {
	char **argv; /* the program */
	bool quick;
	unsigned runs;	/* samples of each setting in a race */
	double seconds; /* limit of a run; 0: ten times the first run and 10 s */
	bool ignore_output, force;
	/* Values to try; 0: all. */
	size_t counts[FILCHI_TUNE_AXES];
	const char *values[FILCHI_TUNE_AXES][FILCHI_TUNE_MAX_VALUES];
};

struct filchi_tune {
	struct filchi_tune_options options;
	struct filchi_tune_axis axes[FILCHI_TUNE_AXES];
	size_t setting_count;
	struct filchi_tune_setting settings[FILCHI_TUNE_MAX_SETTINGS]; /* the first one is the defaults */
	struct filchi_tune_setting *best;
	bool decided;		  /* the last race, against the defaults, is complete */
	struct filchi_ratio last; /* its outcome: times of the best, divided by times of the defaults */
	double round;		  /* in a round, each setting of the race runs once */
	double seconds;		  /* limit of a run */
	double first_ns;	  /* duration of the first run; 0: not complete */
	bool met;		  /* it is known which variables the program reads */
	int signal;		  /* the signal that ended the search; 0: none */
	char unset[128];	  /* variables that were set and do not apply to the program */
	struct filchi_rng rng;
	struct filchi_progress progress;
	/* Output of the program with the defaults, and of the last run. */
	struct filchi_child_stream wanted, wanted_err, out, err;
	char texts[4][FILCHI_TUNE_KEPT]; /* theirs */
};

/* NULL: no memory. */
struct filchi_tune *filchi_tune_new(const struct filchi_tune_options *options);
void filchi_tune_free(struct filchi_tune *t);

/* 0; -EINTR: ended by t->signal; another -errno with the reason in error. */
int filchi_tune_run(struct filchi_tune *t, struct filchi_bench_error *error);

/* Returns the variables to set; "" for the defaults. */
void filchi_tune_variables(const struct filchi_tune *t, const struct filchi_tune_setting *s, char *text, size_t size);
/* True if the best is clearly better than the defaults, and the runs are long enough. */
bool filchi_tune_found(const struct filchi_tune *t);
/* True if runs with the defaults are mostly the start of a process. Then there is no winner. */
bool filchi_tune_brief(const struct filchi_tune *t);
/* Returns the number of settings with which the program failed, hung or wrote something else. */
size_t filchi_tune_failures(const struct filchi_tune *t);

/* Prints a table, the winner and the variables to set. 0 or -ENOMEM. */
int filchi_tune_table(const struct filchi_tune *t, const struct filchi_machine *m, FILE *f, bool color);
/* docs/bench-json.md. 0 or -ENOMEM. */
int filchi_tune_json(const struct filchi_tune *t, const struct filchi_machine *m, FILE *f);

/* ---- between the files of this folder ---- */

/* Makes the axes and their values. 0, or -EINVAL for an unknown value. */
int filchi_tune_space(struct filchi_tune *t);
/* Returns the setting with these values, and makes it if necessary. NULL: too many settings, which cannot happen. */
struct filchi_tune_setting *filchi_tune_setting(struct filchi_tune *t, const char *const *values);
const char *filchi_tune_value(const struct filchi_tune *t, const struct filchi_tune_setting *s, size_t axis);
/* Describes a setting: "deque chase_lev, workers 2"; "the defaults". */
void filchi_tune_name(const struct filchi_tune *t, const struct filchi_tune_setting *s, char *text, size_t size);

/*
 * The first runs: checks that the program succeeds, writes the same each time and reads the variables. Returns as
 * filchi_tune_run does.
 */
int filchi_tune_meet(struct filchi_tune *t, struct filchi_bench_error *error);
#define FILCHI_TUNE_MEETINGS (2 + FILCHI_TUNE_AXES) /* runs of the race */
/* Takes one sample. 0, also if the program failed: see the outcome. Else as filchi_tune_run. */
int filchi_tune_take(struct filchi_tune *t, struct filchi_tune_setting *s, struct filchi_bench_error *error);

/* Compares times, or CPU times, of rounds with both settings, in the last race or in all. 0 or -ENOMEM. */
int filchi_tune_compare(const struct filchi_tune_setting *a, const struct filchi_tune_setting *b, bool cpu, bool last,
			struct filchi_ratio *out);
static inline bool filchi_tune_broken(const struct filchi_tune_setting *s)
{
	return s->outcome >= FILCHI_TUNE_FAILED;
}

#endif
