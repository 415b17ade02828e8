/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports that a worker has run out of stack, before the fault ends the program. Leaves all other faults alone.
 */
#ifndef FILCHI_OS_STACK_H
#define FILCHI_OS_STACK_H

#include "os.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes behind a mapping of filchi_vm_map() that must not be touched, at least. */
#define FILCHI_STACK_GUARD ((size_t)4096)

/*
 * From watch to unwatch the library looks at faults first, if the program has left them to the system. Two threads must
 * not call these functions at once. If the program sets its own handler later, unwatch leaves that handler in place.
 */
void filchi_stack_watch(void);
void filchi_stack_unwatch(void);

/* A worker, with the sizes of its stack and of its task stacks, and the sizes that the options ask for. */
struct filchi_stack_owner {
	int worker;
	const struct filchi_thread *thread;
	size_t bytes, task_bytes;
	size_t wanted, task_wanted;
	/* Called in a signal handler. True if the address is the end of one of the task stacks. */
	bool (*is_task_stack)(const void *context, uintptr_t address);
	const void *context;
};

/* In the thread of the worker, at its start and end. */
void filchi_stack_begin(const struct filchi_stack_owner *owner);
void filchi_stack_end(void);

#endif
