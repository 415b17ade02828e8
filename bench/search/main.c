/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filch_bench_search [REPEAT]: what filch_search costs, and which way to move work wins where.
 *
 *   overhead   one worker against the serial stack; CPU time
 *   two        two workers against two copies of the serial stack; wall time and CPU time
 *   dag        the graph of the bulk paper, figure 9: "master" and "direct"
 *   rounds     the deterministic mode, by the size of a round
 *   moving     the cost of moving half of a queue
 *   moves      "master" against "direct", two workers, on balanced and unbalanced trees with log-normal node times
 *
 * All runs of a table are interleaved, and medians are compared.
 */
#include "trees.h"

#include <filch.h>
#include <filch/search.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MAX_REPEAT = 101 };

static const struct filchi_search_tree small_trees[] = {
	{.name = "2 children", .children = 2, .depth = 19, .hashes = 32},
	{.name = "8 children", .children = 8, .depth = 7, .hashes = 32},
	{.name = "binomial", .children = 8, .chance = true, .root_children = 8000, .probability = 0.1245, .hashes = 32},
};

/* Trees by number: the small ones above, then those of UTS. */
enum {
	SMALL = sizeof(small_trees) / sizeof(small_trees[0]),
#ifdef FILCHI_WORKLOAD_UTS
	SUBJECTS = SMALL + 2
#else
	SUBJECTS = SMALL
#endif
};

static const char *subject_name(unsigned n)
{
	return n < SMALL ? small_trees[n].name : n == SMALL ? "UTS T1" : "UTS T3";
}

static struct filchi_search_count serial(unsigned n)
{
#ifdef FILCHI_WORKLOAD_UTS
	if (n >= SMALL)
		return filchi_search_uts_serial(n - SMALL);
#endif
	return filchi_search_serial(&small_trees[n]);
}

static struct filchi_search_count parallel(unsigned n, unsigned workers, struct filchi_search_report *report)
{
	const struct filchi_search_how how = {.workers = workers};

#ifdef FILCHI_WORKLOAD_UTS
	if (n >= SMALL)
		return filchi_search_uts_parallel(n - SMALL, &how, report);
#endif
	return filchi_search_parallel(&small_trees[n], &how, report);
}

static const struct filchi_search_tree long_trees[] = {
	{.name = "balanced, log-normal 10 us", .children = 4, .depth = 8, .ns = 10000, .log_normal = true, .hashes = 1},
	{.name = "binomial, log-normal 10 us",
	 .children = 2,
	 .chance = true,
	 .root_children = 500,
	 .probability = 0.495,
	 .ns = 10000,
	 .log_normal = true,
	 .hashes = 1},
	{.name = "balanced, 10 us", .children = 4, .depth = 8, .ns = 10000, .hashes = 1},
	{.name = "chain of 4, 100 us",
	 .children = 1,
	 .chance = true,
	 .root_children = 4,
	 .probability = 0.999,
	 .ns = 100000,
	 .log_normal = true,
	 .hashes = 1},
};

struct spent {
	double wall, cpu;
};

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct spent begin(void)
{
	return (struct spent){seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

static struct spent since(struct spent from)
{
	return (struct spent){seconds(CLOCK_MONOTONIC) - from.wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - from.cpu};
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, unsigned n)
{
	qsort(v, n, sizeof(*v), ascending);
	return v[n / 2];
}

static void must(bool ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "filch_bench_search: %s\n", what);
		exit(1);
	}
}

static void overhead(unsigned repeat)
{
	printf("%-28s %10s %12s %12s %8s\n", "one worker, CPU time", "nodes", "stack", "search", "ratio");
	for (unsigned t = 0; t < SUBJECTS; t++) {
		double a[MAX_REPEAT], b[MAX_REPEAT], x, y;
		struct filchi_search_count c = {0, 0}, d = {0, 0};

		for (unsigned i = 0; i < repeat; i++) {
			struct spent from = begin();

			c = serial(t);
			a[i] = since(from).cpu;
			from = begin();
			d = parallel(t, 1, NULL);
			b[i] = since(from).cpu;
			must(c.nodes == d.nodes && (t >= SMALL || c.sum == d.sum), "the answers differ");
		}
		x = median(a, repeat) / (double)c.nodes * 1e9;
		y = median(b, repeat) / (double)c.nodes * 1e9;
		printf("%-28s %10llu %9.1f ns %9.1f ns %8.3f\n", subject_name(t), (unsigned long long)c.nodes, x, y,
		       y / x);
	}
}

static void *copy(void *subject)
{
	struct filchi_search_count c = serial(*(const unsigned *)subject);

	must(c.nodes > 0, "no memory");
	return NULL;
}

static void two(unsigned repeat)
{
	printf("%-28s %10s %12s %12s %8s %8s %8s\n", "two workers", "nodes", "two copies", "search", "speed", "CPU",
	       "batches");
	for (unsigned t = 0; t < SUBJECTS; t++) {
		double wa[MAX_REPEAT], ca[MAX_REPEAT], wb[MAX_REPEAT], cb[MAX_REPEAT], x, y;
		struct filchi_search_report report = {0};
		struct filchi_search_count d = {0, 0};

		for (unsigned i = 0; i < repeat; i++) {
			pthread_t thread;
			struct spent from = begin(), took;

			must(!pthread_create(&thread, NULL, copy, &t), "no thread");
			copy(&t);
			pthread_join(thread, NULL);
			took = since(from);
			wa[i] = took.wall / 2; /* for one tree */
			ca[i] = took.cpu / 2;
			from = begin();
			d = parallel(t, 2, &report);
			took = since(from);
			wb[i] = took.wall;
			cb[i] = took.cpu;
		}
		x = median(wa, repeat);
		y = median(wb, repeat);
		printf("%-28s %10llu %9.1f ms %9.1f ms %8.3f %8.3f %8llu\n", subject_name(t),
		       (unsigned long long)d.nodes, x * 1e3, y * 1e3, x / y, median(cb, repeat) / median(ca, repeat),
		       (unsigned long long)report.batches);
	}
}

static void moves(unsigned repeat)
{
	static const struct filchi_search_how hows[] = {
		{.workers = 2, .move = "direct"},
		{.workers = 2, .move = "master"},
		{.workers = 2, .move = "master", .victim = "order"},
	};
	enum { HOWS = sizeof(hows) / sizeof(hows[0]) };

	printf("%-28s %10s %12s %8s %12s %12s %8s\n", "two workers", "nodes", "move", "wall", "CPU", "idle", "batches");
	for (unsigned t = 0; t < sizeof(long_trees) / sizeof(long_trees[0]); t++) {
		double wall[HOWS][MAX_REPEAT], cpu[HOWS][MAX_REPEAT], idle[HOWS][MAX_REPEAT];
		struct filchi_search_report report[HOWS];
		struct filchi_search_count d = {0, 0};

		for (unsigned i = 0; i < repeat; i++)
			for (unsigned h = 0; h < HOWS; h++) {
				struct spent from = begin(), took;

				d = filchi_search_parallel(&long_trees[t], &hows[h], &report[h]);
				took = since(from);
				wall[h][i] = took.wall;
				cpu[h][i] = took.cpu;
				idle[h][i] = (double)report[h].idle_ns;
			}
		for (unsigned h = 0; h < HOWS; h++)
			printf("%-28s %10llu %8s %3.3s %7.1f ms %9.1f ms %9.2f ms %8llu\n", long_trees[t].name,
			       (unsigned long long)d.nodes, hows[h].move, hows[h].victim ? hows[h].victim : "",
			       median(wall[h], repeat) * 1e3, median(cpu[h], repeat) * 1e3,
			       median(idle[h], repeat) / 1e6, (unsigned long long)report[h].batches);
	}
}

/* Figure 9 of the bulk paper: the time by the number of workers, with a master and without. */
static void dag(unsigned repeat)
{
	static const char *const names[] = {"direct", "master"};
	const uint32_t nodes = 2500000;

	printf("%-28s %10s %10s %12s %12s %8s\n", "graph of the bulk paper", "workers", "move", "wall", "CPU",
	       "batches");
	for (unsigned workers = 1; workers <= 2; workers++) {
		double wall[2][MAX_REPEAT], cpu[2][MAX_REPEAT];
		struct filchi_search_report report[2];

		for (unsigned i = 0; i < repeat; i++)
			for (unsigned m = 0; m < 2; m++) {
				struct filchi_search_how how = {.workers = workers, .move = names[m]};
				struct spent from = begin(), took;

				must(filchi_search_dag(nodes, &how, &report[m]) == nodes, "a wrong number of nodes");
				took = since(from);
				wall[m][i] = took.wall;
				cpu[m][i] = took.cpu;
			}
		for (unsigned m = 0; m < 2; m++)
			printf("%-22u nodes %10u %10s %9.1f ms %9.1f ms %8llu\n", nodes, workers, names[m],
			       median(wall[m], repeat) * 1e3, median(cpu[m], repeat) * 1e3,
			       (unsigned long long)report[m].batches);
	}
}

/* The price of the deterministic mode. */
static void rounds(unsigned repeat)
{
	static const uint64_t sizes[] = {0, 16, 64, 256};
	enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

	printf("%-28s %10s %10s %12s %12s\n", "two workers", "nodes", "round", "wall", "CPU");
	for (unsigned t = 0; t < 3; t += 2) {
		double wall[SIZES][MAX_REPEAT], cpu[SIZES][MAX_REPEAT];
		struct filchi_search_count d = {0, 0};

		for (unsigned i = 0; i < repeat; i++)
			for (unsigned r = 0; r < SIZES; r++) {
				struct filchi_search_how how = {.workers = 2, .round = sizes[r]};
				struct spent from = begin(), took;

				d = filchi_search_parallel(&long_trees[t], &how, NULL);
				took = since(from);
				wall[r][i] = took.wall;
				cpu[r][i] = took.cpu;
			}
		for (unsigned r = 0; r < SIZES; r++)
			printf("%-28s %10llu %10llu %9.1f ms %9.1f ms\n", long_trees[t].name,
			       (unsigned long long)d.nodes, (unsigned long long)sizes[r], median(wall[r], repeat) * 1e3,
			       median(cpu[r], repeat) * 1e3);
	}
}

static int nothing(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	(void)w;
	(void)node;
	(void)children;
	(void)arg;
	return 0;
}

/* The cost of moving half of a queue. One run with a limit of one node puts the nodes there. */
static void moving(unsigned repeat)
{
	static struct filch_node nodes[100000];
	struct filch_search_problem problem = {.struct_size = sizeof(problem), .explore = nothing};
	struct filch_search_options opt = {.struct_size = sizeof(opt), .workers = 1, .node_limit = 1};

	printf("%-28s %12s %12s\n", "moving half of a queue", "nodes moved", "time");
	for (size_t n = 100; n <= 100000; n *= 10) {
		double took[MAX_REPEAT];
		size_t moved = 0;

		for (unsigned i = 0; i < repeat; i++) {
			struct filch_batch batch;
			struct filch_search *s;
			struct spent from;

			must(!filch_search_create(&s, &problem, &opt), "no memory");
			filch_batch_init(&batch);
			for (size_t k = 0; k < n; k++)
				filch_batch_add(&batch, &nodes[k]);
			filch_search_add(s, &batch);
			filch_search_run(s, NULL);
			from = begin();
			filch_search_extract(s, 0.5, &batch);
			took[i] = since(from).wall;
			moved = batch.count;
			filch_search_destroy(s);
		}
		printf("%22zu nodes %12zu %9.0f ns\n", n, moved, median(took, repeat) * 1e9);
	}
}

int main(int argc, char **argv)
{
	struct filch_options opt = {.struct_size = sizeof(opt), .workers = 2};
	const char *only = argc > 2 ? argv[2] : "";
	long repeat = argc > 1 ? strtol(argv[1], NULL, 10) : 11;

	must(repeat >= 1 && repeat <= MAX_REPEAT, "usage: filch_bench_search [REPEAT [TABLE]], REPEAT from 1 to 101");
	must(!filch_start(&opt), "cannot start two workers");
	if (!*only || !strcmp(only, "overhead"))
		overhead((unsigned)repeat);
	if (!*only || !strcmp(only, "two"))
		two((unsigned)repeat);
	if (!*only || !strcmp(only, "moves"))
		moves((unsigned)repeat);
	if (!*only || !strcmp(only, "dag"))
		dag((unsigned)repeat);
	if (!*only || !strcmp(only, "rounds"))
		rounds((unsigned)repeat);
	if (!*only || !strcmp(only, "moving"))
		moving((unsigned)repeat);
	filch_stop();
	return 0;
}
