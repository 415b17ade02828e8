/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the shared libraries that are its arguments, and calls each. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	int ok = argc > 1;

	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		void *found = library ? dlsym(library, "plugin") : NULL;
		long (*plugin)(int) = NULL;

		if (!found) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		memcpy(&plugin, &found, sizeof(found));
		ok = ok && plugin(20) == 6765;
	}
	printf("plugin: %s\n", ok ? "ok" : "failed");
	return !ok;
}
