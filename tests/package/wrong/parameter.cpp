/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter that is more than its bytes. The compiler says: a parameter must be trivially copyable */
#include <filch.h>
#include <string>

FILCH_TASK(long, wrong, std::string, s)
{
	return (long)s.size();
}
