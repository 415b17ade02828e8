/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says so when a worker runs out of stack, which otherwise is a fault like any other. All other faults are left alone.
 */
#ifndef FILCHI_OS_STACK_H
#define FILCHI_OS_STACK_H

#include "os.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Behind what filchi_vm_map() maps: at least so much must not be touched. */
#define FILCHI_STACK_GUARD ((size_t)4096)

/*
 * From watch to unwatch faults are looked at first, if the program has left them to the system. Neither is to be called
 * by two threads at once. A program that sets up a handler of its own afterwards has it: unwatch leaves it there.
 */
void filchi_stack_watch(void);
void filchi_stack_unwatch(void);

/* A worker, with the sizes of its stack and of its task stacks, and the sizes that the options ask for. */
struct filchi_stack_owner {
	int worker;
	const struct filchi_thread *thread;
	size_t bytes, task_bytes;
	size_t wanted, task_wanted;
	/* Called in a signal handler: is this the end of one of the task stacks? */
	bool (*is_task_stack)(const void *context, uintptr_t address);
	const void *context;
};

/* In the thread of the worker, at its start and end. */
void filchi_stack_begin(const struct filchi_stack_owner *owner);
void filchi_stack_end(void);

#endif
