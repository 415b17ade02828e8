/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a text is well-formed XML, as far as pictures use it: elements, attributes, text. No more than that. */
#ifndef TEST_PAGE_XML_H
#define TEST_PAGE_XML_H

#include <stddef.h>

/* NULL, or what is wrong; *where is then how far it was read. The text is one element with all in it. */
const char *xml_check(const char *text, size_t length, size_t *where);

#endif
