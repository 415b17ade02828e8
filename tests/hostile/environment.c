/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes in strange surroundings: without files, without /proc and /sys, with refused system calls. A pool starts
 * with the facts that it can find, works, and leaves nothing behind when it ends.
 */
#define _GNU_SOURCE

#include "../fixtures/hostile.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>

extern char **environ;

/* Starts the pool in each way that reads facts of the system. */
static void start_all_ways(void)
{
	HOSTILE_CHECK(filch_start(NULL) == 0 && filch_pool_workers(NULL) >= 1);
	hostile_use_and_stop();
	setenv("FILCH_VICTIM", "nearest", 1);
	setenv("FILCH_PIN", "1", 1);
	HOSTILE_CHECK(filch_start(NULL) == 0 && filch_pool_workers(NULL) >= 1);
	hostile_use_and_stop();
}

/* ---- files ---- */

/*
 * File descriptors 0, 1 and 2 are free. No file that the library opens stays there, and the library writes to none of
 * them.
 */
static void no_standard_files(void)
{
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	start_all_ways();
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) != -1)
			_exit(TEST_FAIL);
}

static int count_entries(const char *folder)
{
	DIR *dir = opendir(folder);
	int count = 0;

	HOSTILE_CHECK(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static long mapped_kb(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long pages = 0;

	HOSTILE_CHECK(file && fscanf(file, "%ld", &pages) == 1);
	fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Files, threads and memory are as before, after any number of starts and ends of a pool. */
static void nothing_left(void)
{
	int files, threads;
	long mapped;

	if (access("/proc/self/task", R_OK))
		hostile_skip("there is no /proc");
	for (int i = 0; i < 3; i++)
		start_all_ways();
	files = count_entries("/proc/self/fd");
	threads = count_entries("/proc/self/task");
	mapped = mapped_kb();
	for (int i = 0; i < 20; i++)
		start_all_ways();
	HOSTILE_CHECK(count_entries("/proc/self/fd") == files);
	HOSTILE_CHECK(count_entries("/proc/self/task") == threads);
	/* The limit is less than the memory of a worker. glibc keeps a stack or two, and arenas, for later threads. */
	HOSTILE_CHECK(mapped_kb() < mapped + 200000);
}

static void gone_directory(void)
{
	char name[] = "/tmp/filch_hostile_XXXXXX";

	HOSTILE_CHECK(mkdtemp(name) && !chdir(name) && !rmdir(name));
	start_all_ways();
}

/* No /proc, no /sys, no /dev, no library to load. The test removes the folder when it is back outside. */
static void empty_root(void)
{
	int root = open("/", O_RDONLY | O_DIRECTORY);
	char name[] = "/tmp/filch_hostile_XXXXXX";
	bool allowed;

	HOSTILE_CHECK(root >= 0 && mkdtemp(name) && !chdir(name));
	allowed = !chroot(".");
	if (allowed)
		start_all_ways();
	HOSTILE_CHECK(!fchdir(root) && (!allowed || !chroot(".")) && !rmdir(name));
	if (!allowed)
		hostile_skip("chroot is not allowed");
}

static void own_mounts(void)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		hostile_skip("no name space of mounts can be had");
}

/* /proc and /sys exist, but are empty. */
static void empty_proc(void)
{
	own_mounts();
	if (mount("none", "/proc", "tmpfs", 0, NULL) || mount("none", "/sys", "tmpfs", 0, NULL))
		hostile_skip("nothing can be mounted");
	start_all_ways();
}

static void read_only_groups(void)
{
	own_mounts();
	if (mount("/sys/fs/cgroup", "/sys/fs/cgroup", NULL, MS_BIND | MS_REC, NULL) ||
	    mount("none", "/sys/fs/cgroup", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL))
		hostile_skip("the control groups cannot be mounted");
	start_all_ways();
}

static int in_new_process(void)
{
	pid_t child = fork();
	int status = -1;

	HOSTILE_CHECK(child >= 0);
	if (!child) {
		HOSTILE_CHECK(getpid() == 1);
		start_all_ways();
		_exit(TEST_PASS);
	}
	HOSTILE_CHECK(waitpid(child, &status, 0) == child);
	return status;
}

/* The first process of a container. */
static void first_process(void)
{
	hostile_start(2);
	hostile_use_and_stop();
	if (unshare(CLONE_NEWPID))
		hostile_skip("no name space of processes can be had");
	HOSTILE_CHECK(in_new_process() == 0);
}

/* ---- variables ---- */

static void no_environment(void)
{
	environ = NULL;
	HOSTILE_CHECK(filch_start(NULL) == 0);
	hostile_use_and_stop();
	clearenv();
	start_all_ways();
}

/* Numbers are read and written in the same way in each locale. */
static void other_locale(void)
{
	static const char *const locales[] = {"de_DE.UTF-8", "tr_TR.UTF-8", "C.UTF-8", "ar_EG", ""};

	for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]); i++) {
		(void)setlocale(LC_ALL, locales[i]);
		setenv("TZ", i % 2 ? "Nowhere/Nothing" : ":/dev/zero", 1);
		setenv("FILCH_STACK", "2m", 1);
		setenv("FILCH_WORKERS", "2", 1);
		HOSTILE_CHECK(filch_start(NULL) == 0 && filch_pool_workers(NULL) == 2);
		hostile_use_and_stop();
		setenv("FILCH_WORKERS", "1.000", 1);
		HOSTILE_CHECK(filch_start(NULL) == -EINVAL && strstr(filch_error_message(), "FILCH_WORKERS"));
	}
}

/* ---- refused system calls ---- */

/* From now on these calls fail with this error, as in a strict container. */
static void refuse(const unsigned *calls, size_t count, unsigned error)
{
	struct sock_filter filter[32];
	struct sock_fprog program = {.filter = filter};
	unsigned short n = 0;

	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < count; i++) {
		filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 1);
		filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
	}
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		hostile_skip("no filter of system calls can be had");
}

static void refused_calls(unsigned error)
{
	static const unsigned calls[] = {SYS_membarrier, SYS_sched_getaffinity, SYS_sched_setaffinity,
					 SYS_madvise,	 SYS_getrlimit,		SYS_prctl,
					 SYS_mlock,	 SYS_munlock,		SYS_sched_setscheduler};

	refuse(calls, sizeof(calls) / sizeof(calls[0]), error);
	start_all_ways();
	hostile_start(3);
	for (int i = 0; i < 5; i++)
		hostile_use(NULL);
	hostile_use_and_stop();
}

static void calls_not_permitted(void)
{
	refused_calls(EPERM);
}

static void calls_not_there(void)
{
	refused_calls(ENOSYS);
}

/* membarrier() works when the pool starts, and is refused later. */
static void barrier_refused_later(void)
{
	static const unsigned calls[] = {SYS_membarrier};

	hostile_start(3);
	hostile_use(NULL);
	refuse(calls, 1, EPERM);
	for (int i = 0; i < 20; i++)
		hostile_use(NULL);
	hostile_use_and_stop();
}

static void no_open(void)
{
	static const unsigned calls[] = {SYS_openat};

	refuse(calls, 1, EACCES);
	start_all_ways();
}

static void no_threads(void)
{
	struct filch_pool *pool = NULL;
	unsigned calls[2] = {SYS_clone, SYS_clone};

#ifdef SYS_clone3
	calls[1] = SYS_clone3;
#endif
	refuse(calls, 2, EAGAIN);
	HOSTILE_CHECK(filch_start(NULL) == -EAGAIN && strlen(filch_error_message()) > 3);
	HOSTILE_CHECK(filch_pool_create(&pool, NULL) == -EAGAIN && !pool);
	hostile_compute();
	setenv("FILCH_WORKERS", "0", 1);
	HOSTILE_CHECK(filch_start(NULL) == 0);
	hostile_use_and_stop();
}

/* ---- the scheduler ---- */

/* Workers inherit the lowest priority, and still run. */
static void lowest_priority(void)
{
	struct sched_param none = {0};

	(void)setpriority(PRIO_PROCESS, 0, 19);
	HOSTILE_CHECK(!sched_setscheduler(0, SCHED_IDLE, &none));
	hostile_start(3);
	hostile_use_and_stop();
}

/* A thread of real-time priority waits for ordinary workers on the same processor. */
static void real_time_caller(void)
{
	struct sched_param priority = {.sched_priority = 1};
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	HOSTILE_CHECK(!sched_setaffinity(0, sizeof(set), &set));
	hostile_start(2);
	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		hostile_skip("real time is not allowed");
	hostile_use_and_stop();
}

static void not_dumpable(void)
{
	if (geteuid() == 0)
		HOSTILE_CHECK(!setuid(61500));
	HOSTILE_CHECK(!prctl(PR_SET_DUMPABLE, 0));
	start_all_ways();
}

static const struct hostile_case cases[] = {
	{"no_standard_files", no_standard_files, false},
	{"nothing_left", nothing_left, true},
	{"gone_directory", gone_directory, false},
	{"empty_root", empty_root, false},
	{"empty_proc", empty_proc, false},
	{"read_only_groups", read_only_groups, false},
	{"first_process", first_process, false},
	{"no_environment", no_environment, false},
	{"other_locale", other_locale, false},
	{"calls_not_permitted", calls_not_permitted, true},
	{"calls_not_there", calls_not_there, true},
	{"barrier_refused_later", barrier_refused_later, true},
	{"no_open", no_open, false},
	{"no_threads", no_threads, false},
	{"lowest_priority", lowest_priority, false},
	{"real_time_caller", real_time_caller, false},
	{"not_dumpable", not_dumpable, false},
};

HOSTILE_MAIN(cases)
