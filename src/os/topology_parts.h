/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the files topology_*_linux.c share. */
#ifndef FILCHI_OS_TOPOLOGY_PARTS_H
#define FILCHI_OS_TOPOLOGY_PARTS_H

#include "topology.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a whole file. Its path is root followed by the text of the format. 0, and the caller frees the text; or -errno.
 * To the callers a missing or strange file is no error; a lack of memory is.
 */
int filchi_topology_text(char **text, const char *root, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Reads a decimal number, and moves *text behind it. False: there is no number, or it does not fit. */
bool filchi_topology_number(const char **text, uint64_t *number);

/*
 * Reads the next range of a list such as "0-3,8\n", and moves *list behind it. 1; 0: the end; -EINVAL: the text is no
 * such list.
 */
int filchi_topology_range(const char **list, int *first, int *last);

/* The index of first, or of the next higher CPU, in p->cpus, which are in the order of their numbers. */
unsigned filchi_topology_find(const struct filchi_topology *p, int first);

/* Stores the CPUs that quotas let the process use, rounded up; 0 without a quota. Returns 0 or -ENOMEM. */
int filchi_topology_quota(unsigned *quota, const char *root);

/*
 * The sources. At the start all levels of all CPUs are -1. A source sets the levels that it knows: CPUs that share a
 * part of the machine get the same number, which may be any. 0; -ENOENT: the source knows nothing; -ENOMEM.
 */
int filchi_topology_sysfs(struct filchi_topology *p, const char *root);
int filchi_topology_hwloc(struct filchi_topology *p);

#endif
