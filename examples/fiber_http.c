/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small HTTP server for the files of a directory, on the loopback only. It knows GET and HEAD, and closes each
 * connection after its answer.
 *
 *   fiber_http serve PORT DIRECTORY
 *   fiber_http [CLIENTS]             serves a file to its own clients, and checks the answers
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <filch.h>
#include <filch/fiber.h>
#include <filch/io.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE 10000000000u /* a client has 10 s for each step */

static int server, root;
static struct sockaddr_in address;

/* ---- the server ---- */

static int answer(int fd, const char *status, unsigned long size)
{
	char head[256];
	int n = snprintf(head, sizeof(head), "HTTP/1.1 %s\r\nContent-Length: %lu\r\nConnection: close\r\n\r\n", status,
			 size);

	return filch_io_send_for(fd, head, (size_t)n, 0, PATIENCE) == n ? 0 : -EIO;
}

static int send_file(int fd, int file, bool body)
{
	char buf[16384];
	struct statx st;
	int64_t at = 0;
	ssize_t n = 0;

	if (filch_io_statx(file, "", AT_EMPTY_PATH, STATX_TYPE | STATX_SIZE, &st) || !S_ISREG(st.stx_mode))
		return answer(fd, "403 Forbidden", 0);
	if (answer(fd, "200 OK", st.stx_size))
		return -EIO;
	while (body && (n = filch_io_read(file, buf, sizeof(buf), at)) > 0 &&
	       filch_io_send_for(fd, buf, (size_t)n, 0, PATIENCE) == n)
		at += n;
	return n ? -EIO : 0;
}

/* No part of the path may lead out of the directory. */
static bool is_allowed(const char *path)
{
	const char *up = path;

	while ((up = strstr(up, "..")))
		if ((up == path || up[-1] == '/') && (!up[2] || up[2] == '/'))
			return false;
		else
			up += 2;
	return true;
}

static int handle(int fd, char *request)
{
	bool body = !strncmp(request, "GET /", 5);
	char *path, *end;
	int file, err;

	if (!body && strncmp(request, "HEAD /", 6))
		return answer(fd, "405 Method Not Allowed", 0);
	path = strchr(request, '/') + 1;
	end = strpbrk(path, " ?\r\n");
	if (end)
		*end = 0;
	path += strspn(path, "/");
	if (!*path || !is_allowed(path))
		return answer(fd, "403 Forbidden", 0);
	file = filch_io_openat(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	if (file < 0)
		return answer(fd, file == -ENOENT ? "404 Not Found" : "403 Forbidden", 0);
	err = send_file(fd, file, body);
	(void)filch_io_close(file);
	return err;
}

static int connection(void *arg, void **result)
{
	int fd = (int)(intptr_t)arg;
	char request[4096];
	size_t have = 0;
	ssize_t n;

	(void)result;
	do {
		n = filch_io_recv_for(fd, request + have, sizeof(request) - 1 - have, 0, PATIENCE);
		if (n <= 0)
			break;
		have += (size_t)n;
		request[have] = 0;
	} while (!strstr(request, "\r\n\r\n") && have < sizeof(request) - 1);
	if (n > 0)
		(void)handle(fd, request);
	(void)filch_io_close(fd);
	return 0;
}

static int serve(void *arg, void **result)
{
	(void)arg, (void)result;
	for (;;) {
		int fd = filch_io_accept(server, NULL, NULL, SOCK_CLOEXEC);

		if (fd == -ECANCELED)
			return 0;
		if (fd < 0)
			(void)filch_fiber_sleep(1000000);
		else if (filch_fiber_start(NULL, NULL, connection, (void *)(intptr_t)fd, NULL))
			(void)filch_io_close(fd);
	}
}

/* ---- its own clients ---- */

#define SIZE 50000
static char text[SIZE];
static atomic_int good;

static ssize_t fetch(const char *request, char *reply, size_t room)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	size_t have = 0;
	ssize_t n = filch_io_connect_for(fd, (struct sockaddr *)&address, sizeof(address), PATIENCE);

	if (!n && filch_io_send(fd, request, strlen(request), 0) > 0)
		while ((n = filch_io_recv_for(fd, reply + have, room - have, 0, PATIENCE)) > 0)
			have += (size_t)n;
	(void)filch_io_close(fd);
	return n ? n : (ssize_t)have;
}

static int client(void *number, void **result)
{
	static const char *const wrong[][2] = {{"GET /none HTTP/1.1\r\n\r\n", "HTTP/1.1 404 "},
					       {"GET /../passwd HTTP/1.1\r\n\r\n", "HTTP/1.1 403 "},
					       {"PUT /file HTTP/1.1\r\n\r\n", "HTTP/1.1 405 "}};
	uintptr_t kind = (uintptr_t)number % 8;
	char *reply = malloc(SIZE + 1000);
	ssize_t n = reply ? fetch(kind < 3 ? wrong[kind][0] : "GET /file HTTP/1.1\r\n\r\n", reply, SIZE + 999) : -1;

	(void)result;
	if (kind < 3 && n > 13 && !memcmp(reply, wrong[kind][1], 13))
		atomic_fetch_add(&good, 1);
	else if (kind >= 3 && n > SIZE && !memcmp(reply, "HTTP/1.1 200", 12) && !memcmp(reply + n - SIZE, text, SIZE))
		atomic_fetch_add(&good, 1);
	free(reply);
	return 0;
}

static int run_clients(int clients)
{
	struct filch_fiber **fibers = calloc((size_t)clients, sizeof(*fibers));

	if (!fibers)
		return 1;
	for (int i = 0; i < clients; i++)
		if (filch_fiber_start(&fibers[i], NULL, client, (void *)(intptr_t)i, NULL))
			return 1;
	for (int i = 0; i < clients; i++)
		(void)filch_fiber_join(fibers[i], NULL);
	free(fibers);
	printf("%d of %d answers are right\n", good, clients);
	return good != clients;
}

/* A directory with one file. */
static int make_root(char *folder)
{
	int fd;

	for (int i = 0; i < SIZE; i++)
		text[i] = (char)('a' + i % 26);
	if (!mkdtemp(folder))
		return -1;
	root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = openat(root, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	return fd < 0 || write(fd, text, SIZE) != SIZE || close(fd) ? -1 : 0;
}

static int open_server(int port)
{
	socklen_t size = sizeof(address);

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons((uint16_t)port);
	server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server < 0 || bind(server, (struct sockaddr *)&address, sizeof(address)) || listen(server, 4096))
		return -1;
	return getsockname(server, (struct sockaddr *)&address, &size);
}

int main(int argc, char **argv)
{
	bool only_serve = argc == 4 && !strcmp(argv[1], "serve");
	char folder[] = "fiber_http_XXXXXX";
	struct filch_fiber *acceptor;
	int err = 0;

	if (only_serve)
		root = open(argv[3], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if ((only_serve ? root < 0 : make_root(folder)) || open_server(only_serve ? atoi(argv[2]) : 0)) {
		perror("fiber_http");
		return 1;
	}
	if (filch_start(NULL) || filch_fiber_start(&acceptor, NULL, serve, NULL, NULL)) {
		fprintf(stderr, "fiber_http: %s\n", filch_error_message());
		return 1;
	}
	if (!only_serve) {
		err = run_clients(argc > 1 ? atoi(argv[1]) : 1000);
		filch_fiber_cancel(acceptor);
	}
	(void)filch_fiber_join(acceptor, NULL);
	filch_stop();
	if (!only_serve && (unlinkat(root, "file", 0) || rmdir(folder)))
		err = 1;
	return err;
}
