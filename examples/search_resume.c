/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checkpoint and resume: counts the subsets of some numbers that have a given sum. The program stops after some nodes,
 * as if it had been ended, and then goes on from the file. The count belongs to the checkpoint: pack_state.
 *
 *	cc -O2 search_resume.c $(pkg-config --cflags --libs filch-search)
 */
#include <filch.h>
#include <filch/search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMBERS = 20, SUM = 100 };

struct subset {
	struct filch_node node;
	int32_t next, sum; /* numbers before next are decided */
};

static struct filch_node *new_subset(int32_t next, int32_t sum)
{
	struct subset *s = malloc(sizeof(*s));

	if (s)
		*s = (struct subset){.next = next, .sum = sum};
	return s ? &s->node : NULL;
}

static void discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	(void)w;
	(void)arg;
	free(FILCH_CONTAINER_OF(node, struct subset, node));
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	const struct subset *s = FILCH_CONTAINER_OF(node, struct subset, node);
	uint64_t *found = filch_search_local(w);

	if (s->next == NUMBERS)
		*found += s->sum == SUM;
	for (int take = 0; take < 2 && s->next < NUMBERS; take++) {
		struct filch_node *child = new_subset(s->next + 1, s->sum + take * (s->next + 1));

		if (!child)
			return -1;
		filch_batch_add(children, child);
	}
	discard(w, node, arg);
	return 0;
}

static size_t pack(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	const struct subset *s = FILCH_CONTAINER_OF(node, struct subset, node);
	const int32_t packed[2] = {s->next, s->sum};

	(void)arg;
	if (room >= sizeof(packed))
		memcpy(bytes, packed, sizeof(packed));
	return sizeof(packed);
}

static int unpack(struct filch_node **node, const void *bytes, size_t size, void *arg)
{
	int32_t packed[2];

	(void)arg;
	if (size != sizeof(packed))
		return -1;
	memcpy(packed, bytes, sizeof(packed));
	*node = new_subset(packed[0], packed[1]);
	return *node ? 0 : -1;
}

static uint64_t sum_of(struct filch_search *s)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < filch_search_workers(s); i++)
		sum += *(uint64_t *)filch_search_local(filch_search_worker(s, i));
	return sum;
}

static size_t pack_state(struct filch_search *s, void *bytes, size_t room, void *arg)
{
	uint64_t sum = sum_of(s);

	(void)arg;
	if (room >= sizeof(sum))
		memcpy(bytes, &sum, sizeof(sum));
	return sizeof(sum);
}

static int unpack_state(struct filch_search *s, const void *bytes, size_t size, void *arg)
{
	(void)arg;
	if (size != sizeof(uint64_t))
		return -1;
	memcpy(filch_search_local(filch_search_worker(s, 0)), bytes, size);
	return 0;
}

/* Goes on from the file if there is one. 0: done. */
static int run(const char *path, uint64_t limit, uint64_t *found)
{
	struct filch_search_problem problem = {.struct_size = sizeof(problem),
					       .explore = explore,
					       .discard = discard,
					       .pack = pack,
					       .unpack = unpack,
					       .pack_state = pack_state,
					       .unpack_state = unpack_state,
					       .local_size = sizeof(uint64_t),
					       .fingerprint = NUMBERS * 1000 + SUM};
	struct filch_search_options options = {
		.struct_size = sizeof(options), .node_limit = limit, .checkpoint = path, .checkpoint_ns = 10000000};
	struct filch_search_result result = {.struct_size = sizeof(result)};
	struct filch_search *s;

	if (filch_search_create(&s, &problem, &options))
		return -1;
	if (filch_search_load(s, path))
		filch_search_add_node(s, new_subset(0, 0));
	filch_search_run(s, &result);
	*found = sum_of(s);
	printf("%llu nodes so far, %llu subsets, %llu nodes open\n", (unsigned long long)result.total,
	       (unsigned long long)*found, (unsigned long long)result.open);
	filch_search_destroy(s);
	return result.end == FILCH_SEARCH_DONE ? 0 : 1;
}

int main(void)
{
	char path[] = "/tmp/filch-resume-XXXXXX";
	int file = mkstemp(path), runs = 1;
	uint64_t found;

	if (file < 0 || close(file) || unlink(path) || filch_start(NULL))
		return 1;
	while (run(path, 500000, &found) > 0)
		runs++;
	unlink(path);
	filch_stop();
	return runs > 2 && found == 15029 ? 0 : 1;
}
