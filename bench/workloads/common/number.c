/* SPDX-License-Identifier: Apache-2.0 */
#include "number.h"

#include "workload.h"

#include <stdlib.h>

void *filchi_number_begin(const char *size)
{
	unsigned n = filchi_workload_count(size);
	struct filchi_number *number = n ? calloc(1, sizeof(*number)) : NULL;

	if (number)
		number->n = (int)n;
	return number;
}
