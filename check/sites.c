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

/* An order that C11 does not give the operation. */
static bool bad_order(const struct chk_site *site)
{
	unsigned order = site->declared;

	switch (site->op) {
	case CHK_LOAD:
		return order != CHK_RLX && order != CHK_ACQ && order != CHK_SC;
	case CHK_STORE:
		return order != CHK_RLX && order != CHK_REL && order != CHK_SC;
	case CHK_CAS:
		return order > CHK_SC || (site->fail != CHK_RLX && site->fail != CHK_ACQ && site->fail != CHK_SC);
	case CHK_EXCHANGE:
	case CHK_FETCH_ADD:
		return order > CHK_SC;
	case CHK_FENCE:
		return order > CHK_SC || order == CHK_RLX;
	case CHK_CELL_READ:
	case CHK_CELL_WRITE:
		return false;
	}
	return true;
}

void chki_site_register(struct chk_site *site)
{
	if (bad_order(site))
		chki_fail(CHK_MISUSE, "an order that the operation cannot have (%s:%d)", site->file, site->line);
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
