/* SPDX-License-Identifier: Apache-2.0 */
#include "golomb.h"

void filchi_golomb_generate(FILE *out, const struct filchi_generate *g)
{
	fprintf(out, "%zu\n", g->size);
}
