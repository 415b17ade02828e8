/* SPDX-License-Identifier: Apache-2.0 */
/* Files that share their blocks. The kernel locks both files and compares their bytes before it shares them. */
#define _GNU_SOURCE
#include "act.h"

#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define AT_A_TIME (16u << 20) /* bytes: the most that btrfs takes */
#define EXTENTS 64u

static int share(const struct filchi_dupes_pair *p, uint64_t at, uint64_t n, uint64_t *done)
{
	union {
		struct file_dedupe_range range;
		char room[sizeof(struct file_dedupe_range) + sizeof(struct file_dedupe_range_info)];
	} u;
	struct file_dedupe_range_info *info = u.range.info;

	memset(&u, 0, sizeof(u));
	u.range.src_offset = at;
	u.range.src_length = n;
	u.range.dest_count = 1;
	info->dest_fd = p->fd;
	info->dest_offset = at;
	if (ioctl(p->kept_fd, FIDEDUPERANGE, &u.range))
		return errno;
	if (info->status == FILE_DEDUPE_RANGE_DIFFERS)
		return FILCHI_DUPES_CHANGED;
	*done = info->bytes_deduped;
	return info->status < 0 ? -info->status : *done ? 0 : EOPNOTSUPP;
}

int filchi_dupes_reflink(const struct filchi_dupes_pair *p)
{
	uint64_t size = p->file.stx_size, done = 0;
	int reason = 0;

	for (uint64_t at = 0; at < size && !reason; at += done)
		reason = share(p, at, size - at < AT_A_TIME ? size - at : AT_A_TIME, &done);
	return reason == ENOTTY || reason == EOPNOTSUPP || reason == EINVAL ? FILCHI_DUPES_NO_REFLINKS : reason;
}

/* Up to EXTENTS places of a file on the disk, from an offset on. */
static bool places(int fd, uint64_t from, struct fiemap *map)
{
	memset(map, 0, sizeof(*map));
	map->fm_start = from;
	map->fm_length = FIEMAP_MAX_OFFSET - from;
	map->fm_flags = FIEMAP_FLAG_SYNC;
	map->fm_extent_count = EXTENTS;
	return !ioctl(fd, FS_IOC_FIEMAP, map);
}

static bool same_places(const struct fiemap *a, const struct fiemap *b)
{
	const unsigned unknown = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_DATA_INLINE;

	if (!a->fm_mapped_extents || a->fm_mapped_extents != b->fm_mapped_extents)
		return false;
	for (unsigned i = 0; i < a->fm_mapped_extents; i++) {
		const struct fiemap_extent *e = &a->fm_extents[i], *f = &b->fm_extents[i];

		if (e->fe_logical != f->fe_logical || e->fe_physical != f->fe_physical ||
		    e->fe_length != f->fe_length || ((e->fe_flags | f->fe_flags) & unknown))
			return false;
	}
	return true;
}

/* Whether both files share all blocks already. Holes have no place, so files of holes only are not seen as such. */
bool filchi_dupes_shared(const struct filchi_dupes_pair *p)
{
	size_t bytes = sizeof(struct fiemap) + EXTENTS * sizeof(struct fiemap_extent);
	struct fiemap *a = malloc(bytes), *b = malloc(bytes);
	uint64_t from = 0;
	bool shared = a && b, last = false;

	while (shared && !last) {
		shared = places(p->kept_fd, from, a) && places(p->fd, from, b) && same_places(a, b);
		if (shared) {
			const struct fiemap_extent *e = &a->fm_extents[a->fm_mapped_extents - 1];

			last = e->fe_flags & FIEMAP_EXTENT_LAST;
			from = e->fe_logical + e->fe_length;
		}
	}
	free(a);
	free(b);
	return shared;
}
