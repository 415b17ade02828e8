/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another program, run from start to end: what it writes, how long it takes, what the system says that it has used.
 * It reads nothing. A run ends when the program does, even if something that it has started still holds its output.
 */
#ifndef FILCHI_BENCH_CHILD_H
#define FILCHI_BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is written to one of its outputs: the beginning, as a string, and a hash of all of it. */
struct filchi_child_stream {
	char *text;    /* of the caller */
	size_t size;   /* room there; 0: keeps nothing */
	size_t length; /* of what is kept */
	uint64_t total, hash;
};

struct filchi_child {
	char *const *argv; /* argv[0] is looked for in PATH unless it has a slash; then NULL */
	char *const *environment;
	/* NULL: thrown away. One that is both has both in the order in which they were written. */
	struct filchi_child_stream *out, *err;
	/*
	 * In a process group of its own, which is killed when the run ends; so it does not see what the terminal sends.
	 * A signal that would end this program ends the run instead: it is held back from the first such run on, until
	 * filchi_child_signals() is called.
	 */
	bool apart;
	double seconds; /* at most, then it is killed; 0: no limit. Only with apart. */
};

struct filchi_child_result {
	int status;	   /* as of wait */
	bool late;	   /* killed as it took too long */
	int signal;	   /* that ended the run; 0: none did */
	double ns;	   /* wall time, from before it was started */
	double cpu_ns;	   /* user and system, with that of its children that it waited for */
	double peak_bytes; /* the most memory in use; the least that can be seen is that of the program which started it
			    */
	double voluntary, involuntary; /* context switches */
};

/* 0 or -errno: it could not be started. */
int filchi_child_run(const struct filchi_child *c, struct filchi_child_result *r);

/* Signals that end this program do so again. */
void filchi_child_signals(void);

/* "exit status 3", "signal 11 (Segmentation fault)": a status other than 0, for people. */
void filchi_child_why(int status, char *text, size_t size);

#endif
