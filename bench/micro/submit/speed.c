/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs that a thread outside of the pool submits: the time of a job among many, of a job in a call of 1,000, of one job
 * with its wait, and from the submit to the start of a job while all workers sleep. The runtimes take turns in each
 * round, so that a change of the machine affects them alike. Prints medians as JSON.
 */
#define _POSIX_C_SOURCE 200809L

#include "submit.h"

#include <filch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_ROUNDS = 1001, JOBS = 5000, SINGLES = 500, STARTS = 20 };

uint64_t submit_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- filch ---- */

static struct filch_future *stamp_future;

static void check(int err)
{
	if (!err)
		return;
	fprintf(stderr, "submit_speed: %s\n", filch_error_message());
	exit(1);
}

static int empty(void *arg, void **result)
{
	(void)arg;
	(void)result;
	return 0;
}

static int read_clock(void *started, void **result)
{
	(void)result;
	*(uint64_t *)started = submit_clock();
	return 0;
}

static int start(unsigned workers)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = (int)workers};

	return filch_start(&options);
}

static void stop(void)
{
	check(filch_stop());
}

static void submit_jobs(size_t count, size_t at_once)
{
	struct filch_group *group;

	check(filch_group_create(&group, NULL));
	for (size_t i = 0; i < count; i += at_once)
		check(at_once > 1 ? filch_group_submit_n(group, empty, NULL, 0, at_once)
				  : filch_group_submit(group, empty, NULL));
	check(filch_group_destroy(group));
}

static void jobs(size_t count)
{
	submit_jobs(count, 1);
}

static void bulk(size_t count)
{
	submit_jobs(count, SUBMIT_BULK);
}

static void single(void)
{
	struct filch_future *future;

	check(filch_pool_submit(NULL, empty, NULL, &future));
	check(filch_future_wait(future, NULL));
	filch_future_destroy(future);
}

static void stamp(uint64_t *started)
{
	check(filch_pool_submit(NULL, read_clock, started, &stamp_future));
}

static void stamped(void)
{
	check(filch_future_wait(stamp_future, NULL));
	filch_future_destroy(stamp_future);
}

static const struct submit_runtime submit_filch = {"filch", start, stop, jobs, bulk, single, stamp, stamped};

/* ---- measuring ---- */

static const struct submit_runtime *const runtimes[] = {&submit_filch,
#ifdef FILCHI_SUBMIT_TBB
							&submit_tbb
#endif
};
#define RUNTIMES (sizeof(runtimes) / sizeof(runtimes[0]))

enum { M_JOBS, M_BULK, M_SINGLE, M_START, MEASURES };
static const char *const measures[MEASURES] = {"submit", "submit_bulk", "submit_and_wait", "submit_to_start"};

static double samples[RUNTIMES][MEASURES][MAX_ROUNDS];

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(values[0]), compare);
	return values[count / 2];
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

static double time_jobs(void (*run)(size_t count))
{
	uint64_t begin = submit_clock();

	run(JOBS);
	return (double)(submit_clock() - begin) / JOBS;
}

static double time_singles(const struct submit_runtime *r)
{
	uint64_t begin = submit_clock();

	for (int i = 0; i < SINGLES; i++)
		r->single();
	return (double)(submit_clock() - begin) / SINGLES;
}

/* The submitting thread sleeps, too: otherwise the worker may have to wait for its processor. */
static double time_start(const struct submit_runtime *r)
{
	double values[STARTS];

	for (int i = 0; i < STARTS; i++) {
		uint64_t begin, started = 0;

		pause_ms(2);
		begin = submit_clock();
		r->stamp(&started);
		pause_ms(1);
		r->stamped();
		values[i] = (double)started - (double)begin;
	}
	return median(values, STARTS);
}

static void round_of(size_t n, int round)
{
	const struct submit_runtime *r = runtimes[n];

	pause_ms(1);
	samples[n][M_JOBS][round] = time_jobs(r->jobs);
	pause_ms(1);
	samples[n][M_BULK][round] = r->bulk ? time_jobs(r->bulk) : NAN;
	samples[n][M_SINGLE][round] = time_singles(r);
	samples[n][M_START][round] = time_start(r);
}

static void print(unsigned workers, int rounds)
{
	const char *comma = "";

	printf("{\"suite\": \"submit\", \"workers\": %u, \"rounds\": %d, \"unit\": \"ns\", \"results\": [", workers,
	       rounds);
	for (size_t n = 0; n < RUNTIMES; n++)
		for (int m = 0; m < MEASURES; m++) {
			double *values = samples[n][m];

			if (isnan(values[0]))
				continue;
			printf("%s\n  {\"subject\": \"%s\", \"measure\": \"%s\", ", comma, runtimes[n]->name,
			       measures[m]);
			printf("\"median\": %.1f, ", median(values, (size_t)rounds));
			printf("\"p25\": %.1f, \"p75\": %.1f}", values[rounds / 4], values[rounds * 3 / 4]);
			comma = ",";
		}
	printf("\n]}\n");
}

static long number(const char *text, long low, long high, const char *name)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*text && !*end && value >= low && value <= high)
		return value;
	fprintf(stderr, "submit_speed: %s is '%s', and must be a number from %ld to %ld\n", name, text, low, high);
	exit(2);
}

int main(int argc, char **argv)
{
	unsigned workers = argc > 1 ? (unsigned)number(argv[1], 1, 1024, "WORKERS") : 1;
	int rounds = argc > 2 ? (int)number(argv[2], 1, MAX_ROUNDS, "ROUNDS") : 31;

	if (argc > 3) {
		fprintf(stderr, "usage: submit_speed [WORKERS [ROUNDS]]\n");
		return 2;
	}
	for (size_t n = 0; n < RUNTIMES; n++)
		if (runtimes[n]->start(workers)) {
			fprintf(stderr, "submit_speed: cannot start %s\n", runtimes[n]->name);
			return 1;
		}
	for (int round = 0; round < rounds; round++)
		for (size_t n = 0; n < RUNTIMES; n++)
			round_of(n, round);
	print(workers, rounds);
	for (size_t n = 0; n < RUNTIMES; n++)
		runtimes[n]->stop();
	return 0;
}
