/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <string.h>

/* As in bench/workloads/common/workload.h. */
static const struct filchi_programs_workload workloads[] = {
	{"fib", "task", "35", "42", "50", "25", "30", "35"},
	{"queens", "queen", "10", "12", "15", NULL, NULL, "13"},
#ifdef FILCHI_WORKLOAD_UTS
	{"uts", "node", "T3", "T3", "T1,T2,T3,T2L,T3L", NULL, NULL, NULL},
#endif
	{"matmul", "multiplication", "256", "1024", "4096", NULL, NULL, "2048"},
	{"quicksort", "number", "1000000", "10000000", "10000000", NULL, NULL, NULL},
	{"cilksort", "number", "1000000", "10000000", "10000000", NULL, NULL, NULL},
	{"sort", "number", "1000000", "10000000", "100000000", NULL, NULL, NULL},
	{"integrate", "run", "300", "1000", "1000", NULL, NULL, NULL},
	{"knapsack", "run", "40", "50", "60", NULL, NULL, NULL},
	{"dag", "node", "500000", "2500000", "2500000,300000000", NULL, NULL, NULL},
	{"strassen", "multiplication", "256", "1024", "2048", NULL, NULL, NULL},
	{"saxpy", "addition", "1000000", "10000000", "100000000", NULL, NULL, NULL},
	{"histogram", "byte", "10000000", "100000000", "500000000", NULL, NULL, NULL},
	{"mandelbrot", "point", "256", "1000", "4000", NULL, NULL, NULL},
};

static const struct {
	const char *name, *needs;
} programs[] = {
	{"serial", "nothing"},
	{"filch", "nothing"},
	{"filch-clang", "clang"},
	{"libgomp", "gcc"},
	{"libomp", "clang and libomp-dev"},
	{"tbb", "g++ and libtbb-dev"},
};

const struct filchi_programs_workload *filchi_programs_workload(unsigned n)
{
	return n < sizeof(workloads) / sizeof(workloads[0]) ? &workloads[n] : NULL;
}

const struct filchi_programs_workload *filchi_programs_find(const char *name, size_t length)
{
	const struct filchi_programs_workload *workload;

	for (unsigned i = 0; (workload = filchi_programs_workload(i)); i++)
		if (strlen(workload->name) == length && !memcmp(workload->name, name, length))
			return workload;
	return NULL;
}

const char *filchi_programs_name(unsigned n)
{
	return n < sizeof(programs) / sizeof(programs[0]) ? programs[n].name : NULL;
}

const char *filchi_programs_needs(const char *name)
{
	for (unsigned i = 0; filchi_programs_name(i); i++)
		if (!strcmp(programs[i].name, name))
			return programs[i].needs;
	return "nothing";
}
