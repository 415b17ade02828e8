/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States and tokens: how a worker runs dry, how it gets work again, and how a run ends. README.md has the argument.
 *
 * The states of a worker, and the thread that owns the worker's data in each:
 *
 *      RUNNING     the thread of its job. Also a worker whose job could not be started, or has returned for a pause
 *      REQUESTING  the same. The worker looks for nodes, or has few
 *      IDLE        no thread. It has no nodes, no job and no token
 *      CLAIMED     from IDLE: the claimer, which leaves RUNNING behind
 *                  from REQUESTING: the job; the claimer owns the mail
 *      MAILED      the job, and the mail, too
 *      LEFT        the claimer: the job has returned
 *
 * A token is a right to have nodes. Each worker that is not idle has one, each mail has one, and each hold of a thread
 * outside. Only a thread with a token makes another one. So no token is left exactly when no node is left.
 *
 * A worker announces its need (NEEDY in the signal word), and then looks for visible nodes once more. A worker that has
 * made nodes visible looks for needs. Because of the two fences S1 one of the two sees the other.
 *
 * May run together: everything here, with these limits. find, request and satisfied are for the owner. give and offer
 * are for a thread with a token that is not the worker itself.
 *
 * Edges:
 *   D1   leave: cas_rel state IDLE → give, offer: cas_acq state CLAIMED   the claimer owns the worker's data
 *   D2   request: store_rel state REQUESTING → give: cas_acq state CLAIMED   the owner has taken the mail before
 *   D3   give: cas_rel state MAILED → take_mail: load_acq state   publishes the mail
 *   D4   leave: cas_rel state LEFT → give: load_acq state   the claimer owns the worker's data
 *   S1   request: fence_sc → announce: fence_sc   between a need and a look; between visible nodes and a look for needs
 *   ST   stop: cas_rel signal → stopped: load_acq signal   the run sees why it ends, and what came before
 *   EV   changed: fetch_add_rel event → wait: load_acq event   a run that waits sees the cause
 *   CNT  tokens, needs and flags: counts, which order nothing by themselves
 *   SEEN  a look at a state: a compare and swap follows
 */
#include "search.h"

void filchi_search_flag(struct filch_search *s, uint32_t set, uint32_t clear)
{
	uint32_t old = filchi_load_rlx(&s->signal, CNT);

	while (!filchi_cas_rlx(&s->signal, &old, (old | set) & ~clear, CNT))
		;
}

void filchi_search_changed(struct filch_search *s)
{
	(void)filchi_fetch_add_rel(&s->event, 1, EV);
	filchi_search_wake(&s->event);
}

void filchi_search_stop(struct filch_search *s, int end)
{
	uint32_t none = 0, old = filchi_load_rlx(&s->signal, CNT);

	(void)filchi_cas_rlx(&s->end, &none, (uint32_t)end, CNT);
	while (!filchi_cas_rel(&s->signal, &old, old | FILCHI_SEARCH_STOP, ST))
		;
	filchi_search_changed(s);
}

bool filchi_search_stopped(struct filch_search *s)
{
	return filchi_load_acq(&s->signal, ST) & FILCHI_SEARCH_STOP;
}

void filchi_search_token_take(struct filch_search *s)
{
	(void)filchi_fetch_add_rlx(&s->tokens, 1, CNT);
}

void filchi_search_token_drop(struct filch_search *s)
{
	if (filchi_fetch_add_rlx(&s->tokens, (uint32_t)-1, CNT) == 1)
		filchi_search_stop(s, FILCH_SEARCH_DONE);
}

static void need(struct filch_search *s, int change)
{
	(void)filchi_fetch_add_rlx(&s->signal, (uint32_t)(change * FILCHI_SEARCH_NEEDY), CNT);
}

void filchi_search_own(struct filch_search_worker *w)
{
	filchi_cell_set(&w->owner, filchi_cell_get(&w->owner) + 1);
}

void filchi_search_announce(void)
{
	filchi_fence_sc(S1);
}

void filchi_search_request(struct filch_search_worker *w)
{
	filchi_store_rel(&w->state, FILCHI_SEARCH_REQUESTING, D2);
	need(w->search, 1);
	filchi_fence_sc(S1);
}

void filchi_search_satisfied(struct filch_search_worker *w)
{
	uint32_t state = FILCHI_SEARCH_REQUESTING;

	w->needy = false;
	if (filchi_cas_rlx(&w->state, &state, FILCHI_SEARCH_RUNNING, SEEN))
		need(w->search, -1);
}

/* True: there was mail, and the worker has it now. */
bool filchi_search_take_mail(struct filch_search_worker *w)
{
	struct filch_batch mail;

	if (filchi_load_acq(&w->state, D3) != FILCHI_SEARCH_MAILED)
		return false;
	mail = filchi_plain_get(&w->mail);
	w->needy = false;
	filchi_store_rlx(&w->state, FILCHI_SEARCH_RUNNING, SEEN);
	w->stats.batches++;
	w->stats.nodes += mail.count;
	filchi_search_push(w, &mail);
	filchi_search_token_drop(w->search); /* the worker has its own */
	return true;
}

/* True: the worker is idle, or has left its data to a claimer. False: it has mail, or should look again. */
static bool leave(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	uint32_t state = FILCHI_SEARCH_REQUESTING;

	w->needy = false;
	w->idle_ns = filchi_search_clock();
	filchi_search_own(w);
	while (state == FILCHI_SEARCH_REQUESTING || state == FILCHI_SEARCH_CLAIMED) {
		if (state == FILCHI_SEARCH_REQUESTING && filchi_cas_rel(&w->state, &state, FILCHI_SEARCH_IDLE, D1))
			break;
		if (state == FILCHI_SEARCH_CLAIMED && filchi_cas_rel(&w->state, &state, FILCHI_SEARCH_LEFT, D4))
			break;
		if (state == FILCHI_SEARCH_RUNNING || state == FILCHI_SEARCH_MAILED)
			return false;
	}
	filchi_search_token_drop(s);
	return true;
}

bool filchi_search_find(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;

	for (;;) {
		if (filchi_search_take_mail(w))
			return true;
		if (filchi_load_rlx(&w->state, SEEN) == FILCHI_SEARCH_RUNNING)
			filchi_search_request(w);
		if (filchi_load_rlx(&s->signal, CNT) & (FILCHI_SEARCH_STOP | FILCHI_SEARCH_PAUSE))
			return false; /* with its token: run.c settles its state */
		if (filchi_search_take_inbox(w) || filchi_search_forage(w)) {
			filchi_search_satisfied(w);
			return true;
		}
		if (leave(w))
			return false;
	}
}

/* The claimer owns the worker's data: the worker runs from now on. A start that fails is repeated by run.c. */
static void start(struct filch_search *s, struct filch_search_worker *w, struct filch_batch *batch)
{
	uint64_t now = filchi_search_clock();

	filchi_search_own(w);
	if (w->idle_ns && now > w->idle_ns)
		w->stats.idle_ns += now - w->idle_ns;
	w->idle_ns = 0;
	w->stats.starts++;
	if (batch) {
		w->stats.batches++;
		w->stats.nodes += batch->count;
		filchi_search_push(w, batch);
	}
	filchi_store_rlx(&w->state, FILCHI_SEARCH_RUNNING, SEEN);
	(void)filchi_search_jobs_start(s->jobs, &w->job);
}

bool filchi_search_give(struct filch_search *s, struct filch_search_worker *to, struct filch_batch *batch)
{
	uint32_t state = filchi_load_rlx(&to->state, SEEN);
	uint32_t claimed = FILCHI_SEARCH_CLAIMED;

	if (state == FILCHI_SEARCH_IDLE && filchi_cas_acq(&to->state, &state, FILCHI_SEARCH_CLAIMED, D1)) {
		filchi_search_token_take(s);
		need(s, -1);
		start(s, to, batch);
		return true;
	}
	if (state != FILCHI_SEARCH_REQUESTING || !filchi_cas_acq(&to->state, &state, FILCHI_SEARCH_CLAIMED, D2))
		return false;
	filchi_search_token_take(s);
	need(s, -1);
	filchi_plain_set(&to->mail, *batch);
	if (!filchi_cas_rel(&to->state, &claimed, FILCHI_SEARCH_MAILED, D3)) {
		(void)filchi_load_acq(&to->state, D4); /* LEFT */
		start(s, to, batch);
	}
	return true;
}

bool filchi_search_offer(struct filch_search *s, struct filch_search_worker *to)
{
	uint32_t state = filchi_load_rlx(&to->state, SEEN);

	for (;;) {
		if (state == FILCHI_SEARCH_IDLE) {
			if (!filchi_cas_acq(&to->state, &state, FILCHI_SEARCH_CLAIMED, D1))
				continue;
			filchi_search_token_take(s);
			need(s, -1);
			start(s, to, NULL);
			return true;
		}
		if (state != FILCHI_SEARCH_REQUESTING)
			return false;
		/* It is about to leave: its compare and swap then fails, and it looks again. */
		if (filchi_cas_rlx(&to->state, &state, FILCHI_SEARCH_RUNNING, SEEN)) {
			need(s, -1);
			return true;
		}
	}
}

void filchi_search_settle(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	uint32_t state = filchi_load_rlx(&w->state, SEEN);

	if (state == FILCHI_SEARCH_IDLE)
		return;
	filchi_search_own(w);
	if (state == FILCHI_SEARCH_MAILED)
		filchi_search_take_mail(w);
	else
		filchi_search_satisfied(w);
	if (filchi_search_size(w))
		return;
	w->idle_ns = filchi_search_clock();
	filchi_store_rlx(&w->state, FILCHI_SEARCH_IDLE, SEEN);
	need(s, 1);
	filchi_search_token_drop(s);
}

bool filchi_search_is_idle(struct filch_search_worker *w)
{
	return filchi_load_rlx(&w->state, SEEN) == FILCHI_SEARCH_IDLE;
}

bool filchi_search_is_running(struct filch_search_worker *w)
{
	return filchi_load_rlx(&w->state, SEEN) == FILCHI_SEARCH_RUNNING;
}

void filchi_search_adopt(struct filch_search_worker *w, struct filch_batch *batch)
{
	if (filchi_search_is_idle(w)) {
		filchi_search_token_take(w->search);
		need(w->search, -1);
		w->idle_ns = 0;
		filchi_store_rlx(&w->state, FILCHI_SEARCH_RUNNING, SEEN);
	}
	filchi_search_own(w);
	filchi_search_push(w, batch);
}

void filchi_search_wait(struct filch_search *s, uint64_t ns)
{
	uint32_t event = filchi_load_acq(&s->event, EV);
	bool nothing;

	filchi_search_enter(s);
	nothing = !s->inbox.count && !(filchi_load_rlx(&s->signal, CNT) & (FILCHI_SEARCH_STOP | FILCHI_SEARCH_PAUSE));
	filchi_search_unlock(&s->lock);
	if (nothing)
		filchi_search_sleep(&s->event, event, ns);
}
