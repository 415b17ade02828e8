/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transport between ranks: three functions, none of which blocks. mpi.c has them for MPI, sim/net.c for a simulated
 * network. Messages of one rank to another one arrive in the order in which they were sent. Nothing else is promised.
 * One thread at a time uses a transport.
 */
#ifndef FILCHI_RANKS_NET_H
#define FILCHI_RANKS_NET_H

#include <stddef.h>

struct filchi_net {
	int rank, ranks;
	/* Sends size bytes, which malloc() has made. The transport frees them, also after an error. 0 or an error. */
	int (*send)(struct filchi_net *net, int to, void *bytes, size_t size);
	/* 1: *bytes has a message of rank *from, which the caller frees. 0: there is none now. Or an error. */
	int (*receive)(struct filchi_net *net, int *from, void **bytes, size_t *size);
	/* Moves messages on. How many have not left this rank yet, or an error. */
	int (*poll)(struct filchi_net *net);
};

#endif
