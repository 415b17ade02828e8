/* SPDX-License-Identifier: Apache-2.0 */
/* Trees for tests of filch dupes: each content has a number, and a file shows which one it has. */
#ifndef FILCHI_TEST_DUPES_TREE_H
#define FILCHI_TEST_DUPES_TREE_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TREE_SIZE 6000 /* bytes of each file */

static inline void tree_die(const char *what)
{
	fprintf(stderr, "FAILED: %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline uint32_t tree_random(uint32_t below)
{
	static uint64_t state;

	if (!state)
		state = (uint64_t)getpid() * 0x9e3779b97f4a7c15u ^ (uint64_t)time(NULL);
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 32) % below);
}

static inline void tree_fill(char *bytes, unsigned number)
{
	for (size_t i = 0; i + 8 <= TREE_SIZE; i += 8) {
		char word[16];

		snprintf(word, sizeof(word), "%07u\n", number % 10000000);
		memcpy(bytes + i, word, 8);
	}
}

static inline void tree_write(int fd, unsigned number)
{
	char bytes[TREE_SIZE];

	tree_fill(bytes, number);
	if (pwrite(fd, bytes, TREE_SIZE, 0) != TREE_SIZE)
		tree_die("write");
}

/* Makes a file. It must not exist. */
static inline void tree_make(const char *path, unsigned number)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);

	if (fd < 0)
		tree_die(path);
	tree_write(fd, number);
	close(fd);
}

/* The number of the content; -1: there is no such file, or its content is a mixture. */
static inline long tree_content(int dir, const char *name)
{
	char bytes[TREE_SIZE + 1], expected[TREE_SIZE];
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
	long number;

	if (fd >= 0)
		close(fd);
	if (n != TREE_SIZE)
		return -1;
	number = strtol(bytes, NULL, 10);
	tree_fill(expected, (unsigned)number);
	return memcmp(bytes, expected, TREE_SIZE) == 0 ? number : -1;
}

/* Counts the regular files of each content, without following symbolic links. Closes the directory. */
static inline void tree_count(int dir, unsigned *counts, size_t most, unsigned *others)
{
	DIR *d = fdopendir(dir);
	struct dirent *e;
	struct stat s;

	while (d && (e = readdir(d))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW))
			continue;
		if (S_ISDIR(s.st_mode)) {
			tree_count(openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY), counts, most, others);
		} else if (S_ISREG(s.st_mode)) {
			long number = tree_content(dirfd(d), e->d_name);

			if (number >= 0 && (size_t)number < most)
				counts[number]++;
			else
				++*others;
		}
	}
	if (d)
		closedir(d);
}

/* Starts a program with its output in a file. */
static inline pid_t tree_run(char *const argv[], const char *output)
{
	pid_t pid = fork();

	if (pid < 0)
		tree_die("fork");
	if (!pid) {
		int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0644);

		dup2(fd, 1);
		dup2(fd, 2);
		execv(argv[0], argv);
		_exit(127);
	}
	return pid;
}

#endif
