/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PROGRAM WORKLOAD SIZE [--workers N] [--runs K | --copies N] [--least MS] [--fits] [--deque KIND] [--victim POLICY]
 *         [--join POLICY]
 *
 * The main program of each runtime. It warms up, runs the workload, and writes a line of names and numbers for each run
 * to standard output. filch bench reads these lines. --copies N: N processes run the workload at once, and one line has
 * their means. --least MS: a run is repeated until MS milliseconds have passed, and the line has the mean. --fits: only
 * says whether the size exists.
 *
 * exit codes:
 *   1  an answer is wrong
 *   2  wrong command line
 *   3  the runtime does not start, there is no memory, or the output cannot be written
 */
#include "copies.h"
#include "workload.h"

#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct request {
	const struct filchi_workload *workload;
	const char *size;
	struct filchi_runtime_setup setup;
	unsigned runs, least; /* least: shortest sample in milliseconds */
	unsigned copies;      /* 0: only this process */
	bool gate;	      /* all copies start at once */
	bool fits;	      /* only says whether the size exists */
	int code;
};

/* The names of the counts in the output line. */
static const char *const count_names[FILCHI_COUNTS] = {
	[FILCHI_COUNT_NS] = "ns",
	[FILCHI_COUNT_CPU] = "cpu_ns",
	[FILCHI_COUNT_VOLUNTARY] = "voluntary",
	[FILCHI_COUNT_INVOLUNTARY] = "involuntary",
	[FILCHI_COUNT_TASKS] = "tasks",
	[FILCHI_COUNT_STEALS] = "steals",
	[FILCHI_COUNT_LEAPFROGS] = "leapfrogs",
	[FILCHI_COUNT_GROWS] = "grows",
	[FILCHI_COUNT_SHRINKS] = "shrinks",
	[FILCHI_COUNT_PEAK] = "peak_bytes",
};

/* Counts of all threads of this process so far. */
struct usage {
	uint64_t counts[FILCHI_COUNTS];
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
	struct filchi_runtime_counts runtime = filchi_runtime_counts();
	struct usage u = {{0}};
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	u.counts[FILCHI_COUNT_CPU] = 1000 * (microseconds(r.ru_utime) + microseconds(r.ru_stime));
	u.counts[FILCHI_COUNT_VOLUNTARY] = (uint64_t)r.ru_nvcsw;
	u.counts[FILCHI_COUNT_INVOLUNTARY] = (uint64_t)r.ru_nivcsw;
	u.counts[FILCHI_COUNT_TASKS] = runtime.tasks;
	u.counts[FILCHI_COUNT_STEALS] = runtime.steals;
	u.counts[FILCHI_COUNT_LEAPFROGS] = runtime.leapfrogs;
	u.counts[FILCHI_COUNT_GROWS] = runtime.grows;
	u.counts[FILCHI_COUNT_SHRINKS] = runtime.shrinks;
	return u;
}

/* Returns the peak memory in bytes. ru_maxrss may be that of the parent program. */
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

static void print_sample(const struct filchi_sample *s)
{
	printf("right");
	for (int i = 0; i < FILCHI_COUNTS; i++)
		if (s->counts[i] != UINT64_MAX)
			printf(" %s %llu", count_names[i], (unsigned long long)s->counts[i]);
}

static void print_answer(const struct filchi_sample *s)
{
	printf(" items %.0f answer %s\n", s->items, s->answer);
}

/* Reads the clock last before the run, and first after it. */
static void time_run(const struct filchi_workload *workload, void *input, struct filchi_sample *s)
{
	struct usage before = usage(), after;

	s->begin = clock_ns(CLOCK_MONOTONIC);
	workload->run(input);
	s->end = clock_ns(CLOCK_MONOTONIC);
	after = usage();
	for (int i = 0; i < FILCHI_COUNTS; i++)
		s->counts[i] = after.counts[i] == UINT64_MAX ? UINT64_MAX : after.counts[i] - before.counts[i];
	s->counts[FILCHI_COUNT_NS] = s->end - s->begin;
	s->counts[FILCHI_COUNT_PEAK] = peak();
}

/* Memory is from the first run, because the check of the answer uses memory, too. */
static void add(struct filchi_sample *sum, const struct filchi_sample *s)
{
	if (!sum->begin) {
		sum->begin = s->begin;
		sum->counts[FILCHI_COUNT_PEAK] = s->counts[FILCHI_COUNT_PEAK];
	}
	sum->end = s->end;
	for (int i = 0; i < FILCHI_COUNTS; i++)
		if (s->counts[i] == UINT64_MAX)
			sum->counts[i] = UINT64_MAX;
		else if (i != FILCHI_COUNT_PEAK)
			sum->counts[i] += s->counts[i];
	sum->items = s->items;
	memcpy(sum->answer, s->answer, sizeof(sum->answer));
}

static void divide(struct filchi_sample *sum, uint64_t times)
{
	for (int i = 0; i < FILCHI_COUNTS; i++)
		if (sum->counts[i] != UINT64_MAX && i != FILCHI_COUNT_PEAK)
			sum->counts[i] /= times;
}

/* Repeats the run until it has lasted long enough; the sample is the mean. True: the answer is right. */
static bool take(const struct request *r, void *input, uint64_t least, struct filchi_sample *sum)
{
	const struct filchi_workload *workload = r->workload;
	uint64_t times = 0;

	do {
		struct filchi_sample one = {0};

		if (workload->fill)
			workload->fill(input);
		if (r->gate && !times)
			filchi_copies_start();
		time_run(workload, input, &one);
		if (!workload->check(input, one.answer, sizeof(one.answer), &one.items)) {
			fprintf(stderr, "wrong answer: %s\n", one.answer);
			return false;
		}
		add(sum, &one);
		times++;
	} while (sum->counts[FILCHI_COUNT_NS] < least);
	divide(sum, times);
	return true;
}

/* Runs on its own input: 0, 1 if an answer is wrong, 3 without memory. */
static int run_size(const struct request *r, const char *size, bool print)
{
	void *input = r->workload->begin(size);
	int code = 0;

	if (!input) {
		fprintf(stderr, "no memory for %s of size %s\n", r->workload->name, size);
		return 3;
	}
	for (unsigned i = 0; i < (print ? r->runs : 1) && !code; i++) {
		struct filchi_sample sample = {0};

		code = take(r, input, print ? (uint64_t)r->least * 1000000 : 0, &sample) ? 0 : 1;
		if (!code && r->gate) {
			filchi_copies_done(&sample);
		} else if (!code && print) {
			print_sample(&sample);
			print_answer(&sample);
		}
	}
	r->workload->end(input);
	return code;
}

static void *run_in_thread(void *argument)
{
	struct request *r = argument;
	const char *why;

	if (filchi_runtime_start(&r->setup, &why)) {
		fprintf(stderr, "%s\n", why);
		r->code = 3;
		return NULL;
	}
	r->code = run_size(r, r->workload->warm_up, false);
	r->gate = r->copies > 0;
	if (!r->code)
		r->code = run_size(r, r->size, true);
	filchi_runtime_stop();
	return NULL;
}

static bool parse(struct request *r, int argc, char **argv)
{
	static const struct option options[] = {{"workers", required_argument, NULL, 'w'},
						{"runs", required_argument, NULL, 'r'},
						{"deque", required_argument, NULL, 'd'},
						{"victim", required_argument, NULL, 'v'},
						{"join", required_argument, NULL, 'j'},
						{"copies", required_argument, NULL, 'c'},
						{"least", required_argument, NULL, 'l'},
						{"fits", no_argument, NULL, 'f'},
						{0}};
	bool bad = false;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'w')
			r->setup.workers = filchi_workload_number(optarg, 1, 4096);
		else if (option == 'r')
			r->runs = filchi_workload_number(optarg, 1, 10000);
		else if (option == 'c')
			bad = !(r->copies = filchi_workload_number(optarg, 1, FILCHI_COPIES_MAX)) || bad;
		else if (option == 'l')
			bad = !(r->least = filchi_workload_number(optarg, 1, 10000)) || bad;
		else if (option == 'f')
			r->fits = true;
		else if (option == 'd')
			r->setup.deque = optarg;
		else if (option == 'v')
			r->setup.victim = optarg;
		else if (option == 'j')
			r->setup.join = optarg;
		else
			return false;
	}
	for (unsigned n = 0; argc == optind + 2 && filchi_workload(n); n++)
		if (!strcmp(filchi_workload(n)->name, argv[optind]))
			r->workload = filchi_workload(n);
	r->size = r->workload ? argv[optind + 1] : NULL;
	return r->workload && r->setup.workers && r->runs && !bad && (!r->copies || r->runs == 1);
}

/* Returns the exit code, or 3 if the samples cannot be written. */
static int end(int code)
{
	if (!fflush(stdout))
		return code;
	fprintf(stderr, "cannot write standard output: %s\n", strerror(errno));
	return 3;
}

/* Runs in a thread with the stack of a worker. */
static int run_thread(struct request *r)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int err;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, FILCHI_WORKLOAD_STACK);
	err = pthread_create(&thread, &attributes, run_in_thread, r);
	if (!err)
		err = pthread_join(thread, NULL);
	if (err) {
		fprintf(stderr, "no thread with a stack of %zu bytes: %s\n", FILCHI_WORKLOAD_STACK, strerror(err));
		return 3;
	}
	return end(r->code);
}

static int run_copies(struct request *r)
{
	struct filchi_sample mean;
	double overlap;
	int code = filchi_copies_make(r->copies, &mean, &overlap);

	if (code < 0)
		return run_thread(r);
	if (code)
		return code;
	print_sample(&mean);
	printf(" overlap %.4f", overlap);
	print_answer(&mean);
	return end(0);
}

int main(int argc, char **argv)
{
	struct request r = {.setup = {.workers = 1}, .runs = 1};
	char why[256];

	if (!parse(&r, argc, argv)) {
		fprintf(stderr,
			"usage: %s WORKLOAD SIZE [--workers N] [--runs K | --copies N] [--least MS] [--fits] "
			"[--deque KIND] [--victim POLICY] [--join POLICY]\n"
			"This is a part of filch bench, which runs it.\n",
			argv[0]);
		return 2;
	}
	if (!filchi_workload_fits(r.workload, r.size, why, sizeof(why))) {
		fprintf(stderr, "%s\n", why);
		return 2;
	}
	if (r.fits)
		return 0;
	return r.copies ? run_copies(&r) : run_thread(&r);
}
