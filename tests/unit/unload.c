/* SPDX-License-Identifier: Apache-2.0 */
/* The shared library, loaded and unloaded while its workers run. The argument is the library. */
#include "../fixtures/test.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int runs;

static int count(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_fetch_add(&runs, 1);
	return 0;
}

static void load(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	TEST_CHECK(found);
	memcpy(function, &found, sizeof(found));
}

int main(int argc, char **argv)
{
	int (*start)(const void *options);
	int (*stop)(void);
	int (*submit)(void *pool, int (*fn)(void *, void **), void *arg, void **out);
	int status;
	pid_t child;

	TEST_CHECK(argc == 2);
	for (int i = 0; i < 3; i++) {
		void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);

		TEST_CHECK(library);
		load(library, "filch_start", &start);
		load(library, "filch_stop", &stop);
		load(library, "filch_pool_submit", &submit);
		TEST_CHECK(start(NULL) == 0);
		for (int k = 0; k < 100; k++)
			TEST_CHECK(submit(NULL, count, NULL, NULL) == 0);
		TEST_CHECK(dlclose(library) == 0);
		/* A child calls the handlers that the library has registered. */
		child = fork();
		if (!child)
			_exit(0);
		TEST_CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
		TEST_CHECK(stop() == 0);
		TEST_CHECK(atomic_load(&runs) == 100 * (i + 1));
	}
	return TEST_PASS;
}
