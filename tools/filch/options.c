/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "options.h"

#include "command.h"
#include "parse.h"
#include "say.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

#define MAX_OPTIONS 32

enum { WORD = 1, HELP = 256, FIRST }; /* WORD: by getopt */

bool filchi_unexpected_word(const char *command, const char *value)
{
	char shown[FILCHI_SHORT];

	fprintf(stderr, "%s: unexpected argument '%s'\n", command, filchi_short(shown, value, strlen(value)));
	return false;
}

static void add_count(struct filchi_counts *counts, unsigned value)
{
	for (size_t i = 0; i < counts->count; i++)
		if (counts->values[i] == value)
			return;
	counts->values[counts->count++] = value;
}

bool filchi_counts_parse(struct filchi_counts *counts, const char *command, const char *option, const char *text,
			 unsigned min, unsigned max)
{
	char one[64];
	unsigned value;

	for (counts->count = 0;;) {
		size_t length = strcspn(text, ",");

		if (counts->count == FILCHI_COUNTS_MAX) {
			fprintf(stderr, "%s: %s takes at most %d numbers\n", command, option, FILCHI_COUNTS_MAX);
			return false;
		}
		snprintf(one, sizeof(one), "%.*s", (int)(length < sizeof(one) ? length : sizeof(one) - 1), text);
		if (!filchi_parse_count(command, option, one, min, max, &value))
			return false;
		add_count(counts, value);
		if (!text[length])
			return true;
		text += length + 1;
	}
}

static bool parse_folder(const char *command, const char *option, const char *value, const char **out)
{
	if (!*value || strlen(value) > PATH_MAX - 256) {
		fprintf(stderr, "%s: %s needs the path of a folder\n", command, option);
		return false;
	}
	*out = value;
	return true;
}

static bool parse_value(const char *command, const struct filchi_option *o, void *settings, const char *value)
{
	void *field = (char *)settings + o->field;
	char option[64];

	snprintf(option, sizeof(option), "--%s", o->name);
	switch (o->type) {
	case FILCHI_OPTION_SWITCH:
		return *(bool *)field = true;
	case FILCHI_OPTION_TEXT:
		*(const char **)field = value;
		return true;
	case FILCHI_OPTION_FOLDER:
		return parse_folder(command, option, value, field);
	case FILCHI_OPTION_COUNT:
		return filchi_parse_count(command, option, value, (unsigned)o->min, (unsigned)o->max, field);
	case FILCHI_OPTION_REAL:
		return filchi_parse_real(command, option, value, o->min, o->max, field);
	case FILCHI_OPTION_COUNTS:
		return filchi_counts_parse(field, command, option, value, (unsigned)o->min, (unsigned)o->max);
	case FILCHI_OPTION_NAMES:
		strcat(option, ": ");
		return filchi_names_add(field, command, option, o->what, value, o->known);
	default:
		return o->parse(command, value, settings);
	}
}

/* The options of all tables, for getopt; and where each came from. */
static void list_options(const struct filchi_command_line *line, struct option *options,
			 struct filchi_option_table *from)
{
	size_t count = 0;

	for (size_t t = 0; t < FILCHI_OPTION_TABLES; t++)
		for (const struct filchi_option *o = line->tables[t].options; o && o->name && count < MAX_OPTIONS;
		     o++) {
			from[count] = (struct filchi_option_table){o, line->tables[t].settings};
			options[count] = (struct option){
				o->name, o->type != FILCHI_OPTION_SWITCH ? required_argument : no_argument, NULL,
				FIRST + (int)count};
			count++;
		}
	options[count] = (struct option){"help", no_argument, NULL, HELP};
}

static bool parse_word(const struct filchi_command_line *line, const char *command, const char *value)
{
	return line->word ? line->word(command, value, line->settings) : filchi_unexpected_word(command, value);
}

/* Which option getopt has found: a letter stands for its long form. */
static int long_form(const struct filchi_option_table *from, int option)
{
	for (int i = 0; option < HELP && from[i].options; i++)
		if (from[i].options->letter == option)
			return FIRST + i;
	return option;
}

/* -1 to go on, or the exit code. */
static int parse_all(const struct filchi_command_line *line, int argc, char **argv)
{
	struct option options[MAX_OPTIONS + 2] = {{0}};
	struct filchi_option_table from[MAX_OPTIONS + 1] = {{0}};
	char letters[MAX_OPTIONS + 3] = "-h";
	int option;

	list_options(line, options, from);
	for (size_t i = 0, at = 2; from[i].options; i++)
		if (from[i].options->letter)
			letters[at++] = from[i].options->letter;
	/* "+" stops at the first word; "-" returns words in their turn. */
	if (line->stop_at_word)
		letters[0] = '+';
	optind = 1;
	while ((option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		bool good;

		option = long_form(from, option);
		if (option == HELP || option == 'h') {
			fputs(line->help, stdout);
			return FILCHI_EXIT_OK;
		}
		if (option == WORD)
			good = parse_word(line, argv[0], optarg);
		else /* else getopt has said what is wrong */
			good = option >= FIRST && parse_value(argv[0], from[option - FIRST].options,
							      from[option - FIRST].settings, optarg);
		if (!good)
			return FILCHI_EXIT_USAGE;
	}
	for (; !line->stop_at_word && optind < argc; optind++)
		if (!parse_word(line, argv[0], argv[optind]))
			return FILCHI_EXIT_USAGE;
	return line->complete && !line->complete(argv[0], line->settings) ? FILCHI_EXIT_USAGE : -1;
}

int filchi_command_line_parse(const struct filchi_command_line *line, int argc, char **argv)
{
	int code = parse_all(line, argc, argv);

	if (code == FILCHI_EXIT_USAGE)
		fprintf(stderr, "Try '%s'.\n", line->help_usage);
	return code;
}
