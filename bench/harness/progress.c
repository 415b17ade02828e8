/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include "../../src/base/clock.h"
#include "interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void filchi_progress_start(struct filchi_progress *p, size_t total)
{
	const char *term = getenv("TERM");

	p->shown = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
	p->done = 0;
	p->total = total;
	p->start = filchi_clock_ns();
	if (p->shown) {
		filchi_interrupt_catch();
		filchi_interrupt_line(true);
	}
}

void filchi_progress_step(struct filchi_progress *p, const char *what, const char *how)
{
	double passed = (double)(filchi_clock_ns() - p->start) / 1e9;

	if (p->shown) {
		fprintf(stderr, "\r\033[K%zu of %zu: %s, %s", p->done + 1, p->total, what, how);
		if (p->done)
			fprintf(stderr, "; about %.0f s left", passed / (double)p->done * (double)(p->total - p->done));
		fflush(stderr);
	}
	p->done++;
}

void filchi_progress_end(struct filchi_progress *p)
{
	if (!p->shown)
		return;
	fputs("\r\033[K", stderr);
	filchi_interrupt_line(false);
}
