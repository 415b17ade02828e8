/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread waits for the signals that end a program. The first one ends the run with its best solution. The second one
 * ends the program.
 */
#define _GNU_SOURCE

#include "solve.h"

static void *wait_for_signals(void *arg)
{
	struct filchi_solve_interrupts *i = arg;
	int number;

	if (sigwait(&i->signals, &number))
		return NULL;
	i->cancel(i->solver);
	if (!sigwait(&i->signals, &number)) {
		signal(number, SIG_DFL);
		pthread_sigmask(SIG_UNBLOCK, &i->signals, NULL);
		raise(number);
	}
	return NULL;
}

void filchi_solve_interrupts_block(struct filchi_solve_interrupts *i)
{
	sigemptyset(&i->signals);
	sigaddset(&i->signals, SIGINT);
	sigaddset(&i->signals, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &i->signals, NULL);
}

void filchi_solve_interrupts_begin(struct filchi_solve_interrupts *i, void (*cancel)(void *solver), void *solver)
{
	i->cancel = cancel;
	i->solver = solver;
	i->started = !pthread_create(&i->thread, NULL, wait_for_signals, i);
	if (!i->started)
		pthread_sigmask(SIG_UNBLOCK, &i->signals, NULL);
}

void filchi_solve_interrupts_end(struct filchi_solve_interrupts *i)
{
	if (i->started) {
		pthread_cancel(i->thread);
		pthread_join(i->thread, NULL);
	}
}
