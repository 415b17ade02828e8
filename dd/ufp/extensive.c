/* SPDX-License-Identifier: Apache-2.0 */
#include "extensive.h"

#include "network.h"

#include <errno.h>
#include <inttypes.h>

#define PER_LINE 8u /* terms */

/* Terms of one row, broken into lines. */
struct row {
	FILE *f;
	unsigned terms;
};

static void begin(struct row *r, const char *name, size_t scenario, size_t number)
{
	fprintf(r->f, " %s_%zu_%zu:", name, scenario, number);
	r->terms = 0;
}

/* Ends a row: terms, then the comparison. A row without terms gets one that is zero. */
static void end(struct row *r, const char *comparison, int64_t right)
{
	fprintf(r->f, "%s %s %" PRId64 "\n", r->terms ? "" : " 0 nothing", comparison, right);
}

static void term(struct row *r, int64_t factor, const char *name, size_t a, size_t b)
{
	if (r->terms && r->terms % PER_LINE == 0)
		fputs("\n ", r->f);
	fprintf(r->f, " %c %" PRId64 " %s_%zu_%zu", factor < 0 ? '-' : '+', factor < 0 ? -factor : factor, name, a, b);
	r->terms++;
}

static void write_objective(FILE *f, const struct filchi_ufp_network *n)
{
	struct row r = {.f = f};

	fputs("Maximize\n reward:", f);
	for (size_t k = 0; k < n->scenarios; k++)
		for (size_t a = 0; a < n->arcs; a++)
			if (n->u->arc[a].reward)
				term(&r, n->u->arc[a].reward, "x", k, a);
	fputs(" + 0 nothing\nSubject To\n", f);
}

/* At most one pair at each port. */
static void write_matching(FILE *f, const struct filchi_ufp_network *n)
{
	struct row r = {.f = f};

	for (size_t i = 0; i < n->qs; i++) {
		const struct filchi_ufp_q *q = &n->q[i];

		for (uint32_t a = 0; a < q->ins; a++) {
			begin(&r, "in", q->node, q->in[a]);
			for (uint32_t b = 0; b < q->outs; b++)
				term(&r, 1, "z", q->in[a], q->out[b]);
			end(&r, "<=", 1);
		}
		for (uint32_t b = 0; b < q->outs; b++) {
			begin(&r, "out", q->node, q->out[b]);
			for (uint32_t a = 0; a < q->ins; a++)
				term(&r, 1, "z", q->in[a], q->out[b]);
			end(&r, "<=", 1);
		}
	}
}

/* The flow of an arc is that of its pairs at this end, and pairs that are not matched have none. */
static void write_pairs(FILE *f, const struct filchi_ufp_network *n, size_t k)
{
	struct row r = {.f = f};

	for (size_t a = 0; a < n->arcs; a++) {
		uint32_t ends[2] = {n->q_of[n->u->arc[a].head], n->q_of[n->u->arc[a].tail]};

		for (unsigned side = 0; side < 2; side++) {
			const struct filchi_ufp_q *q = &n->q[ends[side]];

			if (ends[side] == FILCHI_UFP_NONE)
				continue;
			begin(&r, side ? "from" : "to", k, a);
			term(&r, 1, "x", k, a);
			for (size_t p = q->pair; p < q->pair + (size_t)q->ins * q->outs; p++)
				if ((side ? n->pair[p].out : n->pair[p].in) == a)
					term(&r, -1, "y", k, p);
			end(&r, "=", 0);
		}
	}
	for (size_t p = 0; p < n->pairs; p++) {
		int64_t in = n->u->arc[n->pair[p].in].capacity, out = n->u->arc[n->pair[p].out].capacity;

		begin(&r, "pair", k, p);
		term(&r, 1, "y", k, p);
		term(&r, -(in < out ? in : out), "z", n->pair[p].in, n->pair[p].out);
		end(&r, "<=", 0);
	}
}

static void write_nodes(FILE *f, const struct filchi_ufp_network *n, size_t k)
{
	const struct filchi_ufp *u = n->u;
	struct row r = {.f = f};

	for (size_t v = 0; v < u->nodes; v++)
		for (int sign = 1; !u->in_q[v] && sign >= -1; sign -= 2) {
			begin(&r, sign > 0 ? "supply" : "demand", k, v);
			for (size_t a = 0; a < n->arcs; a++)
				if (u->arc[a].tail == v || u->arc[a].head == v)
					term(&r, u->arc[a].tail == v ? sign : -sign, "x", k, a);
			end(&r, "<=", sign > 0 ? u->supply[v] : filchi_ufp_demand(u, k, v));
		}
}

int filchi_ufp_write_extensive(FILE *f, const struct filchi_ufp *u)
{
	struct filchi_ufp_network n;
	int err = filchi_ufp_network_make(&n, u);

	if (err)
		return err;
	write_objective(f, &n);
	write_matching(f, &n);
	for (size_t k = 0; k < n.scenarios; k++) {
		write_pairs(f, &n, k);
		write_nodes(f, &n, k);
	}
	fputs(" none: nothing = 0\nBounds\n", f);
	for (size_t k = 0; k < n.scenarios; k++)
		for (size_t a = 0; a < n.arcs; a++)
			fprintf(f, " 0 <= x_%zu_%zu <= %" PRId64 "\n", k, a, u->arc[a].capacity);
	fputs(n.pairs ? "Binary\n" : "", f);
	for (size_t p = 0; p < n.pairs; p++)
		fprintf(f, " z_%" PRIu32 "_%" PRIu32 "\n", n.pair[p].in, n.pair[p].out);
	fputs("End\n", f);
	filchi_ufp_network_destroy(&n);
	return fflush(f) || ferror(f) ? -EIO : 0;
}
