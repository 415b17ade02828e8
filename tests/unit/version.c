/* SPDX-License-Identifier: Apache-2.0 */
/* The library returns the version of the headers. */
#include "../fixtures/test.h"

#include <filch/base.h>
#include <string.h>

int main(void)
{
	char text[32];

	snprintf(text, sizeof(text), "%d.%d.%d", FILCH_VERSION_MAJOR, FILCH_VERSION_MINOR, FILCH_VERSION_PATCH);
	TEST_CHECK(!strcmp(filch_version(), text));
	TEST_CHECK(filch_version_number() == FILCH_VERSION_NUMBER);
	TEST_CHECK(FILCH_VERSION_NUMBER ==
		   FILCH_VERSION_MAJOR * 10000 + FILCH_VERSION_MINOR * 100 + FILCH_VERSION_PATCH);
	return TEST_PASS;
}
