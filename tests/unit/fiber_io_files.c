/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that behave badly, both ways: errors of a device, file systems that cannot be asked, and slow ones. The system
 * calls of the library go through functions of this test.
 */
#define _GNU_SOURCE
#include "../fixtures/fiber/ways.h"

#include <pthread.h>
#include <semaphore.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* ---- the system ---- */

static int error;	    /* of each call below; 0: the system's answer */
static bool only_attempts;  /* the error is one of attempts */
static bool slow;	    /* statx() waits for the semaphore */
static atomic_int attempts; /* to read without a wait */
static sem_t go_on;

ssize_t __real_preadv2(int fd, const struct iovec *v, int count, off_t offset, int flags);
ssize_t __real_pwritev2(int fd, const struct iovec *v, int count, off_t offset, int flags);
ssize_t __real_pread(int fd, void *buf, size_t n, off_t offset);
int __real_fsync(int fd);
int __real_statx(int dir, const char *path, int flags, unsigned mask, struct statx *out);
ssize_t __wrap_preadv2(int fd, const struct iovec *v, int count, off_t offset, int flags);
ssize_t __wrap_pwritev2(int fd, const struct iovec *v, int count, off_t offset, int flags);
ssize_t __wrap_pread(int fd, void *buf, size_t n, off_t offset);
int __wrap_fsync(int fd);
int __wrap_statx(int dir, const char *path, int flags, unsigned mask, struct statx *out);

static bool fails(bool attempt)
{
	if (!error || (only_attempts && !attempt))
		return false;
	errno = error;
	return true;
}

ssize_t __wrap_preadv2(int fd, const struct iovec *v, int count, off_t offset, int flags)
{
	atomic_fetch_add(&attempts, 1);
	return fails(true) ? -1 : __real_preadv2(fd, v, count, offset, flags);
}

ssize_t __wrap_pwritev2(int fd, const struct iovec *v, int count, off_t offset, int flags)
{
	return fails(true) ? -1 : __real_pwritev2(fd, v, count, offset, flags);
}

ssize_t __wrap_pread(int fd, void *buf, size_t n, off_t offset)
{
	return fails(false) ? -1 : __real_pread(fd, buf, n, offset);
}

int __wrap_fsync(int fd)
{
	return fails(false) ? -1 : __real_fsync(fd);
}

int __wrap_statx(int dir, const char *path, int flags, unsigned mask, struct statx *out)
{
	if (slow) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec += 20; /* then the test fails, and does not hang */
		TEST_CHECK(sem_timedwait(&go_on, &until) == 0);
	}
	return __real_statx(dir, path, flags, mask, out);
}

/* ---- errors ---- */

static int file;

static int errors(void *arg, void **result)
{
	char c;

	(void)arg, (void)result;
	error = EIO;
	TEST_CHECK(filch_io_read(file, &c, 1, 0) == -EIO && filch_io_write(file, "x", 1, 0) == -EIO);
	error = EDQUOT;
	TEST_CHECK(filch_io_write(file, "x", 1, 0) == -EDQUOT);
	error = 0;
	return 0;
}

/* The second step, by a thread. A ring asks the system itself. */
static int errors_of_threads(void *arg, void **result)
{
	char c;

	(void)arg, (void)result;
	error = EAGAIN; /* the attempt would wait */
	only_attempts = true;
	TEST_CHECK(filch_io_read(file, &c, 1, 0) == 1 && c == 'a');
	only_attempts = false;
	error = EIO;
	TEST_CHECK(filch_io_fsync(file, 0) == (filch_io_way(NULL) == FILCH_IO_URING ? 0 : -EIO));
	error = 0;
	return 0;
}

/* ---- a file system that cannot be asked ---- */

static int refusals(void *arg, void **result)
{
	char c;
	struct iovec v = {.iov_base = &c, .iov_len = 1};
	bool can_ask = __real_preadv2(file, &v, 1, 0, RWF_NOWAIT) == 1; /* not under every emulator */
	int again;

	(void)arg, (void)result;
	error = EOPNOTSUPP;
	only_attempts = true;
	atomic_store(&attempts, 0);
	for (int i = 0; i < 100; i++)
		TEST_CHECK(filch_io_read(file, &c, 1, 0) == 1 && c == 'a');
	TEST_CHECK(atomic_load(&attempts) == 1);
	/* The number is another file's: it is asked again. */
	again = dup(file);
	TEST_CHECK(filch_io_close(file) == 0 && dup2(again, file) == file && close(again) == 0);
	error = 0;
	for (int i = 0; i < 3; i++)
		TEST_CHECK(filch_io_read(file, &c, 1, 0) == 1);
	TEST_CHECK(atomic_load(&attempts) == (can_ask ? 4 : 2));
	only_attempts = false;
	return 0;
}

/* ---- a slow file system ---- */

static int look(void *arg, void **result)
{
	struct statx st;

	(void)arg, (void)result;
	return filch_io_statx(AT_FDCWD, "/", 0, STATX_MODE, &st);
}

/* The only worker runs this fiber while the other one waits for the file system. */
static int release(void *arg, void **result)
{
	(void)arg, (void)result;
	return sem_post(&go_on);
}

static int other_calls(void *arg, void **result)
{
	char name[] = "fiber_io_files_d", entries[1024];
	int d;

	(void)arg, (void)result;
	TEST_CHECK(filch_io_mkdir(AT_FDCWD, name, 0700) == 0 && filch_io_mkdir(AT_FDCWD, name, 0700) == -EEXIST);
	d = filch_io_openat(AT_FDCWD, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	TEST_CHECK(d >= 0 && filch_io_getdents(d, entries, sizeof(entries)) > 0 && filch_io_close(d) == 0);
	TEST_CHECK(filch_io_rename(AT_FDCWD, name, AT_FDCWD, "fiber_io_files_e", 0) == 0);
	TEST_CHECK(filch_io_unlink(AT_FDCWD, "fiber_io_files_e", AT_REMOVEDIR) == 0);
	return filch_io_unlink(AT_FDCWD, "fiber_io_files_e", AT_REMOVEDIR);
}

/* A fiber that was cancelled closes its files. */
static int closes(void *arg, void **result)
{
	int fd = dup(file);

	(void)arg, (void)result;
	filch_fiber_cancel(filch_fiber_self());
	TEST_CHECK(filch_fiber_sleep(0) == -ECANCELED && filch_io_close(fd) == 0);
	TEST_CHECK(fcntl(fd, F_GETFD) == -1);
	return 0;
}

static void slow_files(void)
{
	struct filch_io_stats before = {.struct_size = sizeof(before)}, after = {.struct_size = sizeof(after)};
	struct filch_fiber *a, *b;

	slow = true;
	TEST_CHECK(filch_io_stats(&before) == 0);
	a = go(look, NULL);
	b = go(release, NULL);
	TEST_CHECK(join(a) == 0 && join(b) == 0);
	slow = false;
	TEST_CHECK(join(go(other_calls, NULL)) == -ENOENT && join(go(closes, NULL)) == 0);
	TEST_CHECK(filch_io_stats(&after) == 0 && after.called >= before.called + 8);
}

static void one_way(void)
{
	struct filch_fiber_settings settings = {.struct_size = sizeof(settings), .slow_files = 1};
	int before = count_descriptors();

	begin_pool(NULL, 1, 0);
	TEST_CHECK(join(go(errors, NULL)) == 0 && join(go(errors_of_threads, NULL)) == 0);
	TEST_CHECK(join(go(refusals, NULL)) == 0);
	TEST_CHECK(filch_stop() == 0);
	begin_pool(NULL, 1, 0);
	TEST_CHECK(filch_fiber_setup(NULL, &settings) == 0);
	slow_files();
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(setenv("FILCH_IO_FILES", "threads", 1) == 0);
	begin_pool(NULL, 1, 0);
	slow_files();
	TEST_CHECK(filch_stop() == 0 && unsetenv("FILCH_IO_FILES") == 0);
	TEST_CHECK(count_descriptors() == before);
}

int main(void)
{
	char name[] = "fiber_io_files_XXXXXX";

	TEST_CHECK(sem_init(&go_on, 0, 0) == 0);
	file = mkstemp(name);
	TEST_CHECK(file >= 0 && unlink(name) == 0 && write(file, "a", 1) == 1);
	both_ways(one_way);
	return 0;
}
