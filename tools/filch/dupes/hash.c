/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of a file: XXH3, 128 bits. Different files can have the same hash, so it only separates. */
#include "dupes.h"

#include <filch/io.h>

#if FILCHI_HAVE_XXHASH
#define XXH_INLINE_ALL
#include <xxhash.h>

bool filchi_dupes_hash_exists(void)
{
	return true;
}

static void keep(struct filchi_dupes_file *f, XXH128_hash_t h)
{
	f->hash[0] = h.low64;
	f->hash[1] = h.high64;
}

static bool hash_all(struct filchi_dupes_run *run, struct filchi_dupes_file *f, int fd, unsigned char *buffer)
{
	XXH3_state_t state; /* its type demands the alignment */

	XXH3_128bits_reset(&state);
	for (uint64_t at = 0, n; at < f->size; at += n) {
		n = f->size - at < FILCHI_DUPES_BUFFER ? f->size - at : FILCHI_DUPES_BUFFER;
		if (filchi_dupes_stopped(run) || !filchi_dupes_file_read(run, f, fd, buffer, (size_t)n, at))
			return false;
		XXH3_128bits_update(&state, buffer, (size_t)n);
		filchi_dupes_advance(run, n, 0);
	}
	keep(f, XXH3_128bits_digest(&state));
	return true;
}

bool filchi_dupes_hash(struct filchi_dupes_run *run, struct filchi_dupes_file *f, bool all, unsigned char *buffer)
{
	size_t head = f->size < FILCHI_DUPES_HEAD ? (size_t)f->size : FILCHI_DUPES_HEAD;
	int fd = filchi_dupes_file_open(run, f);
	bool good;

	if (fd < 0)
		return false;
	if (all) {
		good = hash_all(run, f, fd, buffer);
	} else {
		good = filchi_dupes_file_read(run, f, fd, buffer, head, 0);
		if (good)
			keep(f, XXH3_128bits(buffer, head));
	}
	if (good)
		return filchi_dupes_file_done(run, f, fd);
	filch_io_close(fd);
	return false;
}
#else
bool filchi_dupes_hash_exists(void)
{
	return false;
}

bool filchi_dupes_hash(struct filchi_dupes_run *run, struct filchi_dupes_file *f, bool all, unsigned char *buffer)
{
	(void)run, (void)f, (void)all, (void)buffer;
	return false;
}
#endif
