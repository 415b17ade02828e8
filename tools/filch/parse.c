/* SPDX-License-Identifier: Apache-2.0 */
#include "parse.h"

#include "say.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool filchi_parse_count(const char *command, const char *option, const char *text, unsigned min, unsigned max,
			unsigned *out)
{
	char *end, shown[FILCHI_SHORT];
	/* A number that is too large becomes the largest one, which is too large as well. Counts have no sign. */
	unsigned long value = strtoul(text, &end, 10);

	if (!isdigit((unsigned char)*text) || *end || value < min || value > max) {
		fprintf(stderr, "%s: %s must be a whole number from %u to %u, not '%s'\n", command, option, min, max,
			filchi_short(shown, text, strlen(text)));
		return false;
	}
	*out = (unsigned)value;
	return true;
}

bool filchi_parse_real(const char *command, const char *option, const char *text, double min, double max, double *out)
{
	char *end, shown[FILCHI_SHORT];
	double value = strtod(text, &end);

	/* This form is also false for a NaN. */
	if (end == text || *end || isspace((unsigned char)*text) || !(value >= min && value <= max)) {
		fprintf(stderr, "%s: %s must be a number from %g to %g, not '%s'\n", command, option, min, max,
			filchi_short(shown, text, strlen(text)));
		return false;
	}
	*out = value;
	return true;
}
