/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of a command, as a table. A row has the name of an option, the type of its value and the field that the
 * value goes to. All commands accept --help and -h. A mistake ends with a message on standard error that names the
 * command, the option, the value and the values that are allowed.
 */
#ifndef FILCHI_TOOL_OPTIONS_H
#define FILCHI_TOOL_OPTIONS_H

#include "names.h"

#include <stdbool.h>
#include <stddef.h>

enum filchi_option_type {
	FILCHI_OPTION_SWITCH, /* bool: true if the option is given */
	FILCHI_OPTION_TEXT,   /* const char * */
	FILCHI_OPTION_FOLDER, /* const char *, not empty and no longer than a path may be */
	FILCHI_OPTION_COUNT,  /* unsigned: a whole number from min to max */
	FILCHI_OPTION_REAL,   /* double: a number from min to max */
	FILCHI_OPTION_COUNTS, /* struct filchi_counts: whole numbers from min to max; the last option counts */
	FILCHI_OPTION_NAMES,  /* struct filchi_names: names that known() has; several options add up */
	FILCHI_OPTION_OTHER   /* parse() reads the value */
};

/* Whole numbers, separated by commas, each once, in the order given. */
#define FILCHI_COUNTS_MAX 64
struct filchi_counts {
	unsigned values[FILCHI_COUNTS_MAX];
	size_t count;
};

struct filchi_option {
	const char *name; /* without the dashes; NULL: the table ends here */
	char letter;	  /* the short form, such as '0' of -0; 0: none */
	enum filchi_option_type type;
	size_t field; /* offset in the struct of the table */
	double min, max;
	const char *what;		/* names: the noun for a message, such as "deque" */
	const char *(*known)(unsigned); /* names: from 0; NULL beyond the last */
	/* other: false after a message. */
	bool (*parse)(const char *command, const char *value, void *settings);
};

/* Rows of a table. FIELD gives the offset of a field: each file with a table defines it. */
#define FILCHI_SWITCH(text, at)                                                                                        \
	{                                                                                                              \
		.name = text, .type = FILCHI_OPTION_SWITCH, .field = FIELD(at)                                         \
	}
#define FILCHI_TEXT(text, at)                                                                                          \
	{                                                                                                              \
		.name = text, .type = FILCHI_OPTION_TEXT, .field = FIELD(at)                                           \
	}
#define FILCHI_FOLDER(text, at)                                                                                        \
	{                                                                                                              \
		.name = text, .type = FILCHI_OPTION_FOLDER, .field = FIELD(at)                                         \
	}
#define FILCHI_COUNT(text, at, from, to)                                                                               \
	{                                                                                                              \
		.name = text, .type = FILCHI_OPTION_COUNT, .field = FIELD(at), .min = from, .max = to                  \
	}
#define FILCHI_REAL(text, at, from, to)                                                                                \
	{                                                                                                              \
		.name = text, .type = FILCHI_OPTION_REAL, .field = FIELD(at), .min = from, .max = to                   \
	}
#define FILCHI_COUNTS(text, at, from, to)                                                                              \
	{                                                                                                              \
		.name = text, .type = FILCHI_OPTION_COUNTS, .field = FIELD(at), .min = from, .max = to                 \
	}
#define FILCHI_NAMES(text, at, noun, names)                                                                            \
	{                                                                                                              \
		.name = text, .type = FILCHI_OPTION_NAMES, .field = FIELD(at), .what = noun, .known = names            \
	}
#define FILCHI_PARSED(text, function)                                                                                  \
	{                                                                                                              \
		.name = text, .type = FILCHI_OPTION_OTHER, .parse = function                                           \
	}

/* Rows, and the struct that they fill in. */
struct filchi_option_table {
	const struct filchi_option *options;
	void *settings;
};

#define FILCHI_OPTION_TABLES 2 /* at most */

struct filchi_command_line {
	const char *help;
	const char *help_usage; /* the command to try after a mistake */
	struct filchi_option_table tables[FILCHI_OPTION_TABLES];
	/*
	 * A word that is no option. NULL: parsing ends before the first such word, which is argv[optind], if
	 * stop_at_word; else such words are a mistake.
	 */
	bool (*word)(const char *command, const char *value, void *settings);
	void *settings; /* for word and complete */
	bool stop_at_word;
	/* Checks settings that depend on each other, and fills in defaults. NULL: nothing to check. */
	bool (*complete)(const char *command, void *settings);
};

/* -1: go on. Else the exit code: the help was printed, or there was a mistake. Words may come before options. */
int filchi_command_line_parse(const struct filchi_command_line *line, int argc, char **argv);

/* Reads one list of whole numbers. */
bool filchi_counts_parse(struct filchi_counts *counts, const char *command, const char *option, const char *text,
			 unsigned min, unsigned max);

/* Says that an argument is not expected. Returns false. */
bool filchi_unexpected_word(const char *command, const char *value);

#endif
