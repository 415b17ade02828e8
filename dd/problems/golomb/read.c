/* SPDX-License-Identifier: Apache-2.0 */
#include "golomb.h"

#include <stdlib.h>

void *filchi_golomb_read(struct filchi_text *t)
{
	struct filchi_golomb *m = filchi_text_alloc(t, 1, sizeof(*m));

	if (!m)
		return NULL;
	filchi_text_next_line(t, 'c');
	filchi_text_size(t, "the number of marks", 2, FILCHI_GOLOMB_MARKS_MAX, &m->marks);
	filchi_text_line_end(t);
	if (filchi_text_next_line(t, 'c'))
		filchi_text_fail(t, "the file goes on after the number of marks");
	if (!t->failed && t->cut)
		filchi_text_ended(t, "%s", "");
	if (!t->failed)
		return m;
	filchi_golomb_destroy(m);
	return NULL;
}

void filchi_golomb_destroy(void *instance)
{
	free(instance);
}
