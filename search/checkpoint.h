/* SPDX-License-Identifier: Apache-2.0 */
/* The form of a checkpoint: checkpoint.c writes it, checkpoint_load.c reads it. */
#ifndef FILCHI_SEARCH_CHECKPOINT_H
#define FILCHI_SEARCH_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#define FILCHI_CHECKPOINT_MAGIC 0x3148435253484346u /* "FCHSRCH1" */
#define FILCHI_CHECKPOINT_VERSION 3u
#define FILCHI_CHECKPOINT_ORDER 0x0102030405060708u

enum {
	H_MAGIC,
	H_ORDER,
	H_VERSION,
	H_FINGERPRINT,
	H_KIND,
	H_BEST,
	H_EXPLORED,
	H_PRUNED,
	H_SOLUTION,
	H_STATE,
	H_NODES,
	H_BYTES,
	H_PART,
	H_PARTS,
	H_NUMBER,
	H_WORDS
};

#define FILCHI_CHECKPOINT_SUM 0xcbf29ce484222325u /* of no bytes */

static inline uint64_t filchi_checkpoint_sum(uint64_t sum, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ bytes[i]) * 0x100000001b3u;
	return sum;
}

#endif
