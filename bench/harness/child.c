/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three files watch the running program: its two outputs, and a signalfd for its end and for signals that end the
 * run. So no event is lost between a look and a wait, and no handler is needed.
 */
#define _GNU_SOURCE

#include "child.h"

#include "../../src/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FNV_START 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u
#define CHUNK 65536	   /* bytes of one read: all that a pipe holds */
#define MAX_PIPE (1 << 20) /* the most that a pipe of an ordinary user can hold */

#define SLICE 1000 /* milliseconds between two checks of the clock, at most */

enum { OUT, ERR, SIGNALS, FILES };

struct run {
	const struct filchi_child *c;
	struct filchi_child_result *r;
	pid_t pid;
	uint64_t start;
	double watched; /* milliseconds */
	int fds[FILES]; /* our ends; -1: closed */
	int ends[2];	/* the program's outputs */
	bool ended;
};

/* ---- signals ---- */

static sigset_t before; /* what was blocked */
static bool held;

static void hold(sigset_t *set, bool apart)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction old;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	/* A signalfd sees an ignored signal, but only because the signal is blocked. */
	for (size_t i = 0; apart && i < sizeof(ending) / sizeof(ending[0]); i++)
		if (!sigaction(ending[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaddset(set, ending[i]);
	signal(SIGCHLD, SIG_DFL); /* the parent process may have ignored it, and it would not come */
	pthread_sigmask(SIG_BLOCK, set, held ? NULL : &before);
	held = true;
}

void filchi_child_signals(void)
{
	if (held)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	held = false;
}

/* ---- start ---- */

static int set_attributes(posix_spawnattr_t *a, bool apart)
{
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	sigset_t set;
	int err = posix_spawnattr_setsigmask(a, &before);

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ); /* which output.c ignores */
	if (!err)
		err = posix_spawnattr_setsigdefault(a, &set);
	if (!err && apart) {
		flags |= POSIX_SPAWN_SETPGROUP;
		err = posix_spawnattr_setpgroup(a, 0);
	}
	return err ? err : posix_spawnattr_setflags(a, flags);
}

static int set_files(posix_spawn_file_actions_t *f, const int ends[2])
{
	int err = posix_spawn_file_actions_addopen(f, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

	for (int i = 0; i < 2 && !err; i++)
		err = ends[i] < 0 ? posix_spawn_file_actions_addopen(f, STDOUT_FILENO + i, "/dev/null", O_WRONLY, 0)
				  : posix_spawn_file_actions_adddup2(f, ends[i], STDOUT_FILENO + i);
	return err;
}

static int start(struct run *run)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int err = posix_spawnattr_init(&attributes);

	if (err)
		return -err;
	err = posix_spawn_file_actions_init(&files);
	if (!err) {
		err = set_attributes(&attributes, run->c->apart);
		if (!err)
			err = set_files(&files, run->ends);
		run->start = filchi_clock_ns();
		if (!err)
			err = posix_spawnp(&run->pid, run->c->argv[0], &files, &attributes, run->c->argv,
					   run->c->environment);
		posix_spawn_file_actions_destroy(&files);
	}
	posix_spawnattr_destroy(&attributes);
	return -err;
}

static int open_pipe(struct run *run, int which, struct filchi_child_stream *stream)
{
	int pipe[2];

	if (!stream)
		return 0;
	stream->length = stream->total = 0;
	stream->hash = FNV_START;
	if (stream->size)
		stream->text[0] = '\0';
	if (which == ERR && stream == run->c->out) {
		run->ends[ERR] = run->ends[OUT];
		return 0;
	}
	if (pipe2(pipe, O_CLOEXEC))
		return -errno;
	run->fds[which] = pipe[0];
	run->ends[which] = pipe[1];
	return fcntl(pipe[0], F_SETFL, O_NONBLOCK) ? -errno : 0;
}

static void close_all(int *fds, int count)
{
	for (int i = 0; i < count; i++) {
		if (fds[i] >= 0 && (!i || fds[i] != fds[i - 1]))
			close(fds[i]);
	}
	for (int i = 0; i < count; i++)
		fds[i] = -1;
}

/* ---- while it runs ---- */

static void take(struct filchi_child_stream *s, const char *bytes, size_t count)
{
	size_t room = s->size > s->length ? s->size - s->length - 1 : 0;
	size_t kept = count < room ? count : room;
	uint64_t hash = s->hash;

	if (kept) {
		memcpy(s->text + s->length, bytes, kept);
		s->length += kept;
		s->text[s->length] = '\0';
	}
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * FNV_PRIME;
	s->hash = hash;
	s->total += count;
}

/* Reads one chunk. False: nothing more for now. */
static bool read_some(struct run *run, int which)
{
	static char bytes[CHUNK];
	ssize_t got = read(run->fds[which], bytes, sizeof(bytes));

	if (got > 0) {
		take(which == OUT ? run->c->out : run->c->err, bytes, (size_t)got);
		return true;
	}
	if (!got || (errno != EAGAIN && errno != EINTR)) {
		close(run->fds[which]);
		run->fds[which] = -1;
	}
	return false;
}

static void kill_run(struct run *run)
{
	if (run->c->apart)
		kill(-run->pid, SIGKILL);
}

static void read_signal(struct run *run)
{
	struct signalfd_siginfo info;
	siginfo_t end = {0};

	if (read(run->fds[SIGNALS], &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	if (info.ssi_signo != SIGCHLD) {
		run->r->signal = (int)info.ssi_signo;
		kill_run(run);
	} else if (!waitid(P_PID, (id_t)run->pid, &end, WEXITED | WNOHANG | WNOWAIT) && end.si_pid) {
		run->r->ns = (double)(filchi_clock_ns() - run->start);
		run->ended = true;
	}
}

/* Returns the milliseconds that are left, rounded up, but at most a slice; -1: no limit. */
static int left(const struct run *run)
{
	double ms;

	if (!(run->c->seconds > 0) || run->r->late)
		return -1;
	ms = run->c->seconds * 1e3 - run->watched;
	return ms <= 0 ? 0 : ms > SLICE ? SLICE : (int)ms + 1;
}

/* Time in which both programs were stopped does not count. A slice therefore adds at most its own length. */
static void count(struct run *run, uint64_t since, int slice)
{
	double ms = (double)(filchi_clock_ns() - since) / 1e6;

	run->watched += slice >= 0 && ms > slice ? slice : ms;
}

static void watch(struct run *run)
{
	while (!run->ended) {
		struct pollfd files[FILES];
		int slice = left(run);
		uint64_t since = filchi_clock_ns();

		for (int i = 0; i < FILES; i++)
			files[i] = (struct pollfd){.fd = run->fds[i], .events = POLLIN};
		poll(files, FILES, slice);
		for (int i = OUT; i <= ERR; i++)
			if (files[i].revents)
				read_some(run, i);
		if (files[SIGNALS].revents)
			read_signal(run);
		count(run, since, slice);
		if (!run->ended && !left(run)) {
			run->r->late = true;
			kill_run(run);
		}
	}
}

/* ---- the end ---- */

/*
 * Kills the processes that are left in its group. They become our children. A moment is enough, unless a process
 * cannot be killed.
 */
static void reap_group(pid_t group)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	for (int tries = 0; tries < 200; tries++) {
		pid_t pid = waitpid(-group, NULL, WNOHANG);

		if (pid < 0 && errno != EINTR)
			return;
		if (!pid)
			nanosleep(&moment, NULL);
	}
}

static double ns_of(struct timeval time)
{
	return (double)time.tv_sec * 1e9 + (double)time.tv_usec * 1e3;
}

static void finish(struct run *run)
{
	struct rusage usage = {0};

	/* Until we have waited for the program, no other process group has its number. */
	kill_run(run);
	/* Reads no more than a pipe can hold, because another process may go on writing. */
	for (int i = OUT; i <= ERR; i++)
		for (int chunk = 0; run->fds[i] >= 0 && chunk <= MAX_PIPE / CHUNK && read_some(run, i); chunk++)
			;
	while (wait4(run->pid, &run->r->status, 0, &usage) < 0 && errno == EINTR)
		;
	if (run->c->apart)
		reap_group(run->pid);
	run->r->cpu_ns = ns_of(usage.ru_utime) + ns_of(usage.ru_stime);
	run->r->peak_bytes = (double)usage.ru_maxrss * 1024;
	run->r->voluntary = (double)usage.ru_nvcsw;
	run->r->involuntary = (double)usage.ru_nivcsw;
}

int filchi_child_run(const struct filchi_child *c, struct filchi_child_result *r)
{
	struct run run = {.c = c, .r = r, .fds = {-1, -1, -1}, .ends = {-1, -1}};
	sigset_t set;
	int err;

	*r = (struct filchi_child_result){0};
	hold(&set, c->apart);
	if (c->apart)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	run.fds[SIGNALS] = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	err = run.fds[SIGNALS] < 0 ? -errno : 0;
	if (!err)
		err = open_pipe(&run, OUT, c->out);
	if (!err)
		err = open_pipe(&run, ERR, c->err);
	if (!err)
		err = start(&run);
	close_all(run.ends, 2);
	if (!err) {
		watch(&run);
		finish(&run);
	}
	close_all(run.fds, FILES);
	if (!c->apart)
		filchi_child_signals();
	return err;
}

void filchi_child_why(int status, char *text, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(text, size, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(text, size, "exit status %d", WEXITSTATUS(status));
}
