/* SPDX-License-Identifier: Apache-2.0 */
/* The checker has stacks of its own, and says itself when they are full. */
#include "stack.h"

void filchi_stack_watch(void)
{
}

void filchi_stack_unwatch(void)
{
}

void filchi_stack_begin(int worker, size_t bytes, bool (*is_task_stack)(const void *context, uintptr_t address),
			const void *context)
{
	(void)worker;
	(void)bytes;
	(void)is_task_stack;
	(void)context;
}

void filchi_stack_end(void)
{
}
