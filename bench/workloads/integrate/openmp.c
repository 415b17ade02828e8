/* SPDX-License-Identifier: Apache-2.0 */
#include "integrate.h"

static double integrate(struct filchi_trapezium t)
{
	struct filchi_trapezium first, second;
	double area, left;

	if (filchi_integrate_halve(t, &first, &second, &area))
		return area;
#pragma omp task shared(left)
	left = integrate(first);
	area = integrate(second);
#pragma omp taskwait
	return left + area;
}

double filchi_integrate(struct filchi_trapezium t)
{
	double area;

#pragma omp parallel
#pragma omp single
	area = integrate(t);
	return area;
}
