/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data that the macros of filch/task.h work on, and the functions of the library that they call. Programs do not
 * use anything of this file directly.
 *
 *   frame     the state of a running body: a local variable of the body
 *   task      a descriptor on the task stack of a worker: arguments first, then the result
 *   spawn_n   a FILCH_SPAWN_N that is going on: a local variable of the body
 *   head      the end of the task stack that is in use
 *   line      a piece of the task stack, as large as struct filch_task; a task takes one or more
 *
 * Edges, as in src/task/spawn.c:
 *   H1   threshold: the owner lowers it, thieves raise it; a spawn reads it
 *   J3   state of a task that no other thread knows, or knows any more
 */
#ifndef FILCH_DETAIL_TASK_H
#define FILCH_DETAIL_TASK_H

#include "../base.h"
#include "atomic.h"
#include "cast.h"

FILCH_BEGIN_DECLS

struct filch_pool;

#define FILCHI_UNUSED __attribute__((unused))
#define FILCHI_INLINE static inline __attribute__((always_inline, unused))
/* Cold functions let the compiler inline a body into itself, as it does with a recursive function without spawns. */
#define FILCHI_COLD_API FILCH_API __attribute__((cold))

/*
 * The pending SPAWN_Ns of a worker. inner is the innermost one. oldest is the oldest one that may have numbers left, or
 * NULL. outer is the list of the suspended bodies. job is the job of the running bodies.
 */
struct filch_pending {
	struct filch_spawn_n *inner, *oldest;
	struct filch_pending *outer;
	void *job;
};

/*
 * The part of a worker that a spawn needs. A spawn with its head below the threshold makes a task, any other spawn is a
 * call. Thieves write the threshold, and nothing else here.
 */
struct filch_worker_ {
	uintptr_t threshold;
	struct filch_pending pending __attribute__((aligned(64)));
};

/* A task that can be stolen, or the result of a spawn that was a call. */
struct filch_task {
	uint32_t state; /* 0: the result is there */
	uint16_t lines;
	uint16_t owner;
	void (*run)(struct filch_worker_ *worker, struct filch_task *task, struct filch_task *head);
	uint64_t payload[6] __attribute__((aligned(16))); /* its arguments, then its result */
};

/*
 * The lines of a task whose arguments, or result, have so many bytes. A pointer of the library follows the arguments.
 */
#define FILCHI_TASK_LINES(bytes)                                                                                       \
	((16 + (bytes) + sizeof(void *) + sizeof(struct filch_task) - 1) / sizeof(struct filch_task))

/* The facts about a task from which the library makes a task of each number. */
struct filch_spawn_n_kind {
	void (*run)(struct filch_worker_ *worker, struct filch_task *task, struct filch_task *head);
	uint16_t lines;
	uint16_t number_size;
	uint32_t args_size, result_size;
};

/* A pending SPAWN_N. The arguments follow. */
struct filch_spawn_n {
	struct filch_spawn_n *outer, *inner;
	const struct filch_spawn_n_kind *kind;
	struct filch_task *first; /* the slot of number 0 */
	size_t next, end;	  /* the numbers that are neither begun nor tasks */
} __attribute__((aligned(16)));

/* The state of a running body: its worker, its head, and the result of its last spawn, if that was a call. */
struct filch_frame {
	struct filch_worker_ *worker;
	struct filch_task *head;
	struct filch_task *base; /* the head at the start of the body */
	size_t cached;		 /* 1: the result is here */
	size_t shape;		 /* FILCHI_SHAPE of that result */
	void *value[2];		 /* pointers, see filchi_value_set */
#ifdef FILCH_DEBUG
	size_t spawned;
#endif
};

/* A result in a frame: the lines that it would take on the task stack, and the words of value that it has. */
#define FILCHI_SHAPE(lines, bytes) ((lines)*FILCHI_CAST(size_t, 4) | ((bytes) + FILCHI_CAST(size_t, 7)) / 8)

/* Publishes the task, whose slot and arguments the caller has filled. */
FILCHI_COLD_API void filch_task_spawn_(struct filch_worker_ *worker, struct filch_task *task, size_t lines);
/*
 * A spawn at head asks for a decision. True: the next spawn makes a task. False: it is a call now. It is not cold: gcc
 * -O3 would then inline less of a search into itself, and knapsack would take 1.5 times as long.
 */
FILCH_API int filch_task_requested_(struct filch_worker_ *worker, struct filch_task *head);
/* Shares the numbers of pending SPAWN_Ns if a worker is idle or has asked. head is the head of the innermost one. */
FILCHI_COLD_API void filch_task_spawn_n_(struct filch_worker_ *worker, struct filch_task *head);
/*
 * Reserves count tasks of so many lines above head. Without room for them it touches the guard page above the task
 * stack, which the spawns alone might jump over.
 */
FILCHI_COLD_API void filch_task_probe_stack_(struct filch_worker_ *worker, struct filch_task *head, size_t count,
					     size_t lines);
/* Runs the task, or waits for the worker that runs it. Afterwards the result is there. */
FILCHI_COLD_API void filch_task_sync_(struct filch_worker_ *worker, struct filch_task *task);
/* Runs a task that is anywhere in memory on that pool, and waits for it: FILCH_RUN, FILCH_RUN_ON. */
FILCH_API void filch_task_run_(struct filch_pool *pool, struct filch_task *task);
/* FILCH_DEBUG: counts a sync without a spawn. */
FILCHI_COLD_API void filch_task_misuse_(struct filch_worker_ *worker);
/* FILCH_DEBUG: syncs the tasks from base to head, which the body has not synced. */
FILCHI_COLD_API void filch_task_sync_missing_(struct filch_worker_ *worker, struct filch_task *base,
					      struct filch_task *head);

FILCHI_INLINE int filchi_frame_calls(const struct filch_frame *f)
{
	return FILCHI_RECAST(uintptr_t, f->head) >= FILCH_TASK_LOAD_(&f->worker->threshold, H1);
}

FILCHI_INLINE int filchi_frame_requested(const struct filch_frame *f)
{
	return !filchi_frame_calls(f) && filch_task_requested_(f->worker, f->head);
}

FILCHI_INLINE void filchi_task_done(struct filch_task *t, size_t lines)
{
	FILCH_TASK_STORE_(&t->state, 0, J3);
	t->lines = FILCHI_CAST(uint16_t, lines);
	t->owner = 0;
}

/* gcc keeps more of a loop in registers if the spill is unlikely. clang then makes a loop of spawns slower. */
#ifdef __clang__
#define FILCHI_NOTHING_CACHED(f) (!(f)->cached)
#else
#define FILCHI_NOTHING_CACHED(f) __builtin_expect(!(f)->cached, 1)
#endif

/*
 * Moves the cached result to the task stack, so that the next spawn can use the registers. A frame starts with the
 * shape of its own task. So in a body that spawns only tasks of that shape, as a recursion does, the compiler sees that
 * the shape is a constant.
 */
FILCHI_INLINE void filchi_frame_spill(struct filch_frame *f)
{
	size_t lines = f->shape >> 2;

	if (FILCHI_NOTHING_CACHED(f))
		return;
	filchi_task_done(f->head, lines);
	if (sizeof(f->value) == 8)
		__builtin_memcpy(f->head->payload, f->value, 8);
	else if (f->shape & 3)
		f->head->payload[0] = FILCHI_RECAST(uintptr_t, f->value[0]);
	if (sizeof(f->value) == 16 && (f->shape & 2))
		f->head->payload[1] = FILCHI_RECAST(uintptr_t, f->value[1]);
	f->head += lines;
	f->cached = 0;
}

/*
 * Copies a result to the value of a frame, and back. A result of a word or less is widened in a register: a store of
 * its bytes, followed by a load of the word, would have to wait until the store has reached the cache. The widened word
 * must begin with the bytes of the result, because filchi_frame_spill copies it.
 *
 * The words are pointers, so that a sync converts the value. Without a conversion gcc 12 does not make two ways of the
 * code from a spawn to its sync, one for a call and one for a task, and fib takes 1.4 times as long.
 */
#define FILCHI_WIDENS (__SIZEOF_POINTER__ == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

FILCHI_INLINE void filchi_value_set(void **value, const void *result, size_t size)
{
	uint8_t one;
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	if (!FILCHI_WIDENS) {
		__builtin_memcpy(value, result, size);
	} else if (size == 1) {
		__builtin_memcpy(&one, result, 1);
		value[0] = FILCHI_RECAST(void *, FILCHI_CAST(uintptr_t, one));
	} else if (size == 2) {
		__builtin_memcpy(&two, result, 2);
		value[0] = FILCHI_RECAST(void *, FILCHI_CAST(uintptr_t, two));
	} else if (size == 4) {
		__builtin_memcpy(&four, result, 4);
		value[0] = FILCHI_RECAST(void *, FILCHI_CAST(uintptr_t, four));
	} else if (size == 8) {
		__builtin_memcpy(&eight, result, 8);
		value[0] = FILCHI_RECAST(void *, eight);
	} else {
		__builtin_memcpy(value, result, size);
	}
}

FILCHI_INLINE void filchi_value_get(void *result, void *const *value, size_t size)
{
	uint8_t one = FILCHI_CAST(uint8_t, FILCHI_RECAST(uintptr_t, value[0]));
	uint16_t two = FILCHI_CAST(uint16_t, FILCHI_RECAST(uintptr_t, value[0]));
	uint32_t four = FILCHI_CAST(uint32_t, FILCHI_RECAST(uintptr_t, value[0]));
	uint64_t eight = FILCHI_RECAST(uintptr_t, value[0]);

	if (!FILCHI_WIDENS)
		__builtin_memcpy(result, value, size);
	else if (size == 1)
		__builtin_memcpy(result, &one, 1);
	else if (size == 2)
		__builtin_memcpy(result, &two, 2);
	else if (size == 4)
		__builtin_memcpy(result, &four, 4);
	else if (size == 8)
		__builtin_memcpy(result, &eight, 8);
	else
		__builtin_memcpy(result, value, size);
}

FILCHI_INLINE void filchi_spawn_n_begin(struct filch_spawn_n *spawn_n, struct filch_worker_ *worker)
{
	__asm__("" : "+r"(spawn_n)); /* gcc does not see that filchi_spawn_n_end always follows, and would warn */
	spawn_n->outer = worker->pending.inner;
	spawn_n->inner = FILCHI_NULL;
	if (spawn_n->outer)
		spawn_n->outer->inner = spawn_n;
	else
		worker->pending.oldest = spawn_n;
	worker->pending.inner = spawn_n;
}

FILCHI_INLINE void filchi_spawn_n_end(struct filch_spawn_n *spawn_n, struct filch_worker_ *worker)
{
	worker->pending.inner = spawn_n->outer;
	if (worker->pending.oldest == spawn_n)
		worker->pending.oldest = spawn_n->outer;
	if (spawn_n->outer)
		spawn_n->outer->inner = FILCHI_NULL;
}

/* Stores a number in a parameter of any integer type. */
FILCHI_INLINE void filchi_number(void *parameter, size_t size, size_t number)
{
	uint8_t one = FILCHI_CAST(uint8_t, number);
	uint16_t two = FILCHI_CAST(uint16_t, number);
	uint32_t four = FILCHI_CAST(uint32_t, number);
	uint64_t eight = number;

	if (size == 1)
		__builtin_memcpy(parameter, &one, 1);
	else if (size == 2)
		__builtin_memcpy(parameter, &two, 2);
	else if (size == 4)
		__builtin_memcpy(parameter, &four, 4);
	else if (size == 8)
		__builtin_memcpy(parameter, &eight, 8);
}

#define FILCHI_FRAME_START(name, worker_, head_, shape_)                                                               \
	name.worker = worker_;                                                                                         \
	name.head = name.base = head_;                                                                                 \
	name.cached = 0;                                                                                               \
	name.shape = shape_;                                                                                           \
	name.value[0] = name.value[1] = FILCHI_NULL

#ifdef FILCH_DEBUG
static inline void filchi_frame_check(struct filch_frame *f)
{
	if (f->spawned) {
		filchi_frame_spill(f);
		filch_task_sync_missing_(f->worker, f->base, f->head);
	}
}
#define FILCHI_FRAME(name, worker, head, shape)                                                                        \
	__attribute__((cleanup(filchi_frame_check))) struct filch_frame name;                                          \
	name.spawned = 0;                                                                                              \
	FILCHI_FRAME_START(name, worker, head, shape)
#define FILCHI_DEBUG_SPAWN(f, count) ((void)((f)->spawned += (count)))
#define FILCHI_DEBUG_SYNC(f, otherwise)                                                                                \
	if (!(f)->spawned) {                                                                                           \
		filch_task_misuse_((f)->worker);                                                                       \
		otherwise;                                                                                             \
	}                                                                                                              \
	(f)->spawned--
#else
#define FILCHI_FRAME(name, worker, head, shape)                                                                        \
	struct filch_frame name;                                                                                       \
	FILCHI_FRAME_START(name, worker, head, shape)
#define FILCHI_DEBUG_SPAWN(f, count) ((void)0)
#define FILCHI_DEBUG_SYNC(f, otherwise) ((void)0)
#endif

FILCH_END_DECLS

#endif
