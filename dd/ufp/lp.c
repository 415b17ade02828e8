/* SPDX-License-Identifier: Apache-2.0 */
#include "lp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEASIBLE 1e-8	 /* how far a basic variable may be outside of its bounds; rows are scaled to 1 */
#define PIVOT_LEAST 1e-7 /* smaller entries of the table count as zero */
#define ASK 8		 /* pivots between questions whether to stop */
#define REFRESH 200	 /* pivots after which the table is computed anew */

/* ---- memory ---- */

void filchi_ufp_lp_end(struct filchi_ufp_lp *lp)
{
	free(lp->profit);
	free(lp->matrix);
	free(lp->scale);
	free(lp->low);
	free(lp->high);
	free(lp->at_high);
	free(lp->table);
	free(lp->reduced);
	free(lp->value);
	free(lp->basic);
	free(lp->other);
	free(lp->candidate);
	free(lp->ratio);
	*lp = (struct filchi_ufp_lp){0};
}

static bool grow(void *array, size_t count, size_t size)
{
	void **pointer = array, *more = realloc(*pointer, count * size);

	if (more)
		*pointer = more;
	return more;
}

static int make_room(struct filchi_ufp_lp *lp)
{
	size_t n = lp->columns, room = lp->room ? 2 * lp->room : 64;

	if (lp->rows < lp->room)
		return 0;
	if (!grow(&lp->matrix, room * n + 1, sizeof(double)) || !grow(&lp->table, room * n + 1, sizeof(double)) ||
	    !grow(&lp->scale, room, sizeof(double)) || !grow(&lp->low, room + n, sizeof(double)) ||
	    !grow(&lp->high, room + n, sizeof(double)) || !grow(&lp->at_high, room + n, sizeof(bool)) ||
	    !grow(&lp->value, room, sizeof(double)) || !grow(&lp->basic, room, sizeof(uint32_t)))
		return -ENOMEM;
	lp->room = room;
	return 0;
}

int filchi_ufp_lp_init(struct filchi_ufp_lp *lp, size_t columns)
{
	*lp = (struct filchi_ufp_lp){.columns = columns};
	lp->profit = calloc(columns + 1, sizeof(*lp->profit));
	lp->low = calloc(columns + 1, sizeof(*lp->low));
	lp->high = calloc(columns + 1, sizeof(*lp->high));
	lp->at_high = calloc(columns + 1, sizeof(*lp->at_high));
	lp->reduced = calloc(columns + 1, sizeof(*lp->reduced));
	lp->other = calloc(columns + 1, sizeof(*lp->other));
	lp->candidate = calloc(columns + 1, sizeof(*lp->candidate));
	lp->ratio = calloc(columns + 1, sizeof(*lp->ratio));
	if (!lp->profit || !lp->low || !lp->high || !lp->at_high || !lp->reduced || !lp->other || !lp->candidate ||
	    !lp->ratio || make_room(lp)) {
		filchi_ufp_lp_end(lp);
		return -ENOMEM;
	}
	for (size_t j = 0; j < columns; j++)
		lp->other[j] = (uint32_t)j;
	lp->since_refresh = REFRESH; /* the first solve computes the table */
	return 0;
}

/* ---- rows ---- */

static double *table_row(const struct filchi_ufp_lp *lp, size_t row)
{
	return lp->table + row * lp->columns;
}

/* The new row in terms of the variables that are not basic. */
static void express(const struct filchi_ufp_lp *lp, const double *matrix, double *out)
{
	size_t n = lp->columns;

	for (size_t j = 0; j < n; j++)
		out[j] = lp->other[j] < n ? matrix[lp->other[j]] : 0;
	for (size_t i = 0; i < lp->rows; i++) {
		double factor = lp->basic[i] < n ? matrix[lp->basic[i]] : 0;

		for (size_t j = 0; factor != 0 && j < n; j++)
			out[j] += factor * table_row(lp, i)[j];
	}
}

int filchi_ufp_lp_add_row(struct filchi_ufp_lp *lp, const double *coefficients, double low, double high)
{
	size_t n = lp->columns, row = lp->rows;
	double most = 0;

	if (make_room(lp))
		return -ENOMEM;
	for (size_t j = 0; j < n; j++)
		most = fabs(coefficients[j]) > most ? fabs(coefficients[j]) : most;
	lp->scale[row] = most > 0 ? 1 / most : 1;
	for (size_t j = 0; j < n; j++)
		lp->matrix[row * n + j] = coefficients[j] * lp->scale[row];
	lp->low[n + row] = low * lp->scale[row];
	lp->high[n + row] = high * lp->scale[row];
	lp->at_high[n + row] = false;
	lp->basic[row] = (uint32_t)(n + row);
	express(lp, lp->matrix + row * n, table_row(lp, row));
	lp->rows++;
	return 0;
}

/* The place of a variable among the basic ones, or rows if it is not basic. */
static size_t place_of(const struct filchi_ufp_lp *lp, size_t variable)
{
	size_t i = 0;

	while (i < lp->rows && lp->basic[i] != variable)
		i++;
	return i;
}

bool filchi_ufp_lp_row_binds(const struct filchi_ufp_lp *lp, size_t row)
{
	return place_of(lp, lp->columns + row) == lp->rows;
}

bool filchi_ufp_lp_remove_row(struct filchi_ufp_lp *lp, size_t row)
{
	size_t n = lp->columns, place = place_of(lp, n + row), last = lp->rows - 1;

	if (place == lp->rows)
		return false;
	/* The last row of the table moves to its place, and the last row of the program gets its number. */
	memcpy(table_row(lp, place), table_row(lp, last), n * sizeof(double));
	lp->basic[place] = lp->basic[last];
	lp->value[place] = lp->value[last];
	lp->rows--;
	if (row == last)
		return true;
	memcpy(lp->matrix + row * n, lp->matrix + last * n, n * sizeof(double));
	lp->scale[row] = lp->scale[last];
	lp->low[n + row] = lp->low[n + last];
	lp->high[n + row] = lp->high[n + last];
	lp->at_high[n + row] = lp->at_high[n + last];
	for (size_t i = 0; i < lp->rows; i++)
		if (lp->basic[i] == n + last)
			lp->basic[i] = (uint32_t)(n + row);
	for (size_t j = 0; j < n; j++)
		if (lp->other[j] == n + last)
			lp->other[j] = (uint32_t)(n + row);
	return true;
}

/* ---- pivots ---- */

/* The basic variable of the row and the variable of the column change places. */
static void pivot(struct filchi_ufp_lp *lp, size_t row, size_t column)
{
	size_t n = lp->columns;
	double *restrict r = table_row(lp, row), inverse = 1 / r[column];
	uint32_t variable = lp->basic[row];

	for (size_t j = 0; j < n; j++)
		r[j] *= -inverse;
	r[column] = inverse;
	for (size_t i = 0; i <= lp->rows; i++) {
		double *restrict t = i == lp->rows ? lp->reduced : table_row(lp, i), factor = t[column];

		if (i == row || factor == 0)
			continue;
		t[column] = 0;
		for (size_t j = 0; j < n; j++)
			t[j] += factor * r[j];
	}
	lp->basic[row] = lp->other[column];
	lp->other[column] = variable;
	lp->pivots++;
	lp->since_refresh++;
}

static bool stopped(const struct filchi_ufp_lp *lp)
{
	return lp->stop && lp->pivots % ASK == 0 && lp->stop(lp->stop_arg);
}

/* Computes the table anew for the same basis, as far as the pivots are large enough. */
static void refresh(struct filchi_ufp_lp *lp, bool *wanted)
{
	size_t n = lp->columns;

	memset(wanted, 0, (n + lp->rows) * sizeof(*wanted));
	for (size_t i = 0; i < lp->rows; i++)
		wanted[lp->basic[i]] = true;
	memcpy(lp->table, lp->matrix, lp->rows * n * sizeof(double));
	memcpy(lp->reduced, lp->profit, n * sizeof(double));
	for (size_t j = 0; j < n; j++)
		lp->other[j] = (uint32_t)j;
	for (size_t i = 0; i < lp->rows; i++)
		lp->basic[i] = (uint32_t)(n + i);
	for (size_t j = 0; j < n && !stopped(lp); j++) {
		size_t best = lp->rows;

		for (size_t i = 0; wanted[j] && i < lp->rows; i++)
			if (!wanted[lp->basic[i]] && fabs(table_row(lp, i)[j]) > PIVOT_LEAST &&
			    (best == lp->rows || fabs(table_row(lp, i)[j]) > fabs(table_row(lp, best)[j])))
				best = i;
		if (best < lp->rows)
			pivot(lp, best, j);
	}
	lp->since_refresh = 0;
}

static inline double bound_of(const struct filchi_ufp_lp *lp, uint32_t variable)
{
	return lp->at_high[variable] ? lp->high[variable] : lp->low[variable];
}

/* Variables that are not basic go to the bound that suits their profit. */
static void start(struct filchi_ufp_lp *lp)
{
	size_t n = lp->columns;

	for (size_t j = 0; j < n; j++) {
		uint32_t v = lp->other[j];

		if (fabs(lp->reduced[j]) > 1e-9)
			lp->at_high[v] = lp->reduced[j] > 0;
		lp->ratio[j] = bound_of(lp, v);
	}
	for (size_t i = 0; i < lp->rows; i++) {
		const double *t = table_row(lp, i);
		double sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += t[j] * lp->ratio[j];
		lp->value[i] = sum;
	}
	lp->objective = 0;
	for (size_t j = 0; j < n; j++)
		lp->objective += lp->reduced[j] * lp->ratio[j];
}

/* The row that violates its bounds most; rows if none does. *sign: 1 if it must grow. */
static size_t choose_row(const struct filchi_ufp_lp *lp, int *sign, double *amount)
{
	size_t chosen = lp->rows;

	*amount = FEASIBLE;
	for (size_t i = 0; i < lp->rows; i++) {
		double under = lp->low[lp->basic[i]] - lp->value[i], over = lp->value[i] - lp->high[lp->basic[i]];

		if (under > *amount || over > *amount) {
			chosen = i;
			*sign = under > over ? 1 : -1;
			*amount = under > over ? under : over;
		}
	}
	return chosen;
}

static size_t list_candidates(struct filchi_ufp_lp *lp, size_t row, int sign)
{
	const double *t = table_row(lp, row);
	size_t count = 0;

	for (size_t j = 0; j < lp->columns; j++) {
		uint32_t v = lp->other[j];
		double entry = sign * t[j];

		if ((lp->at_high[v] ? -entry : entry) < PIVOT_LEAST || lp->high[v] <= lp->low[v])
			continue;
		lp->candidate[count] = (uint32_t)j;
		lp->ratio[count++] = fabs(lp->reduced[j]) / fabs(entry);
	}
	return count;
}

/* Swaps the best candidate to place first: the least ratio, of nearly equal ones the largest entry. */
static uint32_t take_least(struct filchi_ufp_lp *lp, size_t row, size_t first, size_t count)
{
	const double *t = table_row(lp, row);
	size_t least = first;
	double ratio;
	uint32_t column;

	for (size_t i = first + 1; i < count; i++) {
		double difference = lp->ratio[i] - lp->ratio[least];

		if (difference < -1e-10 ||
		    (difference < 1e-10 && fabs(t[lp->candidate[i]]) > fabs(t[lp->candidate[least]])))
			least = i;
	}
	column = lp->candidate[least];
	ratio = lp->ratio[least];
	lp->candidate[least] = lp->candidate[first];
	lp->ratio[least] = lp->ratio[first];
	lp->candidate[first] = column;
	lp->ratio[first] = ratio;
	return column;
}

/* Variable of the column changes by so much. */
static void move(struct filchi_ufp_lp *lp, size_t column, double by)
{
	const double *t = lp->table + column;

	for (size_t i = 0; i < lp->rows; i++)
		lp->value[i] += by * t[i * lp->columns];
	lp->objective += by * lp->reduced[column];
}

/* One step of the dual simplex. False: no variable can help. */
static bool step(struct filchi_ufp_lp *lp, size_t row, int sign, double amount)
{
	size_t count = list_candidates(lp, row, sign);
	uint32_t leaving = lp->basic[row], column = 0, entering;
	double by;

	for (size_t i = 0;; i++) {
		double range;

		if (i == count)
			return false;
		column = take_least(lp, row, i, count);
		entering = lp->other[column];
		range = lp->high[entering] - lp->low[entering];
		if (fabs(table_row(lp, row)[column]) * range >= amount - FEASIBLE)
			break;
		amount -= fabs(table_row(lp, row)[column]) * range;
		move(lp, column, lp->at_high[entering] ? -range : range);
		lp->at_high[entering] = !lp->at_high[entering];
	}
	by = sign * amount / table_row(lp, row)[column];
	move(lp, column, by);
	lp->value[row] = bound_of(lp, entering) + by;
	lp->at_high[leaving] = sign < 0;
	pivot(lp, row, column);
	return true;
}

int filchi_ufp_lp_solve(struct filchi_ufp_lp *lp, double cutoff)
{
	size_t most = 50 * (lp->rows + lp->columns) + 100;

	if (lp->since_refresh >= REFRESH) {
		bool *wanted = malloc((lp->columns + lp->rows) * sizeof(*wanted) + 1);

		if (!wanted)
			return -ENOMEM;
		refresh(lp, wanted);
		free(wanted);
	}
	start(lp);
	for (size_t i = 0; i < most; i++) {
		int sign = 0;
		double amount;
		size_t row = choose_row(lp, &sign, &amount);

		if (row == lp->rows || lp->objective <= cutoff)
			return 0;
		if (stopped(lp))
			return -ECANCELED;
		if (!step(lp, row, sign, amount))
			return -EDOM;
	}
	return -EDOM;
}

void filchi_ufp_lp_values(const struct filchi_ufp_lp *lp, double *values)
{
	for (size_t j = 0; j < lp->columns; j++)
		if (lp->other[j] < lp->columns)
			values[lp->other[j]] = bound_of(lp, lp->other[j]);
	for (size_t i = 0; i < lp->rows; i++)
		if (lp->basic[i] < lp->columns)
			values[lp->basic[i]] = lp->value[i];
}

void filchi_ufp_lp_duals(const struct filchi_ufp_lp *lp, double *duals)
{
	memset(duals, 0, lp->rows * sizeof(*duals));
	for (size_t j = 0; j < lp->columns; j++)
		if (lp->other[j] >= lp->columns)
			duals[lp->other[j] - lp->columns] = lp->reduced[j] * lp->scale[lp->other[j] - lp->columns];
}
