/* SPDX-License-Identifier: Apache-2.0 */
#include "strassen.h"

static inline void product(const struct filchi_strassen *s)
{
	struct filchi_strassen parts[FILCHI_STRASSEN_PRODUCTS];
	double *room = filchi_strassen_begin(s, parts);

	if (!room)
		return;
	for (int i = 0; i < FILCHI_STRASSEN_PRODUCTS; i++)
		product(&parts[i]);
	filchi_strassen_end(s, parts, room);
}

void filchi_strassen(const struct filchi_strassen *s)
{
	product(s);
}
