/* SPDX-License-Identifier: Apache-2.0 */
/* Between the library and its plug-in for an MPI (mpi.c). */
#ifndef FILCHI_RANKS_PLUGIN_H
#define FILCHI_RANKS_PLUGIN_H

#include "net.h"

#define FILCHI_PLUGIN_SYMBOL "filch_search_mpi_plugin"
#define FILCHI_PLUGIN_VERSION 1

struct filchi_ranks_plugin {
	int version;
	/* Starts MPI. *local: ranks on this machine. 0 or an error. */
	int (*open)(struct filchi_net **net, int *local);
	/* Ends MPI when all messages have left. failed: ends all ranks at once. orphan: leaves MPI alone. */
	void (*close)(struct filchi_net *net, int failed, int orphan);
};

#endif
