/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of price.c for one kind of deque:
 *
 *   #define KIND split
 *
 * No include guard: once per kind.
 */
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define NAME_(kind) #kind
#define NAME(kind) NAME_(kind)
#define QUEUE struct JOIN(filchi_, KIND, )
#define CALL(operation) JOIN(filchi_, KIND, operation)
#define LOCAL(name) JOIN(KIND, _, name)

static void LOCAL(fill)(void *queue, unsigned count)
{
	while (count--)
		if (CALL(_push)((QUEUE *)queue, count))
			give_up("push");
}

/* Bursts of pushes, and of pops with a task after each. */
static inline void LOCAL(bursts)(QUEUE *q, const struct task *task, unsigned lines)
{
	uint64_t where = random_state;
	uintptr_t item = 0;

	for (unsigned burst = 0; burst < BURSTS; burst++) {
		for (unsigned i = 0; i < BURST; i++) {
			if (CALL(_push)(q, i))
				give_up("push");
			COMPILER_BARRIER();
		}
		for (unsigned i = 0; i < BURST; i++) {
			if (CALL(_pop)(q, &item) != FILCH_OK)
				give_up("pop");
			where = run_task(task, lines, where);
			COMPILER_BARRIER();
		}
	}
	random_state = where;
}

/* Compiled once for each number of lines. */
__attribute__((noinline, aligned(64))) static void LOCAL(own)(void *queue, const struct task *task)
{
	switch (task->lines) {
	case 0:
		LOCAL(bursts)(queue, task, 0);
		break;
	case 1:
		LOCAL(bursts)(queue, task, 1);
		break;
	default:
		LOCAL(bursts)(queue, task, 4);
	}
}

static int LOCAL(rob)(void *queue)
{
	uintptr_t item;

	return CALL(_steal)((QUEUE *)queue, &item);
}

static void *LOCAL(make)(void)
{
	const struct filchi_deque_setup setup = {.capacity = CAPACITY, .max_capacity = CAPACITY};
	QUEUE *q = filchi_alloc(sizeof(*q));

	if (!q || CALL(_init)(q, &setup))
		give_up("memory");
	return q;
}

static void LOCAL(unmake)(void *queue)
{
	CALL(_fini)((QUEUE *)queue);
	filchi_free(queue);
}

static const struct kind LOCAL(kind) = {NAME(KIND), LOCAL(make), LOCAL(unmake), LOCAL(fill), LOCAL(own), LOCAL(rob)};

#undef JOIN_
#undef JOIN
#undef NAME_
#undef NAME
#undef QUEUE
#undef CALL
#undef LOCAL
#undef KIND
