/* SPDX-License-Identifier: Apache-2.0 */
#include "ufp.h"

#include <stdlib.h>

/* What was read so far. */
struct seen {
	size_t arcs, in_q;
	uint64_t *supply, *demand; /* bits */
	int64_t sum;		   /* of capacity times reward */
};

static bool read_in_q(struct filchi_text *t, struct filchi_ufp *u, struct seen *seen)
{
	size_t v;

	if (!filchi_text_size(t, "the node", 0, u->nodes - 1, &v) || !filchi_text_line_end(t))
		return false;
	if (u->in_q[v])
		return filchi_text_fail(t, "node %zu is in Q twice", v);
	if (seen->in_q == u->in_q_count)
		return filchi_text_fail(t, "there are more than the %zu nodes in Q of the line p", u->in_q_count);
	u->in_q[v] = true;
	seen->in_q++;
	return true;
}

static bool read_supply(struct filchi_text *t, struct filchi_ufp *u, struct seen *seen)
{
	size_t v;
	int64_t amount;

	if (!filchi_text_size(t, "the node", 0, u->nodes - 1, &v) ||
	    !filchi_text_integer(t, "the supply", 0, FILCHI_UFP_AMOUNT_MAX, &amount) || !filchi_text_line_end(t))
		return false;
	if (filchi_bit_test(seen->supply, v))
		return filchi_text_fail(t, "the supply of node %zu comes twice", v);
	filchi_bit_set(seen->supply, v);
	u->supply[v] = amount;
	return true;
}

static bool read_demand(struct filchi_text *t, struct filchi_ufp *u, struct seen *seen)
{
	size_t k, v;
	int64_t amount;

	if (!filchi_text_size(t, "the scenario", 0, u->scenarios - 1, &k) ||
	    !filchi_text_size(t, "the node", 0, u->nodes - 1, &v) ||
	    !filchi_text_integer(t, "the demand", 0, FILCHI_UFP_AMOUNT_MAX, &amount) || !filchi_text_line_end(t))
		return false;
	if (filchi_bit_test(seen->demand, k * u->nodes + v))
		return filchi_text_fail(t, "the demand of node %zu in scenario %zu comes twice", v, k);
	filchi_bit_set(seen->demand, k * u->nodes + v);
	u->demand[k * u->nodes + v] = amount;
	return true;
}

static bool read_arc(struct filchi_text *t, struct filchi_ufp *u, struct seen *seen)
{
	size_t tail, head;
	int64_t capacity, reward, product;

	if (!filchi_text_size(t, "the tail", 0, u->nodes - 1, &tail) ||
	    !filchi_text_size(t, "the head", 0, u->nodes - 1, &head) ||
	    !filchi_text_integer(t, "the capacity", 0, FILCHI_UFP_AMOUNT_MAX, &capacity) ||
	    !filchi_text_integer(t, "the reward", -FILCHI_UFP_REWARD_MAX, FILCHI_UFP_REWARD_MAX, &reward) ||
	    !filchi_text_line_end(t))
		return false;
	if (tail == head)
		return filchi_text_fail(t, "the arc joins node %zu to itself", tail);
	if (seen->arcs == u->arcs)
		return filchi_text_fail(t, "there are more than the %zu arcs of the line p", u->arcs);
	if (__builtin_mul_overflow(capacity * (int64_t)(reward != 0), reward, &product) ||
	    __builtin_mul_overflow(product, (int64_t)u->scenarios, &product) || product > FILCHI_TEXT_SUM_MAX ||
	    product < -FILCHI_TEXT_SUM_MAX)
		product = FILCHI_TEXT_SUM_MAX + 1;
	u->arc[seen->arcs++] = (struct filchi_ufp_arc){(uint32_t)tail, (uint32_t)head, capacity, reward};
	return filchi_text_sum(t, "capacities times rewards in all scenarios", &seen->sum, product);
}

static bool read_record(struct filchi_text *t, struct filchi_ufp *u, struct seen *seen)
{
	struct filchi_text_word kind;

	if (!filchi_text_word(t, &kind))
		return filchi_text_fail(t, "the line is empty");
	if (filchi_text_is(&kind, "q"))
		return read_in_q(t, u, seen);
	if (filchi_text_is(&kind, "s"))
		return read_supply(t, u, seen);
	if (filchi_text_is(&kind, "d"))
		return read_demand(t, u, seen);
	if (filchi_text_is(&kind, "a"))
		return read_arc(t, u, seen);
	if (filchi_text_is(&kind, "p"))
		return filchi_text_fail(t, "there is a second line p");
	return filchi_text_fail(t, "a line must begin with q, s, d, a or c");
}

/* Supply and demand are at nodes outside of Q only. */
static bool check_in_q(struct filchi_text *t, const struct filchi_ufp *u)
{
	for (size_t v = 0; v < u->nodes; v++) {
		if (!u->in_q[v])
			continue;
		if (u->supply[v])
			return filchi_text_fail(t, "node %zu is in Q and has supply", v);
		for (size_t k = 0; k < u->scenarios; k++)
			if (filchi_ufp_demand(u, k, v))
				return filchi_text_fail(t, "node %zu is in Q and has demand in scenario %zu", v, k);
	}
	return true;
}

static bool read_records(struct filchi_text *t, struct filchi_ufp *u)
{
	struct seen seen = {.supply = filchi_text_alloc(t, u->nodes / 64 + 1, sizeof(uint64_t)),
			    .demand = filchi_text_alloc(t, u->scenarios * u->nodes / 64 + 1, sizeof(uint64_t))};

	while (!t->failed && filchi_text_next_line(t, 'c'))
		read_record(t, u, &seen);
	if (!t->failed && (seen.arcs < u->arcs || t->cut))
		filchi_text_ended(t, "the file ends after %zu of %zu arcs", seen.arcs, u->arcs);
	if (!t->failed && seen.in_q < u->in_q_count)
		filchi_text_ended(t, "the file ends after %zu of %zu nodes in Q", seen.in_q, u->in_q_count);
	free(seen.supply);
	free(seen.demand);
	return !t->failed && check_in_q(t, u);
}

static bool read_sizes(struct filchi_text *t, struct filchi_ufp *u)
{
	struct filchi_text_word p, ufp;

	if (!filchi_text_next_line(t, 'c'))
		return filchi_text_ended(t, "the file ends before the line p");
	if (!filchi_text_word(t, &p) || !filchi_text_word(t, &ufp) || !filchi_text_is(&p, "p") ||
	    !filchi_text_is(&ufp, "ufp"))
		return filchi_text_fail(t, "the first line must be 'p ufp NODES ARCS NODES_IN_Q SCENARIOS'");
	return filchi_text_size(t, "the number of nodes", 1, FILCHI_UFP_NODES_MAX, &u->nodes) &&
	       filchi_text_size(t, "the number of arcs", 0, FILCHI_UFP_ARCS_MAX, &u->arcs) &&
	       filchi_text_size(t, "the number of nodes in Q", 0, u->nodes, &u->in_q_count) &&
	       filchi_text_size(t, "the number of scenarios", 1, FILCHI_UFP_SCENARIOS_MAX, &u->scenarios) &&
	       filchi_text_line_end(t);
}

void *filchi_ufp_read(struct filchi_text *t)
{
	struct filchi_ufp *u = filchi_text_alloc(t, 1, sizeof(*u));

	if (!u)
		return NULL;
	if (read_sizes(t, u) && u->scenarios * u->nodes > FILCHI_UFP_DEMANDS_MAX)
		filchi_text_fail(t, "%zu scenarios of %zu nodes are too many", u->scenarios, u->nodes);
	u->in_q = filchi_text_alloc(t, u->nodes, sizeof(*u->in_q));
	u->supply = filchi_text_alloc(t, u->nodes, sizeof(*u->supply));
	u->demand = filchi_text_alloc(t, u->scenarios * u->nodes, sizeof(*u->demand));
	u->arc = filchi_text_alloc(t, u->arcs, sizeof(*u->arc));
	if (!t->failed && read_records(t, u))
		return u;
	filchi_ufp_destroy(u);
	return NULL;
}

void filchi_ufp_destroy(void *instance)
{
	struct filchi_ufp *u = instance;

	if (u) {
		free(u->in_q);
		free(u->supply);
		free(u->demand);
		free(u->arc);
	}
	free(u);
}
