/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PROGRAM WORKLOAD SIZE [--workers N] [--runs K] [--deque KIND] [--victim POLICY] [--join POLICY]
 *
 * The main program of every contender. Warms up, runs the workload, and writes a line of names and numbers for each run
 * to standard output, of which filch bench takes its samples. Exits with 1 if an answer is wrong, 2 if the command line
 * is, 3 if the runtime does not start.
 */
#include "work.h"

#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct request {
	const struct filchi_work *work;
	const char *size;
	struct filchi_runtime_setup setup;
	unsigned runs;
	int code;
};

/* Of this process, all threads together. */
struct usage {
	uint64_t wall, cpu;
	uint64_t voluntary, involuntary;
	struct filchi_runtime_counts counts;
};

static uint64_t microseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static struct usage usage(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return (struct usage){
		.wall = clock_ns(CLOCK_MONOTONIC),
		.cpu = 1000 * (microseconds(r.ru_utime) + microseconds(r.ru_stime)),
		.voluntary = (uint64_t)r.ru_nvcsw,
		.involuntary = (uint64_t)r.ru_nivcsw,
		.counts = filchi_runtime_counts(),
	};
}

/* The most memory that was in use, in bytes. ru_maxrss may be that of the program that started this one. */
static uint64_t peak(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long long kilobytes = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmHWM: %llu", &kilobytes) == 1)
			break;
	if (f)
		fclose(f);
	return 1024 * kilobytes;
}

static void print_count(const char *name, uint64_t before, uint64_t after)
{
	if (after != UINT64_MAX)
		printf(" %s %llu", name, (unsigned long long)(after - before));
}

static bool run(const struct filchi_work *work, void *input, bool print)
{
	struct usage before, after;
	char answer[96];
	double items = 0;
	bool right;

	if (work->fill)
		work->fill(input);
	before = usage();
	work->run(input);
	after = usage();
	right = work->check(input, answer, sizeof(answer), &items);
	if (!right)
		fprintf(stderr, "wrong answer: %s\n", answer);
	else if (print) {
		printf("right");
		print_count("ns", before.wall, after.wall);
		print_count("cpu_ns", before.cpu, after.cpu);
		print_count("voluntary", before.voluntary, after.voluntary);
		print_count("involuntary", before.involuntary, after.involuntary);
		print_count("tasks", before.counts.tasks, after.counts.tasks);
		print_count("steals", before.counts.steals, after.counts.steals);
		print_count("leaps", before.counts.leaps, after.counts.leaps);
		print_count("grows", before.counts.grows, after.counts.grows);
		print_count("shrinks", before.counts.shrinks, after.counts.shrinks);
		print_count("peak_bytes", 0, peak());
		printf(" items %.0f answer %s\n", items, answer);
	}
	return right;
}

/* On an input of its own: 0, 1 if an answer is wrong, 2 if there is no such size. */
static int run_size(const struct request *r, const char *size, unsigned runs, bool print)
{
	void *input = r->work->begin(size);
	int code = 0;

	if (!input) {
		fprintf(stderr, "%s has no size %s, or there is no memory\n", r->work->name, size);
		return 2;
	}
	for (unsigned i = 0; i < runs && !code; i++)
		code = run(r->work, input, print) ? 0 : 1;
	r->work->end(input);
	return code;
}

static void *work(void *argument)
{
	struct request *r = argument;
	const char *why;

	if (filchi_runtime_start(&r->setup, &why)) {
		fprintf(stderr, "%s\n", why);
		r->code = 3;
		return NULL;
	}
	r->code = run_size(r, r->work->warm_up, 1, false);
	if (!r->code)
		r->code = run_size(r, r->size, r->runs, true);
	filchi_runtime_stop();
	return NULL;
}

static bool parse(struct request *r, int argc, char **argv)
{
	static const struct option options[] = {
		{"workers", required_argument, NULL, 'w'}, {"runs", required_argument, NULL, 'r'},
		{"deque", required_argument, NULL, 'd'},   {"victim", required_argument, NULL, 'v'},
		{"join", required_argument, NULL, 'j'},	   {0}};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'w')
			r->setup.workers = filchi_work_number(optarg, 1, 4096);
		else if (option == 'r')
			r->runs = filchi_work_number(optarg, 1, 10000);
		else if (option == 'd')
			r->setup.deque = optarg;
		else if (option == 'v')
			r->setup.victim = optarg;
		else if (option == 'j')
			r->setup.join = optarg;
		else
			return false;
	}
	for (unsigned n = 0; argc == optind + 2 && filchi_work(n); n++)
		if (!strcmp(filchi_work(n)->name, argv[optind]))
			r->work = filchi_work(n);
	r->size = r->work ? argv[optind + 1] : NULL;
	return r->work && r->setup.workers && r->runs;
}

int main(int argc, char **argv)
{
	struct request r = {.setup = {.workers = 1}, .runs = 1};
	pthread_attr_t attributes;
	pthread_t thread;

	if (!parse(&r, argc, argv)) {
		fprintf(stderr,
			"usage: %s WORKLOAD SIZE [--workers N] [--runs K] [--deque KIND] [--victim POLICY] "
			"[--join POLICY]\n"
			"This is a part of filch bench, which runs it.\n",
			argv[0]);
		return 2;
	}
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, FILCHI_WORK_STACK);
	if (pthread_create(&thread, &attributes, work, &r) || pthread_join(thread, NULL)) {
		fprintf(stderr, "no thread with a stack of %zu bytes\n", FILCHI_WORK_STACK);
		return 3;
	}
	return fflush(stdout) ? 3 : r.code;
}
