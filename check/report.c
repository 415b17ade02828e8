/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces for people and tokens for replay. Both tell the execution as a sequence of steps: a linear extension of porf.
 * It stays with one thread, and follows co and fr, as far as possible. So a reader meets stale reads and early writes
 * only where the execution needs them.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const verdict_names[] = {
	[CHK_OK] = "ok",
	[CHK_ASSERT] = "assertion failed",
	[CHK_RACE] = "data race",
	[CHK_UNINIT] = "uninitialized read",
	[CHK_USE_AFTER_FREE] = "use after free",
	[CHK_DOUBLE_FREE] = "double free",
	[CHK_OUT_OF_BOUNDS] = "out of bounds",
	[CHK_LEAK] = "leak",
	[CHK_DEADLOCK] = "deadlock",
	[CHK_ENDLESS] = "endless spinning",
	[CHK_TOO_LONG] = "too long",
	[CHK_HISTORY] = "not linearizable",
	[CHK_CRASH] = "crash",
	[CHK_MISUSE] = "misuse of the checker",
};

static const char *const order_names[] = {"rlx", "acq", "rel", "acq_rel", "sc", "none"};

const char *chk_verdict_name(enum chk_verdict verdict)
{
	return (unsigned)verdict <= CHK_MISUSE ? verdict_names[verdict] : "?";
}

const char *chk_order_name(enum chk_order order)
{
	return (unsigned)order <= CHK_NONE ? order_names[order] : "?";
}

struct walk {
	const struct graph *g;
	uint16_t at[THREADS];
	int thread;
	unsigned step_of[THREADS][MAX_EVENTS + 1]; /* line of each event, 0: not told yet */
	unsigned steps;
};

static bool told(const struct walk *w, event_id id)
{
	return event_index(id) <= w->at[event_thread(id)];
}

static const struct event *peek(const struct walk *w, unsigned t)
{
	if (t >= w->g->threads || w->at[t] >= w->g->length[t])
		return NULL;
	return at_id(w->g, event_name(t, w->at[t] + 1u));
}

static bool possible(const struct walk *w, unsigned t)
{
	const struct event *e = peek(w, t);

	return e && (!e->rf || told(w, e->rf));
}

/* The failed thread failed after its last event. That event comes last, so that a replay fails right after it. */
static bool ready(const struct walk *w, unsigned t)
{
	unsigned left = w->g->length[t] - w->at[t];

	if (!possible(w, t))
		return false;
	if ((int)t != chki_run.failed_thread || left > 2 || (left == 2 && !(peek(w, t)->flags & EF_RMW)))
		return true;
	for (unsigned o = 0; o < w->g->threads; o++)
		if (o != t && possible(w, o))
			return false;
	return true;
}

/* Would telling it now put something out of co or fr order? */
static bool in_order(const struct walk *w, unsigned t)
{
	const struct event *e = peek(w, t);

	if (e->kind == EV_READ) {
		event_id next = at_id(w->g, e->rf)->co_next;

		if (next && told(w, next))
			return false;
		/* The write half comes right after this read. So other readers of the replaced write come first. */
		if (e->flags & EF_RMW)
			for (event_id r = at_id(w->g, e->rf)->readers; r; r = at_id(w->g, r)->next_reader)
				if (r != id_of(e) && !told(w, r))
					return false;
		return true;
	}
	if (e->kind != EV_WRITE || !e->co_prev)
		return true;
	if (!told(w, e->co_prev))
		return false;
	for (event_id r = at_id(w->g, e->co_prev)->readers; r; r = at_id(w->g, r)->next_reader)
		if (!told(w, r))
			return false;
	return true;
}

static bool is_half_told(const struct walk *w, unsigned t)
{
	if (!w->at[t])
		return false;
	const struct event *e = at_id(w->g, event_name(t, w->at[t]));

	return e->kind == EV_READ && (e->flags & EF_RMW) && w->at[t] < w->g->length[t];
}

static int pick(const struct walk *w)
{
	if (w->thread >= 0 && is_half_told(w, (unsigned)w->thread))
		return w->thread;
	for (int strict = 1; strict >= 0; strict--) {
		if (w->thread >= 0 && ready(w, (unsigned)w->thread) && (!strict || in_order(w, (unsigned)w->thread)))
			return w->thread;
		for (unsigned t = 0; t < w->g->threads; t++)
			if (ready(w, t) && (!strict || in_order(w, t)))
				return (int)t;
	}
	return -1;
}

static const struct event *next_step(struct walk *w)
{
	int t = pick(w);

	if (t < 0)
		return NULL;
	const struct event *e = peek(w, (unsigned)t);

	w->thread = t;
	w->at[t]++;
	w->step_of[t][e->index] = ++w->steps;
	return e;
}

static struct walk *new_walk(const struct graph *g)
{
	struct walk *w = calloc(1, sizeof *w);

	if (w) {
		w->g = g;
		w->thread = -1;
	}
	return w;
}

/* ---- traces ---- */

static const char *operation(const struct event *e)
{
	if (e->kind == EV_START)
		return "start";
	if (e->kind == EV_END)
		return "end";
	if (e->kind == EV_CREATE)
		return "create";
	if (e->kind == EV_JOIN)
		return "join";
	if (e->kind == EV_FENCE)
		return "fence";
	if (e->flags & EF_INIT)
		return "init";
	if (e->flags & EF_CAS)
		return e->flags & EF_RMW ? "cas" : "cas fails";
	if (e->kind == EV_READ && (e->flags & EF_RMW))
		return e->site->op == CHK_EXCHANGE ? "exchange" : "fetch_add";
	return e->kind == EV_READ ? "load" : e->flags & EF_RMW ? "  writes" : "store";
}

static void print_value(char *out, size_t size, uint64_t v)
{
	if (v > 1u << 20)
		snprintf(out, size, (int64_t)v < 0 && (int64_t)v > -1000 ? "%lld" : "0x%llx", (long long)v);
	else
		snprintf(out, size, "%llu", (unsigned long long)v);
}

static void print_edge(FILE *f, const struct event *e)
{
	if (e->site && e->site->edge && e->site->edge[0])
		fprintf(f, "  [%s]", e->site->edge);
	fputc('\n', f);
}

static void print_event(FILE *f, const struct walk *w, const struct event *e)
{
	char name[64] = "", value[32] = "";
	const char *order = e->flags & EF_INIT ? "" : chk_order_name(e->order);

	fprintf(f, "%4u  T%u  ", w->step_of[e->thread][e->index], e->thread);
	if (e->kind == EV_CREATE || e->kind == EV_JOIN) {
		fprintf(f, "%-9s T%u\n", operation(e), e->other);
		return;
	}
	if (e->kind == EV_START || e->kind == EV_END) {
		fprintf(f, "%s\n", operation(e));
		return;
	}
	if (e->kind == EV_FENCE) {
		fprintf(f, "%-9s %-25s %-7s", operation(e), "", order);
		print_edge(f, e);
		return;
	}
	chki_location_name(e->loc, name, sizeof name);
	print_value(value, sizeof value, e->value);
	fprintf(f, "%-9s %-14s %s %-7s %-7s", operation(e), name, e->kind == EV_READ ? "->" : "<-", value, order);
	if (e->site && e->site->order != e->site->declared)
		fprintf(f, " (weakened from %s)", chk_order_name(e->site->declared));
	if (e->kind == EV_READ) {
		event_id newer = at_id(w->g, e->rf)->co_next;
		bool stale = newer && told(w, newer) && newer != event_name(e->thread, e->index + 1u);

		fprintf(f, " reads #%u%s", w->step_of[event_thread(e->rf)][event_index(e->rf)], stale ? ", stale" : "");
	} else if (e->co_next && told(w, e->co_next)) {
		fprintf(f, " placed before #%u", w->step_of[event_thread(e->co_next)][event_index(e->co_next)]);
	}
	print_edge(f, e);
}

/* The plain accesses that the thread made after the event and before its next. */
static void print_plain(FILE *f, const struct event *e, unsigned *next)
{
	const struct plain *p;

	while ((p = chki_memory_plain(e->thread, *next)) && p->position <= e->index) {
		char value[32] = "";

		if (p->read)
			print_value(value, sizeof value, p->value);
		fprintf(f, "      T%u  %-9s %-14s %s %-7s plain\n", e->thread, p->read ? "read" : "write", p->name,
			p->read ? "->" : "<-", value);
		++*next;
	}
}

char *chki_report_trace(const struct graph *g)
{
	char *text = NULL;
	size_t size = 0;
	struct walk *w = new_walk(g);
	FILE *f = w ? open_memstream(&text, &size) : NULL;
	const struct event *e;

	if (f) {
		const char *name = chki_run.config->name;
		unsigned told_plain[THREADS] = {0};

		fprintf(f, "%s%s%s\n", name ? name : "", name ? ": " : "", chki_run.message);
		while ((e = next_step(w))) {
			print_event(f, w, e);
			if (!is_half_told(w, e->thread))
				print_plain(f, e, &told_plain[e->thread]);
		}
		fclose(f);
	}
	free(w);
	return text;
}

/* ---- tokens ---- */

/*
 * "chk1:" and, for each step, the thread's digit, followed by letters for the choice made: how many writes, of those
 * told so far, are co-later than the one read or than the place written to. 0 is left out, a..y are 1..25, z adds 25.
 * Last comes "!" and the thread that failed, if one did.
 */
static unsigned choice_of(const struct walk *w, const struct event *e)
{
	unsigned n = 0;
	event_id from = e->kind == EV_READ ? e->rf : id_of(e);

	for (event_id later = at_id(w->g, from)->co_next; later; later = at_id(w->g, later)->co_next)
		n += told(w, later);
	return n;
}

static void print_choice(FILE *f, unsigned n)
{
	for (; n > 25; n -= 25)
		fputc('z', f);
	if (n)
		fputc((int)('a' + n - 1), f);
}

char *chki_report_token(const struct graph *g)
{
	char *text = NULL;
	size_t size = 0;
	struct walk *w = new_walk(g);
	FILE *f = w ? open_memstream(&text, &size) : NULL;
	const struct event *e;

	if (f) {
		fputs("chk1:", f);
		while ((e = next_step(w))) {
			bool own_step =
				!(e->kind == EV_START && e->thread) && !(e->kind == EV_WRITE && (e->flags & EF_RMW));

			if (!own_step)
				continue;
			fputc('0' + e->thread, f);
			if (e->kind == EV_READ || e->kind == EV_WRITE)
				print_choice(f, choice_of(w, e));
		}
		if (chki_run.failed_thread >= 0)
			fprintf(f, "!%d", chki_run.failed_thread);
		fclose(f);
	}
	free(w);
	return text;
}

bool chki_script_parse(struct script *s, const char *token)
{
	size_t n = strlen(token);
	struct script_step *steps = realloc(s->steps, (n + 1) * sizeof *steps);

	if (!steps)
		return false;
	s->steps = steps;
	s->count = 0;
	s->failed_thread = -1;
	if (strncmp(token, "chk1:", 5))
		return false;
	for (const char *p = token + 5; *p; p++) {
		if (*p == '!' && p[1] >= '0' && p[1] < '0' + THREADS && !p[2]) {
			s->failed_thread = p[1] - '0';
			break;
		}
		if (*p >= '0' && *p < '0' + THREADS)
			steps[s->count++] = (struct script_step){(uint8_t)(*p - '0'), 0};
		else if (*p >= 'a' && *p <= 'z' && s->count)
			steps[s->count - 1].choice =
				(uint16_t)(steps[s->count - 1].choice + (*p == 'z' ? 25 : *p - 'a' + 1));
		else
			return false;
	}
	return s->count > 0;
}
