/* SPDX-License-Identifier: Apache-2.0 */
#include "integrate.h"

#include <oneapi/tbb/parallel_invoke.h>

double filchi_integrate(struct filchi_trapezium t)
{
	struct filchi_trapezium first, second;
	double area, left;

	if (filchi_integrate_halve(t, &first, &second, &area))
		return area;
	tbb::parallel_invoke([&] { left = filchi_integrate(first); }, [&] { area = filchi_integrate(second); });
	return left + area;
}
