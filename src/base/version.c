/* SPDX-License-Identifier: Apache-2.0 */
#include <filch/base.h>

#define TEXT_(number) #number
#define TEXT(number) TEXT_(number)

const char *filch_version(void)
{
	return TEXT(FILCH_VERSION_MAJOR) "." TEXT(FILCH_VERSION_MINOR) "." TEXT(FILCH_VERSION_PATCH);
}

unsigned filch_version_number(void)
{
	return FILCH_VERSION_NUMBER;
}
