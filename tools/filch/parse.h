/* SPDX-License-Identifier: Apache-2.0 */
/* Reads values of options. A mistake gives a message on standard error, with the command and the option. */
#ifndef FILCHI_TOOL_PARSE_H
#define FILCHI_TOOL_PARSE_H

#include <stdbool.h>

bool filchi_parse_count(const char *command, const char *option, const char *text, unsigned min, unsigned max,
			unsigned *out);
bool filchi_parse_real(const char *command, const char *option, const char *text, double min, double max, double *out);

#endif
