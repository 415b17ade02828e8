/* SPDX-License-Identifier: Apache-2.0 */
/* What every kind of deque must do in one thread. The scenarios' names are shared with the stress tests and checks. */
#include "deque_unit.h"

#include "../../src/base/rng.h"
#include "../../src/deque/deque.h"
#include "out_of_memory.h"
#include "test.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const struct filchi_deque_kind *kind;

/* Around each, some index, or what is packed in a word of it, wraps. */
static const uint64_t limits[] = {
	0, (uint64_t)1 << 24, (uint64_t)1 << 31, (uint64_t)1 << 32, (uint64_t)1 << 40, (uint64_t)1 << 63};
#define LIMITS (sizeof(limits) / sizeof(limits[0]))

/* A deque, and beside it what it should hold: model[from..to), oldest first. */
#define MODEL (1 << 19)
static struct filch_deque *d;
static uintptr_t model[MODEL];
static size_t from, to;
static size_t pushed; /* since it was made */
static size_t capacity_now;

static void begin(size_t capacity, uint64_t first)
{
	size_t max = kind->info.bounded ? capacity : (size_t)1 << 20;
	struct filchi_deque_setup setup = {capacity, max, first, 0};

	d = NULL;
	TEST_CHECK(kind->ops.create(&d, &setup) == 0);
	TEST_CHECK(d);
	from = to = pushed = 0;
	capacity_now = capacity;
}

static void check_size(void)
{
	TEST_CHECK(filch_deque_size(d) == to - from);
}

static void went_in(uintptr_t item)
{
	if (to == MODEL) {
		memmove(model, model + from, (to - from) * sizeof(model[0]));
		to -= from;
		from = 0;
	}
	TEST_CHECK(to < MODEL);
	model[to++] = item;
	pushed++;
}

/* False: refused. A bounded kind may refuse once it has been filled; one that grows may not. */
static bool push(uintptr_t item)
{
	int err = filch_deque_push(d, item);

	if (err == -ENOBUFS) {
		TEST_CHECK(kind->info.bounded && pushed >= capacity_now);
		check_size();
		return false;
	}
	TEST_CHECK(err == 0);
	went_in(item);
	return true;
}

/* An item has come out: was it its turn? */
static void came_out(uintptr_t item, enum filch_order order)
{
	size_t at = order == FILCH_LIFO ? to - 1 : from;

	TEST_CHECK(from < to);
	while (order == FILCH_UNORDERED && at < to && model[at] != item)
		at++;
	TEST_CHECK(at < to && model[at] == item);
	if (at == to - 1) {
		to--;
	} else {
		memmove(model + from + 1, model + from, (at - from) * sizeof(model[0]));
		from++;
	}
}

/* False: empty, which it must be. */
static bool pop(void)
{
	uintptr_t item = 77;
	int result = filch_deque_pop(d, &item);

	if (result == FILCH_EMPTY) {
		TEST_CHECK(from == to && item == 77);
		return false;
	}
	TEST_CHECK(result == FILCH_OK);
	came_out(item, kind->info.owner_order);
	return true;
}

/* False: nothing came. In one thread nobody can be first, but some kinds hold items back. */
static bool steal(void)
{
	uintptr_t item = 77;
	int result = filch_deque_steal(d, &item);

	if (result == FILCH_EMPTY) {
		TEST_CHECK((from == to || kind->info.holds_back) && item == 77);
		return false;
	}
	TEST_CHECK(result == FILCH_OK);
	came_out(item, kind->info.steal_order);
	return true;
}

/* A steal that a kind which shares on request serves once the owner has been heard of. */
static void steal_surely(void)
{
	if (from == to || steal())
		return;
	if (kind->info.on_request) {
		filch_deque_poll(d);
		TEST_CHECK(steal());
	}
}

/* A deque that is full gives something, and one that is empty, and yet refuses, has room once pop has found it so. */
static void push_surely(uintptr_t item)
{
	bool in = push(item);

	while (!in) {
		bool out = pop();

		in = push(item);
		TEST_CHECK(in || out);
	}
}

static bool steal_many(size_t max)
{
	uintptr_t items[16];
	size_t taken = 0;
	int result = filch_deque_steal_many(d, items, max, &taken);

	if (result == FILCH_EMPTY) {
		TEST_CHECK(from == to || kind->info.holds_back);
		return false;
	}
	TEST_CHECK(result == FILCH_OK && taken >= 1 && taken <= max && (taken == 1 || kind->info.steal_many));
	for (size_t i = 0; i < taken; i++)
		came_out(items[i], kind->info.steal_order);
	return true;
}

static void empty(void)
{
	TEST_CHECK(from == to);
	for (unsigned i = 0; i < 2; i++) {
		check_size();
		TEST_CHECK(!pop());
		TEST_CHECK(!steal());
		TEST_CHECK(!steal_many(3));
	}
}

static void end(void)
{
	while (pop())
		;
	empty();
	filch_deque_destroy(d);
}

static void smoke(void)
{
	begin(128, 0);
	empty();
	for (uintptr_t i = 1; i <= 100; i++) {
		TEST_CHECK(push(i));
		check_size();
	}
	while (pop())
		check_size();
	end();
}

static void order(void)
{
	begin(16, 0);
	for (uintptr_t i = 1; i <= 9; i++)
		push(i);
	steal_surely();
	pop();
	steal_surely();
	steal_surely();
	pop();
	push(10);
	pop();
	steal_surely();
	pop();
	pop();
	steal_surely();
	end();
}

static void last_item(void)
{
	begin(2, 0);
	for (uintptr_t i = 0; i < 1000; i++) {
		push_surely(i);
		if (i % 3)
			steal_surely();
		else
			pop();
		check_size();
	}
	end();
}

static void empty_again(void)
{
	begin(2, 0);
	for (uintptr_t n = 0; n < 50; n++) {
		for (uintptr_t i = 0; i < n; i++)
			push(i);
		for (uintptr_t i = 0; i < n / 2; i++)
			steal_surely();
		while (pop())
			;
		empty();
	}
	end();
}

static void zero_word(void)
{
	begin(4, 0);
	push(0);
	push(UINTPTR_MAX);
	push(0);
	pop();
	steal_surely();
	end();
}

/* After a steal that got nothing, each call of the owner's shares; if it has nothing, the request stands. */
static void on_request(void)
{
	for (unsigned call = 0; call < 4 && kind->info.on_request; call++) {
		begin(16, 0);
		for (uintptr_t i = 0; i < 4 && call < 3; i++)
			push(i);
		TEST_CHECK(!steal());
		if (call == 1)
			pop();
		else if (call > 1)
			filch_deque_poll(d);
		if (call == 0 || call == 3)
			push(4);
		check_size();
		TEST_CHECK(steal());
		end();
	}
}

/* Growth with the items lying at every place of the ring, and again and again. */
static void growth(void)
{
	for (uintptr_t offset = 0; offset < 40; offset++) {
		begin((size_t)1 << (offset & 3), offset);
		for (uintptr_t i = 0; i < offset; i++) {
			push(i);
			steal_surely();
		}
		for (uintptr_t i = 0; i < 500; i++) {
			push(2 * i);
			push(2 * i + 1);
			steal_surely();
		}
		end();
	}
	begin(1, 0);
	for (uintptr_t i = 0; i < 1 << 18; i++)
		push(i);
	check_size();
	for (uintptr_t i = 0; i < 1 << 17; i++)
		pop();
	for (uintptr_t i = 0; i < 1 << 16; i++)
		steal_surely();
	end();
}

/* Random operations. */
static void mix(struct filchi_rng *rng, unsigned steps)
{
	for (unsigned i = 0; i < steps; i++) {
		switch (filchi_rng_below(rng, 6)) {
		case 0:
			pop();
			break;
		case 1:
			steal();
			break;
		case 2:
			steal_many(1 + filchi_rng_below(rng, 16));
			break;
		default:
			push((uintptr_t)filchi_rng_next(rng));
		}
		check_size();
	}
	end();
}

static void wraparound(void)
{
	struct filchi_rng rng;

	filchi_rng_seed(&rng, 1);
	for (unsigned i = 0; i < LIMITS; i++)
		for (uint64_t before = 0; before < 20; before++)
			for (size_t capacity = 1; capacity <= 8; capacity *= 2) {
				begin(capacity, limits[i] - before);
				mix(&rng, 200);
			}
}

static void random_mix(void)
{
	struct filchi_rng rng;

	filchi_rng_seed(&rng, 2);
	for (unsigned round = 0; round < 200; round++) {
		begin((size_t)1 << filchi_rng_below(&rng, 6), filchi_rng_next(&rng));
		mix(&rng, 3000);
	}
}

/* Beyond its capacity push is refused and nothing is lost. */
static void max_capacity(void)
{
	struct filch_deque_options opt = {.size = sizeof(opt), .capacity = 2, .max_capacity = 8};
	int refusal = kind->info.bounded ? -ENOBUFS : -ENOMEM;

	if (kind->info.bounded)
		opt.capacity = 8;
	TEST_CHECK(filch_deque_create(&d, kind->info.name, &opt) == 0);
	from = to = pushed = 0;
	capacity_now = 8;
	for (uintptr_t i = 0; i < 8; i++)
		TEST_CHECK(push(i));
	for (unsigned i = 0; i < 2; i++)
		TEST_CHECK(filch_deque_push(d, 8) == refusal);
	check_size();
	while (pop())
		;
	empty();
	/* A bounded kind may need to be empty to have room again, but then it must. */
	TEST_CHECK(push(9));
	end();
}

static int create_with(size_t size, size_t capacity, size_t max)
{
	struct filch_deque_options opt = {.size = size, .capacity = capacity, .max_capacity = max};
	struct filch_deque *made = NULL;
	int err = filch_deque_create(&made, kind->info.name, &opt);

	TEST_CHECK(!err == !!made);
	filch_deque_destroy(made);
	return err;
}

/* Blocks that do not divide the capacity. */
static void bad_blocks(void)
{
	static const size_t sizes[] = {3, 6, 32, SIZE_MAX, (size_t)1 << 63};
	struct filch_deque_options opt = {.size = sizeof(opt), .capacity = 16, .max_capacity = 16};

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		opt.block_size = sizes[i];
		TEST_CHECK(filch_deque_create(&d, kind->info.name, &opt) == -EINVAL);
	}
	for (opt.block_size = 1; opt.block_size <= 16; opt.block_size *= 2) {
		TEST_CHECK(filch_deque_create(&d, kind->info.name, &opt) == 0);
		filch_deque_destroy(d);
	}
}

static void bad_use(void)
{
	struct {
		struct filch_deque_options known;
		size_t unknown;
	} longer = {.known = {.size = sizeof(longer)}};
	size_t size = sizeof(struct filch_deque_options), taken;
	uintptr_t item;

	TEST_CHECK(filch_deque_create(NULL, kind->info.name, NULL) == -EINVAL);
	TEST_CHECK(filch_deque_create(&d, "no such kind", NULL) == -ENOENT);
	TEST_CHECK(filch_deque_create(&d, "", NULL) == -ENOENT);
	TEST_CHECK(filch_deque_push(NULL, 1) == -EINVAL);
	TEST_CHECK(filch_deque_pop(NULL, &item) == -EINVAL);
	TEST_CHECK(filch_deque_steal(NULL, &item) == -EINVAL);
	TEST_CHECK(filch_deque_steal_many(NULL, &item, 1, &taken) == -EINVAL);
	TEST_CHECK(filch_deque_size(NULL) == 0);
	filch_deque_poll(NULL);
	filch_deque_destroy(NULL);

	TEST_CHECK(create_with(size, 0, 0) == 0);
	TEST_CHECK(create_with(size, 1, 1) == 0);
	TEST_CHECK(create_with(size, 3, 3) == 0);
	TEST_CHECK(create_with(size, 0, 1) == 0);
	TEST_CHECK(create_with(0, 0, 0) == -EINVAL);
	TEST_CHECK(create_with(1, 0, 0) == -EINVAL);
	TEST_CHECK(create_with(SIZE_MAX, 0, 0) == -EINVAL);
	TEST_CHECK(create_with(size, 9, 8) == -EINVAL);
	for (unsigned bits = 37; bits < 64; bits++) {
		TEST_CHECK(create_with(size, (size_t)1 << bits, 0) == -EINVAL);
		TEST_CHECK(create_with(size, 0, (size_t)1 << bits) == -EINVAL);
	}
	TEST_CHECK(create_with(size, SIZE_MAX, 0) == -EINVAL);
	TEST_CHECK(create_with(size, SIZE_MAX / 8 + 2, SIZE_MAX) == -EINVAL);

	/* Options of a later version: fine if what we do not know of is zero. An older one: the rest is default. */
	TEST_CHECK(filch_deque_create(&d, kind->info.name, &longer.known) == 0);
	TEST_CHECK(filch_deque_pop(d, NULL) == -EINVAL);
	TEST_CHECK(filch_deque_steal(d, NULL) == -EINVAL);
	TEST_CHECK(filch_deque_steal_many(d, NULL, 1, &taken) == -EINVAL);
	TEST_CHECK(filch_deque_steal_many(d, &item, 1, NULL) == -EINVAL);
	TEST_CHECK(filch_deque_steal_many(d, &item, 0, &taken) == -EINVAL);
	from = to = 0;
	/* As many as there are. */
	TEST_CHECK(push(1) && push(2));
	(void)steal_many(SIZE_MAX);
	end();
	longer.unknown = 1;
	TEST_CHECK(filch_deque_create(&d, kind->info.name, &longer.known) == -EINVAL);
	TEST_CHECK(create_with(offsetof(struct filch_deque_options, max_capacity), 16, 1) == 0);
	bad_blocks();
	/* The default kind, of pools, too. */
	TEST_CHECK(filch_deque_create(&d, NULL, NULL) == 0);
	TEST_CHECK(d->ops == &filchi_deque_find("split")->ops);
	filch_deque_destroy(d);
}

/* Everything from create to destroy, with the n-th request for memory refused. */
static void run_short_of_memory(unsigned n)
{
	struct filch_deque_options opt = {.size = sizeof(opt), .capacity = kind->info.bounded ? 8192 : 1};
	int err;

	d = NULL;
	out_of_memory_at(n);
	err = filch_deque_create(&d, kind->info.name, &opt);
	TEST_CHECK(err == (out_of_memory_happened() ? -ENOMEM : 0));
	if (err) {
		TEST_CHECK(!d);
		return;
	}
	from = to = pushed = 0;
	capacity_now = opt.capacity;
	for (uintptr_t i = 0; i < 5000; i++) {
		err = filch_deque_push(d, i);
		if (err) {
			TEST_CHECK(err == -ENOMEM && out_of_memory_happened());
			check_size();
			push(i);
		} else {
			went_in(i);
		}
	}
	for (uintptr_t i = 0; i < 1000; i++)
		steal_surely();
	end();
}

static void no_memory(void)
{
	long live = out_of_memory_live();
	unsigned n = 0;

	do {
		run_short_of_memory(++n);
		TEST_CHECK(out_of_memory_live() == live);
	} while (out_of_memory_happened());
	out_of_memory_at(0);
	printf(" (%u refusals)", n - 1);
	TEST_CHECK(n > 2);
}

static void kinds(void)
{
	unsigned found = 0;

	for (unsigned i = 0; i < filch_deque_kind_count(); i++) {
		const struct filch_deque_info *info = filch_deque_kind_info(i);

		TEST_CHECK(info && info->name && info->summary);
		TEST_CHECK(!strcmp(info->name, filch_deque_kind_name(i)));
		TEST_CHECK(!!info->many_owners == !strcmp(info->name, "global"));
		found += !strcmp(info->name, kind->info.name);
	}
	TEST_CHECK(found == 1);
	TEST_CHECK(!filch_deque_kind_name(filch_deque_kind_count()));
	TEST_CHECK(!filch_deque_kind_info(filch_deque_kind_count()));
}

int deque_unit(const char *name)
{
	static const struct test_scenario scenarios[] = {
		{"kinds", kinds},
		{"smoke", smoke},
		{"order", order},
		{"last_item", last_item},
		{"empty_again", empty_again},
		{"zero_word", zero_word},
		{"on_request", on_request},
		{"growth", growth},
		{"wraparound", wraparound},
		{"random_mix", random_mix},
		{"max_capacity", max_capacity},
		{"bad_use", bad_use},
		{"no_memory", no_memory},
	};

	kind = filchi_deque_find(name);
	TEST_CHECK(kind);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
