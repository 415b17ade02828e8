/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: finds the subcommand, and handles --help and --version. */
#define _POSIX_C_SOURCE 200809L

#include "command.h"
#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <filch/base.h>
#include <string.h>
#include <unistd.h>

static const struct filchi_command *const commands[] = {
	&filchi_cmd_bench, &filchi_cmd_compare,	 &filchi_cmd_dupes, &filchi_cmd_figures,
	&filchi_cmd_gen,   &filchi_cmd_simulate, &filchi_cmd_solve, &filchi_cmd_tune,
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *f)
{
	fputs("usage: filch COMMAND [OPTION]...\n"
	      "       filch help [COMMAND]\n"
	      "       filch --help | -h | --version\n"
	      "\n"
	      "Measure the deques of libfilch, compare programs with other runtimes, tune programs that use filch, "
	      "compare\n"
	      "runs, write a report, solve problems by branch and bound, and find duplicate files.\n"
	      "\n"
	      "commands:\n",
	      f);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(f, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("  help       print this help, or the help of a command\n"
	      "\n"
	      "exit codes:\n"
	      "  0  success\n"
	      "  1  a result was wrong, or could not be measured or written\n"
	      "  2  wrong command line\n"
	      "  3 and more: see the help of the command\n",
	      f);
}

static const struct filchi_command *find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int wrong(const char *what, const char *name)
{
	char shown[FILCHI_SHORT];

	fprintf(stderr, "filch: %s '%s'\nTry 'filch help'.\n", what, filchi_short(shown, name, strlen(name)));
	return FILCHI_EXIT_USAGE;
}

static int help(int argc, char **argv)
{
	const struct filchi_command *command = argc > 2 ? find(argv[2]) : NULL;

	if (argc > 3) {
		fprintf(stderr, "filch: help takes one command\n");
		return FILCHI_EXIT_USAGE;
	}
	if (command)
		fputs(command->help, stdout);
	else if (argc > 2 && strcmp(argv[2], "help") != 0)
		return wrong("unknown command", argv[2]);
	else
		print_help(stdout);
	return FILCHI_EXIT_OK;
}

static int run(int argc, char **argv)
{
	const struct filchi_command *command;
	char name[64];

	if (argc < 2) {
		print_help(stderr);
		return FILCHI_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version")) {
		if (argc > 2)
			return wrong("unexpected argument", argv[2]);
		printf("filch %d.%d.%d\n", FILCH_VERSION_MAJOR, FILCH_VERSION_MINOR, FILCH_VERSION_PATCH);
		return FILCHI_EXIT_OK;
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help(argc, argv);
	command = find(argv[1]);
	if (!command)
		return wrong(argv[1][0] == '-' ? "unknown option" : "unknown command", argv[1]);
	snprintf(name, sizeof(name), "filch %s", command->name);
	argv[1] = name;
	return command->run(argc - 1, argv + 1);
}

/* Without a standard stream, the program would use the first file that it opens in its place. */
static void fill_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return;
}

int main(int argc, char **argv)
{
	int code;

	fill_standard_streams();
	code = run(argc, argv);

	/* Output may still be buffered: a full disk shows only now. */
	errno = 0;
	if ((fflush(stdout) || ferror(stdout)) && code == FILCHI_EXIT_OK)
		code = filchi_say_cannot_write("filch", "-", errno ? -errno : -EIO);
	return code;
}
