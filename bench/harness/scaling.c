/* SPDX-License-Identifier: Apache-2.0 */
#include "scaling.h"

#include <errno.h>
#include <stdlib.h>

static void multiply(struct filchi_ratio *r, double by)
{
	r->ratio *= by;
	r->low *= by;
	r->high *= by;
}

int filchi_scaling(struct filchi_scaling *out, const double *one, const double *many, const double *alone,
		   const double *copies, size_t count, unsigned n)
{
	double *fair = calloc(count ? count : 1, sizeof(*fair));
	int err = fair ? 0 : -ENOMEM;

	/* The time of a copy of this program. If it is the copied program, this is the measured time of a copy. */
	for (size_t i = 0; i < count && !err; i++)
		fair[i] = one == alone ? copies[i] : copies[i] * (one[i] / alone[i]);
	if (!err)
		err = filchi_ratio(&out->speedup, one, count, many, count, true);
	if (!err)
		err = filchi_ratio(&out->gives, alone, count, copies, count, true);
	if (!err)
		err = filchi_ratio(&out->share, fair, count, many, count, true);
	if (!err) {
		multiply(&out->gives, n);
		multiply(&out->share, 1.0 / n);
	}
	free(fair);
	return err;
}
