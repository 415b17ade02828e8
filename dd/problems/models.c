/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all models. */
#include "model.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *name;
	int (*make)(struct filch_dd_problem *p, const void *instance);
	void (*destroy)(struct filch_dd_problem *p);
} models[] = {
#define MODEL(name)                                                                                                    \
	{                                                                                                              \
#name, filchi_##name##_model_make, filchi_##name##_model_destroy                                               \
	}
	MODEL(golomb), MODEL(knapsack), MODEL(max2sat), MODEL(maxcut), MODEL(misp), MODEL(sop), MODEL(tsptw),
};
#define MODELS (sizeof(models) / sizeof(models[0]))

int filchi_model_make(struct filch_dd_problem *p, const char *name, const void *instance)
{
	for (size_t i = 0; i < MODELS; i++)
		if (!strcmp(models[i].name, name))
			return models[i].make(p, instance);
	return -ENOENT;
}

void filchi_model_destroy(struct filch_dd_problem *p, const char *name)
{
	for (size_t i = 0; i < MODELS; i++)
		if (!strcmp(models[i].name, name))
			models[i].destroy(p);
}

uint64_t filchi_model_fingerprint(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *b = bytes;

	hash ^= 0xcbf29ce484222325u; /* FNV-1a */
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ b[i]) * 0x100000001b3u;
	return hash;
}
