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
 *
 * The searches of several machines make a checkpoint together: each one makes a part, which has the form of a file, and
 * the header tells its number, the number of parts, and the number of the checkpoint, so that parts of two checkpoints
 * cannot be mixed. The file is all parts, one after the other, in any order.
 */
#define _DEFAULT_SOURCE
#include "search.h"

#include "checkpoint.h"
#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct writer {
	int file, error; /* file: -1: to memory */
	unsigned char *memory;
	size_t memory_size, memory_room;
	uint64_t sum, written;
	size_t used;
	unsigned char buffer[1 << 16];
	unsigned char *packed;
	size_t room;
	const struct filch_search_problem *problem;
	uint64_t nodes, bytes; /* written; bytes: with their sizes */
};

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

static void flush_to_memory(struct writer *w)
{
	size_t needed = w->memory_size + w->used;

	if (needed > w->memory_room) {
		unsigned char *more = filchi_search_alloc(2 * needed);

		if (!more) {
			w->error = -ENOMEM;
			return;
		}
		if (w->memory_size)
			memcpy(more, w->memory, w->memory_size);
		filchi_search_free(w->memory);
		w->memory = more;
		w->memory_room = 2 * needed;
	}
	memcpy(w->memory + w->memory_size, w->buffer, w->used);
	w->memory_size = needed;
}

static void flush(struct writer *w)
{
	if (!w->error && w->file < 0)
		flush_to_memory(w);
	else if (!w->error)
		w->error = write_all(w->file, w->buffer, w->used);
	w->used = 0;
}

static void put(struct writer *w, const void *bytes, size_t size)
{
	const unsigned char *from = bytes;

	w->sum = filchi_checkpoint_sum(w->sum, from, size);
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

/* The size of what was packed, at the second try. Its function said before how much room it needs. */
static size_t packed_size(struct writer *w, size_t size)
{
	if (size <= w->room)
		return size;
	w->error = -EINVAL;
	return 0;
}

static size_t pack_solution(struct filch_search *s, struct writer *w, const struct filchi_search_best *best)
{
	size_t size = 0;

	if (!best || !best->solution || !s->problem.pack_solution)
		return 0;
	size = s->problem.pack_solution(best->solution, w->packed, w->room, s->problem.arg);
	if (size > w->room)
		size = room(w, size) ? s->problem.pack_solution(best->solution, w->packed, w->room, s->problem.arg) : 0;
	return packed_size(w, size);
}

static size_t pack_state(struct filch_search *s, struct writer *w)
{
	size_t size = 0;

	if (s->problem.pack_state)
		size = s->problem.pack_state(s, w->packed, w->room, s->problem.arg);
	if (size > w->room)
		size = room(w, size) ? s->problem.pack_state(s, w->packed, w->room, s->problem.arg) : 0;
	return packed_size(w, size);
}

static void put_node(const struct filch_node *node, void *arg)
{
	struct writer *w = arg;
	const struct filch_search_problem *p = w->problem;
	uint64_t size;

	if (w->error)
		return;
	size = p->pack(node, w->packed, w->room, p->arg);
	if (size > w->room)
		size = room(w, size) ? p->pack(node, w->packed, w->room, p->arg) : 0;
	size = packed_size(w, size);
	put(w, &size, sizeof(size));
	put(w, w->packed, size);
	w->nodes++;
	w->bytes += sizeof(size) + size;
}

/* All open nodes. They stay where they are. */
static void put_nodes(struct filch_search *s, struct writer *w)
{
	const struct filch_node *node = s->inbox.first;

	for (unsigned i = 0; i < s->workers && !w->error; i++)
		filchi_search_each(&s->worker[i], put_node, w);
	for (size_t n = s->inbox.count; n; n--) {
		put_node(node, w);
		node = n > 1 ? filchi_plain_get(&node->next) : NULL;
	}
}

static void put_header(struct writer *w, const uint64_t *header)
{
	if (!w->error && w->file < 0)
		memcpy(w->memory, header, H_WORDS * sizeof(*header));
	else if (!w->error && lseek(w->file, 0, SEEK_SET) != 0)
		w->error = -errno;
	else if (!w->error)
		w->error = write_all(w->file, (const unsigned char *)header, H_WORDS * sizeof(*header));
}

/* All is still. The header is written last, over zeros: its sum comes first in the checksum of the parts. */
static void put_all(struct filch_search *s, struct writer *w)
{
	uint64_t header[H_WORDS] = {0}, sum, open;
	struct filchi_search_best *best;

	w->problem = &s->problem;
	header[H_MAGIC] = FILCHI_CHECKPOINT_MAGIC;
	header[H_ORDER] = FILCHI_CHECKPOINT_ORDER;
	header[H_VERSION] = FILCHI_CHECKPOINT_VERSION;
	header[H_FINGERPRINT] = s->problem.fingerprint;
	header[H_KIND] = (uint64_t)s->problem.goal << 8 | (uint64_t)s->problem.type;
	header[H_PART] = w->file < 0 ? s->link.part : 0;
	header[H_PARTS] = w->file < 0 ? s->link.parts : 1;
	header[H_NUMBER] = w->file < 0 && s->link.number ? s->link.number(s->link.arg) : 0;
	filchi_search_totals(s, &header[H_EXPLORED], &header[H_PRUNED], &open);
	header[H_EXPLORED] += s->explored_loaded;
	header[H_PRUNED] += s->pruned_loaded;
	put(w, header, sizeof(header));
	w->sum = FILCHI_CHECKPOINT_SUM;
	best = filchi_search_best_borrow(s);
	header[H_BEST] = best ? best->key : FILCHI_SEARCH_NO_KEY;
	header[H_SOLUTION] = pack_solution(s, w, best);
	filchi_search_best_return(s);
	put(w, w->packed, header[H_SOLUTION]);
	header[H_STATE] = pack_state(s, w);
	put(w, w->packed, header[H_STATE]);
	put_nodes(s, w);
	header[H_NODES] = w->nodes;
	header[H_BYTES] = w->bytes;
	sum = filchi_checkpoint_sum(w->sum, (const unsigned char *)header, sizeof(header));
	put(w, &sum, sizeof(sum));
	flush(w);
	put_header(w, header);
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

/* To PATH.tmp, and then by rename to PATH. */
static int save_to_file(struct filch_search *s, struct writer *w, const char *path)
{
	char name[4096];

	if (snprintf(name, sizeof(name), "%s.tmp", path) >= (int)sizeof(name))
		return -ENAMETOOLONG;
	w->file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
	if (w->file < 0)
		return -errno;
	put_all(s, w);
	if (!w->error && fsync(w->file))
		w->error = -errno;
	if (close(w->file) && !w->error)
		w->error = -errno;
	if (!w->error && rename(name, path))
		w->error = -errno;
	if (w->error)
		unlink(name);
	return w->error ? w->error : sync_directory(path);
}

/* Before the work: can a file be made beside path, and take its name? */
int filchi_search_save_try(const char *path)
{
	struct stat at;
	char name[4096];
	int file;

	if (!stat(path, &at) && S_ISDIR(at.st_mode))
		return filchi_search_error_save(-EISDIR, path);
	if (snprintf(name, sizeof(name), "%s.tmp", path) >= (int)sizeof(name))
		return filchi_search_error_save(-ENAMETOOLONG, path);
	file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
	if (file < 0)
		return filchi_search_error_save(-errno, path);
	close(file);
	unlink(name);
	return 0;
}

static int save_to_link(struct filch_search *s, struct writer *w)
{
	w->file = -1;
	put_all(s, w);
	return w->error ? w->error : s->link.saved(w->memory, w->memory_size, s->link.arg);
}

int filchi_search_save(struct filch_search *s, const char *path)
{
	struct writer *w;
	int err;

	if (!s->problem.pack)
		return filchi_search_error(-EINVAL, "pack is NULL, so there are no checkpoints");
	w = filchi_search_alloc(sizeof(*w));
	if (!w || !room(w, 4096)) {
		filchi_search_free(w);
		return filchi_search_error_save(-ENOMEM, path);
	}
	err = path ? save_to_file(s, w, path) : save_to_link(s, w);
	filchi_search_free(w->memory);
	filchi_search_free(w->packed);
	filchi_search_free(w);
	return err ? filchi_search_error_save(err, path) : 0;
}
