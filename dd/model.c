/* SPDX-License-Identifier: Apache-2.0 */
/* The problem as the caller describes it: check, and hash of a state. */
#include "dd.h"

#include "../src/base/sized.h"

#include <errno.h>

#define STATE_MAX ((size_t)1 << 24)
#define CHILDREN_MAX ((unsigned)1 << 20)

int filchi_dd_model_init(struct filchi_dd_model *model, const struct filch_dd_problem *problem)
{
	struct filch_dd_problem *p = &model->p;
	int err = problem ? filchi_sized_copy(p, sizeof(*p), problem) : -EINVAL;

	if (err)
		return err;
	if (!p->root || !p->expand || p->variables < 0 || !p->state_size || p->state_size > STATE_MAX)
		return -EINVAL;
	if (p->goal != FILCH_SEARCH_MAXIMISE && p->goal != FILCH_SEARCH_MINIMISE)
		return -EINVAL;
	if (p->coordinates > 8 || p->key_size > STATE_MAX || p->children_max > CHILDREN_MAX || !p->hash != !p->equal)
		return -EINVAL;
	if (p->flags & ~(unsigned)(FILCH_DD_STATE_ONLY | FILCH_DD_LAYER_CUTSET | FILCH_DD_NO_THRESHOLDS |
				   FILCH_DD_WIDEN))
		return -EINVAL;
	if (!p->children_max)
		p->children_max = 2;
	model->sign = p->goal == FILCH_SEARCH_MAXIMISE ? 1 : -1;
	model->stride = (p->state_size + 7) & ~(size_t)7;
	return 0;
}

int filchi_dd_cutset(const struct filchi_dd_model *model, const char *name, bool *use_layer)
{
	*use_layer = name ? !strcmp(name, "layer") : !!(model->p.flags & FILCH_DD_LAYER_CUTSET);
	return name && !*use_layer && strcmp(name, "frontier") != 0 ? -ENOENT : 0;
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
