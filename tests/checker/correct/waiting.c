/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting loops: some end and some do not, with various reads before the loop and various turns. */
#include "../../../check/chk.h"

static uint32_t x, y, c, flag;
static int box;
static struct chk_mutex mutex;

#define INIT(p) chk_init(p, 4, 0, CHK_SITE(CHK_STORE, #p, "", CHK_RLX, CHK_RLX))
#define LOAD(p) chk_load(p, 4, CHK_SITE(CHK_LOAD, #p, "", CHK_ACQ, CHK_RLX))
#define STORE(p, v) chk_store(p, 4, v, CHK_SITE(CHK_STORE, #p, "", CHK_REL, CHK_RLX))
#define ADD(p) chk_fetch_add(p, 4, 1, CHK_SITE(CHK_FETCH_ADD, #p, "", CHK_ACQ_REL, CHK_RLX))
#define GET(p) (chk_cell_read(p, sizeof *(p), CHK_SITE(CHK_CELL_READ, #p, "", CHK_NONE, CHK_NONE)), *(p))
#define SET(p, v)                                                                                                      \
	(chk_cell_write(p, sizeof *(p), CHK_SITE(CHK_CELL_WRITE, #p, "", CHK_NONE, CHK_NONE)), (void)(*(p) = (v)))

static void both(void (*one)(void *), void (*other)(void *))
{
	int t;

	INIT(&x);
	INIT(&y);
	INIT(&c);
	INIT(&flag);
	chk_mutex_init(&mutex);
	SET(&box, 0);
	t = chk_thread(one, NULL);
	other(NULL);
	chk_join(t);
}

/* The thread sleeps for ever if it looks too early: the read before the loop is stale when all threads wait. */
static void sleeper(void *unused)
{
	(void)unused;
	if (LOAD(&y) == 0)
		while (!LOAD(&flag))
			chk_spin();
}

static void set_y(void *unused)
{
	(void)unused;
	STORE(&y, 1);
}

static void lost_wake_up(void *unused)
{
	(void)unused;
	both(sleeper, set_y);
}

/* The first loop ends, the second does not. */
static void two_loops(void *unused)
{
	(void)unused;
	while (!LOAD(&y))
		chk_spin();
	while (!LOAD(&flag))
		chk_spin();
}

static void second_loop(void *unused)
{
	(void)unused;
	both(two_loops, set_y);
}

/* Polls under a mutex: a turn writes the mutex, and only plain data changes. */
static void poll_box(void *unused)
{
	int got = 0;

	(void)unused;
	for (;;) {
		chk_mutex_lock(&mutex);
		got = GET(&box);
		chk_mutex_unlock(&mutex);
		if (got)
			break;
		chk_spin();
	}
}

static void fill_box(void *unused)
{
	(void)unused;
	chk_mutex_lock(&mutex);
	SET(&box, 1);
	chk_mutex_unlock(&mutex);
}

static void do_nothing(void *unused)
{
	(void)unused;
}

static void polled(void *unused)
{
	(void)unused;
	both(poll_box, fill_box);
}

static void polled_in_vain(void *unused)
{
	(void)unused;
	both(poll_box, do_nothing);
}

/* The thread itself does the step that it waits for. */
static void help(void *unused)
{
	(void)unused;
	while (LOAD(&x) != 1) {
		STORE(&x, 1);
		chk_spin();
	}
}

static void helped(void *unused)
{
	(void)unused;
	both(help, help);
}

/* Each turn leaves a mark. */
static void count_turns(void *unused)
{
	(void)unused;
	for (;;) {
		ADD(&c);
		if (LOAD(&flag))
			break;
		chk_spin();
	}
}

static void raise_flag(void *unused)
{
	(void)unused;
	STORE(&flag, 1);
}

static void counted(void *unused)
{
	(void)unused;
	both(count_turns, raise_flag);
}

static void counted_in_vain(void *unused)
{
	(void)unused;
	both(count_turns, do_nothing);
}

int main(void)
{
	static const struct {
		const char *name;
		void (*scenario)(void *);
		enum chk_verdict verdict;
	} rows[] = {
		{"lost wake-up", lost_wake_up, CHK_ENDLESS},
		{"second loop", second_loop, CHK_ENDLESS},
		{"polled", polled, CHK_OK},
		{"polled in vain", polled_in_vain, CHK_ENDLESS},
		{"helped", helped, CHK_OK},
		{"counted", counted, CHK_OK},
		{"counted in vain", counted_in_vain, CHK_ENDLESS},
	};
	unsigned right = 0, count = 0;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (enum chk_mode mode = CHK_DPOR; mode <= CHK_RANDOM; mode++) {
			struct chk_config config = {.mode = mode, .max_executions = mode == CHK_RANDOM ? 500 : 0};
			struct chk_result r = chk_run(&config, rows[i].scenario, NULL);

			printf("%s, mode %d: %s, %llu executions + %llu blocked\n", rows[i].name, (int)mode,
			       chk_verdict_name(r.verdict), (unsigned long long)r.executions,
			       (unsigned long long)r.blocked);
			if (r.verdict != rows[i].verdict && r.trace)
				puts(r.trace);
			right += r.verdict == rows[i].verdict && (r.executions || r.verdict != CHK_OK);
			count++;
			chk_result_clear(&r);
		}
	}
	printf("%u of %u right\n", right, count);
	return right != count;
}
