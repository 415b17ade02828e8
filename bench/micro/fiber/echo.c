/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Echo servers with one thread: a loop around epoll, and fibers with one worker. The server is a child, so that its
 * processor time is known. The client is this process, with an epoll: each connection sends its next request when it
 * has the answer.
 */
#define _GNU_SOURCE
#include "fiber.h"

#include "../../../src/base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <filch.h>
#include <filch/fiber.h>
#include <filch/io.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 64, AT_ONCE = 64 };

static const struct filchi_bench_metric metrics[] = {{"rate", "1/s"}, {"cpu", "ns"}, {"requests", "requests"}};

static int watch(int epoll, int fd)
{
	struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};

	return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e) ? -errno : 0;
}

/* ---- the servers, which run until they are killed ---- */

static void echo_once(int fd)
{
	char buf[1024];
	ssize_t n = recv(fd, buf, sizeof(buf), MSG_DONTWAIT);

	if (n > 0)
		n = send(fd, buf, (size_t)n, MSG_NOSIGNAL);
	else if (!n || errno != EAGAIN)
		close(fd);
}

static void serve_epoll(int listener)
{
	struct epoll_event events[AT_ONCE];
	int epoll = epoll_create1(EPOLL_CLOEXEC), count = 0;

	if (watch(epoll, listener))
		return;
	while (count >= 0 || errno == EINTR) {
		count = epoll_wait(epoll, events, AT_ONCE, -1);
		for (int i = 0; i < count; i++)
			if (events[i].data.fd == listener)
				(void)watch(epoll, accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
			else
				echo_once(events[i].data.fd);
	}
}

static int echo(void *arg, void **result)
{
	int fd = (int)(intptr_t)arg;
	char buf[1024];
	ssize_t n;

	(void)result;
	while ((n = filch_io_recv(fd, buf, sizeof(buf), 0)) > 0)
		(void)filch_io_send(fd, buf, (size_t)n, 0);
	return filch_io_close(fd);
}

static int accept_all(void *arg, void **result)
{
	int listener = (int)(intptr_t)arg, fd;

	(void)result;
	do
		fd = filch_io_accept(listener, NULL, NULL, SOCK_CLOEXEC);
	while (fd >= 0 && !filch_fiber_start(NULL, NULL, echo, (void *)(intptr_t)fd, NULL));
	return -1;
}

static void serve_fibers(int listener)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = 1};
	struct filch_fiber *f;

	if (!filch_start(&o) && !filch_fiber_start(&f, NULL, accept_all, (void *)(intptr_t)listener, NULL))
		(void)filch_fiber_join(f, NULL);
}

/* Returns the server's process, or -errno. */
static pid_t start_server(void (*serve)(int listener), struct sockaddr_in *address)
{
	socklen_t size = sizeof(*address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	pid_t child, parent = getpid();

	*address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	child = listener < 0 || bind(listener, (struct sockaddr *)address, size) || listen(listener, 4096) ||
				getsockname(listener, (struct sockaddr *)address, &size)
			? -1
			: fork();
	if (!child) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			serve(listener);
		_exit(1);
	}
	if (child < 0)
		child = -errno;
	if (listener >= 0)
		close(listener);
	return child;
}

/* ---- the client ---- */

static int connect_one(const struct sockaddr_in *address, int epoll)
{
	static const char text[SIZE];
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) ||
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) || watch(epoll, fd) ||
	    send(fd, text, SIZE, MSG_NOSIGNAL) != SIZE) {
		int err = errno ? -errno : -EIO;

		close(fd);
		return err;
	}
	return fd;
}

/* Answers the events of the connections until the time is over. */
static int talk(int epoll, uint64_t until, uint64_t *answers)
{
	struct epoll_event events[AT_ONCE];
	char buf[SIZE];

	while (filchi_clock_ns() < until) {
		int count = epoll_wait(epoll, events, AT_ONCE, 1000);

		if (!count)
			return -ETIMEDOUT;
		for (int i = 0; i < count; i++) {
			if (recv(events[i].data.fd, buf, SIZE, MSG_WAITALL) != SIZE ||
			    send(events[i].data.fd, buf, SIZE, MSG_NOSIGNAL) != SIZE)
				return -ECONNRESET;
			++*answers;
		}
	}
	return 0;
}

struct client {
	int *fds, epoll;
	unsigned connections;
};

static int begin(struct client *c, unsigned connections, const struct sockaddr_in *address)
{
	*c = (struct client){.fds = calloc(connections, sizeof(*c->fds)), .epoll = epoll_create1(EPOLL_CLOEXEC)};
	if (!c->fds)
		return -ENOMEM;
	for (; c->connections < connections; c->connections++) {
		int fd = connect_one(address, c->epoll);

		if (fd < 0)
			return fd;
		c->fds[c->connections] = fd;
	}
	return 0;
}

static void end(struct client *c)
{
	while (c->connections)
		close(c->fds[--c->connections]);
	if (c->epoll >= 0)
		close(c->epoll);
	free(c->fds);
}

static double cpu_of(const struct rusage *u)
{
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1e9 +
	       (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1e3;
}

static int sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error,
		  unsigned connections)
{
	const struct filchi_fiber_context *context = c->context;
	struct sockaddr_in address;
	pid_t server = start_server(strcmp(c->subject, "epoll") ? serve_fibers : serve_epoll, &address);
	struct client client;
	struct rusage usage;
	uint64_t from, answers = 0;
	int status, err;

	if (server < 0)
		return filchi_fiber_fail(error, server, "an echo server");
	err = begin(&client, connections, &address);
	from = filchi_clock_ns();
	if (!err)
		err = talk(client.epoll, from + (uint64_t)(context->seconds * 1e9), &answers);
	filchi_bench_set(c, values, "rate", (double)answers * 1e9 / (double)(filchi_clock_ns() - from));
	(void)kill(server, SIGKILL);
	if (wait4(server, &status, 0, &usage) != server)
		err = err ? err : -ECHILD;
	end(&client);
	if (!err && !answers)
		err = -ETIMEDOUT;
	if (err)
		return filchi_fiber_fail(error, err, "a connection to an echo server");
	filchi_bench_set(c, values, "cpu", cpu_of(&usage) / (double)answers);
	filchi_bench_set(c, values, "requests", (double)answers);
	return 0;
}

#define SAMPLE(n)                                                                                                      \
	static int sample_##n(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)     \
	{                                                                                                              \
		return sample(c, values, error, n);                                                                    \
	}
SAMPLE(1)
SAMPLE(64)
SAMPLE(500)

#define CASE(subject_, n)                                                                                              \
	{                                                                                                              \
		.subject = subject_, .measure = "echo_" #n, .metrics = metrics,                                        \
		.metric_count = sizeof(metrics) / sizeof(metrics[0]), .run = sample_##n                                \
	}
static const struct filchi_bench_case cases[] = {
	CASE("epoll", 1),   CASE("fibers", 1),	CASE("epoll", 64),
	CASE("fibers", 64), CASE("epoll", 500), CASE("fibers", 500),
};
const struct filchi_fiber_cases filchi_fiber_echo_cases = {cases, sizeof(cases) / sizeof(cases[0])};
