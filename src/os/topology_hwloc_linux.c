/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances of CPUs, from hwloc. This needs the header of hwloc in the build, and its library when a program runs.
 *
 * filch loads hwloc at its first use and does not link it. Linked, it would keep programs from starting on machines
 * without hwloc, and each program that links libfilch.a would have to name it. filch also looks up the functions that
 * load libraries: a static program does not have them, and must not load a library.
 */
#define _GNU_SOURCE

#include "topology_parts.h"

#include <errno.h>

#ifndef FILCHI_HWLOC

int filchi_topology_hwloc(struct filchi_topology *p)
{
	(void)p;
	return -ENOENT;
}

#else

#include <dlfcn.h>
#include <hwloc.h>
#include <string.h>

#pragma weak dlsym /* before glibc 2.34 it is in libdl, which programs need not link for this */

/* This name covers all of hwloc 2, which keeps the functions that are used here. */
#define LIBRARY "libhwloc.so.15"

struct hwloc {
	__typeof__(dlopen) *open;
	__typeof__(dlclose) *close;
	void *library;
	__typeof__(hwloc_get_api_version) *get_api_version;
	__typeof__(hwloc_topology_init) *init;
	__typeof__(hwloc_topology_set_flags) *set_flags;
	__typeof__(hwloc_topology_load) *load;
	__typeof__(hwloc_topology_destroy) *destroy;
	__typeof__(hwloc_get_type_depth) *type_depth;
	__typeof__(hwloc_get_nbobjs_by_depth) *count_by_depth;
	__typeof__(hwloc_get_obj_by_depth) *by_depth;
};

/* C has no cast from a pointer to data to a pointer to a function. */
static bool find(void *library, void *function, const char *name)
{
	void *found = dlsym(library, name);

	memcpy(function, &found, sizeof(found));
	return found;
}

static bool open_library(struct hwloc *h)
{
	void *l;

	if (!dlsym || !find(RTLD_DEFAULT, &h->open, "dlopen") || !find(RTLD_DEFAULT, &h->close, "dlclose"))
		return false;
	l = h->library = h->open(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!l)
		return false;
	if (find(l, &h->get_api_version, "hwloc_get_api_version") && find(l, &h->init, "hwloc_topology_init") &&
	    find(l, &h->set_flags, "hwloc_topology_set_flags") && find(l, &h->load, "hwloc_topology_load") &&
	    find(l, &h->destroy, "hwloc_topology_destroy") && find(l, &h->type_depth, "hwloc_get_type_depth") &&
	    find(l, &h->count_by_depth, "hwloc_get_nbobjs_by_depth") &&
	    find(l, &h->by_depth, "hwloc_get_obj_by_depth") && h->get_api_version() >> 16 == HWLOC_API_VERSION >> 16)
		return true;
	h->close(l);
	return false;
}

/* No two objects of a topology have the same number. */
static void set(struct filchi_topology_cpu *cpu, enum filchi_topology_level level, hwloc_obj_t object)
{
	cpu->in[level] = (int)object->gp_index;
}

/* Walks from the CPU outwards. Keeps the last cache, and the first object that has memory. */
static void take(struct filchi_topology_cpu *cpu, hwloc_obj_t object)
{
	for (; object; object = object->parent) {
		if (object->type == HWLOC_OBJ_CORE)
			set(cpu, FILCHI_TOPOLOGY_CORE, object);
		if (object->type >= HWLOC_OBJ_L1CACHE && object->type <= HWLOC_OBJ_L5CACHE)
			set(cpu, FILCHI_TOPOLOGY_CACHE, object);
		if (object->type == HWLOC_OBJ_PACKAGE)
			set(cpu, FILCHI_TOPOLOGY_PACKAGE, object);
		if (object->memory_arity && cpu->in[FILCHI_TOPOLOGY_NODE] < 0)
			set(cpu, FILCHI_TOPOLOGY_NODE, object);
	}
}

/*
 * hwloc must know all CPUs of p. If it does not, a variable may have told it to describe another machine.
 */
static int take_all(const struct hwloc *h, hwloc_topology_t topology, struct filchi_topology *p)
{
	int depth = h->type_depth(topology, HWLOC_OBJ_PU);
	unsigned count = h->count_by_depth(topology, depth), taken = 0;

	for (unsigned i = 0; i < count; i++) {
		hwloc_obj_t object = h->by_depth(topology, depth, i);
		unsigned at = filchi_topology_find(p, (int)object->os_index);

		if (at < p->cpu_count && p->cpus[at].cpu == (int)object->os_index) {
			take(&p->cpus[at], object);
			taken++;
		}
	}
	return taken == p->cpu_count ? 0 : -ENOENT;
}

int filchi_topology_hwloc(struct filchi_topology *p)
{
	int error = -ENOENT;
	hwloc_topology_t topology;
	struct hwloc h;

	if (!open_library(&h))
		return -ENOENT;
	if (!h.init(&topology)) {
		/* Without the flag, which came with 2.5, hwloc moves the calling thread to each CPU in turn. */
		if (!h.set_flags(topology, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING) && !h.load(topology))
			error = take_all(&h, topology, p);
		h.destroy(topology);
	}
	h.close(h.library);
	return error;
}

#endif
