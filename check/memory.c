/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is not in the graph: plain data and tracked allocations.
 *
 * Every word that is touched has a shadow, with a record for each part of it that is accessed as one: the last plain
 * write and, for each thread, the last plain read, atomic access and atomic write. Threads run in an order that
 * respects porf, so all accesses that happen before an access have run before it. Two conflicting accesses race if the
 * clock of the second has not seen the first. The answer does not depend on which of the orders was run.
 *
 * Time: a plain access takes place after event `position` of its thread and before the next, so a thread has seen it
 * if its clock has reached position + 1. An atomic access is an event.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <stdio.h>
#include <sys/mman.h>

enum {
	ARENA_PER_THREAD = 512 << 10,
	ARENA_BYTES = THREADS * ARENA_PER_THREAD,
	ARENA_WORDS = ARENA_BYTES / 8,
	OUTSIDE_SLOTS = 8192, /* shadows of words outside the arena, a hash table */
	MAX_BLOCKS = 4096,
	MAX_PARTS = 4096, /* records of words that are accessed in parts */
	MAX_LOG = 1024	  /* plain accesses remembered for a trace */
};

/* When, by each thread, and from where. 0: never. */
struct last {
	uint16_t time[THREADS];
	uint16_t site[THREADS];
};

struct record {
	uint8_t from, size; /* bytes of the word */
	int8_t writer;	    /* of the last plain write, -1: none */
	bool atomic, plain; /* accessed as such; initialization is of an atomic */
	uint16_t write_time, write_site;
	struct last reads, atomics, atomic_writes;
	uint16_t next; /* of the same word, in parts; 0: none */
};

struct word {
	uintptr_t address;
	uint32_t run;	 /* what follows is of this execution */
	uint16_t block;	 /* 0: none */
	uint8_t written; /* a bit for each byte */
	struct record record;
};

struct block {
	char *start;
	size_t size;
	int freed_by; /* -1: it is alive */
	uint16_t free_time;
};

static struct {
	char *arena;
	struct word *inside;
	struct word *outside;
	unsigned outside_used;
	uint32_t run;
	struct block blocks[MAX_BLOCKS];
	unsigned block_count;
	struct record parts[MAX_PARTS];
	unsigned part_count;
	struct log_entry {
		const void *at;
		const struct chk_site *site;
		uint64_t value;
		uint16_t position;
		uint8_t thread;
		bool read;
	} log[MAX_LOG];
	unsigned log_count;
} m;

bool chki_memory_open(void)
{
	if (!m.arena) {
		size_t shadow_bytes = (ARENA_WORDS + OUTSIDE_SLOTS) * sizeof(struct word);
		char *arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		struct word *shadows = mmap(NULL, shadow_bytes, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (arena == MAP_FAILED || shadows == MAP_FAILED)
			return false;
		m.arena = arena;
		m.inside = shadows;
		m.outside = shadows + ARENA_WORDS;
	}
	/* Words of earlier explorations only take up slots. */
	if (m.outside_used > OUTSIDE_SLOTS / 2) {
		memset(m.outside, 0, OUTSIDE_SLOTS * sizeof *m.outside);
		m.outside_used = 0;
	}
	chki_locations_forget();
	return true;
}

void chki_memory_reset(void)
{
	m.run++;
	m.block_count = m.part_count = 1;
	m.log_count = 0;
}

void chki_memory_thread_start(struct thread *t)
{
	t->bump = m.arena + (size_t)number(t) * ARENA_PER_THREAD + 64; /* a gap before the first block, too */
}

static bool in_arena(const void *at)
{
	return (uintptr_t)at - (uintptr_t)m.arena < ARENA_BYTES;
}

/* ---- shadows ---- */

static struct word *find_outside(uintptr_t address)
{
	size_t slot = (address >> 3) * 0x9E3779B97F4A7C15u >> 51;

	while (m.outside[slot].address && m.outside[slot].address != address)
		slot = (slot + 1) % OUTSIDE_SLOTS;
	if (!m.outside[slot].address && ++m.outside_used > OUTSIDE_SLOTS * 3 / 4)
		chki_fail(CHK_MISUSE, "more than %d words of untracked memory", OUTSIDE_SLOTS * 3 / 4);
	return &m.outside[slot];
}

static void clear_record(struct record *r, unsigned from, unsigned size)
{
	*r = (struct record){.from = (uint8_t)from, .size = (uint8_t)size, .writer = -1};
}

static struct word *word_of(const void *at)
{
	uintptr_t address = (uintptr_t)at & ~(uintptr_t)7;
	struct word *w = in_arena(at) ? &m.inside[(address - (uintptr_t)m.arena) / 8] : find_outside(address);

	if (w->run != m.run) {
		w->address = address;
		w->run = m.run;
		w->block = 0;
		w->written = 0;
		clear_record(&w->record, 0, 0);
	}
	return w;
}

/* The record of just these bytes, made if there is none. */
static struct record *record_of(struct word *w, unsigned from, unsigned size)
{
	struct record *r = &w->record;

	if (!r->size) {
		clear_record(r, from, size);
		return r;
	}
	for (;; r = &m.parts[r->next]) {
		if (r->from == from && r->size == size)
			return r;
		if (!r->next)
			break;
	}
	if (m.part_count == MAX_PARTS)
		chki_fail(CHK_MISUSE, "more than %d parts of words", MAX_PARTS);
	r->next = (uint16_t)m.part_count;
	r = &m.parts[m.part_count++];
	clear_record(r, from, size);
	return r;
}

/* ---- judging accesses ---- */

enum access_kind { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE };

struct access {
	struct thread *thread;
	const void *at; /* for messages */
	unsigned time;
	enum access_kind kind;
	struct chk_site *site;
	struct clock seen; /* by its thread, all of its own included */
	bool atomic;	   /* or the initialization of one */
};

static struct access access_by(struct thread *t, const void *at, unsigned time, enum access_kind kind,
			       struct chk_site *site)
{
	struct access a = {t, at, time, kind, site, *chki_clock_now(t), false};

	a.seen.of[number(t)] = UINT16_MAX;
	return a;
}

static bool has_seen(const struct access *a, unsigned other, unsigned time)
{
	return a->seen.of[other] >= time;
}

static void place_text(char *out, size_t size, unsigned thread, const struct chk_site *site)
{
	if (site)
		snprintf(out, size, "T%u (%s:%d)", thread, site->file, site->line);
	else
		snprintf(out, size, "T%u", thread);
}

/* Says the same whichever of the two ran second, so that a replay in another order does. */
static void fail_race(const struct access *a, unsigned other, unsigned other_site)
{
	char name[64], mine[96], theirs[96];
	bool first = number(a->thread) < other;

	chki_name_at(a->at, first ? a->site : chki_site(other_site), name, sizeof name);
	place_text(mine, sizeof mine, number(a->thread), a->site);
	place_text(theirs, sizeof theirs, other, chki_site(other_site));
	chki_fail(CHK_RACE, "data race on %s between %s and %s", name, first ? mine : theirs, first ? theirs : mine);
}

static void check_seen(const struct access *a, const struct last *l)
{
	unsigned unseen = 0;

	for (unsigned o = 0; o < THREADS; o++)
		unseen |= l->time[o] > a->seen.of[o];
	if (__builtin_expect(!unseen, 1))
		return;
	for (unsigned o = 0; o < THREADS; o++)
		if (!has_seen(a, o, l->time[o]))
			fail_race(a, o, l->site[o]);
}

static void check_record(const struct access *a, const struct record *r)
{
	if (r->writer >= 0 && !has_seen(a, (unsigned)r->writer, r->write_time))
		fail_race(a, (unsigned)r->writer, r->write_site);
	if (a->kind == PLAIN_READ)
		check_seen(a, &r->atomic_writes);
	if (a->kind == PLAIN_WRITE)
		check_seen(a, &r->atomics);
	if (a->kind == PLAIN_WRITE || a->kind == ATOMIC_WRITE)
		check_seen(a, &r->reads);
}

static void note(struct last *l, const struct access *a)
{
	l->time[number(a->thread)] = (uint16_t)a->time;
	l->site[number(a->thread)] = (uint16_t)(a->site ? a->site->id : 0);
}

static void note_access(struct record *r, const struct access *a)
{
	switch (a->kind) {
	case PLAIN_READ:
		note(&r->reads, a);
		break;
	case PLAIN_WRITE:
		r->writer = (int8_t)number(a->thread);
		r->write_time = (uint16_t)a->time;
		r->write_site = (uint16_t)(a->site ? a->site->id : 0);
		break;
	case ATOMIC_WRITE:
		note(&r->atomic_writes, a);
		note(&r->atomics, a);
		break;
	case ATOMIC_READ:
		note(&r->atomics, a);
		break;
	}
}

static void fail_freed(const struct access *a, const struct block *b)
{
	char name[64], place[96];

	chki_name_at(a->at, a->site, name, sizeof name);
	place_text(place, sizeof place, number(a->thread), a->site);
	if (has_seen(a, (unsigned)b->freed_by, b->free_time))
		chki_fail(CHK_USE_AFTER_FREE, "%s is used by %s after its release by T%d", name, place, b->freed_by);
	chki_fail(CHK_USE_AFTER_FREE, "%s is released by T%d, unordered with its use by %s", name, b->freed_by, place);
}

static void check_alive(const struct access *a, const struct word *w, unsigned from, unsigned size)
{
	const struct block *b = &m.blocks[w->block];
	char name[64], place[96];

	if (!w->block || (const char *)w->address + from + size > b->start + b->size) {
		chki_name_at(a->at, a->site, name, sizeof name);
		place_text(place, sizeof place, number(a->thread), a->site);
		chki_fail(CHK_OUT_OF_BOUNDS, "%s is outside every block: %s", name, place);
	}
	if (b->freed_by >= 0)
		fail_freed(a, b);
}

static void fail_uninit(const struct access *a)
{
	char name[64];

	chki_name_at(a->at, a->site, name, sizeof name);
	chki_fail(CHK_UNINIT, "%s is read before it is written (%s:%d)", name, a->site ? a->site->file : "?",
		  a->site ? a->site->line : 0);
}

/* In order, but not in the model: one location is accessed with one size, and as an atomic or as plain data. */
static void fail_mixed(const struct access *a)
{
	char name[64], place[96];

	chki_name_at(a->at, a->site, name, sizeof name);
	place_text(place, sizeof place, number(a->thread), a->site);
	chki_fail(CHK_MISUSE, "%s is accessed with different sizes, or both as an atomic and plainly: %s", name, place);
}

static void judge_word(const struct access *a, const char *at, unsigned size)
{
	struct word *w = word_of(at);
	unsigned from = (unsigned)((uintptr_t)at & 7);
	uint8_t bytes = (uint8_t)(((1u << size) - 1) << from);

	if (in_arena(at)) {
		check_alive(a, w, from, size);
		if (a->kind == PLAIN_READ && (w->written & bytes) != bytes)
			fail_uninit(a);
	}
	struct record *own = record_of(w, from, size);
	bool mixed = false;

	own->atomic |= a->atomic;
	own->plain |= !a->atomic;
	for (struct record *r = &w->record;; r = &m.parts[r->next]) {
		if (r->from < from + size && from < (unsigned)r->from + r->size) {
			check_record(a, r);
			mixed |= a->atomic ? r->plain || r != own : r->atomic;
		}
		if (!r->next)
			break;
	}
	if (mixed)
		fail_mixed(a);
	note_access(own, a);
	if (a->kind == PLAIN_WRITE || a->kind == ATOMIC_WRITE)
		w->written |= bytes;
}

static void judge(const struct access *a, unsigned size)
{
	const char *at = a->at;

	while (size) {
		unsigned here = 8 - (unsigned)((uintptr_t)at & 7);

		here = here < size ? here : size;
		judge_word(a, at, here);
		at += here;
		size -= here;
	}
}

void chki_memory_atomic(struct thread *t, const void *at, unsigned size, const struct event *e)
{
	enum access_kind kind = e->flags & EF_INIT ? PLAIN_WRITE : e->kind == EV_WRITE ? ATOMIC_WRITE : ATOMIC_READ;
	struct access a = access_by(t, at, e->index, kind, e->site);

	if ((size != 1 && size != 2 && size != 4 && size != 8) || (uintptr_t)at % size)
		chki_fail(CHK_MISUSE, "an atomic of %u bytes, or not aligned (%s:%d)", size, e->site->file,
			  e->site->line);
	a.atomic = true;
	judge(&a, size);
}

static void log_plain(const struct thread *t, const void *at, unsigned size, struct chk_site *site,
		      enum access_kind kind)
{
	uint64_t value = 0;

	if (m.log_count == MAX_LOG)
		return;
	if (kind == PLAIN_READ && size <= sizeof value)
		memcpy(&value, at, size);
	m.log[m.log_count++] = (struct log_entry){at, site, value, t->position, (uint8_t)number(t), kind == PLAIN_READ};
}

const struct plain *chki_memory_plain(unsigned thread, unsigned nth)
{
	static struct plain p;

	for (unsigned i = 0; i < m.log_count; i++) {
		const struct log_entry *l = &m.log[i];

		if (l->thread != thread || nth--)
			continue;
		p = (struct plain){.read = l->read, .position = l->position, .value = l->value};
		chki_name_at(l->at, l->site, p.name, sizeof p.name);
		return &p;
	}
	return NULL;
}

static void plain_access(const void *at, unsigned size, struct chk_site *site, enum access_kind kind)
{
	struct thread *t = chki_run.current;

	if (!t)
		return; /* set-up outside a scenario */
	chki_site_meet(site);
	struct access a = access_by(t, at, t->position + 1u, kind, site);

	log_plain(t, at, size, site, kind);
	judge(&a, size);
}

void chk_cell_write(void *at, unsigned size, struct chk_site *site)
{
	plain_access(at, size, site, PLAIN_WRITE);
	if (chki_run.current)
		chki_run.current->effect = true;
}

void chk_cell_read(const void *at, unsigned size, struct chk_site *site)
{
	plain_access(at, size, site, PLAIN_READ);
}

/* ---- allocations ---- */

void *chk_alloc(size_t size)
{
	struct thread *t = chki_running();
	unsigned nth = t->allocations++;

	if (nth < 64 && chki_run.config->fail_alloc >> nth & 1)
		return NULL;
	size_t rounded = (size + 63) / 64 * 64 + 64; /* a gap, so that the next block is not next door */
	char *end = m.arena + (size_t)(number(t) + 1) * ARENA_PER_THREAD;

	if (size > ARENA_PER_THREAD || (size_t)(end - t->bump) < rounded || m.block_count == MAX_BLOCKS)
		chki_fail(CHK_MISUSE, "a scenario may allocate %d kB a thread", ARENA_PER_THREAD >> 10);
	char *block = t->bump;

	t->bump += rounded;
	t->effect = true;
	m.blocks[m.block_count] = (struct block){block, size, -1, 0};
	word_of(block)->block = (uint16_t)m.block_count;
	for (size_t i = 8; i < size; i += 8)
		word_of(block + i)->block = (uint16_t)m.block_count;
	memset(block, 0xA5, size);
	m.block_count++;
	return block;
}

/* A use that the release is not ordered after. */
static void check_unused(const struct access *a, const struct word *w, const struct record *r)
{
	const struct last *lasts[] = {&r->reads, &r->atomics};
	struct block *b = &m.blocks[w->block];
	unsigned user = THREADS, site = 0;

	if (r->writer >= 0 && !has_seen(a, (unsigned)r->writer, r->write_time)) {
		user = (unsigned)r->writer;
		site = r->write_site;
	}
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned o = 0; o < THREADS; o++) {
			if (!has_seen(a, o, lasts[i]->time[o])) {
				user = o;
				site = lasts[i]->site[o];
			}
		}
	}
	if (user == THREADS)
		return;
	char name[64], place[96];

	b->freed_by = (int)number(a->thread);
	chki_name_at((const void *)(w->address + r->from), chki_site(site), name, sizeof name);
	place_text(place, sizeof place, user, chki_site(site));
	chki_fail(CHK_USE_AFTER_FREE, "%s is released by T%u, unordered with its use by %s", name, number(a->thread),
		  place);
}

void chk_free(void *start)
{
	struct thread *t;

	if (!start)
		return;
	t = chki_running();
	struct block *b = &m.blocks[in_arena(start) ? word_of(start)->block : 0];

	if (b == &m.blocks[0] || b->start != start)
		chki_fail(CHK_DOUBLE_FREE, "T%u releases memory that was not allocated", number(t));
	if (b->freed_by >= 0)
		chki_fail(CHK_DOUBLE_FREE, "memory is released by T%d and by T%u",
			  b->freed_by < (int)number(t) ? b->freed_by : (int)number(t),
			  b->freed_by < (int)number(t) ? number(t) : (unsigned)b->freed_by);
	struct access a = access_by(t, start, t->position + 1u, PLAIN_WRITE, NULL);

	for (size_t i = 0; i < b->size; i += 8) {
		struct word *w = word_of(b->start + i);

		for (struct record *r = &w->record;; r = &m.parts[r->next]) {
			check_unused(&a, w, r);
			if (!r->next)
				break;
		}
	}
	b->freed_by = (int)number(t);
	b->free_time = (uint16_t)a.time;
	t->effect = true;
}

void chki_memory_check_leaks(void)
{
	unsigned leaked = 0;

	for (unsigned i = 1; i < m.block_count; i++)
		leaked += m.blocks[i].freed_by < 0;
	if (leaked)
		chki_set_failure(CHK_LEAK, "%u allocation%s not released at the end", leaked, leaked == 1 ? "" : "s");
}
