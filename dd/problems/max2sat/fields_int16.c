/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <string.h>

#define FIELD int16_t
#define SUM int32_t
#define SET filchi_max2sat_fields_int16
#include "fields.h"
