/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for a number with some property in many places at once. The job that finds one cancels the others. */
#include <errno.h>
#include <filch/pool.h>
#include <stdio.h>

#define PLACES 64
#define PLACE 1000000ull

static struct filch_group *search;
static uint64_t found[PLACES];

static int is_it(uint64_t n)
{
	n *= 0x9e3779b97f4a7c15;
	return (n ^ n >> 32) % 10007 == 4321;
}

static int look(void *arg, void **result)
{
	uint64_t *here = arg;
	uint64_t from = (uint64_t)(here - found) * PLACE;

	(void)result;
	for (uint64_t n = from; n < from + PLACE; n++) {
		if (n % 1000 == 0 && filch_cancelled())
			return -ECANCELED;
		if (is_it(n)) {
			*here = n;
			filch_group_cancel(search);
			return 0;
		}
	}
	return 0;
}

int main(void)
{
	int err, right = 0;

	if (filch_start(NULL) || filch_group_create(&search, NULL))
		return 1;
	for (int i = 0; i < PLACES; i++)
		if (filch_group_submit(search, look, &found[i]))
			return 1;
	err = filch_group_destroy(search); /* waits for all that have begun; the others are not run */
	filch_stop();
	for (int i = 0; i < PLACES; i++)
		if (found[i]) {
			printf("%llu\n", (unsigned long long)found[i]);
			right |= is_it(found[i]);
		}
	return !right || (err && err != -ECANCELED);
}
