/* SPDX-License-Identifier: Apache-2.0 */
#include "knapsack.h"

#include <stdlib.h>

static bool read_items(struct filchi_text *t, struct filchi_knapsack *k)
{
	int64_t profits = 0, weights = 0;

	for (size_t i = 0; i < k->items; i++) {
		if (!filchi_text_next_line(t, 0))
			return filchi_text_ended(t, "the file ends after %zu of %zu items", i, k->items);
		if (!filchi_text_integer(t, "the profit", 0, FILCHI_TEXT_SUM_MAX, &k->profit[i]) ||
		    !filchi_text_integer(t, "the weight", 0, FILCHI_TEXT_SUM_MAX, &k->weight[i]) ||
		    !filchi_text_line_end(t) || !filchi_text_sum(t, "profits", &profits, k->profit[i]) ||
		    !filchi_text_sum(t, "weights", &weights, k->weight[i]))
			return false;
	}
	return true;
}

void *filchi_knapsack_read(struct filchi_text *t)
{
	struct filchi_knapsack *k = filchi_text_alloc(t, 1, sizeof(*k));

	if (!k)
		return NULL;
	filchi_text_next_line(t, 0);
	filchi_text_size(t, "the number of items", 1, FILCHI_KNAPSACK_ITEMS_MAX, &k->items);
	filchi_text_integer(t, "the capacity", 0, FILCHI_TEXT_SUM_MAX, &k->capacity);
	filchi_text_line_end(t);
	k->profit = filchi_text_alloc(t, k->items, sizeof(*k->profit));
	k->weight = filchi_text_alloc(t, k->items, sizeof(*k->weight));
	if (!t->failed && read_items(t, k))
		return k;
	filchi_knapsack_destroy(k);
	return NULL;
}

void filchi_knapsack_destroy(void *instance)
{
	struct filchi_knapsack *k = instance;

	if (k) {
		free(k->profit);
		free(k->weight);
	}
	free(k);
}
