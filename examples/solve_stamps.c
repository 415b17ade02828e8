/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A problem of your own for filch solve: pay the postage of a letter with as little paper as possible. The file has the
 * postage, then a value and an area for each kind of stamp. A letter takes at most 9 stamps of a kind:
 *
 *	cc -shared -fPIC -o stamps.so solve_stamps.c $(pkg-config --cflags filch-dd)
 *	echo "163 70 9 45 5 12 2 1 1" >letter.txt
 *	filch solve ./stamps.so letter.txt --solution
 */
#include <errno.h>
#include <filch/solve.h>
#include <stdio.h>
#include <stdlib.h>

#define KINDS 64

struct letter {
	int64_t postage, value[KINDS], area[KINDS];
	int kinds;
};

/* Step 1: the state is the postage that is left to pay. Variable k is the number of stamps of kind k. */
static int64_t root(const struct filch_dd_layer *layer, void *state)
{
	*(int64_t *)state = ((const struct letter *)layer->arg)->postage;
	return 0;
}

/* Step 2: the children of a state. The last kind must pay the rest. */
static void expand(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children)
{
	const struct letter *l = layer->arg;
	int k = layer->variable;

	for (int32_t n = 0; n <= 9; n++) {
		int64_t left = *(const int64_t *)state - n * l->value[k];

		if (k + 1 < l->kinds || left <= 0)
			*(int64_t *)filch_dd_child(children, n, n * l->area[k]) = left > 0 ? left : 0;
	}
}

/* Step 3, for relaxed diagrams: with less to pay, everything is possible that was possible before. */
static void merge(const struct filch_dd_layer *layer, void *into, const void *state)
{
	(void)layer;
	if (*(int64_t *)into > *(const int64_t *)state)
		*(int64_t *)into = *(const int64_t *)state;
}

/* Step 4, for speed: each unit of postage needs at least the smallest area per value of the kinds that are left. */
static int64_t bound(const struct filch_dd_layer *layer, const void *state, int64_t limit)
{
	const struct letter *l = layer->arg;
	double left = (double)*(const int64_t *)state, least = 0;

	(void)limit;
	for (int k = layer->depth; k < l->kinds; k++) {
		double area = left * (double)l->area[k] / (double)l->value[k];

		least = k == layer->depth || area < least ? area : least;
	}
	return (int64_t)(least - 1e-6); /* rounded down: still a bound */
}

/* Step 5: the instance, from the text of the file. */
static int read_letter(struct filch_dd_problem *p, const char *text, size_t size, char *error, size_t error_size)
{
	struct letter *l = calloc(1, sizeof(*l));
	long long number[1 + 2 * KINDS] = {0};
	int count = 0;

	(void)size;
	if (!l)
		return -ENOMEM;
	for (int used; count < 1 + 2 * KINDS && sscanf(text, "%lld%n", &number[count], &used) == 1; text += used)
		if (number[count] < 1 || number[count++] > 1000000000)
			count = INT16_MAX; /* ends the loop */
	if (count < 3 || count > 2 * KINDS + 1 || count % 2 == 0) {
		snprintf(error, error_size, "it must have a postage, and the value and area of 1 to %d stamps", KINDS);
		free(l);
		return -EINVAL;
	}
	l->postage = number[0];
	for (l->kinds = 0; 2 * l->kinds + 1 < count; l->kinds++) {
		l->value[l->kinds] = number[2 * l->kinds + 1];
		l->area[l->kinds] = number[2 * l->kinds + 2];
	}
	*p = (struct filch_dd_problem){.struct_size = sizeof(*p),
				       .arg = l,
				       .goal = FILCH_SEARCH_MINIMISE,
				       .variables = l->kinds,
				       .state_size = sizeof(int64_t),
				       .children_max = 10,
				       .root = root,
				       .expand = expand,
				       .merge = merge,
				       .bound = bound};
	return 0;
}

static void destroy_letter(struct filch_dd_problem *p)
{
	free(p->arg);
}

/* Step 6: the symbol that filch solve looks for. */
const struct filch_solve_problem filch_solve_problem = {.struct_size = sizeof(struct filch_solve_problem),
							.name = "stamps",
							.read = read_letter,
							.destroy = destroy_letter};
