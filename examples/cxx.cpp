// SPDX-License-Identifier: Apache-2.0
// From C++: options, a task that returns a struct, and a loop whose body is a lambda without captures.
#include <filch.h>

#include <cmath>
#include <cstdio>
#include <vector>

struct Extent {
	double low, high, sum;
};

FILCH_TASK(Extent, extent, const double *, first, const double *, last)
{
	if (last - first <= 1000) {
		Extent e = {*first, *first, 0};

		for (const double *p = first; p < last; p++) {
			e.low = std::fmin(e.low, *p);
			e.high = std::fmax(e.high, *p);
			e.sum += *p;
		}
		return e;
	}
	const double *middle = first + (last - first) / 2;

	FILCH_SPAWN(extent, first, middle);
	Extent r = FILCH_CALL(extent, middle, last);
	Extent l = FILCH_SYNC(extent);

	return {std::fmin(l.low, r.low), std::fmax(l.high, r.high), l.sum + r.sum};
}

int main()
{
	std::vector<double> values(1000000);
	struct filch_options options = {}; // before C++20 there are no names in the braces

	options.struct_size = sizeof options;
	options.workers = 4;
	if (filch_start(&options)) {
		std::fprintf(stderr, "%s\n", filch_error_message());
		return 1;
	}
	filch_for(
		nullptr, 0, values.size(), 0,
		[](size_t from, size_t to, void *arg) {
			double *value = static_cast<double *>(arg);

			for (size_t i = from; i < to; i++)
				value[i] = static_cast<double>(i % 1000);
		},
		values.data());

	const double *first = values.data();
	Extent e = FILCH_RUN(extent, first, first + values.size());

	filch_stop();
	std::printf("%g to %g, %g in all\n", e.low, e.high, e.sum);
	return e.low != 0 || e.high != 999 || e.sum != 499500000;
}
