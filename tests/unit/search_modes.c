/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints, shared knowledge and the deterministic mode of searches. */
#include "../fixtures/search/knapsack.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool says(const char *part)
{
	return strstr(filch_error_message(), part);
}

static char path[256];

static struct filch_search *start(struct knapsack *k, const struct filch_search_options *o, int root)
{
	struct filch_search_problem p = knapsack_problem(k);
	struct filch_search *s;

	TEST_CHECK(filch_search_create(&s, &p, o) == 0);
	if (root)
		TEST_CHECK(filch_search_add_node(s, knapsack_node(k, 0, 0, 0)) == 0);
	return s;
}

static struct filch_search_result run(struct filch_search *s)
{
	struct filch_search_result r = {.struct_size = sizeof(r)};

	TEST_CHECK(filch_search_run(s, &r) == 0);
	return r;
}

static void end(struct knapsack *k, struct filch_search *s)
{
	filch_search_destroy(s);
	TEST_CHECK(k->live == 0 && k->solutions == 0);
}

/* ---- checkpoints ---- */

/* Stops after some nodes, and goes on in another search, with other workers and another order. */
static void resume(void)
{
	static const char *const orders[] = {"depth", "best", "mixture"};
	struct knapsack k;

	knapsack_init(&k, 26, 3);
	for (unsigned workers = 1; workers <= 4; workers++) {
		struct filch_search_options o = {.struct_size = sizeof(o), .workers = 5 - workers, .node_limit = 100};
		struct filch_search *s = start(&k, &o, 1);
		struct filch_search_result r = run(s);
		uint64_t explored = r.explored;

		TEST_CHECK(r.end == FILCH_SEARCH_NODES && filch_search_save(s, path) == 0);
		end(&k, s);
		o.workers = workers;
		o.node_limit = 0;
		o.order = orders[workers % 3];
		s = start(&k, &o, 0);
		TEST_CHECK(filch_search_load(s, path) == 0);
		r = run(s);
		TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.best.i == knapsack_optimum(&k));
		TEST_CHECK(*(int *)r.solution == r.best.i && r.total == explored + r.explored);
		/* A finished search stays finished. */
		TEST_CHECK(filch_search_save(s, path) == 0);
		end(&k, s);
		s = start(&k, &o, 0);
		TEST_CHECK(filch_search_load(s, path) == 0);
		r = run(s);
		TEST_CHECK(r.end == FILCH_SEARCH_DONE && !r.explored && r.best.i == knapsack_optimum(&k));
		end(&k, s);
	}
}

/* Often, while all workers explore; and on request. */
static void periodic(void)
{
	for (unsigned round = 0; round < 100; round += 64) {
		struct filch_search_options o = {.struct_size = sizeof(o),
						 .workers = 3,
						 .checkpoint = path,
						 .checkpoint_ns = 500000,
						 .round = round,
						 .node_limit = 20000};
		struct knapsack k;
		struct filch_search *s;
		struct filch_search_result r;

		unlink(path);
		knapsack_init(&k, 40, 8);
		s = start(&k, &o, 1);
		TEST_CHECK(filch_search_checkpoint(s) == 0);
		r = run(s);
		TEST_CHECK(r.end == FILCH_SEARCH_NODES || r.end == FILCH_SEARCH_DONE);
		TEST_CHECK(access(path, R_OK) == 0);
		end(&k, s);
	}
}

static size_t read_all(unsigned char *bytes, size_t room)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	TEST_CHECK(f);
	n = fread(bytes, 1, room, f);
	fclose(f);
	return n;
}

static void write_all(const unsigned char *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	TEST_CHECK(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

static void refused(void)
{
	static unsigned char bytes[1 << 16], bad[1 << 16];
	struct filch_search_options o = {.struct_size = sizeof(o), .node_limit = 60};
	struct knapsack k, other;
	struct filch_search *s;
	size_t n;

	knapsack_init(&k, 26, 3);
	s = start(&k, &o, 1);
	run(s);
	TEST_CHECK(filch_search_save(s, path) == 0);
	end(&k, s);
	n = read_all(bytes, sizeof(bytes));
	s = start(&k, &o, 0);
	for (size_t i = 0; i < n; i += i < 120 ? 1 : 13) { /* one byte is wrong */
		memcpy(bad, bytes, n);
		bad[i] ^= 0x41;
		write_all(bad, n);
		TEST_CHECK(filch_search_load(s, path) < 0 && filch_search_open(s) == 0 && k.live == 0);
	}
	for (size_t i = 0; i < n; i += 7) { /* it is too short */
		write_all(bytes, i);
		TEST_CHECK(filch_search_load(s, path) == -EBADMSG && k.live == 0);
	}
	memcpy(bad, bytes, n);
	bad[n] = 0; /* or too long */
	write_all(bad, n + 1);
	TEST_CHECK(filch_search_load(s, path) == -EBADMSG && says("it is damaged, or no checkpoint"));
	unlink(path);
	TEST_CHECK(filch_search_load(s, path) == -ENOENT && says("No such file or directory"));
	TEST_CHECK(filch_search_load(s, "/") < 0);
	end(&k, s);
	write_all(bytes, n);
	knapsack_init(&other, 27, 3);
	s = start(&other, &o, 0);
	TEST_CHECK(filch_search_load(s, path) == -EXDEV && says("it belongs to another problem"));
	TEST_CHECK(filch_search_save(s, "/nowhere/at/all") < 0 && says("cannot write the checkpoint /nowhere/at/all"));
	end(&other, s);
}

static char folder[sizeof(path) + 8], file[sizeof(path) + 16];

static int explore_without_folder(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
				  void *arg)
{
	(void)unlink(file); /* there was a checkpoint before the first node */
	(void)rmdir(folder);
	return knapsack_explore(w, node, children, arg);
}

/* A checkpoint that cannot be written any more ends the run with that error, and loses no node. */
static void no_disk(void)
{
	struct filch_search_options o = {
		.struct_size = sizeof(o), .workers = 2, .checkpoint = file, .checkpoint_ns = 1};
	struct filch_search_problem p;
	struct knapsack k;
	struct filch_search *s;
	struct filch_search_result r;

	snprintf(folder, sizeof(folder), "%s.folder", path);
	snprintf(file, sizeof(file), "%s/file", folder);
	TEST_CHECK(mkdir(folder, 0700) == 0);
	knapsack_init(&k, 30, 8);
	p = knapsack_problem(&k);
	p.explore = explore_without_folder;
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_add_node(s, knapsack_node(&k, 0, 0, 0)) == 0);
	r = run(s);
	TEST_CHECK(r.end == FILCH_SEARCH_ERROR && r.error == -ENOENT && r.open > 0);
	end(&k, s);
}

/* ---- deterministic ---- */

static void same_for_all(void)
{
	static const char *const orders[] = {"depth", "best", "mixture"};

	for (unsigned o = 0; o < 3; o++) {
		struct filch_search_result first = {0};
		unsigned long long values = 0;

		for (unsigned workers = 1; workers <= 8; workers++) {
			struct filch_search_options opt = {
				.struct_size = sizeof(opt), .workers = workers, .order = orders[o], .round = 32};
			struct knapsack k;
			struct filch_search *s;
			struct filch_search_result r;

			knapsack_init(&k, 30, 11);
			k.pause_us = workers > 5 ? 0 : 3; /* short rounds are for one worker */
			s = start(&k, &opt, 1);
			r = run(s);
			TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.best.i == knapsack_optimum(&k));
			if (workers == 1) {
				first = r;
				values = k.order;
			}
			TEST_CHECK(r.explored == first.explored && r.pruned == first.pruned);
			TEST_CHECK(r.best.i == first.best.i && k.order == values);
			end(&k, s);
		}
	}
}

/* A worker explores one node at a time, also if its nodes poll: a poll must not start workers during a round. */
static int explore_alone(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			 void *arg)
{
	atomic_int *busy = filch_search_local(w);
	int err;

	TEST_CHECK(atomic_fetch_add(busy, 1) == 0);
	for (int i = 0; i < 20; i++) {
		TEST_CHECK(filch_search_poll(w) == 0);
		usleep(5);
	}
	err = knapsack_explore(w, node, children, arg);
	atomic_fetch_sub(busy, 1);
	return err;
}

static void polls_in_round(void)
{
	for (unsigned i = 0; i < 9; i++) {
		struct filch_search_options opt = {.struct_size = sizeof(opt),
						   .workers = 3,
						   .order = i % 3 ? "best" : "depth",
						   .round = 8,
						   .node_limit = 200};
		struct filch_search_problem p;
		struct knapsack k;
		struct filch_search *s;

		knapsack_init(&k, 30, 11);
		p = knapsack_problem(&k);
		p.explore = explore_alone;
		p.local_size = sizeof(atomic_int);
		TEST_CHECK(filch_search_create(&s, &p, &opt) == 0);
		TEST_CHECK(filch_search_add_node(s, knapsack_node(&k, 0, 0, 0)) == 0);
		TEST_CHECK(run(s).explored == 200);
		end(&k, s);
	}
}

static void same_at_limit(void)
{
	int64_t best = 0, bound = 0;

	for (unsigned workers = 1; workers <= 4; workers++) {
		struct filch_search_options opt = {
			.struct_size = sizeof(opt), .workers = workers, .round = 16, .node_limit = 1000};
		struct knapsack k;
		struct filch_search *s;
		struct filch_search_result r;

		knapsack_init(&k, 50, 11);
		k.pause_us = 3;
		s = start(&k, &opt, 1);
		r = run(s);
		TEST_CHECK(r.end == FILCH_SEARCH_NODES && r.explored == 1000);
		TEST_CHECK(workers == 1 || (r.best.i == best && r.bound.i == bound));
		best = r.best.i;
		bound = r.bound.i;
		end(&k, s);
	}
}

static void fails_in_round(void)
{
	struct tree t = {.depth = 12, .width = 2, .even = 1, .fail_after = 300, .error = -EDOM, .spin = 5000};
	struct filch_search_options opt = {.struct_size = sizeof(opt), .workers = 3, .round = 16};
	struct filch_search_result r = tree_run(&t, &opt);

	TEST_CHECK(r.end == FILCH_SEARCH_ERROR && r.error == -EDOM && r.open > 0);
}

/* ---- knowledge ---- */

struct fact {
	struct filch_search_record record;
	struct lesson *lesson;
	unsigned alive;
};

struct lesson {
	struct tree tree;
	atomic_ullong facts, learned, freed;
	unsigned kept_max;
};

struct pupil {
	uint64_t last_closeness;
	struct fact *kept;
};

static int explore_and_publish(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			       void *arg)
{
	struct lesson *l = arg;
	struct tree_node *n = FILCH_CONTAINER_OF(node, struct tree_node, node);

	if (n->depth % 3 == 0) {
		struct fact *f = calloc(1, sizeof(*f));

		TEST_CHECK(f);
		f->record.affinity = n->seed;
		f->lesson = l;
		f->alive = 1;
		atomic_fetch_add(&l->facts, 1);
		TEST_CHECK(filch_search_publish(filch_search_of(w), w, &f->record) == 0);
	}
	return tree_explore(w, node, children, &l->tree);
}

static void learn(struct filch_search_worker *w, const struct filch_search_record *record, void *arg)
{
	struct lesson *l = arg;
	struct pupil *p = filch_search_local(w);
	struct fact *f = FILCH_CONTAINER_OF(record, struct fact, record);

	TEST_CHECK(f->alive == 1 && f->lesson == l);
	atomic_fetch_add(&l->learned, 1);
	if (atomic_load(&l->learned) % 5)
		return;
	if (p->kept) {
		TEST_CHECK(p->kept->alive == 1);
		filch_search_record_release(filch_search_of(w), &p->kept->record);
	}
	filch_search_record_keep(&f->record);
	p->kept = f;
}

static void discard_fact(struct filch_search_record *record, void *arg)
{
	struct lesson *l = arg;
	struct fact *f = FILCH_CONTAINER_OF(record, struct fact, record);

	TEST_CHECK(f->alive == 1);
	f->alive = 0;
	atomic_fetch_add(&l->freed, 1);
	free(f);
}

static void discard_node(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	tree_discard(w, node, &((struct lesson *)arg)->tree);
}

static uint64_t subspace(const struct filch_node *node, void *arg)
{
	(void)arg;
	return FILCH_CONTAINER_OF(node, struct tree_node, node)->seed;
}

static void knowledge(void)
{
	for (unsigned round = 0; round <= 16; round += 16) {
		struct filch_search_options o = {.struct_size = sizeof(o), .workers = 3, .records = 16, .round = round};
		struct lesson l = {.tree = {.depth = 12, .width = 2, .even = 1, .spin = round ? 3000 : 0}};
		struct filch_search_problem p = {
			.struct_size = sizeof(p),
			.arg = &l,
			.explore = explore_and_publish,
			.discard = discard_node,
			.affinity = subspace,
			.learn = learn,
			.discard_record = discard_fact,
			.local_size = sizeof(struct pupil),
		};
		struct filch_search *s;

		TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
		filch_search_add_node(s, tree_node(&l.tree, 42, 0));
		TEST_CHECK(run(s).end == FILCH_SEARCH_DONE);
		TEST_CHECK(l.facts > 0 && l.facts - l.freed <= 16 + 3); /* memory is bounded */
		for (unsigned i = 0; i < 3; i++) {
			struct pupil *q = filch_search_local(filch_search_worker(s, i));

			if (q->kept)
				filch_search_record_release(s, &q->kept->record);
		}
		filch_search_destroy(s);
		TEST_CHECK(l.facts == l.freed && l.tree.explored == 8191);
	}
}

static uint64_t heard[8];
static unsigned hears;

static int publish_all(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	(void)w;
	(void)children;
	(void)arg;
	free(FILCH_CONTAINER_OF(node, struct tree_node, node));
	return 0;
}

static void hear(struct filch_search_worker *w, const struct filch_search_record *record, void *arg)
{
	(void)w;
	(void)arg;
	heard[hears++] = record->affinity;
}

static void closest_first(void)
{
	static const uint64_t keys[] = {0xffff000000000000, 0x1000000000000000, 0x1200000000000000, 0x1234000000000000};
	struct filch_search_problem p = {
		.struct_size = sizeof(p), .explore = publish_all, .affinity = subspace, .learn = hear};
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1};
	struct filch_search_record record[4];
	struct tree t = {.depth = 1};
	struct filch_search *s;

	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	filch_search_add_node(s, tree_node(&t, 0x1234500000000000, 0));
	run(s); /* the worker's subspace is known now */
	for (unsigned i = 0; i < 4; i++) {
		record[i].affinity = keys[i];
		TEST_CHECK(filch_search_publish(s, NULL, &record[i]) == 0);
	}
	filch_search_add_node(s, tree_node(&t, 1, 0));
	run(s);
	TEST_CHECK(hears == 4);
	for (unsigned i = 0; i < 4; i++)
		TEST_CHECK(heard[i] == keys[3 - i]);
	filch_search_destroy(s);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"resume", resume},
		{"periodic", periodic},
		{"refused", refused},
		{"no_disk", no_disk},
		{"same_for_all", same_for_all},
		{"polls_in_round", polls_in_round},
		{"same_at_limit", same_at_limit},
		{"fails_in_round", fails_in_round},
		{"knowledge", knowledge},
		{"closest_first", closest_first},
	};
	struct filch_options po = {.struct_size = sizeof(po), .workers = 4};
	const char *dir = getenv("TMPDIR");

	snprintf(path, sizeof(path), "%s/filch-search-modes.%ld", dir ? dir : "/tmp", (long)getpid());
	TEST_CHECK(filch_start(&po) == 0);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	filch_stop();
	unlink(path);
	return TEST_PASS;
}
