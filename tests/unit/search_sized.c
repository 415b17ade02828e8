/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of the search that begin with their size: an older or a newer struct of a caller works. */
#include "../fixtures/test.h"

#include <filch/search.h>

#include <errno.h>
#include <string.h>

enum { ROOM = 512, TAIL = sizeof(size_t), NODES = 3 };

/* A struct of a caller, and behind it the fields of a newer header. */
union theirs {
	size_t size;
	struct filch_search_problem problem;
	struct filch_search_options options;
	struct filch_search_result result;
	struct filch_search_stats stats;
	unsigned char bytes[ROOM];
};

/* One worker after the other explores: there is no default pool. */
static int explore(struct filch_search_worker *worker, struct filch_node *node, struct filch_batch *children, void *arg)
{
	(void)worker;
	(void)node;
	(void)children;
	++*(int *)arg;
	return 0;
}

static int explored;

static union theirs whole_problem(void)
{
	return (union theirs){
		.problem = {.struct_size = sizeof(struct filch_search_problem), .arg = &explored, .explore = explore}};
}

static struct filch_search *create(const union theirs *problem, const union theirs *options)
{
	static struct filch_node nodes[NODES];
	struct filch_search *s;

	explored = 0;
	TEST_CHECK(filch_search_create(&s, &problem->problem, options ? &options->options : NULL) == 0);
	for (int i = 0; i < NODES; i++)
		TEST_CHECK(filch_search_add_node(s, &nodes[i]) == 0);
	return s;
}

/* Runs a search with these structs. The error of create. */
static int use(const union theirs *problem, const union theirs *options)
{
	struct filch_search *s;
	int err = filch_search_create(&s, &problem->problem, options ? &options->options : NULL);

	if (err)
		return err;
	TEST_CHECK(!options || filch_search_workers(s) == 2);
	filch_search_destroy(s);
	s = create(problem, options);
	TEST_CHECK(filch_search_run(s, NULL) == 0 && explored == NODES);
	filch_search_destroy(s);
	return 0;
}

/* ---- structs that go in ---- */

static void fill_from(union theirs *t, size_t first)
{
	memset(t->bytes + first, 0xa5, ROOM - first);
	t->size = first;
}

static void older(void)
{
	union theirs problem = whole_problem(), options = {.options = {.workers = 2}};

	fill_from(&problem, offsetof(struct filch_search_problem, discard));
	fill_from(&options, offsetof(struct filch_search_options, order));
	TEST_CHECK(use(&problem, &options) == 0);
}

/* set: one of the structs, of size bytes, is longer. */
static void check_newer(const union theirs *problem, const union theirs *options, union theirs *set, size_t size)
{
	set->size = size + TAIL;
	TEST_CHECK(use(problem, options) == 0);
	for (size_t at = size; at < set->size; at++) {
		set->bytes[at] = 1;
		TEST_CHECK(use(problem, options) == -EINVAL);
		set->bytes[at] = 0;
	}
	set->size = size;
}

static void newer(void)
{
	union theirs problem = whole_problem();
	union theirs options = {.options = {.struct_size = sizeof(options.options), .workers = 2}};

	check_newer(&problem, &options, &problem, sizeof(problem.problem));
	check_newer(&problem, &options, &options, sizeof(options.options));
}

static const size_t wrong[] = {0, 1, sizeof(size_t) - 1, sizeof(size_t) + 1, 4096 + TAIL, SIZE_MAX};

static void no_size(void)
{
	union theirs problem = whole_problem(), options = {.options = {.workers = 2}};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		options.size = wrong[i];
		TEST_CHECK(use(&problem, &options) == -EINVAL);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		problem.size = wrong[i];
		TEST_CHECK(use(&problem, NULL) == -EINVAL);
	}
}

/* ---- structs that come out ---- */

static int get_result(struct filch_search *s, union theirs *t)
{
	return filch_search_run(s, &t->result);
}

static int get_stats(struct filch_search *s, union theirs *t)
{
	return filch_search_stats(s, -1, &t->stats);
}

/* size: of the library's struct. first: end of the struct in an older header. */
static void check_out(int (*get)(struct filch_search *s, union theirs *t), size_t size, size_t first)
{
	union theirs problem = whole_problem(), t;
	struct filch_search *s = create(&problem, NULL);

	/* Without a size nothing is written. */
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		memset(&t, 0xa5, sizeof(t));
		t.size = wrong[i];
		TEST_CHECK(get(s, &t) == -EINVAL && t.size == wrong[i]);
		for (size_t at = sizeof(size_t); at < ROOM; at++)
			TEST_CHECK(t.bytes[at] == 0xa5);
	}
	/* An older struct: nothing is written behind it. */
	t.size = first;
	TEST_CHECK(get(s, &t) == 0 && t.size == first && t.bytes[first - 1] != 0xa5);
	for (size_t at = first; at < ROOM; at++)
		TEST_CHECK(t.bytes[at] == 0xa5);
	/* A newer struct: the fields that the library does not know are 0. */
	t.size = size + TAIL;
	TEST_CHECK(get(s, &t) == 0 && t.size == size + TAIL);
	for (size_t at = size; at < ROOM; at++)
		TEST_CHECK(t.bytes[at] == (at < t.size ? 0 : 0xa5));
	filch_search_destroy(s);
}

static void result(void)
{
	check_out(get_result, sizeof(struct filch_search_result), offsetof(struct filch_search_result, has_best));
}

static void stats(void)
{
	check_out(get_stats, sizeof(struct filch_search_stats), offsetof(struct filch_search_stats, pruned));
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"older", older}, {"newer", newer}, {"no_size", no_size}, {"result", result}, {"stats", stats}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
