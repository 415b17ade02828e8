/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "pin.h"

#include <sched.h>
#include <stdio.h>

static cpu_set_t usable; /* of the first 1024 CPUs, the size of cpu_set_t */
static unsigned short cpus[CPU_SETSIZE];
static unsigned cpu_count;

/* True if this CPU is the first one of its core. */
static bool first_of_core(int cpu)
{
	char path[96];
	int first = cpu;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
	f = fopen(path, "r");
	if (f) {
		if (fscanf(f, "%d", &first) != 1)
			first = cpu;
		fclose(f);
	}
	return first == cpu;
}

unsigned filchi_pin_cpus(void)
{
	if (cpu_count || sched_getaffinity(0, sizeof(usable), &usable))
		return cpu_count;
	for (int first = 1; first >= 0; first--)
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET((size_t)cpu, &usable) && first_of_core(cpu) == first)
				cpus[cpu_count++] = (unsigned short)cpu;
	return cpu_count;
}

void filchi_pin(unsigned place)
{
	unsigned count = filchi_pin_cpus();
	cpu_set_t one;

	if (count < 2)
		return;
	CPU_ZERO(&one);
	CPU_SET(cpus[place ? 1 + (place - 1) % (count - 1) : 0], &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		filchi_unpin(); /* else it stays on the CPU of its parent, beside another thread */
}

void filchi_unpin(void)
{
	if (filchi_pin_cpus())
		sched_setaffinity(0, sizeof(usable), &usable);
}
