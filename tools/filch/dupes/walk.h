/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the walk. */
#ifndef FILCHI_DUPES_WALK_H
#define FILCHI_DUPES_WALK_H

#include "dupes.h"

#include <sys/stat.h>

#define FILCHI_DUPES_STATUS (STATX_TYPE | STATX_SIZE | STATX_INO | STATX_MTIME | STATX_CTIME)

/* As in the kernel. */
static inline uint32_t filchi_dupes_device(const struct statx *s)
{
	return s->stx_dev_major << 20 | s->stx_dev_minor;
}

/* list.c: what one directory has. */
struct filchi_dupes_listing {
	struct filchi_dupes_dir *dirs;
	struct filchi_dupes_file *files;
	struct filchi_dupes_totals totals;
};
/* 0 or -errno. An error after some entries keeps these entries. */
int filchi_dupes_list(struct filchi_dupes_arena *arena, struct filchi_dupes_dir *d, int fd,
		      struct filchi_dupes_listing *l);
struct filchi_dupes_dir *filchi_dupes_new_dir(struct filchi_dupes_arena *arena, struct filchi_dupes_dir *parent,
					      const char *name);

#endif
