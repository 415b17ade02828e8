/* SPDX-License-Identifier: Apache-2.0 */
/* A histogram: each worker has one, and main adds them up at the end. There are no locks and no atomics. */
#include <filch/pool.h>
#include <stdio.h>

#define JOBS 200
#define NUMBERS 10000
#define BINS 10

static struct filch_local *histogram;

static int count(void *arg, void **result)
{
	uint64_t number = (uintptr_t)arg + 1;
	unsigned *bins = filch_local_get(histogram);

	(void)result;
	if (!bins)
		return -1;
	for (int i = 0; i < NUMBERS; i++) {
		number = number * 6364136223846793005 + 1442695040888963407;
		bins[(number >> 33) % BINS]++;
	}
	return 0;
}

/* filch_local_destroy calls this for each worker that has counted something. */
static void add(void *bins, void *sum)
{
	for (int i = 0; i < BINS; i++)
		((unsigned *)sum)[i] += ((unsigned *)bins)[i];
}

int main(void)
{
	unsigned sum[BINS] = {0}, all = 0;
	struct filch_group *group;
	int err;

	if (filch_start(NULL) || filch_group_create(&group, NULL) ||
	    filch_local_create(&histogram, NULL, sizeof(sum), NULL, add, sum))
		return 1;
	for (uintptr_t i = 0; i < JOBS; i++)
		if (filch_group_submit(group, count, (void *)i))
			return 1;
	err = filch_group_destroy(group);
	filch_local_destroy(histogram);
	filch_stop();
	for (int i = 0; i < BINS; i++) {
		printf("%d: %u\n", i, sum[i]);
		all += sum[i];
	}
	return err || all != JOBS * NUMBERS;
}
