/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every other public header shares.
 *
 * Calls that can fail return 0 or a negative errno value. The library prints nothing and never ends the program.
 *
 * Options are structs passed by pointer; NULL means the default of everything. The first field is the size of the
 * struct as the caller knows it, so that a program built against an older header keeps working. It must be set: a size
 * of 0, or one that makes no sense, is -EINVAL, and so is a newer header's field that is set and not known here. Any
 * other field that is zero means its default. So:
 *
 *	struct filch_deque_options o = {.size = sizeof o, .capacity = 1024};
 */
#ifndef FILCH_BASE_H
#define FILCH_BASE_H

#include <stddef.h>
#include <stdint.h>

#define FILCH_VERSION_MAJOR 0
#define FILCH_VERSION_MINOR 2
#define FILCH_VERSION_PATCH 0

#if defined(__GNUC__)
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

/* What taking an item comes to. Errors are negative, so that one int holds either. */
enum filch_result {
	FILCH_OK = 0,	 /* an item was taken */
	FILCH_EMPTY = 1, /* there was nothing to take; of a kind that holds items back (holds_back, on_request in
			    deque.h) a thief cannot conclude that there are none */
	FILCH_LOST = 2	 /* lost a race for an item: worth retrying at once */
};

/* The order in which items come out, seen from one end. */
enum filch_order {
	FILCH_LIFO = 0,	    /* the newest first */
	FILCH_FIFO = 1,	    /* the oldest first */
	FILCH_UNORDERED = 2 /* no promise */
};

/* What a thread can count on while others stand still. */
enum filch_progress {
	FILCH_BLOCKING = 0,  /* waits for others */
	FILCH_LOCK_FREE = 1, /* retried until it is not LOST, it fails only because another succeeds */
	FILCH_WAIT_FREE = 2  /* ends after a bounded number of its own steps */
};

#endif
