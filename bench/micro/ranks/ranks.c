/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "ranks.h"

#include "../../../search/mpi/protocol.h"
#include "../../../search/mpi/sim/sim.h"
#include "../../harness/child.h"
#include "../../harness/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT = 65536, REAL = 3, CASES = 64, GROUP = 256, LOOKS = 100 };

struct context {
	const struct bench *bench;
	int ranks;
	char measure[16];
};

struct bench {
	struct filchi_ranks_bench_options options;
	const char *launcher; /* NULL: only simulations */
	/* Of a job of one rank, and of one of two: */
	double nodes, node_ns, node_bytes;
	struct context contexts[CASES];
};

static const struct filchi_bench_metric metrics[] = {
	{"ns", "ns"},	   {"cpu_ns", "ns"}, {"speedup", ""},	 {"lost", "share"}, {"messages_per_second", "1/s"},
	{"busy", "share"}, {"batches", ""},  {"moved", "nodes"},
};

/* ---- real jobs ---- */

static bool is_program(const char *name)
{
	char path[4200];

	for (const char *at = getenv("PATH"); at && *at; at += strcspn(at, ":"), at += *at == ':') {
		snprintf(path, sizeof(path), "%.*s/%s", (int)strcspn(at, ":"), at, name);
		if (!access(path, X_OK))
			return true;
	}
	return false;
}

/* Open MPI's launcher refuses root, if root has not allowed it. */
const char *filchi_ranks_bench_launcher(void)
{
	if (is_program("mpiexec.hydra"))
		return "mpiexec.hydra";
	return is_program("mpirun.openmpi") && (geteuid() || getenv("OMPI_ALLOW_RUN_AS_ROOT")) ? "mpirun.openmpi"
											       : NULL;
}

static double number_after(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtod(at + strlen(key), NULL) : NAN;
}

struct job {
	double ns, cpu_ns, nodes, batches, moved, bytes, messages;
};

/* Solves the ruler on so many ranks with a worker each. */
static int start(const struct bench *b, int ranks, struct job *job)
{
	char number[16], *text = calloc(1, OUTPUT);
	const char *argv[] = {
		b->launcher, "-n", number, b->options.program, "solve", "golomb", b->options.marks, "--json",
		"--workers", "1",  NULL};
	struct filchi_child_stream out = {.text = text, .size = OUTPUT};
	struct filchi_child child = {
		.argv = (char *const *)(void *)argv, .environment = environ, .out = &out, .apart = true};
	struct filchi_child_result r = {0};
	int err = text ? 0 : -ENOMEM;

	snprintf(number, sizeof(number), "%d", ranks);
	if (!err)
		err = filchi_child_run(&child, &r);
	if (!err && (r.signal || r.status))
		err = r.signal ? -EINTR : -EIO;
	if (!err) {
		*job = (struct job){.ns = number_after(text, "\"seconds\": ") * 1e9,
				    .cpu_ns = number_after(text, "\"cpu_seconds\": ") * 1e9,
				    .nodes = number_after(text, "\"nodes\": "),
				    .batches = number_after(text, "\"batches\": "),
				    .moved = number_after(text, "\"moved\": "),
				    .bytes = number_after(text, "\"moved_bytes\": "),
				    .messages = number_after(text, "\"coordinator_messages\": ")};
	}
	free(text);
	return err;
}

static int run_real(const struct filchi_bench_case *bench, double *values, struct filchi_bench_error *error)
{
	const struct context *c = bench->context;
	struct job job = {0};
	int err = start(c->bench, c->ranks, &job);

	if (err) {
		snprintf(error->text, sizeof(error->text), "%s cannot run %d ranks of filch", c->bench->launcher,
			 c->ranks);
		return err;
	}
	for (size_t i = 0; i < bench->metric_count; i++)
		values[i] = NAN;
	filchi_bench_set(bench, values, "ns", job.ns);
	filchi_bench_set(bench, values, "cpu_ns", job.cpu_ns);
	filchi_bench_set(bench, values, "speedup", c->bench->nodes * c->bench->node_ns / job.ns);
	filchi_bench_set(bench, values, "messages_per_second", job.messages / (job.ns * 1e-9));
	filchi_bench_set(bench, values, "batches", job.batches);
	filchi_bench_set(bench, values, "moved", job.moved);
	return 0;
}

/* ---- simulated jobs ---- */

static struct filchi_sim_config configure(const struct bench *b, int ranks, int group)
{
	int children = group ? group : ranks;
	double heartbeat = (double)FILCHI_RANKS_HEARTBEAT_NS(children), look = b->options.work * 1e9 / ranks / LOOKS;

	return (struct filchi_sim_config){.seed = 1,
					  .ranks = ranks,
					  .group = group,
					  .nodes = (uint64_t)(b->options.work * 1e3),
					  .node_ns = 1e6,
					  .spread = 1,
					  .node_bytes = 400,
					  .latency_ns = 2000,
					  .bytes_per_ns = 10,
					  .poll_ns = 1e6,
					  .handle_ns = 1000,
					  .send_ns = 300,
					  .look_ns = look > heartbeat / 8 ? look : heartbeat / 8,
					  .report_ns = FILCHI_RANKS_REPORT_NS,
					  .calm_ns = FILCHI_RANKS_CALM_NS(children),
					  .heartbeat_ns = (uint64_t)heartbeat};
}

static int simulate(const struct filchi_bench_case *bench, const struct filchi_sim_config *config, double *values,
		    struct filchi_bench_error *error)
{
	double work = (double)config->nodes * config->node_ns * 1e-9, seconds;
	struct filchi_sim_result r;
	int err = filchi_sim_run(config, &r);

	if (err || r.failure[0]) {
		snprintf(error->text, sizeof(error->text), "the simulation fails: %.200s",
			 err ? strerror(-err) : r.failure);
		return err ? err : -EPROTO;
	}
	seconds = r.seconds > 0 ? r.seconds : 1e-9;
	for (size_t i = 0; i < bench->metric_count; i++)
		values[i] = NAN;
	filchi_bench_set(bench, values, "ns", seconds * 1e9);
	filchi_bench_set(bench, values, "speedup", work / seconds);
	filchi_bench_set(bench, values, "lost", 1 - r.work / (seconds * config->ranks));
	filchi_bench_set(bench, values, "messages_per_second", (double)r.root_messages / seconds);
	filchi_bench_set(bench, values, "busy", r.root_busy / seconds);
	filchi_bench_set(bench, values, "batches", (double)r.batches);
	filchi_bench_set(bench, values, "moved", (double)r.moved);
	return 0;
}

static int run_one(const struct filchi_bench_case *bench, double *values, struct filchi_bench_error *error)
{
	const struct context *c = bench->context;
	struct filchi_sim_config config = configure(c->bench, c->ranks, 0);

	return simulate(bench, &config, values, error);
}

static int run_tree(const struct filchi_bench_case *bench, double *values, struct filchi_bench_error *error)
{
	const struct context *c = bench->context;
	struct filchi_sim_config config = configure(c->bench, c->ranks, GROUP);

	return simulate(bench, &config, values, error);
}

/* Ranks share the CPUs of this machine. */
static int run_model(const struct filchi_bench_case *bench, double *values, struct filchi_bench_error *error)
{
	const struct context *c = bench->context;
	struct filchi_sim_config config = configure(c->bench, c->ranks, 0);
	double cpus = (double)sysconf(_SC_NPROCESSORS_ONLN), share = c->ranks > cpus ? c->ranks / cpus : 1;
	int err;

	config.nodes = (uint64_t)c->bench->nodes;
	config.node_ns = c->bench->node_ns * share;
	config.node_bytes = c->bench->node_bytes;
	config.look_ns = FILCHI_RANKS_REPORT_NS;
	err = simulate(bench, &config, values, error);
	if (!err)
		filchi_bench_set(bench, values, "speedup",
				 c->bench->nodes * c->bench->node_ns / values[0]); /* ns is the first metric */
	return err;
}

/* ---- the suite ---- */

static int table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	static const struct filchi_table_column columns[] = {
		{"", "way"},   {"", "ranks"},	    {"s", "time"},	  {"", "speed-up"},
		{"%", "lost"}, {"1/s", "messages"}, {"%", "coordinator"}, {"", "batches"},
	};
	const struct bench *b = s->own;
	struct filchi_table t;
	int err;

	fprintf(f, "filch %s: a search on many ranks, ", m->version);
	filchi_report_head(s, m, f);
	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->case_count; i++) {
		const char *way = s->cases[i].subject, *ranks = s->cases[i].measure;

		filchi_table_cell(&t, "%s", way);
		filchi_table_cell(&t, "%s", ranks);
		filchi_report_cell(&t, filchi_bench_suite_median(s, way, ranks, "ns") * 1e-9);
		filchi_report_cell(&t, filchi_bench_suite_median(s, way, ranks, "speedup"));
		filchi_report_cell(&t, filchi_bench_suite_median(s, way, ranks, "lost") * 100);
		filchi_report_cell(&t, filchi_bench_suite_median(s, way, ranks, "messages_per_second"));
		filchi_report_cell(&t, filchi_bench_suite_median(s, way, ranks, "busy") * 100);
		filchi_report_cell(&t, filchi_bench_suite_median(s, way, ranks, "batches"));
	}
	err = filchi_table_print(&t, f, color);
	fprintf(f,
		"\nreal: golomb %s on this machine; model: the same job, simulated. one, tree: %g s of work, simulated "
		"with one\ncoordinator and with a tree. lost: share of the time of all ranks. coordinator: share of "
		"its "
		"time in which it\nhandles messages.\n",
		b->options.marks, b->options.work);
	filchi_report_notes(s, m, f);
	return err;
}

static void json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct bench *b = s->own;

	filchi_json_string(j, "marks", b->options.marks);
	filchi_json_number(j, "work", b->options.work);
	filchi_json_integer(j, "most", (uint64_t)b->options.most);
	filchi_json_string(j, "launcher", b->launcher ? b->launcher : "none");
	filchi_json_number(j, "node_ns", b->node_ns);
	filchi_json_number(j, "node_bytes", b->node_bytes);
}

static void free_own(struct filchi_bench_suite *s)
{
	free(s->own);
}

static void add(struct filchi_bench_suite *s, const char *way, int ranks,
		int (*run)(const struct filchi_bench_case *, double *, struct filchi_bench_error *))
{
	struct bench *b = s->own;
	struct context *c = &b->contexts[s->case_count];
	struct filchi_bench_case *bench = &s->cases[s->case_count++];

	c->bench = b;
	c->ranks = ranks;
	snprintf(c->measure, sizeof(c->measure), "%d", ranks);
	*bench = (struct filchi_bench_case){.metrics = metrics,
					    .metric_count = sizeof(metrics) / sizeof(metrics[0]),
					    .run = run,
					    .subject = way,
					    .measure = c->measure,
					    .context = c};
}

/* The costs of the model, from real jobs. */
static int calibrate(struct bench *b)
{
	struct job one, two;
	int err = start(b, 1, &one);

	if (!err)
		err = start(b, 2, &two);
	if (err)
		return err;
	b->nodes = one.nodes;
	b->node_ns = one.ns / one.nodes;
	b->node_bytes = two.moved > 0 ? two.bytes / two.moved : 100;
	return 0;
}

static int fill(struct filchi_bench_suite *s)
{
	struct bench *b = s->own;
	int err = filchi_bench_suite_alloc(s, 4, CASES);

	if (!err && b->launcher)
		err = calibrate(b);
	if (err)
		return err;
	for (int i = 0; b->launcher && i < REAL; i++) {
		add(s, "real", 1 << i, run_real);
		add(s, "model", 1 << i, run_model);
	}
	for (int ranks = 1; ranks <= b->options.most; ranks *= 10) {
		add(s, "one", ranks, run_one);
		if (ranks > GROUP)
			add(s, "tree", ranks, run_tree);
	}
	if (b->launcher) {
		s->subjects[s->subject_count++] = "real";
		s->subjects[s->subject_count++] = "model";
	}
	s->subjects[s->subject_count++] = "one";
	s->subjects[s->subject_count++] = "tree";
	return 0;
}

int filchi_ranks_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_ranks_bench_options *ranks)
{
	struct bench *b = calloc(1, sizeof(*b));
	int err;

	*s = (struct filchi_bench_suite){.name = "ranks",
					 .options = *options,
					 .own = b,
					 .table = table,
					 .json_options = json_options,
					 .free_own = free_own};
	if (!b)
		return -ENOMEM;
	b->options = *ranks;
	b->launcher = filchi_ranks_bench_launcher();
	/* More ranks than CPUs, and each rank may use all of them. */
	setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
	setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
	err = fill(s);
	if (err)
		filchi_bench_suite_free(s);
	return err;
}
