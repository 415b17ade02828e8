/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fork and join: spawn and sync in plain C.
 *
 *	FILCH_TASK(long, fib, int, n)
 *	{
 *		if (n < 2)
 *			return n;
 *		FILCH_SPAWN(fib, n - 1);
 *		long b = FILCH_CALL(fib, n - 2);
 *		return FILCH_SYNC(fib) + b;
 *	}
 *
 *	FILCH_TASK(result, name, type, parameter, ...) { body }
 *
 * defines a task. It has up to eight parameters, each with its type before its name. A task without parameters ends
 * with its name: FILCH_TASK(void, tick) { body }. A parameter can have any type that can be assigned and whose
 * alignment is not larger than 16. So a parameter is not const, and not an array: pass a pointer. Give a typedef to
 * pointers to functions, to pointers to arrays, and to types with a comma, such as std::pair<int, int>. The result has
 * any type that can be returned and assigned, or is void. In C++ both must be trivially copyable: pass a pointer to a
 * std::string, not the string. The task is static, like a static function. Its body must return: no longjmp() out of
 * it, no C++ exception, no pthread_exit(). pthread_exit() in a worker aborts the program.
 *
 * The name of a task is not a function: fib(3) calls no task. Only the macros below take the name.
 *
 * To use a task in several files, put the first line in a header and the second one in one source file:
 *
 *	FILCH_TASK_DECLARE(long, fib, int, n);
 *	FILCH_TASK_DEFINE(long, fib, int, n) { body }
 *
 * If two tasks of one file use each other, declare the one that comes later with the first line, and define it with the
 * second. (If FILCH_TASK defines it, the compiler says: redefinition of struct fib_filch_args_.)
 *
 *	FILCH_TASK_DECLARE_STATIC(long, fib, int, n);
 *	FILCH_TASK_DEFINE_STATIC(long, fib, int, n) { body }
 *
 * These can only be used in the body of a task. (Elsewhere the compiler says: filch_only_inside_a_task_ undeclared.)
 *
 *	FILCH_SPAWN(name, arguments...)        the task may run now or later, in this worker or in another one
 *	FILCH_SPAWN_N(name, n, arguments...)   n spawns: name(0, arguments...) to name(n - 1, arguments...)
 *	FILCH_SYNC(name)                       waits for the last spawn that was not synced yet, and returns its result
 *	FILCH_CALL(name, arguments...)         runs the task now, in this worker. Cheaper than a spawn and its sync
 *	FILCH_WORK_REQUESTED()                         1 if a spawn would now make a task that another worker can take.
 *A hint
 *
 * Rules: each spawn is synced in the same body, with the same name. The last spawn is synced first. Between a spawn and
 * its sync, the body may do anything, also other spawns, and also in loops. What is passed by pointer must stay valid
 * until the sync.
 *
 * To spawn a task for each of several things, make its first parameter an integer, the number of the thing. Instead of
 * a loop of spawns then write:
 *
 *	FILCH_TASK(long, count, int, number, const struct node *, nodes)
 *	{
 *		const struct node *node = &nodes[number];
 *		long sum = 1;
 *
 *		FILCH_SPAWN_N(count, node->child_count, node->children);
 *		for (int i = 0; i < node->child_count; i++)
 *			sum += FILCH_SYNC(count);
 *		return sum;
 *	}
 *
 *	FILCH_RUN(count, 0, root)
 *
 * It does the same, and the last number is synced first. But this worker can give numbers that are not begun yet to an
 * idle worker at any time, even deep inside of an earlier number. In a loop it can give away the next spawn only. So
 * other workers get more at once, and less often, where the sizes of the parts are unknown: in trees and searches. This
 * worker begins with number 0 and goes on in order. It gives away the last numbers; another worker begins with the
 * lowest of these. Numbers that follow one that takes long, or blocks, are not always given away before.
 *
 * If n is 0 or less nothing is spawned. The type of the number must have room for n - 1. The arguments are evaluated
 * once. It is a statement, not an expression. It costs a few nanoseconds more than a loop of spawns that are all calls,
 * so for two spawns FILCH_SPAWN may be better. Each number takes 64 bytes or more until it is synced: for a loop over a
 * million elements there is filch_for().
 *
 * A spawn may run the task before what follows it in the body, or after it, or at the same time. In a search, one of
 * two branches should come first whenever the same worker does both. Then write:
 *
 *	if (FILCH_WORK_REQUESTED()) {
 *		FILCH_SPAWN(search, less_promising);
 *		FILCH_CALL(search, promising);
 *		FILCH_SYNC(search);
 *	} else {
 *		FILCH_CALL(search, promising);
 *		FILCH_CALL(search, less_promising);
 *	}
 *
 * This can be used anywhere, also outside of tasks, and in several threads at once:
 *
 *	FILCH_RUN(name, arguments...)          runs the task on the workers of a pool, and returns its result
 *
 * In a task or job the pool is that of the calling worker, which begins with the task itself; elsewhere it is the
 * default pool. If there is no default pool, or if it has no workers, FILCH_RUN runs everything in the calling thread,
 * one thing after the other.
 *
 * To find mistakes, define FILCH_DEBUG before this header is included. Then each body counts its spawns and syncs. It
 * does not compare their names: a sync with the name of another task is not found. A sync without a spawn returns zero,
 * and a missing sync is done at the end of the body. In a worker both are counted in the misuses of filch_pool_stats();
 * in a thread that is not a worker they are not counted. Without FILCH_DEBUG such mistakes are undefined behaviour.
 *
 * A spawn costs 1 or 2 ns while no worker is idle, or while there are enough tasks to steal. It is then a plain call,
 * and its result is kept in a register until the sync. An idle worker asks another one for work, and the next spawn of
 * that worker makes a task that can be stolen. docs/tasks.md explains how.
 */
#ifndef FILCH_TASK_H
#define FILCH_TASK_H

#include "base.h"

FILCH_BEGIN_DECLS

/* ---- what the macros are made of: not to be used by itself ---- */

/*
 * The SPAWN_Ns of the bodies that a worker runs. inner is the innermost. oldest is the oldest that may have numbers
 * left, or NULL. left_off has the SPAWN_Ns of the bodies that the worker left off to run these. job is the job of these
 * bodies.
 */
struct filch_pending {
	struct filch_spawn_n *inner, *oldest;
	struct filch_pending *outer;
	void *job;
};

/* A worker, as far as a spawn needs to know: tasks are made below the threshold, calls above. Thieves see only that. */
struct filch_worker_ {
	uintptr_t threshold;
	struct filch_pending pending __attribute__((aligned(64)));
};

/* A task that could be stolen, or the result of a spawn that was a call. It takes one or more lines. */
struct filch_task {
	uint32_t state; /* 0: the result is there */
	uint16_t lines;
	uint16_t owner;
	void (*run)(struct filch_worker_ *worker, struct filch_task *task, struct filch_task *head);
	uint64_t payload[6] __attribute__((aligned(16))); /* its arguments, then its result */
};

/* The facts about a task from which the library makes a task of each number. */
struct filch_spawn_n_kind {
	void (*run)(struct filch_worker_ *worker, struct filch_task *task, struct filch_task *head);
	uint16_t lines;
	uint16_t number_size;
	uint32_t args_size;
};

/* A FILCH_SPAWN_N that is going on. The arguments follow. */
struct filch_spawn_n {
	struct filch_spawn_n *outer, *inner;
	const struct filch_spawn_n_kind *kind;
	struct filch_task *first; /* the place of number 0 */
	size_t next, end;	  /* numbers that are neither begun nor tasks */
} __attribute__((aligned(16)));

#define FILCHI_INLINE static inline __attribute__((always_inline, unused))
/* With what comes before the arguments, and after them a pointer: the job that it belongs to. */
#define FILCHI_TASK_LINES(bytes)                                                                                       \
	((16 + (bytes) + sizeof(void *) + sizeof(struct filch_task) - 1) / sizeof(struct filch_task))

/* What a running body has: its worker, the end of the worker's task stack, and the result of the last spawn. */
struct filch_frame {
	struct filch_worker_ *worker;
	struct filch_task *head;
	size_t cached; /* lines that the value would take on the task stack, 0: there is none */
	uint64_t value[2];
#ifdef FILCH_DEBUG
	struct filch_task *base;
	size_t spawned;
#endif
};

/* Cold: that is what lets the compiler inline a body into itself, as it would a recursive function without spawns. */
#define FILCHI_COLD_API FILCH_API __attribute__((cold))

/* Where a task is given its place and filled: it may be stolen from now on. */
FILCHI_COLD_API void filch_task_spawn_(struct filch_worker_ *worker, struct filch_task *task, size_t lines);
/* For a SPAWN_N at head: an idle worker may want some of the numbers that are not begun. */
FILCHI_COLD_API void filch_task_spawn_n_(struct filch_worker_ *worker, struct filch_task *head);
/* Called before the body uses memory above count times lines, which may be a page or more that is still unused. */
FILCHI_COLD_API void filch_task_probe_stack_(struct filch_worker_ *worker, struct filch_task *head, size_t count,
					     size_t lines);
/* Runs the task, or waits for the worker that runs it. Afterwards the result is there. */
FILCHI_COLD_API void filch_task_sync_(struct filch_worker_ *worker, struct filch_task *task);
/* The same for a task that a thread outside of the pool made, anywhere in memory. */
FILCH_API void filch_task_run_(struct filch_task *task);
/* For FILCH_DEBUG: a sync had no spawn; the tasks from base to head had no sync. */
FILCHI_COLD_API void filch_task_misuse_(struct filch_worker_ *worker);
FILCHI_COLD_API void filch_task_sync_missing_(struct filch_worker_ *worker, struct filch_task *base,
					      struct filch_task *head);

FILCHI_INLINE int filchi_frame_calls(const struct filch_frame *f)
{
	return (uintptr_t)f->head >= __atomic_load_n(&f->worker->threshold, __ATOMIC_RELAXED);
}

FILCHI_INLINE void filchi_task_done(struct filch_task *t, size_t lines)
{
	t->state = 0;
	t->lines = (uint16_t)lines;
	t->owner = 0;
}

/* The value of the spawn before goes to the stack, to make room for that of the next. */
FILCHI_INLINE void filchi_frame_spill(struct filch_frame *f)
{
	if (__builtin_expect(!!f->cached, 0)) {
		filchi_task_done(f->head, f->cached);
		f->head->payload[0] = f->value[0];
		f->head->payload[1] = f->value[1];
		f->head += f->cached;
		f->cached = 0;
	}
}

FILCHI_INLINE void filchi_spawn_n_begin(struct filch_spawn_n *spawn_n, struct filch_worker_ *worker)
{
	__asm__("" : "+r"(spawn_n)); /* or gcc might warn: it does not see that filchi_spawn_n_end always comes */
	spawn_n->outer = worker->pending.inner;
	spawn_n->inner = NULL;
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
		spawn_n->outer->inner = NULL;
}

/* To a parameter of any integer type. */
FILCHI_INLINE void filchi_number(void *parameter, size_t size, size_t number)
{
	uint8_t one = (uint8_t)number;
	uint16_t two = (uint16_t)number;
	uint32_t four = (uint32_t)number;
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

#define FILCHI_FRAME_START(name, worker_, head_)                                                                       \
	name.worker = worker_;                                                                                         \
	name.head = head_;                                                                                             \
	name.cached = 0;                                                                                               \
	name.value[0] = name.value[1] = 0

#ifdef FILCH_DEBUG
static inline void filchi_frame_check(struct filch_frame *f)
{
	if (f->spawned) {
		filchi_frame_spill(f);
		filch_task_sync_missing_(f->worker, f->base, f->head);
	}
}
#define FILCHI_FRAME(name, worker, head)                                                                               \
	__attribute__((cleanup(filchi_frame_check))) struct filch_frame name;                                          \
	name.base = head;                                                                                              \
	name.spawned = 0;                                                                                              \
	FILCHI_FRAME_START(name, worker, head)
#define FILCHI_DEBUG_SPAWN(f, count) ((void)((f)->spawned += (count)))
#define FILCHI_DEBUG_SYNC(f, otherwise)                                                                                \
	if (!(f)->spawned) {                                                                                           \
		filch_task_misuse_((f)->worker);                                                                       \
		otherwise;                                                                                             \
	}                                                                                                              \
	(f)->spawned--
#else
#define FILCHI_FRAME(name, worker, head)                                                                               \
	struct filch_frame name;                                                                                       \
	FILCHI_FRAME_START(name, worker, head)
#define FILCHI_DEBUG_SPAWN(f, count) ((void)0)
#define FILCHI_DEBUG_SYNC(f, otherwise) ((void)0)
#endif

/*
 * Counts result, name, type, parameter, ...: how many they are; 1 if a type or a parameter is missing; 0 if there are
 * too many. Calls m(type, parameter) for each pair, if they can be counted.
 */
#define FILCHI_CAT_(a, b) a##b
#define FILCHI_CAT(a, b) FILCHI_CAT_(a, b)
#define FILCHI_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, count, ...) count
#define FILCHI_COUNT(...)                                                                                              \
	FILCHI_COUNT_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 18, 1, 16, 1, 14, 1, 12, 1, 10, 1, 8, 1, 6, 1, 4, 1, 2, 1, ~)
#define FILCHI_EACH_0(m, ...)
#define FILCHI_EACH_1(m, ...)
#define FILCHI_EACH_2(m, r, f)
#define FILCHI_EACH_4(m, r, f, t, v) m(t, v)
#define FILCHI_EACH_6(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_4(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_8(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_6(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_10(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_8(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_12(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_10(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_14(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_12(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_16(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_14(m, r, f, __VA_ARGS__)
#define FILCHI_EACH_18(m, r, f, t, v, ...) m(t, v) FILCHI_EACH_16(m, r, f, __VA_ARGS__)
#define FILCHI_EACH(m, ...) FILCHI_CAT(FILCHI_EACH_, FILCHI_COUNT(__VA_ARGS__))(m, __VA_ARGS__)
/* Type and name of the first parameter; void *filchi_none_ if there is none. */
#define FILCHI_FIRST_TYPE(...) FILCHI_FIRST_TYPE_(__VA_ARGS__, void *, ~)
#define FILCHI_FIRST_TYPE_(r, f, t, ...) t
#define FILCHI_FIRST_NAME(...) FILCHI_FIRST_NAME_(__VA_ARGS__, void *, filchi_none_, ~)
#define FILCHI_FIRST_NAME_(r, f, t, v, ...) v
#define FILCHI_FIELD(type, name) type name;
#define FILCHI_PARAMETER(type, name) , type name
#define FILCHI_PASS(type, name) , name
#define FILCHI_UNPACK(type, name) , filchi_args_->name
#define FILCHI_PACK(type, name) filchi_args_->name = name;

/* The first argument, and the rest with a comma before it. */
#define FILCHI_FIRST_(first, ...) first
#define FILCHI_FIRST(...) FILCHI_FIRST_(__VA_ARGS__, ~)
#define FILCHI_APPLY_1(suffix, first, name) FILCHI_CAT(name, suffix)(first)
#define FILCHI_APPLY_2(suffix, first, name, ...) FILCHI_CAT(name, suffix)(first, __VA_ARGS__)
#define FILCHI_MANY_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, many, ...) many
#define FILCHI_MANY(...) FILCHI_MANY_(__VA_ARGS__, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, ~)
#define FILCHI_APPLY(suffix, first, ...) FILCHI_CAT(FILCHI_APPLY_, FILCHI_MANY(__VA_ARGS__))(suffix, first, __VA_ARGS__)

/* VOID or VALUE, as the result is; void * is a value. Only void leaves no word before (), and that makes two. */
#define FILCHI_NOTHING_void
#define FILCHI_TWO() ~, ~
#define FILCHI_THIRD_(a, b, third, ...) third
#define FILCHI_THIRD(...) FILCHI_THIRD_(__VA_ARGS__, VOID, VALUE, ~)
#define FILCHI_IS_(rest) FILCHI_THIRD(FILCHI_TWO rest())
#define FILCHI_IS(rest) FILCHI_IS_(rest)

#define FILCHI_RETURN_VOID
#define FILCHI_RETURN_VALUE return
#define FILCHI_RESULT_SIZE_VOID(result) 0
#define FILCHI_RESULT_SIZE_VALUE(result) sizeof(result)
#define FILCHI_RESULT_VOID(result) char
#define FILCHI_RESULT_VALUE(result) result
#define FILCHI_RESULT_SIMPLE_VOID(result) 1
#define FILCHI_RESULT_SIMPLE_VALUE(result) FILCHI_SIMPLE(result)

/* The result of a task, where its arguments were. Copied by members: bytes would be copied in larger pieces than they
 * have just been written in, which takes longer. */
#define FILCHI_VALUE(kind, task) (((struct kind *)(void *)(task)->payload)->value)

/* A call for a spawn: its value to the register, or if too large to the stack. */
#define FILCHI_SPAWN_CALL_VOID(result, kind, lines, call)                                                              \
	call;                                                                                                          \
	filchi_here_->cached = lines
#define FILCHI_SPAWN_CALL_VALUE(result, kind, lines, call)                                                             \
	result filchi_result_ = call;                                                                                  \
	if (sizeof(result) <= sizeof filchi_here_->value) {                                                            \
		__builtin_memcpy(filchi_here_->value, &filchi_result_, sizeof(result) <= 16 ? sizeof(result) : 0);     \
		filchi_here_->cached = lines;                                                                          \
	} else {                                                                                                       \
		filchi_task_done(filchi_here_->head, lines);                                                           \
		FILCHI_VALUE(kind, filchi_here_->head) = filchi_result_;                                               \
		filchi_here_->head += lines;                                                                           \
	}

#define FILCHI_SYNC_VOID(result, kind, lines)                                                                          \
	FILCHI_DEBUG_SYNC(filchi_here_, return );                                                                      \
	if (__builtin_expect(!!filchi_here_->cached, 1)) {                                                             \
		filchi_here_->cached = 0;                                                                              \
		return;                                                                                                \
	}                                                                                                              \
	filchi_here_->head -= lines;                                                                                   \
	if (__atomic_load_n(&filchi_here_->head->state, __ATOMIC_RELAXED))                                             \
	filch_task_sync_(filchi_here_->worker, filchi_here_->head)
#define FILCHI_SYNC_VALUE(result, kind, lines)                                                                         \
	result filchi_result_;                                                                                         \
	FILCHI_DEBUG_SYNC(filchi_here_, __builtin_memset(&filchi_result_, 0, sizeof filchi_result_);                   \
			  return filchi_result_);                                                                      \
	if (sizeof(result) <= sizeof filchi_here_->value && __builtin_expect(!!filchi_here_->cached, 1)) {             \
		filchi_here_->cached = 0;                                                                              \
		__builtin_memcpy(&filchi_result_, filchi_here_->value, sizeof(result) <= 16 ? sizeof(result) : 0);     \
		return filchi_result_;                                                                                 \
	}                                                                                                              \
	filchi_here_->head -= lines;                                                                                   \
	if (__atomic_load_n(&filchi_here_->head->state, __ATOMIC_RELAXED))                                             \
		filch_task_sync_(filchi_here_->worker, filchi_here_->head);                                            \
	return FILCHI_VALUE(kind, filchi_here_->head)

#define FILCHI_EXECUTE_VOID(kind, call) call
#define FILCHI_EXECUTE_VALUE(kind, call) FILCHI_VALUE(kind, filchi_task_) = call
#define FILCHI_SPAWN_N_CALL_VOID(kind, place, call) call
#define FILCHI_SPAWN_N_CALL_VALUE(kind, place, call) FILCHI_VALUE(kind, place) = call
#define FILCHI_RUN_VOID(kind, task) (void)0
#define FILCHI_RUN_VALUE(kind, task) return FILCHI_VALUE(kind, task)

#define FILCHI_UNUSED __attribute__((unused))

#if defined(__cplusplus) && __cplusplus >= 201103L
#define FILCHI_ASSERT(condition, why) static_assert(condition, why)
#elif defined(__cplusplus)
#define FILCHI_ASSERT(condition, why) typedef char filchi_assert_[(condition) ? 1 : -1] FILCHI_UNUSED
#else
#define FILCHI_ASSERT(condition, why) _Static_assert(condition, why)
#endif

/*
 * A name is one word. If a type and a name have no comma between them, the first error of the compiler must say so, and
 * not the errors that follow from it. The same holds for a declarator, such as a[10] or (*f)(int), in place of a name.
 * In C, clang can look into a constant text only where a function is called.
 */
#define FILCHI_PAIRS "parameters of a task are pairs: type, name"
#define FILCHI_ARRAY "a parameter of a task cannot be an array: pass a pointer"
#define FILCHI_TYPEDEF "give pointers to functions and to arrays a typedef"
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
int filchi_word(const char *text)
	__attribute__((diagnose_if(__builtin_strchr(text, '('), FILCHI_TYPEDEF, "error"),
		       diagnose_if(__builtin_strchr(text, '['), FILCHI_ARRAY, "error"),
		       diagnose_if(__builtin_strchr(text, ' ') || __builtin_strchr(text, '*'), FILCHI_PAIRS, "error")));
#pragma clang diagnostic pop
#define FILCHI_WORD(text) FILCHI_ASSERT(sizeof(filchi_word(text)) != 0, FILCHI_PAIRS);
#else
#define FILCHI_WORD(text)                                                                                              \
	__extension__ FILCHI_ASSERT(!__builtin_strchr(text, '('), FILCHI_TYPEDEF);                                     \
	__extension__ FILCHI_ASSERT(!__builtin_strchr(text, '['), FILCHI_ARRAY);                                       \
	__extension__ FILCHI_ASSERT(!__builtin_strchr(text, ' ') && !__builtin_strchr(text, '*'), FILCHI_PAIRS);
#endif
#define FILCHI_NAMED(type, name) FILCHI_WORD(#name)

/* Arguments and results are copied as bytes. In C all are that simple. */
#ifdef __cplusplus
#define FILCHI_SIMPLE(type) __is_trivially_copyable(type)
#else
#define FILCHI_SIMPLE(type) 1
#endif

#define FILCHI_MAX(a, b) ((a) > (b) ? (a) : (b))

/* The parts of a task besides its body. The linkage is that of the body. */
#define FILCHI_TASK_HELPERS(linkage, result, ...)                                                                      \
	FILCHI_TASK_HELPERS_(linkage, result, FILCHI_IS(FILCHI_NOTHING_##result), FILCHI_FIRST(__VA_ARGS__), result,   \
			     __VA_ARGS__)
#define FILCHI_TASK_HELPERS_(...) FILCHI_TASK_HELPERS__(__VA_ARGS__)
#define FILCHI_TASK_HELPERS__(linkage, result, is, name, ...)                                                          \
	FILCHI_ASSERT(FILCHI_COUNT(__VA_ARGS__) != 1, FILCHI_PAIRS);                                                   \
	FILCHI_ASSERT(FILCHI_COUNT(__VA_ARGS__) != 0, "a task has eight parameters at most");                          \
	FILCHI_EACH(FILCHI_NAMED, __VA_ARGS__)                                                                         \
	struct __attribute__((may_alias)) name##_filch_args_ {                                                         \
		FILCHI_EACH(FILCHI_FIELD, __VA_ARGS__) char filchi_none_[1];                                           \
	};                                                                                                             \
	struct __attribute__((may_alias)) name##_filch_result_ {                                                       \
		FILCHI_CAT(FILCHI_RESULT_, is)(result) value;                                                          \
	};                                                                                                             \
	typedef FILCHI_FIRST_TYPE(__VA_ARGS__) name##_filch_number_;                                                   \
	enum {                                                                                                         \
		name##_filch_lines_ = FILCHI_TASK_LINES(                                                               \
			FILCHI_MAX(sizeof(struct name##_filch_args_), FILCHI_CAT(FILCHI_RESULT_SIZE_, is)(result)))    \
	};                                                                                                             \
	FILCHI_ASSERT(__alignof__(struct name##_filch_args_) <= 16, "an argument needs too large an alignment");       \
	FILCHI_ASSERT(name##_filch_lines_ <= UINT16_MAX, "arguments or result are too large");                         \
	FILCHI_ASSERT(FILCHI_SIMPLE(struct name##_filch_args_), "a parameter must be trivially copyable");             \
	FILCHI_ASSERT(FILCHI_CAT(FILCHI_RESULT_SIMPLE_, is)(result), "a result must be trivially copyable");           \
	linkage result name##_filch_enter_(struct filch_worker_ *,                                                     \
					   struct filch_task *FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__));             \
	FILCHI_UNUSED static void name##_filch_execute_(struct filch_worker_ *filchi_worker_,                          \
							struct filch_task *filchi_task_,                               \
							struct filch_task *filchi_head_)                               \
	{                                                                                                              \
		FILCHI_UNUSED struct name##_filch_args_ *filchi_args_ =                                                \
			(struct name##_filch_args_ *)(void *)filchi_task_->payload;                                    \
		FILCHI_CAT(FILCHI_EXECUTE_, is)                                                                        \
		(name##_filch_result_,                                                                                 \
		 name##_filch_enter_(filchi_worker_, filchi_head_ FILCHI_EACH(FILCHI_UNPACK, __VA_ARGS__)));           \
	}                                                                                                              \
	FILCHI_UNUSED static inline void name##_filch_pack_(                                                           \
		struct filch_task *filchi_task_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))                            \
	{                                                                                                              \
		FILCHI_UNUSED struct name##_filch_args_ *filchi_args_ =                                                \
			(struct name##_filch_args_ *)(void *)filchi_task_->payload;                                    \
		filchi_task_->run = name##_filch_execute_;                                                             \
		FILCHI_EACH(FILCHI_PACK, __VA_ARGS__)                                                                  \
	}                                                                                                              \
	FILCHI_UNUSED static __attribute__((noinline, cold)) void name##_filch_make_(                                  \
		struct filch_worker_ *filchi_worker_,                                                                  \
		struct filch_task *filchi_task_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))                            \
	{                                                                                                              \
		name##_filch_pack_(filchi_task_ FILCHI_EACH(FILCHI_PASS, __VA_ARGS__));                                \
		filch_task_spawn_(filchi_worker_, filchi_task_, name##_filch_lines_);                                  \
	}                                                                                                              \
	FILCHI_INLINE void name##_filch_spawn_(                                                                        \
		struct filch_frame *filchi_here_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))                           \
	{                                                                                                              \
		FILCHI_DEBUG_SPAWN(filchi_here_, 1);                                                                   \
		filchi_frame_spill(filchi_here_);                                                                      \
		if (__builtin_expect(filchi_frame_calls(filchi_here_), 1)) {                                           \
			FILCHI_CAT(FILCHI_SPAWN_CALL_, is)                                                             \
			(result, name##_filch_result_, name##_filch_lines_,                                            \
			 name##_filch_enter_(filchi_here_->worker,                                                     \
					     filchi_here_->head FILCHI_EACH(FILCHI_PASS, __VA_ARGS__)));               \
		} else {                                                                                               \
			name##_filch_make_(filchi_here_->worker,                                                       \
					   filchi_here_->head FILCHI_EACH(FILCHI_PASS, __VA_ARGS__));                  \
			filchi_here_->head += name##_filch_lines_;                                                     \
		}                                                                                                      \
	}                                                                                                              \
	FILCHI_INLINE void name##_filch_spawn_n_(struct filch_frame *filchi_here_,                                     \
						 size_t filchi_count_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))      \
	{                                                                                                              \
		static const struct filch_spawn_n_kind filchi_kind_ = {name##_filch_execute_, name##_filch_lines_,     \
								       (uint16_t)sizeof(name##_filch_number_),         \
								       (uint32_t)sizeof(struct name##_filch_args_)};   \
		struct {                                                                                               \
			struct filch_spawn_n spawn_n;                                                                  \
			struct name##_filch_args_ args __attribute__((aligned(16)));                                   \
		} filchi_spawn_n_;                                                                                     \
		FILCHI_UNUSED struct name##_filch_args_ *filchi_args_ = &filchi_spawn_n_.args;                         \
		FILCHI_UNUSED void *filchi_none_;                                                                      \
		struct filch_task *filchi_topology_, *filchi_top_;                                                     \
		if ((ptrdiff_t)filchi_count_ <= 0)                                                                     \
			return;                                                                                        \
		FILCHI_DEBUG_SPAWN(filchi_here_, filchi_count_);                                                       \
		filchi_frame_spill(filchi_here_);                                                                      \
		FILCHI_EACH(FILCHI_PACK, __VA_ARGS__)                                                                  \
		filchi_topology_ = filchi_here_->head;                                                                 \
		filchi_top_ = filchi_topology_ + filchi_count_ * name##_filch_lines_;                                  \
		if (__builtin_expect(filchi_count_ >= 64 / name##_filch_lines_, 0))                                    \
			filch_task_probe_stack_(filchi_here_->worker, filchi_topology_, filchi_count_,                 \
						name##_filch_lines_);                                                  \
		filchi_spawn_n_.spawn_n.kind = &filchi_kind_;                                                          \
		filchi_spawn_n_.spawn_n.first = filchi_topology_;                                                      \
		filchi_spawn_n_.spawn_n.end = filchi_count_;                                                           \
		filchi_spawn_n_begin(&filchi_spawn_n_.spawn_n, filchi_here_->worker);                                  \
		for (size_t filchi_i_ = 0; filchi_i_ < filchi_spawn_n_.spawn_n.end; filchi_i_++) {                     \
			filchi_number((void *)(uintptr_t)&FILCHI_FIRST_NAME(__VA_ARGS__),                              \
				      sizeof(name##_filch_number_), filchi_i_);                                        \
			filchi_spawn_n_.spawn_n.next = filchi_i_ + 1;                                                  \
			if (__builtin_expect(!filchi_frame_calls(filchi_here_), 0))                                    \
				filch_task_spawn_n_(filchi_here_->worker, filchi_here_->head);                         \
			filchi_task_done(filchi_topology_, name##_filch_lines_);                                       \
			FILCHI_CAT(FILCHI_SPAWN_N_CALL_, is)                                                           \
			(name##_filch_result_, filchi_topology_,                                                       \
			 name##_filch_enter_(filchi_here_->worker,                                                     \
					     filchi_top_ FILCHI_EACH(FILCHI_PASS, __VA_ARGS__)));                      \
			filchi_topology_ += name##_filch_lines_;                                                       \
		}                                                                                                      \
		filchi_spawn_n_end(&filchi_spawn_n_.spawn_n, filchi_here_->worker);                                    \
		filchi_here_->head = filchi_top_;                                                                      \
	}                                                                                                              \
	FILCHI_INLINE                                                                                                  \
	result name##_filch_sync_(struct filch_frame *filchi_here_)                                                    \
	{                                                                                                              \
		FILCHI_CAT(FILCHI_SYNC_, is)(result, name##_filch_result_, name##_filch_lines_);                       \
	}                                                                                                              \
	FILCHI_INLINE                                                                                                  \
	result name##_filch_call_(struct filch_frame *filchi_here_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))         \
	{                                                                                                              \
		FILCHI_CAT(FILCHI_RETURN_, is)                                                                         \
		name##_filch_enter_(filchi_here_->worker, filchi_here_->head FILCHI_EACH(FILCHI_PASS, __VA_ARGS__));   \
	}                                                                                                              \
	FILCHI_UNUSED static inline result name##_filch_run_(                                                          \
		char filchi_none_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__))                                          \
	{                                                                                                              \
		struct filch_task filchi_task_[name##_filch_lines_];                                                   \
		(void)filchi_none_;                                                                                    \
		name##_filch_pack_(filchi_task_ FILCHI_EACH(FILCHI_PASS, __VA_ARGS__));                                \
		filch_task_run_(filchi_task_);                                                                         \
		FILCHI_CAT(FILCHI_RUN_, is)(name##_filch_result_, filchi_task_);                                       \
	}

/* The body follows: its frame is the caller's variable, so that it comes apart into registers. */
#define FILCHI_TASK_BODY(linkage, result, ...)                                                                         \
	FILCHI_TASK_BODY_(linkage, result, FILCHI_IS(FILCHI_NOTHING_##result), FILCHI_FIRST(__VA_ARGS__), result,      \
			  __VA_ARGS__)
#define FILCHI_TASK_BODY_(...) FILCHI_TASK_BODY__(__VA_ARGS__)
#define FILCHI_TASK_BODY__(linkage, result, is, name, ...)                                                             \
	static inline __attribute__((always_inline))                                                                   \
	result name##_filch_body_(struct filch_frame *FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__));                     \
	linkage result name##_filch_enter_(struct filch_worker_ *filchi_worker_,                                       \
					   struct filch_task *filchi_head_ FILCHI_EACH(FILCHI_PARAMETER, __VA_ARGS__)) \
	{                                                                                                              \
		FILCHI_FRAME(filchi_frame_, filchi_worker_, filchi_head_);                                             \
		FILCHI_CAT(FILCHI_RETURN_, is)                                                                         \
		name##_filch_body_(&filchi_frame_ FILCHI_EACH(FILCHI_PASS, __VA_ARGS__));                              \
	}                                                                                                              \
	FILCHI_INLINE result name##_filch_body_(                                                                       \
		FILCHI_UNUSED struct filch_frame *filch_only_inside_a_task_ FILCHI_EACH(FILCHI_PARAMETER,              \
											__VA_ARGS__))

/* With a number for the first argument, which the task is to have. */
#define FILCHI_NUMBERED(name, count)                                                                                   \
	FILCHI_ASSERT(__builtin_classify_type((__typeof__((count) + 0))0) <= 4,                                        \
		      "how many to spawn must be an integer");                                                         \
	FILCHI_ASSERT(__builtin_classify_type(*(name##_filch_number_ *)0) == 1 && sizeof(name##_filch_number_) <= 8,   \
		      "the first parameter must be an integer: the number");                                           \
	FILCHI_ASSERT((name##_filch_number_)2 == 2, "the first parameter must be an integer: the number")
#define FILCHI_SPAWN_N_1(name, count)                                                                                  \
	do {                                                                                                           \
		FILCHI_NUMBERED(name, count);                                                                          \
		name##_filch_spawn_n_(filch_only_inside_a_task_, (size_t)(count), 0);                                  \
	} while (0)
#define FILCHI_SPAWN_N_2(name, count, ...)                                                                             \
	do {                                                                                                           \
		FILCHI_NUMBERED(name, count);                                                                          \
		name##_filch_spawn_n_(filch_only_inside_a_task_, (size_t)(count), 0, __VA_ARGS__);                     \
	} while (0)

/* Takes the semicolon after a declaration. */
#define FILCHI_TASK_END(...) struct FILCHI_CAT(FILCHI_FIRST(__VA_ARGS__), _filch_args_)

/* ---- what is to be used ---- */

#define FILCH_TASK(result, ...)                                                                                        \
	FILCHI_TASK_HELPERS(static inline, result, __VA_ARGS__)                                                        \
	FILCHI_TASK_BODY(static inline, result, __VA_ARGS__)
#define FILCH_TASK_DECLARE_STATIC(result, ...)                                                                         \
	FILCHI_TASK_HELPERS(static inline, result, __VA_ARGS__) FILCHI_TASK_END(__VA_ARGS__)
#define FILCH_TASK_DEFINE_STATIC(result, ...) FILCHI_TASK_BODY(static inline, result, __VA_ARGS__)
#define FILCH_TASK_DECLARE(result, ...) FILCHI_TASK_HELPERS(extern, result, __VA_ARGS__) FILCHI_TASK_END(__VA_ARGS__)
#define FILCH_TASK_DEFINE(result, ...) FILCHI_TASK_BODY(, result, __VA_ARGS__)

#define FILCH_SPAWN(...) FILCHI_APPLY(_filch_spawn_, filch_only_inside_a_task_, __VA_ARGS__)
#define FILCH_SPAWN_N(name, ...) FILCHI_CAT(FILCHI_SPAWN_N_, FILCHI_MANY(__VA_ARGS__))(name, __VA_ARGS__)
#define FILCH_SYNC(name) FILCHI_CAT(name, _filch_sync_)(filch_only_inside_a_task_)
#define FILCH_CALL(...) FILCHI_APPLY(_filch_call_, filch_only_inside_a_task_, __VA_ARGS__)
#define FILCH_RUN(...) FILCHI_APPLY(_filch_run_, 0, __VA_ARGS__)
#define FILCH_WORK_REQUESTED() (!filchi_frame_calls(filch_only_inside_a_task_))

FILCH_END_DECLS

#endif
