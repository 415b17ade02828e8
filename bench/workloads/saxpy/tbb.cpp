/* SPDX-License-Identifier: Apache-2.0 */
#include "saxpy.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

void filchi_saxpy(const struct filchi_saxpy *s, size_t count)
{
	tbb::parallel_for(tbb::blocked_range<size_t>(0, count), [s](const tbb::blocked_range<size_t> &range) {
		filchi_saxpy_part(s, range.begin(), range.end());
	});
}
