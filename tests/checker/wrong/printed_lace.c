/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The split deque of Tom van Dijk and Jaco van de Pol's "Lace: Non-blocking Split Deque for Work-Stealing" (2014),
 * Figure 4, in Python-like pseudocode. And from Figure 1 the join with a stolen task. Each line of C has its printed
 * line beside it, with its number in the figures. Code under a fix is ours.
 *
 * The paper is about x86, and states that weaker models need no more fences. So here MFENCE is a seq_cst fence, and all
 * other accesses are relaxed; with SEQ_CST everything is seq_cst. tail and split are one word, as the CAS needs it
 * (tail in its lower half). Where the figure writes half of the word, our code does it in one atomic step: the most
 * favourable reading. Task data is plain, with no values at the start. The figures leave two things open: here all
 * words are 0 at the start, and the result of a task is the task itself.
 *
 * done is stored with release and loaded with acquire, as the paper demands. A worker whose join is stolen would steal
 * from the thief (line 7 of Figure 1). Here it only looks at the name of the thief, and waits.
 */
#include "../printed.h"

enum {
	GROW_RELEASE = 1,   /* grow_shared publishes the tasks that it shares */
	PUSH_RELEASE = 2,   /* push publishes as well, when all tasks were stolen */
	ACQUIRE = 4,	    /* the thief's CAS pairs with these */
	SEQ_CST = 8,	    /* instead: every order */
	WAIT_FOR_DONE = 16, /* the joiner does not read the thief before the task is done */
	FIXED = GROW_RELEASE | PUSH_RELEASE | ACQUIRE | WAIT_FOR_DONE
};

#define ORDER(fix, order) (fixed & SEQ_CST ? CHK_SC : fixed & (fix) ? (order) : CHK_RLX)
#define TASKS 4

static struct {
	uint64_t word; /* split above, tail below */
	uint64_t allstolen, splitreq;
	uint64_t head, o_split, o_allstolen; /* belong to the owner */
	/* for each task */
	uint64_t done[TASKS], thief[TASKS]; /* 0: no thief yet */
	uint64_t *data;
} lace;

static uint64_t pack(uint64_t tail, uint64_t split)
{
	return split << 32 | tail;
}

static uint64_t tail_of(uint64_t word)
{
	return word & 0xFFFFFFFF;
}

static uint64_t split_of(uint64_t word)
{
	return word >> 32;
}

static void set_up(void)
{
	static const char *const data[] = {"Task(0)", "Task(1)", "Task(2)", "Task(3)"};
	static const char *const thief[] = {"thief of 0", "thief of 1", "thief of 2", "thief of 3"};

	INIT(lace.word, 0);
	chk_name(&lace.word, "tail,split");
	INIT(lace.allstolen, 0);
	INIT(lace.splitreq, 0);
	lace.head = lace.o_split = lace.o_allstolen = 0;
	lace.data = chk_alloc(TASKS * sizeof(lace.data[0]));
	for (unsigned i = 0; i < TASKS; i++) {
		INIT(lace.done[i], 0);
		INIT(lace.thief[i], 0);
		chk_name(&lace.data[i], data[i]);
		chk_name(&lace.thief[i], thief[i]);
	}
}

static void tear_down(void)
{
	chk_free(lace.data);
}

/* "split = new_s": half of the word. */
#define SET_SPLIT(split, printed)                                                                                      \
	(__extension__({                                                                                               \
		uint64_t word_ = LOAD(lace.word, CHK_RLX, printed), seen_ = word_;                                     \
		while (!chk_cas(&lace.word, 8, word_, pack(tail_of(word_), split), &seen_,                             \
				CITE(CHK_CAS, "tail,split", ORDER(GROW_RELEASE, CHK_REL), CHK_RLX, printed)))          \
			word_ = seen_;                                                                                 \
	}))

/* 36: def grow_shared (): */
static void grow_shared(void)
{
	/* 37: new_s = (o_split+head +1)/2 */
	uint64_t new_s = (lace.o_split + lace.head + 1) / 2;

	/* 38: split = new_s */
	SET_SPLIT(new_s, "38: split = new_s");
	/* 39: o_split = new_s */
	lace.o_split = new_s;
	/* 40: splitreq = 0 */
	STORE(lace.splitreq, 0, ORDER(0, 0), "40: splitreq = 0");
}

/* 41: def shrink_shared (): */
static bool shrink_shared(void)
{
	/* 42: (t,s) = (tail ,split) */
	uint64_t word = LOAD(lace.word, ORDER(0, 0), "42: (t,s) = (tail,split)"), t = tail_of(word), s = split_of(word);

	/* 43: if t != s: */
	if (t != s) {
		/* 44: new_s = (t+s)/2 */
		uint64_t new_s = (t + s) / 2;

		/* 45: split = new_s */
		SET_SPLIT(new_s, "45: split = new_s");
		/* 46: o_split = new_s */
		lace.o_split = new_s;
		/* 47: MFENCE */
		FENCE(CHK_SC, "47: MFENCE");
		/* 48: t = tail # read again */
		t = tail_of(LOAD(lace.word, ORDER(0, 0), "48: t = tail"));
		/* 49: if t != s: */
		if (t != s) {
			/* 50: if t > new_s: */
			if (t > new_s) {
				/* 51: new_s = (t+s)/2 */
				new_s = (t + s) / 2;
				/* 52: split = new_s */
				SET_SPLIT(new_s, "52: split = new_s");
				/* 53: o_split = new_s */
				lace.o_split = new_s;
			}
			/* 54: return False */
			return false;
		}
	}
	/* 55: allstolen = 1 */
	STORE(lace.allstolen, 1, ORDER(0, 0), "55: allstolen = 1");
	/* 56: o_allstolen = 1 */
	lace.o_allstolen = 1;
	/* 57: return True */
	return true;
}

/* 10: def push(data): */
static bool push(uint64_t item)
{
	/* 11: if head == size: return FULL */
	if (lace.head == TASKS)
		return false;
	/* 12: write task data at head */
	PLAIN_WRITE(lace.data[lace.head], item, "12: write task data");
	STORE(lace.done[lace.head], 0, CHK_RLX, "12: write task data");
	/* 13: head = head + 1 */
	lace.head++;
	/* 14: if o_allstolen: */
	if (lace.o_allstolen) {
		/* 15: (tail ,split) = (head -1,head) */
		STORE(lace.word, pack(lace.head - 1, lace.head), ORDER(PUSH_RELEASE, CHK_REL), "15: (tail,split) = ");
		/* 16: allstolen = 0 */
		STORE(lace.allstolen, 0, ORDER(0, 0), "16: allstolen = 0");
		/* 17: if splitreq: splitreq =0 */
		if (LOAD(lace.splitreq, ORDER(0, 0), "17: if splitreq"))
			STORE(lace.splitreq, 0, ORDER(0, 0), "17: splitreq = 0");
		/* 18: o_split = head */
		lace.o_split = lace.head;
		/* 19: o_allstolen = 0 */
		lace.o_allstolen = 0;
		/* 20: elif splitreq: grow_shared () */
	} else if (LOAD(lace.splitreq, ORDER(0, 0), "20: elif splitreq")) {
		grow_shared();
	}
	return true;
}

/* Figure 1, lines 5 to 8, without the steals: the last task is stolen. */
static uint64_t join_stolen(void)
{
	uint64_t t = lace.head - 1;

	/* 6: while not t.done: 7: steal_work(t.thief) */
	if (!(fixed & WAIT_FOR_DONE) && !LOAD(lace.thief[t], ORDER(0, 0), "Fig. 1, 7: steal_work(t.thief)"))
		wrong("nobody is the thief of a stolen task");
	while (!LOAD(lace.done[t], CHK_ACQ, "Fig. 1, 6: while not t.done"))
		chk_spin();
	/* 31: def pop_stolen (): 32: head = head -1 */
	lace.head--;
	/* 33: if ! o_allstolen: */
	if (!lace.o_allstolen) {
		/* 34: allstolen = 1 */
		STORE(lace.allstolen, 1, ORDER(0, 0), "34: allstolen = 1");
		/* 35: o_allstolen = 1 */
		lace.o_allstolen = 1;
	}
	return 0;
}

/* 21: def pop(): */
static uint64_t pop(void)
{
	/* 22: if head = 0: return EMPTY ,- */
	if (!lace.head)
		return 0;
	/* 23: if o_allstolen: 24: return STOLEN , Task(head -1) */
	if (lace.o_allstolen)
		return join_stolen();
	/* 25: if o_split = head: 26: if shrink_shared (): 27: return STOLEN , Task(head -1) */
	if (lace.o_split == lace.head && shrink_shared())
		return join_stolen();
	/* 28: head = head -1 */
	lace.head--;
	/* 29: if splitreq: grow_shared () */
	if (LOAD(lace.splitreq, ORDER(0, 0), "29: if splitreq"))
		grow_shared();
	/* 30: return WORK , Task(head) */
	return PLAIN_READ(lace.data[lace.head], "30: Task(head)");
}

/* 1: def steal(): */
static uint64_t steal(void)
{
	uint64_t word, seen, t, item;

	/* 2: if allstolen: return None */
	if (LOAD(lace.allstolen, ORDER(0, 0), "2: if allstolen"))
		return 0;
	/* 3: (t,s) = (tail ,split) */
	word = LOAD(lace.word, ORDER(0, 0), "3: (t,s) = (tail,split)");
	t = tail_of(word);
	/* 4: if t < s: */
	if (t < split_of(word)) {
		/* 5: if cas((tail ,split), (t,s), (t+1,s)): 7: else: return None */
		if (!chk_cas(&lace.word, 8, word, word + 1, &seen,
			     CITE(CHK_CAS, "tail,split", ORDER(ACQUIRE, CHK_ACQ), CHK_RLX, "5: cas((tail,split))")))
			return 0;
		/* 6: return Task(t); and in Figure 1, 14: t.thief = self */
		STORE(lace.thief[t], 1, ORDER(0, 0), "Fig. 1, 14: t.thief = self");
		/* 15: t.result = t.execute () */
		item = PLAIN_READ(lace.data[t], "6: Task(t)");
		/* 16: t.done = True */
		STORE(lace.done[t], 1, CHK_REL, "Fig. 1, 16: t.done = True");
		return item;
	}
	/* 8: if ! splitreq: splitreq =1 */
	if (!LOAD(lace.splitreq, ORDER(0, 0), "8: if !splitreq"))
		STORE(lace.splitreq, 1, ORDER(0, 0), "8: splitreq = 1");
	/* 9: return None */
	return 0;
}

static const struct algorithm algorithm = {
	.set_up = set_up,
	.tear_down = tear_down,
	.push = push,
	.pop = pop,
	.steal = steal,
};

static const struct scenario grows = {.capacity = TASKS, .owner = "+", .thief = {"ss"}};
static const struct scenario starts_over = {.capacity = TASKS, .owner = "+-+", .thief = {"sss"}};
static const struct scenario joins = {.capacity = TASKS, .before = "+", .owner = "+--", .thief = {"ss"}};
static const struct scenario two_thieves = {.capacity = TASKS, .before = "++", .owner = "-+-", .thief = {"ss", "s"}};

static const struct printed rows[] = {
	{"unpublished", WAIT_FOR_DONE, &grows, CHK_RACE, "data race on Task(0)", 28},
	{"release_only", WAIT_FOR_DONE | GROW_RELEASE, &grows, CHK_RACE, "data race on Task(0)", 28},
	{"acquire_only", WAIT_FOR_DONE | ACQUIRE, &grows, CHK_RACE, "data race on Task(0)", 28},
	{"unpublished_push", WAIT_FOR_DONE | GROW_RELEASE | ACQUIRE, &starts_over, CHK_RACE, "data race on Task(0)",
	 42},
	{"thief_unknown", SEQ_CST, &joins, CHK_ASSERT, "nobody is the thief of a stolen task", 34},

	{"fixed_grows", FIXED, &grows, CHK_OK, NULL, 4},
	{"fixed_starts_over", FIXED, &starts_over, CHK_OK, NULL, 166},
	{"fixed_joins", FIXED, &joins, CHK_OK, NULL, 32},
	{"fixed_two_thieves", FIXED, &two_thieves, CHK_OK, NULL, 367},
	{"seq_cst_grows", SEQ_CST | WAIT_FOR_DONE, &grows, CHK_OK, NULL, 4},
	{"seq_cst_starts_over", SEQ_CST | WAIT_FOR_DONE, &starts_over, CHK_OK, NULL, 109},
	{"seq_cst_joins", SEQ_CST | WAIT_FOR_DONE, &joins, CHK_OK, NULL, 30},
	{"seq_cst_two_thieves", SEQ_CST | WAIT_FOR_DONE, &two_thieves, CHK_OK, NULL, 323},
};

int main(int argc, char **argv)
{
	return printed_main(rows, ARRAY_SIZE(rows), argc, argv);
}
