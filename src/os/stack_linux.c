/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that has no stack left cannot run a handler on it: each worker has another, small one for that. At its base
 * is what the handler needs to know, with the text ready, as little may be called in a handler.
 *
 * The system kills a thread at once whose fault is blocked, so these two signals are let through to workers. That also
 * gives a handler of the program's own what it would otherwise not get to see.
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
#include <ucontext.h>
#include <unistd.h>

/* So far below the end of the stack a fault may be, or so far from the stack pointer. */
#define CLOSE ((uintptr_t)1 << 16)

struct watch {
	uintptr_t start; /* of the stack, nearly */
	size_t bytes;
	bool (*is_task_stack)(const void *context, uintptr_t address);
	const void *context;
	size_t mapped;
	bool alternate; /* the stack is in use as such */
	char stack_text[160], task_text[160];
};

/* Looked at by the handler in any thread: where that makes memory for it first, it might have to wait for itself. */
static _Thread_local FILCHI_TLS_NEAR struct watch *watch;
static const int faults[] = {SIGSEGV, SIGBUS};

static void say(const char *text)
{
	ssize_t written = write(STDERR_FILENO, text, strlen(text));

	(void)written; /* there is nobody to tell */
}

static bool is_close_to_top(uintptr_t address, const ucontext_t *context)
{
#if defined(__x86_64__)
	uintptr_t top = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	uintptr_t top = (uintptr_t)context->uc_mcontext.sp;
#else
	uintptr_t top = address + 2 * CLOSE; /* not known */

	(void)context;
#endif
	return address - (top - CLOSE) < 2 * CLOSE;
}

/*
 * Deep down, and near where the stack ends, if it is as large as was asked for; the C library may have had a larger one
 * left over, and then near where it has come to.
 *
 * pthread_getattr_np() would know, but allocates memory: in a thread that has not done so yet that makes an arena, and
 * holes in the address space, where large arrays of the program then come to be at distances that caches do not like.
 */
static bool is_end_of_stack(uintptr_t address, const ucontext_t *context)
{
	uintptr_t depth = watch->start - address;

	return address < watch->start && depth > watch->bytes / 2 &&
	       (depth < watch->bytes + CLOSE || is_close_to_top(address, context));
}

static void handle(int number, siginfo_t *info, void *context)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	uintptr_t address = (uintptr_t)info->si_addr;
	int saved = errno;

	/* Sent, or for want of room for another signal: it does not come again by itself when this returns. */
	bool sent = info->si_code <= 0 || info->si_code == SI_KERNEL;

	if (watch && !sent) {
		if (is_end_of_stack(address, context))
			say(watch->stack_text);
		else if (watch->is_task_stack(watch->context, address))
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

static void set_text(struct watch *w, int worker, size_t bytes)
{
	bool large = bytes >= (size_t)1 << 20;

	snprintf(w->stack_text, sizeof(w->stack_text),
		 "filch: worker %d ran out of stack (%zu %s); FILCH_STACK or options.stack sets it\n", worker,
		 bytes >> (large ? 20 : 10), large ? "MiB" : "KiB");
	snprintf(w->task_text, sizeof(w->task_text), "filch: worker %d has too many spawns that are not synced\n",
		 worker);
}

void filchi_stack_begin(int worker, size_t bytes, bool (*is_task_stack)(const void *context, uintptr_t address),
			const void *context)
{
	long least = sysconf(_SC_SIGSTKSZ);
	size_t size = (least > 1 << 14 ? (size_t)least : 1 << 14) + (1 << 14);
	stack_t alternate = {.ss_flags = 0}, before;
	struct watch *w = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (w == MAP_FAILED)
		return; /* it does without */
	w->mapped = size;
	w->start = (uintptr_t)__builtin_frame_address(0);
	w->bytes = bytes;
	w->is_task_stack = is_task_stack;
	w->context = context;
	set_text(w, worker, bytes);
	/* A sanitizer may have given it one. */
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
