/* SPDX-License-Identifier: Apache-2.0 */
/* The checker must refuse programs outside of its model, not ignore them. */
#include "../../../check/chk.h"

#include <string.h>

static union {
	uint64_t whole;
	uint32_t half[2];
	uint16_t quarter[4];
	unsigned char bytes[8];
} word;
static unsigned runs;

#define INIT() chk_init(&word.half[0], 4, 0x11223344, CHK_SITE(CHK_STORE, "word", "", CHK_RLX, CHK_RLX))
#define STORE(at, size, order) chk_store(at, size, 7, CHK_SITE(CHK_STORE, "word", "", order, CHK_RLX))
#define LOAD(at, size, order) chk_load(at, size, CHK_SITE(CHK_LOAD, "word", "", order, CHK_RLX))

static void smaller(void *unused)
{
	(void)unused;
	INIT();
	STORE(&word.quarter[0], 2, CHK_RLX);
}

static void upper(void *unused)
{
	(void)unused;
	INIT();
	STORE(&word.quarter[1], 2, CHK_RLX);
}

static void larger(void *unused)
{
	(void)unused;
	INIT();
	LOAD(&word.whole, 8, CHK_RLX);
}

static void misaligned(void *unused)
{
	(void)unused;
	INIT();
	STORE(&word.bytes[5], 2, CHK_RLX);
}

static void odd_size(void *unused)
{
	(void)unused;
	chk_init(&word.bytes[0], 3, 0, CHK_SITE(CHK_STORE, "word", "", CHK_RLX, CHK_RLX));
}

static void plain_too(void *unused)
{
	(void)unused;
	INIT();
	chk_cell_write(&word.half[0], 4, CHK_SITE(CHK_CELL_WRITE, "word", "", CHK_NONE, CHK_NONE));
}

static void releasing_load(void *unused)
{
	(void)unused;
	INIT();
	LOAD(&word.half[0], 4, CHK_REL);
}

static void acquiring_store(void *unused)
{
	(void)unused;
	INIT();
	STORE(&word.half[0], 4, CHK_ACQ);
}

static void no_order(void *unused)
{
	(void)unused;
	INIT();
	LOAD(&word.half[0], 4, CHK_NONE);
}

static void unknown_order(void *unused)
{
	(void)unused;
	INIT();
	LOAD(&word.half[0], 4, (enum chk_order)42);
}

static void other_operation(void *unused)
{
	(void)unused;
	INIT();
	chk_store(&word.half[0], 4, 1, CHK_SITE(CHK_LOAD, "word", "", CHK_RLX, CHK_RLX));
}

static void reader(void *unused)
{
	(void)unused;
	LOAD(&word.half[0], 4, CHK_RLX);
}

static void not_deterministic(void *unused)
{
	int t;

	(void)unused;
	INIT();
	t = chk_thread(reader, NULL);
	chk_store(&word.half[0], 4, runs++, CHK_SITE(CHK_STORE, "word", "", CHK_RLX, CHK_RLX));
	chk_join(t);
}

int main(void)
{
	static const struct {
		const char *name;
		void (*scenario)(void *);
	} rows[] = {
		{"smaller size", smaller},
		{"upper half", upper},
		{"larger size", larger},
		{"misaligned", misaligned},
		{"odd size", odd_size},
		{"plain too", plain_too},
		{"releasing load", releasing_load},
		{"acquiring store", acquiring_store},
		{"no order", no_order},
		{"unknown order", unknown_order},
		{"site of another operation", other_operation},
		{"not deterministic", not_deterministic},
	};
	unsigned right = 0, count = sizeof(rows) / sizeof(rows[0]);

	for (unsigned i = 0; i < count; i++) {
		struct chk_result r = chk_run(NULL, rows[i].scenario, NULL);

		printf("%s: %s: %s\n", rows[i].name, chk_verdict_name(r.verdict), r.message);
		right += r.verdict == CHK_MISUSE;
		chk_result_clear(&r);
	}
	printf("%u of %u as stated\n", right, count);
	return right != count;
}
