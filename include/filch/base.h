/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all other public headers share.
 *
 * Functions that can fail return 0 or a negative errno value. The library prints nothing and never ends the program,
 * with these exceptions:
 *
 *   - A worker that has no stack left, or no room for spawns, writes a line to stderr before the program dies.
 *   - A job or task that ends its worker with pthread_exit() aborts the program, after a line to stderr.
 *   - A library built with assertions (the presets debug, asan and tsan) aborts the program after some mistakes, such
 *     as a future that is used after filch_future_destroy().
 *
 * Options are structs that are passed by pointer. NULL means: all defaults. The first field of the struct is its size.
 * It must be set; because of it, a program that was built with an older header keeps working. A size of 0, or one that
 * makes no sense, is -EINVAL. (So is a field of a newer header that is set but that this library does not know.) Any
 * other field that is zero has its default. Example:
 *
 *	struct filch_deque_options o = {.struct_size = sizeof o, .capacity = 1024};
 *
 * The same holds for the other structs that have a size: struct filch_reduce_options, struct filch_scan_options, and
 * struct filch_stats, which the library fills.
 */
#ifndef FILCH_BASE_H
#define FILCH_BASE_H

#include <stddef.h>
#include <stdint.h>

#define FILCH_VERSION_MAJOR 0
#define FILCH_VERSION_MINOR 2
#define FILCH_VERSION_PATCH 0
#define FILCH_VERSION_NUMBER (FILCH_VERSION_MAJOR * 10000 + FILCH_VERSION_MINOR * 100 + FILCH_VERSION_PATCH)

/*
 * Symbols of the static library are hidden: a shared library that contains it does not offer them to the program, which
 * would else get some of its functions from there and some from a copy of its own.
 */
#if defined(__GNUC__) && defined(FILCHI_BUILD_STATIC)
#define FILCH_API __attribute__((visibility("hidden")))
#elif defined(__GNUC__)
#define FILCH_API __attribute__((visibility("default")))
#else
#define FILCH_API
#endif

#ifdef __cplusplus
#define FILCH_BEGIN_DECLS extern "C" {
#define FILCH_END_DECLS }
#else
#define FILCH_BEGIN_DECLS
#define FILCH_END_DECLS
#endif

FILCH_BEGIN_DECLS

/* The version of the library that the program runs with: "0.2.0", and the number as FILCH_VERSION_NUMBER has it. */
FILCH_API const char *filch_version(void);
FILCH_API unsigned filch_version_number(void);

/*
 * Why the last call in this thread failed, in words. Never NULL. Ask at once after a call has failed: other calls may
 * change the text. If filch_future_wait or filch_group_wait has returned an error of a job of yours, the text says
 * which error the job returned, or that it was cancelled. Calls that succeed leave the text as it is; so do the answers
 * FILCH_EMPTY, FILCH_LOST and -ENOBUFS of deques and bulk queues.
 */
FILCH_API const char *filch_error_message(void);

FILCH_END_DECLS

/* The result of an attempt to take an item. Errors are negative numbers, so one int can hold both. */
enum filch_result {
	FILCH_OK = 0,	 /* an item was taken */
	FILCH_EMPTY = 1, /* there was nothing to take. A kind that holds items back (owner_private, on_request in
			    deque.h) may still have some that thieves cannot see */
	FILCH_LOST = 2	 /* another thread took the item at the same time: try again at once */
};

/* The order in which items come out. */
enum filch_order {
	FILCH_LIFO = 0,	    /* the newest first */
	FILCH_FIFO = 1,	    /* the oldest first */
	FILCH_UNORDERED = 2 /* no promise */
};

/* Whether an operation of a thread ends even if other threads stop in the middle of theirs. */
enum filch_progress {
	FILCH_BLOCKING = 0,  /* no: it may have to wait for them */
	FILCH_LOCK_FREE = 1, /* yes; it is LOST, and to be repeated, only if an operation of another thread succeeds */
	FILCH_WAIT_FREE = 2  /* yes, after a bounded number of steps */
};

#endif
