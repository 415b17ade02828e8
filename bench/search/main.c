/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PROGRAM CASE WAY [--workers N] [--small]
 *
 * Runs one case once, and writes a line of names and numbers to standard output. filch bench search reads the line.
 *
 * exit codes:
 *   1  the answer is wrong
 *   2  wrong command line
 *   3  no memory, or the output cannot be written
 */
#include "cases.h"

#include <errno.h>
#include <filch.h>
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MAX_WORKERS = 1024, INSTANCES = 10 };

struct request {
	struct filchi_search_case which;
	const char *way;
	unsigned workers;
	bool small;
};

struct sample {
	double ns, cpu_ns, involuntary, nodes;
	struct filchi_search_report report;
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double cpu_ns(const struct rusage *r)
{
	return ((double)r->ru_utime.tv_sec + (double)r->ru_stime.tv_sec) * 1e9 +
	       ((double)r->ru_utime.tv_usec + (double)r->ru_stime.tv_usec) * 1e3;
}

/* ---- a run: the number of nodes; 0: it failed ---- */

static uint64_t serial(const struct filchi_search_case *c)
{
	switch (c->subject) {
	case FILCHI_SEARCH_TREE:
		return filchi_search_serial(&c->tree).nodes;
#ifdef FILCHI_WORKLOAD_UTS
	case FILCHI_SEARCH_UTS:
		return filchi_search_uts_serial(c->number).nodes;
#endif
	case FILCHI_SEARCH_DAG:
		return filchi_search_dag_serial(c->number);
	default:
		return 0;
	}
}

static void *serial_thread(void *which)
{
	return serial(which) ? which : NULL;
}

/* As many serial programs as workers, each in a thread. They have the same work, so one count is enough. */
static uint64_t copies(struct filchi_search_case *c, unsigned count)
{
	pthread_t thread[MAX_WORKERS];
	uint64_t nodes = 0;
	unsigned started = 1;
	bool fine = true;

	while (started < count && !pthread_create(&thread[started], NULL, serial_thread, c))
		started++;
	nodes = serial(c);
	for (unsigned i = 1; i < started; i++) {
		void *result;

		pthread_join(thread[i], &result);
		fine = fine && result;
	}
	return fine && started == count ? nodes : 0;
}

static uint64_t parallel(struct request *r, struct filchi_search_report *report)
{
	const struct filchi_search_case *c = &r->which;
	struct filchi_search_how how = filchi_search_how_of(r->way, r->workers);

	switch (c->subject) {
	case FILCHI_SEARCH_TREE:
		return filchi_search_parallel(&c->tree, &how, report).nodes;
#ifdef FILCHI_WORKLOAD_UTS
	case FILCHI_SEARCH_UTS:
		return filchi_search_uts_parallel(c->number, &how, report).nodes;
#endif
	case FILCHI_SEARCH_DAG:
		return filchi_search_dag(c->number, &how, report);
	case FILCHI_SEARCH_KNAPSACK:
		return filchi_search_knapsack(c->number, r->small ? 2 : INSTANCES, &how, report);
	default:
		return 0;
	}
}

/* For a case whose tree has a known size. The first run makes the pool's threads, and is not measured. */
static bool is_right(const struct request *r, uint64_t nodes)
{
	struct filchi_search_count count;

	if (r->which.subject == FILCHI_SEARCH_DAG)
		return nodes == r->which.number;
	if (r->which.subject != FILCHI_SEARCH_TREE || r->which.tree.ns)
		return nodes;
	count = filchi_search_serial(&r->which.tree);
	return nodes == count.nodes;
}

static bool measure(struct request *r, struct sample *s)
{
	bool copied = !strcmp(r->way, "copies"), alone = !strcmp(r->way, "serial");
	struct rusage before, after;
	uint64_t nodes;
	double begin;

	getrusage(RUSAGE_SELF, &before);
	begin = now_ns();
	nodes = alone ? serial(&r->which) : copied ? copies(&r->which, r->workers) : parallel(r, &s->report);
	s->ns = now_ns() - begin;
	getrusage(RUSAGE_SELF, &after);
	s->cpu_ns = cpu_ns(&after) - cpu_ns(&before);
	s->involuntary = (double)(after.ru_nivcsw - before.ru_nivcsw);
	s->nodes = (double)nodes * (copied ? r->workers : 1);
	return nodes && is_right(r, nodes);
}

/* One node stands for one move. */
static bool move(const struct request *r, struct sample *s)
{
	s->nodes = 1;
	s->ns = s->cpu_ns = filchi_search_batch(r->which.number, &s->report);
	return s->ns > 0;
}

/* Starts the threads of the pool with a small search. */
static void warm_up(unsigned workers)
{
	const struct filchi_search_tree tree = {.children = 4, .depth = 4, .ns = 5000, .hashes = 1};
	struct filchi_search_how how = {.workers = workers};
	struct filchi_search_report report;

	(void)filchi_search_parallel(&tree, &how, &report);
}

/* ---- the command line ---- */

static void shrink(struct filchi_search_case *c)
{
	if (!c->small)
		return;
	if (c->subject != FILCHI_SEARCH_TREE)
		c->number = c->small;
	else if (c->tree.chance)
		c->tree.root_children = c->small;
	else
		c->tree.depth = c->small;
}

static bool parse(struct request *r, int argc, char **argv)
{
	static const struct option options[] = {
		{"workers", required_argument, NULL, 'w'}, {"small", no_argument, NULL, 's'}, {0}};
	const struct filchi_search_case *c = NULL;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'w')
			r->workers = (unsigned)strtoul(optarg, NULL, 10);
		else if (option == 's')
			r->small = true;
		else
			return false;
	}
	if (argc != optind + 2 || !r->workers || r->workers > MAX_WORKERS)
		return false;
	for (unsigned n = 0; (c = filchi_search_case(n)); n++)
		if (!strcmp(c->name, argv[optind]))
			break;
	r->way = argv[optind + 1];
	if (!c || !filchi_search_case_has(c, r->way))
		return false;
	r->which = *c;
	if (r->small)
		shrink(&r->which);
	return true;
}

int main(int argc, char **argv)
{
	struct request r = {.workers = 1};
	struct filch_options opt = {.struct_size = sizeof(opt)};
	struct sample s = {0};
	bool right;

	if (!parse(&r, argc, argv)) {
		fprintf(stderr,
			"usage: %s CASE WAY [--workers N] [--small]\n"
			"This is a part of filch bench search, which runs it.\n",
			argv[0]);
		return 2;
	}
	opt.workers = (int)r.workers;
	if (filch_start(&opt)) {
		fprintf(stderr, "cannot start %u workers\n", r.workers);
		return 3;
	}
	warm_up(r.workers);
	right = r.which.subject == FILCHI_SEARCH_BATCH ? move(&r, &s) : measure(&r, &s);
	filch_stop();
	if (!right) {
		fprintf(stderr, "wrong answer, or no memory\n");
		return 1;
	}
	printf("right ns %.0f cpu_ns %.0f involuntary %.0f nodes %.0f batches %.0f moved %.0f handed %.0f starts %.0f "
	       "idle_ns %.0f \n",
	       s.ns, s.cpu_ns, s.involuntary, s.nodes, (double)s.report.batches, (double)s.report.moved,
	       (double)s.report.handed, (double)s.report.starts, (double)s.report.idle_ns);
	if (!fflush(stdout))
		return 0;
	fprintf(stderr, "cannot write standard output: %s\n", strerror(errno));
	return 3;
}
