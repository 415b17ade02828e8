/* SPDX-License-Identifier: Apache-2.0 */
/* The axes and settings. The names come from the library. */
#define _GNU_SOURCE

#include "../harness/pin.h"
#include "tune.h"

#include <errno.h>
#include <filch/deque.h>
#include <filch/pool.h>
#include <stdlib.h>
#include <string.h>

struct filchi_tune *filchi_tune_new(const struct filchi_tune_options *options)
{
	struct filchi_tune *t = calloc(1, sizeof(*t));
	struct filchi_child_stream *streams[4];

	if (!t)
		return NULL;
	streams[0] = &t->wanted;
	streams[1] = &t->wanted_err;
	streams[2] = &t->out;
	streams[3] = &t->err;
	t->options = *options;
	t->setting_count = 1;
	t->best = t->settings;
	filchi_rng_seed(&t->rng, 1);
	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++)
		*streams[i] = (struct filchi_child_stream){.text = t->texts[i], .size = sizeof(t->texts[i])};
	return t;
}

void filchi_tune_free(struct filchi_tune *t)
{
	for (size_t i = 0; t && i < t->setting_count; i++)
		free(t->settings[i].samples);
	free(t);
}

/* The defaults, as in filch/pool.h. The number of workers depends on the machine. */
static const struct {
	const char *name, *variable, *usual;
	const char *(*names)(unsigned);
} kinds[FILCHI_TUNE_AXES] = {
	[FILCHI_TUNE_WORKERS] = {"workers", "FILCH_WORKERS", "", NULL},
	[FILCHI_TUNE_DEQUE] = {"deque", "FILCH_DEQUE", "split", filch_deque_kind_name},
	[FILCHI_TUNE_VICTIM] = {"victim", "FILCH_VICTIM", "random", filch_victim_name},
	[FILCHI_TUNE_WAIT] = {"wait", "FILCH_WAIT", "balanced", filch_wait_name},
};

/* The library knows the quotas, so ask it for the number of workers. Its variables are not set by now. */
static unsigned usual_workers(void)
{
	struct filch_pool *pool;
	unsigned workers = 0;

	if (!filch_pool_create(&pool, NULL)) {
		workers = filch_pool_workers(pool);
		filch_pool_destroy(pool);
	}
	if (!workers)
		workers = filchi_pin_cpus();
	return workers ? workers : 1;
}

static void add_value(struct filchi_tune_axis *a, const char *value)
{
	if (a->count < FILCHI_TUNE_MAX_VALUES)
		snprintf(a->values[a->count++], sizeof(a->values[0]), "%s", value);
}

/* Powers of two below the usual number, and that number. */
static void add_workers(struct filchi_tune_axis *a, unsigned usual)
{
	char text[16];

	for (unsigned workers = 1; workers < usual; workers *= 2) {
		snprintf(text, sizeof(text), "%u", workers);
		add_value(a, text);
	}
	add_value(a, a->usual);
}

static bool there_is(const char *name, const char *(*names)(unsigned))
{
	const char *one;

	for (unsigned i = 0; (one = names(i)); i++)
		if (!strcmp(one, name))
			return true;
	return false;
}

static int fill_axis(struct filchi_tune_axis *a, size_t which, const struct filchi_tune_options *o)
{
	const char *(*names)(unsigned) = kinds[which].names;
	unsigned workers = names ? 0 : usual_workers();

	a->name = kinds[which].name;
	a->variable = kinds[which].variable;
	snprintf(a->usual, sizeof(a->usual), "%s", kinds[which].usual);
	if (!names)
		snprintf(a->usual, sizeof(a->usual), "%u", workers);
	for (size_t i = 0; i < o->counts[which]; i++) {
		if (names && !there_is(o->values[which][i], names))
			return -EINVAL;
		add_value(a, o->values[which][i]);
	}
	if (!o->counts[which] && !names)
		add_workers(a, workers);
	for (unsigned i = 0; !o->counts[which] && names && names(i); i++)
		add_value(a, names(i));
	/* An unknown default would make all statements on the defaults wrong. */
	return names && !there_is(a->usual, names) ? -EINVAL : 0;
}

int filchi_tune_space(struct filchi_tune *t)
{
	size_t length = 0;
	int err = 0;

	for (size_t i = 0; i < FILCHI_TUNE_AXES; i++) {
		if (getenv(kinds[i].variable) && length < sizeof(t->unset))
			length += (size_t)snprintf(t->unset + length, sizeof(t->unset) - length, "%s%s",
						   length ? ", " : "", kinds[i].variable);
		unsetenv(kinds[i].variable);
	}
	for (size_t i = 0; i < FILCHI_TUNE_AXES && !err; i++)
		err = fill_axis(&t->axes[i], i, &t->options);
	return err;
}

struct filchi_tune_setting *filchi_tune_setting(struct filchi_tune *t, const char *const *values)
{
	struct filchi_tune_setting *s;
	const char *own[FILCHI_TUNE_AXES];

	for (size_t i = 0; i < FILCHI_TUNE_AXES; i++)
		own[i] = values[i] && strcmp(values[i], t->axes[i].usual) ? values[i] : NULL;
	for (size_t i = 0; i < t->setting_count; i++) {
		bool same = true;

		for (size_t axis = 0; axis < FILCHI_TUNE_AXES; axis++)
			same = same && !strcmp(filchi_tune_value(t, &t->settings[i], axis),
					       own[axis] ? own[axis] : t->axes[axis].usual);
		if (same)
			return &t->settings[i];
	}
	if (t->setting_count == FILCHI_TUNE_MAX_SETTINGS)
		return NULL;
	s = &t->settings[t->setting_count++];
	memcpy(s->values, own, sizeof(own));
	return s;
}

const char *filchi_tune_value(const struct filchi_tune *t, const struct filchi_tune_setting *s, size_t axis)
{
	return s->values[axis] ? s->values[axis] : t->axes[axis].usual;
}

/* Adds the values that are not the defaults, each as "BEFOREvalue". */
static void list(const struct filchi_tune *t, const struct filchi_tune_setting *s, bool variables, char *text,
		 size_t size)
{
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < FILCHI_TUNE_AXES; i++) {
		const struct filchi_tune_axis *a = &t->axes[i];

		if (!s->values[i] || length >= size)
			continue;
		if (variables)
			length += (size_t)snprintf(text + length, size - length, "%s%s=%s", length ? " " : "",
						   a->variable, s->values[i]);
		else
			length += (size_t)snprintf(text + length, size - length, "%s%s %s", length ? ", " : "", a->name,
						   s->values[i]);
	}
}

void filchi_tune_variables(const struct filchi_tune *t, const struct filchi_tune_setting *s, char *text, size_t size)
{
	list(t, s, true, text, size);
}

void filchi_tune_name(const struct filchi_tune *t, const struct filchi_tune_setting *s, char *text, size_t size)
{
	list(t, s, false, text, size);
	if (!*text)
		snprintf(text, size, "the defaults");
}
