/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t line_there;

static void on_signal(int signal)
{
	static const char said[] = "\r\033[Kinterrupted\n";

	if (line_there && write(STDERR_FILENO, said, sizeof(said) - 1) < 0)
		line_there = 0; /* nobody to tell */
	raise(signal);		/* the handler is reset by now: this does what the signal does without it */
}

void filchi_interrupt_catch(void)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction old, new = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};

	sigemptyset(&new.sa_mask);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (!sigaction(ending[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ending[i], &new, NULL);
}

void filchi_interrupt_line(bool shown)
{
	line_there = shown;
}
