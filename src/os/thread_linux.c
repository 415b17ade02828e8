/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads with stacks of their own.
 *
 * The C library would map the stacks as well, but after mlockall(MCL_FUTURE) it would populate them. It also does not
 * tell where a stack ends unless it allocates memory. Here the starter maps the stack, and the joiner unmaps it.
 *
 * Edges:
 *   WANTS  wanted: a number. It orders nothing
 */
#define _GNU_SOURCE

#include "os.h"

#include "../base/compiler.h"
#include "os_parts.h"
#include "process.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The guard below each stack. A larger frame can jump over it. A multiple of all sizes of pages. */
#define GUARD ((size_t)1 << 18)

/* ThreadSanitizer uses this much of each stack. */
#define LEAST ((size_t)1 << 17)

struct thread {
	pthread_t id;
	char *base;   /* of the guard; the stack is above */
	size_t bytes; /* of both */
	struct filchi_thread_setup setup;
};
_Static_assert(sizeof(struct thread) <= sizeof(struct filchi_thread), "no room for the system's thread");
_Static_assert(sizeof(sigset_t) <= sizeof(struct filchi_signals), "no room for the system's signals");

static struct thread *native(struct filchi_thread *t)
{
	return (struct thread *)(void *)t->opaque;
}

/* ---- stacks ---- */

/* The demands of the program's objects on a stack. */
struct wants {
	size_t locals; /* bytes of thread-local variables, which are on the stack */
	int execute;   /* PROT_EXEC, as nested functions need it, or 0 */
};

static int add_wants(struct dl_phdr_info *object, size_t size, void *wants)
{
	struct wants *w = wants;

	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];

		if (part->p_type == PT_TLS)
			w->locals += part->p_memsz + part->p_align;
		if (part->p_type == PT_GNU_STACK && (part->p_flags & PF_X))
			w->execute = PROT_EXEC;
	}
	return 0;
}

/* The last answer: bytes of thread-local variables times two, and one more if stacks are executable. */
static FILCHI_ATOMIC(size_t) wanted;

/* Objects may have come since the last time. */
__attribute__((constructor)) static void look_for_wants(void)
{
	struct wants wants = {0, 0};

	dl_iterate_phdr(add_wants, &wants);
	filchi_store_rlx(&wanted, wants.locals * 2 + !!wants.execute, WANTS);
}

/*
 * A child of fork() has the answer of its parent. It must not look itself: glibc has a lock for that, and if another
 * thread held it at the fork, the child would wait for ever.
 */
static struct wants find_wants(void)
{
	size_t answer;

	if (!filchi_process_generation())
		look_for_wants();
	answer = filchi_load_rlx(&wanted, WANTS);
	return (struct wants){answer / 2, answer % 2 ? PROT_EXEC : 0};
}

static int map_stack(struct thread *t)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = t->setup.stack_bytes > LEAST ? t->setup.stack_bytes : LEAST;
	long least = sysconf(_SC_THREAD_STACK_MIN);
	struct wants wants = find_wants();

	if (least > 0 && bytes < (size_t)least)
		bytes = (size_t)least;
	bytes = (bytes + wants.locals + page - 1) & ~(page - 1);
	t->bytes = GUARD + bytes;
	t->base = filchi_vm_grow(t->bytes, PROT_READ | PROT_WRITE | wants.execute);
	if (!t->base)
		return -ENOMEM;
	if (mprotect(t->base, GUARD, PROT_NONE)) {
		filchi_vm_release(t->base, t->bytes);
		return -ENOMEM;
	}
	/* With a huge page the first touch would take 2 MB. */
	(void)madvise(t->base + GUARD, bytes, MADV_NOHUGEPAGE);
	return 0;
}

bool filchi_thread_is_guard(const struct filchi_thread *t, uintptr_t address)
{
	const struct thread *n = (const struct thread *)(const void *)t->opaque;

	return address - (uintptr_t)n->base < GUARD;
}

/* ---- from start to end ---- */

void filchi_signals_get(struct filchi_signals *signals)
{
	pthread_sigmask(SIG_SETMASK, NULL, (sigset_t *)(void *)signals->opaque);
}

static void *enter(void *thread)
{
	struct thread *t = thread;

	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_sigmask(SIG_SETMASK, (const sigset_t *)(const void *)t->setup.signals->opaque, NULL);
	pthread_cleanup_push(t->setup.died, t->setup.arg);
	t->setup.main(t->setup.arg);
	pthread_cleanup_pop(0);
	return NULL;
}

static int create(struct thread *t)
{
	sigset_t all, before;
	pthread_attr_t attr;
	int err = pthread_attr_init(&attr);

	if (err)
		return -err;
	err = pthread_attr_setstack(&attr, t->base + GUARD, t->bytes - GUARD);
	if (!err) {
		/* The thread inherits the mask of its starter. It must not handle a signal before it has its own. */
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		err = pthread_create(&t->id, &attr, enter, t);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	pthread_attr_destroy(&attr);
	return -err;
}

int filchi_thread_start(struct filchi_thread *thread, const struct filchi_thread_setup *setup)
{
	struct thread *t = native(thread);
	int err;

	t->setup = *setup;
	err = map_stack(t);
	if (err)
		return err;
	err = create(t);
	if (err)
		filchi_vm_release(t->base, t->bytes);
	return err;
}

void filchi_thread_join(struct filchi_thread *thread)
{
	struct thread *t = native(thread);

	pthread_join(t->id, NULL);
	filchi_vm_release(t->base, t->bytes);
}

void filchi_thread_lost(int worker)
{
	char text[120], name[40] = "its thread";
	int length;
	ssize_t written;

	if (worker >= 0)
		snprintf(name, sizeof(name), "worker %d", worker);
	length = snprintf(text, sizeof(text),
			  "filch: a job or task ended %s with pthread_exit(); jobs and tasks must return\n", name);
	written = write(STDERR_FILENO, text, (size_t)length);
	(void)written; /* the program ends anyway */
	abort();
}

/* ---- threads that must stay for a while ---- */

/* While a thread must stay: the generation of the process, plus one. Its destructor is called when the thread ends. */
static pthread_key_t stays;
static pthread_once_t stays_once = PTHREAD_ONCE_INIT;
static bool stays_works;

static void ended(void *generation)
{
	/* In a child of fork() the thread has no such duty. */
	if ((uintptr_t)generation == (uintptr_t)filchi_process_generation() + 1)
		filchi_thread_lost(-1);
}

static void make_stays(void)
{
	stays_works = !pthread_key_create(&stays, ended);
}

/* The bits of the result: whether the thread could be cancelled, and whether it had to stay before. */
int filchi_thread_keep(void)
{
	int before = PTHREAD_CANCEL_ENABLE;
	bool stayed = false;

	(void)pthread_once(&stays_once, make_stays);
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	if (stays_works) {
		stayed = pthread_getspecific(stays);
		(void)pthread_setspecific(stays, (void *)((uintptr_t)filchi_process_generation() + 1));
	}
	return before << 1 | stayed;
}

void filchi_thread_keep_not(int before)
{
	if (stays_works && !(before & 1))
		(void)pthread_setspecific(stays, NULL);
	(void)pthread_setcancelstate(before >> 1, NULL);
}

void filchi_thread_name(const char *name)
{
	(void)prctl(PR_SET_NAME, name); /* longer names are cut */
}

void filchi_thread_yield(void)
{
	sched_yield();
}

static _Thread_local FILCHI_TLS_NEAR void *local;

void *filchi_thread_local(void)
{
	return local;
}

void filchi_thread_local_set(void *value)
{
	local = value;
}

void **filchi_thread_slot(void)
{
	static _Thread_local FILCHI_TLS_NEAR void *slot;

	return &slot;
}
