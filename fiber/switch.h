/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The switch between stacks. switch_linux.c has all that sanitizers, valgrind and debuggers must know about it.
 *
 * A context is a stack that does not run. A stack is entered once, at its entry function, which never returns: for each
 * new fiber it goes on in the same frame.
 *
 * FILCHI_FIBER_UCONTEXT chooses swapcontext(), as machines without assembly here do. A test uses it.
 */
#ifndef FILCHI_FIBER_SWITCH_H
#define FILCHI_FIBER_SWITCH_H

#include <stddef.h>

struct filchi_context {
	void *sp;
	/* For sanitizers: the bounds of the stack, and their own data about it. */
	const void *bottom;
	size_t size;
	void *fake, *tsan;
	unsigned valgrind;
};

/* The context of a new stack from bottom to top; entry(arg) is called at the first switch to it. */
void filchi_context_init(struct filchi_context *c, void *bottom, void *top, void (*entry)(void *arg), void *arg);
void filchi_context_fini(struct filchi_context *c);
/* The context of the calling thread, to switch back to. 0 or -ENOMEM. */
int filchi_context_init_thread(struct filchi_context *c);
void filchi_context_fini_thread(struct filchi_context *c);
/* The first call in an entry function. */
void filchi_context_entered(void);

/*
 * Leaves `from`, which is the running context, and goes on in `to`. Returns when another switch goes to `from`.
 *
 * switch_slow works with sanitizers and on all machines. A processor guesses the target of each return from the calls
 * before it, and after a switch each guess is wrong, at 5 ns each. So on x86-64 the switch is no call, leaves by a jump
 * to an address on the other stack, and is inlined where few returns follow. The compiler saves the registers that it
 * needs; the frame pointer is not its to give. 128 bytes below the stack pointer may be in use.
 */
void filchi_context_switch_slow(struct filchi_context *from, struct filchi_context *to);

#if defined(__x86_64__) && !defined(FILCHI_FIBER_UCONTEXT) && !defined(__SANITIZE_ADDRESS__) &&                        \
	!defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define FILCHI_CONTEXT_INLINE
#endif
#else
#define FILCHI_CONTEXT_INLINE
#endif
#endif

#ifdef FILCHI_CONTEXT_INLINE
#ifdef __AVX512F__
#define FILCHI_CONTEXT_MORE                                                                                            \
	, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",  \
		"xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define FILCHI_CONTEXT_MORE
#endif
static inline __attribute__((always_inline)) void filchi_context_switch(struct filchi_context *from,
									struct filchi_context *to)
{
	void *sp = to->sp;

	__asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
			 "pushq %%rbp\n\t"
			 "leaq 1f(%%rip), %%rax\n\t"
			 "pushq %%rax\n\t"
			 "movq %%rsp, (%0)\n\t"
			 "movq %1, %%rsp\n\t"
			 "popq %%rax\n\t"
			 "notrack jmpq *%%rax\n"
			 "1:\tpopq %%rbp\n\t"
			 "leaq 128(%%rsp), %%rsp"
			 : "+D"(from), "+S"(sp)
			 :
			 : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc",
			   "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
			   "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15" FILCHI_CONTEXT_MORE);
}
#else
#define filchi_context_switch(from, to) filchi_context_switch_slow(from, to)
#endif

#endif
