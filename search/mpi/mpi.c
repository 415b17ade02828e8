/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transport on MPI: a plug-in, compiled once for each MPI. One thread at a time calls it. No call waits: sends are
 * kept until MPI is done with them, and a receive is begun when a message is there.
 */
#define _DEFAULT_SOURCE
#include "plugin.h"

#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAG 1

struct pending {
	MPI_Request request;
	void *bytes;
};

struct own {
	struct own *next;
	void *bytes;
	size_t size;
};

struct mpi_net {
	struct filchi_net net; /* first */
	MPI_Comm comm;
	int began; /* MPI was started here */
	struct pending *sends;
	int count, room;
	struct own *own, **own_end; /* messages of this rank to itself */
	MPI_Request receiving;
	void *bytes; /* of the receive under way; NULL: none */
	size_t size;
	int from;
};

static int send_own(struct mpi_net *n, void *bytes, size_t size)
{
	struct own *o = malloc(sizeof(*o));

	if (!o) {
		free(bytes);
		return -ENOMEM;
	}
	*o = (struct own){NULL, bytes, size};
	*n->own_end = o;
	n->own_end = &o->next;
	return 0;
}

static int send_to(struct filchi_net *net, int to, void *bytes, size_t size)
{
	struct mpi_net *n = (struct mpi_net *)net;

	if (to == net->rank)
		return send_own(n, bytes, size);
	if (n->count == n->room) {
		int room = n->room ? 2 * n->room : 64;
		struct pending *more = realloc(n->sends, (size_t)room * sizeof(*more));

		if (!more) {
			free(bytes);
			return -ENOMEM;
		}
		n->sends = more;
		n->room = room;
	}
	if (size > INT_MAX || MPI_Isend(bytes, (int)size, MPI_BYTE, to, TAG, n->comm, &n->sends[n->count].request)) {
		free(bytes);
		return size > INT_MAX ? -EMSGSIZE : -EIO;
	}
	n->sends[n->count++].bytes = bytes;
	return 0;
}

static int poll_sends(struct filchi_net *net)
{
	struct mpi_net *n = (struct mpi_net *)net;
	int kept = 0;

	for (int i = 0; i < n->count; i++) {
		MPI_Status status;
		int done;

		if (MPI_Test(&n->sends[i].request, &done, &status))
			return -EIO;
		if (done)
			free(n->sends[i].bytes);
		else
			n->sends[kept++] = n->sends[i];
	}
	n->count = kept;
	return kept;
}

static int receive_own(struct mpi_net *n, int *from, void **bytes, size_t *size)
{
	struct own *o = n->own;

	n->own = o->next;
	if (!n->own)
		n->own_end = &n->own;
	*from = n->net.rank;
	*bytes = o->bytes;
	*size = o->size;
	free(o);
	return 1;
}

/* Begins a receive if a message is there. The first probe after a pause only moves messages on, so there are two. */
static int begin_receive(struct mpi_net *n)
{
	MPI_Status status;
	int there = 0, size;

	for (int i = 0; i < 2 && !there; i++)
		if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, n->comm, &there, &status))
			return -EIO;
	if (!there)
		return 0;
	if (MPI_Get_count(&status, MPI_BYTE, &size))
		return -EIO;
	n->bytes = malloc((size_t)size + 1);
	if (!n->bytes)
		return -ENOMEM;
	n->size = (size_t)size;
	n->from = status.MPI_SOURCE;
	return MPI_Irecv(n->bytes, size, MPI_BYTE, n->from, TAG, n->comm, &n->receiving) ? -EIO : 1;
}

static int receive(struct filchi_net *net, int *from, void **bytes, size_t *size)
{
	struct mpi_net *n = (struct mpi_net *)net;
	MPI_Status status;
	int done, err;

	if (n->own)
		return receive_own(n, from, bytes, size);
	if (!n->bytes && (err = begin_receive(n)) <= 0)
		return err;
	if (MPI_Test(&n->receiving, &done, &status))
		return -EIO;
	if (!done)
		return 0;
	*from = n->from;
	*bytes = n->bytes;
	*size = n->size;
	n->bytes = NULL;
	return 1;
}

static int start_mpi(struct mpi_net *n, int *local)
{
	int level = 0, running = 0;
	MPI_Comm machine;

	MPI_Initialized(&running);
	if (running)
		MPI_Query_thread(&level);
	else if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level))
		return -EIO;
	n->began = !running;
	if (level < MPI_THREAD_SERIALIZED)
		return -ENOTSUP;
	if (MPI_Comm_dup(MPI_COMM_WORLD, &n->comm) || MPI_Comm_rank(n->comm, &n->net.rank) ||
	    MPI_Comm_size(n->comm, &n->net.ranks) ||
	    MPI_Comm_split_type(n->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine))
		return -EIO;
	MPI_Comm_size(machine, local);
	MPI_Comm_free(&machine);
	return 0;
}

static int open_net(struct filchi_net **out, int *local)
{
	struct mpi_net *n = calloc(1, sizeof(*n));
	int err;

	if (!n)
		return -ENOMEM;
	n->net.send = send_to;
	n->net.receive = receive;
	n->net.poll = poll_sends;
	n->own_end = &n->own;
	err = start_mpi(n, local);
	if (err) {
		free(n);
		return err;
	}
	*out = &n->net;
	return 0;
}

static void close_net(struct filchi_net *net, int failed, int orphan)
{
	struct mpi_net *n = (struct mpi_net *)net;

	if (failed && !orphan)
		MPI_Abort(MPI_COMM_WORLD, failed);
	while (!orphan && poll_sends(net) > 0)
		usleep(100);
	for (struct own *next; n->own; n->own = next) {
		next = n->own->next;
		free(n->own->bytes);
		free(n->own);
	}
	if (!orphan) {
		MPI_Comm_free(&n->comm);
		if (n->began)
			MPI_Finalize();
	}
	free(n->sends);
	free(n);
}

extern const struct filchi_ranks_plugin filch_search_mpi_plugin;
__attribute__((visibility("default")))
const struct filchi_ranks_plugin filch_search_mpi_plugin = {FILCHI_PLUGIN_VERSION, open_net, close_net};
