/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

namespace
{

struct body {
	const unsigned char *bytes;
	filchi_bins bins{};

	explicit body(const unsigned char *from) : bytes(from)
	{
	}
	body(body &other, tbb::split) : bytes(other.bytes)
	{
	}
	void operator()(const tbb::blocked_range<size_t> &range)
	{
		filchi_bins_count(&bins, bytes + range.begin(), range.size());
	}
	void join(const body &right)
	{
		filchi_bins_add(&bins, &right.bins);
	}
};

} // namespace

void filchi_histogram_make(struct filchi_bins *bins, const unsigned char *bytes, size_t count)
{
	body all(bytes);

	tbb::parallel_reduce(tbb::blocked_range<size_t>(0, count), all);
	*bins = all.bins;
}
