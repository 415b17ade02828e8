/* SPDX-License-Identifier: Apache-2.0 */
/* The functions on states, for one width of their fields: FIELD and SUM are types, SET the name of the function. */

static int64_t root(const struct filch_dd_layer *layer, void *state)
{
	const struct filchi_max2sat_model *m = layer->arg;
	FIELD *s = state;

	memset(state, 0, m->fields * sizeof(FIELD));
	for (size_t i = 0; i < m->variables; i++)
		s[i] = (FIELD)m->root[i];
	return m->value;
}

static SUM absolute(const FIELD *s, size_t from, size_t to)
{
	SUM sum = 0;

	for (size_t i = from; i < to; i++)
		sum += (SUM)(s[i] < 0 ? -s[i] : s[i]);
	return sum;
}

/* The sum of |s + d|. */
static SUM absolute_sum(const FIELD *restrict s, const FIELD *restrict d, size_t from, size_t to)
{
	SUM sum = 0;

	for (size_t i = from; i < to; i++) {
		FIELD next = (FIELD)(s[i] + d[i]);

		sum += (SUM)(next < 0 ? -next : next);
	}
	return sum;
}

static void write_child(FIELD *restrict child, const FIELD *restrict s, const FIELD *restrict d, size_t from, size_t to)
{
	memset(child, 0, from * sizeof(FIELD));
	for (size_t i = from; i < to; i++)
		child[i] = (FIELD)(s[i] + d[i]);
}

static void expand(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children)
{
	const struct filchi_max2sat_model *m = layer->arg;
	size_t k = (size_t)layer->depth;
	const FIELD *s = state;
	int64_t before = absolute(s, k + 1, m->fields);

	for (int label = 0; label < (k || !m->fixed ? 2 : 1); label++) {
		const FIELD *change = (const FIELD *)m->change[label] + k * m->fields;
		int64_t after = absolute_sum(s, change, k + 1, m->fields), gain = label ? s[k] : -s[k];
		int64_t cost = (m->twice[2 * k + (size_t)label] + before - after) / 2 + (gain > 0 ? gain : 0);

		write_child(filch_dd_child(children, label, cost), s, change, k + 1, m->fields);
	}
}

/* Fields of one sign keep the smaller absolute value; others become 0. */
static void merge(const struct filch_dd_layer *layer, void *into, const void *state)
{
	const struct filchi_max2sat_model *m = layer->arg;
	FIELD *restrict a = into;
	const FIELD *restrict b = state;

	for (size_t i = (size_t)layer->depth; i < m->fields; i++) {
		FIELD low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];

		low = low > 0 ? low : 0;
		high = high < 0 ? high : 0;
		a[i] = (FIELD)(low + high);
	}
}

static int64_t merge_cost(const struct filch_dd_layer *layer, const void *state, const void *merged)
{
	const struct filchi_max2sat_model *m = layer->arg;
	size_t k = (size_t)layer->depth;

	return (int64_t)absolute(state, k, m->fields) - (int64_t)absolute(merged, k, m->fields);
}

static int64_t bound(const struct filch_dd_layer *layer, const void *state, int64_t limit)
{
	const struct filchi_max2sat_model *m = layer->arg;
	size_t k = (size_t)layer->depth;

	(void)limit;
	return m->pairs[k] + absolute(state, k, m->fields);
}

static int64_t rank(const struct filch_dd_layer *layer, const void *state, int64_t value)
{
	const struct filchi_max2sat_model *m = layer->arg;

	return value + absolute(state, (size_t)layer->depth, m->fields);
}

static int describe(const void *state, char *text, size_t size, void *arg)
{
	const struct filchi_max2sat_model *m = arg;
	const FIELD *s = state;
	int used = 0;

	for (size_t i = 0; i < m->variables && (used < 0 || (size_t)used < size); i++)
		used += snprintf(text + used, size - (size_t)used, "%s%lld", i ? " " : "", (long long)s[i]);
	return used;
}

void SET(struct filch_dd_problem *p)
{
	p->root = root;
	p->expand = expand;
	p->merge = merge;
	p->merge_cost = merge_cost;
	p->bound = bound;
	p->rank = rank;
	p->describe = describe;
	p->state_size = ((const struct filchi_max2sat_model *)p->arg)->fields * sizeof(FIELD);
}
