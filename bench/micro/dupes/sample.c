/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "../../../src/base/clock.h"
#include "../../harness/usage.h"
#include "dupes.h"

#include <errno.h>
#include <filch.h>
#include <filch/fiber.h>
#include <string.h>

static int start(struct filch_pool **pool, const struct filchi_dupes_context *context, struct filchi_bench_error *error)
{
	struct filch_options o = {
		.struct_size = sizeof(o), .workers = (int)context->options->workers, .deque = context->kind};
	struct filch_fiber_settings s = {.struct_size = sizeof(s), .migrate = FILCH_FIBER_FREE};
	int err = filch_pool_create(pool, &o);

	if (err) {
		snprintf(error->text, sizeof(error->text), "the pool does not start: %s", filch_error_message());
		return err;
	}
	err = filch_fiber_setup(*pool, &s);
	if (err) {
		snprintf(error->text, sizeof(error->text), "fibers cannot migrate: %s", strerror(-err));
		(void)filch_pool_destroy(*pool);
	}
	return err;
}

static int check(const struct filchi_dupes_answer *a, int err, struct filchi_bench_error *error)
{
	if (err) {
		snprintf(error->text, sizeof(error->text), "the search fails: %s", strerror(-err));
		return err;
	}
	if (a->files == FILCHI_DUPES_FILES && a->duplicates == FILCHI_DUPES_COPIES)
		return 0;
	snprintf(error->text, sizeof(error->text), "%llu duplicates in %llu files, not %u in %u",
		 (unsigned long long)a->duplicates, (unsigned long long)a->files, FILCHI_DUPES_COPIES,
		 FILCHI_DUPES_FILES);
	return -EPROTO;
}

int filchi_dupes_bench_sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_dupes_context *context = c->context;
	struct filch_fiber_stats stats = {.struct_size = sizeof(stats)};
	struct filchi_dupes_answer answer = {0};
	struct filch_pool *pool;
	struct filchi_usage used;
	uint64_t begin, ns;
	int err = context->cold ? filchi_dupes_tree_evict(context->tree) : 0;

	if (err) {
		snprintf(error->text, sizeof(error->text), "the page cache stays: %s", strerror(-err));
		return err;
	}
	err = start(&pool, context, error);
	if (err)
		return err;
	used = filchi_usage();
	begin = filchi_clock_ns();
	err = filchi_dupes_find(pool, context->tree->path, context->options->load, &answer);
	ns = filchi_clock_ns() - begin;
	used = filchi_usage_since(used);
	(void)filch_fiber_stats(pool, &stats);
	(void)filch_pool_destroy(pool);
	filchi_bench_set(c, values, "wall", (double)ns);
	filchi_bench_set(c, values, "cpu", used.cpu_ns);
	filchi_bench_set(c, values, "fibers", (double)stats.started);
	filchi_bench_set(c, values, "stolen", (double)stats.stolen);
	filchi_bench_set(c, values, "stolen_io", (double)stats.stolen_io);
	filchi_bench_set(c, values, "voluntary", (double)used.switches.voluntary);
	filchi_bench_set(c, values, "involuntary", (double)used.switches.involuntary);
	return check(&answer, err, error);
}
