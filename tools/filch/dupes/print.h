/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the output that several formats use. */
#ifndef FILCHI_DUPES_PRINT_H
#define FILCHI_DUPES_PRINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

bool filchi_dupes_is_utf8(const char *text);
void filchi_dupes_print_path(FILE *out, const char *path);
void filchi_dupes_print_bytes(FILE *out, uint64_t bytes);

#endif
