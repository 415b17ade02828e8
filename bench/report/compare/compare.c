/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include "../../harness/stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "filch-bench-1"

/* ---- files ---- */

/* The file is JSON, but not of filch bench; the message has the place. */
static int foreign(struct filchi_compare *c, const char *path, const char *what)
{
	snprintf(c->error, sizeof(c->error), "%.1000s:1:1: not a file of filch bench --json: %.300s", path, what);
	return -EINVAL;
}

static const char *what_is_wrong(const struct filchi_json_value *result)
{
	const struct filchi_json_value *metrics = filchi_json_get(result, "metrics");

	if (!filchi_json_text(filchi_json_get(result, "subject")) ||
	    !filchi_json_text(filchi_json_get(result, "measure")))
		return "a result without subject or measure";
	if (!metrics || metrics->type != FILCHI_JSON_OBJECT)
		return "a result without metrics";
	for (const struct filchi_json_value *m = metrics->first; m; m = m->next) {
		const struct filchi_json_value *samples = filchi_json_get(m, "samples");

		if (!samples || samples->type != FILCHI_JSON_ARRAY)
			return "a metric without samples";
	}
	return NULL;
}

static int check(struct filchi_compare *c, const struct filchi_json_file *f, const char *path)
{
	const struct filchi_json_value *results = filchi_json_get(f->root, "results");
	const char *schema = filchi_json_text(filchi_json_get(f->root, "schema")), *wrong = NULL;
	char text[200];

	if (!schema)
		return foreign(c, path, "it has no schema");
	if (strcmp(schema, SCHEMA) != 0) {
		snprintf(text, sizeof(text), "its schema is '%.100s', not '" SCHEMA "'", schema);
		return foreign(c, path, text);
	}
	if (!results || results->type != FILCHI_JSON_ARRAY)
		return foreign(c, path, "it has no results");
	for (const struct filchi_json_value *r = results->first; r && !wrong; r = r->next)
		wrong = what_is_wrong(r);
	return wrong ? foreign(c, path, wrong) : 0;
}

static int read_one(struct filchi_compare *c, struct filchi_json_file *f, const char *path)
{
	int err = filchi_json_read(f, path);

	if (err) {
		snprintf(c->error, sizeof(c->error), "%s", f->error);
		return err;
	}
	err = check(c, f, path);
	if (err)
		filchi_json_file_free(f);
	return err;
}

/* ---- differences ---- */

static void say_value(const struct filchi_json_value *v, char *text, size_t size)
{
	text[0] = '\0';
	if (filchi_json_text(v))
		snprintf(text, size, "%s", filchi_json_text(v));
	else if (v && v->type == FILCHI_JSON_NUMBER)
		snprintf(text, size, "%g", filchi_json_real(v));
	else if (v && v->type == FILCHI_JSON_BOOL)
		snprintf(text, size, "%s", filchi_json_true(v) ? "yes" : "no");
}

static void compare_member(struct filchi_compare_difference *list, size_t *count, const char *what,
			   const struct filchi_json_value *a, const struct filchi_json_value *b)
{
	struct filchi_compare_difference d = {.what = what};

	say_value(a, d.old, sizeof(d.old));
	say_value(b, d.new, sizeof(d.new));
	if (strcmp(d.old, d.new) != 0 && *count < FILCHI_COMPARE_MAX_DIFFERENCES)
		list[(*count)++] = d;
}

static void find_differences(struct filchi_compare *c)
{
	static const char *const machine[] = {"cpu", "cpus_online", "cpus_usable", "kernel", "governor"};
	static const char *const build[] = {"compiler", "flags", "optimized"};
	const struct filchi_json_value *a = filchi_json_get(c->old.root, "machine");
	const struct filchi_json_value *b = filchi_json_get(c->new.root, "machine");

	for (size_t i = 0; i < sizeof(machine) / sizeof(machine[0]); i++)
		compare_member(c->differences, &c->difference_count, machine[i], filchi_json_get(a, machine[i]),
			       filchi_json_get(b, machine[i]));
	a = filchi_json_get(c->old.root, "build");
	b = filchi_json_get(c->new.root, "build");
	for (size_t i = 0; i < sizeof(build) / sizeof(build[0]); i++)
		compare_member(c->differences, &c->difference_count, build[i], filchi_json_get(a, build[i]),
			       filchi_json_get(b, build[i]));
}

/* Compares single values; the number and the order of samples do not matter. */
static void find_options(struct filchi_compare *c)
{
	static const char *const harmless[] = {"quick", "full", "runs", "seed"};
	const struct filchi_json_value *a = filchi_json_get(c->old.root, "options");
	const struct filchi_json_value *b = filchi_json_get(c->new.root, "options");

	for (const struct filchi_json_value *v = a ? a->first : NULL; v; v = v->next) {
		bool counts = v->key != NULL;

		for (size_t i = 0; counts && i < sizeof(harmless) / sizeof(harmless[0]); i++)
			counts = strcmp(v->key, harmless[i]) != 0;
		if (counts)
			compare_member(c->options, &c->option_count, v->key, v, filchi_json_get(b, v->key));
	}
}

int filchi_compare_read(struct filchi_compare *c, const char *old_path, const char *new_path)
{
	int err = read_one(c, &c->old, old_path);

	if (err)
		return err;
	err = read_one(c, &c->new, new_path);
	if (err) {
		filchi_json_file_free(&c->old);
		return err;
	}
	find_differences(c);
	find_options(c);
	return 0;
}

void filchi_compare_free(struct filchi_compare *c)
{
	free(c->rows);
	filchi_json_file_free(&c->old);
	filchi_json_file_free(&c->new);
}

/* ---- common results ---- */

static const struct filchi_json_value *results_of(const struct filchi_json_file *f)
{
	return filchi_json_get(f->root, "results")->first;
}

static bool same_text(const struct filchi_json_value *a, const struct filchi_json_value *b, const char *key)
{
	return !strcmp(filchi_json_text(filchi_json_get(a, key)), filchi_json_text(filchi_json_get(b, key)));
}

static const struct filchi_json_value *find_result(const struct filchi_json_file *f,
						   const struct filchi_json_value *like)
{
	for (const struct filchi_json_value *r = results_of(f); r; r = r->next)
		if (same_text(r, like, "subject") && same_text(r, like, "measure"))
			return r;
	return NULL;
}

/* -1: less is better; 1: more is better; 0: neither. */
static int direction(const char *unit)
{
	if (!strcmp(unit, "ns") || !strcmp(unit, "s") || !strcmp(unit, "bytes") || !strcmp(unit, "%"))
		return -1;
	return !strcmp(unit, "1/s");
}

static const char *unit_of(const struct filchi_json_value *metric)
{
	const char *unit = filchi_json_text(filchi_json_get(metric, "unit"));

	return unit ? unit : "";
}

static bool is_wanted(const struct filchi_compare *c, const struct filchi_json_value *metric, size_t found)
{
	if (!c->metric_count && !c->all)
		return !found && direction(unit_of(metric));
	for (size_t i = 0; i < c->metric_count; i++)
		if (!strcmp(c->metrics[i], metric->key))
			return true;
	return c->all;
}

/* The caller frees it. NULL: no memory. */
static double *samples_of(const struct filchi_json_value *metric, size_t *count)
{
	const struct filchi_json_value *v = filchi_json_get(metric, "samples");
	double *samples = malloc((v->count + 1) * sizeof(*samples));

	*count = 0;
	for (v = samples ? v->first : NULL; v; v = v->next)
		samples[(*count)++] = filchi_json_real(v);
	return samples;
}

/* With very few samples even a narrow interval says nothing. */
static bool is_same(const struct filchi_ratio *r)
{
	return 1 - ldexp(1, -(int)fmin((double)r->count, 50)) >= FILCHI_RATIO_CLEAR && r->low >= FILCHI_COMPARE_FROM &&
	       r->high <= FILCHI_COMPARE_TO;
}

static enum filchi_compare_result judge(const struct filchi_compare_row *row)
{
	int less = filchi_ratio_is_less(&row->ratio), more = filchi_ratio_is_more(&row->ratio);
	int wanted = direction(row->unit);

	if (!less && !more)
		return is_same(&row->ratio) ? FILCHI_COMPARE_SAME : FILCHI_COMPARE_UNCLEAR;
	if (!wanted)
		return FILCHI_COMPARE_OTHER;
	return (more - less) * wanted > 0 ? FILCHI_COMPARE_BETTER : FILCHI_COMPARE_WORSE;
}

static int fill_row(struct filchi_compare_row *row, const struct filchi_json_value *a,
		    const struct filchi_json_value *b)
{
	size_t a_count, b_count;
	double *x = samples_of(a, &a_count), *y = samples_of(b, &b_count);
	struct filchi_stats old = {0}, new = {0};
	int err = !x || !y ? -ENOMEM : filchi_ratio(&row->ratio, y, b_count, x, a_count, false);

	if (!err)
		err = filchi_stats(&old, x, a_count, 1);
	if (!err)
		err = filchi_stats(&new, y, b_count, 1);
	row->old_median = old.median;
	row->new_median = new.median;
	row->metric = a->key;
	row->unit = unit_of(a);
	row->result = judge(row);
	free(x);
	free(y);
	return err;
}

static int add_row(struct filchi_compare *c, const struct filchi_json_value *result, const struct filchi_json_value *a,
		   const struct filchi_json_value *b)
{
	struct filchi_compare_row *rows = realloc(c->rows, (c->row_count + 1) * sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	c->rows = rows;
	rows[c->row_count] = (struct filchi_compare_row){
		.subject = filchi_json_text(filchi_json_get(result, "subject")),
		.measure = filchi_json_text(filchi_json_get(result, "measure")),
	};
	return fill_row(&rows[c->row_count++], a, b);
}

/* Compares the metrics of a result that have samples in both files. */
static int add_result(struct filchi_compare *c, const struct filchi_json_value *a, const struct filchi_json_value *b)
{
	size_t found = 0;
	int err = 0;

	for (const struct filchi_json_value *m = filchi_json_get(a, "metrics")->first; m && !err; m = m->next) {
		const struct filchi_json_value *other = filchi_json_get(filchi_json_get(b, "metrics"), m->key);

		if (!other || !is_wanted(c, m, found))
			continue;
		err = add_row(c, a, m, other);
		if (!err && !c->rows[c->row_count - 1].ratio.count)
			c->row_count--; /* not measured in one file, or in both */
		else
			found++;
	}
	return err;
}

static bool is_in(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at++)
		if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ','))
			return true;
	return false;
}

/* Reports requested metrics that do not exist, and lists the metrics of the old file, each once. */
static void say_nothing_common(struct filchi_compare *c)
{
	char names[800] = "";
	size_t length = 0;

	for (const struct filchi_json_value *r = results_of(&c->old); r && c->metric_count; r = r->next)
		for (const struct filchi_json_value *m = filchi_json_get(r, "metrics")->first; m; m = m->next)
			if (!is_in(names, m->key) && length + strlen(m->key) + 3 < sizeof(names))
				length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s",
							   length ? ", " : "", m->key);
	snprintf(c->error, sizeof(c->error), "the files have nothing in common that can be compared%s%s",
		 length ? "; metrics of the old one are: " : "", names);
}

int filchi_compare_match(struct filchi_compare *c)
{
	int err = 0;

	for (const struct filchi_json_value *r = results_of(&c->old); r && !err; r = r->next) {
		const struct filchi_json_value *other = find_result(&c->new, r);

		if (other)
			err = add_result(c, r, other);
		else
			c->old_only++;
	}
	for (const struct filchi_json_value *r = results_of(&c->new); r; r = r->next)
		c->new_only += !find_result(&c->old, r);
	if (!err && !c->row_count)
		err = -ENOENT;
	if (err == -ENOENT)
		say_nothing_common(c);
	else if (err)
		snprintf(c->error, sizeof(c->error), "%s", strerror(-err));
	return err;
}

size_t filchi_compare_count(const struct filchi_compare *c, enum filchi_compare_result result)
{
	size_t count = 0;

	for (size_t i = 0; i < c->row_count; i++)
		count += c->rows[i].result == result;
	return count;
}

bool filchi_compare_is_control(const struct filchi_compare_row *row)
{
	static const char *const controls[] = {"serial", "plain", "libgomp", "libomp", "tbb"};

	for (size_t i = 0; i < sizeof(controls) / sizeof(controls[0]); i++)
		if (!strcmp(row->subject, controls[i]))
			return true;
	return false;
}

size_t filchi_compare_count_filch(const struct filchi_compare *c, enum filchi_compare_result result)
{
	size_t count = 0;

	for (size_t i = 0; i < c->row_count; i++)
		count += c->rows[i].result == result && !filchi_compare_is_control(&c->rows[i]);
	return count;
}
