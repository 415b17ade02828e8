/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the program with a setting, and judges the run. */
#define _GNU_SOURCE

#include "tune.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIRST_SECONDS 600 /* limit of the first run, whose duration is unknown */
#define NOTICE_SECONDS 10 /* seconds until a note says that the first run continues */
#define LIMIT_TIMES 10
#define LIMIT_SECONDS 10
#define NONSENSE "none-such" /* a value that no variable accepts */

extern char **environ;

/* ---- one run ---- */

static void set_variables(const struct filchi_tune *t, const char *const *values)
{
	for (size_t i = 0; i < FILCHI_TUNE_AXES; i++) {
		if (values[i])
			setenv(t->axes[i].variable, values[i], 1);
		else
			unsetenv(t->axes[i].variable);
	}
}

static int cannot_run(const struct filchi_tune *t, int err, struct filchi_bench_error *error)
{
	snprintf(error->text, sizeof(error->text), "cannot run '%.256s': %s", t->options.argv[0], strerror(-err));
	return err;
}

/* The output of the program is in t->out and t->err. */
static int run(struct filchi_tune *t, const char *const *values, struct filchi_child_result *r,
	       struct filchi_bench_error *error)
{
	struct filchi_child child = {
		.argv = t->options.argv,
		.environment = environ,
		.out = t->options.ignore_output ? NULL : &t->out,
		.err = &t->err,
		.apart = true,
		.seconds = t->seconds,
	};
	int err;

	set_variables(t, values);
	child.environment = environ; /* setenv may have moved the environment */
	err = filchi_child_run(&child, r);
	if (err)
		return cannot_run(t, err, error);
	t->signal = r->signal;
	return t->signal ? -EINTR : 0;
}

/* ---- failures ---- */

/* Returns the last line that is not empty, as far as it can be printed. */
static void last_line(const struct filchi_child_stream *s, char *line, size_t size)
{
	size_t end = s->length, start, length = 0;

	while (end && (unsigned char)s->text[end - 1] <= ' ')
		end--;
	for (start = end; start && s->text[start - 1] != '\n'; start--)
		;
	for (; start < end && length + 1 < size; start++)
		line[length++] = (unsigned char)s->text[start] < ' ' ? '?' : s->text[start];
	line[length] = '\0';
}

/* Three digits, or as many as avoid an exponent. */
static int digits(double seconds)
{
	return seconds < 999.5 ? 3 : 6;
}

static void say_status(const struct filchi_tune *t, const struct filchi_child_result *r, char *why, size_t size)
{
	char line[160];
	size_t length;

	if (r->late)
		snprintf(why, size, "did not end within %.*g s", digits(t->seconds), t->seconds);
	else
		filchi_child_why(r->status, why, size);
	last_line(&t->err, line, sizeof(line));
	length = strlen(why);
	if (*line)
		snprintf(why + length, size - length, "; it said: %s", line);
}

/* Finds the first difference of two outputs: the number of the line, and its start in both. */
static void say_difference(const struct filchi_child_stream *a, const struct filchi_child_stream *b, char *why,
			   size_t size)
{
	size_t at = 0, line = 1, start = 0;

	while (at < a->length && at < b->length && a->text[at] == b->text[at]) {
		if (a->text[at++] == '\n') {
			line++;
			start = at;
		}
	}
	if ((at == a->length || at == b->length) && a->length == b->length)
		snprintf(why, size, "beyond the first %zu bytes", at);
	else
		snprintf(why, size, "line %zu was '%.*s', and then '%.*s'", line,
			 (int)strcspn(a->text + start, "\n") > 60 ? 60 : (int)strcspn(a->text + start, "\n"),
			 a->text + start,
			 (int)strcspn(b->text + start, "\n") > 60 ? 60 : (int)strcspn(b->text + start, "\n"),
			 b->text + start);
	for (char *c = why; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '?';
}

static bool same(const struct filchi_child_stream *a, const struct filchi_child_stream *b)
{
	return a->total == b->total && a->hash == b->hash;
}

static enum filchi_tune_outcome judge(const struct filchi_tune *t, const struct filchi_child_result *r, char *why,
				      size_t size)
{
	if (r->late || r->status) {
		say_status(t, r, why, size);
		return r->late ? FILCHI_TUNE_LATE : FILCHI_TUNE_FAILED;
	}
	if (t->options.ignore_output || same(&t->wanted, &t->out))
		return FILCHI_TUNE_STAYED;
	say_difference(&t->wanted, &t->out, why, size);
	return FILCHI_TUNE_DIFFERS;
}

/* If the defaults fail, no setting can be judged. */
static int hopeless(enum filchi_tune_outcome outcome, const char *why, struct filchi_bench_error *error)
{
	if (outcome == FILCHI_TUNE_DIFFERS)
		snprintf(error->text, sizeof(error->text),
			 "the output differs from run to run with the same settings: %s; with --output ignore it is "
			 "not looked at",
			 why);
	else
		snprintf(error->text, sizeof(error->text), "the program fails with the default settings: %s", why);
	return -EPROTO;
}

/* ---- samples ---- */

static int add_sample(struct filchi_tune_setting *s, const struct filchi_child_result *r, double round)
{
	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 16;
		void *samples = realloc(s->samples, room * sizeof(*s->samples));

		if (!samples)
			return -ENOMEM;
		s->samples = samples;
		s->room = room;
	}
	s->samples[s->count++] = (struct filchi_tune_sample){r->ns, r->cpu_ns, r->peak_bytes, round};
	return 0;
}

int filchi_tune_take(struct filchi_tune *t, struct filchi_tune_setting *s, struct filchi_bench_error *error)
{
	struct filchi_child_result r;
	int err = run(t, s->values, &r, error);

	if (err)
		return err;
	s->outcome = judge(t, &r, s->why, sizeof(s->why));
	if (filchi_tune_broken(s))
		return s == t->settings ? hopeless(s->outcome, s->why, error) : 0;
	err = add_sample(s, &r, t->round);
	if (err)
		snprintf(error->text, sizeof(error->text), "%s", strerror(-err));
	return err;
}

/* ---- the first runs ---- */

static void keep(struct filchi_child_stream *to, struct filchi_child_stream *from)
{
	struct filchi_child_stream swap = *to;

	*to = *from;
	*from = swap;
}

/* Prints a note if the first run takes long, because nobody knows its duration yet. */
struct notice {
	pthread_mutex_t lock;
	pthread_cond_t ended_now;
	bool ended;
	double seconds; /* the limit */
	bool line;	/* a line of progress exists */
};

static void *give_notice(void *argument)
{
	struct notice *n = argument;
	struct timespec until;
	int err = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += NOTICE_SECONDS;
	pthread_mutex_lock(&n->lock);
	while (!n->ended && err != ETIMEDOUT)
		err = pthread_cond_timedwait(&n->ended_now, &n->lock, &until);
	if (!n->ended)
		fprintf(stderr,
			"%sfilch tune: the program is still in its first run, after %d s; it is given up after %.*g s "
			"(--timeout)\n",
			n->line ? "\r\033[K" : "", NOTICE_SECONDS, digits(n->seconds), n->seconds);
	pthread_mutex_unlock(&n->lock);
	return NULL;
}

/* This thread blocks signals: the thread that waits for the run takes a signal that ends this program. */
static bool start_notice(struct notice *n, pthread_t *thread)
{
	pthread_condattr_t attributes;
	sigset_t all, before;
	bool started;

	pthread_mutex_init(&n->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&n->ended_now, &attributes);
	pthread_condattr_destroy(&attributes);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = !pthread_create(thread, NULL, give_notice, n);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

static int run_first(struct filchi_tune *t, const char *const *values, struct filchi_child_result *r,
		     struct filchi_bench_error *error)
{
	struct notice n = {.seconds = t->seconds, .line = t->progress.shown};
	pthread_t thread;
	bool started = t->seconds > NOTICE_SECONDS && start_notice(&n, &thread);
	int err = run(t, values, r, error);

	if (!started)
		return err; /* without the thread there is no note, and no harm */
	pthread_mutex_lock(&n.lock);
	n.ended = true;
	pthread_cond_signal(&n.ended_now);
	pthread_mutex_unlock(&n.lock);
	pthread_join(thread, NULL);
	pthread_cond_destroy(&n.ended_now);
	pthread_mutex_destroy(&n.lock);
	return err;
}

/* Runs the defaults twice, for the duration and for equal output. */
static int meet_defaults(struct filchi_tune *t, struct filchi_bench_error *error)
{
	static const char *const none[FILCHI_TUNE_AXES] = {NULL};
	struct filchi_child_result r;
	enum filchi_tune_outcome outcome;
	char why[256] = "";
	int err;

	t->seconds = t->options.seconds > 0 ? t->options.seconds : FIRST_SECONDS;
	filchi_progress_step(&t->progress, "the first run", "the defaults");
	err = run_first(t, none, &r, error);
	if (err)
		return err;
	if (r.late || r.status) {
		say_status(t, &r, why, sizeof(why));
		return hopeless(FILCHI_TUNE_FAILED, why, error);
	}
	keep(&t->wanted, &t->out);
	keep(&t->wanted_err, &t->err);
	t->first_ns = r.ns;
	if (!(t->options.seconds > 0))
		t->seconds = LIMIT_TIMES * r.ns / 1e9 + LIMIT_SECONDS;
	filchi_progress_step(&t->progress, "the second run", "the defaults");
	err = run(t, none, &r, error);
	if (err)
		return err;
	outcome = judge(t, &r, why, sizeof(why));
	return outcome == FILCHI_TUNE_STAYED ? 0 : hopeless(outcome, why, error);
}

/* Sets a nonsense value. The program must fail if it uses filch and reads the variable. */
static int meet_variable(struct filchi_tune *t, size_t axis, bool quiet_err, struct filchi_bench_error *error)
{
	const char *values[FILCHI_TUNE_AXES] = {NULL};
	struct filchi_child_result r;
	int err;

	values[axis] = NONSENSE;
	filchi_progress_step(&t->progress, "does it listen", t->axes[axis].variable);
	err = run(t, values, &r, error);
	t->axes[axis].heard = r.late || r.status || (!t->options.ignore_output && !same(&t->wanted, &t->out)) ||
			      (quiet_err && !same(&t->wanted_err, &t->err));
	return err;
}

int filchi_tune_meet(struct filchi_tune *t, struct filchi_bench_error *error)
{
	int err = meet_defaults(t, error);
	/* Lines that always differ, such as times, prove nothing. */
	bool quiet_err = !err && same(&t->wanted_err, &t->err);
	bool some = false;

	for (size_t i = 0; i < FILCHI_TUNE_AXES && !err; i++) {
		err = meet_variable(t, i, quiet_err, error);
		some = some || t->axes[i].heard;
	}
	t->met = !err;
	if (err || some)
		return err;
	for (size_t i = 0; i < FILCHI_TUNE_AXES; i++)
		t->axes[i].heard = true;
	if (t->options.force)
		return 0;
	snprintf(error->text, sizeof(error->text),
		 "the program does not seem to use filch, or sets all options itself: it runs just the same with "
		 "FILCH_DEQUE=" NONSENSE " as without; with --force it is tuned nevertheless");
	return -EPROTO;
}
