/* SPDX-License-Identifier: Apache-2.0 */
/* A rank: makes its parts, sends messages, and hands those that arrive to the part that handles them. */
#define _DEFAULT_SOURCE
#include "ranks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void filchi_ranks_post(struct filchi_ranks *r, int to, const struct filchi_ranks_message *m, const void *payload,
		       size_t size)
{
	unsigned char *bytes = malloc(sizeof(*m) + size);
	int err;

	if (!bytes) {
		r->broken = -ENOMEM;
		return;
	}
	memcpy(bytes, m, sizeof(*m));
	if (size)
		memcpy(bytes + sizeof(*m), payload, size);
	err = r->net->send(r->net, to, bytes, sizeof(*m) + size);
	if (err)
		r->broken = err;
}

void filchi_ranks_spread(struct filchi_ranks *r, struct filchi_ranks_message *m, const void *payload, size_t size)
{
	int group = r->config.group, first = 0, last = r->ranks, stride = 1;
	bool forwards = m->level == FILCHI_RANKS_GROUP; /* as it came */

	m->level = FILCHI_RANKS_MEMBER;
	if (group && forwards) {
		first = r->rank;
		last = first + group < r->ranks ? first + group : r->ranks;
	} else if (group) {
		m->level = FILCHI_RANKS_GROUP;
		stride = group;
	}
	for (int to = first; to < last; to += stride)
		filchi_ranks_post(r, to, m, payload, size);
}

void filchi_ranks_end_is(struct filchi_ranks_end *to, const struct filchi_ranks_message *m, const char *text,
			 size_t size)
{
	*to = (struct filchi_ranks_end){.end = m->end, .error = m->error, .who = m->who};
	memcpy(to->text, text, size < sizeof(to->text) ? size : sizeof(to->text) - 1);
}

static void handle(struct filchi_ranks *r, int from, const unsigned char *bytes, size_t size)
{
	struct filchi_ranks_message m;
	const void *payload = bytes + sizeof(m);

	if (size < sizeof(m)) {
		r->broken = -EBADMSG;
		return;
	}
	memcpy(&m, bytes, sizeof(m));
	size -= sizeof(m);
	if (m.level == FILCHI_RANKS_MEMBER)
		filchi_ranks_member_handle(r, from, &m, payload, size);
	else if (m.level == FILCHI_RANKS_GROUP && r->group)
		filchi_ranks_hub_handle(r->group, from, &m, payload, size);
	else if (m.level == FILCHI_RANKS_ROOT && r->root)
		filchi_ranks_root_handle(r, from, &m, payload, size);
	else
		r->broken = -EBADMSG;
}

int filchi_ranks_step(struct filchi_ranks *r, uint64_t now_ns, int most)
{
	int handled = 0;

	r->now = now_ns;
	while (!r->broken && handled < most) {
		void *bytes;
		size_t size;
		int from, got = r->net->receive(r->net, &from, &bytes, &size);

		if (got < 0)
			r->broken = got;
		if (got <= 0)
			break;
		handle(r, from, bytes, size);
		free(bytes);
		handled++;
	}
	filchi_ranks_member_look(r);
	if (r->group)
		filchi_ranks_hub_serve(r->group);
	if (r->root)
		filchi_ranks_root_look(r);
	if (!r->broken) {
		int left = r->net->poll(r->net);

		r->broken = left < 0 ? left : 0;
	}
	return r->broken ? r->broken : handled;
}

int filchi_ranks_create(struct filchi_ranks **out, struct filchi_net *net, const struct filchi_ranks_host *host,
			const struct filchi_ranks_config *config, const struct filchi_ranks_hello *hello)
{
	struct filchi_ranks *r = calloc(1, sizeof(*r));
	struct filchi_ranks_message m = {.kind = FILCHI_RANKS_HELLO, .level = FILCHI_RANKS_ROOT};

	if (!r)
		return -ENOMEM;
	r->net = net;
	r->host = *host;
	r->config = *config;
	r->hello = *hello;
	if (r->config.calm_ns < r->config.report_ns)
		r->config.calm_ns = r->config.report_ns;
	r->rank = net->rank;
	r->ranks = net->ranks;
	if (r->config.group >= r->ranks || r->config.group < 2)
		r->config.group = 0;
	r->member.best = FILCHI_RANKS_NO_KEY;
	r->member.orders_end = &r->member.orders;
	r->member.ahead_ns = FILCHI_RANKS_AHEAD_NS;
	if (r->config.group && r->rank % r->config.group == 0 &&
	    !(r->group = filchi_ranks_hub_create(r, FILCHI_RANKS_GROUP)))
		r->broken = -ENOMEM;
	if (r->rank == 0 && filchi_ranks_root_create(r))
		r->broken = -ENOMEM;
	if (!r->broken)
		filchi_ranks_post(r, 0, &m, hello, sizeof(*hello));
	if (r->broken) {
		int err = r->broken;

		filchi_ranks_destroy(r);
		return err;
	}
	*out = r;
	return 0;
}

void filchi_ranks_destroy(struct filchi_ranks *r)
{
	if (!r)
		return;
	filchi_ranks_member_fini(r);
	filchi_ranks_hub_destroy(r->group);
	filchi_ranks_root_destroy(r);
	free(r);
}

bool filchi_ranks_started(const struct filchi_ranks *r)
{
	return r->member.started;
}

bool filchi_ranks_ending(const struct filchi_ranks *r, struct filchi_ranks_end *end)
{
	if (end)
		*end = r->member.end;
	return r->member.ending;
}

bool filchi_ranks_over(const struct filchi_ranks *r)
{
	return r->member.over;
}

bool filchi_ranks_waits(const struct filchi_ranks *r)
{
	return (r->member.asked && r->member.idle) || r->member.orders;
}
