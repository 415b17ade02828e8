/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is this still the process it was? After fork() the child has the memory of its parent but not its threads: what
 * belongs to threads must be noticed to be stale, and made anew or reported, never waited for.
 */
#ifndef FILCHI_OS_PROCESS_H
#define FILCHI_OS_PROCESS_H

/* Forks are counted from the first call on; further ones do nothing. 0 or -ENOMEM, and then they are not. */
int filchi_process_watch(void);

/*
 * Stays the same in a process, and is another in its children by fork(). Cheap, and may be called from anywhere, also
 * from a child between fork() and exec(). Says nothing about children by vfork(), _Fork() or a bare clone(), which
 * must not use the library.
 */
unsigned filchi_process_generation(void);

#endif
