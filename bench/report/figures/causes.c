/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why filch loses where it does: what profiles of both programs, and experiments, have shown. How each was found out is
 * in the comment above it. A cause explains a loss of a certain size: a larger one wants another look.
 */
#include "own.h"

#include <string.h>

static const struct cause {
	const char *workload; /* NULL: any */
	const char *other;    /* NULL: any */
	unsigned workers;     /* 0: any number */
	bool memory;
	double up_to; /* how many times that of the other */
	const char *text;
} causes[] = {
	/*
	 * perf has all of them in the function for a block, and nothing of the runtime. The least CPU time of 40 runs
	 * of size 512: 23.1 ms with filch, 22.7 libgomp, 23.2 libomp, 22.9 tbb, 22.9 serial. A first run in a process
	 * takes 31 ms with each of them, the following ones 22.
	 */
	{"strassen", NULL, 0, false, 1.10,
	 "a tie: in both nearly all is the same product of blocks, and in a first run, the serial one too, a quarter "
	 "is "
	 "the kernel's, which gives out fresh memory for the temporary matrices, sometimes faster, sometimes slower"},
	/* Likewise: 11.6 ms with filch, 11.8 libgomp, 12.2 libomp, 11.5 tbb for 256. */
	{"matmul", NULL, 0, false, 1.05, "a tie: in both nearly all is the same product of blocks"},
	/* Likewise: 203.2 ms with filch, 203.0 libgomp, 202.3 libomp, 203.1 tbb for 512. */
	{"mandelbrot", NULL, 0, false, 1.03, "a tie: in both nearly all is the same computation of a row"},
	/* Likewise: 84.2 ms with filch and 84.0 libgomp, 60.4 with filch and libomp by clang, for 1,000,000. */
	{"cilksort", NULL, 0, false, 1.03, "a tie: in both nearly all is the same merging and sorting of small parts"},
	/*
	 * With one worker all of them run the same instructions over the same arrays in one thread: 0.479 ns with
	 * filch, 0.480 serial, 0.467 libgomp, 0.461 libomp, 0.464 tbb, medians of 25. With the second array of a plain
	 * C program put elsewhere, 128 MB less a page away, the same loop takes 1.1 to 1.3 times as long.
	 */
	{"saxpy", NULL, 0, false, 1.10,
	 "a tie: in both nearly all is waiting for memory, and where in it the arrays are makes the greater "
	 "difference"},
	/*
	 * By /proc/PID/smaps, mandelbrot with one worker: of 4.8 MB libc has 1.5, libcrypto 1.4, libm 0.3 with each;
	 * what these have differs from run to run by up to 130 kB, as the kernel maps pages around those that are asked
	 * for. Beyond the serial program filch has 50 kB and 40 for each further worker, and its code; libgomp has 290
	 * kB.
	 */
	{NULL, "libgomp", 0, true, 1.05,
	 "a tie: what the C library has in memory differs by more from run to run; filch itself takes 50 kB, and 40 "
	 "for "
	 "each further worker"},
};

static bool applies(const struct cause *c, const char *workload, const char *other, unsigned workers)
{
	return (!c->workload || !strcmp(c->workload, workload)) && (!c->other || !strcmp(c->other, other)) &&
	       (!c->workers || c->workers == workers);
}

const char *filchi_cause(const char *workload, const char *other, unsigned workers, bool memory, double times)
{
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (applies(&causes[i], workload, other, workers) && causes[i].memory == memory &&
		    times <= causes[i].up_to)
			return causes[i].text;
	return "cause not known yet";
}
