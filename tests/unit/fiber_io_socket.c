/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sockets, timeouts and cancellation, both ways and with each kind of deque. No byte, connection or descriptor is lost
 * when an operation is ended while it succeeds.
 */
#define _GNU_SOURCE
#include "../fixtures/fiber/ways.h"

#define MS 1000000u

static int ends[2];
static atomic_int started;

static void pair(void)
{
	atomic_store(&started, 0);
	TEST_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
}

static void unpair(void)
{
	close(ends[0]);
	close(ends[1]);
}

/* ---- send and receive ---- */

enum { LONG = 1000000 };
static char text[LONG], got[LONG];

static int send_all(void *arg, void **result)
{
	(void)arg, (void)result;
	TEST_CHECK(filch_io_send(ends[0], text, LONG, 0) == LONG);
	return 0;
}

static int receive_all(void *arg, void **result)
{
	char c;

	(void)arg, (void)result;
	TEST_CHECK(filch_io_recv(ends[1], &c, 1, MSG_PEEK) == 1 && c == text[0]);
	TEST_CHECK(filch_io_recv(ends[1], &c, 1, MSG_PEEK | MSG_WAITALL) == -EINVAL);
	TEST_CHECK(filch_io_recv(ends[1], got, LONG, MSG_WAITALL) == LONG);
	return 0;
}

static void transfers(void)
{
	struct filch_fiber *a, *b;
	char c;

	pair();
	for (int i = 0; i < LONG; i++)
		text[i] = (char)(i % 239);
	TEST_CHECK(filch_io_recv(ends[0], &c, 1, MSG_DONTWAIT) == -EAGAIN);
	a = go(receive_all, NULL);
	b = go(send_all, NULL);
	TEST_CHECK(join(a) == 0 && join(b) == 0 && !memcmp(text, got, LONG));
	close(ends[1]);
	TEST_CHECK(filch_io_send(ends[0], "x", 1, 0) == -EPIPE); /* and no SIGPIPE */
	close(ends[0]);
}

/* ---- timeouts and cancellation ---- */

static int receive(void *arg, void **result)
{
	char c;

	(void)arg, (void)result;
	atomic_fetch_add(&started, 1);
	return (int)filch_io_recv(ends[0], &c, 1, 0);
}

static int receive_for(void *ns, void **result)
{
	char c;

	(void)result;
	return (int)filch_io_recv_for(ends[0], &c, 1, 0, (uintptr_t)ns);
}

static int receive_shielded(void *arg, void **result)
{
	int n;

	filch_fiber_shield_begin();
	n = receive(arg, result);
	filch_fiber_shield_end();
	return n;
}

static void wait_started(int count)
{
	while (atomic_load(&started) < count)
		filch_fiber_yield();
}

static void cancels(void)
{
	struct filch_fiber *f;
	char c;

	pair();
	TEST_CHECK(join(go(receive_for, (void *)(uintptr_t)MS)) == -ETIMEDOUT);
	TEST_CHECK(join(go(receive_for, NULL)) == -ETIMEDOUT);
	f = go(receive, NULL);
	wait_started(1);
	usleep(1000);
	filch_fiber_cancel(f);
	TEST_CHECK(join(f) == -ECANCELED);
	/* The ended operations have taken nothing. */
	TEST_CHECK(filch_io_send(ends[1], "z", 1, 0) == 1 && filch_io_recv(ends[0], &c, 1, 0) == 1 && c == 'z');
	f = go(receive_shielded, NULL);
	wait_started(2);
	usleep(1000);
	filch_fiber_cancel(f);
	TEST_CHECK(filch_io_send(ends[1], "z", 1, 0) == 1 && join(f) == 1);
	/* A cancelled fiber need not wait for what is there. */
	TEST_CHECK(filch_io_send(ends[1], "z", 1, 0) == 1 && join(go(receive, NULL)) == 1);
	unpair();
}

enum { BYTES = 80 };

static int send_slowly(void *arg, void **result)
{
	(void)arg, (void)result;
	for (int i = 0; i < BYTES; i++) {
		char c = (char)i;

		TEST_CHECK(filch_fiber_sleep((uint64_t)(i % 7) * 5000) == 0);
		TEST_CHECK(filch_io_send(ends[1], &c, 1, 0) == 1);
	}
	return 0;
}

/* Short timeouts end receives at the moment at which they succeed. */
static int receive_impatiently(void *arg, void **result)
{
	(void)arg, (void)result;
	for (int i = 0; i < BYTES;) {
		char c = 0;
		ssize_t n = filch_io_recv_for(ends[0], &c, 1, 0, (uint64_t)(i % 11) * 4000 + 1);

		TEST_CHECK(n == -ETIMEDOUT || (n == 1 && c == (char)i));
		i += n == 1;
		if (n < 0)
			filch_fiber_yield(); /* its time may have been over before it could wait */
	}
	return 0;
}

static void loses_no_byte(void)
{
	struct filch_fiber *a, *b;

	pair();
	a = go(receive_impatiently, NULL);
	b = go(send_slowly, NULL);
	TEST_CHECK(join(a) == 0 && join(b) == 0);
	unpair();
}

/* ---- connections ---- */

static struct sockaddr_in here;
static int server;

enum { CONNECTIONS = 12 };

static int connect_and_wait(void *arg, void **result)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | ((uintptr_t)arg % 2 ? SOCK_NONBLOCK : 0), 0);
	char c = 0;

	(void)result;
	TEST_CHECK(fd >= 0);
	TEST_CHECK(filch_io_connect(fd, (struct sockaddr *)&here, sizeof(here)) == 0);
	TEST_CHECK(filch_io_recv(fd, &c, 1, 0) == 1 && c == 'q');
	TEST_CHECK(filch_io_close(fd) == 0);
	return 0;
}

static int accept_impatiently(void *arg, void **result)
{
	struct sockaddr_in from;

	(void)arg, (void)result;
	for (int i = 0; i < CONNECTIONS;) {
		socklen_t size = sizeof(from);
		int fd = filch_io_accept_for(server, (struct sockaddr *)&from, &size, SOCK_CLOEXEC,
					     (uint64_t)(i % 5) * 9000);

		TEST_CHECK(fd >= 0 || fd == -ETIMEDOUT);
		if (fd >= 0) {
			TEST_CHECK(from.sin_family == AF_INET && size == sizeof(from));
			TEST_CHECK(filch_io_send(fd, "q", 1, 0) == 1 && filch_io_close(fd) == 0);
			i++;
		} else {
			filch_fiber_yield();
		}
	}
	return 0;
}

static int accept_one(void *arg, void **result)
{
	(void)arg, (void)result;
	atomic_fetch_add(&started, 1);
	return filch_io_accept(server, NULL, NULL, SOCK_CLOEXEC);
}

static void connections(void)
{
	struct filch_fiber *a, *f[CONNECTIONS];
	struct sockaddr_in nobody = here;
	int fd;

	server = listen_here(&here);
	a = go(accept_impatiently, NULL);
	for (uintptr_t i = 0; i < CONNECTIONS; i++)
		f[i] = go(connect_and_wait, (void *)i);
	TEST_CHECK(join(a) == 0);
	for (int i = 0; i < CONNECTIONS; i++)
		TEST_CHECK(join(f[i]) == 0);
	atomic_store(&started, 0);
	a = go(accept_one, NULL);
	wait_started(1);
	usleep(1000);
	filch_fiber_cancel(a);
	TEST_CHECK(join(a) == -ECANCELED);
	nobody = here;
	close(server);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	TEST_CHECK(filch_io_connect(fd, (struct sockaddr *)&nobody, sizeof(nobody)) == -ECONNREFUSED);
	close(fd);
}

/* ---- more operations than a ring holds ---- */

enum { MANY = 1500 };
static int (*many)[2];

static int receive_of(void *fd, void **result)
{
	char c;

	(void)result;
	return (int)filch_io_recv(*(int *)fd, &c, 1, 0);
}

/* All of them complete at once, before the worker looks. */
static int send_to_all(void *arg, void **result)
{
	(void)arg, (void)result;
	for (int i = 0; i < MANY; i++)
		TEST_CHECK(send(many[i][1], "m", 1, 0) == 1);
	return 0;
}

static void overflows(void)
{
	static struct filch_fiber *f[MANY];

	begin_pool(NULL, 1, 0);
	many = calloc(MANY, sizeof(*many));
	TEST_CHECK(many);
	for (int i = 0; i < MANY; i++) {
		TEST_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, many[i]) == 0);
		f[i] = go(receive_of, &many[i][0]);
	}
	TEST_CHECK(join(go(send_to_all, NULL)) == 0);
	for (int i = 0; i < MANY; i++) {
		TEST_CHECK(join(f[i]) == 1);
		close(many[i][0]);
		close(many[i][1]);
	}
	free(many);
	TEST_CHECK(filch_stop() == 0);
}

static void everything(void)
{
	transfers();
	cancels();
	loses_no_byte();
	connections();
}

/* ---- fibers that are stolen after their operation ---- */

enum { READERS = 200 };
static int pairs[READERS][2];

static int read_it(void *fd, void **result)
{
	char c;

	(void)result;
	return (int)filch_io_recv(*(int *)fd, &c, 1, 0);
}

/* All complete at once. The worker keeps itself busy until another worker has taken one of them. */
static int complete_all(void *arg, void **result)
{
	struct filch_fiber_stats s = {.struct_size = sizeof(s)};

	(void)arg, (void)result;
	for (int i = 0; i < READERS; i++)
		TEST_CHECK(send(pairs[i][1], "m", 1, 0) == 1);
	for (int i = 0; i < 1000 && !s.stolen_io; i++) {
		filch_fiber_yield();
		TEST_CHECK(filch_fiber_stats(NULL, &s) == 0);
	}
	return s.stolen_io != 0;
}

/* A thief may sleep all the time on a busy machine, so there are several rounds. */
static void stolen_after_io(void)
{
	struct filch_fiber *f[READERS];
	int stolen = 0;

	begin_pool("chase_lev", 2, FILCH_FIBER_FREE);
	for (int i = 0; i < READERS; i++)
		TEST_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pairs[i]) == 0);
	for (int round = 0; round < 1000 && !stolen; round++) {
		for (int i = 0; i < READERS; i++)
			f[i] = go(read_it, &pairs[i][0]);
		stolen = join(go(complete_all, NULL));
		for (int i = 0; i < READERS; i++)
			TEST_CHECK(join(f[i]) == 1);
	}
	TEST_CHECK(stolen);
	for (int i = 0; i < READERS; i++) {
		close(pairs[i][0]);
		close(pairs[i][1]);
	}
	TEST_CHECK(filch_stop() == 0);
}

static void one_way(void)
{
	int before = count_descriptors();

	for_each_pool(everything);
	TEST_CHECK(count_descriptors() == before);
	overflows();
	stolen_after_io();
	TEST_CHECK(count_descriptors() == before);
}

int main(void)
{
	both_ways(one_way);
	return 0;
}
