/* SPDX-License-Identifier: Apache-2.0 */
/* filch simulate: predicts a search on many ranks, with the shipped protocol over a simulated network. */
#define _GNU_SOURCE

#include "../../bench/harness/json.h"
#include "../../search/mpi/protocol.h"
#include "../../search/mpi/sim/sim.h"
#include "command.h"
#include "options.h"
#include "say.h"
#include "simulate.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { LOOKS = 100 }; /* of a rank at its load at most, about: more would only take longer to simulate */

static const char help[] =
	"usage: filch simulate search [OPTION]...\n"
	"\n"
	"Predict how a search scales over MPI: the protocol of filch runs over a simulated network, and the costs of "
	"nodes and\n"
	"messages are parameters. One rank has one worker. Each number of ranks runs with one coordinator, and with a "
	"tree of\n"
	"coordinators.\n"
	"\n"
	"  --ranks LIST       numbers of ranks (default 1,10,100,1000,10000,100000)\n"
	"  --work SECONDS     time of the whole search with one rank (default 1000000)\n"
	"  --node-ms MS       mean time to explore a node (default 1)\n"
	"  --spread S         standard deviation of the logarithm of that time (default 1)\n"
	"  --node-bytes N     of a packed node (default 400)\n"
	"  --latency-us US    of a message (default 2)\n"
	"  --bandwidth GB     GB/s of a rank (default 10)\n"
	"  --poll-us US       longest pause of a communication thread (default 1000)\n"
	"  --handle-us US     time of a coordinator for each message (default 1)\n"
	"  --group N          ranks of a group in the tree (default 256)\n"
	"  --seed S           of the random numbers (default 1)\n"
	"  --svg FILE         write the figure as well\n"
	"  --json             write one JSON object to standard output, and nothing else\n"
	"  --help, -h         print this help\n"
	"\n"
	"exit codes:\n"
	"  0  success\n"
	"  1  the simulation failed, or its output could not be written\n"
	"  2  wrong command line\n";

struct request {
	const char *command, *what, *svg;
	struct filchi_counts ranks;
	double work, node_ms, spread, node_bytes, latency_us, bandwidth, poll_us, handle_us;
	unsigned group, seed;
	bool json;
};

static bool parse_word(const char *command, const char *value, void *settings)
{
	struct request *r = settings;

	if (r->what || strcmp(value, "search") != 0)
		return filchi_unexpected_word(command, value);
	r->what = value;
	return true;
}

static bool complete(const char *command, void *settings)
{
	const struct request *r = settings;

	if (r->what)
		return true;
	fprintf(stderr, "%s: needs the word search\n", command);
	return false;
}

#define FIELD(name) offsetof(struct request, name)
static const struct filchi_option options[] = {
	FILCHI_COUNTS("ranks", ranks, 1, 1000000),
	FILCHI_REAL("work", work, 0.01, 1e9),
	FILCHI_REAL("node-ms", node_ms, 1e-5, 1e5),
	FILCHI_REAL("spread", spread, 0, 4),
	FILCHI_REAL("node-bytes", node_bytes, 1, 1e7),
	FILCHI_REAL("latency-us", latency_us, 0.01, 1e6),
	FILCHI_REAL("bandwidth", bandwidth, 0.001, 1e4),
	FILCHI_REAL("poll-us", poll_us, 0, 1e6),
	FILCHI_REAL("handle-us", handle_us, 0, 1e6),
	FILCHI_COUNT("group", group, 2, 100000),
	FILCHI_COUNT("seed", seed, 0, 4294967295u),
	FILCHI_TEXT("svg", svg),
	FILCHI_SWITCH("json", json),
	{0},
};

static struct filchi_sim_config configure(const struct request *r, int ranks, bool tree)
{
	int children = tree ? (int)r->group : ranks;
	double heartbeat = (double)FILCHI_RANKS_HEARTBEAT_NS(children), look = r->work * 1e9 / ranks / LOOKS;

	return (struct filchi_sim_config){.seed = r->seed,
					  .ranks = ranks,
					  .group = tree ? (int)r->group : 0,
					  .nodes = (uint64_t)(r->work * 1e3 / r->node_ms) + 1,
					  .node_ns = r->node_ms * 1e6,
					  .spread = r->spread,
					  .node_bytes = r->node_bytes,
					  .latency_ns = r->latency_us * 1e3,
					  .bytes_per_ns = r->bandwidth,
					  .poll_ns = r->poll_us * 1e3,
					  .handle_ns = r->handle_us * 1e3,
					  .send_ns = r->handle_us * 300,
					  .look_ns = look > heartbeat / 8 ? look : heartbeat / 8,
					  .report_ns = FILCHI_RANKS_REPORT_NS,
					  .calm_ns = FILCHI_RANKS_CALM_NS(children),
					  .heartbeat_ns = (uint64_t)heartbeat};
}

static void judge(struct filchi_simulated *s, const struct filchi_sim_result *r, int ranks, bool tree)
{
	double seconds = r->seconds > 0 ? r->seconds : 1e-9, lost = 1 - r->work / (seconds * ranks);

	*s = (struct filchi_simulated){.ranks = ranks,
				       .tree = tree,
				       .seconds = seconds,
				       .speedup = r->work / seconds,
				       .messages = (double)r->root_messages / seconds,
				       .busy = r->root_busy / seconds,
				       .begin = r->first,
				       .lost = fabs(lost) < 0.0005 ? 0 : lost, /* and not -0.0 % */
				       .batches = r->batches,
				       .moved = r->moved};
}

static void print_row(const struct filchi_simulated *s)
{
	printf("%8d  %-5s %12.3f %12.1f %8.1f %% %10.0f %8.1f %% %9.4f %10llu\n", s->ranks, s->tree ? "tree" : "one",
	       s->seconds, s->speedup, 100 * s->lost, s->messages, 100 * s->busy, s->begin,
	       (unsigned long long)s->batches);
	fflush(stdout);
}

static void print_end(const struct filchi_simulated *all, size_t count)
{
	int saturates = 0;

	for (size_t i = 0; i < count; i++)
		if (!all[i].tree && all[i].busy > 0.5 && (!saturates || all[i].ranks < saturates))
			saturates = all[i].ranks;
	if (saturates)
		printf("one coordinator saturates at %d ranks: it is busy for more than half of the time\n", saturates);
	else
		printf("one coordinator does not saturate\n");
}

static void print_json(const struct request *r, const struct filchi_simulated *all, size_t count)
{
	struct filchi_json j;

	filchi_json_start(&j, stdout);
	filchi_json_open(&j, NULL, '{');
	filchi_json_number(&j, "work", r->work);
	filchi_json_number(&j, "node_ms", r->node_ms);
	filchi_json_number(&j, "spread", r->spread);
	filchi_json_number(&j, "node_bytes", r->node_bytes);
	filchi_json_number(&j, "latency_us", r->latency_us);
	filchi_json_number(&j, "bandwidth", r->bandwidth);
	filchi_json_number(&j, "poll_us", r->poll_us);
	filchi_json_number(&j, "handle_us", r->handle_us);
	filchi_json_integer(&j, "group", r->group);
	filchi_json_open(&j, "rows", '[');
	for (size_t i = 0; i < count; i++) {
		filchi_json_open(&j, NULL, '{');
		filchi_json_integer(&j, "ranks", (uint64_t)all[i].ranks);
		filchi_json_bool(&j, "tree", all[i].tree);
		filchi_json_number(&j, "seconds", all[i].seconds);
		filchi_json_number(&j, "speedup", all[i].speedup);
		filchi_json_number(&j, "lost", all[i].lost);
		filchi_json_number(&j, "messages_per_second", all[i].messages);
		filchi_json_number(&j, "busy", all[i].busy);
		filchi_json_number(&j, "begin_seconds", all[i].begin);
		filchi_json_integer(&j, "batches", all[i].batches);
		filchi_json_integer(&j, "moved", all[i].moved);
		filchi_json_close(&j, '}');
	}
	filchi_json_close(&j, ']');
	filchi_json_close(&j, '}');
}

static int simulate(const struct request *r, struct filchi_simulated *all, size_t *count)
{
	for (unsigned i = 0; i < r->ranks.count; i++) {
		for (int tree = 0; tree < 2; tree++) {
			int ranks = (int)r->ranks.values[i];
			struct filchi_sim_config c = configure(r, ranks, tree);
			struct filchi_sim_result result;
			int err;

			if (tree && ranks <= (int)r->group)
				continue;
			err = filchi_sim_run(&c, &result);
			if (err || result.failure[0]) {
				fprintf(stderr, "%s: %d ranks: %s\n", r->command, ranks,
					err ? strerror(-err) : result.failure);
				return FILCHI_EXIT_FAILED;
			}
			judge(&all[*count], &result, ranks, tree);
			if (!r->json)
				print_row(&all[*count]);
			++*count;
		}
	}
	return FILCHI_EXIT_OK;
}

static int run(int argc, char **argv)
{
	static struct filchi_simulated all[2 * FILCHI_COUNTS_MAX];
	struct request r = {.ranks = {.count = 6, .values = {1, 10, 100, 1000, 10000, 100000}},
			    .work = 1e6,
			    .node_ms = 1,
			    .spread = 1,
			    .node_bytes = 400,
			    .latency_us = 2,
			    .bandwidth = 10,
			    .poll_us = 1000,
			    .handle_us = 1,
			    .group = 256,
			    .seed = 1};
	struct filchi_command_line line = {.help = help,
					   .help_usage = "filch help simulate",
					   .tables = {{options, &r}},
					   .word = parse_word,
					   .complete = complete,
					   .settings = &r};
	size_t count = 0;
	int code = filchi_command_line_parse(&line, argc, argv);

	if (code >= 0)
		return code;
	r.command = argv[0];
	if (!r.json)
		printf("%8s  %-5s %12s %12s %10s %10s %10s %9s %10s\n", "ranks", "coord", "seconds", "speed-up", "lost",
		       "messages/s", "busy", "begin s", "batches");
	code = simulate(&r, all, &count);
	if (code)
		return code;
	if (r.json)
		print_json(&r, all, count);
	else
		print_end(all, count);
	if (r.svg && (code = filchi_simulate_svg(r.svg, all, count)))
		return filchi_say_cannot_write(r.command, r.svg, code);
	return FILCHI_EXIT_OK;
}

const struct filchi_command filchi_cmd_simulate = {
	.name = "simulate",
	.summary = "predict how a search scales to many machines",
	.help = help,
	.run = run,
};
