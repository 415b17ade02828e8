/* SPDX-License-Identifier: Apache-2.0 */
/* The join of searches: checkpoints in parts, quiet, and what a link is told. */
#define _GNU_SOURCE
#include "../fixtures/test.h"

#include <filch/search.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PARTS = 3, NODES = 5 };

struct node {
	struct filch_node node;
	int number;
};

static int explored[PARTS * NODES];
static unsigned char part[PARTS][4096];
static size_t part_size[PARTS];
static int64_t told;
static int records;

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct node *n = FILCH_CONTAINER_OF(node, struct node, node);

	(void)w;
	(void)children;
	(void)arg;
	__atomic_fetch_add(&explored[n->number], 1, __ATOMIC_RELAXED);
	free(n);
	return 0;
}

static void discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	(void)w;
	(void)arg;
	free(FILCH_CONTAINER_OF(node, struct node, node));
}

static union filch_search_value bound(const struct filch_node *node, void *arg)
{
	(void)node;
	(void)arg;
	return (union filch_search_value){.i = 0};
}

static size_t pack(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	(void)arg;
	if (room >= sizeof(int))
		memcpy(bytes, &FILCH_CONTAINER_OF(node, struct node, node)->number, sizeof(int));
	return sizeof(int);
}

static struct node *new_node(int number)
{
	struct node *n = calloc(1, sizeof(*n));

	TEST_CHECK(n);
	n->number = number;
	return n;
}

static int unpack(struct filch_node **node, const void *bytes, size_t size, void *arg)
{
	int number;

	(void)arg;
	if (size != sizeof(number))
		return -EBADMSG;
	memcpy(&number, bytes, sizeof(number));
	*node = &new_node(number)->node;
	return 0;
}

static void learn(struct filch_search_worker *w, const struct filch_search_record *record, void *arg)
{
	(void)w;
	(void)record;
	(void)arg;
}

static const struct filch_search_problem problem = {.struct_size = sizeof(problem),
						    .goal = FILCH_SEARCH_MINIMISE,
						    .explore = explore,
						    .discard = discard,
						    .bound = bound,
						    .pack = pack,
						    .unpack = unpack,
						    .learn = learn,
						    .fingerprint = 7};

static struct filch_search *new_search(void)
{
	struct filch_search_options opt = {.struct_size = sizeof(opt), .workers = 1, .order = "best"};
	struct filch_search *s;

	TEST_CHECK(filch_search_create(&s, &problem, &opt) == 0);
	TEST_CHECK(filch_search_problem(s)->pack == pack);
	return s;
}

static int saved(const void *bytes, size_t size, void *arg)
{
	size_t i = (size_t)(uintptr_t)arg;

	TEST_CHECK(size <= sizeof(part[i]));
	memcpy(part[i], bytes, size);
	part_size[i] = size;
	return 0;
}

static void improved(union filch_search_value value, const void *solution, void *arg)
{
	(void)solution;
	(void)arg;
	told = value.i;
}

static void published(const struct filch_search_record *record, void *arg)
{
	(void)arg;
	records += (int)record->affinity;
}

static uint64_t number_of_checkpoint;

static uint64_t number(void *arg)
{
	(void)arg;
	return number_of_checkpoint;
}

static struct filch_search_link link_of(unsigned i, unsigned parts)
{
	return (struct filch_search_link){.struct_size = sizeof(struct filch_search_link),
					  .arg = (void *)(uintptr_t)i,
					  .improved = improved,
					  .published = published,
					  .saved = saved,
					  .part = i,
					  .parts = parts,
					  .number = number};
}

/* Each part has its own nodes and a best value of its own. */
static void make_parts(void)
{
	for (unsigned i = 0; i < PARTS; i++) {
		struct filch_search *s = new_search();
		struct filch_search_link link = link_of(i, PARTS), wrong = link_of(3, 3);

		TEST_CHECK(filch_search_save(s, NULL) == -EINVAL);
		TEST_CHECK(filch_search_checkpoint(s) == -EINVAL);
		TEST_CHECK(filch_search_join(s, &wrong) == -EINVAL);
		TEST_CHECK(filch_search_join(s, &link) == 0);
		for (int n = 0; n < NODES; n++)
			TEST_CHECK(filch_search_add_node(s, &new_node((int)i * NODES + n)->node) == 0);
		TEST_CHECK(filch_search_improve(s, NULL, (union filch_search_value){.i = 10 + (int)i}, NULL) == 1);
		TEST_CHECK(told == 10 + (int)i);
		TEST_CHECK(filch_search_save(s, NULL) == 0);
		filch_search_destroy(s);
	}
}

/* Writes these parts to a file, and loads it. */
static int load(struct filch_search *s, const int *which, int count, size_t cut)
{
	char name[] = "/tmp/search_join.XXXXXX";
	int file = mkstemp(name), err;

	TEST_CHECK(file >= 0);
	for (int i = 0; i < count; i++) {
		size_t size = part_size[which[i]] - (i == count - 1 ? cut : 0);

		TEST_CHECK(write(file, part[which[i]], size) == (ssize_t)size);
	}
	TEST_CHECK(close(file) == 0);
	err = filch_search_load(s, name);
	TEST_CHECK(unlink(name) == 0);
	return err;
}

static void parts_make_a_checkpoint(void)
{
	static const int all[] = {1, 2, 0}, twice[] = {1, 1, 2};
	struct filch_search_result result = {.struct_size = sizeof(result)};
	struct filch_search *s = new_search();

	TEST_CHECK(load(s, all, 2, 0) == -EBADMSG);
	TEST_CHECK(load(s, twice, 3, 0) == -EBADMSG);
	TEST_CHECK(load(s, all, 3, 1) == -EBADMSG);
	TEST_CHECK(load(s, all, 3, part_size[0]) == -EBADMSG);
	TEST_CHECK(filch_search_open(s) == 0);
	TEST_CHECK(load(s, all, 3, 0) == 0);
	TEST_CHECK(filch_search_open(s) == PARTS * NODES);
	TEST_CHECK(filch_search_run(s, &result) == 0);
	TEST_CHECK(result.end == FILCH_SEARCH_DONE && result.has_best && result.best.i == 10);
	for (int i = 0; i < PARTS * NODES; i++)
		TEST_CHECK(__atomic_load_n(&explored[i], __ATOMIC_RELAXED) == 1);
	filch_search_destroy(s);
}

/* A part of an earlier checkpoint, with the number of this part. */
static void parts_of_two_checkpoints(void)
{
	static const int all[] = {0, 1, 2};
	unsigned char old[sizeof(part[1])];
	size_t old_size = part_size[1];
	struct filch_search *s = new_search();

	memcpy(old, part[1], old_size);
	number_of_checkpoint = 2;
	make_parts();
	TEST_CHECK(load(s, all, 3, 0) == 0);
	filch_search_destroy(s);
	s = new_search();
	memcpy(part[1], old, old_size);
	part_size[1] = old_size;
	TEST_CHECK(load(s, all, 3, 0) == -EBADMSG && filch_search_open(s) == 0);
	filch_search_destroy(s);
}

static void *run_thread(void *arg)
{
	struct filch_search_result result = {.struct_size = sizeof(result)};

	TEST_CHECK(filch_search_run(arg, &result) == 0);
	TEST_CHECK(result.end == FILCH_SEARCH_DONE && result.explored == NODES);
	return NULL;
}

/* The thread with the hold learns when each batch is explored. Checkpoints go to the link also during the run. */
static void quiet_is_exact(void)
{
	struct filch_search_link link = link_of(0, 1);
	struct filch_search_progress progress = {.struct_size = sizeof(progress)};
	struct filch_search_record record = {.affinity = 3};
	struct filch_search *s = new_search();
	pthread_t thread;

	memset(explored, 0, sizeof(explored));
	part_size[0] = 0;
	TEST_CHECK(filch_search_join(s, &link) == 0);
	filch_search_hold(s);
	TEST_CHECK(pthread_create(&thread, NULL, run_thread, s) == 0);
	for (int i = 0; i < NODES; i++) {
		TEST_CHECK(filch_search_add_node(s, &new_node(i)->node) == 0);
		while (!filch_search_quiet(s))
			usleep(100);
		TEST_CHECK(__atomic_load_n(&explored[i], __ATOMIC_RELAXED) == 1);
	}
	TEST_CHECK(filch_search_look(s, &progress) == 0);
	TEST_CHECK(progress.explored == NODES && progress.open == 0);
	TEST_CHECK(filch_search_publish(s, NULL, &record) == 0);
	TEST_CHECK(records == 3);
	TEST_CHECK(filch_search_checkpoint(s) == 0);
	TEST_CHECK(filch_search_join(s, NULL) == -EBUSY);
	filch_search_release(s);
	TEST_CHECK(pthread_join(thread, NULL) == 0);
	TEST_CHECK(part_size[0] > 0);
	TEST_CHECK(filch_search_join(s, NULL) == 0);
	filch_search_destroy(s);
}

int main(void)
{
	make_parts();
	parts_make_a_checkpoint();
	parts_of_two_checkpoints();
	quiet_is_exact();
	return 0;
}
