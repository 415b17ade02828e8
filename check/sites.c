/* SPDX-License-Identifier: Apache-2.0 */
/* Call sites, and their weakening for mutation runs. */
#include "internal.h"

enum { MAX_SITES = 2048 };

static struct chk_site *all[MAX_SITES];
static unsigned count;

/* Inline functions leave a copy of their sites in every object file that includes them: one place in the source. */
static bool same_place(const struct chk_site *a, const struct chk_site *b)
{
	return a->line == b->line && a->op == b->op && a->declared == b->declared && !strcmp(a->file, b->file) &&
	       !strcmp(a->edge, b->edge) && !strcmp(a->what, b->what);
}

void chki_site_register(struct chk_site *site)
{
	for (unsigned i = 0; i < count; i++) {
		if (same_place(all[i], site)) {
			site->order = all[i]->order;
			break;
		}
	}
	if (count == MAX_SITES)
		chki_fail(CHK_MISUSE, "more than %d call sites", MAX_SITES);
	all[count++] = site;
	site->id = (int)count;
}

const struct chk_site *chki_site(unsigned id)
{
	return id && id <= count ? all[id - 1] : NULL;
}

unsigned chk_sites(const struct chk_site **sites, unsigned capacity)
{
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++) {
		bool again = false;

		for (unsigned j = 0; j < i && !again; j++)
			again = same_place(all[i], all[j]);
		if (again)
			continue;
		if (n < capacity)
			sites[n] = all[i];
		n++;
	}
	return n;
}

void chk_weaken(const struct chk_site *site, enum chk_order to)
{
	for (unsigned i = 0; i < count; i++) {
		if (!site)
			all[i]->order = all[i]->declared;
		else if (same_place(all[i], site))
			all[i]->order = to;
	}
}
