/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PROGRAM INSTANCE WAY [--workers N] [--width W] [--seconds S] [--optimum X]
 *
 * Solves an instance once, and writes a line of names and numbers to standard output. filch bench dd reads the line.
 * INSTANCE is the name of a generated instance (cases.c), or PROBLEM:FILE. WAY is
 *
 *   solve   up to the proof, or for S seconds
 *   copies  as many programs as workers at once, each with one worker
 *   nodes   with diagrams of width W, over and over, for S seconds: to count their nodes
 *
 * exit codes:
 *   1  the answer is wrong, or the run has failed
 *   2  wrong command line
 *   3  the instance cannot be read, no memory, or the output cannot be written
 */
#define _GNU_SOURCE

#include "../../dd/problems/model.h"
#include "solve.h"

#include <errno.h>
#include <filch.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORKERS = 1024 };

struct program {
	struct filchi_dd_request request;
	const char *instance, *way;
	void *read; /* the instance */
	char *text;
};

/* ---- the instance ---- */

static char *generate(const struct filchi_problem *p, const struct filchi_dd_case *c, size_t *size)
{
	struct filchi_generate g = {
		.seed = c->seed, .size = c->size, .density = c->density, .range = c->range ? c->range : p->range_usual};
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	if (!f)
		return NULL;
	p->generate(f, &g);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

static char *load(const char *path, size_t *size)
{
	FILE *f = fopen(path, "r");
	char *text = NULL, part[65536];
	FILE *out = f ? open_memstream(&text, size) : NULL;
	size_t got;

	while (out && (got = fread(part, 1, sizeof(part), f)) > 0)
		fwrite(part, 1, got, out);
	if (out && fclose(out)) {
		free(text);
		text = NULL;
	}
	if (f)
		(void)fclose(f);
	return text;
}

static bool open_instance(struct program *p)
{
	const struct filchi_dd_case *c = filchi_dd_case_find(p->instance, strlen(p->instance));
	const char *colon = strchr(p->instance, ':');
	char problem[32] = "";
	struct filchi_text text;
	size_t size = 0;

	if (c)
		snprintf(problem, sizeof(problem), "%s", c->problem);
	else if (colon && (size_t)(colon - p->instance) < sizeof(problem))
		memcpy(problem, p->instance, (size_t)(colon - p->instance));
	p->request.problem = filchi_problem_find(problem);
	if (!p->request.problem) {
		fprintf(stderr, "unknown instance '%s'\n", p->instance);
		return false;
	}
	p->text = c ? generate(p->request.problem, c, &size) : load(colon + 1, &size);
	if (!p->text) {
		fprintf(stderr, "cannot read %s: %s\n", p->instance, strerror(errno));
		return false;
	}
	if (c && c->optimum > 0 && isnan(p->request.optimum))
		p->request.optimum = c->optimum;
	filchi_text_begin(&text, p->text, size);
	p->read = p->request.problem->read(&text);
	if (!p->read) {
		fprintf(stderr, "%s: %s\n", p->instance, text.error);
		return false;
	}
	return !filchi_model_make(&p->request.p, problem, p->read);
}

static void close_instance(struct program *p)
{
	if (p->read) {
		filchi_model_destroy(&p->request.p, p->request.problem->name);
		p->request.problem->destroy(p->read);
	}
	free(p->text);
}

/* ---- the ways ---- */

static bool solve(const struct program *p, unsigned workers, struct filchi_dd_sample *s)
{
	struct filch_options opt = {.struct_size = sizeof(opt), .workers = (int)workers};
	struct filchi_dd_request r = p->request;
	double limit = filchi_dd_now() + r.seconds * 1e9;
	bool right, again = !strcmp(p->way, "nodes");

	r.workers = workers;
	if (filch_start(&opt)) {
		fprintf(stderr, "cannot start %u workers\n", workers);
		return false;
	}
	do {
		right = filchi_dd_solve(&r, s);
	} while (right && again && filchi_dd_now() < limit);
	filch_stop();
	return right;
}

/* Each copy is a process. They have the same work, so the times of one of them are enough; the last one counts. */
static bool copies(const struct program *p, struct filchi_dd_sample *s)
{
	unsigned count = p->request.workers, right = 0;
	struct filchi_dd_sample *shared =
		mmap(NULL, count * sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double begin = filchi_dd_now();
	int status;

	if (shared == MAP_FAILED)
		return false;
	for (unsigned i = 0; i < count; i++) {
		shared[i] = *s;
		if (!fork())
			_exit(solve(p, 1, &shared[i]) ? 0 : 1);
	}
	while (wait(&status) > 0)
		right += WIFEXITED(status) && !WEXITSTATUS(status);
	*s = shared[0];
	s->ns = filchi_dd_now() - begin;
	s->nodes *= count;
	s->dd_nodes *= count;
	munmap(shared, count * sizeof(*shared));
	return right == count;
}

static double cpu_ns(const struct rusage *r)
{
	return ((double)r->ru_utime.tv_sec + (double)r->ru_stime.tv_sec) * 1e9 +
	       ((double)r->ru_utime.tv_usec + (double)r->ru_stime.tv_usec) * 1e3;
}

static int measure(const struct program *p)
{
	bool copied = !strcmp(p->way, "copies");
	struct filchi_dd_sample s = {0};
	struct rusage before, own, children;

	for (size_t i = 0; i < FILCHI_DD_GAPS; i++)
		s.gap_ns[i] = NAN;
	getrusage(RUSAGE_SELF, &before);
	if (!(copied ? copies(p, &s) : solve(p, p->request.workers, &s)))
		return 1;
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	printf("right ns %.0f cpu_ns %.0f involuntary %.0f nodes %.0f dd_nodes %.0f proved %.0f peak_bytes %.0f ", s.ns,
	       cpu_ns(&own) + cpu_ns(&children) - cpu_ns(&before),
	       (double)(own.ru_nivcsw + children.ru_nivcsw - before.ru_nivcsw), s.nodes, s.dd_nodes, s.proved,
	       1024.0 * (double)(copied ? children.ru_maxrss : own.ru_maxrss));
	for (size_t i = 0; i < FILCHI_DD_GAPS; i++)
		if (!isnan(s.gap_ns[i]))
			printf("gap_%g %.0f ", filchi_dd_gaps[i], s.gap_ns[i]);
	puts("");
	if (!fflush(stdout))
		return 0;
	fprintf(stderr, "cannot write standard output: %s\n", strerror(errno));
	return 3;
}

/* ---- the command line ---- */

static bool parse(struct program *p, int argc, char **argv)
{
	static const struct option options[] = {{"workers", required_argument, NULL, 'w'},
						{"width", required_argument, NULL, 'd'},
						{"seconds", required_argument, NULL, 's'},
						{"optimum", required_argument, NULL, 'o'},
						{0}};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'w')
			p->request.workers = (unsigned)strtoul(optarg, NULL, 10);
		else if (option == 'd')
			p->request.width = strtoul(optarg, NULL, 10);
		else if (option == 's')
			p->request.seconds = strtod(optarg, NULL);
		else if (option == 'o')
			p->request.optimum = strtod(optarg, NULL);
		else
			return false;
	}
	if (argc != optind + 2 || !p->request.workers || p->request.workers > MAX_WORKERS || !(p->request.seconds >= 0))
		return false;
	p->instance = argv[optind];
	p->way = argv[optind + 1];
	return !strcmp(p->way, "solve") || !strcmp(p->way, "copies") ||
	       (!strcmp(p->way, "nodes") && p->request.seconds > 0);
}

int main(int argc, char **argv)
{
	struct program p = {.request = {.workers = 1, .optimum = NAN}};
	int code = 3;

	if (!parse(&p, argc, argv)) {
		fprintf(stderr,
			"usage: %s INSTANCE WAY [--workers N] [--width W] [--seconds S] [--optimum X]\n"
			"This is a part of filch bench dd, which runs it.\n",
			argv[0]);
		return 2;
	}
	if (open_instance(&p))
		code = measure(&p);
	close_instance(&p);
	return code;
}
