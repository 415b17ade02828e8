/* SPDX-License-Identifier: Apache-2.0 */
/* In place of sleep_linux.c on a system without threads: only time can pass, and the caller looks at the clock. */
#include "system.h"

void filchi_search_sleep(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t ns)
{
	(void)word;
	(void)value;
	(void)ns;
}

void filchi_search_wake(FILCHI_ATOMIC(uint32_t) * word)
{
	(void)word;
}
