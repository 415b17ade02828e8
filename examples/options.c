/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of the pool. The size comes first and must be set. For a field that is zero, the library uses the FILCH_*
 * variable or else the default. cxx.cpp shows the same in C++.
 */
#include <filch.h>
#include <stdio.h>

static void square(size_t from, size_t to, void *numbers)
{
	for (size_t i = from; i < to; i++)
		((double *)numbers)[i] = (double)i * (double)i;
}

int main(void)
{
	struct filch_options options = {
		.struct_size = sizeof(options), .workers = 4, .victim = "last", .stack = 64 << 20};
	static double numbers[100000];

	if (filch_start(&options)) {
		fprintf(stderr, "%s\n", filch_error_message());
		return 1;
	}
	printf("%u workers\n", filch_pool_workers(NULL));
	filch_for(NULL, 0, 100000, 0, square, numbers);
	filch_stop();
	printf("%g\n", numbers[99999]);
	return numbers[99999] != 99999.0 * 99999.0;
}
