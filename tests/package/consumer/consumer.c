/* SPDX-License-Identifier: Apache-2.0 */
/* A program as a user would write it: only public headers and names. */
#include <filch.h>

#include <stdio.h>

int main(void)
{
	struct filch_deque *d;
	uintptr_t item = 0;
	int ok;

	if (filch_deque_create(&d, filch_deque_kind_name(0), NULL))
		return 1;
	ok = !filch_deque_push(d, 42) && filch_deque_pop(d, &item) == FILCH_OK && item == 42;
	filch_deque_destroy(d);
	printf("filch %d.%d.%d: %s\n", FILCH_VERSION_MAJOR, FILCH_VERSION_MINOR, FILCH_VERSION_PATCH,
	       ok ? "ok" : "failed");
	return !ok;
}
