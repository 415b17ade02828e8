/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The switch. It saves the registers that a called function must keep on the stack that it leaves, and takes the
 * registers of the other stack. switch.h has the fast way for x86-64.
 *
 * The floating-point environment (mxcsr, x87 control word, fpcr) belongs to the thread, as C11 says, and is not saved.
 *
 * The entry trampoline has no caller: its return address is undefined, so that debuggers and unwinders stop there.
 *
 * On other machines the switch is swapcontext(), which calls the system for the signal mask: 20 times slower.
 */
#define _GNU_SOURCE
#include "switch.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- sanitizers and valgrind ---- */

#ifndef __has_feature
#define __has_feature(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define ASAN 1
#else
#define ASAN 0
#endif

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define TSAN 1
/* An instrumented function would leave its entry on one shadow stack and its exit on the other. */
#define UNINSTRUMENTED __attribute__((noinline, no_sanitize("thread")))
#else
#define TSAN 0
#define UNINSTRUMENTED __attribute__((noinline))
#endif

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif

static void note_init(struct filchi_context *c)
{
	(void)c;
#if TSAN
	c->tsan = __tsan_create_fiber(0);
#endif
#ifdef VALGRIND_STACK_REGISTER
	c->valgrind = VALGRIND_STACK_REGISTER(c->bottom, (const char *)c->bottom + c->size);
#endif
}

/* The frames of a stack never return. Their marks would stay when the memory belongs to something else. */
static void note_fini(struct filchi_context *c)
{
	(void)c;
#if ASAN
	__asan_unpoison_memory_region(c->bottom, c->size);
#endif
#if TSAN
	__tsan_destroy_fiber(c->tsan);
#endif
#ifdef VALGRIND_STACK_DEREGISTER
	VALGRIND_STACK_DEREGISTER(c->valgrind);
#endif
}

static inline __attribute__((always_inline)) void note_leave(struct filchi_context *from, struct filchi_context *to)
{
	(void)from;
	(void)to;
#if ASAN
	__sanitizer_start_switch_fiber(&from->fake, to->bottom, to->size);
#endif
#if TSAN
	__tsan_switch_to_fiber(to->tsan, 0);
#endif
}

static inline __attribute__((always_inline)) void note_enter(struct filchi_context *self)
{
	(void)self;
#if ASAN
	__sanitizer_finish_switch_fiber(self->fake, NULL, NULL);
#endif
}

void filchi_context_entered(void)
{
#if ASAN
	__sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
}

static void note_thread(struct filchi_context *c)
{
	(void)c;
#if ASAN
	pthread_attr_t attr;
	void *bottom;

	if (!pthread_getattr_np(pthread_self(), &attr)) {
		pthread_attr_getstack(&attr, &bottom, &c->size);
		c->bottom = bottom;
		pthread_attr_destroy(&attr);
	}
#endif
#if TSAN
	c->tsan = __tsan_get_current_fiber();
#endif
}

/* ---- the machine ---- */

#if defined(__x86_64__) && !defined(FILCHI_FIBER_UCONTEXT)

void filchi_context_jump(void **from, void *to);
void filchi_context_start(void);

/* The jump saves and takes back all registers that a called function must keep. The inlined switch does not. Both find
 * the address to go on at on top of the other stack. */
__asm__(".text\n"
	".p2align 4\n"
	".globl filchi_context_jump\n"
	".hidden filchi_context_jump\n"
	".type filchi_context_jump, @function\n"
	"filchi_context_jump:\n"
	"	.cfi_startproc\n"
	"	pushq %rbp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_rel_offset %rbp, 0\n"
	"	pushq %rbx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_rel_offset %rbx, 0\n"
	"	pushq %r12\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_rel_offset %r12, 0\n"
	"	pushq %r13\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_rel_offset %r13, 0\n"
	"	pushq %r14\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_rel_offset %r14, 0\n"
	"	pushq %r15\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_rel_offset %r15, 0\n"
	"	leaq 1f(%rip), %rax\n"
	"	pushq %rax\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %rax\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	notrack jmpq *%rax\n"
	"1:	popq %r15\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	.cfi_restore %r15\n"
	"	popq %r14\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	.cfi_restore %r14\n"
	"	popq %r13\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	.cfi_restore %r13\n"
	"	popq %r12\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	.cfi_restore %r12\n"
	"	popq %rbx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	.cfi_restore %rbx\n"
	"	popq %rbp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	.cfi_restore %rbp\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size filchi_context_jump, .-filchi_context_jump\n"
	".p2align 4\n"
	".globl filchi_context_start\n"
	".hidden filchi_context_start\n"
	".type filchi_context_start, @function\n"
	"filchi_context_start:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined %rip\n"
	"	popq %rdi\n"
	"	popq %rax\n"
	"	xorl %ebp, %ebp\n"
	"	callq *%rax\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	".size filchi_context_start, .-filchi_context_start\n");

/* At the call of entry the stack is a multiple of 16, as the rules of the machine say. */
static void *first_frame(void *bottom, void *top, void (*entry)(void *arg), void *arg)
{
	uint64_t *sp = (uint64_t *)((uintptr_t)top & ~(uintptr_t)15) - 5;

	(void)bottom;
	sp[0] = (uint64_t)(uintptr_t)filchi_context_start;
	sp[1] = (uint64_t)(uintptr_t)arg;
	sp[2] = (uint64_t)(uintptr_t)entry;
	sp[3] = sp[4] = 0;
	return sp;
}

#elif defined(__aarch64__) && !defined(FILCHI_FIBER_UCONTEXT)

void filchi_context_jump(void **from, void *to);
void filchi_context_start(void);

__asm__(".text\n"
	".p2align 4\n"
	".globl filchi_context_jump\n"
	".hidden filchi_context_jump\n"
	".type filchi_context_jump, %function\n"
	"filchi_context_jump:\n"
	"	.cfi_startproc\n"
	"	sub sp, sp, #160\n"
	"	.cfi_def_cfa_offset 160\n"
	"	stp x19, x20, [sp]\n"
	"	stp x21, x22, [sp, #16]\n"
	"	stp x23, x24, [sp, #32]\n"
	"	stp x25, x26, [sp, #48]\n"
	"	stp x27, x28, [sp, #64]\n"
	"	stp x29, x30, [sp, #80]\n"
	"	.cfi_offset x29, -80\n"
	"	.cfi_offset x30, -72\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp]\n"
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
	"	.cfi_def_cfa_offset 0\n"
#ifdef __ARM_FEATURE_BTI_DEFAULT
	"	ret\n"
#else
	"	br x30\n"
#endif
	"	.cfi_endproc\n"
	".size filchi_context_jump, .-filchi_context_jump\n"
	".p2align 4\n"
	".globl filchi_context_start\n"
	".hidden filchi_context_start\n"
	".type filchi_context_start, %function\n"
	"filchi_context_start:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined x30\n"
	"	mov x0, x20\n"
	"	mov x29, #0\n"
	"	blr x19\n"
	"	brk #1\n"
	"	.cfi_endproc\n"
	".size filchi_context_start, .-filchi_context_start\n");

static void *first_frame(void *bottom, void *top, void (*entry)(void *arg), void *arg)
{
	uint64_t *sp = (uint64_t *)((uintptr_t)top & ~(uintptr_t)15) - 20;

	(void)bottom;
	memset(sp, 0, 20 * sizeof(*sp));
	sp[0] = (uint64_t)(uintptr_t)entry; /* x19 */
	sp[1] = (uint64_t)(uintptr_t)arg;   /* x20 */
	sp[11] = (uint64_t)(uintptr_t)filchi_context_start;
	return sp;
}

#else
#include <ucontext.h>

static void enter(unsigned entry_high, unsigned entry_low, unsigned arg_high, unsigned arg_low)
{
	void (*entry)(void *) = (void (*)(void *))((uintptr_t)entry_high << 32 | entry_low);

	entry((void *)((uintptr_t)arg_high << 32 | arg_low));
}

/* The struct is on top of the stack, beside the first frames: a fiber that waits needs one page. */
static void *first_frame(void *bottom, void *top, void (*entry)(void *arg), void *arg)
{
	ucontext_t *u = (ucontext_t *)(void *)(((uintptr_t)top - sizeof(*u)) & ~(uintptr_t)63);

	(void)getcontext(u);
	u->uc_stack.ss_sp = bottom;
	u->uc_stack.ss_size = (size_t)((char *)u - (char *)bottom);
	u->uc_link = NULL;
	makecontext(u, (void (*)(void))enter, 4, (unsigned)((uintptr_t)entry >> 32), (unsigned)(uintptr_t)entry,
		    (unsigned)((uintptr_t)arg >> 32), (unsigned)(uintptr_t)arg);
	return u;
}

static void filchi_context_jump(void **from, void *to)
{
	(void)swapcontext(*from, to);
}

#define THREAD_BYTES sizeof(ucontext_t)
#endif

#ifndef THREAD_BYTES
#define THREAD_BYTES 0 /* of a thread's context, outside of its stack */
#endif

/* ---- for all machines ---- */

void filchi_context_init(struct filchi_context *c, void *bottom, void *top, void (*entry)(void *arg), void *arg)
{
	memset(c, 0, sizeof(*c));
	c->bottom = bottom;
	c->size = (size_t)((char *)top - (char *)bottom);
	c->sp = first_frame(bottom, top, entry, arg);
	note_init(c);
}

void filchi_context_fini(struct filchi_context *c)
{
	note_fini(c);
}

int filchi_context_init_thread(struct filchi_context *c)
{
	memset(c, 0, sizeof(*c));
	if (THREAD_BYTES) {
		c->sp = calloc(1, THREAD_BYTES);
		if (!c->sp)
			return -ENOMEM;
	}
	note_thread(c);
	return 0;
}

void filchi_context_fini_thread(struct filchi_context *c)
{
	if (THREAD_BYTES)
		free(c->sp);
}

UNINSTRUMENTED void filchi_context_switch_slow(struct filchi_context *from, struct filchi_context *to)
{
	note_leave(from, to);
	filchi_context_jump(&from->sp, to->sp);
	note_enter(from);
}
