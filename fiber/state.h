/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a thread that goes with a fiber: exceptions of C++, and by option the floating-point environment.
 *
 * The C++ library keeps the exceptions in flight, and those whose handlers run, in a list of the thread. A fiber that
 * waits inside of a handler must take its list along, because the end of the next handler of the thread frees the
 * newest exception. The layout is that of the Itanium C++ ABI. A program without C++ has no such function.
 */
#ifndef FILCHI_FIBER_STATE_H
#define FILCHI_FIBER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct filchi_exceptions {
	void *caught;
	unsigned uncaught;
};
struct filchi_exceptions *__cxa_get_globals(void) __attribute__((weak));

/* Takes the exceptions from the thread. False: there are none. */
static inline bool filchi_exceptions_take(struct filchi_exceptions *out)
{
	struct filchi_exceptions *thread;

	if (!__cxa_get_globals)
		return false;
	thread = __cxa_get_globals();
	if (!thread->caught && !thread->uncaught)
		return false;
	*out = *thread;
	thread->caught = NULL;
	thread->uncaught = 0;
	return true;
}

static inline void filchi_exceptions_put(const struct filchi_exceptions *e)
{
	struct filchi_exceptions *thread = __cxa_get_globals();

	thread->caught = e->caught;
	thread->uncaught = e->uncaught;
}

/* ---- the floating-point environment: rounding, traps and flags ---- */

struct filchi_fenv {
	uint64_t control, status;
};

#if defined(__x86_64__)
#define FILCHI_FENV 1
static inline void filchi_fenv_get(struct filchi_fenv *e)
{
	uint32_t mxcsr;
	uint16_t x87;

	__asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87) : : "memory");
	e->control = x87;
	e->status = mxcsr;
}

static inline void filchi_fenv_set(const struct filchi_fenv *e)
{
	uint32_t mxcsr = (uint32_t)e->status;
	uint16_t x87 = (uint16_t)e->control;

	__asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(x87) : "memory");
}
#elif defined(__aarch64__)
#define FILCHI_FENV 1
static inline void filchi_fenv_get(struct filchi_fenv *e)
{
	__asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(e->control), "=r"(e->status) : : "memory");
}

static inline void filchi_fenv_set(const struct filchi_fenv *e)
{
	__asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(e->control), "r"(e->status) : "memory");
}
#else
#define FILCHI_FENV 0 /* the option is -ENOTSUP */
static inline void filchi_fenv_get(struct filchi_fenv *e)
{
	e->control = e->status = 0;
}

static inline void filchi_fenv_set(const struct filchi_fenv *e)
{
	(void)e;
}
#endif

#endif
