/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of topology_linux.c share. */
#ifndef FILCHI_OS_TOPOLOGY_PARTS_H
#define FILCHI_OS_TOPOLOGY_PARTS_H

#include "topology.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A whole file, its path that of root followed by what the format makes: 0 and the text, which is the caller's to
 * free, or -errno. No file that is missing or strange is an error to anyone here, but no memory is.
 */
int filchi_topology_text(char **text, const char *root, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A number in decimal, *text moved behind it; false if there is none, or none that fits. */
bool filchi_topology_number(const char **text, uint64_t *number);

/*
 * The next range of a list such as "0-3,8\n", *list moved behind it. 1, or 0 at the end, or -EINVAL where the list is
 * no such list.
 */
int filchi_topology_range(const char **list, int *first, int *last);

/* Where first is in p->cpus, which are in the order of their numbers, or else the next one. */
unsigned filchi_topology_find(const struct filchi_topology *p, int first);

/* The CPUs that quotas let the process use, rounded up, 0 without any. 0 or -ENOMEM. */
int filchi_topology_quota(unsigned *quota, const char *root);

/*
 * The sources. They find all levels of all CPUs at -1, and set those that they know to numbers that are the same for
 * CPUs that share; which ones does not matter. 0, -ENOENT if they know nothing, or -ENOMEM.
 */
int filchi_topology_sysfs(struct filchi_topology *p, const char *root);
int filchi_topology_hwloc(struct filchi_topology *p);

#endif
