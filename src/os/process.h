/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells a process from its children by fork(). A child has the memory of its parent but not its threads. The library
 * must notice that data of those threads is stale. It makes such data again or reports an error, and never waits for
 * it.
 */
#ifndef FILCHI_OS_PROCESS_H
#define FILCHI_OS_PROCESS_H

/* Starts to count forks; further calls do nothing. 0; -ENOMEM: forks are not counted. */
int filchi_process_watch(void);

/*
 * A number that stays the same in a process and differs in its children by fork(). The call is cheap and allowed
 * everywhere, also in a child between fork() and exec(). Children by vfork(), _Fork() or a bare clone() have the number
 * of their parent, and must not use the library.
 */
unsigned filchi_process_generation(void);

#endif
