/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "usage.h"

#include "../../src/base/clock.h"

#include <sys/resource.h>
#include <time.h>

struct filchi_switches filchi_switches(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage))
		return (struct filchi_switches){0, 0};
	return (struct filchi_switches){usage.ru_nvcsw, usage.ru_nivcsw};
}

struct filchi_switches filchi_switches_since(struct filchi_switches before)
{
	struct filchi_switches now = filchi_switches();

	return (struct filchi_switches){now.voluntary - before.voluntary, now.involuntary - before.involuntary};
}

double filchi_cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double ns_of(struct timeval time)
{
	return (double)time.tv_sec * 1e9 + (double)time.tv_usec * 1e3;
}

struct filchi_usage filchi_usage(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		return (struct filchi_usage){0, {0, 0}};
	return (struct filchi_usage){ns_of(usage.ru_utime) + ns_of(usage.ru_stime), {usage.ru_nvcsw, usage.ru_nivcsw}};
}

struct filchi_usage filchi_usage_since(struct filchi_usage before)
{
	struct filchi_usage now = filchi_usage();

	now.cpu_ns -= before.cpu_ns;
	now.switches.voluntary -= before.switches.voluntary;
	now.switches.involuntary -= before.switches.involuntary;
	return now;
}

double filchi_clock_cost_ns(void)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < 1000; i++) {
		uint64_t start = filchi_clock_ns(), took = filchi_clock_ns() - start;

		least = took < least ? took : least;
	}
	return (double)least;
}
