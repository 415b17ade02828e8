/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune_subject MODE [DEQUE [FILE]]: a program for filch tune. It adds some numbers in parallel and prints the sum. The
 * mode selects a fault. With DEQUE the fault occurs only with that deque.
 *
 *   plain    nothing
 *   fail     exits with 3
 *   crash    ends by SIGABRT
 *   hang     never ends, and neither does a child of it; writes their numbers to FILE
 *   differ   prints another sum
 *   slow     takes 60 ms longer, unless it has that deque
 *   clock    prints something else each time
 *   own      has a deque of its own choice
 *   many     prints a lot
 *   serial   does not use filch
 *   fallback goes on without filch if that does not start
 */
#define _GNU_SOURCE

#include <filch.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void add(size_t from, size_t to, void *sum)
{
	for (size_t i = from; i < to; i++)
		__atomic_fetch_add((long *)sum, (long)i, __ATOMIC_RELAXED);
}

static bool has_deque(int argc, char **argv)
{
	const char *deque = getenv("FILCH_DEQUE");

	return argc < 3 || !strcmp(argv[2], deque ? deque : "split");
}

static int hang(const char *path)
{
	pid_t child = fork();
	FILE *f;

	if (child < 0)
		return 1;
	f = child ? fopen(path, "w") : NULL;
	if (f) {
		fprintf(f, "%ld %ld\n", (long)getpid(), (long)child);
		fclose(f);
	}
	for (;;)
		pause();
}

/* Runs the part before the sum. -1: the rest follows. */
static int be_odd(const char *mode, bool deque, char **argv)
{
	const struct timespec delay = {.tv_nsec = 60000000};
	struct timespec now;

	if (!strcmp(mode, "slow") && !deque)
		nanosleep(&delay, NULL);
	if (!strcmp(mode, "clock")) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		printf("%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
	}
	for (int i = 0; !strcmp(mode, "many") && i < 300000; i++)
		puts("a line");
	if (!deque)
		return -1;
	if (!strcmp(mode, "fail")) {
		fprintf(stderr, "first word\nlast word\n");
		return 3;
	}
	if (!strcmp(mode, "crash"))
		raise(SIGABRT);
	return !strcmp(mode, "hang") ? hang(argv[3]) : -1;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "plain";
	struct filch_options own = {.struct_size = sizeof(own), .deque = "chase_lev"};
	bool deque = has_deque(argc, argv);
	int code = be_odd(mode, deque, argv);
	long sum = !strcmp(mode, "differ") && deque;

	if (code >= 0)
		return code;
	if (!strcmp(mode, "serial")) {
		printf("499500\n");
		return 0;
	}
	if (filch_start(strcmp(mode, "own") ? NULL : &own)) {
		if (strcmp(mode, "fallback")) {
			fprintf(stderr, "%s\n", filch_error_message());
			return 1;
		}
		add(0, 1000, &sum);
	} else {
		filch_for(NULL, 0, 1000, 0, add, &sum);
		filch_stop();
	}
	printf("%ld\n", sum);
	return 0;
}
