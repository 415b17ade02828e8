/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which MPI has started this program, and the plug-in for it.
 *
 * The plug-in is PREFIX-openmpi.so or PREFIX-mpich.so. PREFIX is filch/search-mpi in the folder of this library, in the
 * library folder beside the program, or in the folder where the build installs it. FILCH_MPI is the path of another
 * one.
 */
#define _GNU_SOURCE
#include "job.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number(const char *variable)
{
	const char *text = getenv(variable);
	char *end;
	long n = text && *text ? strtol(text, &end, 10) : 0;

	return text && *text && !*end && n > 0 && n <= INT_MAX ? (int)n : 0;
}

/* A batch script of Slurm has SLURM_NTASKS as well, but it is no rank. */
static bool is_slurm_step(void)
{
	return getenv("SLURM_PROCID") && getenv("SLURM_STEP_ID");
}

int filch_search_mpi_promised(void)
{
	int ranks = number("OMPI_COMM_WORLD_SIZE");

	if (!ranks)
		ranks = number("PMI_SIZE");
	if (!ranks && is_slurm_step())
		ranks = number("SLURM_NTASKS");
	return ranks;
}

static const char *flavour(void)
{
	if (getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK"))
		return "openmpi";
	if (getenv("PMI_RANK") || getenv("PMI_SIZE"))
		return "mpich";
	return "openmpi";
}

/* Opens FOLDER/MIDDLE/search-mpi-FLAVOUR.so. */
static void *try_folder(const char *folder, const char *middle, char *path, size_t size)
{
	snprintf(path, size, "%s/%s/search-mpi-%s.so", folder, middle, flavour());
	return access(path, R_OK) ? NULL : dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

/* The folder of a file, in its place. */
static void cut_name(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = '\0';
}

static void *try_folders(char *path, size_t size)
{
	static const char here = 0;
	char folder[PATH_MAX] = "";
	ssize_t length;
	void *object = NULL;
	Dl_info info;

	if (dladdr(&here, &info) && info.dli_fname) {
		snprintf(folder, sizeof(folder), "%s", info.dli_fname);
		cut_name(folder);
		object = try_folder(folder, "filch", path, size);
	}
	length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
	if (!object && length > 0) {
		folder[length] = '\0';
		cut_name(folder);
		object = try_folder(folder, "../" FILCHI_LIBDIR "/filch", path, size);
	}
	if (!object)
		object = try_folder(FILCHI_FULL_LIBDIR, "filch", path, size);
	return object;
}

int filchi_ranks_plugin_load(void **object, const struct filchi_ranks_plugin **plugin)
{
	const char *named = getenv("FILCH_MPI");
	char path[2 * PATH_MAX] = "";

	*object = named && *named ? dlopen(named, RTLD_NOW | RTLD_GLOBAL) : try_folders(path, sizeof(path));
	if (!*object && ((named && *named) || access(path, F_OK) == 0))
		return filchi_ranks_job_error(-ENOPKG, "cannot load the plug-in for MPI: %s", dlerror());
	if (!*object)
		return filchi_ranks_job_error(-ENOPKG, "this build of filch has no plug-in for %s",
					      !strcmp(flavour(), "openmpi") ? "Open MPI" : "MPICH");
	*plugin = dlsym(*object, FILCHI_PLUGIN_SYMBOL);
	if (*plugin && (*plugin)->version == FILCHI_PLUGIN_VERSION)
		return 0;
	dlclose(*object);
	return filchi_ranks_job_error(-ENOPKG, "%s is no plug-in of this version of filch",
				      named && *named ? named : path);
}
