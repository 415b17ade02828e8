/* SPDX-License-Identifier: Apache-2.0 */
#include "os.h"

#include "../../check/chk.h"

_Static_assert(sizeof(struct chk_mutex) <= sizeof(struct filchi_mutex), "no room for the checker's mutex");

static struct chk_mutex *native(struct filchi_mutex *m)
{
	return (struct chk_mutex *)(void *)m->opaque;
}

int filchi_mutex_init(struct filchi_mutex *m)
{
	chk_mutex_init(native(m));
	return 0;
}

void filchi_mutex_destroy(struct filchi_mutex *m)
{
	(void)m;
}

void filchi_mutex_lock(struct filchi_mutex *m)
{
	chk_mutex_lock(native(m));
}

bool filchi_mutex_trylock(struct filchi_mutex *m)
{
	return chk_mutex_trylock(native(m));
}

void filchi_mutex_unlock(struct filchi_mutex *m)
{
	chk_mutex_unlock(native(m));
}

void *filchi_vm_reserve(size_t bytes)
{
	return chk_alloc(bytes);
}

int filchi_vm_commit(void *base, size_t old_bytes, size_t new_bytes)
{
	(void)base;
	(void)old_bytes;
	(void)new_bytes;
	return 0;
}

void filchi_vm_release(void *base, size_t bytes)
{
	(void)bytes;
	chk_free(base);
}
