/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <string.h>

#define FIELD int64_t
#define SUM int64_t
#define SET filchi_max2sat_fields_int64
#include "fields.h"
