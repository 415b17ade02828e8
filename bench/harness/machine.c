/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "machine.h"

#include "pin.h"

#include <filch/base.h>
#include <filchi_commit.h> /* made by cmake/FilchCommit.cmake */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* Removes the newline and the blanks at the end. */
static void trim(char *text)
{
	size_t length = strlen(text);

	while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
		text[--length] = '\0';
}

/* Reads the value of the first line that starts with key; key "": the first line. */
static bool read_value(const char *path, const char *key, char *value, size_t size)
{
	FILE *f = fopen(path, "r");
	char line[512];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f)) {
		const char *start = *key ? strchr(line, ':') : line;

		if (strncmp(line, key, strlen(key)) != 0 || !start)
			continue;
		if (*key)
			start += 1 + strspn(start + 1, " \t");
		snprintf(value, size, "%.*s", (int)(size - 1), start); /* cut if it is too long */
		trim(value);
		found = *value;
	}
	if (f)
		fclose(f);
	return found;
}

void filchi_machine(struct filchi_machine *m)
{
	struct utsname name;
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	*m = (struct filchi_machine){0};
	uname(&name);
	if (!read_value("/proc/cpuinfo", "model name", m->cpu, sizeof(m->cpu)))
		snprintf(m->cpu, sizeof(m->cpu), "unknown %.32s", name.machine);
	m->cpus_online = online > 0 ? (unsigned)online : 1;
	m->cpus_usable = filchi_pin_cpus();
	if (!m->cpus_usable)
		m->cpus_usable = m->cpus_online;
	snprintf(m->kernel, sizeof(m->kernel), "%.64s %.64s %.64s", name.sysname, name.release, name.machine);
	read_value("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "", m->governor, sizeof(m->governor));
#ifdef __clang__
	m->compiler = "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__);
#else
	m->compiler = "gcc " TEXT(__GNUC__) "." TEXT(__GNUC_MINOR__) "." TEXT(__GNUC_PATCHLEVEL__);
#endif
	m->flags = FILCHI_BUILD_FLAGS;
	m->version = TEXT(FILCH_VERSION_MAJOR) "." TEXT(FILCH_VERSION_MINOR) "." TEXT(FILCH_VERSION_PATCH);
	m->commit = *FILCHI_COMMIT ? FILCHI_COMMIT : NULL;
#ifdef __OPTIMIZE__
	m->optimized = !strstr(m->flags, "-fsanitize");
#endif
}
