/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

void filchi_histogram_make(struct filchi_bins *bins, const unsigned char *bytes, size_t count)
{
	uint64_t *counts = bins->count;

#pragma omp parallel for reduction(+ : counts[:256])
	for (size_t i = 0; i < count; i++)
		counts[bytes[i]]++;
}
