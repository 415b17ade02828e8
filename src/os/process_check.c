/* SPDX-License-Identifier: Apache-2.0 */
/* Checked programs do not fork, but a scenario may say that it is a child now. */
#include "os_check.h"
#include "process.h"

static unsigned generation;

int filchi_process_watch(void)
{
	return 0;
}

unsigned filchi_process_generation(void)
{
	return generation;
}

void filchi_process_check_set(unsigned number)
{
	generation = number;
}
