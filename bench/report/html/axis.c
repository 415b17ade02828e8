/* SPDX-License-Identifier: Apache-2.0 */
#include "axis.h"

#include <math.h>
#include <stdlib.h>

void filchi_axis_start(struct filchi_axis *a, bool log)
{
	*a = (struct filchi_axis){.log = log, .whole = true, .binary = true, .empty = true, .to = 1, .decimals = -1};
}

bool filchi_axis_has(const struct filchi_axis *a, double value)
{
	/* The bounds keep the arithmetic below away from infinity. */
	return isfinite(value) && fabs(value) < 1e100 && (!a->log || value > 1e-100);
}

static void note_value(struct filchi_axis *a, double value)
{
	for (size_t i = 0; i < a->value_count; i++)
		if (a->values[i] == value)
			return;
	if (a->value_count <= FILCHI_TICKS)
		a->values[a->value_count++] = value;
}

void filchi_axis_take(struct filchi_axis *a, double value)
{
	int exponent;

	if (!filchi_axis_has(a, value))
		return;
	a->whole = a->whole && value == floor(value);
	a->binary = a->binary && value > 0 && frexp(value, &exponent) == 0.5;
	note_value(a, value);
	if (a->empty || value < a->low)
		a->low = value;
	if (a->empty || value > a->high)
		a->high = value;
	a->empty = false;
}

static void add_tick(struct filchi_axis *a, double value)
{
	double slack = 1e-9 * (fabs(a->high) + fabs(a->low));

	if (a->log ? value < a->low * (1 - 1e-9) || value > a->high * (1 + 1e-9)
		   : value < a->low - slack || value > a->high + slack)
		return;
	if (a->tick_count < FILCHI_TICKS)
		a->ticks[a->tick_count++] = value;
}

/* Returns the smallest of 1, 2, 5, 10, 20, ... and their tenths that is not below the value. */
static double nice_step(double least)
{
	double power = pow(10, floor(log10(least)));
	double lead = least / power;

	return power * (lead <= 1.0000001 ? 1 : lead <= 2.0000001 ? 2 : lead <= 5.0000001 ? 5 : 10);
}

static void fit_linear(struct filchi_axis *a, unsigned wanted, bool round)
{
	double step = nice_step((a->high - a->low) / wanted);

	if (a->whole && step < 1)
		step = 1;
	if (round) {
		a->low = floor(a->low / step + 1e-9) * step;
		a->high = ceil(a->high / step - 1e-9) * step;
	}
	/* Enough digits for the steps, but not more than a number has. */
	a->decimals = step < 1 && step > 1e-6 ? (int)ceil(-log10(step) - 1e-9) : -1;
	for (double i = ceil(a->low / step - 1e-9), n = 0; n < FILCHI_TICKS; i++, n++)
		add_tick(a, i * step + 0.0); /* no -0 */
}

static void fit_powers(struct filchi_axis *a, double base, unsigned wanted)
{
	double first = ceil(log(a->low) / log(base) - 1e-9), last = floor(log(a->high) / log(base) + 1e-9);
	double stride = ceil((last - first + 1) / wanted);

	if (stride < 1)
		stride = 1;
	for (double i = first; i <= last; i += stride)
		add_tick(a, pow(base, i));
}

/* Returns the largest (or smallest) of 1, 2 and 5 times a power of ten that is not above (or below) the value. */
static double round_log(double value, bool up)
{
	static const double leads[] = {1, 2, 5, 10};
	double power = pow(10, floor(log10(value) + 1e-12)), best = up ? power * 10 : power;

	for (size_t i = 0; i < 4; i++) {
		double lead = power * leads[i];

		if (up ? lead >= value * (1 - 1e-9) && lead < best : lead <= value * (1 + 1e-9) && lead > best)
			best = lead;
	}
	return best;
}

static void fit_log(struct filchi_axis *a, unsigned wanted, bool round)
{
	double decades;

	if (round) {
		a->low = round_log(a->low, false);
		a->high = round_log(a->high, true);
	}
	decades = log10(a->high / a->low);
	if (a->binary && !round) {
		fit_powers(a, 2, wanted);
	} else if (3 * decades > (round ? 1.6 : 1) * wanted) { /* texts are wider than high */
		fit_powers(a, 10, wanted + 2);
	} else if (decades < 0.5) {
		fit_linear(a, wanted, false);
	} else {
		for (double i = floor(log10(a->low)); i <= ceil(log10(a->high)); i++) {
			double ten = pow(10, i);

			add_tick(a, ten);
			add_tick(a, 2 * ten);
			add_tick(a, 5 * ten);
		}
	}
}

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return left < right ? -1 : left > right;
}

/* True if the values can be ticks: few whole numbers with few digits. */
static bool values_are_ticks(const struct filchi_axis *a, unsigned wanted)
{
	for (size_t i = 0; i < a->value_count; i++) {
		double value = a->values[i], unit = pow(10, floor(log10(fabs(value))) - 2);

		if (fabs(value) >= 10000 && fabs(value / unit - rint(value / unit)) > 1e-6)
			return false;
	}
	return a->whole && a->value_count > 1 && a->value_count <= wanted;
}

static void fit_values(struct filchi_axis *a)
{
	qsort(a->values, a->value_count, sizeof(double), by_value);
	for (size_t i = 0; i < a->value_count; i++)
		add_tick(a, a->values[i]);
}

void filchi_axis_fit(struct filchi_axis *a, unsigned wanted, bool round)
{
	if (a->empty || (a->low == 0 && a->high == 0)) {
		a->low = a->log ? 1 : 0;
		a->high = a->log ? 10 : 1;
	} else if (a->high - a->low <= 1e-9 * fabs(a->high)) {
		/* A single value is in the middle, or at the end of an axis that begins at zero. */
		double room = a->whole && fabs(a->low) < 10 ? 1 : fabs(a->low) / 10;

		a->low = a->log ? a->low / 2 : a->low - room;
		a->high = a->log ? a->high * 2 : a->high + room;
	}
	if (!round && values_are_ticks(a, wanted))
		fit_values(a);
	else if (a->log)
		fit_log(a, wanted, round);
	else
		fit_linear(a, wanted, round);
}

void filchi_axis_label(const struct filchi_axis *a, size_t tick, char out[FILCHI_NUMBER_SIZE])
{
	double value = a->ticks[tick];

	if (a->decimals >= 0 && fabs(value) < 999 && (value != 0 || a->low < 0))
		snprintf(out, FILCHI_NUMBER_SIZE, "%.*f", a->decimals, value);
	else
		filchi_text_number(out, value, 6);
}

double filchi_axis_at(const struct filchi_axis *a, double value)
{
	double share;

	if (a->log)
		share = value > a->low ? log(value / a->low) / log(a->high / a->low) : 0;
	else
		share = (value - a->low) / (a->high - a->low);
	return a->from + (a->to - a->from) * fmin(fmax(share, 0), 1);
}
