/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dupes_race FILCH DIR SECONDS: other processes change the tree while filch dupes searches it and acts on it.
 *
 *   mover    exchanges names of files and directories, and puts symbolic links to the folder outside into their place
 *   writer   gives a file new content between two looks of filch, and resets the time of the file
 *
 * Neither loses content by itself. So each content must be there at the end, and the folder outside must not change.
 * As root, filch runs as root, and the others as another user.
 */
#define _GNU_SOURCE
#include "dupes_tree.h"

#include <signal.h>
#include <sys/syscall.h>

#define DIRS 4
#define CONTENTS 12 /* from 0 on; each has several files */
#define COPIES 4
#define SCRATCH 4 /* files of the writer */
#define USER 65534

static char *filch;

static void file_name(char out[64], unsigned i)
{
	snprintf(out, 64, "t/a%u/f%u", i % DIRS, i);
}

static void make_tree(void)
{
	char name[64], target[64];

	if (mkdir("outside", 0755) || mkdir("t", 0755) || mkdir("t/s", 0755) || mkdir("t/l", 0755))
		tree_die("mkdir");
	for (unsigned i = 0; i < DIRS; i++) {
		snprintf(name, sizeof(name), "t/a%u", i);
		snprintf(target, sizeof(target), "t/l/d%u", i);
		if (mkdir(name, 0755) || symlink("../outside", target))
			tree_die(name);
	}
	for (unsigned i = 0; i < CONTENTS * COPIES; i++) {
		file_name(name, i);
		tree_make(name, i / COPIES);
		snprintf(name, sizeof(name), "outside/f%u", i);
		tree_make(name, i / COPIES);
	}
	for (unsigned i = 0; i < CONTENTS; i++) {
		snprintf(name, sizeof(name), "t/l/f%u", i);
		snprintf(target, sizeof(target), "../../outside/f%u", i);
		if (symlink(target, name))
			tree_die(name);
	}
}

/* ---- the other processes ---- */

static void become_user(void)
{
	if (!geteuid() && (setgid(USER) || setuid(USER)))
		tree_die("setuid");
}

/* A name in an open directory: its path may lead to the outside at the moment. */
struct place {
	int dir;
	char name[32];
};

static struct place some_file(const int *dirs)
{
	unsigned i = tree_random(CONTENTS * COPIES);
	struct place p = {.dir = dirs[i % DIRS]};

	snprintf(p.name, sizeof(p.name), "f%u", i);
	return p;
}

static struct place numbered(int dir, const char *prefix, unsigned below)
{
	struct place p = {.dir = dir};

	snprintf(p.name, sizeof(p.name), "%s%u", prefix, tree_random(below));
	return p;
}

static void move(void)
{
	int tree = open("t", O_RDONLY | O_DIRECTORY), links = open("t/l", O_RDONLY | O_DIRECTORY), dirs[DIRS];
	char name[64];

	for (unsigned i = 0; i < DIRS; i++) {
		snprintf(name, sizeof(name), "t/a%u", i);
		dirs[i] = open(name, O_RDONLY | O_DIRECTORY);
	}
	for (;;) {
		struct place a = some_file(dirs), b = some_file(dirs);

		switch (tree_random(4)) {
		case 0: /* two directories, or a directory and a link to the outside */
			a = numbered(tree, "a", DIRS);
			b = tree_random(2) ? numbered(tree, "a", DIRS) : numbered(links, "d", DIRS);
			break;
		case 1:
			b = numbered(links, "f", CONTENTS);
			break;
		default:
			break;
		}
		syscall(SYS_renameat2, a.dir, a.name, b.dir, b.name, 2 /* RENAME_EXCHANGE */);
		if (tree_random(3) == 0)
			usleep(tree_random(300));
	}
}

/* A duplicate becomes unique. Returns false if filch has linked or deleted it meanwhile. */
static bool make_unique(const char *name, unsigned number)
{
	struct timespec times[2];
	struct stat s;
	int fd = open(name, O_RDWR | O_NOFOLLOW);
	bool mine = fd >= 0 && !fstat(fd, &s) && s.st_nlink == 1;

	if (mine) {
		times[0] = s.st_atim;
		times[1] = s.st_mtim;
		tree_write(fd, number);
		futimens(fd, times);
		mine = !fstat(fd, &s) && s.st_nlink == 1;
	}
	if (fd >= 0)
		close(fd);
	return mine;
}

static void write_files(unsigned id)
{
	unsigned number = 1000000 * (id + 1);
	char name[64], temporary[64];

	snprintf(name, sizeof(name), "t/s/%u", id);
	snprintf(temporary, sizeof(temporary), "t/s/.%u", id);
	for (;;) {
		unlink(temporary);
		tree_make(temporary, tree_random(CONTENTS));
		if (rename(temporary, name))
			tree_die("rename");
		usleep(tree_random(3000));
		if (!make_unique(name, ++number))
			continue;
		usleep(tree_random(6000));
		if (tree_content(AT_FDCWD, name) != (long)number) {
			fprintf(stderr, "FAILED: %s has lost content %u\n", name, number);
			_exit(1);
		}
	}
}

/* ---- the test ---- */

static void state_of_outside(char *out, size_t size)
{
	FILE *p = popen("cd outside && ls -A | sort && stat -c '%n %i %h %s %Y %Z %f' . * && cat *", "r");
	size_t n = p ? fread(out, 1, size - 1, p) : 0;

	if (!p || pclose(p) || !n)
		tree_die("outside");
	out[n] = 0;
}

static void make_all(void)
{
	if (system("rm -rf t outside"))
		tree_die("rm");
	make_tree();
	if (!geteuid() && system("chown -hR 65534:65534 t outside"))
		tree_die("chown");
}

static pid_t start(unsigned id)
{
	pid_t pid = fork();

	if (pid < 0)
		tree_die("fork");
	if (!pid) {
		become_user();
		if (id)
			write_files(id - 1);
		else
			move();
	}
	return pid;
}

/* The process runs until it is killed, unless it has found a loss. */
static bool stop(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static void add_results(unsigned *done, unsigned *left)
{
	FILE *in = fopen("out", "r");
	char line[1024];
	unsigned a, b;
	char word[32];

	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "# %u files %31[a-z], %u left", &a, word, &b) == 3) {
			*done += a;
			*left += b;
		}
	if (in)
		fclose(in);
}

static void act(unsigned *done, unsigned *left)
{
	static char *const actions[] = {"--link", "--delete", "--link", "--symlink"};
	char *args[] = {filch, "dupes", actions[tree_random(4)], "--yes", "--workers", "2", "t", NULL};
	int status;

	if (waitpid(tree_run(args, "out"), &status, 0) < 0 || !WIFEXITED(status) ||
	    (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 3)) {
		fprintf(stderr, "FAILED: filch dupes ended with status %x\n", (unsigned)status);
		exit(1);
	}
	add_results(done, left);
}

/* All contents are somewhere in the tree, perhaps with another name, and no folder of filch is left behind. */
static bool check_tree(void)
{
	unsigned counts[CONTENTS] = {0}, others = 0;
	bool good = true;

	tree_count(open("t", O_RDONLY | O_DIRECTORY), counts, CONTENTS, &others);
	for (unsigned i = 0; i < CONTENTS; i++)
		if (!counts[i]) {
			fprintf(stderr, "FAILED: content %u is lost\n", i);
			good = false;
		}
	if (system("test -z \"$(find t -name '.filch-*')\"")) {
		fprintf(stderr, "FAILED: a folder is left behind\n");
		good = false;
	}
	return good;
}

static bool play_round(unsigned *done, unsigned *left)
{
	static char before[1 << 20], after[1 << 20];
	pid_t pids[1 + SCRATCH];
	bool good;

	make_all();
	state_of_outside(before, sizeof(before));
	for (unsigned i = 0; i < 1 + SCRATCH; i++)
		pids[i] = start(i);
	for (unsigned i = 0; i < 6; i++)
		act(done, left);
	good = true;
	for (unsigned i = 0; i < 1 + SCRATCH; i++)
		good = stop(pids[i]) && good;
	state_of_outside(after, sizeof(after));
	if (strcmp(before, after) != 0) {
		fprintf(stderr, "FAILED: the folder outside has changed\n");
		good = false;
	}
	return check_tree() && good;
}

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 3 ? atoi(argv[3]) : 0);
	unsigned rounds = 0, done = 0, left = 0;
	bool good = true;

	if (argc < 4 || chdir(argv[2]) || chmod(".", 0755))
		return 2;
	filch = argv[1];
	do {
		good = play_round(&done, &left);
		rounds++;
	} while (good && time(NULL) < end);
	printf("%u rounds, %u files changed, %u left as they are\n", rounds, done, left);
	/* Without actions and refusals the test has shown nothing. */
	return good && done && left ? 0 : 1;
}
