/* SPDX-License-Identifier: Apache-2.0 */
#include "integrate.h"

#include <filch.h>

FILCH_TASK(double, integrate, struct filchi_trapezium, t)
{
	struct filchi_trapezium first, second;
	double area;

	if (filchi_integrate_halve(t, &first, &second, &area))
		return area;
	FILCH_SPAWN(integrate, first);
	area = FILCH_CALL(integrate, second);
	return FILCH_SYNC(integrate) + area;
}

double filchi_integrate(struct filchi_trapezium t)
{
	return FILCH_RUN(integrate, t);
}
