/* SPDX-License-Identifier: Apache-2.0 */
/* Options: from the caller, else from the environment, else the default. */
#include "../base/sized.h"
#include "pool.h"

#include "../os/limits.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN_STACK ((size_t)64 << 10)
#define MAX_STACK ((size_t)1 << (FILCHI_WORD_BITS == 64 ? 40 : 31))
/* Capacity of the deque that grows in reserved address space. An item without room goes to the injector, or runs at
 * once. */
#define MAX_RESERVED ((size_t)FILCHI_TUNE(1 << 20, 8))

static const char *const victims[] = {
	[FILCHI_VICTIM_RANDOM] = "random", [FILCHI_VICTIM_SEQUENTIAL] = "sequential", [FILCHI_VICTIM_LAST] = "last",
	[FILCHI_VICTIM_TWO] = "two",	   [FILCHI_VICTIM_NEAREST] = "nearest",	      [FILCHI_VICTIM_SIZE] = "size",
};
static const char *const waits[] = {
	[FILCHI_WAIT_BALANCED] = "balanced",
	[FILCHI_WAIT_LATENCY] = "latency",
	[FILCHI_WAIT_POWER] = "power",
};
static const char *const joins[] = {
	[FILCHI_JOIN_TRANSITIVE] = "transitive",
	[FILCHI_JOIN_LEAPFROG] = "leapfrog",
	[FILCHI_JOIN_RANDOM] = "random",
};

const char *filch_victim_name(unsigned n)
{
	return n < FILCHI_VICTIM_COUNT ? victims[n] : NULL;
}

const char *filch_wait_name(unsigned n)
{
	return n < FILCHI_WAIT_COUNT ? waits[n] : NULL;
}

const char *filch_join_name(unsigned n)
{
	return n < FILCHI_JOIN_COUNT ? joins[n] : NULL;
}

/* Parses digits, and a unit after them. units: pairs of letters, for 2^10, 2^20 and so on. */
static bool parse(const char *text, const char *units, uint64_t max, uint64_t *value)
{
	const char *unit;
	char *end;
	unsigned shift = 0;

	errno = 0;
	*value = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		shift = 10 * (unsigned)((unit - units) / 2 + 1);
		end++;
	}
	if (*text < '0' || *text > '9' || *end || errno || *value > max >> shift)
		return false;
	*value <<= shift;
	return true;
}

/* Reads a number from the environment. 1: it is set; 0: it is not set; -EINVAL. */
static int number_from(const char *variable, uint64_t max, uint64_t *value)
{
	const char *text = getenv(variable);

	if (!text || !*text)
		return 0;
	if (!parse(text, "", max, value))
		return filchi_fail(-EINVAL, "%s=%.64s: must be a number from 0 to %llu", variable, text,
				   (unsigned long long)max);
	return 1;
}

static void name_from(const char *variable, const char **name)
{
	const char *text = getenv(variable);

	if (!*name && text && *text)
		*name = text;
}

/* The field of the options has the name of its variable: victim and FILCH_VICTIM. */
static int no_such(const char *variable, const char *what, const char *name, const char *(*names)(unsigned))
{
	const char *field = variable + strlen("FILCH_");
	char from[32];

	if (name == getenv(variable)) {
		snprintf(from, sizeof(from), "%s=", variable);
	} else {
		snprintf(from, sizeof(from), "%s is ", field);
		for (char *c = from; *c; c++)
			*c = (char)tolower((unsigned char)*c);
	}
	return filchi_fail_unknown(-EINVAL, from, what, name, names);
}

static int find_name(const char *variable, const char *what, const char *name, const char *(*names)(unsigned))
{
	unsigned n = 0;

	if (!name)
		return 0;
	for (; names(n); n++)
		if (!strcmp(names(n), name))
			return (int)n;
	return no_such(variable, what, name, names);
}

static const char *deque_name(unsigned n)
{
	return n < filchi_deque_kind_count ? filchi_deque_kinds[n].info.name : NULL;
}

/* For an option whose 0 means: read the variable. none: the value of the option if the variable is 0. */
static int int_from(const char *variable, uint64_t max, int none, int *option)
{
	uint64_t value;
	int set = *option ? 0 : number_from(variable, max, &value);

	if (set > 0)
		*option = value ? (int)value : none;
	return set < 0 ? set : 0;
}

static int size_from(const char *variable, uint64_t max, size_t *option)
{
	uint64_t value;
	int set = *option ? 0 : number_from(variable, max, &value);

	if (set > 0)
		*option = (size_t)value;
	return set < 0 ? set : 0;
}

/* A size in bytes. 0 means the default, as in the options. */
static int stack_from(const char *variable, size_t *option)
{
	const char *text = getenv(variable);
	uint64_t value = 0;

	if (*option || !text || !*text)
		return 0;
	if (!parse(text, "kKmMgG", MAX_STACK, &value) || (value && value < MIN_STACK))
		return filchi_fail(-EINVAL,
				   "%s=%.64s: must be a number of bytes from %zuk to %zug, with k, m, g or no unit",
				   variable, text, MIN_STACK >> 10, MAX_STACK >> 30);
	*option = (size_t)value;
	return 0;
}

static int numbers_from_environment(struct filch_options *o)
{
	size_t searchers = o->searchers;
	int err = int_from("FILCH_WORKERS", FILCHI_MAX_WORKERS, FILCH_NONE, &o->workers);

	if (!err)
		err = size_from("FILCH_CAPACITY", FILCHI_DEQUE_MAX_CAPACITY, &o->capacity);
	if (!err)
		err = size_from("FILCH_SEARCHERS", FILCHI_MAX_WORKERS, &searchers);
	if (!err)
		err = int_from("FILCH_SPARES", FILCHI_MAX_WORKERS, FILCH_NONE, &o->spares);
	if (!err)
		err = stack_from("FILCH_STACK", &o->stack);
	if (!err)
		err = int_from("FILCH_PIN", 1, 0, &o->pin);
	if (!err)
		err = int_from("FILCH_STACK_REPORT", 1, FILCH_NONE, &o->stack_report);
	o->searchers = (unsigned)searchers;
	return err;
}

static int check_rest(const struct filch_options *o)
{
	if (o->stack < MIN_STACK || o->stack > MAX_STACK)
		return filchi_fail(-EINVAL, "stack is %zu: must be %zu to %zu bytes", o->stack, MIN_STACK, MAX_STACK);
	if (o->searchers > FILCHI_MAX_WORKERS)
		return filchi_fail(-EINVAL, "searchers is %u: must be at most %u", o->searchers, FILCHI_MAX_WORKERS);
	if (o->pin != 0 && o->pin != 1)
		return filchi_fail(-EINVAL, "pin is %d: must be 0 or 1", o->pin);
	if (o->stack_report != FILCH_NONE && o->stack_report != 1)
		return filchi_fail(-EINVAL, "stack_report is %d: must be FILCH_NONE, 0 or 1", o->stack_report);
	return 0;
}

static size_t default_stack(const struct filch_options *o)
{
	unsigned workers = o->workers > 0 ? (unsigned)o->workers : 0;
	unsigned spares = o->spares > 0 ? (unsigned)o->spares : 0;

	return filchi_limits_stack(workers + spares, NULL);
}

int filchi_options_complete(struct filch_options *o, const struct filch_options *opt, unsigned limit)
{
	int err;

	if (filchi_sized_copy(o, sizeof(*o), opt))
		return filchi_fail_sized("struct filch_options", opt);
	err = numbers_from_environment(o);
	if (err)
		return err;
	name_from("FILCH_DEQUE", &o->deque);
	name_from("FILCH_VICTIM", &o->victim);
	name_from("FILCH_WAIT", &o->wait);
	name_from("FILCH_JOIN", &o->join);
	if (!o->workers)
		o->workers = (int)limit;
	if (o->workers < FILCH_NONE || o->workers > (int)FILCHI_MAX_WORKERS)
		return filchi_fail(-EINVAL, "workers is %d: must be 0 to %u, or FILCH_NONE", o->workers,
				   FILCHI_MAX_WORKERS);
	if (!limit) /* The system has no threads: the caller runs all. */
		o->workers = FILCH_NONE;
	if (!o->deque)
		o->deque = "split";
	if (!o->stack_report)
		o->stack_report = 1;
	if (!o->spares)
		o->spares = o->workers;
	if (o->spares < FILCH_NONE || o->spares > (int)FILCHI_MAX_WORKERS)
		return filchi_fail(-EINVAL, "spares is %d: must be 0 to %u, or FILCH_NONE", o->spares,
				   FILCHI_MAX_WORKERS);
	if (!o->stack)
		o->stack = default_stack(o);
	return check_rest(o);
}

int filchi_options_setup(struct filchi_sched_setup *setup, enum filchi_join_policy *join_policy,
			 const struct filch_options *o)
{
	struct filch_deque_options deque = {.struct_size = sizeof(deque), .capacity = o->capacity};
	int victim = find_name("FILCH_VICTIM", "victim policy", o->victim, filch_victim_name);
	int wait = find_name("FILCH_WAIT", "wait policy", o->wait, filch_wait_name);
	int join = find_name("FILCH_JOIN", "join policy", o->join, filch_join_name);
	int err = victim < 0 ? victim : wait < 0 ? wait : join < 0 ? join : 0;

	if (err)
		return err;
	memset(setup, 0, sizeof(*setup));
	setup->kind = filchi_deque_find(o->deque);
	if (!setup->kind)
		return no_such("FILCH_DEQUE", "deque", o->deque, deque_name);
	/* A block that is not full belongs to the owner alone. Tasks are few: a block must have one only. */
	if (setup->kind->info.blocks && setup->kind->info.owner_order == FILCH_LIFO)
		deque.block_size = 1;
	/* A fixed capacity, even for a kind that could grow. */
	if (o->capacity)
		deque.max_capacity = o->capacity;
	else if (!strcmp(setup->kind->info.name, "split"))
		deque.max_capacity = MAX_RESERVED;
	if (filchi_deque_setup(&setup->deque, setup->kind, &deque))
		return filchi_fail(-EINVAL, "capacity is %zu: must be at most %zu", o->capacity,
				   FILCHI_DEQUE_MAX_CAPACITY);
	setup->workers = o->workers > 0 ? (uint32_t)o->workers : 0;
	setup->spares = setup->workers && o->spares > 0 ? (uint32_t)o->spares : 0;
	setup->victim = (enum filchi_victim_policy)victim;
	setup->wait = (enum filchi_wait_policy)wait;
	*join_policy = (enum filchi_join_policy)join;
	/* At least two. With one searcher, each searcher that finds an item would wake another worker. */
	setup->searchers = o->searchers ? o->searchers : setup->workers > 4 ? (setup->workers + 1) / 2 : 2;
	setup->stack_bytes = o->stack;
	return 0;
}
