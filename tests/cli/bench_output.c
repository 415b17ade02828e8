/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that appear whole or not at all: new files, replaced files, and files that are abandoned, killed, too large
 * or refused. All tests run three times: as the file system does it, without unnamed files (O_TMPFILE), and without
 * links to them (no /proc).
 */
#define _GNU_SOURCE

#include "../../bench/harness/output.h"
#include "../fixtures/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

static bool no_unnamed, no_links;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
	va_list list;
	mode_t mode;

	va_start(list, flags);
	mode = va_arg(list, mode_t);
	va_end(list);
	if (no_unnamed && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return __real_open(path, flags, mode);
}

int __real_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
	if (!no_links)
		return __real_linkat(from_folder, from, to_folder, to, flags);
	errno = ENOENT;
	return -1;
}

/* ---- in a new folder ---- */

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	TEST_CHECK(f && fputs(text, f) >= 0 && !fclose(f));
}

static void has(const char *path, const char *text)
{
	char found[64] = "";
	FILE *f = fopen(path, "r");

	TEST_CHECK(f && fread(found, 1, sizeof(found) - 1, f) == strlen(text) && !strcmp(found, text));
	fclose(f);
}

/* Counts all files, also hidden ones. */
static unsigned files(void)
{
	DIR *folder = opendir(".");
	unsigned count = 0;

	TEST_CHECK(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

static void begin(struct filchi_output *out, const char *path, const char *text)
{
	TEST_CHECK(!filchi_output_open(out, path));
	TEST_CHECK(fputs(text, out->file) >= 0 && !fflush(out->file));
}

static unsigned mode_of(const char *path)
{
	struct stat found;

	TEST_CHECK(!stat(path, &found));
	return found.st_mode & 07777;
}

/* Runs a function in a child, which ends as told: with exit code 0, or by the signal. */
static void in_child(void (*run)(void), int signal)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	TEST_CHECK(child >= 0);
	if (!child) {
		run();
		_exit(0);
	}
	TEST_CHECK(waitpid(child, &status, 0) == child);
	TEST_CHECK(signal ? WIFSIGNALED(status) && WTERMSIG(status) == signal : !status);
}

/* ---- scenarios ---- */

static void appears(void)
{
	struct filchi_output out;

	begin(&out, "file", "new");
	TEST_CHECK(!files());
	TEST_CHECK(!filchi_output_commit(&out));
	has("file", "new");
	TEST_CHECK(files() == 1 && mode_of("file") == 0644);
}

static void replaces(void)
{
	struct filchi_output out;
	char taken[64];

	put("file", "old");
	TEST_CHECK(!chmod("file", 0640) && !symlink("file", "link"));
	/* A name that another program has left does no harm. */
	snprintf(taken, sizeof(taken), ".filch-%ld-0", (long)getpid());
	put(taken, "taken");
	begin(&out, "link", "new");
	has("file", "old");
	TEST_CHECK(files() == 3);
	TEST_CHECK(!filchi_output_commit(&out));
	has("link", "new");
	has("file", "new");
	has(taken, "taken");
	TEST_CHECK(files() == 3 && mode_of("file") == 0640);
}

static void appeared_meanwhile(void)
{
	struct filchi_output out;

	begin(&out, "file", "new");
	put("file", "another's");
	TEST_CHECK(!filchi_output_commit(&out));
	has("file", "new");
	TEST_CHECK(files() == 1);
}

static void abandoned(void)
{
	struct filchi_output out;

	begin(&out, "file", "new");
	filchi_output_abandon(&out);
	TEST_CHECK(!files());
	put("file", "old");
	begin(&out, "file", "new");
	filchi_output_abandon(&out);
	has("file", "old");
	TEST_CHECK(files() == 1);
}

static void be_killed(void)
{
	struct filchi_output out;

	begin(&out, "file", "new");
	raise(SIGKILL);
}

static void killed(void)
{
	in_child(be_killed, SIGKILL);
	TEST_CHECK(!files());
	put("file", "old");
	in_child(be_killed, SIGKILL);
	has("file", "old");
	TEST_CHECK(files() == 1);
}

static void limit(rlim_t bytes)
{
	TEST_CHECK(!setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, bytes}));
}

static void write_too_much(void)
{
	struct filchi_output out;

	limit(2);
	TEST_CHECK(!filchi_output_open(&out, "file"));
	fputs("new", out.file);
	TEST_CHECK(filchi_output_commit(&out) == -EFBIG && !out.file);
}

/* The disk is full only when the file is complete: a file that can be linked is not copied. */
static void commit_too_much(void)
{
	bool copied = no_unnamed || no_links;
	struct filchi_output out;

	begin(&out, "file", "new");
	limit(2);
	TEST_CHECK(filchi_output_commit(&out) == (copied ? -EFBIG : 0));
}

static void too_large(void)
{
	in_child(write_too_much, 0);
	TEST_CHECK(!files());
	put("file", "old");
	in_child(write_too_much, 0);
	in_child(commit_too_much, 0);
	has("file", no_unnamed || no_links ? "old" : "new");
	TEST_CHECK(files() == 1);
}

static void not_allowed(void)
{
	struct filchi_output out;

	if (!geteuid())
		TEST_CHECK(!setresuid(NOBODY, NOBODY, NOBODY));
	TEST_CHECK(filchi_output_open(&out, "closed/new") == -EACCES);
	TEST_CHECK(filchi_output_open(&out, "open/closed") == -EACCES);
	begin(&out, "open/new", "new");
	TEST_CHECK(!filchi_output_commit(&out));
}

static void refused(void)
{
	struct filchi_output out;
	char name[257];

	TEST_CHECK(!mkdir("closed", 0555) && !mkdir("open", 0777) && !chmod("open", 0777) && !chmod(".", 0755));
	put("open/closed", "old");
	TEST_CHECK(!chmod("open/closed", 0444));
	in_child(not_allowed, 0);
	has("open/new", "new");
	TEST_CHECK(filchi_output_open(&out, "open") == -EISDIR);
	TEST_CHECK(filchi_output_open(&out, "") == -ENOENT);
	TEST_CHECK(filchi_output_open(&out, "missing/file") == -ENOENT);
	TEST_CHECK(filchi_output_open(&out, "open/new/file") == -ENOTDIR);
	TEST_CHECK(filchi_output_open(&out, "/proc/filch") < 0);
	memset(name, 'x', 256);
	name[256] = '\0';
	TEST_CHECK(filchi_output_open(&out, name) == -ENAMETOOLONG);
	TEST_CHECK(files() == 2);
	/* The longest possible name: the temporary name is not longer. */
	name[255] = '\0';
	begin(&out, name, "new");
	TEST_CHECK(!filchi_output_commit(&out));
	has(name, "new");
}

static void named(void)
{
	TEST_CHECK(!strcmp(filchi_output_name("-"), "standard output"));
	TEST_CHECK(!strcmp(filchi_output_name(""), "''"));
	TEST_CHECK(!strcmp(filchi_output_name("file"), "file"));
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"appears", appears},	  {"replaces", replaces}, {"appeared_meanwhile", appeared_meanwhile},
		{"abandoned", abandoned}, {"killed", killed},	  {"too_large", too_large},
		{"refused", refused},	  {"named", named},
	};
	char folder[64], command[80];

	umask(022);
	for (size_t i = 0; i < 3 * sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		strcpy(folder, "/tmp/filch-output-XXXXXX");
		TEST_CHECK(mkdtemp(folder) && !chdir(folder));
		no_unnamed = i % 3 == 1;
		no_links = i % 3 == 2;
		test_run(&scenarios[i / 3], 1);
		snprintf(command, sizeof(command), "rm -rf %s", folder);
		TEST_CHECK(!chdir("/") && !system(command));
	}
	return TEST_PASS;
}
