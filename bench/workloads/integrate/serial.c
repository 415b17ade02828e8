/* SPDX-License-Identifier: Apache-2.0 */
#include "integrate.h"

static inline double integrate(struct filchi_trapezium t)
{
	struct filchi_trapezium first, second;
	double area;

	if (filchi_integrate_halve(t, &first, &second, &area))
		return area;
	return integrate(first) + integrate(second);
}

double filchi_integrate(struct filchi_trapezium t)
{
	return integrate(t);
}
