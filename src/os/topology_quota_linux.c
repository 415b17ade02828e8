/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU time that the control groups of this process let it use.
 *
 * The quota of a group limits the group and all groups inside it. /proc/self/cgroup tells the group, as a path in a
 * hierarchy. /proc/self/mountinfo tells where the hierarchy is mounted, and from which group downwards. A container may
 * see only its own part of the hierarchy. There are two kinds of hierarchy: the unified one, and the older one of the
 * controller cpu. Both may be mounted, and then one of them has no quotas. So the code asks both.
 */
#define _GNU_SOURCE

#include "topology_parts.h"

#include "../base/mem.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

struct hierarchy {
	const char *type;	/* of the file system */
	const char *controller; /* NULL: the unified hierarchy, which has all controllers */
	const char *group;	/* the group of this process, "/" or "/a/b"; NULL: no group */
	const char *root;	/* the group that is mounted, in the same form */
	const char *point;	/* the mount point; NULL: not mounted */
};

/* True if the list, separated by commas, has this word. */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (!strncmp(list, word, length) && (!list[length] || list[length] == ','))
			return true;
	}
	return false;
}

/* The rest of the path behind this directory, "" or "/..."; NULL if the path does not start with the directory. */
static const char *below(const char *path, const char *directory)
{
	size_t length = strcmp(directory, "/") ? strlen(directory) : 0;

	if (strncmp(path, directory, length) || (path[length] && path[length] != '/'))
		return NULL;
	return path + length;
}

/* The path of a group that the process cannot see contains dots. */
static bool leads_out(const char *path)
{
	for (; (path = strstr(path, "/..")); path++)
		if (!path[3] || path[3] == '/')
			return true;
	return false;
}

/* Lines are number:controllers:group. */
static void find_groups(struct hierarchy *unified, struct hierarchy *cpu, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		const char *number = strsep(&line, ":");
		const char *controllers = strsep(&line, ":");

		if (!line || *line != '/')
			continue;
		if (!strcmp(number, "0") && !*controllers)
			unified->group = line;
		else if (has_word(controllers, cpu->controller))
			cpu->group = line;
	}
}

/* In a path a blank, and some other characters, appear as a backslash and three octal digits. */
static char *unescape(char *path)
{
	char *to = path;

	for (const char *from = path; *from; to++) {
		if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' && from[2] <= '7' &&
		    from[3] >= '0' && from[3] <= '7') {
			*to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = 0;
	return path;
}

/*
 * Takes this mount for the hierarchy if it shows the group of the process, and at least as many of the groups above as
 * the mount found before. If two mounts have the same mount point, a process sees the later mount.
 */
static void consider(struct hierarchy *h, const char *type, const char *options, const char *root, const char *point)
{
	const char *rest;

	if (!h->group || strcmp(type, h->type) || (h->controller && !has_word(options, h->controller)))
		return;
	rest = below(h->group, root);
	if (!rest || leads_out(rest) || (h->point && strlen(root) > strlen(h->root)))
		return;
	h->root = root;
	h->point = point;
}

/* Lines are: id parent device root point options [optional...] - type source options. */
static void find_mounts(struct hierarchy *unified, struct hierarchy *cpu, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		const char *field, *type, *options;
		char *root, *point;

		for (unsigned i = 0; i < 3; i++)
			strsep(&line, " ");
		root = strsep(&line, " ");
		point = strsep(&line, " ");
		while ((field = strsep(&line, " ")) && strcmp(field, "-"))
			;
		type = strsep(&line, " ");
		strsep(&line, " ");
		options = strsep(&line, " ");
		if (!options)
			continue;
		unescape(root);
		unescape(point);
		consider(unified, type, options, root, point);
		consider(cpu, type, options, root, point);
	}
}

/* Blanks may come before the number. Behind it comes a blank or the end. */
static bool number_in(const char **text, uint64_t *number)
{
	*text += strspn(*text, " \t");
	return filchi_topology_number(text, number) && (!**text || strchr(" \t\n", **text));
}

static void lower(unsigned *quota, uint64_t time, uint64_t period)
{
	uint64_t cpus;

	if (!time || !period)
		return;
	cpus = time / period + (time % period != 0);
	if (cpus < UINT_MAX && (!*quota || cpus < *quota))
		*quota = (unsigned)cpus;
}

/* "50000 100000", or "max 100000". */
static int read_unified(unsigned *quota, const char *root, const char *point, const char *group, int length)
{
	uint64_t time, period;
	const char *at;
	char *text;
	int error = filchi_topology_text(&text, root, "%s%.*s/cpu.max", point, length, group);

	if (error)
		return error;
	at = text;
	if (number_in(&at, &time) && number_in(&at, &period))
		lower(quota, time, period);
	filchi_free(text);
	return 0;
}

/* Two files have one number each. The first number is -1 if there is no limit. */
static int read_cpu(unsigned *quota, const char *root, const char *point, const char *group, int length)
{
	static const char *const file[2] = {"cpu.cfs_quota_us", "cpu.cfs_period_us"};
	uint64_t number[2];

	for (unsigned i = 0; i < 2; i++) {
		char *text;
		int error = filchi_topology_text(&text, root, "%s%.*s/%s", point, length, group, file[i]);
		const char *at;

		if (error)
			return error;
		at = text;
		if (!number_in(&at, &number[i]))
			error = -EINVAL;
		filchi_free(text);
		if (error)
			return error;
	}
	lower(quota, number[0], number[1]);
	return 0;
}

/* The quotas of the group and of the groups above it, as far up as the mount goes. */
static int climb(unsigned *quota, const char *root, const struct hierarchy *h)
{
	const char *group;
	size_t length;

	if (!h->point)
		return 0;
	group = below(h->group, h->root);
	length = strlen(group);
	if (length > PATH_MAX)
		return 0;
	for (;;) {
		int error = h->controller ? read_cpu(quota, root, h->point, group, (int)length)
					  : read_unified(quota, root, h->point, group, (int)length);

		if (error == -ENOMEM)
			return error;
		if (!length)
			return 0;
		while (group[--length] != '/')
			;
	}
}

int filchi_topology_quota(unsigned *quota, const char *root)
{
	struct hierarchy unified = {.type = "cgroup2"};
	struct hierarchy cpu = {.type = "cgroup", .controller = "cpu"};
	char *groups, *mounts;
	int error = filchi_topology_text(&groups, root, "/proc/self/cgroup");

	*quota = 0;
	if (error)
		return error == -ENOMEM ? error : 0;
	error = filchi_topology_text(&mounts, root, "/proc/self/mountinfo");
	if (!error) {
		find_groups(&unified, &cpu, groups);
		find_mounts(&unified, &cpu, mounts);
		error = climb(quota, root, &unified);
		if (!error)
			error = climb(quota, root, &cpu);
		filchi_free(mounts);
	}
	filchi_free(groups);
	return error == -ENOMEM ? error : 0;
}
