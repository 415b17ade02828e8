/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulated search of a rank: depth first, one worker. Without `exact` a subtree that is done before the next event
 * is explored at once.
 */
#include "inside.h"

#include <errno.h>
#include <filch/search.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool filchi_sim_push(struct filchi_sim_rank *k, struct filchi_sim_interval i)
{
	if (k->count == k->room) {
		size_t room = k->room ? 2 * k->room : 16;
		struct filchi_sim_interval *more = realloc(k->open, room * sizeof(*more));

		if (!more) {
			k->sim->no_memory = true;
			return false;
		}
		k->open = more;
		k->room = room;
	}
	k->open[k->count++] = i;
	k->weight += i.size;
	return true;
}

/* The mean of so many times, each log-normal; for many by the normal distribution. */
static double duration(struct filchi_sim_rank *k, uint64_t nodes)
{
	struct filchi_sim *s = k->sim;
	double sigma = s->c.spread, n = (double)nodes, normal;

	if (sigma <= 0)
		return n * k->mean_ns;
	normal = sqrt(-2 * log(1 - filchi_sim_uniform(s))) * cos(6.283185307179586 * filchi_sim_uniform(s));
	if (nodes == 1)
		return k->mean_ns * exp(sigma * normal - sigma * sigma / 2);
	normal = n + normal * sqrt(n * (exp(sigma * sigma) - 1));
	return k->mean_ns * (normal > n / 4 ? normal : n / 4);
}

/* The children of a node split the rest of its interval. Which parts, follows from its number. */
static void split(struct filchi_sim_rank *k, struct filchi_sim_interval i)
{
	uint64_t hash = filchi_sim_hash(i.first ^ k->sim->c.seed << 20), rest = i.size - 1, first = i.first + 1;
	unsigned children = 1 + (unsigned)(hash % 4);

	while (rest) {
		uint64_t size = rest;

		hash = filchi_sim_hash(hash);
		if (--children)
			size = 1 + (uint64_t)((double)(rest - 1) * (double)(hash >> 11) * 0x1p-53);
		if (!filchi_sim_push(k, (struct filchi_sim_interval){first, size}))
			return;
		first += size;
		rest -= size;
		children = children ? children : 1;
	}
}

static void account(struct filchi_sim_rank *k, uint64_t id)
{
	struct filchi_sim *s = k->sim;
	uint64_t key = filchi_sim_hash(id ^ 0xabcdef) >> 8;

	if (s->seen[id])
		filchi_sim_fail(s, "node %llu is explored twice", (unsigned long long)id);
	s->seen[id] = 1;
	s->seen_at[id] = ++s->steps;
	s->seen_by[id] = k->net.rank;
	while (s->lowest < s->c.nodes && s->seen[s->lowest])
		s->lowest++;
	s->best = key < s->best ? key : s->best;
	if (key < k->best) {
		k->best = key;
		k->took_id = id;
		filchi_ranks_improved(k->ranks, key, &id, sizeof(id));
	}
	if (id % 97 == 0)
		filchi_ranks_publish(k->ranks, id << 40, &id, sizeof(id));
}

void filchi_sim_advance(struct filchi_sim_rank *k, double time)
{
	struct filchi_sim *s = k->sim;

	if (k->clock > time)
		return; /* in the middle of a node */
	while (k->count && !k->stopping) {
		struct filchi_sim_interval top = k->open[k->count - 1];
		double left = (time - k->clock) / k->mean_ns, takes;
		uint64_t nodes = !s->c.exact && (double)top.size <= left ? top.size : 1;

		if (k->clock > time)
			return;
		takes = duration(k, nodes);
		if (s->c.exact && k->clock + takes > time) {
			if (time - k->clock < takes / 2)
				return; /* its duration is drawn again at the next look */
		}
		k->count--;
		k->weight -= top.size;
		k->clock += takes;
		k->work_ns += takes;
		k->explored += nodes;
		s->explored += nodes;
		if (s->c.exact)
			account(k, top.first);
		if (nodes < top.size)
			split(k, top);
		if (!k->count)
			k->empty_since = k->clock;
	}
	if (!k->count && k->clock < time)
		k->clock = time;
}

/* ---- the host ---- */

static void look(void *arg, struct filchi_ranks_load *load)
{
	struct filchi_sim_rank *k = arg;

	filchi_sim_advance(k, k->sim->now);
	*load = (struct filchi_ranks_load){
		.open = k->count, .bound = FILCHI_RANKS_NO_KEY, .explored = k->explored, .quiet = !k->count};
	load->node_ns = k->mean_ns;
	if (k->count)
		load->affinity = k->open[k->count - 1].first << 40;
	for (size_t i = 0; k->sim->c.exact && i < k->count; i++)
		load->bound = k->open[i].first < load->bound ? k->open[i].first : load->bound;
}

/* The oldest ones, which have the largest subtrees. */
static int give(void *arg, double proportion, void **bytes, size_t *size, uint64_t *count, bool *again)
{
	struct filchi_sim_rank *k = arg;
	size_t n;

	filchi_sim_advance(k, k->sim->now);
	*again = k->sim->c.exact && filchi_sim_uniform(k->sim) < 0.5;
	n = (size_t)((double)k->count * proportion + 0.5);
	if (*again || k->count < 2)
		return 0;
	n = n < 1 ? 1 : n < k->count ? n : k->count - 1; /* as filch_search_extract() */
	*size = n * sizeof(*k->open);
	*bytes = malloc(*size);
	if (!*bytes)
		return -ENOMEM;
	memcpy(*bytes, k->open, *size);
	for (size_t i = 0; i < n; i++)
		k->weight -= k->open[i].size;
	memmove(k->open, k->open + n, (k->count - n) * sizeof(*k->open));
	k->count -= n;
	*count = n;
	k->sim->result->batches++;
	k->sim->result->moved += n;
	return 0;
}

static int take(void *arg, const void *bytes, size_t size, uint64_t count)
{
	struct filchi_sim_rank *k = arg;

	if (size != count * sizeof(*k->open))
		return -EBADMSG;
	filchi_sim_advance(k, k->sim->now);
	if (!k->count) {
		if (k->began)
			k->waited_ns += k->sim->now - k->empty_since;
		else if (k->sim->result->first < k->sim->now * 1e-9)
			k->sim->result->first = k->sim->now * 1e-9;
		k->began = true;
		k->clock = k->sim->now > k->clock ? k->sim->now : k->clock;
	}
	for (uint64_t i = 0; i < count; i++) {
		struct filchi_sim_interval one;

		memcpy(&one, (const unsigned char *)bytes + i * sizeof(one), sizeof(one));
		if (!filchi_sim_push(k, one))
			return -ENOMEM;
	}
	return 0;
}

static int best(void *arg, uint64_t key, const void *solution, size_t size)
{
	struct filchi_sim_rank *k = arg;
	uint64_t id;

	if (size != sizeof(id))
		return -EBADMSG;
	memcpy(&id, solution, sizeof(id));
	if (filchi_sim_hash(id ^ 0xabcdef) >> 8 != key)
		filchi_sim_fail(k->sim, "the solution of rank %d is another one's", k->net.rank);
	k->best = key < k->best ? key : k->best;
	return 0;
}

static int learn(void *arg, const void *records, size_t size)
{
	struct filchi_sim_rank *k = arg;

	for (const unsigned char *at = records; size; at += 24, size -= 24) {
		uint64_t word[3];

		if (size < 24)
			return -EBADMSG;
		memcpy(word, at, 24);
		if (word[1] != 8 || word[0] != word[2] << 40)
			filchi_sim_fail(k->sim, "a record is damaged");
	}
	return 0;
}

static void stop(void *arg, int end)
{
	struct filchi_sim_rank *k = arg;

	(void)end;
	filchi_sim_advance(k, k->sim->now);
	k->stopping = true;
	k->stop_wish = k->sim->now + filchi_sim_uniform(k->sim) * k->mean_ns;
}

static int snapshot(void *arg)
{
	((struct filchi_sim_rank *)arg)->snap_due = true;
	return 0;
}

void filchi_sim_make_part(struct filchi_sim_rank *k)
{
	filchi_sim_advance(k, k->sim->now);
	k->snap_due = false;
	k->part_at = ++k->sim->steps;
	filchi_ranks_part(k->ranks, k->open, k->count * sizeof(*k->open));
}

static int part(void *arg, int rank, const void *bytes, size_t size)
{
	struct filchi_sim *s = ((struct filchi_sim_rank *)arg)->sim;
	size_t n = size / sizeof(*s->parts);

	(void)rank;
	if (s->parts_count + n > s->parts_room) {
		size_t room = 2 * (s->parts_count + n);
		struct filchi_sim_interval *more = realloc(s->parts, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		s->parts = more;
		s->parts_room = room;
	}
	if (n)
		memcpy(s->parts + s->parts_count, bytes, size);
	s->parts_count += n;
	return 0;
}

/* The nodes of the parts, and those that each rank had explored when it made its part, are all nodes, each once. */
static void judge(struct filchi_sim *s)
{
	memset(s->saved_seen, 0, s->c.nodes);
	for (size_t i = 0; i < s->parts_count; i++)
		for (uint64_t id = s->parts[i].first; id < s->parts[i].first + s->parts[i].size; id++)
			s->saved_seen[id]++;
	for (uint64_t id = 0; id < s->c.nodes; id++) {
		bool before = s->seen[id] == 2 || (s->seen[id] && s->seen_at[id] < s->rank[s->seen_by[id]].part_at);

		if (s->saved_seen[id] + before != 1)
			filchi_sim_fail(s, "node %llu is %d times in a checkpoint", (unsigned long long)id,
					s->saved_seen[id] + before);
		s->saved_seen[id] = before;
	}
}

static int commit(void *arg)
{
	struct filchi_sim *s = ((struct filchi_sim_rank *)arg)->sim;

	if (s->c.exact)
		judge(s);
	free(s->saved);
	s->saved = s->parts;
	s->saved_count = s->parts_count;
	s->has_saved = true;
	s->parts = NULL;
	s->parts_count = s->parts_room = 0;
	s->result->checkpoints++;
	return 0;
}

static void abandon(void *arg)
{
	((struct filchi_sim_rank *)arg)->sim->parts_count = 0;
}

const struct filchi_ranks_host filchi_sim_host = {
	.look = look,
	.give = give,
	.take = take,
	.best = best,
	.learn = learn,
	.stop = stop,
	.snapshot = snapshot,
	.part = part,
	.commit = commit,
	.abandon = abandon,
};
