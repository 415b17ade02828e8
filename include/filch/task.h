/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks: spawn and sync in plain C.
 *
 * A task is a function that may run in another worker. FILCH_SPAWN starts a task. FILCH_CALL runs a task now, in this
 * worker. FILCH_SYNC waits for the last spawn that is not synced yet, and returns its result.
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
 *	int main(void) { filch_start(NULL); printf("%ld\n", FILCH_RUN(fib, 42)); filch_stop(); }
 *
 * Rules
 * - Sync each spawn in the body that made it, with the same name, the last spawn first. Between a spawn and its sync
 *   the body may do anything, also spawn again, also in loops.
 * - Data passed by pointer must stay valid until the sync.
 * - The body must return: no longjmp(), C++ exception or pthread_exit() may leave it. pthread_exit() in a worker aborts
 *   the program.
 * - SPAWN, SPAWN_N, SYNC, SYNC_ALL, CALL and WORK_REQUESTED work only in the body of a task. (Elsewhere the compiler
 *   says: filch_only_inside_a_task_ undeclared.) FILCH_RUN and FILCH_RUN_ON work in any thread,
 *   also inside a task.
 * - The name of a task is not a function: fib(3) calls no task. Only the macros take the name.
 *
 * Parameters and results
 * - A task has up to eight parameters, each with its type before its name. A task without parameters ends with its
 *   name: FILCH_TASK(void, tick).
 * - A parameter has any type that can be assigned and whose alignment is at most 16. So a parameter is not const, and
 *   not an array: pass a pointer. Give a typedef to pointers to functions, to pointers to arrays, and to types with a
 *   comma, such as std::pair<int, int>.
 * - The result has any type that can be returned and assigned, or is void.
 * - In C++ both must be trivially copyable: pass a pointer to a std::string, not the string.
 *
 * To find mistakes, define FILCH_DEBUG before this header is included. Each body then counts its spawns and syncs. A
 * sync without a spawn returns zero, and the end of the body does each missing sync. filch_pool_stats() counts both as
 * misuses, for workers only. FILCH_DEBUG does not compare names: a sync with the name of another task stays unnoticed.
 * Without FILCH_DEBUG these mistakes are undefined behaviour.
 *
 * A spawn costs 1 or 2 ns while no worker is idle, or while there are enough tasks to steal. The spawn is then a plain
 * call, and its result stays in a register until the sync. docs/tasks.md explains when a spawn makes a task.
 */
#ifndef FILCH_TASK_H
#define FILCH_TASK_H

#include "base.h"

/* FILCH_TASK(result, name, type, parameter, ...) { body }: defines a task, which is static like a static function. */
#define FILCH_TASK(result, ...)                                                                                        \
	FILCHI_TASK_HELPERS(static inline, result, __VA_ARGS__)                                                        \
	FILCHI_TASK_BODY(static inline, result, __VA_ARGS__)

/*
 * A task that several files use. The header has FILCH_TASK_DECLARE(long, fib, int, n); and one source file has
 * FILCH_TASK_DEFINE(long, fib, int, n) { body }
 */
#define FILCH_TASK_DECLARE(result, ...) FILCHI_TASK_HELPERS(extern, result, __VA_ARGS__) FILCHI_TASK_END(__VA_ARGS__)
#define FILCH_TASK_DEFINE(result, ...) FILCHI_TASK_BODY(, result, __VA_ARGS__)

/*
 * The same for two tasks of one file that use each other: declare and define the later one with this pair. (If
 * FILCH_TASK defines it, the compiler says: redefinition of struct fib_filch_args_.)
 */
#define FILCH_TASK_DECLARE_STATIC(result, ...)                                                                         \
	FILCHI_TASK_HELPERS(static inline, result, __VA_ARGS__) FILCHI_TASK_END(__VA_ARGS__)
#define FILCH_TASK_DEFINE_STATIC(result, ...) FILCHI_TASK_BODY(static inline, result, __VA_ARGS__)

/*
 * FILCH_RUN_ON(pool, name, arguments...): runs the task on the workers of the pool, and returns its result. NULL is the
 * pool of the calling worker, or, in any other thread, the default pool. A worker runs a task on its own pool itself,
 * and other workers help. A worker that runs a task on another pool waits as for a future. If there is no default pool,
 * if the pool is being stopped, or if it has no workers, FILCH_RUN_ON runs everything in the calling thread, one spawn
 * after the other.
 */
#define FILCH_RUN_ON(pool, ...) FILCHI_APPLY(_filch_run_, pool, __VA_ARGS__)

/* FILCH_RUN(name, arguments...): FILCH_RUN_ON(NULL, name, arguments...) */
#define FILCH_RUN(...) FILCHI_APPLY(_filch_run_, FILCHI_NULL, __VA_ARGS__)

/* FILCH_SPAWN(name, arguments...): the task may run now or later, in this worker or in another one. */
#define FILCH_SPAWN(...) FILCHI_APPLY(_filch_spawn_, filch_only_inside_a_task_, __VA_ARGS__)

/* FILCH_CALL(name, arguments...): runs the task now, in this worker. A call is cheaper than a spawn and its sync. */
#define FILCH_CALL(...) FILCHI_APPLY(_filch_call_, filch_only_inside_a_task_, __VA_ARGS__)

/* FILCH_SYNC(name): waits for the last spawn of this body that is not synced yet, and returns its result. */
#define FILCH_SYNC(name) FILCHI_CAT(name, _filch_sync_)(filch_only_inside_a_task_)

/*
 * FILCH_SYNC_ALL(name): syncs each spawn of this body that is not synced yet, the last spawn first. All of them must be
 * spawns of that task. It drops their results.
 */
#define FILCH_SYNC_ALL(name) FILCHI_CAT(name, _filch_sync_all_)(filch_only_inside_a_task_)

/*
 * FILCH_SPAWN_N(name, n, arguments...): spawns name(0, arguments...) to name(n - 1, arguments...). The first parameter
 * of the task must be an integer: the number. Each number needs its own sync, and the last number is synced first.
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
 * FILCH_SPAWN_N is a statement, not an expression. It evaluates each argument once. It spawns nothing if n is 0 or
 * less. The type of the number must have room for n - 1. Each number takes 64 bytes or more until its sync: use
 * filch_for() for a million elements. Use FILCH_SPAWN_N in trees and searches, where the sizes of the parts are
 * unknown, and FILCH_SPAWN for two spawns. The section SPAWN_N of docs/tasks.md gives the reasons.
 */
#define FILCH_SPAWN_N(name, ...) FILCHI_CAT(FILCHI_SPAWN_N_, FILCHI_MANY(__VA_ARGS__))(name, __VA_ARGS__)

/*
 * FILCH_WORK_REQUESTED(): 1 if the next spawn will make a task that another worker can take, else 0. Let no sync come
 * in between. Only a full deque makes such a spawn a call. A spawn may run before the rest of the body, after it, or at
 * the same time. In a search the promising branch should come first whenever one worker runs both:
 *
 *	if (FILCH_WORK_REQUESTED()) {
 *		FILCH_SPAWN(search, less_promising);
 *		FILCH_CALL(search, promising);
 *		FILCH_SYNC(search);
 *	} else {
 *		FILCH_CALL(search, promising);
 *		FILCH_CALL(search, less_promising);
 *	}
 */
#define FILCH_WORK_REQUESTED() filchi_frame_requested(filch_only_inside_a_task_)

#include "detail/expand.h"
#include "detail/task.h"
#include "detail/task_define.h"

#endif
