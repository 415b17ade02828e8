/* SPDX-License-Identifier: Apache-2.0 */
/* The root, at rank 0: begin, limits, checkpoints and the end. Its balancing is in hub.c. */
#include "ranks.h"

#include <errno.h>
#include <filch/search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_NS 10000000u /* between two looks at limits */

int filchi_ranks_root_create(struct filchi_ranks *r)
{
	struct filchi_ranks_root *o = calloc(1, sizeof(*o));

	r->root = o;
	if (!o)
		return -ENOMEM;
	o->best = FILCHI_RANKS_NO_KEY;
	o->left = calloc((size_t)r->ranks, sizeof(*o->left));
	o->part_of = calloc((size_t)r->ranks, 1);
	r->root_hub = filchi_ranks_hub_create(r, FILCHI_RANKS_ROOT);
	return o->left && o->part_of && r->root_hub ? 0 : -ENOMEM;
}

void filchi_ranks_root_destroy(struct filchi_ranks *r)
{
	if (!r->root)
		return;
	filchi_ranks_hub_destroy(r->root_hub);
	free(r->root->left);
	free(r->root->part_of);
	free(r->root);
}

/* ---- the end ---- */

static void spread_end(struct filchi_ranks *r, uint32_t kind)
{
	const struct filchi_ranks_end *e = &r->root->end;
	struct filchi_ranks_message m = {
		.kind = kind, .level = FILCHI_RANKS_ROOT, .who = e->who, .end = e->end, .error = e->error};

	filchi_ranks_spread(r, &m, e->text, strlen(e->text));
}

static void set_end(struct filchi_ranks *r, int end, int error, int who, const char *text)
{
	struct filchi_ranks_end *e = &r->root->end;

	*e = (struct filchi_ranks_end){.end = end, .error = error, .who = who};
	snprintf(e->text, sizeof(e->text), "%s", text);
}

static void begin_end(struct filchi_ranks *r, int end, int error, int who, const char *text)
{
	struct filchi_ranks_root *o = r->root;

	if (o->ending)
		return;
	o->ending = true;
	if (o->phase == FILCHI_RANKS_SNAPPING)
		r->host.abandon(r->host.arg);
	o->phase = FILCHI_RANKS_RUN;
	r->root_hub->ending = true;
	set_end(r, end, error, who, text);
	spread_end(r, FILCHI_RANKS_END);
}

/* An error that comes after another end: the first error stays. */
static void fail(struct filchi_ranks *r, int error, int who, const char *text)
{
	if (!r->root->ending)
		begin_end(r, FILCH_SEARCH_ERROR, error, who, text);
	else if (r->root->end.end != FILCH_SEARCH_ERROR)
		set_end(r, FILCH_SEARCH_ERROR, error, who, text);
}

/* ---- begin ---- */

static void hello(struct filchi_ranks *r, int from, const void *payload, size_t size)
{
	const struct filchi_ranks_hello *mine = &r->hello;
	struct filchi_ranks_message m = {.kind = FILCHI_RANKS_START, .level = FILCHI_RANKS_ROOT};
	struct filchi_ranks_hello h = {0};
	char text[FILCHI_RANKS_TEXT];

	memcpy(&h, payload, size < sizeof(h) ? size : sizeof(h));
	if (size != sizeof(h) || h.order != mine->order || strncmp(h.build, mine->build, sizeof(h.build)) != 0) {
		snprintf(text, sizeof(text), "on %.47s runs filch %.47s, but rank 0 on %.47s runs %.47s", h.machine,
			 size == sizeof(h) ? h.build : "of another kind", mine->machine, mine->build);
		fail(r, -EPROTONOSUPPORT, from, text);
	} else if (h.fingerprint != mine->fingerprint || h.kind != mine->kind) {
		snprintf(text, sizeof(text), "on %.63s has another instance than rank 0 on %.63s", h.machine,
			 mine->machine);
		fail(r, -EXDEV, from, text);
	}
	if (++r->root->hellos < r->ranks || r->root->ending)
		return;
	r->root->started = true;
	filchi_ranks_spread(r, &m, NULL, 0);
}

/* ---- checkpoints ---- */

static void to_groups(struct filchi_ranks *r, uint32_t kind)
{
	struct filchi_ranks_message m = {.kind = kind, .level = FILCHI_RANKS_GROUP};

	for (int to = 0; r->config.group && to < r->ranks; to += r->config.group)
		filchi_ranks_post(r, to, &m, NULL, 0);
}

bool filchi_ranks_checkpoint(struct filchi_ranks *r)
{
	struct filchi_ranks_root *o = r->root;

	if (!o->started || o->ending || o->phase != FILCHI_RANKS_RUN)
		return false;
	o->phase = FILCHI_RANKS_PAUSING;
	o->paused_groups = 0;
	r->root_hub->paused = true;
	to_groups(r, FILCHI_RANKS_PAUSE);
	return true;
}

static void snap(struct filchi_ranks *r)
{
	struct filchi_ranks_message m = {
		.kind = FILCHI_RANKS_SNAPSHOT, .level = FILCHI_RANKS_ROOT, .epoch = ++r->root->epoch};

	r->root->phase = FILCHI_RANKS_SNAPPING;
	r->root->parts = 0;
	memset(r->root->part_of, 0, (size_t)r->ranks);
	filchi_ranks_spread(r, &m, NULL, 0);
}

static void part(struct filchi_ranks *r, int from, const struct filchi_ranks_message *m, const void *payload,
		 size_t size)
{
	struct filchi_ranks_root *o = r->root;
	int err;

	if (m->epoch != o->epoch || o->phase != FILCHI_RANKS_SNAPPING || o->part_of[from])
		return; /* of a checkpoint that was given up */
	err = r->host.part(r->host.arg, from, payload, size);
	if (m->last) {
		o->part_of[from] = 1;
		o->parts++;
	}
	if (!err && o->parts == r->ranks)
		err = r->host.commit(r->host.arg);
	else if (!err)
		return;
	if (err) {
		r->host.abandon(r->host.arg);
		fail(r, err, 0, "cannot write the checkpoint");
	}
	o->phase = FILCHI_RANKS_RUN;
	r->root_hub->paused = false;
	to_groups(r, FILCHI_RANKS_RESUME);
}

/* ---- messages ---- */

static void best(struct filchi_ranks *r, const struct filchi_ranks_message *m, const void *payload, size_t size)
{
	struct filchi_ranks_message to = *m;

	if (m->key >= r->root->best)
		return;
	r->root->best = m->key;
	filchi_ranks_spread(r, &to, payload, size);
}

void filchi_ranks_root_handle(struct filchi_ranks *r, int from, const struct filchi_ranks_message *m,
			      const void *payload, size_t size)
{
	struct filchi_ranks_root *o = r->root;
	struct filchi_ranks_end e;

	switch (m->kind) {
	case FILCHI_RANKS_HELLO:
		hello(r, from, payload, size);
		break;
	case FILCHI_RANKS_BEST:
		best(r, m, payload, size);
		break;
	case FILCHI_RANKS_STOP:
		filchi_ranks_end_is(&e, m, payload, size);
		if (m->end == FILCH_SEARCH_ERROR)
			fail(r, m->error, m->who, e.text);
		else
			begin_end(r, m->end, m->error, m->who, e.text);
		break;
	case FILCHI_RANKS_LEFT:
		o->lefts += !o->left[from].kind;
		o->left[from] = *m;
		break;
	case FILCHI_RANKS_PAUSED:
		o->paused_groups++;
		break;
	case FILCHI_RANKS_PART:
		part(r, from, m, payload, size);
		break;
	default:
		filchi_ranks_hub_handle(r->root_hub, from, m, payload, size);
		return;
	}
	r->root_hub->handled++;
}

/* ---- after messages ---- */

void filchi_ranks_sums(const struct filchi_ranks *r, struct filchi_ranks_sums *s)
{
	const struct filchi_ranks_hub *h = r->root_hub;

	*s = (struct filchi_ranks_sums){.bound = FILCHI_RANKS_NO_KEY, .messages = h->handled};
	if (r->root->lefts < r->ranks) {
		s->bound = filchi_ranks_hub_bound(h);
		for (int i = 0; i < h->count; i++) {
			s->explored += h->child[i].explored;
			s->pruned += h->child[i].pruned;
			s->open += h->child[i].load;
		}
		return;
	}
	for (int i = 0; i < r->ranks; i++) {
		const struct filchi_ranks_message *m = &r->root->left[i];

		s->explored += m->explored;
		s->pruned += m->pruned;
		s->open += m->load;
		s->bound = m->bound < s->bound ? m->bound : s->bound;
		s->batches += m->sent;
		s->nodes += m->count;
		s->bytes += m->bytes;
		s->messages += m->handled;
	}
}

/* All batches have come: what was sent is final, and equals what was received. */
static bool all_left(const struct filchi_ranks *r)
{
	uint64_t sent = 0, received = 0;

	if (r->root->lefts < r->ranks)
		return false;
	for (int i = 0; i < r->ranks; i++) {
		sent += r->root->left[i].sent;
		received += r->root->left[i].received;
	}
	return sent == received;
}

static void look_at_limits(struct filchi_ranks *r)
{
	const struct filchi_ranks_config *c = &r->config;
	struct filchi_ranks_sums s;

	if ((!c->node_limit && c->gap_limit <= 0) || r->now - r->root->looked_ns < LOOK_NS)
		return;
	r->root->looked_ns = r->now;
	filchi_ranks_sums(r, &s);
	if (c->node_limit && s.explored >= c->node_limit)
		begin_end(r, FILCH_SEARCH_NODES, 0, -1, "");
	else if (c->gap_limit > 0 && r->root->best != FILCHI_RANKS_NO_KEY &&
		 c->gap(r->host.arg, r->root->best, s.bound) <= c->gap_limit)
		begin_end(r, FILCH_SEARCH_GAP, 0, -1, "");
}

static void finish(struct filchi_ranks *r)
{
	struct filchi_ranks_root *o = r->root;
	struct filchi_ranks_sums s;

	if (o->byes || o->phase == FILCHI_RANKS_SNAPPING || !all_left(r))
		return;
	filchi_ranks_sums(r, &s);
	if (o->end.end == FILCH_SEARCH_DONE && s.open)
		fail(r, -EPROTO, -1, "nodes were left at the end: an error of filch");
	if (r->config.checkpoint_at_end && !o->at_end && o->started && o->end.end != FILCH_SEARCH_ERROR) {
		o->at_end = true;
		snap(r);
		return;
	}
	o->byes = true;
	spread_end(r, FILCHI_RANKS_BYE);
}

void filchi_ranks_root_look(struct filchi_ranks *r)
{
	struct filchi_ranks_root *o = r->root;
	struct filchi_ranks_hub *h = r->root_hub;

	filchi_ranks_hub_serve(h);
	if (o->ending) {
		finish(r);
		return;
	}
	if (!o->started)
		return;
	/* No rank has nodes, and none are on their way: README.md. */
	if (o->phase == FILCHI_RANKS_RUN && !h->active && !h->under_way)
		begin_end(r, FILCH_SEARCH_DONE, 0, -1, "");
	else if (o->phase == FILCHI_RANKS_PAUSING && !h->under_way &&
		 (!r->config.group || o->paused_groups == h->count))
		snap(r);
	else
		look_at_limits(r);
}
