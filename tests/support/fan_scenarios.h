/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios of tests/check/fan.c: play of struct check_scenario, with a struct fork_scenario. */
#ifndef TEST_SUPPORT_FAN_SCENARIOS_H
#define TEST_SUPPORT_FAN_SCENARIOS_H

/* fan_nested.c */
void fan_nested(void *scenario);
void fan_in_turn(void *scenario);
void fan_left_off(void *scenario);
void fan_reused(void *scenario);
void fan_for_spawn(void *scenario);
void fan_beneath(void *scenario);
void fan_waits(void *scenario);

/* fan_leaps.c */
void fan_leap(void *scenario);
void fan_older(void *scenario);
void fan_out_of_reach(void *scenario);
void fan_late(void *scenario);
void fan_third(void *scenario);

/* What they have not come by, though they should; or NULL. */
const char *fan_nested_fault(void);
const char *fan_leaps_fault(void);

#endif
