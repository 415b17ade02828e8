/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FILCHI_BENCH_UTF8_H
#define FILCHI_BENCH_UTF8_H

/* Returns the length of the UTF-8 sequence at the start of a text that ends with a 0; 0: not UTF-8. */
static inline unsigned filchi_utf8_length(const unsigned char *s)
{
	unsigned length = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 : *s >= 0xe0 && *s < 0xf0 ? 3 : 0;

	if (*s >= 0xf0 && *s < 0xf5)
		length = 4;
	for (unsigned i = 1; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms, surrogates, and numbers beyond the last character. */
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] >= 0xa0) || (*s == 0xf0 && s[1] < 0x90) ||
	    (*s == 0xf4 && s[1] >= 0x90))
		return 0;
	return length;
}

#endif
