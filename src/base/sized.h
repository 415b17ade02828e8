/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structs of the public interface whose first field is their size: options go in, statistics come out. The caller may
 * have been compiled with an older header, whose struct is shorter, or with a newer one, whose struct is longer.
 *
 * The size must be a multiple of the struct's alignment. So it never ends within a field. Sizes that are 0, or larger
 * than a page, were never set. A new field of a struct must not take the place of padding, because an older caller may
 * have left any value there.
 */
#ifndef FILCHI_BASE_SIZED_H
#define FILCHI_BASE_SIZED_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define FILCHI_SIZED_MAX 4096u

static inline size_t filchi_sized_size(const void *theirs)
{
	size_t size;

	memcpy(&size, theirs, sizeof(size));
	return size;
}

static inline bool filchi_sized_makes_sense(size_t size)
{
	return size >= sizeof(size_t) && size <= FILCHI_SIZED_MAX && size % sizeof(size_t) == 0;
}

/*
 * Copies the caller's struct to the library's own. Fields that the caller does not have become zero. theirs may be
 * NULL, and then all fields become zero. 0; -EINVAL: the size makes no sense, or a field is set that the library does
 * not have.
 */
static inline int filchi_sized_copy(void *mine, size_t mine_size, const void *theirs)
{
	const unsigned char *bytes = theirs;
	size_t size = theirs ? filchi_sized_size(theirs) : sizeof(size);

	if (!filchi_sized_makes_sense(size))
		return -EINVAL;
	for (size_t i = mine_size; i < size; i++)
		if (bytes[i])
			return -EINVAL;
	memset(mine, 0, mine_size);
	if (theirs)
		memcpy(mine, theirs, size < mine_size ? size : mine_size);
	memcpy(mine, &mine_size, sizeof(mine_size));
	return 0;
}

/*
 * The other way around: the caller gets the fields that it has. Fields that the library does not have become zero. 0;
 * -EINVAL: the size makes no sense, and nothing was written.
 */
static inline int filchi_sized_fill(void *theirs, const void *mine, size_t mine_size)
{
	size_t size = filchi_sized_size(theirs);
	size_t known = size < mine_size ? size : mine_size;

	if (!filchi_sized_makes_sense(size))
		return -EINVAL;
	memcpy(theirs, mine, known);
	memset((unsigned char *)theirs + known, 0, size - known);
	memcpy(theirs, &size, sizeof(size));
	return 0;
}

#endif
