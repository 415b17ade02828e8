/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread waits for the signals that end a program. The first one ends the run with its best solution. The second one
 * ends the program. After the run, a signal of our own ends the thread. pthread_cancel would load a library for that,
 * and abort the program if there is no memory.
 */
#define _GNU_SOURCE

#include "solve.h"

static bool is_over(struct filchi_solve_interrupts *i)
{
	bool over;

	pthread_mutex_lock(&i->lock);
	over = i->over;
	pthread_mutex_unlock(&i->lock);
	return over;
}

static void *wait_for_signals(void *arg)
{
	struct filchi_solve_interrupts *i = arg;
	int number;

	if (sigwait(&i->signals, &number) || is_over(i))
		return NULL;
	i->cancel(i->solver);
	if (!sigwait(&i->signals, &number) && !is_over(i)) {
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
	i->over = false;
	pthread_mutex_init(&i->lock, NULL);
	i->started = !pthread_create(&i->thread, NULL, wait_for_signals, i);
	if (!i->started)
		pthread_sigmask(SIG_UNBLOCK, &i->signals, NULL);
}

void filchi_solve_interrupts_end(struct filchi_solve_interrupts *i)
{
	if (!i->started)
		return;
	pthread_mutex_lock(&i->lock);
	i->over = true;
	pthread_mutex_unlock(&i->lock);
	pthread_kill(i->thread, SIGTERM);
	pthread_join(i->thread, NULL);
	pthread_mutex_destroy(&i->lock);
}
