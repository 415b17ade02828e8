/* SPDX-License-Identifier: Apache-2.0 */
/* The options that every program of checks understands. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

static bool parse_number(const char *text, uint64_t *out)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	*out = strtoull(text, &end, 0);
	return !*end;
}

static bool parse_mode(const char *text, enum chk_mode *mode)
{
	static const char *const names[] = {"dpor", "naive", "random"};

	for (unsigned i = 0; i < 3; i++) {
		if (!strcmp(text, names[i])) {
			*mode = (enum chk_mode)i;
			return true;
		}
	}
	return false;
}

/* 1: taken, 0: not one of these, -1: its value is bad */
static int parse_one(struct chk_config *config, const char *name, const char *value)
{
	uint64_t n = 0;
	bool ok = parse_number(value, &n);

	if (!strcmp(name, "--mode"))
		return parse_mode(value, &config->mode) ? 1 : -1;
	if (!strcmp(name, "--replay")) {
		config->replay = value;
		return 1;
	}
	if (!strcmp(name, "--max-seconds")) {
		char *end;

		config->max_seconds = strtod(value, &end);
		return *value && !*end && config->max_seconds >= 0 ? 1 : -1;
	}
	if (!strcmp(name, "--seed"))
		config->seed = n;
	else if (!strcmp(name, "--max-executions"))
		config->max_executions = n;
	else if (!strcmp(name, "--max-events"))
		config->max_events = (unsigned)n;
	else if (!strcmp(name, "--preemptions")) {
		config->preemptions = (int)n;
		config->bound_preemptions = true;
		config->mode = CHK_NAIVE;
	} else
		return 0;
	return ok ? 1 : -1;
}

int chk_config_parse(struct chk_config *config, int argc, char **argv)
{
	int i = 0;

	while (i < argc && !strncmp(argv[i], "--", 2)) {
		if (!strcmp(argv[i], "--shortest")) {
			config->shortest = true;
			i++;
			continue;
		}
		int taken = i + 1 < argc ? parse_one(config, argv[i], argv[i + 1]) : 0;

		if (taken < 0)
			fprintf(stderr, "chk: %s: bad value '%s'\n", argv[i], argv[i + 1]);
		if (taken < 0)
			return -1;
		if (!taken)
			break;
		i += 2;
	}
	return i;
}
