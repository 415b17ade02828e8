/* SPDX-License-Identifier: Apache-2.0 */
/* A parallel loop, map and reduction: how many steps it takes each number to come down to 1 (Collatz), and the most. */
#include <filch.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000000 };

static void steps_of(const void *in, void *out, void *arg)
{
	int *steps = out;

	(void)arg;
	*steps = 0;
	for (unsigned long n = *(const unsigned *)in; n > 1; ++*steps)
		n = n % 2 ? 3 * n + 1 : n / 2;
}

static void count_up(size_t from, size_t to, void *arg)
{
	unsigned *number = arg;

	for (size_t i = from; i < to; i++)
		number[i] = (unsigned)i + 1;
}

/* For the reduction: fold adds the elements of a part to a value, combine adds a value to another one. */
static void fold(size_t from, size_t to, void *value, void *arg)
{
	const int *steps = arg;
	int *most = value;

	for (size_t i = from; i < to; i++)
		*most = steps[i] > *most ? steps[i] : *most;
}

static void combine(void *value, const void *right, void *arg)
{
	int *most = value;

	(void)arg;
	*most = *(const int *)right > *most ? *(const int *)right : *most;
}

int main(void)
{
	unsigned *number = malloc(COUNT * sizeof(*number));
	int *steps = malloc(COUNT * sizeof(*steps));
	struct filch_reduce_options most_steps = {.struct_size = sizeof(most_steps),
						  .value_size = sizeof(int),
						  .fold = fold,
						  .combine = combine,
						  .arg = steps};
	int most = 0;

	if (!number || !steps || filch_start(NULL))
		return 1;
	if (filch_for(NULL, 0, COUNT, 0, count_up, number) ||
	    filch_map(NULL, number, steps, COUNT, sizeof(*number), sizeof(*steps), steps_of, NULL) ||
	    filch_reduce(NULL, 0, COUNT, &most_steps, &most)) {
		fprintf(stderr, "%s\n", filch_error_message());
		return 1;
	}
	filch_stop();
	printf("up to %d: %d steps at most, with %d for the last\n", COUNT, most, steps[COUNT - 1]);
	free(number);
	free(steps);
	return most != 524;
}
