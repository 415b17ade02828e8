/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dupes_kill FILCH DIR TIMES: kills filch dupes --link --yes at a random moment. Each name must have the content that
 * it had before. A later run must link the rest, and undo must work with the log of the killed run.
 */
#define _GNU_SOURCE
#include "dupes_tree.h"

#include <signal.h>

#define DIRS 12
#define FILES 240
#define CONTENTS 30

static char work[4096], names[FILES][32];

static void make(void)
{
	if (mkdir("t", 0755))
		tree_die("t");
	for (int i = 0; i < DIRS; i++) {
		char dir[32];

		snprintf(dir, sizeof(dir), "t/d%d", i);
		if (mkdir(dir, 0755))
			tree_die(dir);
	}
	for (int i = 0; i < FILES; i++) {
		snprintf(names[i], sizeof(names[i]), "t/d%d/f%d", i % DIRS, i);
		tree_make(names[i], (unsigned)i % CONTENTS);
	}
}

/* Names that are links of another file. */
static unsigned check(const char *when)
{
	unsigned linked = 0;
	struct stat s;

	for (int i = 0; i < FILES; i++) {
		if (tree_content(AT_FDCWD, names[i]) != i % CONTENTS) {
			fprintf(stderr, "FAILED: %s: %s has lost its content\n", when, names[i]);
			exit(1);
		}
		linked += !lstat(names[i], &s) && s.st_nlink > 1;
	}
	return linked;
}

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static int wait_code(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		tree_die("wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void run(char *const argv[], int expected)
{
	int code = wait_code(tree_run(argv, "out"));

	if (code != expected) {
		fprintf(stderr, "FAILED: filch dupes %s: exit code %d\n", argv[2], code);
		if (system("cat out >&2"))
			exit(1);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	char *link_args[] = {argc > 1 ? argv[1] : NULL, "dupes", "--link", "--yes", "--log", "log", "t", NULL};
	char *undo_args[] = {link_args[0], "dupes", "--undo", "log", "--yes", NULL};
	unsigned times = argc > 3 ? (unsigned)atoi(argv[3]) : 0, middle = 0;
	uint64_t whole = 0;

	if (!times || !realpath(argv[2], work) || chdir(work))
		return 2;
	for (unsigned i = 0; i <= times; i++) {
		uint64_t begin = now_us();
		unsigned linked;
		pid_t pid;

		if (system("rm -rf t log"))
			tree_die("rm");
		make();
		begin = now_us();
		pid = tree_run(link_args, "out");
		if (i) { /* the first run is not killed: it shows how long one takes */
			usleep(tree_random((uint32_t)whole));
			kill(pid, SIGKILL);
			wait_code(pid);
		} else if (wait_code(pid)) {
			tree_die("filch dupes --link");
		} else {
			whole = now_us() - begin + 1;
		}
		linked = check("killed");
		middle += linked && linked < FILES;
		if (!i && linked != FILES)
			tree_die("a complete run links all");
		if (i % 2 && !access("log", F_OK)) {
			run(undo_args, 0);
			if (check("undo") || system("test -z \"$(find t -name '.filch-*')\"")) {
				fprintf(stderr, "FAILED: undo has left links or a folder\n");
				return 1;
			}
		} else if (i) {
			unlink("log");
			run(link_args, 0);
			if (check("a second run") != FILES)
				tree_die("a second run links all");
		}
	}
	printf("killed %u times, %u of them in the midst of the actions\n", times, middle);
	/* Otherwise the test has shown nothing. */
	return middle ? 0 : 1;
}
