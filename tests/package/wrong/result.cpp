/* SPDX-License-Identifier: Apache-2.0 */
/* A result that is more than its bytes. The compiler says: a result must be trivially copyable */
#include <filch.h>
#include <string>

FILCH_TASK(std::string, wrong, int, n)
{
	return std::string(n, ' ');
}
