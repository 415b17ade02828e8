/* SPDX-License-Identifier: Apache-2.0 */
#include "kind.h"

#include <filch/deque.h>
#include <string.h>

/* All subjects. A kind of the library that is missing here makes each run fail. */
extern const struct filchi_bench_loops filchi_bench_abp, filchi_bench_global;
extern const struct filchi_bench_loops filchi_bench_locked, filchi_bench_chase_lev, filchi_bench_split;
extern const struct filchi_bench_loops filchi_bench_private, filchi_bench_chase_lev_asym;
extern const struct filchi_bench_loops filchi_bench_bwos_lifo, filchi_bench_bwos_fifo;

static const struct filchi_bench_loops *const all[] = {
	&filchi_bench_plain,	 &filchi_bench_locked,	       &filchi_bench_global, &filchi_bench_abp,
	&filchi_bench_chase_lev, &filchi_bench_chase_lev_asym, &filchi_bench_split,  &filchi_bench_private,
	&filchi_bench_bwos_lifo, &filchi_bench_bwos_fifo,
};

const struct filchi_bench_loops *filchi_bench_loops_find(const char *name)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}

bool filchi_bench_loops_allow(const struct filchi_bench_loops *loops, unsigned thieves)
{
	const struct filch_deque_info *info;

	if (!loops->thief)
		return !thieves;
	for (unsigned i = 0; (info = filch_deque_kind_info(i)); i++)
		if (!strcmp(info->name, loops->name))
			return !info->thieves || info->thieves >= thieves;
	return true;
}
