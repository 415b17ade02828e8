/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Systems that refuse: io_uring forbidden in several ways, no locked memory, no descriptors, no memory, a full disk. In
 * each case the fibers do their I/O another way, or get the error. Nothing hangs, and no descriptor is left.
 */
#define _GNU_SOURCE
#include "../fixtures/child.h"
#include "../fixtures/fiber/ways.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* ---- the work ---- */

static int ends[2];

static int receive(void *arg, void **result)
{
	char c = 0;

	(void)arg, (void)result;
	CHILD_CHECK(filch_io_recv_for(ends[0], &c, 1, 0, 1000) == -ETIMEDOUT);
	CHILD_CHECK(filch_io_recv(ends[0], &c, 1, 0) == 1);
	return c;
}

static int send_later(void *arg, void **result)
{
	(void)arg, (void)result;
	CHILD_CHECK(filch_fiber_sleep(2000000) == 0);
	return (int)filch_io_send(ends[1], "k", 1, 0);
}

static int sync_file(void *arg, void **result)
{
	char name[] = "fiber_io_hostile_XXXXXX", back[3];
	int fd = mkstemp(name);

	(void)arg, (void)result;
	CHILD_CHECK(fd >= 0 && unlink(name) == 0);
	CHILD_CHECK(filch_io_write(fd, "abc", 3, 0) == 3 && filch_io_fsync(fd, 0) == 0);
	CHILD_CHECK(filch_io_read(fd, back, 3, 0) == 3 && !memcmp(back, "abc", 3));
	return filch_io_close(fd);
}

/* Fibers of two workers wait, are woken from the other worker and from this thread, and end. */
static void work(void)
{
	struct filch_fiber *a, *b, *c;
	int before = count_descriptors();

	begin_pool(NULL, 2, FILCH_FIBER_FREE);
	for (int i = 0; i < 20; i++) {
		CHILD_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
		a = go(receive, NULL);
		b = i % 2 ? go(send_later, NULL) : NULL;
		c = go(sync_file, NULL);
		CHILD_CHECK(filch_fiber_join(c, NULL) == 0);
		if (!b)
			CHILD_CHECK(send(ends[1], "k", 1, 0) == 1);
		CHILD_CHECK(filch_fiber_join(a, NULL) == 'k' && (!b || filch_fiber_join(b, NULL) == 1));
		close(ends[0]);
		close(ends[1]);
	}
	CHILD_CHECK(filch_stop() == 0);
	CHILD_CHECK(count_descriptors() == before);
}

static void expect(const char *part)
{
	const char *reason;

	CHILD_CHECK(filch_io_way(&reason) == FILCH_IO_THREADS && strstr(reason, part));
	printf("  %s\n", reason);
	fflush(stdout);
	work();
}

/* ---- refusals ---- */

/* The system call fails with this error. only_minus_one: only if its first argument is -1. */
static void forbid(unsigned call, unsigned error, bool only_minus_one)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, only_minus_one ? (unsigned)-1 : 0, 0, only_minus_one ? 1 : 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof(code) / sizeof(*code), .filter = code};

	CHILD_CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(TEST_SKIP);
}

static void no_setup(void *unused)
{
	(void)unused;
	forbid(SYS_io_uring_setup, EPERM, false);
	expect("io_uring_setup: not permitted (EPERM)");
}

static void no_kernel(void *unused)
{
	(void)unused;
	forbid(SYS_io_uring_setup, ENOSYS, false);
	expect("ENOSYS");
}

static void no_enter(void *unused)
{
	(void)unused;
	forbid(SYS_io_uring_enter, EPERM, false);
	expect("io_uring_enter: not permitted (EPERM)");
}

static void no_register(void *unused)
{
	(void)unused;
	forbid(SYS_io_uring_register, EACCES, false);
	expect("io_uring_register: not permitted (EACCES)");
}

/* Only messages between rings are forbidden: as on kernels before 6.13, an eventfd wakes the workers. */
static void no_messages(void *unused)
{
	const char *reason;

	(void)unused;
	if (filch_io_way(&reason) != FILCH_IO_URING)
		_exit(TEST_SKIP);
	forbid(SYS_io_uring_register, EINVAL, true);
	CHILD_CHECK(filch_io_way(&reason) == FILCH_IO_URING);
	work();
}

/* A user who insists gets the error. */
static int fails(void *arg, void **result)
{
	char c;

	(void)arg, (void)result;
	return (int)filch_io_recv(ends[0], &c, 1, 0);
}

static void insists(void *unused)
{
	(void)unused;
	forbid(SYS_io_uring_setup, EPERM, false);
	CHILD_CHECK(setenv("FILCH_IO", "uring", 1) == 0);
	CHILD_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	begin_pool(NULL, 1, 0);
	CHILD_CHECK(filch_fiber_join(go(fails, NULL), NULL) == -EPERM);
	CHILD_CHECK(filch_stop() == 0);
}

/* The user nobody may lock no memory. The kernel may count rings differently; then there is a ring. */
static void no_locked_memory(void *unused)
{
	struct rlimit none = {0, 0};
	char folder[] = "/tmp/fiber_io_XXXXXX";

	(void)unused;
	CHILD_CHECK(setrlimit(RLIMIT_MEMLOCK, &none) == 0);
	CHILD_CHECK(mkdtemp(folder) && chmod(folder, 0777) == 0 && chdir(folder) == 0);
	if (!getuid())
		CHILD_CHECK(setgid(65534) == 0 && setuid(65534) == 0);
	work();
}

/* ---- limits ---- */

static int open_until_full(void *arg, void **result)
{
	int fds[64], count = 0, fd;

	(void)arg, (void)result;
	while ((fd = filch_io_openat(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)) >= 0 && count < 64)
		fds[count++] = fd;
	CHILD_CHECK(fd == -EMFILE && count > 0);
	/* Waits still work, with the descriptors that there are. */
	CHILD_CHECK(filch_io_poll(ends[0], POLLIN, 1000000) == -ETIMEDOUT);
	CHILD_CHECK(filch_io_accept(arg ? *(int *)arg : -1, NULL, NULL, 0) == -EMFILE);
	while (count)
		CHILD_CHECK(filch_io_close(fds[--count]) == 0);
	return 0;
}

/* A connection waits to be accepted, but there is no descriptor for it. */
static void out_of_descriptors(void *way)
{
	struct rlimit few = {40, 40};
	struct sockaddr_in here;
	int client, server;

	CHILD_CHECK(setenv("FILCH_IO", way, 1) == 0);
	CHILD_CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
	server = listen_here(&here);
	client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CHILD_CHECK(connect(client, (struct sockaddr *)&here, sizeof(here)) == 0);
	CHILD_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	begin_pool(NULL, 1, 0);
	CHILD_CHECK(filch_fiber_join(go(sync_file, NULL), NULL) == 0); /* makes the ring or the epoll */
	CHILD_CHECK(filch_fiber_join(go(open_until_full, &server), NULL) == 0);
	CHILD_CHECK(filch_stop() == 0);
}

static int receive_all_refused(void *arg, void **result)
{
	char c;

	(void)arg, (void)result;
	CHILD_CHECK(filch_io_recv_for(ends[0], &c, 1, 0, 1000000) == -EMFILE);
	return 0;
}

/* No descriptor is left for a ring or an epoll: the caller is told. */
static void no_descriptor_at_all(void *unused)
{
	struct rlimit none = {0, 0};

	(void)unused;
	CHILD_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	begin_pool(NULL, 1, 0);
	CHILD_CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
	CHILD_CHECK(filch_fiber_join(go(receive_all_refused, NULL), NULL) == 0);
	CHILD_CHECK(filch_stop() == 0);
}

static int fill_disk(void *arg, void **result)
{
	static char block[65536];
	ssize_t n, total = 0;
	int fd = filch_io_openat(*(int *)arg, "full", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	(void)result;
	CHILD_CHECK(fd >= 0);
	while ((n = filch_io_write(fd, block, sizeof(block), total)) > 0)
		total += n;
	CHILD_CHECK(n == -ENOSPC && total == 256 * 1024);
	return filch_io_close(fd);
}

static void full_disk(void *way)
{
	char folder[] = "/tmp/fiber_io_XXXXXX";
	int d;

	CHILD_CHECK(setenv("FILCH_IO", way, 1) == 0);
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		_exit(TEST_SKIP);
	CHILD_CHECK(mkdtemp(folder));
	if (mount("none", folder, "tmpfs", 0, "size=256k")) {
		rmdir(folder);
		_exit(TEST_SKIP);
	}
	d = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	begin_pool(NULL, 1, 0);
	CHILD_CHECK(d >= 0 && filch_fiber_join(go(fill_disk, &d), NULL) == 0);
	CHILD_CHECK(filch_stop() == 0);
	close(d);
	CHILD_CHECK(umount(folder) == 0 && rmdir(folder) == 0);
}

int main(void)
{
	static const struct {
		const char *name;
		void (*run)(void *);
		void *arg;
	} cases[] = {
		{"no_setup", no_setup, NULL},
		{"no_kernel", no_kernel, NULL},
		{"no_enter", no_enter, NULL},
		{"no_register", no_register, NULL},
		{"no_messages", no_messages, NULL},
		{"insists", insists, NULL},
		{"no_locked_memory", no_locked_memory, NULL},
		{"out_of_descriptors", out_of_descriptors, "auto"},
		{"out_of_descriptors", out_of_descriptors, "threads"},
		{"no_descriptor_at_all", no_descriptor_at_all, NULL},
		{"full_disk", full_disk, "auto"},
		{"full_disk", full_disk, "threads"},
	};

	unsetenv("FILCH_IO");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int status = test_in_child(cases[i].run, cases[i].arg);

		printf("%s %s: %s\n", cases[i].name, cases[i].arg ? (char *)cases[i].arg : "",
		       status == TEST_SKIP ? "skipped"
		       : status		   ? "failed"
					   : "ok");
		TEST_CHECK(status == 0 || status == TEST_SKIP);
	}
	return 0;
}
