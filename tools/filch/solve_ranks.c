/* SPDX-License-Identifier: Apache-2.0 */
/* filch solve on several ranks: under mpirun or srun. Rank 0 speaks. The others are silent unless they fail alone. */
#define _GNU_SOURCE

#include "../../bench/harness/machine.h"
#include "command.h"
#include "solve.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The rank, as the launcher tells before MPI is started. */
static bool is_first(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (getenv(names[i]))
			return atoi(getenv(names[i])) == 0;
	return true;
}

/* Output of the other ranks goes nowhere while the command line is read: all read the same. */
void filchi_solve_ranks_mute(struct filchi_solve_mute *m, bool on)
{
	if (on) {
		int nowhere;

		m->out = m->err = -1;
		if (filch_search_mpi_promised() < 2 || is_first())
			return;
		nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
		m->out = dup(STDOUT_FILENO);
		m->err = dup(STDERR_FILENO);
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
		close(nowhere);
	} else if (m->out >= 0) {
		fflush(stdout);
		dup2(m->out, STDOUT_FILENO);
		dup2(m->err, STDERR_FILENO);
		close(m->out);
		close(m->err);
	}
}

static int refuse(const struct filchi_solve_request *r)
{
	if (r->deterministic)
		fprintf(stderr, "%s: --deterministic needs a single rank: start it without mpirun\n", r->command);
	else if (!strcmp(r->file, "-"))
		fprintf(stderr, "%s: several ranks cannot read standard input: name a file\n", r->command);
	else
		return 0;
	return FILCHI_EXIT_USAGE;
}

int filchi_solve_ranks_begin(struct filch_search_mpi **job, const struct filchi_solve_request *r)
{
	struct filchi_solve_mute mute;
	int promised = filch_search_mpi_promised(), err, code;

	*job = NULL;
	if (promised < 2)
		return 0;
	filchi_solve_ranks_mute(&mute, true);
	code = refuse(r);
	err = code ? 0 : filch_search_mpi_begin(job);
	if (err) {
		fprintf(stderr, "%s: started as one of %d ranks, but %s\n", r->command, promised,
			filch_error_message());
		if (err == -ENOPKG)
			fprintf(stderr,
				"%s: build filch where this MPI is installed, or start it without mpirun: then it uses "
				"one "
				"machine\n",
				r->command);
		code = FILCHI_EXIT_FAILED;
	}
	filchi_solve_ranks_mute(&mute, false);
	if (code && !is_first())
		sleep(1); /* a launcher ends all ranks when the first one fails: rank 0 must have spoken */
	return code;
}

int filchi_solve_ranks_failed(const struct filchi_solve_request *r, const struct filch_search_mpi *job)
{
	fprintf(stderr, "%s: rank %d: %s\n", r->command, filch_search_mpi_rank(job), filch_error_message());
	return FILCHI_EXIT_FAILED;
}

/* The largest code of all ranks. */
int filchi_solve_ranks_agree(const struct filchi_solve_request *r, struct filch_search_mpi *job, int code)
{
	int agreed = filch_search_mpi_agree(job, code);

	return agreed < 0 ? filchi_solve_ranks_failed(r, job) : agreed;
}

/* A rank that is bound to some CPUs has them for itself. Else the ranks of a machine share all CPUs. */
unsigned filchi_solve_ranks_workers(const struct filchi_solve_request *r, const struct filch_search_mpi *job)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	int bound, local = filch_search_mpi_local(job);
	unsigned workers;
	cpu_set_t cpus;

	if (!job)
		return r->workers;
	bound = sched_getaffinity(0, sizeof(cpus), &cpus) ? (int)online : CPU_COUNT(&cpus);
	workers = (unsigned)(bound < online || bound <= local ? bound : bound / local);
	if (bound >= online && bound <= local)
		workers = 1;
	if (r->workers > (unsigned)bound && filch_search_mpi_rank(job) == 0)
		fprintf(stderr,
			"%s: %u workers of a rank share %d CPU%s: start fewer workers, or let mpirun bind no ranks "
			"(Open MPI: --bind-to none)\n",
			r->command, r->workers, bound, bound == 1 ? "" : "s");
	return r->workers ? r->workers : workers ? workers : 1;
}

/* ---- the run ---- */

/* After the first checkpoint: if a rank dies later, nobody may be left to say this. */
static void saved(void *arg)
{
	struct filchi_solve_progress *p = arg;

	if (p->told)
		return;
	p->told = true;
	filchi_solve_progress_end(p);
	fprintf(stderr, "%s: the first checkpoint is complete; if the job fails,\n", p->request->command);
	filchi_solve_print_resume(p->request, 2);
}

int filchi_solve_ranks_attach(const struct filchi_solve_request *r, struct filch_search_mpi *job,
			      struct filch_search *search, struct filchi_solve_progress *progress)
{
	bool shows = !r->quiet && isatty(STDERR_FILENO) && filch_search_mpi_rank(job) == 0;
	struct filch_search_mpi_options opt = {.struct_size = sizeof(opt),
					       .checkpoint = r->checkpoint,
					       .checkpoint_ns = (uint64_t)(r->checkpoint_seconds * 1e9),
					       .saved = saved,
					       .progress = shows ? filchi_solve_progress_show : NULL,
					       .arg = progress,
					       .progress_ns = FILCHI_SOLVE_PROGRESS_NS,
					       .node_limit = (uint64_t)r->nodes,
					       .gap_limit = r->gap,
					       .group = r->group};
	struct filchi_machine machine;
	int err;

	if (!job)
		return 0;
	progress->request = r;
	filchi_machine(&machine);
	opt.build = machine.commit ? machine.commit : machine.version;
	err = filch_search_mpi_attach(job, search, &opt);
	if (!err)
		return 0;
	if (filch_search_mpi_rank(job) == 0 || err == -EOWNERDEAD)
		fprintf(stderr, "%s: %s\n", r->command, filch_error_message());
	return FILCHI_EXIT_FAILED;
}

static int fail(const struct filchi_solve_request *r, const struct filch_search_mpi_result *all, bool has_file)
{
	fprintf(stderr, "%s: ", r->command);
	if (all->rank >= 0)
		fprintf(stderr, "rank %d: ", all->rank);
	fprintf(stderr, "%s: %s\n", all->text, all->error == -EPROTO ? "wrong result" : strerror(abs(all->error)));
	if (has_file)
		filchi_solve_print_resume(r, 2);
	return FILCHI_EXIT_FAILED;
}

/* The result of all ranks in the place of the result of rank 0. */
static void merge(struct filch_dd_result *d, const struct filch_search_mpi_result *all, size_t labels)
{
	d->end = all->end;
	d->error = all->error;
	d->has_best = all->has_best;
	d->best = all->has_best ? all->best.i : 0;
	d->has_bound = all->has_bound && llabs(all->bound.i) < FILCH_DD_VALUE_MAX;
	d->bound = d->has_bound ? all->bound.i : 0;
	if (all->solution_size == labels * sizeof(int32_t))
		d->labels = all->solution;
	d->explored = all->explored;
	d->pruned = all->pruned;
	d->open = all->open;
	d->gap = INFINITY;
	if (d->has_best && d->has_bound)
		d->gap = d->best == d->bound
				 ? 0
				 : fabs((double)d->bound - (double)d->best) / fmax(fabs((double)d->best), 1e-10);
}

int filchi_solve_ranks_detach(const struct filchi_solve_request *r, size_t labels, struct filch_search_mpi *job,
			      int err, struct filchi_solve_progress *progress, struct filchi_solve_outcome *o)
{
	struct filch_dd_result *d = &o->result;
	union filch_search_value bound = {.i = d->bound};
	struct filch_search_mpi_result all = {.struct_size = sizeof(all)};
	uint64_t sums[10];

	err = filch_search_mpi_detach(job, err ? FILCH_SEARCH_ERROR : d->end, err ? err : d->error,
				      d->has_bound ? &bound : NULL, &all);
	filchi_solve_progress_end(progress);
	if (err)
		return filchi_solve_ranks_failed(r, job);
	filchi_solve_measure(o);
	sums[0] = d->nodes;
	sums[1] = d->diagrams;
	sums[2] = (uint64_t)(o->cpu_seconds * 1e6);
	sums[3] = o->peak_memory;
	sums[4] = o->workers;
	sums[5] = o->cuts.cuts;
	sums[6] = o->cuts.learned;
	sums[7] = o->cuts.flows;
	sums[8] = o->cuts.relaxations;
	sums[9] = o->cuts.parallel;
	if (filch_search_mpi_sum(job, sums, sizeof(sums) / sizeof(sums[0])))
		return filchi_solve_ranks_failed(r, job);
	if (all.end == FILCH_SEARCH_ERROR)
		return filch_search_mpi_rank(job) ? FILCHI_EXIT_FAILED : fail(r, &all, progress->told);
	merge(d, &all, labels);
	d->nodes = sums[0];
	d->diagrams = sums[1];
	o->cpu_seconds = (double)sums[2] * 1e-6;
	o->peak_memory = sums[3];
	o->workers = (unsigned)sums[4];
	o->cuts = (struct filchi_ufp_counts){.cuts = sums[5],
					     .learned = sums[6],
					     .flows = sums[7],
					     .relaxations = sums[8],
					     .parallel = sums[9],
					     .diagrams = sums[1],
					     .dd_nodes = sums[0]};
	o->batches = all.batches;
	o->moved = all.nodes;
	o->moved_bytes = all.bytes;
	o->messages = all.messages;
	return 0;
}
