/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An echo server: one fiber accepts, and one fiber per connection sends back what it receives.
 *
 *   fiber_echo serve PORT            serves on the loopback until it is killed
 *   fiber_echo [CLIENTS [REQUESTS]]  serves its own clients, which are fibers, too, and checks the answers
 */
#include <arpa/inet.h>
#include <errno.h>
#include <filch.h>
#include <filch/fiber.h>
#include <filch/io.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#define TEXT 64

static int server;
static struct sockaddr_in address;
static int clients = 1000, requests = 5;

static int echo(void *arg, void **result)
{
	int fd = (int)(intptr_t)arg;
	char buf[1024];
	ssize_t n;

	(void)result;
	while ((n = filch_io_recv(fd, buf, sizeof(buf), 0)) > 0)
		if (filch_io_send(fd, buf, (size_t)n, 0) < 0)
			break;
	return filch_io_close(fd);
}

/* Ends when it is cancelled. */
static int serve(void *arg, void **result)
{
	(void)arg, (void)result;
	for (;;) {
		int fd = filch_io_accept(server, NULL, NULL, SOCK_CLOEXEC);

		if (fd == -ECANCELED)
			return 0;
		if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM || fd == -ECONNABORTED) {
			(void)filch_fiber_sleep(1000000); /* until some connections have ended */
			continue;
		}
		if (fd < 0)
			return fd;
		if (filch_fiber_start(NULL, NULL, echo, (void *)(intptr_t)fd, NULL))
			(void)filch_io_close(fd);
	}
}

/* All connections exist at the same time: the last client opens the gate. */
static struct filch_fiber_mutex mutex;
static struct filch_fiber_cond gate;
static int arrived;

static void meet(void)
{
	(void)filch_fiber_mutex_lock(&mutex);
	if (++arrived == clients)
		filch_fiber_cond_broadcast(&gate);
	while (arrived < clients)
		(void)filch_fiber_cond_wait(&gate, &mutex);
	(void)filch_fiber_mutex_unlock(&mutex);
}

static int talk(int fd)
{
	char text[TEXT], answer[TEXT];
	int err = filch_io_connect(fd, (struct sockaddr *)&address, sizeof(address));

	meet();
	for (int i = 0; i < requests && !err; i++) {
		memset(text, 'a' + (fd + i) % 26, sizeof(text));
		if (filch_io_send(fd, text, TEXT, 0) != TEXT || filch_io_recv(fd, answer, TEXT, MSG_WAITALL) != TEXT)
			err = -EIO;
		else if (memcmp(text, answer, TEXT))
			err = -EBADMSG;
	}
	return err;
}

static int client(void *arg, void **result)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), err;

	(void)arg, (void)result;
	err = talk(fd);
	if (fd >= 0)
		(void)filch_io_close(fd);
	return err;
}

static int run_clients(void)
{
	struct filch_fiber **fibers = calloc((size_t)clients, sizeof(*fibers));
	int failed = 0;

	if (!fibers)
		return 1;
	for (int i = 0; i < clients; i++)
		if (filch_fiber_start(&fibers[i], NULL, client, NULL, NULL))
			return 1;
	for (int i = 0; i < clients; i++)
		failed += filch_fiber_join(fibers[i], NULL) != 0;
	printf("%d connections with %d requests each, %d failed\n", clients, requests, failed);
	free(fibers);
	return failed != 0;
}

/* A connection takes two descriptors, as both ends are here; without io_uring a third one while it waits. */
static void fit_clients(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur < 4 * (rlim_t)clients + 100)
		clients = (int)((limit.rlim_cur - 100) / 4);
}

static int open_server(int port)
{
	socklen_t size = sizeof(address);
	int on = 1;

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons((uint16_t)port);
	server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server < 0 || setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(server, (struct sockaddr *)&address, sizeof(address)) || listen(server, 4096))
		return -1;
	return getsockname(server, (struct sockaddr *)&address, &size);
}

int main(int argc, char **argv)
{
	bool only_serve = argc == 3 && !strcmp(argv[1], "serve");
	struct filch_fiber *acceptor;
	int err = 0;

	if (!only_serve) {
		clients = argc > 1 ? atoi(argv[1]) : clients;
		requests = argc > 2 ? atoi(argv[2]) : requests;
		if (clients < 1 || requests < 0) {
			fprintf(stderr, "usage: fiber_echo serve PORT | fiber_echo [CLIENTS [REQUESTS]]\n");
			return 2;
		}
		fit_clients();
	}
	if (open_server(only_serve ? atoi(argv[2]) : 0)) {
		perror("fiber_echo");
		return 1;
	}
	if (filch_start(NULL) || filch_fiber_start(&acceptor, NULL, serve, NULL, NULL)) {
		fprintf(stderr, "fiber_echo: %s\n", filch_error_message());
		return 1;
	}
	if (!only_serve) {
		err = run_clients();
		filch_fiber_cancel(acceptor);
	}
	if (filch_fiber_join(acceptor, NULL))
		err = 1;
	filch_stop();
	return err;
}
