/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the values of options. What is wrong is said on standard error, as of the command and option named. */
#ifndef FILCHI_TOOL_PARSE_H
#define FILCHI_TOOL_PARSE_H

#include <stdbool.h>

bool filchi_parse_count(const char *command, const char *option, const char *text, unsigned min, unsigned max,
			unsigned *out);
bool filchi_parse_real(const char *command, const char *option, const char *text, double min, double max, double *out);

#endif
