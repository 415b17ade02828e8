/* SPDX-License-Identifier: Apache-2.0 */
/* What every kind of deque must do in one thread. The scenarios' names are shared with the stress tests and checks. */
#include "deque_unit.h"

#include "../../src/base/rng.h"
#include "../../src/deque/deque.h"
#include "out_of_memory.h"
#include "test.h"

#include <errno.h>
#include <string.h>

static const struct filchi_deque_kind *kind;

/* Around each, some index, or what is packed in a word of it, wraps. */
static const uint64_t limits[] = {
	0, (uint64_t)1 << 24, (uint64_t)1 << 31, (uint64_t)1 << 32, (uint64_t)1 << 40, (uint64_t)1 << 63};
#define LIMITS (sizeof(limits) / sizeof(limits[0]))

static struct filch_deque *make(size_t capacity, uint64_t first)
{
	struct filchi_deque_setup setup = {capacity, (size_t)1 << 20, first};
	struct filch_deque *d = NULL;

	TEST_CHECK(kind->ops.create(&d, &setup) == 0);
	TEST_CHECK(d);
	return d;
}

static void push(struct filch_deque *d, uintptr_t item)
{
	TEST_CHECK(filch_deque_push(d, item) == 0);
}

static void pop(struct filch_deque *d, uintptr_t expected)
{
	uintptr_t item = ~expected;

	TEST_CHECK(filch_deque_pop(d, &item) == FILCH_OK);
	TEST_CHECK(item == expected);
}

/*
 * A steal that must succeed. A kind that shares on request may answer EMPTY once: then the request stands, and is
 * served when the owner next does something; here it takes an item and puts it back.
 */
static void steal(struct filch_deque *d, uintptr_t expected)
{
	uintptr_t item = ~expected;
	int result = filch_deque_steal(d, &item);

	if (result == FILCH_EMPTY && kind->info.on_request) {
		TEST_CHECK(filch_deque_pop(d, &item) == FILCH_OK);
		push(d, item);
		result = filch_deque_steal(d, &item);
	}
	TEST_CHECK(result == FILCH_OK);
	TEST_CHECK(item == expected);
}

static void empty(struct filch_deque *d)
{
	uintptr_t item = 77;

	TEST_CHECK(filch_deque_size(d) == 0);
	TEST_CHECK(filch_deque_pop(d, &item) == FILCH_EMPTY);
	TEST_CHECK(filch_deque_steal(d, &item) == FILCH_EMPTY);
	TEST_CHECK(filch_deque_pop(d, &item) == FILCH_EMPTY);
	TEST_CHECK(filch_deque_size(d) == 0);
	TEST_CHECK(item == 77);
}

static void smoke(void)
{
	struct filch_deque *d = NULL;

	TEST_CHECK(filch_deque_create(&d, kind->info.name, NULL) == 0);
	empty(d);
	for (uintptr_t i = 1; i <= 100; i++) {
		push(d, i);
		TEST_CHECK(filch_deque_size(d) == i);
	}
	for (uintptr_t i = 100; i >= 1; i--)
		pop(d, i);
	empty(d);
	filch_deque_destroy(d);
}

static void order(void)
{
	struct filch_deque *d = make(4, 0);

	for (uintptr_t i = 1; i <= 9; i++)
		push(d, i);
	steal(d, 1);
	pop(d, 9);
	steal(d, 2);
	steal(d, 3);
	pop(d, 8);
	push(d, 10);
	pop(d, 10);
	steal(d, 4);
	pop(d, 7);
	pop(d, 6);
	steal(d, 5);
	empty(d);
	filch_deque_destroy(d);
}

static void last_item(void)
{
	struct filch_deque *d = make(2, 0);

	for (uintptr_t i = 0; i < 1000; i++) {
		push(d, i);
		if (i % 3)
			steal(d, i);
		else
			pop(d, i);
		empty(d);
	}
	filch_deque_destroy(d);
}

static void empty_again(void)
{
	struct filch_deque *d = make(2, 0);

	for (uintptr_t n = 0; n < 50; n++) {
		for (uintptr_t i = 0; i < n; i++)
			push(d, i);
		for (uintptr_t i = 0; i < n / 2; i++)
			steal(d, i);
		for (uintptr_t i = n; i-- > n / 2;)
			pop(d, i);
		empty(d);
		empty(d);
	}
	filch_deque_destroy(d);
}

static void zero_word(void)
{
	struct filch_deque *d = make(2, 0);

	push(d, 0);
	push(d, UINTPTR_MAX);
	push(d, 0);
	pop(d, 0);
	steal(d, 0);
	pop(d, UINTPTR_MAX);
	empty(d);
	filch_deque_destroy(d);
}

/* Growth with the items lying at every place of the ring, and again and again. */
static void growth(void)
{
	struct filch_deque *d;

	for (uintptr_t offset = 0; offset < 40; offset++) {
		d = make((size_t)1 << (offset & 3), offset);
		for (uintptr_t i = 0; i < offset; i++) {
			push(d, i);
			steal(d, i);
		}
		for (uintptr_t i = 0; i < 500; i++) {
			push(d, 2 * i);
			push(d, 2 * i + 1);
			steal(d, i);
		}
		for (uintptr_t i = 1000; i-- > 500;)
			pop(d, i);
		empty(d);
		filch_deque_destroy(d);
	}
	d = make(1, 0);
	for (uintptr_t i = 0; i < 1 << 18; i++)
		push(d, i);
	TEST_CHECK(filch_deque_size(d) == 1 << 18);
	for (uintptr_t i = 1 << 18; i-- > 1 << 17;)
		pop(d, i);
	for (uintptr_t i = 0; i < 1 << 17; i++)
		steal(d, i);
	empty(d);
	filch_deque_destroy(d);
}

#define MODEL 4096

/* Random operations against a plain array. */
static void against_model(struct filch_deque *d, struct filchi_rng *rng, unsigned steps)
{
	static uintptr_t model[MODEL];
	unsigned top = 0, bottom = 0;
	uintptr_t item;
	int result;

	for (unsigned i = 0; i < steps && bottom < MODEL; i++) {
		switch (filchi_rng_below(rng, 5)) {
		case 0:
			result = filch_deque_pop(d, &item);
			TEST_CHECK(result == (top == bottom ? FILCH_EMPTY : FILCH_OK));
			TEST_CHECK(result == FILCH_EMPTY || item == model[--bottom]);
			break;
		case 1:
		case 2:
			result = filch_deque_steal(d, &item);
			TEST_CHECK(result == FILCH_OK || result == FILCH_EMPTY);
			TEST_CHECK(result == FILCH_OK || top == bottom || kind->info.on_request);
			TEST_CHECK(result == FILCH_EMPTY || (top < bottom && item == model[top++]));
			break;
		default:
			model[bottom] = (uintptr_t)filchi_rng_next(rng);
			push(d, model[bottom++]);
		}
		TEST_CHECK(filch_deque_size(d) == bottom - top);
	}
	while (bottom > top)
		pop(d, model[--bottom]);
	empty(d);
}

static void wraparound(void)
{
	struct filchi_rng rng;

	filchi_rng_seed(&rng, 1);
	for (unsigned i = 0; i < LIMITS; i++)
		for (uint64_t before = 0; before < 20; before++)
			for (size_t capacity = 1; capacity <= 8; capacity *= 2) {
				struct filch_deque *d = make(capacity, limits[i] - before);

				against_model(d, &rng, 200);
				filch_deque_destroy(d);
			}
}

static void random_mix(void)
{
	struct filchi_rng rng;

	filchi_rng_seed(&rng, 2);
	for (unsigned round = 0; round < 200; round++) {
		struct filch_deque *d = make((size_t)1 << filchi_rng_below(&rng, 6), filchi_rng_next(&rng));

		against_model(d, &rng, 3000);
		filch_deque_destroy(d);
	}
}

/* Beyond max_capacity push is refused and nothing is lost. */
static void max_capacity(void)
{
	struct filch_deque_options opt = {.size = sizeof(opt), .capacity = 2, .max_capacity = 8};
	struct filch_deque *d = NULL;

	TEST_CHECK(filch_deque_create(&d, kind->info.name, &opt) == 0);
	for (uintptr_t i = 0; i < 8; i++)
		push(d, i);
	TEST_CHECK(filch_deque_push(d, 8) == -ENOMEM);
	TEST_CHECK(filch_deque_push(d, 8) == -ENOMEM);
	TEST_CHECK(filch_deque_size(d) == 8);
	steal(d, 0);
	push(d, 8);
	TEST_CHECK(filch_deque_push(d, 9) == -ENOMEM);
	for (uintptr_t i = 8; i >= 1; i--)
		pop(d, i);
	empty(d);
	filch_deque_destroy(d);
}

static int create_with(size_t size, size_t capacity, size_t max)
{
	struct filch_deque_options opt = {.size = size, .capacity = capacity, .max_capacity = max};
	struct filch_deque *d = NULL;
	int err = filch_deque_create(&d, kind->info.name, &opt);

	TEST_CHECK(!err == !!d);
	filch_deque_destroy(d);
	return err;
}

static void bad_use(void)
{
	struct {
		struct filch_deque_options known;
		size_t unknown;
	} longer = {.known = {.size = sizeof(longer)}};
	struct filch_deque *d = NULL;
	size_t size = sizeof(struct filch_deque_options);
	uintptr_t item;

	TEST_CHECK(filch_deque_create(NULL, kind->info.name, NULL) == -EINVAL);
	TEST_CHECK(filch_deque_create(&d, NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_deque_create(&d, "no such kind", NULL) == -ENOENT);
	TEST_CHECK(filch_deque_create(&d, "", NULL) == -ENOENT);
	TEST_CHECK(filch_deque_push(NULL, 1) == -EINVAL);
	TEST_CHECK(filch_deque_pop(NULL, &item) == -EINVAL);
	TEST_CHECK(filch_deque_steal(NULL, &item) == -EINVAL);
	TEST_CHECK(filch_deque_size(NULL) == 0);
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
	empty(d);
	filch_deque_destroy(d);
	longer.unknown = 1;
	TEST_CHECK(filch_deque_create(&d, kind->info.name, &longer.known) == -EINVAL);
	TEST_CHECK(create_with(offsetof(struct filch_deque_options, max_capacity), 16, 1) == 0);
}

/* Everything from create to destroy, with the n-th request for memory refused. */
static void run_short_of_memory(unsigned n)
{
	struct filch_deque_options opt = {.size = sizeof(opt), .capacity = 1};
	struct filch_deque *d = NULL;
	int err;

	out_of_memory_at(n);
	err = filch_deque_create(&d, kind->info.name, &opt);
	TEST_CHECK(err == (out_of_memory_happened() ? -ENOMEM : 0));
	if (err) {
		TEST_CHECK(!d);
		return;
	}
	for (uintptr_t i = 0; i < 5000; i++) {
		err = filch_deque_push(d, i);
		if (err) {
			TEST_CHECK(err == -ENOMEM && out_of_memory_happened());
			TEST_CHECK(filch_deque_size(d) == i);
			push(d, i);
		}
	}
	for (uintptr_t i = 0; i < 1000; i++)
		steal(d, i);
	for (uintptr_t i = 5000; i-- > 1000;)
		pop(d, i);
	empty(d);
	filch_deque_destroy(d);
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
	TEST_CHECK(n > 3);
}

static void kinds(void)
{
	unsigned found = 0;

	for (unsigned i = 0; i < filch_deque_kind_count(); i++) {
		const struct filch_deque_info *info = filch_deque_kind_info(i);

		TEST_CHECK(info && info->name && info->summary);
		TEST_CHECK(!strcmp(info->name, filch_deque_kind_name(i)));
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
