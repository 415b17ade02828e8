/* SPDX-License-Identifier: Apache-2.0 */
/* Counts each byte: a reduction whose value is not small. */
#ifndef FILCHI_BENCH_WORKLOAD_HISTOGRAM_H
#define FILCHI_BENCH_WORKLOAD_HISTOGRAM_H

#include "../common/workload.h"

FILCH_BEGIN_DECLS

struct filchi_bins {
	uint64_t count[256];
};

static inline void filchi_bins_count(struct filchi_bins *bins, const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bins->count[bytes[i]]++;
}

static inline void filchi_bins_add(struct filchi_bins *bins, const struct filchi_bins *other)
{
	for (int i = 0; i < 256; i++)
		bins->count[i] += other->count[i];
}

/* The bins are empty before. */
void filchi_histogram_make(struct filchi_bins *bins, const unsigned char *bytes, size_t count);

FILCH_END_DECLS

#endif
