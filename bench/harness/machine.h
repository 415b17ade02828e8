/* SPDX-License-Identifier: Apache-2.0 */
/* The machine and the build. Without them, measured numbers mean nothing to other people. */
#ifndef FILCHI_BENCH_MACHINE_H
#define FILCHI_BENCH_MACHINE_H

#include <stdbool.h>

struct filchi_machine {
	char cpu[128];
	unsigned cpus_online;
	unsigned cpus_usable; /* CPUs in the affinity of this process */
	char kernel[256];
	char governor[32]; /* frequency governor of the first CPU; "": unknown */
	const char *compiler;
	const char *flags;
	const char *version; /* of filch */
	const char *commit;  /* NULL: not built from git */
	bool optimized;	     /* neither a debug build nor a build with a sanitizer */
};

void filchi_machine(struct filchi_machine *m);

#endif
