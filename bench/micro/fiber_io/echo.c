/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Echo servers with one thread: a loop around epoll, and fibers with one worker. The server is a child, so that its
 * processor time is known. The client is this process, with an epoll: each connection sends its next request when it
 * has the answer.
 */
#define _GNU_SOURCE
#include "speed.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 64, AT_ONCE = 64 };

static int listener;
static struct sockaddr_in address;

static void fail(const char *what)
{
	fprintf(stderr, "fiber_io_speed: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static void watch(int epoll, int fd)
{
	struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e))
		fail("epoll_ctl");
}

/* ---- the servers ---- */

static void echo_once(int fd)
{
	char buf[1024];
	ssize_t n = recv(fd, buf, sizeof(buf), MSG_DONTWAIT);

	if (n > 0)
		n = send(fd, buf, (size_t)n, MSG_NOSIGNAL);
	else if (!n || errno != EAGAIN)
		close(fd);
}

static void serve_epoll(void)
{
	struct epoll_event events[AT_ONCE];
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	watch(epoll, listener);
	for (;;) {
		int count = epoll_wait(epoll, events, AT_ONCE, -1);

		for (int i = 0; i < count; i++)
			if (events[i].data.fd == listener)
				watch(epoll, accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
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
	(void)arg, (void)result;
	for (;;) {
		int fd = filch_io_accept(listener, NULL, NULL, SOCK_CLOEXEC);

		if (fd < 0 || filch_fiber_start(NULL, NULL, echo, (void *)(intptr_t)fd, NULL))
			return -1;
	}
}

static void serve_fibers(void)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = 1};
	struct filch_fiber *f;

	check(filch_start(&o), "start");
	check(filch_fiber_start(&f, NULL, accept_all, NULL, NULL), "start");
	check(filch_fiber_join(f, NULL), "accept");
}

static pid_t start_server(enum echo_kind kind)
{
	socklen_t size = sizeof(address);
	pid_t child;

	address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096) ||
	    getsockname(listener, (struct sockaddr *)&address, &size))
		fail("listen");
	fflush(stdout);
	child = fork();
	if (child < 0)
		fail("fork");
	if (!child) {
		if (kind == ECHO_EPOLL)
			serve_epoll();
		else
			serve_fibers();
		_exit(1);
	}
	close(listener);
	return child;
}

/* ---- the client ---- */

static int connect_one(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
		fail("connect");
	return fd;
}

/* Answers the events of the connections until the time is over. Returns the number of answers. */
static uint64_t talk(int epoll, uint64_t until)
{
	struct epoll_event events[AT_ONCE];
	char buf[SIZE];
	uint64_t answers = 0;

	while (clock_ns() < until) {
		int count = epoll_wait(epoll, events, AT_ONCE, 1000);

		for (int i = 0; i < count; i++) {
			if (recv(events[i].data.fd, buf, SIZE, MSG_WAITALL) != SIZE ||
			    send(events[i].data.fd, buf, SIZE, MSG_NOSIGNAL) != SIZE)
				fail("talk");
			answers++;
		}
	}
	return answers;
}

struct echo_result echo_measure(enum echo_kind kind, unsigned connections, double seconds)
{
	pid_t server = start_server(kind);
	int *fds = calloc(connections, sizeof(*fds)), epoll = epoll_create1(EPOLL_CLOEXEC), status;
	static const char text[SIZE];
	struct echo_result result;
	struct rusage usage;
	uint64_t begin, answers;

	if (!fds)
		fail("no memory");
	for (unsigned i = 0; i < connections; i++) {
		fds[i] = connect_one();
		watch(epoll, fds[i]);
		if (send(fds[i], text, SIZE, MSG_NOSIGNAL) != SIZE)
			fail("send");
	}
	begin = clock_ns();
	answers = talk(epoll, begin + (uint64_t)(seconds * 1e9));
	result.per_second = (double)answers * 1e9 / (double)(clock_ns() - begin);
	(void)kill(server, SIGKILL);
	if (wait4(server, &status, 0, &usage) != server)
		fail("wait4");
	result.cpu_ns = ((double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 +
			 (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3) /
			(double)(answers ? answers : 1);
	for (unsigned i = 0; i < connections; i++)
		close(fds[i]);
	close(epoll);
	free(fds);
	return result;
}
