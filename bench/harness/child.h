/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs another program from start to end, and reports its output, its duration and the resources that it used. Its
 * standard input is empty. A run ends when the program ends, even if one of its children still holds its output.
 */
#ifndef FILCHI_BENCH_CHILD_H
#define FILCHI_BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One output of a program: the beginning, as a string, and a hash of all of it. */
struct filchi_child_stream {
	char *text;    /* of the caller */
	size_t size;   /* room in text; 0: keep nothing */
	size_t length; /* bytes in text */
	uint64_t total, hash;
};

struct filchi_child {
	char *const *argv; /* the program, looked up in PATH if it has no slash, its arguments, NULL */
	char *const *environment;
	/* NULL: discarded. If both are the same, it has both in the order of writing. */
	struct filchi_child_stream *out, *err;
	/*
	 * True: the program gets its own process group, which is killed when the run ends, and signals of the
	 * terminal do not reach it. A signal that would end this program ends the run instead. From the first such
	 * run on, these signals are blocked until filchi_child_signals() is called.
	 */
	bool apart;
	double seconds; /* time limit, after which it is killed; 0: none. Only with apart. */
};

struct filchi_child_result {
	int status;		       /* as of wait */
	bool late;		       /* killed because of the time limit */
	int signal;		       /* the signal that ended the run; 0: none */
	double ns;		       /* wall time, from before the start */
	double cpu_ns;		       /* user and system time, also of children that it waited for */
	double peak_bytes;	       /* peak memory; never below that of the parent */
	double voluntary, involuntary; /* context switches */
};

/* 0, or -errno if the program could not be started. */
int filchi_child_run(const struct filchi_child *c, struct filchi_child_result *r);

/* Unblocks the signals that end this program. */
void filchi_child_signals(void);

/* Describes a status other than 0: "exit status 3", "signal 11 (Segmentation fault)". */
void filchi_child_why(int status, char *text, size_t size);

#endif
