/* SPDX-License-Identifier: Apache-2.0 */
/* The options of filch dupes. */
#ifndef FILCHI_DUPES_SETTINGS_H
#define FILCHI_DUPES_SETTINGS_H

#include "dupes.h"

extern const char filchi_dupes_help[];

/* -1: go on. Else the exit code. dirs of the settings is for free(), in any case. */
int filchi_dupes_settings_read(struct filchi_dupes_settings *set, int argc, char **argv);

#endif
