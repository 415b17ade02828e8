/* SPDX-License-Identifier: Apache-2.0 */
/* filch solve: solves an instance by branch and bound on decision diagrams. */
#define _GNU_SOURCE

#include "command.h"
#include "options.h"
#include "say.h"
#include "solve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUND 64	/* nodes in a round of the deterministic mode */
#define FIRST_WIDTH 4	/* of the diagram that gives a first solution */
#define DRAWN_WELL 5000 /* nodes and arcs of a picture */
#define DRAWN_MAX 200000
#define SMALL_WIDTH 8 /* of a picture */

static const char help[] =
	"usage: filch solve [OPTION]... PROBLEM FILE\n"
	"\n"
	"Solve an instance by branch and bound on decision diagrams, and print the best solution and its proof.\n"
	"PROBLEM is knapsack, misp, max2sat, maxcut, tsptw, golomb, sop, ufp, or the path of a shared object. FILE is "
	"in the\n"
	"public format of the problem; - is standard input. golomb also takes the number of marks instead of a file.\n"
	"\n"
	"mpirun -n N filch solve ... solves one instance on N ranks together, with Open MPI or MPICH.\n"
	"\n"
	"  --workers N        use N workers, 1 to 1024 (default: one for each CPU)\n"
	"  --width N          keep at most N nodes in a layer (default: the problem's own)\n"
	"  --order NAME       explore the nodes in the order best (the default), depth or mixture\n"
	"  --cutset NAME      branch on the cutset frontier or layer (default: the problem's own)\n"
	"  --move NAME        how nodes move between workers: direct (the default) or master\n"
	"  --no-share         ufp: workers keep their cuts to themselves\n"
	"  --weak-cuts        ufp: no core point for cuts\n"
	"  --extensive FILE   ufp: write all scenarios as one mixed integer program to FILE (LP format), and do not "
	"solve\n"
	"  --time SECONDS     stop after SECONDS\n"
	"  --nodes N          stop after N subproblems\n"
	"  --gap G            stop at a relative gap of G, such as 0.01\n"
	"  --cache SIZE       remember thresholds of states in SIZE bytes; 0: none (default: the problem's own)\n"
	"  --memory SIZE      use at most SIZE bytes for the search; K, M and G multiply by 1024 (default: three "
	"quarters "
	"of\n"
	"                     the memory that is available; without limit for ufp, --deterministic or many ranks)\n"
	"  --deterministic    explore the same nodes for every number of workers\n"
	"  --checkpoint FILE  save the search to FILE at its end\n"
	"  --checkpoint-every SECONDS  save it also about every SECONDS\n"
	"  --resume FILE      go on with the search that was saved to FILE\n"
	"  --group N          with mpirun: give each N ranks a coordinator of their own (default: 1024)\n"
	"  --draw FILE        draw the diagram of the root instead of solving; FILE ends in .svg or .dot\n"
	"  --diagram KIND     draw the diagram exact, restricted or relaxed (the default)\n"
	"  --solution         print the solution as well\n"
	"  --json             write one JSON object to standard output, and nothing else\n"
	"  --quiet            show no progress on a terminal\n"
	"  --help, -h         print this help\n"
	"\n"
	"exit codes:\n"
	"  0  the solution is optimal\n"
	"  1  the run failed\n"
	"  2  wrong command line\n"
	"  3  a limit was met, or the run was interrupted, and there is a solution\n"
	"  4  a limit was met, or the run was interrupted, and there is no solution yet\n"
	"  5  there is no solution\n"
	"  6  FILE or the checkpoint cannot be read, or is wrong\n";

/* ---- the command line ---- */

static bool parse_word(const char *command, const char *value, void *settings)
{
	struct filchi_solve_request *r = settings;

	if (r->file)
		return filchi_unexpected_word(command, value);
	if (r->problem)
		r->file = value;
	else
		r->problem = value;
	return true;
}

static const char *const orders[] = {"best", "depth", "mixture", NULL};
static const char *const cutsets[] = {"frontier", "layer", NULL};
static const char *const moves[] = {"direct", "master", NULL};
static const char *const diagrams[] = {"exact", "restricted", "relaxed", NULL}; /* as enum filch_dd_kind */

static const char *order_name(unsigned n)
{
	return orders[n];
}

static const char *cutset_name(unsigned n)
{
	return cutsets[n];
}

static const char *move_name(unsigned n)
{
	return moves[n];
}

static const char *diagram_name(unsigned n)
{
	return diagrams[n];
}

static bool parse_name(const char *command, const char *option, const char *noun, const char *value,
		       const char *(*known)(unsigned), const char **out)
{
	for (unsigned i = 0; known(i); i++)
		if (!strcmp(known(i), value)) {
			*out = known(i);
			return true;
		}
	return filchi_names_unknown(command, option, noun, value, strlen(value), NULL, known);
}

static bool parse_order(const char *command, const char *value, void *settings)
{
	struct filchi_solve_request *r = settings;

	return parse_name(command, "--order: ", "order", value, order_name, &r->order);
}

static bool parse_cutset(const char *command, const char *value, void *settings)
{
	struct filchi_solve_request *r = settings;

	return parse_name(command, "--cutset: ", "cutset", value, cutset_name, &r->cutset);
}

static bool parse_move(const char *command, const char *value, void *settings)
{
	struct filchi_solve_request *r = settings;

	return parse_name(command, "--move: ", "way to move nodes", value, move_name, &r->move);
}

static bool parse_diagram(const char *command, const char *value, void *settings)
{
	struct filchi_solve_request *r = settings;

	return parse_name(command, "--diagram: ", "diagram", value, diagram_name, &r->diagram);
}

/* A number of bytes, with a suffix. */
static bool parse_bytes(const char *command, const char *option, const char *value, size_t min, size_t *out)
{
	static const char suffixes[] = "KMG";
	char *end, shown[FILCHI_SHORT];
	unsigned long long number = strtoull(value, &end, 10);
	const char *suffix = *end ? strchr(suffixes, *end) : NULL;
	unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;

	if (value[0] < '0' || value[0] > '9' || end[suffix != NULL] || number < min ||
	    number > (SIZE_MAX >> 1 >> shift)) {
		fprintf(stderr, "%s: %s must be a number of bytes from %zu on, such as 500M, not '%s'\n", command,
			option, min, filchi_short(shown, value, strlen(value)));
		return false;
	}
	*out = (size_t)number << shift;
	return true;
}

static bool parse_memory(const char *command, const char *value, void *settings)
{
	return parse_bytes(command, "--memory", value, 1, &((struct filchi_solve_request *)settings)->memory);
}

static bool parse_cache(const char *command, const char *value, void *settings)
{
	struct filchi_solve_request *r = settings;

	r->has_cache = true;
	return parse_bytes(command, "--cache", value, 0, &r->cache);
}

static bool complete(const char *command, void *settings)
{
	const struct filchi_solve_request *r = settings;
	const char *dot = r->draw ? strrchr(r->draw, '.') : NULL;
	char shown[FILCHI_SHORT];

	if (!r->file)
		fprintf(stderr, "%s: needs a problem and a file\n", command);
	else if (r->draw && (!dot || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".dot") != 0)))
		fprintf(stderr, "%s: --draw needs a file that ends in .svg or .dot, not '%s'\n", command,
			filchi_short(shown, r->draw, strlen(r->draw)));
	else if ((r->no_share || r->weak_cuts || r->extensive) && strcmp(r->problem, "ufp") != 0)
		fprintf(stderr, "%s: --no-share, --weak-cuts and --extensive are for ufp only\n", command);
	else if (r->diagram && !r->draw)
		fprintf(stderr, "%s: --diagram needs --draw\n", command);
	else if (r->checkpoint_seconds > 0 && !r->checkpoint)
		fprintf(stderr, "%s: --checkpoint-every needs --checkpoint\n", command);
	else
		return true;
	return false;
}

#define FIELD(name) offsetof(struct filchi_solve_request, name)
static const struct filchi_option options[] = {
	FILCHI_COUNT("workers", workers, 1, 1024),
	FILCHI_COUNT("width", width, 1, 100000000),
	FILCHI_PARSED("order", parse_order),
	FILCHI_PARSED("cutset", parse_cutset),
	FILCHI_PARSED("move", parse_move),
	FILCHI_SWITCH("no-share", no_share),
	FILCHI_TEXT("extensive", extensive),
	FILCHI_SWITCH("weak-cuts", weak_cuts),
	FILCHI_REAL("time", seconds, 1e-6, 1e9),
	FILCHI_REAL("nodes", nodes, 1, 1e15),
	FILCHI_REAL("gap", gap, 0, 1e9),
	FILCHI_PARSED("memory", parse_memory),
	FILCHI_SWITCH("deterministic", deterministic),
	FILCHI_PARSED("cache", parse_cache),
	FILCHI_TEXT("checkpoint", checkpoint),
	FILCHI_REAL("checkpoint-every", checkpoint_seconds, 0.001, 1e9),
	FILCHI_TEXT("resume", resume),
	FILCHI_COUNT("group", group, 1, 1000000),
	FILCHI_TEXT("draw", draw),
	FILCHI_PARSED("diagram", parse_diagram),
	FILCHI_SWITCH("solution", solution),
	FILCHI_SWITCH("json", json),
	FILCHI_SWITCH("quiet", quiet),
	{0},
};

/* -1 to go on, or the exit code. */
static int parse(int argc, char **argv, struct filchi_solve_request *r)
{
	struct filchi_command_line line = {
		.help = help,
		.help_usage = "filch help solve",
		.tables = {{options, r}},
		.word = parse_word,
		.complete = complete,
		.settings = r,
	};

	struct filchi_solve_mute mute;
	int code;

	r->command = argv[0];
	filchi_solve_ranks_mute(&mute, true);
	code = filchi_command_line_parse(&line, argc, argv);
	filchi_solve_ranks_mute(&mute, false);
	return code;
}

static int failed(const struct filchi_solve_request *r, const char *what, int err)
{
	fprintf(stderr, "%s: %s: %s\n", r->command, what, strerror(err < 0 ? -err : err));
	return FILCHI_EXIT_FAILED;
}

/* ---- drawing ---- */

/* Ends a line. */
static void tell_smaller(const struct filchi_solve_request *r)
{
	bool exact = r->diagram && !strcmp(r->diagram, "exact");

	fprintf(stderr, "%s--width %d\n", exact ? "--diagram relaxed " : "",
		r->width > 1 && r->width <= SMALL_WIDTH ? 1 : SMALL_WIDTH);
}

/* The diagram could not be compiled. */
static int no_diagram(const struct filchi_solve_request *r, int err)
{
	if (err != -EFBIG) {
		fprintf(stderr, "%s: cannot compile the diagram: %s\n", r->command, filch_error_message());
		return FILCHI_EXIT_FAILED;
	}
	fprintf(stderr, "%s: %s is not written: %s; for a smaller picture use a smaller instance, or ", r->command,
		r->draw, filch_error_message());
	tell_smaller(r);
	return FILCHI_EXIT_FAILED;
}

/* Most programs show no picture of so many nodes and arcs, or take minutes for it. */
static void warn_of_size(const struct filchi_solve_request *r, const struct filch_dd_diagram *diagram)
{
	size_t nodes = 0, arcs = 0;
	struct stat at;

	for (int row = 0; row < filch_dd_diagram_layers(diagram); row++) {
		nodes += filch_dd_diagram_nodes(diagram, row);
		arcs += filch_dd_diagram_arcs(diagram, row);
	}
	if (nodes + arcs <= DRAWN_WELL)
		return;
	fprintf(stderr, "%s: %s has %zu nodes and %zu arcs", r->command, r->draw, nodes, arcs);
	if (!stat(r->draw, &at))
		fprintf(stderr, ", %.1f MB", 1e-6 * (double)at.st_size);
	fputs("; for a smaller picture use ", stderr);
	tell_smaller(r);
}

static int draw(const struct filchi_solve_request *r, const struct filchi_solve_source *s)
{
	struct filch_dd_compile_options opt = {.struct_size = sizeof(opt),
					       .kind = FILCH_DD_RELAXED,
					       .width = r->width,
					       .cutset = r->cutset,
					       .memory_limit = r->memory,
					       .size_limit = DRAWN_MAX};
	struct filch_dd_diagram *diagram;
	int err;

	for (unsigned i = 0; r->diagram && diagrams[i]; i++)
		if (!strcmp(r->diagram, diagrams[i]))
			opt.kind = (int)i;
	err = filch_dd_compile(&diagram, &s->p, &opt);
	if (err)
		return no_diagram(r, err);
	err = filch_dd_diagram_draw(diagram, r->draw, strrchr(r->draw, '.') + 1);
	if (!err && !r->quiet)
		warn_of_size(r, diagram);
	filch_dd_diagram_destroy(diagram);
	return err ? filchi_say_cannot_write(r->command, r->draw, err) : FILCHI_EXIT_OK;
}

/* ---- the run ---- */

static int load(const struct filchi_solve_request *r, struct filch_dd *dd)
{
	return r->resume ? filchi_solve_resumed(r, filch_dd_load(dd, r->resume)) : 0;
}

int filchi_solve_resumed(const struct filchi_solve_request *r, int err)
{
	if (!err)
		return 0;
	fprintf(stderr, "%s: cannot resume from %s: %s\n", r->command, r->resume,
		err == -EXDEV		  ? "it is a checkpoint of another instance"
		: err == -EBADMSG	  ? "it is damaged, or no checkpoint"
		: err == -EPROTONOSUPPORT ? "it is of another version or machine"
					  : strerror(-err));
	return FILCHI_SOLVE_BAD_FILE;
}

void filchi_solve_measure(struct filchi_solve_outcome *o)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	o->cpu_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
			 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	o->peak_memory = (size_t)usage.ru_maxrss * 1024;
}

static int report(const struct filchi_solve_request *r, const struct filchi_solve_source *s,
		  struct filchi_solve_outcome *o)
{
	int code = o->result.has_best ? filchi_solve_verify(s, r, o->result.labels, o->result.best) : 0;

	if (code)
		return code;
	if (o->ranks <= 1)
		filchi_solve_measure(o);
	if (r->json)
		filchi_solve_json(stdout, r, s, o);
	else
		filchi_solve_print(stdout, r, s, o);
	if (r->checkpoint && o->result.end != FILCH_SEARCH_DONE && o->result.end != FILCH_SEARCH_ERROR)
		filchi_solve_print_resume(r, o->ranks);
	return filchi_solve_exit_code(&o->result);
}

int filchi_solve_ended(const struct filchi_solve_request *r, const struct filchi_solve_source *s, int err,
		       struct filchi_solve_outcome *o)
{
	bool stopped = !err && o->result.end == FILCH_SEARCH_ERROR;

	if (stopped)
		err = o->result.error;
	if (err == -EPROTO && !stopped)
		fprintf(stderr, "%s: %s\n", r->command, filch_error_message());
	else if (err)
		failed(r, r->checkpoint ? "cannot solve, or cannot write the checkpoint" : "cannot solve", err);
	if (err && (!stopped || !o->result.has_best || err == -EPROTO))
		return FILCHI_EXIT_FAILED;
	/* A solution is worth something, even if the run has failed later. */
	return err ? (report(r, s, o), FILCHI_EXIT_FAILED) : report(r, s, o);
}

int filchi_solve_finish(const struct filchi_solve_request *r, const struct filchi_solve_source *s,
			struct filch_search_mpi *job, int err, struct filchi_solve_outcome *o)
{
	if (!job)
		return filchi_solve_ended(r, s, err, o);
	return filchi_solve_ranks_agree(r, job, filch_search_mpi_rank(job) ? 0 : report(r, s, o));
}

/* Before a long run: can the checkpoint be written at all? */
static int try_checkpoint(const struct filchi_solve_request *r)
{
	struct stat at;
	char *name;
	int file;

	if (!r->checkpoint)
		return 0;
	if (!stat(r->checkpoint, &at) && !S_ISREG(at.st_mode))
		return filchi_say_cannot_write(r->command, r->checkpoint, S_ISDIR(at.st_mode) ? -EISDIR : -EINVAL);
	if (asprintf(&name, "%s.tmp", r->checkpoint) < 0)
		return failed(r, "cannot start", ENOMEM);
	file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (file < 0) {
		free(name);
		return filchi_say_cannot_write(r->command, r->checkpoint, -errno);
	}
	close(file);
	unlink(name);
	free(name);
	return 0;
}

static void cancel(void *dd)
{
	filch_dd_cancel(dd);
}

/*
 * Finds a first solution within milliseconds, with a diagram of a few nodes per layer, or of one if there is little
 * memory. A run that ends early then has a solution to print. A failure does not matter.
 */
static void improve_first(const struct filchi_solve_source *s, struct filch_dd *dd, size_t memory)
{
	struct filch_dd_compile_options opt = {
		.struct_size = sizeof(opt), .kind = FILCH_DD_RESTRICTED, .width = FIRST_WIDTH, .memory_limit = memory};
	int32_t *labels = calloc((size_t)s->p.variables + 1, sizeof(*labels));
	struct filch_dd_diagram *diagram = NULL;
	int64_t value;

	if (labels && filch_dd_compile(&diagram, &s->p, &opt)) {
		opt.width = 1;
		(void)filch_dd_compile(&diagram, &s->p, &opt);
	}
	if (diagram && filch_dd_diagram_best(diagram, &value, labels))
		(void)filch_dd_improve(dd, value, labels);
	filch_dd_diagram_destroy(diagram);
	free(labels);
}

/* The part of a run after which the ranks must agree that all is well. Only rank 0 has nodes at first. */
static int prepare(const struct filchi_solve_request *r, const struct filchi_solve_source *s, struct filch_dd *dd,
		   size_t memory, struct filch_search_mpi *job, struct filchi_solve_progress *progress)
{
	int code = filch_search_mpi_rank(job) ? 0 : load(r, dd);

	code = filchi_solve_ranks_agree(r, job, code);
	if (code)
		return code;
	if (!r->resume && !filch_search_mpi_rank(job))
		improve_first(s, dd, memory);
	return filchi_solve_ranks_attach(r, job, filch_dd_search(dd), progress);
}

static int run_solver(const struct filchi_solve_request *r, const struct filchi_solve_source *s, struct filch_dd *dd,
		      struct filch_search_mpi *job, struct filchi_solve_interrupts *interrupts,
		      struct filchi_solve_progress *progress, struct filchi_solve_outcome *o)
{
	int code = prepare(r, s, dd, o->memory_limit, job, progress), err;

	if (code)
		return code;
	o->result.struct_size = sizeof(o->result);
	filchi_solve_interrupts_begin(interrupts, cancel, dd);
	err = filch_dd_run(dd, &o->result);
	if (job)
		code = filchi_solve_ranks_detach(r, (size_t)s->p.variables, job, err, progress, o);
	filchi_solve_interrupts_end(interrupts);
	filchi_solve_progress_end(progress);
	if (code)
		return code;
	return filchi_solve_finish(r, s, job, err, o);
}

/* With several ranks, the job has the limits, the progress and the checkpoints of all. */
static struct filch_dd_options make_options(const struct filchi_solve_request *r, const struct filchi_solve_source *s,
					    const struct filch_search_mpi *job, struct filchi_solve_progress *progress)
{
	bool shows = !r->quiet && isatty(STDERR_FILENO) && !job;
	struct filch_dd_options opt = {.struct_size = sizeof(opt),
				       .workers = filchi_solve_ranks_workers(r, job),
				       .order = r->order,
				       .move = r->move,
				       .width = r->width,
				       .cutset = r->cutset,
				       .cache = r->cache,
				       .no_cache = r->has_cache && !r->cache,
				       .round = r->deterministic ? ROUND : 0,
				       .node_limit = (uint64_t)r->nodes,
				       .time_limit_ns = (uint64_t)(r->seconds * 1e9),
				       .memory_limit = r->memory,
				       .gap_limit = job ? 0 : r->gap,
				       .progress = shows ? filchi_solve_progress_show : NULL,
				       .progress_arg = progress,
				       .progress_ns = FILCHI_SOLVE_PROGRESS_NS,
				       .checkpoint = job ? NULL : r->checkpoint,
				       .checkpoint_ns = (uint64_t)(r->checkpoint_seconds * 1e9)};

	if (s->known && !r->cutset)
		opt.cutset = s->known->cutset;
	if (s->known && !r->has_cache)
		opt.no_cache = s->known->no_cache;
	return opt;
}

static int solve(const struct filchi_solve_request *r, const struct filchi_solve_source *s,
		 struct filch_search_mpi *job)
{
	struct filchi_solve_progress progress = {.decimals = s->decimals, .divisor = 1};
	struct filch_dd_options opt = make_options(r, s, job, &progress);
	struct filch_options pool_options = {.struct_size = sizeof(pool_options), .workers = (int)opt.workers};
	struct filchi_solve_outcome o = {.ranks = filch_search_mpi_ranks(job)};
	struct filchi_solve_interrupts interrupts = {0};
	struct filch_dd *dd = NULL;
	int err, code;

	filchi_solve_interrupts_block(&interrupts);
	err = filch_pool_create(&opt.pool, &pool_options);
	code = err ? failed(r, "cannot start the workers", err) : 0;
	o.workers = opt.workers ? opt.workers : filch_pool_workers(opt.pool);
	if (!opt.memory_limit && !job && !r->deterministic)
		opt.memory_limit = filchi_solve_memory();
	o.memory_limit = opt.memory_limit;
	if (!code && filch_dd_create(&dd, &s->p, &opt)) {
		fprintf(stderr, "%s: cannot make the solver: %s\n", r->command, filch_error_message());
		code = FILCHI_EXIT_FAILED;
	}
	code = filchi_solve_ranks_agree(r, job, code);
	if (!code)
		code = run_solver(r, s, dd, job, &interrupts, &progress, &o);
	filch_dd_destroy(dd);
	filch_pool_destroy(opt.pool);
	return code;
}

/* Rank 0 reads the instance first. If it fails, the other ranks would fail in the same way. */
static int open_source(struct filchi_solve_source *s, const struct filchi_solve_request *r,
		       struct filch_search_mpi *job)
{
	bool first = filch_search_mpi_rank(job) == 0;
	int code = first ? filchi_solve_open(s, r) : 0;

	if (!code && first)
		code = try_checkpoint(r);
	code = filchi_solve_ranks_agree(r, job, code);
	if (code || !job)
		return code;
	if (!first && filchi_solve_open(s, r)) {
		fprintf(stderr, "%s: that was rank %d\n", r->command, filch_search_mpi_rank(job));
		code = FILCHI_SOLVE_BAD_FILE;
	}
	return filchi_solve_ranks_agree(r, job, code);
}

static int run(int argc, char **argv)
{
	struct filchi_solve_request r = {0};
	struct filchi_solve_source source = {0};
	struct filch_search_mpi *job = NULL;
	int code = parse(argc, argv, &r);

	if (code >= 0)
		return code;
	code = filchi_solve_ranks_begin(&job, &r);
	if (code)
		return code;
	code = open_source(&source, &r, job);
	if (!code && source.known && source.known->network)
		code = filchi_solve_ufp(&r, &source, job);
	else if (!code && r.draw)
		code = filch_search_mpi_rank(job) ? 0 : draw(&r, &source);
	else if (!code)
		code = solve(&r, &source, job);
	fflush(stdout);
	filch_search_mpi_end(job, 0);
	filchi_solve_close(&source);
	return code;
}

const struct filchi_command filchi_cmd_solve = {
	.name = "solve",
	.summary = "solve a problem by branch and bound on decision diagrams",
	.help = help,
	.run = run,
};
