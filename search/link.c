/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The join of this search with others of other machines.
 *
 * Edges:
 *   CNT  counts, which order nothing
 */
#include "search.h"

#include "../src/base/sized.h"
#include "error.h"

#include <errno.h>

int filch_search_join(struct filch_search *s, const struct filch_search_link *link)
{
	struct filch_search_link mine;
	struct filchi_search_best *best;

	if (!s)
		return filchi_search_error_null("search");
	if (filchi_sized_copy(&mine, sizeof(mine), link))
		return filchi_search_error_sized("struct filch_search_link", link);
	mine.parts = mine.parts ? mine.parts : 1;
	if (mine.part >= mine.parts)
		return filchi_search_error(-EINVAL, "part is %u: must be less than parts, %u", mine.part, mine.parts);
	if (mine.saved && !s->problem.pack)
		return filchi_search_error(-EINVAL, "pack is NULL, so there are no checkpoints");
	if (mine.saved && mine.parts > 1 && s->problem.pack_state)
		return filchi_search_error(-EINVAL,
					   "a checkpoint of several parts has no state, but there is a pack_state");
	if (filchi_search_busy(s, true))
		return filchi_search_error_busy();
	s->link = mine;
	best = mine.improved ? filchi_search_best_borrow(s) : NULL;
	if (best)
		mine.improved(filchi_search_value(s, best->key), best->solution, mine.arg);
	if (mine.improved)
		filchi_search_best_return(s);
	(void)filchi_search_busy(s, false);
	return 0;
}

const struct filch_search_problem *filch_search_problem(const struct filch_search *s)
{
	return &s->problem;
}

/*
 * The caller's hold is a token, and only a thread with a token makes another one. So if there is no other token, there
 * will be none until the caller adds nodes. The inbox may have nodes without a token while a run has no jobs.
 */
int filch_search_quiet(struct filch_search *s)
{
	bool quiet;

	filchi_search_lock(&s->lock);
	quiet = !s->inbox.count && filchi_load_rlx(&s->tokens, CNT) == 1;
	filchi_search_unlock(&s->lock);
	return quiet;
}

int filch_search_look(struct filch_search *s, struct filch_search_progress *progress)
{
	struct filch_search_progress p;

	if (!s || !progress)
		return filchi_search_error_null(s ? "progress" : "search");
	filchi_search_progress(s, filchi_search_clock(), &p);
	if (filchi_sized_fill(progress, &p, sizeof(p)))
		return filchi_search_error_sized("struct filch_search_progress", progress);
	return 0;
}
