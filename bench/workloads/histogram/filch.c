/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

#include <filch.h>

static void fold(size_t from, size_t to, void *bins, void *bytes)
{
	filchi_bins_count(bins, (const unsigned char *)bytes + from, to - from);
}

static void combine(void *bins, const void *right, void *bytes)
{
	(void)bytes;
	filchi_bins_add(bins, right);
}

void filchi_histogram_make(struct filchi_bins *bins, const unsigned char *bytes, size_t count)
{
	struct filch_reduce_options how = {
		.struct_size = sizeof(how),
		.value_size = sizeof(*bins),
		.fold = fold,
		.combine = combine,
		.arg = (void *)(uintptr_t)bytes,
	};

	filch_reduce(NULL, 0, count, &how, bins);
}
