/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

void filchi_histogram_make(struct filchi_bins *bins, const unsigned char *bytes, size_t count)
{
	filchi_bins_count(bins, bytes, count);
}
