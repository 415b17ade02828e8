/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which settings suit a program: it is run under many, through the variables that every program with filch listens to.
 *
 * All settings together would be hundreds. They are searched one axis after the other, the one that matters most first:
 * workers, deque, victim policy, wait policy. The values of an axis race: all are run in turn, in an order shuffled
 * anew, with the best setting so far and with the defaults; those that are clearly slower than the best drop out. What
 * is clearly faster than the best so far takes its place. In the end that is measured against the defaults in runs of
 * their own: of many that were tried, the fastest was also lucky, and only new runs tell how much of it was luck.
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
#define FILCHI_TUNE_MAX_WORKERS 1024u /* what the library takes */
#define FILCHI_TUNE_KEPT 65536	      /* bytes of what a program writes */

/* In the order in which they are searched. */
enum filchi_tune_axis_name {
	FILCHI_TUNE_WORKERS,
	FILCHI_TUNE_DEQUE,
	FILCHI_TUNE_VICTIM,
	FILCHI_TUNE_WAIT,
	FILCHI_TUNE_AXES
};

struct filchi_tune_axis {
	const char *name;     /* for people, and in the JSON */
	const char *variable; /* of the environment */
	char usual[24];	      /* what holds if that is not set */
	bool heard;	      /* the program minds the variable */
	size_t count;
	char values[FILCHI_TUNE_MAX_VALUES][24];
};

enum filchi_tune_outcome {
	FILCHI_TUNE_STAYED,  /* until the end of its race */
	FILCHI_TUNE_DROPPED, /* clearly slower */
	FILCHI_TUNE_FAILED,  /* these three: why says more */
	FILCHI_TUNE_LATE,
	FILCHI_TUNE_DIFFERS
};

struct filchi_tune_sample {
	double ns, cpu_ns, peak_bytes, round;
};
#define FILCHI_TUNE_STRIDE (sizeof(struct filchi_tune_sample) / sizeof(double))

struct filchi_tune_setting {
	const char *values[FILCHI_TUNE_AXES]; /* NULL: as usual, the variable is not set */
	enum filchi_tune_outcome outcome;
	char why[256];
	size_t count, room;
	size_t first; /* sample of the race that it is in */
	struct filchi_tune_sample *samples;
};

struct filchi_tune_options {
	char **argv; /* the program */
	bool quick;
	unsigned runs;	/* samples of each setting in a race */
	double seconds; /* that a run may take; 0: ten times the first and 10 s more */
	bool ignore_output, force;
	/* Values to try; 0: all. */
	size_t counts[FILCHI_TUNE_AXES];
	const char *values[FILCHI_TUNE_AXES][FILCHI_TUNE_MAX_VALUES];
};

struct filchi_tune {
	struct filchi_tune_options options;
	struct filchi_tune_axis axes[FILCHI_TUNE_AXES];
	size_t setting_count;
	struct filchi_tune_setting settings[FILCHI_TUNE_MAX_SETTINGS]; /* the first is the defaults */
	struct filchi_tune_setting *best;
	bool decided;		  /* the last race, against the defaults, was run to its end */
	struct filchi_ratio last; /* its outcome: times of the best to those of the defaults */
	double round;		  /* in which each setting in a race is run once */
	double seconds;		  /* that a run may take */
	double first_ns;	  /* of the first run; 0: it has not ended */
	bool met;		  /* it is known what the program listens to */
	int signal;		  /* that ended it all; 0: none did */
	char unset[128];	  /* variables that were set, and are not for the program */
	struct filchi_rng rng;
	struct filchi_progress progress;
	/* What the program writes with the defaults, and what it has just written. */
	struct filchi_child_stream wanted, wanted_err, out, err;
	char texts[4][FILCHI_TUNE_KEPT]; /* theirs */
};

/* NULL: no memory. */
struct filchi_tune *filchi_tune_new(const struct filchi_tune_options *options);
void filchi_tune_free(struct filchi_tune *t);

/* 0; -EINTR: by t->signal; other -errno, and then says why in error. */
int filchi_tune_run(struct filchi_tune *t, struct filchi_bench_error *error);

/* The variables to set; "" for the defaults. */
void filchi_tune_variables(const struct filchi_tune *t, const struct filchi_tune_setting *s, char *text, size_t size);
/* Is it clear that the best is better than the defaults, and are the runs long enough to say so? */
bool filchi_tune_found(const struct filchi_tune *t);
/* Are runs with the defaults so short that most of the time is the start of a process? Then there is no winner. */
bool filchi_tune_brief(const struct filchi_tune *t);
/* How many settings made the program fail, hang, or answer otherwise. */
size_t filchi_tune_failures(const struct filchi_tune *t);

/* For people: a table, the winner, what to set. 0 or -ENOMEM. */
int filchi_tune_table(const struct filchi_tune *t, const struct filchi_machine *m, FILE *f, bool color);
/* docs/bench-json.md. 0 or -ENOMEM. */
int filchi_tune_json(const struct filchi_tune *t, const struct filchi_machine *m, FILE *f);

/* ---- between the files of this folder ---- */

/* The axes and their values. 0, or -EINVAL for a value that there is not. */
int filchi_tune_space(struct filchi_tune *t);
/* The setting with these values, which is made if it is not there. NULL: too many, which there cannot be. */
struct filchi_tune_setting *filchi_tune_setting(struct filchi_tune *t, const char *const *values);
const char *filchi_tune_value(const struct filchi_tune *t, const struct filchi_tune_setting *s, size_t axis);
/* "deque chase_lev, workers 2"; "the defaults" */
void filchi_tune_name(const struct filchi_tune *t, const struct filchi_tune_setting *s, char *text, size_t size);

/* The first runs: does the program work, is what it writes the same each time, does it listen? As filchi_tune_run. */
int filchi_tune_meet(struct filchi_tune *t, struct filchi_bench_error *error);
#define FILCHI_TUNE_MEETINGS (2 + FILCHI_TUNE_AXES) /* runs that it takes */
/* One more sample. 0, also if it failed: see its outcome; else as filchi_tune_run. */
int filchi_tune_take(struct filchi_tune *t, struct filchi_tune_setting *s, struct filchi_bench_error *error);

/* Of times, or of CPU times, in rounds in which both were run; of the last race only, or of all. 0 or -ENOMEM. */
int filchi_tune_compare(const struct filchi_tune_setting *a, const struct filchi_tune_setting *b, bool cpu, bool last,
			struct filchi_ratio *out);
static inline bool filchi_tune_broken(const struct filchi_tune_setting *s)
{
	return s->outcome >= FILCHI_TUNE_FAILED;
}

#endif
