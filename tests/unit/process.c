/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filchi_process_generation() notices a fork, in the child and only there. The argument is src/os/process_linux.c as a
 * plug-in.
 */
#include "../../src/os/process.h"
#include "../fixtures/child.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static const char *plugin;

static void in_child(void (*run)(void *), unsigned argument)
{
	TEST_CHECK(test_in_child(run, &argument) == 0);
}

static void must_be(void *generation)
{
	CHILD_CHECK(filchi_process_generation() == *(unsigned *)generation);
}

static void must_be_and_in_child(void *generation)
{
	must_be(generation);
	CHILD_CHECK(filchi_process_watch() == 0);
	in_child(must_be, *(unsigned *)generation + 1);
	must_be(generation);
}

/* Two watches count a fork once. Two children of one parent have the same number, which does no harm. */
static void forks(void)
{
	unsigned generation = filchi_process_generation();

	TEST_CHECK(filchi_process_watch() == 0);
	TEST_CHECK(filchi_process_watch() == 0);
	TEST_CHECK(filchi_process_generation() == generation);
	for (unsigned i = 0; i < 2; i++)
		in_child(must_be, generation + 1);
	in_child(must_be_and_in_child, generation + 1);
	TEST_CHECK(filchi_process_generation() == generation);
}

static void *fork_here(void *unused)
{
	in_child(must_be, filchi_process_generation() + 1);
	return unused;
}

static void from_threads(void)
{
	pthread_t thread[4];

	TEST_CHECK(filchi_process_watch() == 0);
	for (unsigned i = 0; i < 4; i++)
		TEST_CHECK(!pthread_create(&thread[i], NULL, fork_here, NULL));
	for (unsigned i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

static unsigned (*plugin_generation)(void);

static void plugin_must_be(void *generation)
{
	CHILD_CHECK(plugin_generation() == *(unsigned *)generation);
}

static void nothing(void *unused)
{
	(void)unused;
}

/* The handlers of a library go when it is unloaded. A call into an unloaded library would crash the child. */
static void unloaded(void)
{
	for (unsigned i = 0; i < 3; i++) {
		void *library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
		int (*watch)(void);
		void *found;

		TEST_CHECK(library);
		found = dlsym(library, "filchi_process_watch");
		memcpy(&watch, &found, sizeof(found));
		found = dlsym(library, "filchi_process_generation");
		memcpy(&plugin_generation, &found, sizeof(found));
		TEST_CHECK(watch && plugin_generation && plugin_generation != filchi_process_generation);
		in_child(plugin_must_be, 0);
		TEST_CHECK(watch() == 0);
		in_child(plugin_must_be, 1);
		TEST_CHECK(plugin_generation() == 0);
		TEST_CHECK(dlclose(library) == 0);
#ifndef __GLIBC__
		in_child(nothing, 0);
		return; /* musl never unloads a library */
#endif
		TEST_CHECK(!dlopen(plugin, RTLD_NOW | RTLD_NOLOAD));
		in_child(nothing, 0);
	}
}

int main(int argc, char **argv)
{
	static const struct test_scenario scenarios[] = {
		{"forks", forks}, {"from_threads", from_threads}, {"unloaded", unloaded}};

	TEST_CHECK(argc == 2);
	plugin = argv[1];
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
