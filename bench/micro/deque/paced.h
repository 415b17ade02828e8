/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of loops.h: owners that fill and empty the deque, and thieves at a pace, after Duwadi, "Analysis of novel
 * approaches for work-stealing scheduling" (2025), 5.2. There is no include guard: each kind includes this file once.
 *
 * A thief spins until its next attempt is due. The due time counts from the last due time, not from the end of the last
 * attempt, so that the mean is the requested pace. A thief drops the attempts that it missed while it did not
 * run.
 */
static inline uint64_t carried(uintptr_t item, unsigned payload)
{
	return payload == 4 ? (uint32_t)item : item;
}

static inline void took(struct filchi_histogram *h, uint64_t start, uint64_t clock)
{
	uint64_t ns = filchi_clock_ns() - start;

	filchi_histogram_add(h, ns > clock ? ns - clock : 0);
}

/* The state of an owner. */
struct tide {
	QUEUE *q;
	uint64_t end;
	struct filchi_bench_tally *t;
	struct filchi_bench_latency *l; /* NULL: nothing is timed */
	unsigned tries, until; /* operations to the next reading of the clock, and to the next timed operation */
};

/* Failed operations count, too, so that the loop always ends. */
#define TIME_IS_UP(s) (FILCHI_UNLIKELY(!--tries) && (tries = FILCHI_BENCH_TRIES, filchi_clock_ns() >= (s)->end))
/* result = operation, timed if its turn has come. */
#define TIMED(result, operation, histogram)                                                                            \
	do {                                                                                                           \
		if (timed && FILCHI_UNLIKELY(!--s->until)) {                                                           \
			uint64_t start = filchi_clock_ns();                                                            \
                                                                                                                       \
			(result) = (operation);                                                                        \
			took(&s->l->histogram, start, s->l->clock);                                                    \
			s->until = FILCHI_BENCH_TIMED;                                                                 \
		} else {                                                                                               \
			(result) = (operation);                                                                        \
		}                                                                                                      \
	} while (0)

/* Pushes until the deque is full. False: the time is up. */
FILCHI_BENCH_TEMPLATE bool rise(struct tide *s, unsigned payload, bool timed)
{
	uint64_t pushes = s->t->pushes;
	unsigned tries = s->tries;
	QUEUE *q = s->q;
	bool up;
	int err;

	for (;;) {
		uintptr_t fresh = carried(pushes, payload);

		up = TIME_IS_UP(s);
		if (up)
			break;
		FILCHI_BENCH_OPAQUE(fresh);
		TIMED(err, CALL(_push)(q, fresh), push);
		if (FILCHI_UNLIKELY(err))
			break;
		pushes++;
	}
	s->t->pushes = pushes;
	s->tries = tries;
	return !up;
}

/* Pops until the deque is empty. */
FILCHI_BENCH_TEMPLATE bool ebb(struct tide *s, unsigned payload, bool timed)
{
	uint64_t pops = s->t->pops, sum = s->t->sum;
	unsigned tries = s->tries;
	uintptr_t item = 0;
	QUEUE *q = s->q;
	bool up;
	int result;

	for (;;) {
		up = TIME_IS_UP(s);
		if (up)
			break;
		TIMED(result, CALL(_pop)(q, &item), pop);
		if (FILCHI_UNLIKELY(result != FILCH_OK))
			break;
		sum += carried(taken(item), payload);
		pops++;
	}
	s->t->pops = pops;
	s->t->sum = sum;
	s->tries = tries;
	return !up;
}

FILCHI_BENCH_LOOP bool rise_4(struct tide *s)
{
	return rise(s, 4, false);
}

FILCHI_BENCH_LOOP bool ebb_4(struct tide *s)
{
	return ebb(s, 4, false);
}

FILCHI_BENCH_LOOP bool rise_8(struct tide *s)
{
	return rise(s, 8, false);
}

FILCHI_BENCH_LOOP bool ebb_8(struct tide *s)
{
	return ebb(s, 8, false);
}

FILCHI_BENCH_LOOP bool rise_timed(struct tide *s, unsigned payload)
{
	return rise(s, payload, true);
}

FILCHI_BENCH_LOOP bool ebb_timed(struct tide *s, unsigned payload)
{
	return ebb(s, payload, true);
}

/* Each loop is a function, so that the compiler takes neither for a rare case of the other. */
static void run_tides(void *queue, uint64_t end, unsigned payload, struct filchi_bench_tally *t,
		      struct filchi_bench_latency *l)
{
	struct tide s = {queue, end, t, l, FILCHI_BENCH_TRIES, FILCHI_BENCH_TIMED};

	if (l)
		while (rise_timed(&s, payload) && ebb_timed(&s, payload))
			;
	else if (payload == 4)
		while (rise_4(&s) && ebb_4(&s))
			;
	else
		while (rise_8(&s) && ebb_8(&s))
			;
}

/* Waits until the due attempt, or the end. Returns the time of the next attempt. */
static inline uint64_t wait_for_next(uint64_t due, const struct filchi_bench_pace *pace,
				     const struct filchi_bench_stop *stop)
{
	uint64_t now;

	while ((now = filchi_clock_ns()) < due && !filchi_load_rlx(&stop->now, STOP)) {
		if (pace->crowded)
			sched_yield();
		else
			filchi_spin_wait();
	}
	return (now - due > pace->period ? now : due) + pace->period;
}

/* hurried: without pauses. Then only some attempts are timed, because the others need no clock. */
FILCHI_BENCH_TEMPLATE void steals(QUEUE *q, const struct filchi_bench_stop *stop, const struct filchi_bench_pace *pace,
				  bool hurried, struct filchi_bench_tally *t, struct filchi_bench_latency *l)
{
	uint64_t steals = 0, lost = 0, empty = 0, sum = 0, start = 0, due = hurried ? 0 : filchi_clock_ns();
	unsigned in_vain = 0, until = FILCHI_BENCH_TIMED;
	uintptr_t item = 0;

	while (!filchi_load_rlx(&stop->now, STOP)) {
		bool timed = l && (!hurried || !--until);
		int result;

		if (!hurried)
			due = wait_for_next(due, pace, stop);
		if (timed)
			start = filchi_clock_ns();
		result = CALL(_steal)(q, &item);
		if (timed) {
			took(result == FILCH_OK ? &l->steal : &l->vain, start, l->clock);
			until = FILCHI_BENCH_TIMED;
		}
		if (result == FILCH_OK) {
			sum += taken(item);
			steals++;
			in_vain = 0;
		} else if (result == FILCH_LOST) {
			lost++;
		} else {
			empty++;
			if (hurried && ++in_vain == FILCHI_BENCH_PATIENCE) {
				/*
				 * On a single processor the owner, which could bring items, waits for the
				 * processor.
				 */
				sched_yield();
				in_vain = 0;
			}
		}
	}
	t->steals += steals;
	t->lost += lost;
	t->empty += empty;
	t->sum += sum;
}

FILCHI_BENCH_LOOP void steals_hurried(QUEUE *q, const struct filchi_bench_stop *stop, struct filchi_bench_tally *t)
{
	steals(q, stop, NULL, true, t, NULL);
}

FILCHI_BENCH_LOOP void steals_paced(QUEUE *q, const struct filchi_bench_stop *stop,
				    const struct filchi_bench_pace *pace, struct filchi_bench_tally *t)
{
	steals(q, stop, pace, false, t, NULL);
}

FILCHI_BENCH_LOOP void steals_timed(QUEUE *q, const struct filchi_bench_stop *stop,
				    const struct filchi_bench_pace *pace, struct filchi_bench_tally *t,
				    struct filchi_bench_latency *l)
{
	if (pace->period)
		steals(q, stop, pace, false, t, l);
	else
		steals(q, stop, pace, true, t, l);
}

static void run_thief(void *queue, const struct filchi_bench_stop *stop, const struct filchi_bench_pace *pace,
		      struct filchi_bench_tally *t, struct filchi_bench_latency *l)
{
	if (l)
		steals_timed(queue, stop, pace, t, l);
	else if (pace->period)
		steals_paced(queue, stop, pace, t);
	else
		steals_hurried(queue, stop, t);
}
