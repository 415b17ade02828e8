/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches many places at once for a number with some property. The job that finds a number cancels the others. Each
 * job has an argument from malloc(). The job frees it, or free() does as the drop function if the job never runs.
 */
#include <errno.h>
#include <filch/pool.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACES 64
#define PLACE 1000000ull

struct place {
	struct filch_group *search;
	uint64_t from, *found;
};

static int is_it(uint64_t n)
{
	n *= 0x9e3779b97f4a7c15;
	return (n ^ n >> 32) % 10007 == 4321;
}

static int look(void *arg, void **result)
{
	struct place here = *(struct place *)arg;

	(void)result;
	free(arg);
	for (uint64_t n = here.from; n < here.from + PLACE; n++) {
		if (n % 1000 == 0 && filch_job_cancelled())
			return -ECANCELED;
		if (is_it(n)) {
			*here.found = n;
			filch_group_cancel(here.search);
			return 0;
		}
	}
	return 0;
}

/* After an error there is no job, so the argument still belongs to this function. */
static int submit(struct filch_group *search, uint64_t from, uint64_t *found)
{
	struct place *place = malloc(sizeof(*place));
	int err = -ENOMEM;

	if (place) {
		*place = (struct place){search, from, found};
		err = filch_group_submit_or_drop(search, look, free, place);
		if (err)
			free(place);
	}
	return err;
}

int main(void)
{
	static uint64_t found[PLACES];
	struct filch_group *search;
	int err = 0, end, right = 0;

	if (filch_start(NULL) || filch_group_create(&search, NULL))
		return 1;
	/* -ECANCELED: a job has found a number and cancelled the group before all jobs were submitted. */
	for (uint64_t i = 0; i < PLACES && !err; i++)
		err = submit(search, i * PLACE, &found[i]);
	end = filch_group_destroy(search); /* waits for the jobs that have begun; the others never run */
	filch_stop();
	for (int i = 0; i < PLACES; i++)
		if (found[i]) {
			printf("%llu\n", (unsigned long long)found[i]);
			right |= is_it(found[i]);
		}
	return !right || (err && err != -ECANCELED) || (end && end != -ECANCELED);
}
