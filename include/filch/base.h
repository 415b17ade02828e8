/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules and types that all public headers share.
 *
 * Errors: a function that can fail returns 0 or a negative errno value, and filch_error_message() says why. The
 * library prints nothing and never ends the program, with three exceptions:
 *
 *   - A worker that has no stack left, or no room for spawns, writes a line to stderr before the program dies.
 *   - A job or task that ends its worker with pthread_exit() aborts the program, after a line to stderr.
 *   - A library built with assertions (the presets debug, asan and tsan) aborts the program after some mistakes, such
 *     as the use of a future after filch_future_destroy().
 *
 * Options: the caller passes a struct by pointer. NULL means all defaults. The first field is the size of the struct,
 * and a program that was built with an older header works because of it. A field of 0 means its default.
 *
 *	struct filch_deque_options o = {.struct_size = sizeof o, .capacity = 1024};
 *
 * A size that is not the size of a struct, such as 0, is -EINVAL. So is a field of a newer header that is set but that
 * this library does not know. All this holds for each struct with a struct_size. struct filch_stats is such a struct,
 * too, but the library fills it.
 */
#ifndef FILCH_BASE_H
#define FILCH_BASE_H

#if !defined(__GNUC__) || defined(__TINYC__)
#error "filch needs gcc or clang"
#elif __SIZEOF_POINTER__ != 8 && !defined(__wasm__)
#error "filch needs a 64-bit target, or WebAssembly"
#endif

#include <stddef.h>
#include <stdint.h>

#define FILCH_VERSION_MAJOR 0
#define FILCH_VERSION_MINOR 2
#define FILCH_VERSION_PATCH 0
#define FILCH_VERSION_NUMBER (FILCH_VERSION_MAJOR * 10000 + FILCH_VERSION_MINOR * 100 + FILCH_VERSION_PATCH)

/*
 * The symbols of the static library are hidden. A shared library that contains it must not offer them to the program:
 * the program would use some functions of that copy and some of another.
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

/* Return the version of the library that the program runs with: "0.2.0", and as FILCH_VERSION_NUMBER. */
FILCH_API const char *filch_version(void);
FILCH_API unsigned filch_version_number(void);

/*
 * Returns the reason for the last failure of this thread, as a text. Never NULL. Call it at once after a function has
 * failed: later calls may change the text. Calls that succeed leave it, and so do the results FILCH_EMPTY, FILCH_LOST
 * and -ENOBUFS of deques and bulk queues. If a wait returned the error of a job, the text says which error the job
 * returned, or that the job was cancelled.
 */
FILCH_API const char *filch_error_message(void);
/*
 * For libraries that are built on filch: sets the text of filch_error_message() in this thread to a copy of text, cut
 * after 255 bytes. Returns error.
 */
FILCH_API int filch_error_set(int error, const char *text);

FILCH_END_DECLS

/* The result of an attempt to take an item. Errors are negative, so one int can hold both. */
enum filch_result {
	FILCH_OK = 0,	 /* an item was taken */
	FILCH_EMPTY = 1, /* there was no item for the caller, but the owner may have private items */
	FILCH_LOST = 2	 /* another thread took the item at the same time: try again at once */
};

/* The order in which items come out. */
enum filch_order {
	FILCH_LIFO = 0,	    /* the newest first */
	FILCH_FIFO = 1,	    /* the oldest first */
	FILCH_UNORDERED = 2 /* no promise */
};

/* Whether an operation ends even if other threads stop in the middle of their operations. */
enum filch_progress {
	FILCH_BLOCKING = 0,  /* no: it may wait for them */
	FILCH_LOCK_FREE = 1, /* yes; it returns FILCH_LOST only if an operation of another thread succeeds */
	FILCH_WAIT_FREE = 2  /* yes, after a bounded number of steps */
};

#endif
