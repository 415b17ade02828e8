/* SPDX-License-Identifier: Apache-2.0 */
/* How a thread from outside puts an item into a scheduler that another thread may stop. */
#ifndef TEST_SUPPORT_SCHED_PUT_H
#define TEST_SUPPORT_SCHED_PUT_H

#include "../../src/sched/sched.h"

#include <errno.h>

static inline int sched_put(struct filchi_sched *s, uintptr_t item)
{
	int err;

	if (!filchi_sched_enter(s))
		return -ESHUTDOWN;
	err = filchi_sched_inject(s, item);
	filchi_sched_leave(s);
	return err;
}

#endif
