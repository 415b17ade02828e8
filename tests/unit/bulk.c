/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/bulk_unit.h"

int main(void)
{
	/* Batches of 1,000 have parts of at most 250, joined with others up to 1/64 of the queue. */
	return bulk_unit("bulk", 250);
}
