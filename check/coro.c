/* SPDX-License-Identifier: Apache-2.0 */
/* Coroutines: a scenario's threads, switched by hand inside one OS thread. */
#define _GNU_SOURCE
#include "internal.h"

#include <sys/mman.h>
#include <unistd.h>

enum { STACK_BYTES = 256 << 10 };

#if defined(__x86_64__)
/* Saves what the calling convention says a callee must keep, swaps stacks, restores. */
__asm__(".text\n"
	".globl chki_coro_switch\n"
	".hidden chki_coro_switch\n"
	".type chki_coro_switch, @function\n"
	"chki_coro_switch:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	".size chki_coro_switch, .-chki_coro_switch\n");

enum { SAVED_WORDS = 6, ENTRY_WORD = 6 };
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl chki_coro_switch\n"
	".hidden chki_coro_switch\n"
	".type chki_coro_switch, %function\n"
	"chki_coro_switch:\n"
	"	sub sp, sp, #160\n"
	"	stp x19, x20, [sp, #0]\n"
	"	stp x21, x22, [sp, #16]\n"
	"	stp x23, x24, [sp, #32]\n"
	"	stp x25, x26, [sp, #48]\n"
	"	stp x27, x28, [sp, #64]\n"
	"	stp x29, x30, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp, #0]\n"
	"	ldp x21, x22, [sp, #16]\n"
	"	ldp x23, x24, [sp, #32]\n"
	"	ldp x25, x26, [sp, #48]\n"
	"	ldp x27, x28, [sp, #64]\n"
	"	ldp x29, x30, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	add sp, sp, #160\n"
	"	ret\n"
	".size chki_coro_switch, .-chki_coro_switch\n");

enum { SAVED_WORDS = 20, ENTRY_WORD = 11 };
#else
#error "chk: no coroutine switch for this processor yet"
#endif

bool chki_coro_alloc(struct coro *c)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *base = mmap(NULL, STACK_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			  -1, 0);

	if (base == MAP_FAILED)
		return false;
	/* The lowest page is a guard: a scenario that overflows its stack is reported as a crash. */
	if (mprotect(base, page, PROT_NONE)) {
		munmap(base, STACK_BYTES + page);
		return false;
	}
	c->stack = base + page;
	return true;
}

void chki_coro_release(struct coro *c)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (c->stack)
		munmap(c->stack - page, STACK_BYTES + page);
	c->stack = NULL;
}

void chki_coro_start(struct coro *c, void (*entry)(void))
{
	/* One word above the saved ones stays free so that the stack is aligned as after a call. */
	void **top = (void **)(void *)(c->stack + STACK_BYTES - 64);
	void **sp = top - SAVED_WORDS - (SAVED_WORDS == 6 ? 2 : 0);

	memset(sp, 0, (size_t)((char *)top - (char *)sp));
	memcpy(&sp[ENTRY_WORD], &entry, sizeof entry);
	c->sp = sp;
}
