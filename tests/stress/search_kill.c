/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kill -9 at a random moment of a run with checkpoints, 50 times. Each time another process goes on from the
 * checkpoint, or from the root if there is none yet, and must come to the right answer. Half of the runs count all
 * nodes of a tree: the count is exact only if each node is explored once, before the checkpoint or after it.
 */
#include "../fixtures/search/knapsack.h"
#include "../fixtures/stress.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char path[256];

static size_t pack(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	const struct tree_node *n = FILCH_CONTAINER_OF(node, struct tree_node, node);
	const uint64_t packed[2] = {n->seed, n->depth};

	(void)arg;
	if (room >= sizeof(packed))
		memcpy(bytes, packed, sizeof(packed));
	return sizeof(packed);
}

static int unpack(struct filch_node **node, const void *bytes, size_t size, void *arg)
{
	uint64_t packed[2];

	if (size != sizeof(packed))
		return -EBADMSG;
	memcpy(packed, bytes, sizeof(packed));
	*node = tree_node(arg, packed[0], (unsigned)packed[1]);
	return *node ? 0 : -ENOMEM;
}

/* Goes on from the checkpoint, if there is one. killed: writes checkpoints all the time. */
static void search(int count, int killed)
{
	static struct tree t;
	static struct knapsack k;
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = killed ? 2 : 3};
	struct filch_options po = {.struct_size = sizeof(po), .workers = 2};
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_search_problem p;
	struct filch_search *s;
	int err;

	memset(&t, 0, sizeof(t));
	t.depth = 14;
	t.width = 2;
	t.even = 1;
	t.spin = killed ? 3000 : 0;
	knapsack_init(&k, 30, 17);
	k.pause_us = killed ? 5 : 0;
	if (killed) {
		o.checkpoint = path;
		o.checkpoint_ns = 1000000;
		o.order = count ? "depth" : "best";
	}
	TEST_CHECK(filch_start(&po) == 0);
	p = count ? tree_problem(&t) : knapsack_problem(&k);
	if (count) {
		p.pack = pack;
		p.unpack = unpack;
	}
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	err = filch_search_load(s, path);
	TEST_CHECK(err == 0 || err == -ENOENT);
	if (err)
		filch_search_add_node(s, count ? tree_node(&t, 42, 0) : knapsack_node(&k, 0, 0, 0));
	TEST_CHECK(filch_search_run(s, &r) == 0);
	TEST_CHECK(r.end == FILCH_SEARCH_DONE);
	if (count)
		TEST_CHECK(r.total == tree_count(&t, 42, 0));
	else
		TEST_CHECK(r.best.i == knapsack_optimum(&k) && *(int *)r.solution == r.best.i);
	filch_search_destroy(s);
	filch_stop();
}

static pid_t start(const char *program, int count, int killed)
{
	pid_t pid = fork();

	TEST_CHECK(pid >= 0);
	if (!pid) {
		execl(program, program, path, count ? "count" : "best", killed ? "killed" : "whole", (char *)NULL);
		_exit(127);
	}
	return pid;
}

int main(int argc, char **argv)
{
	int times = TEST_SANITIZED ? 10 : 50, resumed = 0;
	const char *dir = getenv("TMPDIR");

	if (argc == 4) {
		snprintf(path, sizeof(path), "%s", argv[1]);
		search(!strcmp(argv[2], "count"), !strcmp(argv[3], "killed"));
		return TEST_PASS;
	}
	snprintf(path, sizeof(path), "%s/filch-search-kill.%ld", dir ? dir : "/tmp", (long)getpid());
	for (int i = 0; i < times; i++) {
		long ns = (long)(tree_mix((uint64_t)i + 7) % (TEST_SANITIZED ? 200000000 : 40000000));
		int status, kills = 1 + i % 3; /* a process that was resumed is killed, too */

		unlink(path);
		for (int n = 0; n < kills; n++) {
			pid_t pid = start(argv[0], i & 1, 1);

			nanosleep(&(struct timespec){.tv_nsec = 5000000 + ns}, NULL);
			kill(pid, SIGKILL);
			TEST_CHECK(waitpid(pid, &status, 0) == pid);
			TEST_CHECK(WIFSIGNALED(status) || !WEXITSTATUS(status));
		}
		resumed += access(path, R_OK) == 0;
		TEST_CHECK(waitpid(start(argv[0], i & 1, 0), &status, 0) > 0);
		TEST_CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
	}
	printf("%d times killed, %d times with a checkpoint: ok\n", times, resumed);
	unlink(path);
	strncat(path, ".tmp", sizeof(path) - strlen(path) - 1);
	unlink(path);
	return TEST_PASS;
}
