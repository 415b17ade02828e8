/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a text is well-formed XML, within the subset that pictures use: elements, attributes, text. */
#ifndef TEST_PAGE_XML_H
#define TEST_PAGE_XML_H

#include <stddef.h>

/* NULL, or the error; then *where is its position. The text is a single element. */
const char *xml_check(const char *text, size_t length, size_t *where);

#endif
