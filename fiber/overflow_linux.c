/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports that a fiber has run out of stack, before the fault ends the program. The pool has given each worker a second
 * stack for handlers, unless its option stack_report forbids it. All other faults go to the handler before. A stack
 * without a guard causes no fault; its worker finds the canary overwritten.
 */
#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int faults[] = {SIGSEGV, SIGBUS};
#define FAULTS (sizeof(faults) / sizeof(faults[0]))
static struct sigaction before[FAULTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned watchers;

static void report(const struct filch_fiber *f, const struct filchi_fiber_block *b)
{
	char text[200];
	int length = snprintf(text, sizeof(text),
			      "filch: fiber '%s' ran out of stack (%zu KiB with %zu KiB of guard); the option stack of "
			      "filch_fiber_start() or FILCH_FIBER_STACK sets it\n",
			      filch_fiber_name(f), ((size_t)1 << b->size) >> 10, filchi_stack_guard() >> 10);
	ssize_t written = write(STDERR_FILENO, text, length > 0 ? (size_t)length : 0);

	(void)written; /* nothing more can be done */
}

/* The stack beside this one may be overwritten as well. */
void filchi_overflow_found(const struct filch_fiber *f, const struct filchi_fiber_block *b)
{
	report(f, b);
	abort();
}

static void hand_on(int number, siginfo_t *info, void *context, const struct sigaction *to)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	if (to->sa_flags & SA_SIGINFO)
		to->sa_sigaction(number, info, context);
	else if (to->sa_handler != SIG_DFL && to->sa_handler != SIG_IGN)
		to->sa_handler(number);
	else
		sigaction(number, &action, NULL); /* the fault comes again */
}

static void handle(int number, siginfo_t *info, void *context)
{
	struct filchi_fiber_worker *w = filchi_fiber_worker();
	int saved = errno;

	if (w && w->current && info->si_code > 0 && info->si_code != SI_KERNEL) {
		const char *bottom = w->block->bottom;

		if ((uintptr_t)bottom - (uintptr_t)info->si_addr <= filchi_stack_guard())
			report(w->current, w->block);
	}
	hand_on(number, info, context, &before[number == SIGSEGV ? 0 : 1]);
	errno = saved;
}

/* Only if the pool or nobody handles faults: a handler of the program stays in place. */
void filchi_overflow_watch(void)
{
	struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_ONSTACK, .sa_sigaction = handle};

	sigemptyset(&ours.sa_mask);
	pthread_mutex_lock(&lock);
	for (size_t i = 0; !watchers && i < FAULTS; i++)
		sigaction(faults[i], &ours, &before[i]);
	watchers++;
	pthread_mutex_unlock(&lock);
}

void filchi_overflow_unwatch(void)
{
	struct sigaction now;

	pthread_mutex_lock(&lock);
	watchers--;
	for (size_t i = 0; !watchers && i < FAULTS; i++)
		if (!sigaction(faults[i], NULL, &now) && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle)
			sigaction(faults[i], &before[i], NULL);
	pthread_mutex_unlock(&lock);
}
