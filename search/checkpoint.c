/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checkpoints: all open nodes, the best value with its solution, the caller's state and the counts, in one file.
 *
 * A checkpoint is written while no worker runs. It goes to PATH.tmp, is synced, and takes the name PATH by rename; then
 * the directory is synced. So at each moment PATH is a whole checkpoint, the old one or the new one.
 *
 * The file: a header of 8-byte words, the solution, the state, each node as its size and its bytes, and the checksum of
 * all bytes before it (FNV-1a, 64 bits). Numbers are in the byte order of the machine that wrote it, which the header
 * tells. A reader checks the length and the checksum before it believes any other number.
 */
#define _DEFAULT_SOURCE
#include "search.h"

#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x3148435253484346u /* "FCHSRCH1" */
#define VERSION 1u
#define ORDER 0x0102030405060708u

enum {
	H_MAGIC,
	H_ORDER,
	H_VERSION,
	H_FINGERPRINT,
	H_KIND,
	H_BEST,
	H_EXPLORED,
	H_PRUNED,
	H_SOLUTION,
	H_STATE,
	H_NODES,
	H_BYTES,
	H_WORDS
};

struct writer {
	int file, error;
	uint64_t sum, written;
	size_t used;
	unsigned char buffer[1 << 16];
	unsigned char *packed;
	size_t room;
};

static uint64_t fnv(uint64_t sum, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ bytes[i]) * 0x100000001b3u;
	return sum;
}

#define FNV_START 0xcbf29ce484222325u

/* Goes on after interruptions. 0 or an error. */
static int write_all(int file, const unsigned char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(file, bytes, size);

		if (n < 0 && errno != EINTR)
			return -errno;
		bytes += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static void flush(struct writer *w)
{
	if (!w->error)
		w->error = write_all(w->file, w->buffer, w->used);
	w->used = 0;
}

static void put(struct writer *w, const void *bytes, size_t size)
{
	const unsigned char *from = bytes;

	w->sum = fnv(w->sum, from, size);
	w->written += size;
	while (size) {
		size_t n = size < sizeof(w->buffer) - w->used ? size : sizeof(w->buffer) - w->used;

		memcpy(w->buffer + w->used, from, n);
		w->used += n;
		from += n;
		size -= n;
		if (w->used == sizeof(w->buffer))
			flush(w);
	}
}

/* Makes room for so many packed bytes. */
static bool room(struct writer *w, size_t size)
{
	unsigned char *more;

	if (size <= w->room)
		return true;
	more = filchi_search_alloc(size);
	if (!more) {
		w->error = -ENOMEM;
		return false;
	}
	filchi_search_free(w->packed);
	w->packed = more;
	w->room = size;
	return true;
}

static size_t pack_solution(struct filch_search *s, struct writer *w, const struct filchi_search_best *best)
{
	size_t size = 0;

	if (!best || !best->solution || !s->problem.pack_solution)
		return 0;
	size = s->problem.pack_solution(best->solution, w->packed, w->room, s->problem.arg);
	if (size > w->room)
		size = room(w, size) ? s->problem.pack_solution(best->solution, w->packed, w->room, s->problem.arg) : 0;
	return size;
}

static size_t pack_state(struct filch_search *s, struct writer *w)
{
	size_t size = 0;

	if (s->problem.pack_state)
		size = s->problem.pack_state(s, w->packed, w->room, s->problem.arg);
	if (size > w->room)
		size = room(w, size) ? s->problem.pack_state(s, w->packed, w->room, s->problem.arg) : 0;
	return size;
}

static uint64_t put_nodes(struct filch_search *s, struct writer *w, struct filch_batch *all)
{
	struct filch_node *node = all->first;
	uint64_t bytes = 0;

	for (size_t n = all->count; n && !w->error; n--) {
		uint64_t size = s->problem.pack(node, w->packed, w->room, s->problem.arg);

		if (size > w->room)
			size = room(w, size) ? s->problem.pack(node, w->packed, w->room, s->problem.arg) : 0;
		put(w, &size, sizeof(size));
		put(w, w->packed, size);
		bytes += sizeof(size) + size;
		node = n > 1 ? node->next : NULL;
	}
	return bytes;
}

/* All is still. The header is written last, over zeros: its sum comes first in the checksum of the parts. */
static void put_all(struct filch_search *s, struct writer *w)
{
	uint64_t header[H_WORDS] = {0}, sum, open;
	struct filchi_search_best *best;
	struct filch_batch all;

	header[H_MAGIC] = MAGIC;
	header[H_ORDER] = ORDER;
	header[H_VERSION] = VERSION;
	header[H_FINGERPRINT] = s->problem.fingerprint;
	header[H_KIND] = (uint64_t)s->problem.goal << 8 | (uint64_t)s->problem.type;
	filchi_search_totals(s, &header[H_EXPLORED], &header[H_PRUNED], &open);
	header[H_EXPLORED] += s->explored_loaded;
	header[H_PRUNED] += s->pruned_loaded;
	put(w, header, sizeof(header));
	w->sum = FNV_START;
	best = filchi_search_best_borrow(s);
	header[H_BEST] = best ? best->key : FILCHI_SEARCH_NO_KEY;
	header[H_SOLUTION] = pack_solution(s, w, best);
	filchi_search_best_return(s);
	put(w, w->packed, header[H_SOLUTION]);
	header[H_STATE] = pack_state(s, w);
	put(w, w->packed, header[H_STATE]);
	for (unsigned i = 0; i < s->workers && !w->error; i++) {
		filchi_search_peek(&s->worker[i], &all);
		header[H_NODES] += all.count;
		header[H_BYTES] += put_nodes(s, w, &all);
		filchi_search_push(&s->worker[i], &all);
	}
	header[H_NODES] += s->inbox.count;
	header[H_BYTES] += put_nodes(s, w, &s->inbox);
	sum = fnv(w->sum, (const unsigned char *)header, sizeof(header));
	put(w, &sum, sizeof(sum));
	flush(w);
	if (!w->error && lseek(w->file, 0, SEEK_SET) != 0)
		w->error = -errno;
	if (!w->error)
		w->error = write_all(w->file, (const unsigned char *)header, sizeof(header));
}

static int sync_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char name[4096];
	int file, err = 0;

	if (slash && (size_t)(slash - path) >= sizeof(name))
		return -ENAMETOOLONG;
	snprintf(name, sizeof(name), "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	file = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file < 0)
		return -errno;
	if (fsync(file) && errno != EINVAL) /* some file systems cannot sync a directory */
		err = -errno;
	close(file);
	return err;
}

int filchi_search_save(struct filch_search *s, const char *path)
{
	struct writer *w;
	char name[4096];
	int err;

	if (!s->problem.pack)
		return filchi_search_error(-EINVAL, "pack is NULL, so there are no checkpoints");
	if (snprintf(name, sizeof(name), "%s.tmp", path) >= (int)sizeof(name))
		return filchi_search_error_save(-ENAMETOOLONG, path);
	w = filchi_search_alloc(sizeof(*w));
	if (!w || !room(w, 4096)) {
		filchi_search_free(w);
		return filchi_search_error_save(-ENOMEM, path);
	}
	w->file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
	w->error = w->file < 0 ? -errno : 0;
	if (!w->error)
		put_all(s, w);
	if (!w->error && fsync(w->file))
		w->error = -errno;
	if (w->file >= 0 && close(w->file) && !w->error)
		w->error = -errno;
	if (!w->error && rename(name, path))
		w->error = -errno;
	else if (w->error && w->file >= 0)
		unlink(name);
	err = w->error ? w->error : sync_directory(path);
	filchi_search_free(w->packed);
	filchi_search_free(w);
	return err ? filchi_search_error_save(err, path) : 0;
}

/* ---- reading ---- */

/* Before memory for the whole file is asked for: a foreign file may be larger than that. */
static bool has_magic(int file)
{
	uint64_t magic = 0;

	return pread(file, &magic, sizeof(magic), 0) == sizeof(magic) &&
	       (magic == MAGIC || magic == __builtin_bswap64(MAGIC));
}

/* The whole file. NULL: *err says why. */
static unsigned char *read_file(const char *path, size_t *size, int *err)
{
	unsigned char *bytes = NULL;
	struct stat st;
	size_t got = 0;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* it may be a pipe */

	if (file < 0 || fstat(file, &st)) {
		*err = -errno;
	} else if (st.st_size < (off_t)((H_WORDS + 1) * sizeof(uint64_t)) || !S_ISREG(st.st_mode) || !has_magic(file)) {
		*err = -EBADMSG;
	} else if (st.st_size > (off_t)(PTRDIFF_MAX / 2)) { /* with 32 bits */
		*err = -EFBIG;
	} else if (!(bytes = filchi_search_alloc((size_t)st.st_size))) {
		*err = -ENOMEM;
	} else {
		ssize_t n = 1;

		*size = (size_t)st.st_size;
		while (got < *size && ((n = read(file, bytes + got, *size - got)) > 0 || (n < 0 && errno == EINTR)))
			got += n > 0 ? (size_t)n : 0;
		*err = n < 0 ? -errno : got < *size ? -EBADMSG : 0;
	}
	if (file >= 0)
		close(file);
	if (bytes && *err) {
		filchi_search_free(bytes);
		bytes = NULL;
	}
	return bytes;
}

static int judge(struct filch_search *s, const unsigned char *bytes, size_t size, uint64_t *header)
{
	uint64_t sum, found;
	size_t parts = size - (H_WORDS + 1) * sizeof(uint64_t);

	memcpy(header, bytes, H_WORDS * sizeof(uint64_t));
	if (header[H_MAGIC] != MAGIC || header[H_ORDER] != ORDER || header[H_VERSION] != VERSION)
		return -EPROTONOSUPPORT;
	sum = fnv(FNV_START, bytes + H_WORDS * sizeof(uint64_t), parts);
	sum = fnv(sum, bytes, H_WORDS * sizeof(uint64_t));
	memcpy(&found, bytes + size - sizeof(found), sizeof(found));
	if (sum != found || header[H_SOLUTION] > parts || header[H_STATE] > parts - header[H_SOLUTION] ||
	    header[H_BYTES] != parts - header[H_SOLUTION] - header[H_STATE])
		return -EBADMSG;
	if (header[H_FINGERPRINT] != s->problem.fingerprint ||
	    header[H_KIND] != ((uint64_t)s->problem.goal << 8 | (uint64_t)s->problem.type))
		return -EXDEV;
	return 0;
}

static int load_nodes(struct filch_search *s, const unsigned char *at, uint64_t bytes, uint64_t count,
		      struct filch_batch *all)
{
	while (count--) {
		struct filch_node *node;
		uint64_t size;
		int err;

		if (bytes < sizeof(size))
			return -EBADMSG;
		memcpy(&size, at, sizeof(size));
		at += sizeof(size);
		bytes -= sizeof(size);
		if (size > bytes)
			return -EBADMSG;
		err = s->problem.unpack(&node, at, size, s->problem.arg);
		if (err)
			return err;
		filch_batch_add(all, node);
		at += size;
		bytes -= size;
	}
	return bytes ? -EBADMSG : 0;
}

static int load_all(struct filch_search *s, const unsigned char *bytes, const uint64_t *header)
{
	const unsigned char *at = bytes + H_WORDS * sizeof(uint64_t);
	struct filch_batch all;
	void *solution = NULL;
	int err;

	filch_batch_init(&all);
	err = load_nodes(s, at + header[H_SOLUTION] + header[H_STATE], header[H_BYTES], header[H_NODES], &all);
	if (!err && header[H_SOLUTION])
		err = s->problem.unpack_solution
			      ? s->problem.unpack_solution(&solution, at, header[H_SOLUTION], s->problem.arg)
			      : -EXDEV;
	if (!err && header[H_STATE])
		err = s->problem.unpack_state
			      ? s->problem.unpack_state(s, at + header[H_SOLUTION], header[H_STATE], s->problem.arg)
			      : -EXDEV;
	if (!err && header[H_BEST] != FILCHI_SEARCH_NO_KEY) {
		int better = filchi_search_best_put(s, header[H_BEST], solution);

		err = better < 0 ? better : 0;
		if (better == 1)
			solution = NULL;
	}
	if (solution && s->problem.discard_solution)
		s->problem.discard_solution(solution, s->problem.arg);
	if (err) {
		filchi_search_discard_all(s, NULL, &all);
		return err;
	}
	s->explored_loaded += header[H_EXPLORED];
	s->pruned_loaded += header[H_PRUNED];
	return filch_search_add(s, &all);
}

int filch_search_load(struct filch_search *s, const char *path)
{
	uint64_t header[H_WORDS];
	unsigned char *bytes;
	size_t size = 0;
	int err = 0;

	if (!s || !path)
		return filchi_search_error_null(s ? "path" : "search");
	if (!s->problem.unpack)
		return filchi_search_error(-EINVAL, "unpack is NULL, so there are no checkpoints");
	if (filchi_search_busy(s, true))
		return filchi_search_error_busy();
	bytes = read_file(path, &size, &err);
	if (bytes) {
		err = judge(s, bytes, size, header);
		if (!err)
			err = load_all(s, bytes, header);
	}
	filchi_search_free(bytes);
	(void)filchi_search_busy(s, false);
	return err ? filchi_search_error_load(err, path) : 0;
}
