/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a directory is on a disk that rotates: it is slow if many files are read at a time. */
#define _GNU_SOURCE
#include "dupes.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool says_one(const char *path)
{
	FILE *f = fopen(path, "re");
	bool one = f && getc(f) == '1';

	if (f)
		fclose(f);
	return one;
}

/* The disk of a virtual machine always says that it rotates. Its host knows better, and orders the reads. */
static bool is_virtual(const char *device)
{
	char link[64], target[4096];
	ssize_t n;
	const char *name;

	snprintf(link, sizeof(link), "/sys/dev/block/%s", device);
	n = readlink(link, target, sizeof(target) - 1);
	if (n <= 0)
		return true;
	target[n] = 0;
	name = strrchr(target, '/');
	return strstr(target, "/virtio") || (name && (!strncmp(name, "/xvd", 4) || !strncmp(name, "/vd", 3)));
}

bool filchi_dupes_rotates(const char *dir)
{
	char device[32], path[256];
	struct stat s;

	if (stat(dir, &s))
		return false;
	snprintf(device, sizeof(device), "%u:%u", major(s.st_dev), minor(s.st_dev));
	if (is_virtual(device))
		return false;
	snprintf(path, sizeof(path), "/sys/dev/block/%s/queue/rotational", device);
	if (says_one(path))
		return true;
	snprintf(path, sizeof(path), "/sys/dev/block/%s/../queue/rotational", device); /* of a partition */
	return says_one(path);
}
