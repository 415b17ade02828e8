/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans. The array is cut in blocks. From the left, one worker does block after block, each with what it carries from
 * those before: one pass, as a serial scan. When someone is hungry, what is left is cut in three:
 *
 *     own, 1      given, p - 1      last, 1        of p + 1 parts, for p workers
 *
 * The given part is added up, which is all that can be done before it is known what comes from the left. When the own
 * part is done and the sums are there, it is known for all the blocks given, and for the last part too: the former
 * become a loop for anyone, and the scan goes on with the latter. So the work of all of them is 2 / (p + 1) of the
 * array.
 *
 * If the given part was not taken until then, its sums are not needed: the scan just goes on. That is what the task
 * finds out by looking at who runs it.
 */
#include "array.h"
#include "splitter.h"

#include "../base/mem.h"
#include "../base/sized.h"

#include <errno.h>
#include <string.h>

/* Blocks there are at most, unless a grain is given, and elements a block has at least. */
#define MAX_BLOCKS 1024u
#define MIN_BLOCK 32u
/* Each leaves a third of what was left, at most: more cannot be given away. */
#define MAX_GIVEN 64u

struct scan {
	const struct filch_scan_options *how;
	const char *in;
	char *out;
	size_t count, block, blocks;
	size_t stride; /* of values that may be written by different workers */
	char *values;  /* two for each block and two more: a carry, and room for another value */
};

static char *carry_of(const struct scan *s, size_t block)
{
	return s->values + 2 * block * s->stride;
}

static char *spare_of(const struct scan *s, size_t block)
{
	return carry_of(s, block) + s->stride;
}

static void start(const struct filch_scan_options *how, void *value)
{
	if (how->identity)
		memcpy(value, how->identity, how->value_size);
	else
		memset(value, 0, how->value_size);
}

static size_t elements(const struct scan *s, size_t block)
{
	size_t left = s->count - block * s->block;

	return left < s->block ? left : s->block;
}

/* The block added to what is in its carry. */
static void add_up(const struct scan *s, size_t block, char *carry)
{
	const struct filch_scan_options *how = s->how;
	const char *in = s->in + block * s->block * how->value_size;
	size_t count = elements(s, block);

	if (how->run)
		how->run(carry, in, NULL, count, how->arg);
	else
		for (size_t i = 0; i < count; i++)
			how->combine(carry, in + i * how->value_size, how->arg);
}

/* The block written; spare: room for a value. In place, an element must be read before it is written. */
static void write_out(const struct scan *s, size_t block, char *carry, char *spare)
{
	const struct filch_scan_options *how = s->how;
	size_t size = how->value_size;
	const char *in = s->in + block * s->block * size;
	char *out = s->out + block * s->block * size;
	size_t count = elements(s, block);

	if (how->run) {
		how->run(carry, in, out, count, how->arg);
		return;
	}
	for (size_t i = 0; i < count; i++, in += size, out += size) {
		if (how->exclusive)
			memcpy(spare, carry, size);
		how->combine(carry, in, how->arg);
		memcpy(out, how->exclusive ? spare : carry, size);
	}
}

/* ---- bodies of loops over blocks ---- */

static void add_up_blocks(size_t from, size_t to, void *arg)
{
	const struct scan *s = arg;

	for (size_t b = from; b < to; b++) {
		start(s->how, carry_of(s, b));
		add_up(s, b, carry_of(s, b));
	}
}

static void write_blocks(size_t from, size_t to, void *arg)
{
	const struct scan *s = arg;

	for (size_t b = from; b < to; b++)
		write_out(s, b, carry_of(s, b), spare_of(s, b));
}

/* Sums of blocks become what each of them has to its left; carry is that of the first, and then of what follows. */
static void turn(const struct scan *s, size_t from, size_t to, char *carry)
{
	size_t size = s->how->value_size;

	for (size_t b = from; b < to; b++) {
		memcpy(spare_of(s, b), carry_of(s, b), size);
		memcpy(carry_of(s, b), carry, size);
		s->how->combine(carry, spare_of(s, b), s->how->arg);
	}
}

/* True: they have been added up. Not if it is the one who gave them away that got them back. */
FILCH_TASK(bool, give, struct scan *, s, size_t, from, size_t, to, const struct filch_worker_ *, giver)
{
	struct filchi_loop loop = {.body = add_up_blocks, .arg = s, .grain = 1};

	if (filch_only_inside_a_task_->worker == giver)
		return false;
	FILCH_CALL(filchi_range, &loop, from, to, 1);
	return true;
}

FILCH_TASK(void, write_given, struct scan *, s, size_t, from, size_t, to)
{
	struct filchi_loop loop = {.body = write_blocks, .arg = s, .grain = 1};

	FILCH_CALL(filchi_range, &loop, from, to, 1);
}

/* A part given away: it starts where the own part ends. */
struct given {
	size_t to;	/* its end, where the last part starts */
	size_t end;	/* of the last part */
	size_t writing; /* tasks of write_given that are older, and not synced */
};

/* The three parts of next..end, which are at least as many blocks. */
static struct given cut(size_t next, size_t end, size_t workers, size_t *own_end)
{
	size_t part = (end - next) / (workers + 1);

	part = part ? part : 1;
	*own_end = next + part;
	return (struct given){.to = end - part, .end = end};
}

FILCH_TASK(void, scan, struct scan *, s)
{
	char *carry = carry_of(s, s->blocks), *spare = spare_of(s, s->blocks);
	size_t next = 0, end = s->blocks, count = 0, writing = 0;
	struct given given[MAX_GIVEN];

	start(s->how, carry);
	while (next < s->blocks) {
		if (next == end) {
			struct given g = given[--count];

			for (; writing; writing--)
				FILCH_SYNC(write_given);
			writing = g.writing;
			end = g.end;
			if (FILCH_SYNC(give)) {
				turn(s, next, g.to, carry);
				FILCH_SPAWN(write_given, s, next, g.to);
				writing++;
				next = g.to;
			}
			continue;
		}
		if (end - next >= 3 && count < MAX_GIVEN && filchi_frame_demand(filch_only_inside_a_task_, true)) {
			given[count] = cut(next, end, filchi_frame_workers(filch_only_inside_a_task_), &end);
			given[count].writing = writing;
			writing = 0;
			FILCH_SPAWN(give, s, end, given[count++].to, filch_only_inside_a_task_->worker);
		}
		write_out(s, next++, carry, spare);
	}
	for (; writing; writing--)
		FILCH_SYNC(write_given);
}

static int read_how(struct filch_scan_options *mine, const struct filch_scan_options *how, const void *in,
		    const void *out, size_t count)
{
	if (!how)
		return filchi_fail(-EINVAL, "a scan: how is NULL");
	if (filchi_sized_copy(mine, sizeof(*mine), how))
		return filchi_fail_sized("struct filch_scan_options", how);
	if (!mine->value_size)
		return filchi_fail(-EINVAL, "a scan: value_size is 0");
	if (!mine->combine)
		return filchi_fail(-EINVAL, "a scan: combine is NULL");
	if (count && (!in || !out))
		return filchi_fail(-EINVAL, "a scan: %s is NULL", in ? "out" : "in");
	return filchi_array_check("a scan", count, "value_size", mine->value_size);
}

int filch_scan(const void *in, void *out, size_t count, const struct filch_scan_options *how)
{
	struct filch_scan_options mine;
	struct scan s = {.how = &mine, .in = in, .out = out, .count = count};
	int err = read_how(&mine, how, in, out, count);
	struct filchi_run_scope visit;

	if (err || !count)
		return err;
	s.block = mine.grain ? mine.grain : (count - 1) / MAX_BLOCKS + 1;
	if (!mine.grain && s.block < MIN_BLOCK)
		s.block = MIN_BLOCK;
	s.blocks = (count - 1) / s.block + 1;
	s.stride = (mine.value_size + FILCHI_CACHE_LINE - 1) & ~(size_t)(FILCHI_CACHE_LINE - 1);
	if (!s.stride || s.stride > SIZE_MAX / 2 ||
	    !(s.values = filchi_alloc_array(2 * s.stride, s.blocks, 2 * s.stride)))
		return filchi_fail(-ENOMEM, "no memory for %zu values of %zu bytes", 2 * s.blocks, mine.value_size);
	(void)filchi_run_scope_begin(&visit);
	FILCH_RUN(scan, &s);
	filchi_run_scope_end(&visit);
	filchi_free(s.values);
	return 0;
}
