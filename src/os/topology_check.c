/* SPDX-License-Identifier: Apache-2.0 */
/* A machine for the checker: two cores that share a cache. */
#include "topology.h"

#include "../base/mem.h"

#include <errno.h>
#include <string.h>

enum { CPUS = 2 };

int filchi_topology_read(struct filchi_topology *p, const char *root)
{
	(void)root;
	memset(p, 0, sizeof(*p));
	p->cpus = filchi_alloc_array(0, CPUS, sizeof(*p->cpus));
	if (!p->cpus)
		return -ENOMEM;
	for (int i = 0; i < CPUS; i++)
		p->cpus[i] = (struct filchi_topology_cpu){.cpu = i, .in = {[FILCHI_TOPOLOGY_CORE] = i}};
	p->limit = p->online = p->cpu_count = CPUS;
	return 0;
}

int filchi_topology_map(struct filchi_topology *p, const char *root, enum filchi_topology_source source)
{
	(void)p;
	(void)root;
	(void)source;
	return 0;
}

void filchi_topology_free(struct filchi_topology *p)
{
	filchi_free(p->cpus);
	memset(p, 0, sizeof(*p));
}

int filchi_topology_pin(int cpu)
{
	return cpu < 0 || cpu >= CPUS ? -EINVAL : 0;
}
