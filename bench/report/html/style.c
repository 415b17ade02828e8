/* SPDX-License-Identifier: Apache-2.0 */
#include "plot.h"

#include <stdlib.h>
#include <string.h>

/* Returns the length of a name without its source: "split (thesis)" and "split, published" are split. */
static size_t base_length(const char *name)
{
	static const char published[] = ", published";
	size_t length = strlen(name);
	const char *open = length && name[length - 1] == ')' ? strrchr(name, '(') : NULL;

	if (length > strlen(published) && !strcmp(name + length - strlen(published), published))
		return length - strlen(published);
	if (!open || open == name)
		return length;
	length = (size_t)(open - name);
	while (length && name[length - 1] == ' ')
		length--;
	return length;
}

/* True if both have the same name, or if one is measured and one published with the same first part. */
static bool same(const struct filchi_series *a, const struct filchi_series *b)
{
	const char *a_name = a->name ? a->name : "", *b_name = b->name ? b->name : "";
	size_t length = base_length(a_name);

	if (!strcmp(a_name, b_name))
		return true;
	return a->published != b->published && length == base_length(b_name) && !memcmp(a_name, b_name, length);
}

/* Returns the index of an earlier series of the same thing, or before if there is none. */
static size_t find(const struct filchi_figure *figure, const struct filchi_series *wanted, size_t before)
{
	size_t index = 0;

	for (size_t p = 0; p < figure->panel_count; p++)
		for (size_t s = 0; s < figure->panels[p].series_count; s++, index++) {
			if (index == before)
				return before;
			if (same(&figure->panels[p].series[s], wanted))
				return index;
		}
	return before;
}

struct filchi_style *filchi_styles(const struct filchi_figure *figure)
{
	size_t total = 1, index = 0;
	unsigned used = 0;
	struct filchi_style *styles;

	for (size_t p = 0; p < figure->panel_count; p++)
		total += figure->panels[p].series_count;
	styles = calloc(total, sizeof(*styles));
	if (!styles)
		return NULL;
	for (size_t p = 0; p < figure->panel_count; p++)
		for (size_t s = 0; s < figure->panels[p].series_count; s++, index++) {
			size_t earlier = find(figure, &figure->panels[p].series[s], index);

			if (earlier < index) {
				styles[index] = styles[earlier];
				continue;
			}
			styles[index].color = used % FILCHI_COLORS;
			styles[index].shape = (used + used / FILCHI_COLORS) % FILCHI_SHAPES;
			styles[index].again = used >= FILCHI_COLORS;
			used++;
		}
	return styles;
}
