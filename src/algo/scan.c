/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans. One worker scans from the left, chunk by chunk, and carries the value of all elements before the chunk. That
 * is one pass, as in a serial scan. The splitter decides, as for a loop, when it is worth to share the rest.
 *
 * Then the rest is cut into blocks. The scan goes on block by block. At each demand, the blocks that are left are cut
 * in three:
 *
 *     own, 1      given, p - 1      last, 1        of p + 1 parts, for p workers
 *
 * Other workers add up the blocks of the given part: no prefix is known there before the own part is done. When the own
 * part is done and the sums are there, the carry of each given block is known, and so is the carry of the last part.
 * The given blocks become a loop for any worker, and the scan goes on with the last part. So all workers together do
 * 2 / (p + 1) of the array at a time.
 *
 * If no other worker took the given part until then, its sums are not needed, and the scan just goes on. The task of
 * the given part finds this out: it runs in the worker that spawned it.
 */
#include "array.h"
#include "splitter.h"
#include "start.h"

#include "../base/mem.h"
#include "../base/sized.h"

#include <errno.h>
#include <string.h>

/* Blocks for each part, and in all, unless a grain is given. */
#define BLOCKS_EACH 32u
#define MAX_BLOCKS 1024u
/* Elements of the first chunk. */
#define FIRST_CHUNK 32u
/* Each cut leaves at most a third of the blocks, so that there are never more cuts. */
#define MAX_CUTS 64u
/* The carry and the spare value live on the stack up to this size. */
#define SMALL 256u

struct scan {
	const struct filch_scan_options *options;
	const char *in;
	char *out;
	size_t count;
	size_t value_size;
	char *carry, *spare; /* the value of all elements so far, and room for a value */
	/* The rest, cut into blocks. */
	size_t first; /* element */
	size_t block; /* elements of a block */
	size_t blocks;
	size_t stride; /* bytes between values that different workers may write */
	char *values;  /* a carry and a spare value for each block */
};

static char *carry_of(const struct scan *s, size_t block)
{
	return s->values + 2 * block * s->stride;
}

static char *spare_of(const struct scan *s, size_t block)
{
	return carry_of(s, block) + s->stride;
}

/* Adds count elements from `first` on to *carry. */
static void add_up(const struct scan *s, size_t first, size_t count, char *carry)
{
	const struct filch_scan_options *options = s->options;
	const char *in = s->in + first * s->value_size;

	if (options->run)
		options->run(carry, in, NULL, count, options->arg);
	else
		for (size_t i = 0; i < count; i++)
			options->combine(carry, in + i * s->value_size, options->arg);
}

/* Writes the prefixes of count elements. In place, an element must be read before its prefix is written. */
static void write_out(const struct scan *s, size_t first, size_t count, char *carry, char *spare)
{
	const struct filch_scan_options *options = s->options;
	size_t size = s->value_size;
	const char *in = s->in + first * size;
	char *out = s->out + first * size;

	if (options->run) {
		options->run(carry, in, out, count, options->arg);
		return;
	}
	for (size_t i = 0; i < count; i++, in += size, out += size) {
		if (options->exclusive)
			memcpy(spare, carry, size);
		options->combine(carry, in, options->arg);
		memcpy(out, options->exclusive ? spare : carry, size);
	}
}

/* ---- blocks ---- */

static size_t first_of(const struct scan *s, size_t block)
{
	return s->first + block * s->block;
}

static size_t count_of(const struct scan *s, size_t block)
{
	size_t left = s->count - first_of(s, block);

	return left < s->block ? left : s->block;
}

static void add_up_blocks(size_t from, size_t to, void *part, void *arg)
{
	const struct scan *s = arg;

	(void)part;
	for (size_t b = from; b < to; b++) {
		filchi_set_identity(carry_of(s, b), s->options->identity, s->options->value_size);
		add_up(s, first_of(s, b), count_of(s, b), carry_of(s, b));
	}
}

static void write_blocks(size_t from, size_t to, void *part, void *arg)
{
	const struct scan *s = arg;

	(void)part;
	for (size_t b = from; b < to; b++)
		write_out(s, first_of(s, b), count_of(s, b), carry_of(s, b), spare_of(s, b));
}

/* Turns the sum of each block into its carry. *carry is the carry of the first block, and then of the block after. */
static void sums_to_carries(const struct scan *s, size_t from, size_t to, char *carry)
{
	for (size_t b = from; b < to; b++) {
		memcpy(spare_of(s, b), carry_of(s, b), s->value_size);
		memcpy(carry_of(s, b), carry, s->value_size);
		s->options->combine(carry, spare_of(s, b), s->options->arg);
	}
}

/* Adds up the given blocks, and returns true; false if the worker that gave them away got them back. */
FILCH_TASK(bool, give, struct scan *, s, size_t, from, size_t, to, const void *, giver)
{
	struct filchi_loop loop = {.body = add_up_blocks, .arg = s, .grain = 1};

	if (filchi_frame_worker(filch_only_inside_a_task_) == giver)
		return false;
	FILCH_CALL(filchi_range, &loop, from, to, 0, NULL);
	return true;
}

FILCH_TASK(void, write_given, struct scan *, s, size_t, from, size_t, to)
{
	struct filchi_loop loop = {.body = write_blocks, .arg = s, .grain = 1};

	FILCH_CALL(filchi_range, &loop, from, to, 0, NULL);
}

/* A given part. It starts at the end of the own part. */
struct given {
	size_t to;	/* its end, where the last part starts */
	size_t end;	/* of the last part */
	size_t writing; /* tasks write_given that are older than it, and not synced */
};

/* Cuts next..end in three. */
static struct given cut(size_t next, size_t end, size_t workers, size_t *own_end)
{
	size_t part = (end - next) / (workers + 1);

	part = part ? part : 1;
	*own_end = next + part;
	return (struct given){.to = end - part, .end = end};
}

FILCH_TASK(void, scan_blocks, struct scan *, s)
{
	size_t next = 0, end = s->blocks, cuts = 0, writing = 0;
	struct given given[MAX_CUTS];

	while (next < s->blocks) {
		if (next == end) {
			struct given g = given[--cuts];

			for (; writing; writing--)
				FILCH_SYNC(write_given);
			writing = g.writing;
			end = g.end;
			if (FILCH_SYNC(give)) {
				sums_to_carries(s, next, g.to, s->carry);
				FILCH_SPAWN(write_given, s, next, g.to);
				writing++;
				next = g.to;
			}
			continue;
		}
		if (end - next >= 3 && cuts < MAX_CUTS && filchi_frame_demand(filch_only_inside_a_task_, true)) {
			given[cuts] = cut(next, end, filchi_frame_workers(filch_only_inside_a_task_), &end);
			given[cuts].writing = writing;
			writing = 0;
			FILCH_SPAWN(give, s, end, given[cuts++].to, filchi_frame_worker(filch_only_inside_a_task_));
		}
		write_out(s, first_of(s, next), count_of(s, next), s->carry, s->spare);
		next++;
	}
	for (; writing; writing--)
		FILCH_SYNC(write_given);
}

/* Cuts the rest from `first` on into blocks of at least min_block elements. False: no memory, or too few of them. */
static bool cut_blocks(struct scan *s, size_t first, size_t min_block, size_t workers)
{
	size_t left = s->count - first, most = (workers + 1) * BLOCKS_EACH;

	most = most < MAX_BLOCKS ? most : MAX_BLOCKS;
	s->first = first;
	s->block = s->options->grain ? s->options->grain : (left - 1) / most + 1;
	if (!s->options->grain && s->block < min_block)
		s->block = min_block;
	s->blocks = (left - 1) / s->block + 1;
	s->stride = (s->value_size + FILCHI_CACHE_LINE - 1) & ~(size_t)(FILCHI_CACHE_LINE - 1);
	if (s->blocks < 3)
		return false;
	s->values = filchi_alloc_array(0, s->blocks, 2 * s->stride);
	return s->values;
}

/* ---- the way in ---- */

static void scan_serial(struct scan *s)
{
	size_t chunk = s->options->grain ? s->options->grain : s->count;

	for (size_t first = 0; first < s->count; first += chunk) {
		chunk = s->count - first < chunk ? s->count - first : chunk;
		write_out(s, first, chunk, s->carry, s->spare);
	}
}

FILCH_TASK(void, scan, struct scan *, s)
{
	size_t grain = s->options->grain, chunk, first = 0;
	struct filchi_splitter splitter;
	uint64_t now, start;
	bool try = true;

	if (filchi_frame_serial(filch_only_inside_a_task_)) {
		scan_serial(s);
		return;
	}
	splitter = filchi_splitter_begin(filch_only_inside_a_task_, s->count, grain, grain ? grain : FIRST_CHUNK, true);
	now = filchi_clock_ns();
	while (first < s->count) {
		if (try && filchi_splitter_demand(&splitter, filch_only_inside_a_task_, s->count - first)) {
			try = cut_blocks(s, first, splitter.min_chunk, filchi_frame_workers(filch_only_inside_a_task_));
			if (try) {
				FILCH_CALL(scan_blocks, s);
				filchi_free(s->values);
				break;
			}
		}
		chunk = filchi_splitter_chunk(&splitter, s->count - first);
		write_out(s, first, chunk, s->carry, s->spare);
		first += chunk;
		if (grain)
			continue;
		start = now;
		now = filchi_clock_ns();
		filchi_splitter_adapt(&splitter, chunk, now - start);
	}
	filchi_splitter_end(&splitter, first < s->count);
}

static void run(void *arg, struct filch_pool *pool, bool workers)
{
	struct scan *s = arg;

	if (workers)
		FILCH_RUN_ON(pool, scan, s);
	else
		scan_serial(s);
}

static int read_options(struct filch_scan_options *mine, const struct filch_scan_options *options, const void *in,
			const void *out, size_t count)
{
	int err;

	if (!options)
		return filchi_fail(-EINVAL, "filch_scan: options is NULL");
	if (filchi_sized_copy(mine, sizeof(*mine), options))
		return filchi_fail_sized("struct filch_scan_options", options);
	if (!mine->value_size)
		return filchi_fail(-EINVAL, "filch_scan: value_size is 0; allowed are 1 to %zu", (size_t)PTRDIFF_MAX);
	if (!mine->combine)
		return filchi_fail(-EINVAL, "filch_scan: combine is NULL");
	err = filchi_array_check("filch_scan", "in", in, count, "value_size", mine->value_size);
	return err ? err : filchi_array_check("filch_scan", "out", out, count, "value_size", mine->value_size);
}

int filch_scan(struct filch_pool *pool, const void *in, void *out, size_t count,
	       const struct filch_scan_options *options)
{
	struct filch_scan_options mine;
	struct scan s = {.options = &mine, .in = in, .out = out, .count = count};
	FILCHI_OWN_LINE char small[2 * SMALL];
	int err = read_options(&mine, options, in, out, count);

	if (err || !count)
		return err;
	s.value_size = mine.value_size;
	s.carry = s.value_size <= SMALL ? small : filchi_alloc_array(0, 2, s.value_size);
	if (!s.carry)
		return filchi_fail(-ENOMEM, "filch_scan: no memory for 2 values of %zu bytes", s.value_size);
	s.spare = s.carry + (s.value_size <= SMALL ? SMALL : s.value_size);
	filchi_set_identity(s.carry, mine.identity, mine.value_size);
	filchi_start(pool, false, run, &s);
	if (s.carry != small)
		filchi_free(s.carry);
	return 0;
}
