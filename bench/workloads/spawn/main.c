/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PROGRAM CASE [--workers N] [--least MS] [--loops N] [--peer]
 * PROGRAM calibrate --body NS
 *
 * The main program of each runtime, compiler and optimization. It finds the number of rounds that take MS milliseconds,
 * runs them, and writes a line of names and numbers to standard output. filch bench spawn reads the line. --loops is
 * the work of a task; "calibrate" finds the loops that take NS nanoseconds. --peer: uses the small sizes.
 *
 * exit codes:
 *   1  an answer is wrong
 *   2  wrong command line
 *   3  the runtime does not start, or the output cannot be written
 */
#include "../common/workload.h"
#include "spawn.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define TRIES 20
#define STEPS 12	 /* measurements of a calibration */
#define PAUSE_NS 2000000 /* between them */
#define CALLS_NS 10000	 /* duration of several bodies that are timed together, or more */

struct request {
	const struct filchi_spawn_case *which;
	struct filchi_runtime_setup setup;
	unsigned least, loops, body_ns;
	bool peer, calibrate;
};

/* A run: its duration, and what the process used in it. */
struct sample {
	double ns, cpu_ns, voluntary, involuntary;
	struct filchi_runtime_counts before, after;
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double cpu_ns(const struct rusage *r)
{
	return ((double)r->ru_utime.tv_sec + (double)r->ru_stime.tv_sec) * 1e9 +
	       ((double)r->ru_utime.tv_usec + (double)r->ru_stime.tv_usec) * 1e3;
}

/* The shortest time of several: others are longer because the system took the CPU away. */
static double work_ns(unsigned loops)
{
	unsigned calls = CALLS_NS / (loops + 10) + 1;
	double least = 1e18;

	for (int try = 0; try < TRIES; try++) {
		double begin = now_ns(), taken;

		for (unsigned i = 0; i < calls; i++)
			filchi_spawn_work(loops);
		taken = now_ns() - begin;
		least = taken < least ? taken : least;
	}
	return least / calls;
}

/*
 * Finds the loops that take that long. The time is not proportional to the loops: a CPU starts a body while the body
 * before it still runs, and it mispredicts the end of long bodies. A pause lets a slow CPU recover.
 */
static unsigned find_loops(double ns)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	double loops = ns, best = ns, least = 1e18;

	for (int step = 0; step < STEPS; step++) {
		double found = work_ns((unsigned)loops), off = found > ns ? found / ns : ns / found;

		if (off < least) {
			least = off;
			best = loops;
		}
		loops = loops * ns / found;
		loops = loops < 1 ? 1 : loops > 100 * ns ? 100 * ns : loops;
		nanosleep(&pause, NULL);
	}
	return (unsigned)best;
}

/* False if an answer is wrong. */
static bool run(const struct request *r, uint64_t rounds, struct sample *s)
{
	int size = r->peer ? r->which->peer_size : r->which->size;
	const struct filchi_spawn_job job = {.rounds = rounds, .size = size, .one = 1, .loops = r->loops};
	uint64_t right = rounds * filchi_spawn_answer(r->which, size), answer;
	struct rusage before, after;
	double begin;

	s->before = filchi_runtime_counts();
	getrusage(RUSAGE_SELF, &before);
	begin = now_ns();
	answer = filchi_spawn_runs[r->which->kind](&job);
	s->ns = now_ns() - begin;
	getrusage(RUSAGE_SELF, &after);
	s->after = filchi_runtime_counts();
	s->cpu_ns = cpu_ns(&after) - cpu_ns(&before);
	s->voluntary = (double)(after.ru_nvcsw - before.ru_nvcsw);
	s->involuntary = (double)(after.ru_nivcsw - before.ru_nivcsw);
	if (answer != right)
		fprintf(stderr, "wrong answer: %llu instead of %llu\n", (unsigned long long)answer,
			(unsigned long long)right);
	return answer == right;
}

/* Warms up, and finds the number of rounds that take long enough. 0: an answer is wrong. */
static uint64_t find_rounds(const struct request *r)
{
	double least = r->least * 1e6;
	uint64_t rounds = 1;
	struct sample s;

	/* The first run starts threads. */
	if (!run(r, 1, &s))
		return 0;
	for (;;) {
		double factor;

		if (!run(r, rounds, &s))
			return 0;
		factor = least / s.ns;
		if (factor <= 4)
			return factor > 1 ? (uint64_t)((double)rounds * factor + 1) : rounds;
		rounds = (uint64_t)((double)rounds * (factor > 100 ? 50 : factor / 2));
	}
}

static void print_count(const char *name, uint64_t before, uint64_t after)
{
	if (after != UINT64_MAX)
		printf(" %s %llu", name, (unsigned long long)(after - before));
}

static int measure(const struct request *r)
{
	int size = r->peer ? r->which->peer_size : r->which->size;
	uint64_t rounds = find_rounds(r);
	struct sample s;

	if (!rounds || !run(r, rounds, &s))
		return 1;
	printf("right ns %.0f cpu_ns %.0f voluntary %.0f involuntary %.0f spawns %.0f", s.ns, s.cpu_ns, s.voluntary,
	       s.involuntary, (double)rounds * (double)filchi_spawn_spawns(r->which, size));
	print_count("tasks", s.before.tasks, s.after.tasks);
	print_count("steals", s.before.steals, s.after.steals);
	print_count("leapfrogs", s.before.leapfrogs, s.after.leapfrogs);
	if (r->which->kind >= FILCHI_SPAWN_LOOP)
		printf(" body_ns %.3f", work_ns(r->loops));
	printf(" \n");
	return 0;
}

/* Returns the number in a text if it is at most max; 0: it is not. */
static unsigned number(const char *text, unsigned long max)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	return *text >= '0' && *text <= '9' && !*end && value <= max ? (unsigned)value : 0;
}

static bool parse(struct request *r, int argc, char **argv)
{
	static const struct option options[] = {
		{"workers", required_argument, NULL, 'w'}, {"least", required_argument, NULL, 'l'},
		{"loops", required_argument, NULL, 'o'},   {"body", required_argument, NULL, 'b'},
		{"peer", no_argument, NULL, 'p'},	   {0}};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'w')
			r->setup.workers = number(optarg, 4096);
		else if (option == 'l')
			r->least = number(optarg, 60000);
		else if (option == 'o')
			r->loops = number(optarg, 1000000000);
		else if (option == 'b')
			r->body_ns = number(optarg, 1000000);
		else if (option == 'p')
			r->peer = true;
		else
			return false;
	}
	if (argc != optind + 1)
		return false;
	r->calibrate = !strcmp(argv[optind], "calibrate");
	for (unsigned n = 0; filchi_spawn_case(n); n++)
		if (!strcmp(filchi_spawn_case(n)->name, argv[optind]))
			r->which = filchi_spawn_case(n);
	return (r->which || (r->calibrate && r->body_ns)) && r->setup.workers && r->least;
}

int main(int argc, char **argv)
{
	struct request r = {.setup = {.workers = 1}, .least = 50};
	const char *why;
	int code = 0;

	if (!parse(&r, argc, argv)) {
		fprintf(stderr,
			"usage: %s CASE [--workers N] [--least MS] [--loops N] [--peer]\n"
			"This is a part of filch bench spawn, which runs it.\n",
			argv[0]);
		return 2;
	}
	if (r.calibrate) {
		printf("right loops %u \n", find_loops(r.body_ns));
	} else if (filchi_runtime_start(&r.setup, &why)) {
		fprintf(stderr, "%s\n", why);
		return 3;
	} else {
		code = measure(&r);
		filchi_runtime_stop();
	}
	if (!fflush(stdout))
		return code;
	fprintf(stderr, "cannot write standard output: %s\n", strerror(errno));
	return 3;
}
