/* SPDX-License-Identifier: Apache-2.0 */
/* The checker has no limits. */
#include "limits.h"

size_t filchi_limits_stack(unsigned threads, const char *root)
{
	(void)threads;
	(void)root;
	return FILCHI_LIMITS_STACK;
}

void filchi_limits_text(char text[FILCHI_LIMITS_TEXT], int err)
{
	(void)err;
	text[0] = '\0';
}
