/* SPDX-License-Identifier: Apache-2.0 */
/* filch solve ufp: runs the solver for unsplittable flow. */
#define _GNU_SOURCE

#include "../../dd/ufp/extensive.h"
#include "command.h"
#include "say.h"
#include "solve.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_NS 200000000ull /* a fifth of a second */

/* Options of other problems that make no sense here. */
static const char *useless_option(const struct filchi_solve_request *r)
{
	if (r->draw)
		return "--draw";
	if (r->deterministic)
		return "--deterministic";
	return r->has_cache ? "--cache" : NULL;
}

static int failed(const struct filchi_solve_request *r, const char *what, int err)
{
	fprintf(stderr, "%s: %s: %s\n", r->command, what,
		err == -ERANGE ? "the instance is too large for the solver" : strerror(-err));
	return FILCHI_EXIT_FAILED;
}

static void cancel(void *solver)
{
	filchi_ufp_solver_cancel(solver);
}

static struct filchi_ufp_options make_options(const struct filchi_solve_request *r, const struct filch_search_mpi *job,
					      struct filchi_solve_progress *progress)
{
	bool shows = !r->quiet && isatty(STDERR_FILENO) && !job; /* with several ranks, the job has these */

	return (struct filchi_ufp_options){.workers = filchi_solve_ranks_workers(r, job),
					   .order = r->order,
					   .move = r->move,
					   .victim = r->move && !strcmp(r->move, "master") ? "affinity" : NULL,
					   .cutset = r->cutset,
					   .width = r->width,
					   .no_share = r->no_share,
					   .weak_cuts = r->weak_cuts,
					   .node_limit = (uint64_t)r->nodes,
					   .time_limit_ns = (uint64_t)(r->seconds * 1e9),
					   .memory_limit = r->memory,
					   .gap_limit = job ? 0 : r->gap,
					   .progress = shows ? filchi_solve_progress_show : NULL,
					   .progress_arg = progress,
					   .progress_ns = PROGRESS_NS,
					   .checkpoint = job ? NULL : r->checkpoint,
					   .checkpoint_ns = (uint64_t)(r->checkpoint_seconds * 1e9)};
}

static int run(const struct filchi_solve_request *r, const struct filchi_solve_source *s,
	       struct filchi_ufp_solver *solver, struct filch_search_mpi *job,
	       struct filchi_solve_interrupts *interrupts, struct filchi_solve_progress *progress,
	       struct filchi_solve_outcome *o)
{
	bool loads = r->resume && !filch_search_mpi_rank(job);
	int code = loads ? filchi_solve_resumed(r, filchi_ufp_solver_load(solver, r->resume)) : 0, err;

	code = filchi_solve_ranks_agree(r, job, code);
	if (!code)
		code = filchi_solve_ranks_attach(r, job, filchi_ufp_solver_search(solver), progress);
	if (code)
		return code;
	filchi_solve_interrupts_begin(interrupts, cancel, solver);
	err = filchi_ufp_solver_run(solver, &o->result);
	o->has_cuts = true;
	filchi_ufp_solver_counts(solver, &o->cuts);
	if (job)
		code = filchi_solve_ranks_detach(r, ((const struct filchi_ufp *)s->instance)->arcs, job, err, progress,
						 o);
	filchi_solve_interrupts_end(interrupts);
	filchi_solve_progress_end(progress);
	return code ? code : filchi_solve_finish(r, s, job, err, o);
}

static int write_extensive(const struct filchi_solve_request *r, const struct filchi_solve_source *s)
{
	FILE *f = fopen(r->extensive, "w");
	int err = f ? filchi_ufp_write_extensive(f, s->instance) : -errno;

	if (f && fclose(f) && !err)
		err = -errno;
	return err ? filchi_say_cannot_write(r->command, r->extensive, err) : FILCHI_EXIT_OK;
}

int filchi_solve_ufp(const struct filchi_solve_request *r, const struct filchi_solve_source *s,
		     struct filch_search_mpi *job)
{
	struct filchi_solve_progress progress = {.divisor = s->divisor};
	struct filchi_ufp_options opt = make_options(r, job, &progress);
	struct filch_options pool_options = {.struct_size = sizeof(pool_options), .workers = (int)opt.workers};
	struct filchi_solve_outcome o = {.ranks = filch_search_mpi_ranks(job)};
	struct filchi_solve_interrupts interrupts = {0};
	struct filchi_ufp_solver *solver = NULL;
	int err, code;

	if (useless_option(r)) {
		if (filch_search_mpi_rank(job))
			return FILCHI_EXIT_USAGE;
		fprintf(stderr, "%s: %s is not for ufp\n", r->command, useless_option(r));
		return FILCHI_EXIT_USAGE;
	}
	if (r->extensive)
		return filch_search_mpi_rank(job) ? FILCHI_EXIT_OK : write_extensive(r, s);
	filchi_solve_interrupts_block(&interrupts);
	err = filch_pool_create(&opt.pool, &pool_options);
	code = err ? failed(r, "cannot start the workers", err) : 0;
	o.workers = opt.workers ? opt.workers : err ? 0 : filch_pool_workers(opt.pool);
	err = code ? 0 : filchi_ufp_solver_create(&solver, s->instance, &opt);
	if (err)
		code = failed(r, r->file, err);
	code = filchi_solve_ranks_agree(r, job, code);
	if (!code)
		code = run(r, s, solver, job, &interrupts, &progress, &o);
	filchi_ufp_solver_destroy(solver);
	filch_pool_destroy(opt.pool);
	return code;
}
