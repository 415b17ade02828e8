/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The causes of losses of filch, found by profiles of both programs and by experiments. The comment above a cause
 * says how it was found. A cause explains a loss up to a size; a larger loss needs a new analysis.
 */
#include "own.h"

#include <string.h>

static const struct cause {
	const char *workload; /* NULL: any */
	const char *other;    /* NULL: any */
	unsigned workers;     /* 0: any number */
	bool memory;
	double up_to; /* largest ratio to the other that it explains */
	const char *text;
} causes[] = {
	/*
	 * perf finds all samples in the function for a block, and none in a runtime. The least CPU time of 40 runs
	 * of size 512: 23.1 ms with filch, 22.7 libgomp, 23.2 libomp, 22.9 tbb, 22.9 serial. The first run in a
	 * process takes 31 ms with each runtime, later runs 22.
	 */
	{"strassen", NULL, 0, false, 1.10,
	 "a tie: in both nearly all is the same product of blocks, and in a first run, the serial one too, a quarter "
	 "is "
	 "the kernel's, which gives out fresh memory for the temporary matrices, sometimes faster, sometimes slower"},
	/* In the same way, for 256: 11.6 ms with filch, 11.8 libgomp, 12.2 libomp, 11.5 tbb. */
	{"matmul", NULL, 0, false, 1.05, "a tie: in both nearly all is the same product of blocks"},
	/* In the same way, for 512: 203.2 ms with filch, 203.0 libgomp, 202.3 libomp, 203.1 tbb. */
	{"mandelbrot", NULL, 0, false, 1.03, "a tie: in both nearly all is the same computation of a row"},
	/*
	 * In the same way, for 1,000,000: 84.2 ms with filch and 84.0 libgomp; compiled by clang 60.4 with filch
	 * and libomp.
	 */
	{"cilksort", NULL, 0, false, 1.03, "a tie: in both nearly all is the same merging and sorting of small parts"},
	/*
	 * With one worker all runtimes run the same instructions over the same arrays in one thread. Medians of 25:
	 * 0.479 ns with filch, 0.480 serial, 0.467 libgomp, 0.461 libomp, 0.464 tbb. If the second array of a plain
	 * C program is at another address, 128 MB less a page away, the same loop takes 1.1 to 1.3 times as long.
	 */
	{"saxpy", NULL, 0, false, 1.10,
	 "a tie: in both nearly all is waiting for memory, and where in it the arrays are makes the greater "
	 "difference"},
	/*
	 * From /proc/PID/smaps of mandelbrot with one worker: of 4.8 MB libc has 1.5, libcrypto 1.4 and libm 0.3
	 * with each runtime. These differ from run to run by up to 130 kB, because the kernel also maps pages
	 * around the requested ones. Beyond the serial program filch has 50 kB, 40 kB for each further worker, and
	 * its code; libgomp has 290 kB.
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
