/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the small files in which the kernel describes itself. */
#define _GNU_SOURCE

#include "topology_parts.h"

#include "../base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* No file that is read here has this size: /proc/self/mountinfo has about 200 bytes per mount. */
#define LARGEST ((size_t)64 << 20)

/* Returns a larger block with the same start. Frees the old block in any case. */
static char *grow(char *old, size_t have, size_t want)
{
	char *text = filchi_alloc(want);

	if (text && have)
		memcpy(text, old, have);
	filchi_free(old);
	return text;
}

/* The kernel does not tell the size in advance, so the loop reads until the end. */
static int read_all(int fd, char **result)
{
	size_t have = 0, room = 4096;
	char *text = grow(NULL, 0, room);

	while (text) {
		ssize_t got = read(fd, text + have, room - have - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || have > LARGEST) {
			filchi_free(text);
			return -EIO;
		}
		if (!got) {
			text[have] = 0;
			*result = text;
			return 0;
		}
		have += (size_t)got;
		if (have + 1 == room) {
			text = grow(text, have, 2 * room);
			room *= 2;
		}
	}
	return -ENOMEM;
}

int filchi_topology_text(char **text, const char *root, const char *format, ...)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s", root);
	va_list args;
	int fd, error;

	if (length < 0 || (size_t)length >= sizeof(path))
		return -ENAMETOOLONG;
	va_start(args, format);
	error = vsnprintf(path + length, sizeof(path) - (size_t)length, format, args);
	va_end(args);
	if (error < 0 || (size_t)error >= sizeof(path) - (size_t)length)
		return -ENAMETOOLONG;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOMEM ? -ENOMEM : -ENOENT;
	error = read_all(fd, text);
	close(fd);
	return error;
}

bool filchi_topology_number(const char **text, uint64_t *number)
{
	const char *at = *text;
	uint64_t n = 0;

	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, (uint64_t)(*at - '0'), &n))
			return false;
	if (at == *text)
		return false;
	*text = at;
	*number = n;
	return true;
}

int filchi_topology_range(const char **list, int *first, int *last)
{
	uint64_t from, to;

	if (!**list || **list == '\n')
		return 0;
	if (!filchi_topology_number(list, &from))
		return -EINVAL;
	to = from;
	if (**list == '-') {
		++*list;
		if (!filchi_topology_number(list, &to))
			return -EINVAL;
	}
	if (from > to || to > INT_MAX)
		return -EINVAL;
	if (**list == ',')
		++*list;
	else if (**list && **list != '\n')
		return -EINVAL;
	*first = (int)from;
	*last = (int)to;
	return 1;
}
