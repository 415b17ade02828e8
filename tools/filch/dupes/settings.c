/* SPDX-License-Identifier: Apache-2.0 */
/* The options of filch dupes. */
#include "settings.h"

#include "../command.h"
#include "../options.h"
#include "../say.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char filchi_dupes_help[] =
	"usage: filch dupes [OPTION]... DIR...\n"
	"       filch dupes --undo LOG [--yes]\n"
	"\n"
	"Find files with the same content below the DIRs, and print them in groups. Nothing is changed without --yes.\n"
	"Files are the same only if all their bytes are. Hard links of one file are one file. Symbolic links are not\n"
	"followed, and special files are skipped.\n"
	"\n"
	"which files:\n"
	"  --min-size SIZE    skip smaller files; k, m, g or t after the number is KiB to TiB (default 1)\n"
	"  --max-size SIZE    skip larger files\n"
	"  --include GLOB     only files that match one of these; with a slash, GLOB is for the path below DIR\n"
	"  --exclude GLOB     skip files and directories that match\n"
	"  --no-hidden        skip names that begin with a dot\n"
	"  --depth N          go down N levels at most; 1: the files in DIR itself\n"
	"  --one-file-system  skip directories on other file systems than their DIR\n"
	"  --isolate          only groups with files in several DIRs; files in one DIR are no duplicates of each "
	"other\n"
	"\n"
	"actions, of which one file in each group is left out:\n"
	"  --link             replace duplicates by hard links to the kept file\n"
	"  --symlink          replace them by symbolic links to it\n"
	"  --reflink          let them share the blocks of it (btrfs, XFS); the kernel compares them first\n"
	"  --delete           delete them\n"
	"  --yes              do it; without this option the plan is printed and nothing is changed\n"
	"  --keep RULE        which file is kept: oldest, newest, first (of the first DIR) or glob:GLOB; several "
	"rules\n"
	"                     count in their order (default: the first file in the output)\n"
	"  --any-owner        act also if owner, group or mode of the two files differ\n"
	"  --log FILE         write all actions to FILE, which must not exist\n"
	"  --undo LOG         take the actions of a log back, the last one first\n"
	"\n"
	"output:\n"
	"  --json             print JSON\n"
	"  --csv              print CSV: group, file, size, path. Names of one file have the same number\n"
	"  --null, -0         print each path with a NUL byte after it, and another NUL after each group\n"
	"  --summary          print totals only\n"
	"\n"
	"how:\n"
	"  --workers N        threads (default: as many as processors)\n"
	"  --io WAY           uring, threads or auto (default): how to wait for the disk\n"
	"  --readers N        files to read at a time (default: 32 for each worker, 1 if a disk rotates)\n"
	"  --cache FILE       keep hashes in FILE, so that the next run reads less\n"
	"  --stop-after SECONDS  print what was found by then\n"
	"  --help, -h         print this help\n"
	"\n"
	"Ctrl-C stops, and prints what was found so far. A second Ctrl-C ends at once.\n" FILCHI_HELP_EXIT
	"  1  no DIR could be read, there was no memory, or the output could not be written\n" FILCHI_HELP_EXIT_USAGE
	"  3  some files could not be read, changed meanwhile, or were left as they are; the rest was done\n";

struct request {
	struct filchi_dupes_settings set;
	bool json, csv, null, summary;
	bool link, symlink, reflink, delete;
};

/* ---- options ---- */

static bool parse_size(const char *command, const char *option, const char *text, uint64_t *out)
{
	static const char units[] = "kmgt";
	char *end, shown[FILCHI_SHORT];
	unsigned long long value;
	const char *unit;
	unsigned shift = 0;

	errno = 0;
	value = strtoull(text, &end, 10);
	unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
	if (unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		end++;
	}
	if (!isdigit((unsigned char)*text) || *end || errno || value > UINT64_MAX >> shift) {
		fprintf(stderr, "%s: %s must be a number of bytes, perhaps with k, m, g or t, not '%s'\n", command,
			option, filchi_short(shown, text, strlen(text)));
		return false;
	}
	*out = (uint64_t)value << shift;
	return true;
}

static bool parse_min(const char *command, const char *value, void *settings)
{
	return parse_size(command, "--min-size", value, &((struct request *)settings)->set.min_size);
}

static bool parse_max(const char *command, const char *value, void *settings)
{
	return parse_size(command, "--max-size", value, &((struct request *)settings)->set.max_size);
}

static bool add_glob(const char *command, const char *option, const char *value, const char **globs, unsigned *count)
{
	if (*count == FILCHI_DUPES_GLOBS) {
		fprintf(stderr, "%s: at most %d times %s\n", command, FILCHI_DUPES_GLOBS, option);
		return false;
	}
	globs[(*count)++] = value;
	return true;
}

static bool parse_include(const char *command, const char *value, void *settings)
{
	struct filchi_dupes_settings *s = &((struct request *)settings)->set;

	return add_glob(command, "--include", value, s->include, &s->includes);
}

static bool parse_exclude(const char *command, const char *value, void *settings)
{
	struct filchi_dupes_settings *s = &((struct request *)settings)->set;

	return add_glob(command, "--exclude", value, s->exclude, &s->excludes);
}

static bool parse_io(const char *command, const char *value, void *settings)
{
	char shown[FILCHI_SHORT];

	if (strcmp(value, "uring") != 0 && strcmp(value, "threads") != 0 && strcmp(value, "auto") != 0) {
		fprintf(stderr, "%s: --io must be uring, threads or auto, not '%s'\n", command,
			filchi_short(shown, value, strlen(value)));
		return false;
	}
	((struct request *)settings)->set.io = value;
	return true;
}

static bool parse_keep(const char *command, const char *value, void *settings)
{
	struct filchi_dupes_settings *s = &((struct request *)settings)->set;
	struct filchi_dupes_rule rule = {.kind = FILCHI_DUPES_FIRST};
	char shown[FILCHI_SHORT];

	if (!strcmp(value, "oldest"))
		rule.kind = FILCHI_DUPES_OLDEST;
	else if (!strcmp(value, "newest"))
		rule.kind = FILCHI_DUPES_NEWEST;
	else if (!strncmp(value, "glob:", 5) && value[5])
		rule = (struct filchi_dupes_rule){FILCHI_DUPES_MATCHING, value + 5};
	else if (strcmp(value, "first") != 0) {
		fprintf(stderr, "%s: --keep must be oldest, newest, first or glob:GLOB, not '%s'\n", command,
			filchi_short(shown, value, strlen(value)));
		return false;
	}
	if (s->rule_count == FILCHI_DUPES_RULES) {
		fprintf(stderr, "%s: at most %d times --keep\n", command, FILCHI_DUPES_RULES);
		return false;
	}
	s->rules[s->rule_count++] = rule;
	return true;
}

static bool parse_dir(const char *command, const char *value, void *settings)
{
	struct filchi_dupes_settings *s = &((struct request *)settings)->set;

	if (!*value) {
		fprintf(stderr, "%s: a DIR must not be empty\n", command);
		return false;
	}
	s->dirs[s->dir_count++] = (char *)(uintptr_t)value; /* there is room for all arguments */
	return true;
}

static bool says(const char *command, const char *what)
{
	fprintf(stderr, "%s: %s\n", command, what);
	return false;
}

static bool complete_action(const char *command, struct request *r)
{
	struct filchi_dupes_settings *s = &r->set;

	if (r->link + r->symlink + r->reflink + r->delete > 1)
		return says(command, "only one of --link, --symlink, --reflink and --delete");
	s->action = r->link	 ? FILCHI_DUPES_LINK
		    : r->symlink ? FILCHI_DUPES_SYMLINK
		    : r->reflink ? FILCHI_DUPES_REFLINK
		    : r->delete	 ? FILCHI_DUPES_DELETE
				 : FILCHI_DUPES_NO_ACTION;
	if (!s->action && (s->yes || s->rule_count || s->any_owner || s->log))
		return says(command,
			    "--yes, --keep, --any-owner and --log need --link, --symlink, --reflink or --delete");
	if (s->log && !s->yes)
		return says(command, "--log needs --yes: without it nothing is done");
	if (s->action && r->null)
		return says(command, "--null cannot show what happens to a file; use --json");
	return true;
}

static bool complete(const char *command, void *settings)
{
	struct request *r = settings;
	bool changed = r->link || r->symlink || r->reflink || r->delete;

	if (r->json + r->csv + r->null + r->summary > 1)
		return says(command, "only one of --json, --csv, --null and --summary");
	r->set.format = r->json	     ? FILCHI_DUPES_JSON
			: r->csv     ? FILCHI_DUPES_CSV
			: r->null    ? FILCHI_DUPES_NULL
			: r->summary ? FILCHI_DUPES_SUMMARY
				     : FILCHI_DUPES_TEXT;
	if (r->set.undo)
		return r->set.dir_count || changed || r->set.log || r->set.format != FILCHI_DUPES_TEXT
			       ? says(command, "--undo takes a log and --yes, and no DIR, action or format")
			       : true;
	if (!r->set.dir_count)
		return says(command, "no DIR given");
	if (r->set.isolate && r->set.dir_count < 2)
		return says(command, "--isolate needs two DIRs or more");
	return complete_action(command, r);
}

#define FIELD(at) offsetof(struct request, at)
static const struct filchi_option options[] = {
	FILCHI_PARSED("min-size", parse_min),
	FILCHI_PARSED("max-size", parse_max),
	FILCHI_PARSED("include", parse_include),
	FILCHI_PARSED("exclude", parse_exclude),
	FILCHI_SWITCH("no-hidden", set.no_hidden),
	FILCHI_COUNT("depth", set.depth, 1, 1000000),
	FILCHI_SWITCH("one-file-system", set.one_file_system),
	FILCHI_SWITCH("isolate", set.isolate),
	FILCHI_SWITCH("link", link),
	FILCHI_SWITCH("symlink", symlink),
	FILCHI_SWITCH("reflink", reflink),
	FILCHI_SWITCH("delete", delete),
	FILCHI_SWITCH("yes", set.yes),
	FILCHI_PARSED("keep", parse_keep),
	FILCHI_SWITCH("any-owner", set.any_owner),
	FILCHI_FOLDER("log", set.log),
	FILCHI_FOLDER("undo", set.undo),
	FILCHI_SWITCH("json", json),
	FILCHI_SWITCH("csv", csv),
	{.name = "null", .letter = '0', .type = FILCHI_OPTION_SWITCH, .field = FIELD(null)},
	FILCHI_SWITCH("summary", summary),
	FILCHI_COUNT("workers", set.workers, 1, 1024),
	FILCHI_PARSED("io", parse_io),
	FILCHI_COUNT("readers", set.readers, 1, 65536),
	FILCHI_FOLDER("cache", set.cache),
	FILCHI_REAL("stop-after", set.stop_after, 0.001, 1e9),
	{.name = NULL},
};

int filchi_dupes_settings_read(struct filchi_dupes_settings *set, int argc, char **argv)
{
	struct request r = {.set = {.min_size = 1, .max_size = UINT64_MAX}};
	struct filchi_command_line line = {
		.help = filchi_dupes_help,
		.help_usage = "filch help dupes",
		.tables = {{options, &r}},
		.word = parse_dir,
		.complete = complete,
		.settings = &r,
	};
	int code;

	r.set.dirs = calloc((size_t)argc, sizeof(char *));
	if (!r.set.dirs) {
		*set = r.set;
		fprintf(stderr, "%s: cannot start: %s\n", argv[0], strerror(ENOMEM));
		return FILCHI_EXIT_FAILED;
	}
	code = filchi_command_line_parse(&line, argc, argv);
	*set = r.set;
	return code;
}
