/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is needed of a system. os_linux.c does it on Linux, os_check.c under the checker.
 */
#ifndef FILCHI_OS_OS_H
#define FILCHI_OS_OS_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

/* Room for the system's own: 40 bytes with glibc on x86-64, 48 on AArch64. Not recursive. */
struct filchi_mutex {
	alignas(8) unsigned char opaque[48];
};

int filchi_mutex_init(struct filchi_mutex *m);
void filchi_mutex_destroy(struct filchi_mutex *m);
void filchi_mutex_lock(struct filchi_mutex *m);
bool filchi_mutex_trylock(struct filchi_mutex *m);
void filchi_mutex_unlock(struct filchi_mutex *m);

/*
 * Address space that gets memory behind it only as it is committed, from its start and upwards: what grows in it
 * never moves. Page sizes are not the caller's concern. Committed memory reads as zero in a shipped build and counts
 * as uninitialized in a checked one, which has it from the start.
 */
void *filchi_vm_reserve(size_t bytes);				      /* NULL when there is none */
int filchi_vm_commit(void *base, size_t old_bytes, size_t new_bytes); /* 0 or -ENOMEM, and then nothing changed */
void filchi_vm_release(void *base, size_t bytes);

#endif
