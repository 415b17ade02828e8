/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The serial part of the radix sort (radix.h). Each function takes the size of an element, the width of its key, and
 * whether the key is floating. KERNEL compiles all of them with these as constants.
 */
#include "radix.h"
#include "sort.h"

#include <string.h>

/* Up to so many elements are sorted by insertion. */
#define FEW 24u
/* Bits of a digit at most, within the cache; and digits of a sort there at most. */
#define DIGIT_BITS 9u
#define MAX_DIGITS 3u
/* So many bits more than the logarithm of their number tell most elements apart. */
#define SPARE_BITS 2u

/* ---- keys ---- */

FILCHI_SORT_INLINE uint64_t key_of(const struct filchi_radix *r, const char *element, size_t size, bool wide,
				   bool floating)
{
	const char *at = size == (wide ? 8 : 4) ? element : element + r->offset;

	if (wide) {
		uint64_t raw;

		memcpy(&raw, at, sizeof(raw));
		if (floating && (raw << 1) > 0xffe0000000000000u)
			return r->nan;
		return raw ^ r->flip ^ (floating ? (0 - (raw >> 63)) >> 1 : 0);
	} else {
		uint32_t raw;

		memcpy(&raw, at, sizeof(raw));
		if (floating && (raw << 1) > 0xff000000u)
			return r->nan;
		return raw ^ (uint32_t)r->flip ^ (floating ? (0 - (raw >> 31)) >> 1 : 0);
	}
}

FILCHI_SORT_INLINE void look(const struct filchi_radix *r, const char *a, size_t n, struct filchi_radix_view *view,
			     size_t size, bool wide, bool floating)
{
	uint64_t first = key_of(r, a, size, wide, floating), last = first, next, min, max;
	size_t rising = 1, falling = 1, i;

	/* The length of the run that the range begins with. */
	for (; rising < n && last <= (next = key_of(r, a + rising * size, size, wide, floating)); rising++)
		last = next;
	if (rising == 1)
		for (; falling < n && last > (next = key_of(r, a + falling * size, size, wide, floating)); falling++)
			last = next;
	min = first < last ? first : last;
	max = first < last ? last : first;
	for (i = rising > falling ? rising : falling; i < n; i++) {
		next = key_of(r, a + i * size, size, wide, floating);
		min = next < min ? next : min;
		max = next > max ? next : max;
	}
	*view = (struct filchi_radix_view){.min = min,
					   .max = max,
					   .first = first,
					   .last = key_of(r, a + (n - 1) * size, size, wide, floating),
					   .rising = rising >= n,
					   .falling = falling >= n};
}

/* ---- cuts ---- */

FILCHI_SORT_INLINE void count(const struct filchi_radix *r, const char *a, size_t n, uint64_t min, unsigned shift,
			      size_t *counts, size_t size, bool wide, bool floating)
{
	for (size_t i = 0; i < n; i++)
		counts[(key_of(r, a + i * size, size, wide, floating) - min) >> shift]++;
}

FILCHI_SORT_INLINE void move(const struct filchi_radix *r, const char *a, size_t n, uint64_t min, unsigned shift,
			     size_t *place, char *b, size_t size, bool wide, bool floating)
{
	for (size_t i = 0; i < n; i++) {
		const char *element = a + i * size;
		size_t bucket = (key_of(r, element, size, wide, floating) - min) >> shift;

		memcpy(b + place[bucket]++ * size, element, size);
	}
}

/* A range that does not fit into the cache. */
FILCHI_SORT_INLINE void sort_by_cut(const struct filchi_radix *r, char *a, char *b, size_t n, bool there, uint64_t min,
				    uint64_t max, size_t size, bool wide, bool floating)
{
	size_t place[FILCHI_RADIX_BUCKETS] = {0}, from = 0;
	unsigned shift = filchi_radix_shift(min, max);

	count(r, a, n, min, shift, place, size, wide, floating);
	for (size_t i = 0; i < FILCHI_RADIX_BUCKETS; i++) {
		size_t in_bucket = place[i];

		place[i] = from;
		from += in_bucket;
	}
	move(r, a, n, min, shift, place, b, size, wide, floating);
	from = 0;
	for (size_t i = 0; i < FILCHI_RADIX_BUCKETS; i++) {
		if (place[i] > from)
			r->kernel->sort(r, b + from * size, a + from * size, place[i] - from, !there);
		from = place[i];
	}
}

/* ---- within the cache ---- */

FILCHI_SORT_INLINE void insertion_sort(const struct filchi_radix *r, char *a, size_t n, size_t size, bool wide,
				       bool floating)
{
	for (size_t i = 1; i < n; i++) {
		char *element = a + i * size, *to = element;
		uint64_t key = key_of(r, element, size, wide, floating);

		while (to > a && key_of(r, to - size, size, wide, floating) > key)
			to -= size;
		if (to != element)
			filchi_insert(to, element, size);
	}
}

/* Sorts elements that are equal in all bits from `low` on; others are in order already. b: scratch. */
FILCHI_SORT_INLINE void sort_ties(const struct filchi_radix *r, char *a, char *b, size_t n, uint64_t min, unsigned low,
				  size_t size, bool wide, bool floating)
{
	uint64_t high = (key_of(r, a, size, wide, floating) - min) >> low;

	for (size_t from = 0, i = 1; i <= n; i++) {
		uint64_t next = i < n ? (key_of(r, a + i * size, size, wide, floating) - min) >> low : ~high;

		if (next == high)
			continue;
		if (i - from > 1)
			r->kernel->sort(r, a + from * size, b + from * size, i - from, false);
		from = i;
		high = next;
	}
}

/* The digits of a sort within the cache: `number` of them, of `bits` bits each, from bit `low` on. */
struct digits {
	unsigned number, bits, low;
};

static struct digits choose_digits(size_t n, unsigned bits)
{
	unsigned wanted = 64 - (unsigned)__builtin_clzll(n) + SPARE_BITS;
	struct digits d;

	wanted = wanted < bits ? wanted : bits;
	d.number = (wanted + DIGIT_BITS - 1) / DIGIT_BITS;
	d.number = d.number < MAX_DIGITS ? d.number : MAX_DIGITS;
	d.bits = (wanted + d.number - 1) / d.number;
	d.bits = d.bits < DIGIT_BITS ? d.bits : DIGIT_BITS;
	d.low = bits > d.number * d.bits ? bits - d.number * d.bits : 0;
	return d;
}

FILCHI_SORT_INLINE void sort_by_digits(const struct filchi_radix *r, char *a, char *b, size_t n, bool there,
				       uint64_t min, uint64_t max, size_t size, bool wide, bool floating)
{
	struct digits d = choose_digits(n, 64 - (unsigned)__builtin_clzll(max - min));
	uint32_t place[MAX_DIGITS][1u << DIGIT_BITS];
	uint64_t mask = (1u << d.bits) - 1;
	char *from = a, *to = b;

	for (unsigned digit = 0; digit < d.number; digit++)
		memset(place[digit], 0, sizeof(uint32_t) << d.bits);
	for (size_t i = 0; i < n; i++) {
		uint64_t high = (key_of(r, a + i * size, size, wide, floating) - min) >> d.low;

		for (unsigned digit = 0; digit < d.number; digit++)
			place[digit][high >> digit * d.bits & mask]++;
	}
	for (unsigned digit = 0; digit < d.number; digit++) {
		unsigned shift = d.low + digit * d.bits;
		uint32_t next = 0;
		char *swapped = from;

		for (size_t i = 0; i <= mask; i++) {
			uint32_t in_bucket = place[digit][i];

			place[digit][i] = next;
			next += in_bucket;
		}
		for (size_t i = 0; i < n; i++) {
			const char *element = from + i * size;
			uint64_t key = key_of(r, element, size, wide, floating) - min;

			memcpy(to + place[digit][key >> shift & mask]++ * size, element, size);
		}
		from = to;
		to = swapped;
	}
	if (d.low)
		sort_ties(r, from, to, n, min, d.low, size, wide, floating);
	if (from != (there ? b : a))
		memcpy(to, from, n * size);
}

FILCHI_SORT_INLINE void reverse(char *a, size_t n, size_t from, size_t to, size_t size)
{
	for (; from < to; from++)
		filchi_swap(a + from * size, a + (n - 1 - from) * size, size);
}

FILCHI_SORT_INLINE void sort(const struct filchi_radix *r, char *a, char *b, size_t n, bool there, size_t size,
			     bool wide, bool floating)
{
	struct filchi_radix_view view;

	if (n > FEW) {
		look(r, a, n, &view, size, wide, floating);
		if (!view.rising && !view.falling) {
			if (n > FILCHI_RADIX_CACHE / size && n > 4096)
				sort_by_cut(r, a, b, n, there, view.min, view.max, size, wide, floating);
			else
				sort_by_digits(r, a, b, n, there, view.min, view.max, size, wide, floating);
			return;
		}
		if (view.falling)
			reverse(a, n, 0, n / 2, size);
	} else
		insertion_sort(r, a, n, size, wide, floating);
	if (there)
		memcpy(b, a, n * size);
}

/* ---- compiled for each kind of element ---- */

#define KERNEL(name, size, wide, floating)                                                                             \
	static void name##_look(const struct filchi_radix *r, const char *a, size_t n, struct filchi_radix_view *view) \
	{                                                                                                              \
		look(r, a, n, view, size, wide, floating);                                                             \
	}                                                                                                              \
	static void name##_count(const struct filchi_radix *r, const char *a, size_t n, uint64_t min, unsigned shift,  \
				 size_t *counts)                                                                       \
	{                                                                                                              \
		count(r, a, n, min, shift, counts, size, wide, floating);                                              \
	}                                                                                                              \
	static void name##_move(const struct filchi_radix *r, const char *a, size_t n, uint64_t min, unsigned shift,   \
				size_t *place, char *b)                                                                \
	{                                                                                                              \
		move(r, a, n, min, shift, place, b, size, wide, floating);                                             \
	}                                                                                                              \
	static void name##_sort(const struct filchi_radix *r, char *a, char *b, size_t n, bool there)                  \
	{                                                                                                              \
		sort(r, a, b, n, there, size, wide, floating);                                                         \
	}                                                                                                              \
	static void name##_reverse(const struct filchi_radix *r, char *a, size_t n, size_t from, size_t to)            \
	{                                                                                                              \
		(void)r;                                                                                               \
		reverse(a, n, from, to, size);                                                                         \
	}                                                                                                              \
	static uint64_t name##_key(const struct filchi_radix *r, const char *element)                                  \
	{                                                                                                              \
		return key_of(r, element, size, wide, floating);                                                       \
	}                                                                                                              \
	static const struct filchi_radix_kernel name = {.look = name##_look,                                           \
							.count = name##_count,                                         \
							.move = name##_move,                                           \
							.sort = name##_sort,                                           \
							.reverse = name##_reverse,                                     \
							.key = name##_key}

KERNEL(int_4, 4, false, false);
KERNEL(float_4, 4, false, true);
KERNEL(int_8, 8, true, false);
KERNEL(float_8, 8, true, true);
KERNEL(pair_8, 8, false, r->floating);
KERNEL(pair_16, 16, r->wide, r->floating);
KERNEL(any, r->size, r->wide, r->floating);

const struct filchi_radix_kernel *filchi_radix_kernel(const struct filchi_radix *r)
{
	if (r->size == 4)
		return r->floating ? &float_4 : &int_4;
	if (r->size == 8 && r->wide)
		return r->floating ? &float_8 : &int_8;
	return r->size == 8 ? &pair_8 : r->size == 16 ? &pair_16 : &any;
}
