/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled diagram, for the caller to read. */
#ifndef FILCHI_DD_DIAGRAM_H
#define FILCHI_DD_DIAGRAM_H

#include "dd.h"

/* An arc whose ends are both in the diagram. */
struct filchi_dd_line {
	uint32_t from, arc;
};

struct filch_dd_diagram {
	struct filchi_dd_model model;
	struct filchi_dd_memory memory;
	struct filchi_dd_work work;
	struct filchi_dd_array lines;
	size_t *first;	       /* line of each row, and the end */
	uint32_t *best;	       /* node of each row on the best path; UINT32_MAX: none */
	int32_t *prefix;       /* labels above the root of the diagram */
	unsigned char *state;
};

#endif
