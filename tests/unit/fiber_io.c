/* SPDX-License-Identifier: Apache-2.0 */
/* I/O of fibers on files and pipes, both ways and with each kind of deque: results, short reads, errors. */
#define _GNU_SOURCE
#include "../fixtures/fiber/ways.h"

#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>

static char folder[] = "fiber_io_XXXXXX";

enum { LONG = 300000 };

/* ---- files ---- */

static int files(void *arg, void **result)
{
	static char text[LONG], back[LONG + 10];
	struct statx st;
	char entries[1024];
	int d, fd;

	(void)arg, (void)result;
	for (int i = 0; i < LONG; i++)
		text[i] = (char)(i % 251);
	d = filch_io_openat(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);
	TEST_CHECK(d >= 0);
	fd = filch_io_openat(d, "a", O_RDWR | O_CREAT | O_EXCL, 0600);
	TEST_CHECK(fd >= 0);
	TEST_CHECK(filch_io_write(fd, text, LONG, 0) == LONG);
	TEST_CHECK(filch_io_write(fd, "end", 3, LONG) == 3);
	TEST_CHECK(filch_io_fsync(fd, 0) == 0 && filch_io_fsync(fd, FILCH_IO_DATASYNC) == 0);
	memset(back, 1, sizeof(back));
	TEST_CHECK(filch_io_read(fd, back, sizeof(back), 0) == LONG + 3); /* short: the file ends */
	TEST_CHECK(!memcmp(back, text, LONG) && !memcmp(back + LONG, "end", 3) && back[LONG + 3] == 1);
	TEST_CHECK(filch_io_read(fd, back, 10, LONG + 3) == 0);
	/* The current position. */
	TEST_CHECK(filch_io_read(fd, back, 100, -1) == 100 && filch_io_read(fd, back, 100, -1) == 100);
	TEST_CHECK(!memcmp(back, text + 100, 100));
	TEST_CHECK(filch_io_write(fd, "xy", 2, -1) == 2 && filch_io_read(fd, back, 2, 200) == 2 && back[0] == 'x');
	TEST_CHECK(filch_io_statx(d, "a", 0, STATX_SIZE, &st) == 0 && st.stx_size == LONG + 3);
	TEST_CHECK(filch_io_close(fd) == 0);
	TEST_CHECK(filch_io_mkdir(d, "b", 0700) == 0 && filch_io_mkdir(d, "b", 0700) == -EEXIST);
	TEST_CHECK(filch_io_rename(d, "a", d, "b/c", 0) == 0);
	TEST_CHECK(filch_io_unlink(d, "b", AT_REMOVEDIR) == -ENOTEMPTY);
	TEST_CHECK(filch_io_getdents(d, entries, sizeof(entries)) > 0);
	TEST_CHECK(filch_io_getdents(d, entries, sizeof(entries)) == 0);
	TEST_CHECK(filch_io_unlink(d, "b/c", 0) == 0 && filch_io_unlink(d, "b", AT_REMOVEDIR) == 0);
	TEST_CHECK(filch_io_close(d) == 0);
	return 0;
}

static int errors(void *arg, void **result)
{
	char c = 0;
	struct statx st;
	int fd;

	(void)arg, (void)result;
	TEST_CHECK(filch_io_openat(AT_FDCWD, "no such file", O_RDONLY, 0) == -ENOENT);
	TEST_CHECK(filch_io_openat(-1, "x", O_RDONLY, 0) == -EBADF);
	TEST_CHECK(filch_io_statx(AT_FDCWD, "no such file", 0, STATX_SIZE, &st) == -ENOENT);
	TEST_CHECK(filch_io_read(-1, &c, 1, 0) == -EBADF && filch_io_write(-1, &c, 1, 0) == -EBADF);
	TEST_CHECK(filch_io_read(0, &c, 1, -2) == -EINVAL && filch_io_write(0, &c, 1, -2) == -EINVAL);
	TEST_CHECK(filch_io_fsync(-1, 0) == -EBADF && filch_io_fsync(0, 2) == -EINVAL && filch_io_close(-1) == -EBADF);
	TEST_CHECK(filch_io_poll(-1, POLLIN, UINT64_MAX) == -EBADF && filch_io_poll(0, 0, 0) == -EINVAL);
	TEST_CHECK(filch_io_recv(-1, &c, 1, 0) == -EBADF && filch_io_accept(-1, NULL, NULL, 0) == -EBADF);
	fd = filch_io_openat(AT_FDCWD, folder, O_RDONLY, 0);
	TEST_CHECK(filch_io_read(fd, &c, 1, 0) == -EISDIR && filch_io_recv(fd, &c, 1, 0) == -ENOTSOCK);
	TEST_CHECK(filch_io_accept(fd, NULL, NULL, 0) == -ENOTSOCK && filch_io_close(fd) == 0);
	/* No page is at address 0: the device says EIO. */
	fd = filch_io_openat(AT_FDCWD, "/proc/self/mem", O_RDONLY, 0);
	TEST_CHECK(fd >= 0 && filch_io_read(fd, &c, 1, 0) == -EIO && filch_io_close(fd) == 0);
	fd = filch_io_openat(AT_FDCWD, "/dev/full", O_WRONLY, 0);
	TEST_CHECK(fd >= 0 && filch_io_write(fd, &c, 1, 0) == -ENOSPC && filch_io_write(fd, &c, 1, -1) == -ENOSPC);
	TEST_CHECK(filch_io_close(fd) == 0);
	return 0;
}

static int open_and_close(void *arg, void **result)
{
	char text[64];
	int fd;

	(void)arg, (void)result;
	for (int i = 0; i < 5; i++) {
		filch_fiber_yield();
		fd = filch_io_openat(AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
		TEST_CHECK(fd >= 0 && filch_io_read(fd, text, sizeof(text), 0) == sizeof(text));
		TEST_CHECK(filch_io_close(fd) == 0);
	}
	return 0;
}

/* Opens of many fibers at a time: in batches. */
static void opens(void)
{
	struct filch_fiber *f[32];

	for (int i = 0; i < 32; i++)
		f[i] = go(open_and_close, NULL);
	for (int i = 0; i < 32; i++)
		TEST_CHECK(join(f[i]) == 0);
}

/* ---- pipes ---- */

static int pipe_ends[2];
static char sent[LONG];

/* A pipe holds less than this: the write waits, and yet returns all. */
static int write_all(void *arg, void **result)
{
	(void)arg, (void)result;
	TEST_CHECK(filch_io_write(pipe_ends[1], sent, LONG, -1) == LONG);
	TEST_CHECK(filch_io_close(pipe_ends[1]) == 0);
	return 0;
}

static int read_all(void *arg, void **result)
{
	static char got[LONG];
	ssize_t n, total = 0;

	(void)result;
	while ((n = filch_io_read(pipe_ends[0], got + total, LONG - (size_t)total, -1)) > 0) {
		if (n < LONG)
			*(int *)arg = 1;
		total += n;
	}
	TEST_CHECK(n == 0 && total == LONG && !memcmp(got, sent, LONG));
	return 0;
}

static void pipes(int flags)
{
	int is_short = 0;
	struct filch_fiber *a, *b;

	TEST_CHECK(pipe2(pipe_ends, O_CLOEXEC | flags) == 0);
	for (int i = 0; i < LONG; i++)
		sent[i] = (char)(i % 241);
	a = go(read_all, &is_short);
	b = go(write_all, NULL);
	TEST_CHECK(join(a) == 0 && join(b) == 0 && is_short);
	close(pipe_ends[0]);
}

static int read_byte(void *fd, void **result)
{
	char c;

	*result = (void *)(intptr_t)filch_io_read(*(int *)fd, &c, 1, -1);
	return 0;
}

static int poll_it(void *fd, void **result)
{
	*result = (void *)(intptr_t)filch_io_poll(*(int *)fd, POLLIN, UINT64_MAX);
	return 0;
}

/* An operation holds its file, whatever becomes of the descriptor. */
static void closed_under(void)
{
	void *result;
	struct filch_fiber *f;
	int old;

	TEST_CHECK(pipe2(pipe_ends, O_CLOEXEC) == 0);
	old = pipe_ends[0];
	f = go(read_byte, &old);
	usleep(2000);
	close(pipe_ends[0]);
	TEST_CHECK(write(pipe_ends[1], "x", 1) == 1 || errno == EPIPE);
	close(pipe_ends[1]);
	TEST_CHECK(filch_fiber_join(f, &result) == 0);
	TEST_CHECK((intptr_t)result == 1 || (intptr_t)result == -EBADF); /* EBADF: it was late */
}

static void polls(void)
{
	void *result;
	struct filch_fiber *f;

	TEST_CHECK(pipe2(pipe_ends, O_CLOEXEC) == 0);
	TEST_CHECK(filch_io_poll(pipe_ends[1], POLLOUT, 0) == POLLOUT);
	TEST_CHECK(filch_io_poll(pipe_ends[0], POLLIN, 1000) == -ETIMEDOUT);
	f = go(poll_it, &pipe_ends[0]);
	TEST_CHECK(write(pipe_ends[1], "x", 1) == 1);
	TEST_CHECK(filch_fiber_join(f, &result) == 0 && (intptr_t)result == POLLIN);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}

/* ---- threads ---- */

static void on_alarm(int sig)
{
	(void)sig;
}

static void *write_later(void *fd)
{
	usleep(20000);
	TEST_CHECK(write(*(int *)fd, "y", 1) == 1);
	return NULL;
}

/* The calls work in a thread, and signals do not end them. */
static void outside(void)
{
	struct sigaction act = {.sa_handler = on_alarm};
	struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
	pthread_t thread;
	char c = 0;

	TEST_CHECK(files(NULL, NULL) == 0 && errors(NULL, NULL) == 0);
	TEST_CHECK(pipe2(pipe_ends, O_CLOEXEC) == 0);
	TEST_CHECK(filch_io_read_for(pipe_ends[0], &c, 1, -1, 1000000) == -ETIMEDOUT);
	TEST_CHECK(pthread_create(&thread, NULL, write_later, &pipe_ends[1]) == 0);
	TEST_CHECK(sigaction(SIGALRM, &act, NULL) == 0 && setitimer(ITIMER_REAL, &often, NULL) == 0);
	TEST_CHECK(filch_io_read(pipe_ends[0], &c, 1, -1) == 1 && c == 'y');
	TEST_CHECK(filch_io_poll(pipe_ends[0], POLLIN, 20000000) == -ETIMEDOUT);
	TEST_CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
	pthread_join(thread, NULL);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}

static void everything(void)
{
	TEST_CHECK(join(go(files, NULL)) == 0);
	TEST_CHECK(join(go(errors, NULL)) == 0);
	opens();
	pipes(0);
	pipes(O_NONBLOCK);
	closed_under();
	polls();
}

static void one_way(void)
{
	int before = count_descriptors();

	for_each_pool(everything);
	begin_pool(NULL, 1, 0);
	outside();
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(count_descriptors() == before);
}

int main(void)
{
	struct filch_io_stats stats = {0};

	TEST_CHECK(filch_io_stats(NULL) == -EINVAL && filch_io_stats(&stats) == -EINVAL);
	signal(SIGPIPE, SIG_IGN);
	TEST_CHECK(mkdtemp(folder));
	both_ways(one_way);
	TEST_CHECK(rmdir(folder) == 0);
	return 0;
}
