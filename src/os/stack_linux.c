/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread without stack cannot run a handler on it, so each worker has a second, small stack for the handler. The base
 * of the second stack holds all data of the handler, and the finished text, because a handler may call few functions.
 *
 * The system kills the program at once if the signal of a fault is blocked, so workers do not block these two signals.
 * A handler of the program then gets these faults as well.
 *
 * A worker allocates no memory by itself, here or elsewhere. The first allocation of a thread makes an arena, which
 * leaves holes in the address space. Large arrays of the program then lie at distances that caches do not like.
 */
#define _GNU_SOURCE

#include "stack.h"

#include "../base/compiler.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TEXT 200

struct watch {
	struct filchi_stack_owner owner;
	size_t mapped;
	bool alternate; /* the second stack is in use */
	char stack_text[TEXT], task_text[TEXT];
};

/* The handler reads it in any thread. If the read allocated memory first, the handler could wait for a lock that its
 * own thread holds. */
static _Thread_local FILCHI_TLS_NEAR struct watch *watch;
static const int faults[] = {SIGSEGV, SIGBUS};

static void say(const char *text)
{
	ssize_t written = write(STDERR_FILENO, text, strlen(text));

	(void)written; /* nothing more can be done */
}

static void handle(int number, siginfo_t *info, void *context)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	uintptr_t address = (uintptr_t)info->si_addr;
	int saved = errno;
	/* A signal that was sent, or that the system raised for lack of room for a signal frame. It does not come again
	 * when this returns. */
	bool sent = info->si_code <= 0 || info->si_code == SI_KERNEL;

	(void)context;
	if (watch && !sent) {
		if (filchi_thread_is_guard(watch->owner.thread, address))
			say(watch->stack_text);
		else if (watch->owner.is_task_stack(watch->owner.context, address))
			say(watch->task_text);
	}
	sigaction(number, &action, NULL);
	if (sent)
		raise(number);
	errno = saved;
}

static bool is_ours(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

void filchi_stack_watch(void)
{
	struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_ONSTACK, .sa_sigaction = handle};
	struct sigaction now;

	sigemptyset(&ours.sa_mask);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (!sigaction(faults[i], NULL, &now) && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
			sigaction(faults[i], &ours, NULL);
}

void filchi_stack_unwatch(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	struct sigaction now;

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (!sigaction(faults[i], NULL, &now) && is_ours(&now))
			sigaction(faults[i], &action, NULL);
}

static void let_through(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigaddset(&set, faults[i]);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void set_text(char text[TEXT], int worker, const char *what, size_t bytes, size_t wanted)
{
	bool large = bytes >= (size_t)1 << 20;

	snprintf(text, TEXT, "filch: worker %d %s%zu %s); FILCH_STACK or options.stack sets it%s\n", worker, what,
		 bytes >> (large ? 20 : 10), large ? "MiB" : "KiB",
		 bytes < wanted ? ", but a limit of the system made it smaller" : "");
}

/* The bytes that a handler of signals needs. musl and glibc before 2.34 have only a constant. */
static size_t signal_stack(void)
{
#ifdef _SC_SIGSTKSZ
	long least = sysconf(_SC_SIGSTKSZ);
#else
	long least = SIGSTKSZ;
#endif

	return least > 1 << 14 ? (size_t)least : 1 << 14;
}

void filchi_stack_begin(const struct filchi_stack_owner *owner)
{
	size_t size = signal_stack() + (1 << 14);
	stack_t alternate = {.ss_flags = 0}, before;
	struct watch *w = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (w == MAP_FAILED)
		return; /* the worker goes on without one */
	w->mapped = size;
	w->owner = *owner;
	set_text(w->stack_text, owner->worker, "ran out of stack (", owner->bytes, owner->wanted);
	set_text(w->task_text, owner->worker, "has too many spawns that are not synced (task stack of ",
		 owner->task_bytes, owner->task_wanted);
	/* A sanitizer may have set one. */
	if (!sigaltstack(NULL, &before) && (before.ss_flags & SS_DISABLE)) {
		alternate.ss_sp = w + 1;
		alternate.ss_size = size - sizeof(*w);
		w->alternate = !sigaltstack(&alternate, NULL);
	}
	watch = w;
	let_through();
}

void filchi_stack_end(void)
{
	stack_t none = {.ss_flags = SS_DISABLE};
	struct watch *w = watch;

	if (!w)
		return;
	watch = NULL;
	if (w->alternate)
		sigaltstack(&none, NULL);
	munmap(w, w->mapped);
}
