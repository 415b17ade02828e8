/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The switch between stacks, and all that sanitizers, valgrind and debuggers must know about it. switch_linux.c has both.
 *
 * A context is a stack that does not run. A stack is entered once, at its entry function, which never returns: for each
 * new fiber it goes on in the same frame.
 */
#ifndef FILCHI_FIBER_SWITCH_H
#define FILCHI_FIBER_SWITCH_H

#include <stddef.h>

struct filchi_context {
	void *sp;
	/* For sanitizers: the bounds of the stack, and their own data about it. */
	const void *bottom;
	size_t size;
	void *fake, *tsan;
	unsigned valgrind;
};

/* The context of a new stack from bottom to top; entry(arg) is called at the first switch to it. */
void filchi_context_init(struct filchi_context *c, void *bottom, void *top, void (*entry)(void *arg), void *arg);
void filchi_context_fini(struct filchi_context *c);
/* The context of the calling thread, to switch back to. */
void filchi_context_init_thread(struct filchi_context *c);
/* Leaves `from`, which is the running context, and goes on in `to`. Returns when another switch goes to `from`. */
void filchi_context_switch(struct filchi_context *from, struct filchi_context *to);
/* The first call in an entry function. */
void filchi_context_entered(void);

#endif
