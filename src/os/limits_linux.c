/* SPDX-License-Identifier: Apache-2.0 */
#include "limits.h"

#include "../base/compiler.h"
#include "../base/mem.h"
#include "topology_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* True where the kernel must have all writable memory at once, even before its use. */
#define CHARGED_STACK ((size_t)8 << 20)
#define LEAST_STACK ((size_t)256 << 10)

/*
 * A limit on address space holds for the whole program: workers get half of it. A worker takes four times its stack:
 * the stack, a task stack of twice the size, and a deque.
 */
#define PARTS 8

static rlim_t lower(rlim_t a, int resource)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) || limit.rlim_cur > a ? a : limit.rlim_cur;
}

/* With that setting MAP_NORESERVE has no effect. */
static bool is_charged(const char *root)
{
	char *text;
	bool charged;

	if (filchi_topology_text(&text, root ? root : "", "/proc/sys/vm/overcommit_memory"))
		return false;
	charged = text[0] == '2';
	filchi_free(text);
	return charged;
}

size_t filchi_limits_stack(unsigned threads, const char *root)
{
	rlim_t limit = lower(lower(RLIM_INFINITY, RLIMIT_AS), RLIMIT_DATA);
	size_t bytes = is_charged(root) ? CHARGED_STACK : FILCHI_LIMITS_STACK;
	size_t part = limit / PARTS / (threads ? threads : 1);

	if (limit == RLIM_INFINITY)
		return bytes;
	while (bytes > part && bytes > LEAST_STACK)
		bytes >>= 1;
	return bytes;
}

static void add(char *text, const char *format, unsigned long long value)
{
	size_t used = strlen(text);

	(void)snprintf(text + used, FILCHI_LIMITS_TEXT - used, "%s", used ? ", " : " (");
	used = strlen(text);
	(void)snprintf(text + used, FILCHI_LIMITS_TEXT - used, format, value);
}

static void add_limit(char *text, const char *format, int resource, unsigned shift)
{
	rlim_t limit = lower(RLIM_INFINITY, resource);

	if (limit != RLIM_INFINITY)
		add(text, format, (unsigned long long)limit >> shift);
}

void filchi_limits_text(char text[FILCHI_LIMITS_TEXT], int err)
{
	text[0] = '\0';
	if (err == -ENOMEM) {
		add_limit(text, "ulimit -v is %llu", RLIMIT_AS, 10);
		add_limit(text, "ulimit -d is %llu", RLIMIT_DATA, 10);
		if (is_charged(NULL))
			add(text, "vm.overcommit_memory is %llu", 2);
	} else if (err == -EAGAIN) {
		add_limit(text, "ulimit -u is %llu", RLIMIT_NPROC, 0);
		add(text, "the control group may have a pids.max", 0);
	}
	if (*text)
		strcat(text, ")");
}
