/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file system of one's own for what reads /proc and /sys, and a kernel that says which CPUs a thread may use.
 *
 * Link with -Wl,--wrap=sched_getaffinity. There is one root at a time; it is gone when the program exits.
 */
#ifndef TEST_SUPPORT_FAKE_ROOT_H
#define TEST_SUPPORT_FAKE_ROOT_H

/* A new, empty root, and its path. */
const char *fake_root(void);

/* Makes a file in it, with all folders on the way; an old one is replaced. */
void fake_root_put(const char *text, const char *path, ...) __attribute__((format(printf, 2, 3)));

/*
 * From now on these CPUs may be used, given as a list such as "0-3,8", on a kernel whose masks have so many bits.
 * NULL: ask the true kernel again. "": the kernel does not answer.
 */
void fake_root_cpus(const char *list, unsigned bits);

/*
 * The files about a machine of packages, each with so many caches, each of these for so many cores of so many threads.
 * A package is also a node. The first threads of all cores have the lowest numbers, then come the second ones, ...
 */
struct fake_machine {
	int packages, caches, cores, threads;
};
void fake_root_machine(const struct fake_machine *m);

#endif
