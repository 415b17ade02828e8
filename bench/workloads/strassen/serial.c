/* SPDX-License-Identifier: Apache-2.0 */
#include "strassen.h"

#include <stdlib.h>

static inline void product(const struct filchi_strassen *s)
{
	struct filchi_strassen parts[FILCHI_STRASSEN_PRODUCTS];
	double *room;

	if (s->side <= FILCHI_STRASSEN_SMALL) {
		filchi_strassen_block(s);
		return;
	}
	room = filchi_strassen_alloc(s->side);
	filchi_strassen_split(s, room, parts);
	for (int i = 0; i < FILCHI_STRASSEN_PRODUCTS; i++)
		product(&parts[i]);
	filchi_strassen_join(s, parts);
	free(room);
}

void filchi_strassen(const struct filchi_strassen *s)
{
	product(s);
}
