/* SPDX-License-Identifier: Apache-2.0 */
/* The problem as the caller describes it: check, and hash of a state. */
#include "dd.h"

#include "../src/base/sized.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#define STATE_MAX ((size_t)1 << 24)
#define CHILDREN_MAX ((unsigned)1 << 20)
#define FLAGS                                                                                                          \
	(unsigned)(FILCH_DD_STATE_ONLY | FILCH_DD_LAYER_CUTSET | FILCH_DD_NO_THRESHOLDS | FILCH_DD_WIDEN)

int filchi_dd_error(int err, const char *format, ...)
{
	char text[256];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return filch_error_set(err, text);
}

int filchi_dd_error_sized(const char *type, const void *theirs)
{
	size_t size = filchi_sized_size(theirs);

	if (filchi_sized_makes_sense(size))
		return filchi_dd_error(-EINVAL, "%s: a field is set that this library does not know", type);
	return filchi_dd_error(-EINVAL, "%s: struct_size is %zu; set it to sizeof(%s)", type, size, type);
}

/* Fields without which there is no problem. */
static int check_basics(const struct filch_dd_problem *p)
{
	if (!p->root || !p->expand)
		return filchi_dd_error(-EINVAL, "the function %s of the problem is NULL", p->root ? "expand" : "root");
	if (p->variables < 0)
		return filchi_dd_error(-EINVAL, "variables of the problem is %d: must be 0 or more", p->variables);
	if (!p->state_size || p->state_size > STATE_MAX)
		return filchi_dd_error(-EINVAL, "state_size of the problem is %zu: must be 1 to %zu", p->state_size,
				       STATE_MAX);
	if (p->goal != FILCH_SEARCH_MAXIMISE && p->goal != FILCH_SEARCH_MINIMISE)
		return filchi_dd_error(-EINVAL,
				       "goal of the problem is %d: must be FILCH_SEARCH_MAXIMISE or "
				       "FILCH_SEARCH_MINIMISE",
				       (int)p->goal);
	return 0;
}

static int check_rest(const struct filch_dd_problem *p)
{
	if (p->coordinates > 8)
		return filchi_dd_error(-EINVAL, "coordinates of the problem is %u: must be 0 to 8", p->coordinates);
	if (p->key_size > STATE_MAX)
		return filchi_dd_error(-EINVAL, "key_size of the problem is %zu: must be 0 to %zu", p->key_size,
				       STATE_MAX);
	if (p->children_max > CHILDREN_MAX)
		return filchi_dd_error(-EINVAL, "children_max of the problem is %u: must be 0 to %u", p->children_max,
				       CHILDREN_MAX);
	if (!p->hash != !p->equal)
		return filchi_dd_error(-EINVAL, "the problem has a function %s, but no function %s",
				       p->hash ? "hash" : "equal", p->hash ? "equal" : "hash");
	if (p->flags & ~FLAGS)
		return filchi_dd_error(-EINVAL, "flags of the problem is %#x: there is no flag %#x", p->flags,
				       p->flags & ~FLAGS);
	return 0;
}

int filchi_dd_model_init(struct filchi_dd_model *model, const struct filch_dd_problem *problem)
{
	struct filch_dd_problem *p = &model->p;
	int err;

	if (!problem)
		return filchi_dd_error(-EINVAL, "the problem is NULL");
	if (filchi_sized_copy(p, sizeof(*p), problem))
		return filchi_dd_error_sized("struct filch_dd_problem", problem);
	err = check_basics(p);
	if (!err)
		err = check_rest(p);
	if (err)
		return err;
	if (!p->children_max)
		p->children_max = 2;
	model->sign = p->goal == FILCH_SEARCH_MAXIMISE ? 1 : -1;
	model->stride = (p->state_size + 7) & ~(size_t)7;
	return 0;
}

int filchi_dd_cutset(const struct filchi_dd_model *model, const char *name, bool *use_layer)
{
	*use_layer = name ? !strcmp(name, "layer") : !!(model->p.flags & FILCH_DD_LAYER_CUTSET);
	if (name && !*use_layer && strcmp(name, "frontier") != 0)
		return filchi_dd_error(-ENOENT, "cutset is %.32s: must be frontier or layer", name);
	return 0;
}

uint64_t filchi_dd_hash(const struct filchi_dd_model *model, const void *state)
{
	const unsigned char *bytes = state;
	uint64_t hash = 0;

	if (model->p.hash)
		return model->p.hash(state, model->p.arg) * UINT64_C(0x9e3779b97f4a7c15);
	for (size_t i = 0; i < model->stride; i += 8) {
		uint64_t word;

		memcpy(&word, bytes + i, 8);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash ^ hash >> 32;
}
