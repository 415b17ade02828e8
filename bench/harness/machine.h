/* SPDX-License-Identifier: Apache-2.0 */
/* Where numbers were measured and how the program was built: without that they mean nothing to anyone else. */
#ifndef FILCHI_BENCH_MACHINE_H
#define FILCHI_BENCH_MACHINE_H

#include <stdbool.h>

struct filchi_machine {
	char cpu[128];
	unsigned cpus_online;
	unsigned cpus_usable; /* by this process: its affinity */
	char kernel[256];
	char governor[32]; /* of frequency scaling, of the first CPU; "" where the system does not say */
	const char *compiler;
	const char *flags;
	const char *version; /* of filch */
	const char *commit;  /* NULL if not built from git */
	bool optimized;	     /* neither a debug build nor one with a sanitizer */
};

void filchi_machine(struct filchi_machine *m);

#endif
