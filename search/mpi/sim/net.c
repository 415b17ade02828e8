/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated network: a heap of events, and the transport of net.h on it. */
#include "../ranks.h"
#include "inside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOT_NS 20000.0 /* between two looks right after a message */

uint64_t filchi_sim_hash(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

double filchi_sim_uniform(struct filchi_sim *s)
{
	s->random = filchi_sim_hash(s->random);
	return (double)(s->random >> 11) * 0x1p-53;
}

static bool before(const struct filchi_sim_event *a, const struct filchi_sim_event *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void add_event(struct filchi_sim *s, double time, int rank, struct filchi_sim_packet *packet)
{
	struct filchi_sim_event e = {time, s->numbers++, rank, packet};
	size_t i = s->events;

	if (i == s->room) {
		size_t room = s->room ? 2 * s->room : 1024;
		struct filchi_sim_event *more = realloc(s->heap, room * sizeof(*more));

		if (!more) {
			s->no_memory = true;
			return;
		}
		s->heap = more;
		s->room = room;
	}
	s->events++;
	for (; i && before(&e, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = e;
}

static void take_event(struct filchi_sim *s, struct filchi_sim_event *out)
{
	struct filchi_sim_event last = s->heap[--s->events];
	size_t i = 0, child;

	*out = s->heap[0];
	while ((child = 2 * i + 1) < s->events) {
		if (child + 1 < s->events && before(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (!before(&s->heap[child], &last))
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	if (s->events)
		s->heap[i] = last;
}

bool filchi_sim_next(struct filchi_sim *s, struct filchi_sim_event *e)
{
	while (s->events && !s->no_memory) {
		take_event(s, e);
		s->result->events++;
		if (!e->packet && s->rank[e->rank].step_at != e->time)
			continue; /* another step was planned since */
		s->now = e->time;
		if (!e->packet)
			s->rank[e->rank].step_at = INFINITY;
		return true;
	}
	return false;
}

void filchi_sim_plan(struct filchi_sim_rank *k, double time)
{
	struct filchi_sim *s = k->sim;

	if (time < k->busy_until)
		time = k->busy_until;
	if (time >= k->stop_at && time < k->stop_until)
		time = k->stop_until;
	if (time <= s->now)
		time = s->now + 1;
	if (time >= k->step_at)
		return;
	k->step_at = time;
	add_event(s, time, k->net.rank, NULL);
}

/* The communication thread looks often after a message, and seldom later. */
void filchi_sim_arrive(struct filchi_sim *s, const struct filchi_sim_event *e)
{
	struct filchi_sim_rank *k = &s->rank[e->rank];
	double since = (s->now - k->last_step) / 2, interval = since < HOT_NS ? HOT_NS : since;

	interval = interval < s->c.poll_ns ? interval : s->c.poll_ns;
	*k->inbox_end = e->packet;
	k->inbox_end = &e->packet->next;
	if (e->packet->from == e->rank)
		interval = 0;
	filchi_sim_plan(k, s->now + interval * filchi_sim_uniform(s));
}

/* ---- order within a pair ---- */

static struct filchi_sim_pair *find(struct filchi_sim_pair *table, size_t room, uint64_t key)
{
	size_t i = filchi_sim_hash(key) & (room - 1);

	while (table[i].key && table[i].key != key)
		i = (i + 1) & (room - 1);
	return &table[i];
}

static struct filchi_sim_pair *pair_of(struct filchi_sim *s, int from, int to)
{
	uint64_t key = (uint64_t)from << 32 | (uint32_t)(to + 1);
	struct filchi_sim_pair *p;

	if (2 * s->pairs >= s->pair_room) {
		size_t room = s->pair_room ? 2 * s->pair_room : 4096;
		struct filchi_sim_pair *more = calloc(room, sizeof(*more));

		if (!more) {
			s->no_memory = true;
			return NULL;
		}
		for (size_t i = 0; i < s->pair_room; i++)
			if (s->pair[i].key)
				*find(more, room, s->pair[i].key) = s->pair[i];
		free(s->pair);
		s->pair = more;
		s->pair_room = room;
	}
	p = find(s->pair, s->pair_room, key);
	s->pairs += !p->key;
	p->key = key;
	return p;
}

/* ---- the transport ---- */

static int send_to(struct filchi_net *net, int to, void *bytes, size_t size)
{
	struct filchi_sim_rank *k = (struct filchi_sim_rank *)net;
	struct filchi_sim *s = k->sim;
	struct filchi_sim_packet *p = calloc(1, sizeof(*p));
	struct filchi_sim_pair *pair = pair_of(s, net->rank, to);
	const size_t head = sizeof(struct filchi_ranks_message);
	double payload = (double)(size - head) * s->c.node_bytes / sizeof(struct filchi_sim_interval);
	double delay = 0;

	if (!p || !pair) {
		free(p);
		free(bytes);
		return -ENOMEM;
	}
	if (to != net->rank) {
		k->busy_until += s->c.send_ns;
		delay = s->c.latency_ns + ((double)head + payload) / s->c.bytes_per_ns;
		if (s->c.jitter > 0)
			delay -= s->c.jitter * s->c.latency_ns * log(1 - filchi_sim_uniform(s));
	}
	p->from = net->rank;
	p->bytes = bytes;
	p->size = size;
	p->time = k->busy_until + delay;
	if (p->time <= pair->time)
		p->time = pair->time + 1e-3;
	pair->time = p->time;
	s->result->messages += to != net->rank;
	add_event(s, p->time, to, p);
	return s->no_memory ? -ENOMEM : 0;
}

static int receive(struct filchi_net *net, int *from, void **bytes, size_t *size)
{
	struct filchi_sim_rank *k = (struct filchi_sim_rank *)net;
	struct filchi_sim_packet *p = k->inbox;

	if (!p)
		return 0;
	k->inbox = p->next;
	if (!k->inbox)
		k->inbox_end = &k->inbox;
	k->busy_until += k->sim->c.handle_ns;
	k->sim->result->root_messages += net->rank == 0 && p->from != 0;
	*from = p->from;
	*bytes = p->bytes;
	*size = p->size;
	free(p);
	return 1;
}

static int poll_net(struct filchi_net *net)
{
	(void)net;
	return 0;
}

void filchi_sim_net_init(struct filchi_sim_rank *k, int rank)
{
	k->net = (struct filchi_net){rank, k->sim->c.ranks, send_to, receive, poll_net};
	k->inbox_end = &k->inbox;
	k->step_at = INFINITY;
	k->stop_at = k->stop_until = INFINITY;
}

static void free_packet(struct filchi_sim_packet *p)
{
	if (p)
		free(p->bytes);
	free(p);
}

void filchi_sim_net_fini(struct filchi_sim *s)
{
	for (size_t i = 0; i < s->events; i++)
		free_packet(s->heap[i].packet);
	for (int i = 0; s->rank && i < s->c.ranks; i++)
		while (s->rank[i].inbox) {
			struct filchi_sim_packet *p = s->rank[i].inbox;

			s->rank[i].inbox = p->next;
			free_packet(p);
		}
	free(s->heap);
	free(s->pair);
}
