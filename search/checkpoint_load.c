/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a checkpoint, and adds it to a search. checkpoint.c has the form of the file. */
#define _DEFAULT_SOURCE
#include "search.h"

#include "checkpoint.h"
#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Before memory for the whole file is asked for: a foreign file may be larger than that. */
static bool has_magic(int file)
{
	uint64_t magic = 0;

	return pread(file, &magic, sizeof(magic), 0) == sizeof(magic) &&
	       (magic == FILCHI_CHECKPOINT_MAGIC || magic == __builtin_bswap64(FILCHI_CHECKPOINT_MAGIC));
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
	} else if (st.st_size < (off_t)((H_VERSION + 1) * sizeof(uint64_t)) || !S_ISREG(st.st_mode) ||
		   !has_magic(file)) {
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

/* The bytes of a part behind its header and before its checksum. SIZE_MAX: more than there are. */
static size_t part_size(const uint64_t *header, size_t most)
{
	if (header[H_SOLUTION] > most || header[H_STATE] > most - header[H_SOLUTION] ||
	    header[H_BYTES] > most - header[H_SOLUTION] - header[H_STATE])
		return SIZE_MAX;
	return header[H_SOLUTION] + header[H_STATE] + header[H_BYTES];
}

/* The part at the start of these bytes. *size is the size of the part then. */
static int judge_part(struct filch_search *s, const unsigned char *bytes, size_t *size, uint64_t *header)
{
	const size_t rest = (H_WORDS + 1) * sizeof(uint64_t);
	uint64_t sum, found;
	size_t parts;

	if (*size < (H_VERSION + 1) * sizeof(uint64_t))
		return -EBADMSG;
	memcpy(header, bytes, *size < rest ? (H_VERSION + 1) * sizeof(uint64_t) : H_WORDS * sizeof(uint64_t));
	if (header[H_MAGIC] != FILCHI_CHECKPOINT_MAGIC && header[H_MAGIC] != __builtin_bswap64(FILCHI_CHECKPOINT_MAGIC))
		return -EBADMSG;
	if (header[H_MAGIC] != FILCHI_CHECKPOINT_MAGIC || header[H_ORDER] != FILCHI_CHECKPOINT_ORDER ||
	    header[H_VERSION] != FILCHI_CHECKPOINT_VERSION)
		return -EPROTONOSUPPORT;
	if (*size < rest) /* a header of another version may be shorter */
		return -EBADMSG;
	parts = part_size(header, *size - rest);
	if (parts == SIZE_MAX)
		return -EBADMSG;
	sum = filchi_checkpoint_sum(FILCHI_CHECKPOINT_SUM, bytes + H_WORDS * sizeof(uint64_t), parts);
	sum = filchi_checkpoint_sum(sum, bytes, H_WORDS * sizeof(uint64_t));
	memcpy(&found, bytes + H_WORDS * sizeof(uint64_t) + parts, sizeof(found));
	if (sum != found)
		return -EBADMSG;
	if (header[H_FINGERPRINT] != s->problem.fingerprint ||
	    header[H_KIND] != ((uint64_t)s->problem.goal << 8 | (uint64_t)s->problem.type))
		return -EXDEV;
	*size = rest + parts;
	return 0;
}

/* All parts of one checkpoint: each one must be there once. */
static int judge(struct filch_search *s, const unsigned char *bytes, size_t size)
{
	uint64_t header[H_WORDS], parts = 0, number = 0, count = 0;
	unsigned char *seen = NULL;
	int err = 0;

	for (size_t at = 0, part; !err && at < size; at += part, count++) {
		part = size - at;
		err = judge_part(s, bytes + at, &part, header);
		if (!err && !count) {
			parts = header[H_PARTS];
			number = header[H_NUMBER];
			seen = parts && parts <= size ? filchi_search_alloc(parts) : NULL;
			err = seen ? 0 : parts && parts <= size ? -ENOMEM : -EBADMSG;
		}
		if (!err && (header[H_PARTS] != parts || header[H_NUMBER] != number || header[H_PART] >= parts ||
			     seen[header[H_PART]]++))
			err = -EBADMSG;
	}
	filchi_search_free(seen);
	return err ? err : count == parts ? 0 : -EBADMSG;
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

/* The best value of the parts, and its solution. */
struct loaded {
	struct filch_batch nodes;
	uint64_t best, explored, pruned;
	void *solution;
};

static void drop_solution(struct filch_search *s, void *solution)
{
	if (solution && s->problem.discard_solution)
		s->problem.discard_solution(solution, s->problem.arg);
}

static int load_part(struct filch_search *s, const unsigned char *at, const uint64_t *header, struct loaded *l)
{
	void *solution = NULL;
	int err = load_nodes(s, at + header[H_SOLUTION] + header[H_STATE], header[H_BYTES], header[H_NODES], &l->nodes);

	if (!err && header[H_SOLUTION])
		err = s->problem.unpack_solution
			      ? s->problem.unpack_solution(&solution, at, header[H_SOLUTION], s->problem.arg)
			      : -EXDEV;
	if (!err && header[H_STATE])
		err = s->problem.unpack_state
			      ? s->problem.unpack_state(s, at + header[H_SOLUTION], header[H_STATE], s->problem.arg)
			      : -EXDEV;
	/* Of equal values, a value with a solution. */
	if (!err && (header[H_BEST] < l->best || (header[H_BEST] == l->best && !l->solution))) {
		void *old = l->solution;

		l->best = header[H_BEST];
		l->solution = solution;
		solution = old;
	}
	drop_solution(s, solution);
	l->explored += header[H_EXPLORED];
	l->pruned += header[H_PRUNED];
	return err;
}

static int load_all(struct filch_search *s, const unsigned char *bytes, size_t size)
{
	struct loaded l = {.best = FILCHI_SEARCH_NO_KEY};
	uint64_t header[H_WORDS];
	int err = 0;

	filch_batch_init(&l.nodes);
	for (size_t at = 0; !err && at < size;) {
		memcpy(header, bytes + at, sizeof(header));
		err = load_part(s, bytes + at + sizeof(header), header, &l);
		at += sizeof(header) + part_size(header, size) + sizeof(uint64_t);
	}
	if (!err && l.best != FILCHI_SEARCH_NO_KEY) {
		int better = filchi_search_best_put(s, l.best, l.solution);

		err = better < 0 ? better : 0;
		if (better == 1)
			l.solution = NULL;
	}
	drop_solution(s, l.solution);
	if (err) {
		filchi_search_discard_all(s, NULL, &l.nodes);
		return err;
	}
	s->explored_loaded += l.explored;
	s->pruned_loaded += l.pruned;
	return filch_search_add(s, &l.nodes);
}

int filch_search_load(struct filch_search *s, const char *path)
{
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
		err = judge(s, bytes, size);
		if (!err)
			err = load_all(s, bytes, size);
	}
	filchi_search_free(bytes);
	(void)filchi_search_busy(s, false);
	return err ? filchi_search_error_load(err, path) : 0;
}
