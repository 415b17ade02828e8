/* SPDX-License-Identifier: Apache-2.0 */
#include "data.h"

#include "../../harness/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "filch-bench-1"

static const char *text_or(const struct filchi_json_value *v, const char *otherwise)
{
	const char *text = filchi_json_text(v);

	return text ? text : otherwise;
}

static int refuse(struct filchi_data *d, const char *path, const char *what, const char *found, const char *expected)
{
	snprintf(d->json.error, sizeof(d->json.error), "%.800s: %s '%.128s', not '%.128s'", path, what, found,
		 expected);
	filchi_json_file_free(&d->json);
	return -EINVAL;
}

/* Checks that each result has the members that a search needs. */
static bool results_complete(const struct filchi_json_value *results)
{
	if (!results || results->type != FILCHI_JSON_ARRAY)
		return false;
	for (const struct filchi_json_value *r = results->first; r; r = r->next) {
		const struct filchi_json_value *metrics = filchi_json_get(r, "metrics");

		if (!filchi_json_text(filchi_json_get(r, "subject")) || !metrics ||
		    !filchi_json_text(filchi_json_get(r, "measure")) || metrics->type != FILCHI_JSON_OBJECT)
			return false;
	}
	return true;
}

static void describe(struct filchi_data *d)
{
	const struct filchi_json_value *root = d->json.root;
	const struct filchi_json_value *m = filchi_json_get(root, "machine"), *b = filchi_json_get(root, "build");
	double cpus = filchi_json_real(filchi_json_get(m, "cpus_online"));
	const char *dirty; /* the text after the digits; twelve digits are enough */

	d->finished = text_or(filchi_json_get(root, "finished"), "not known");
	d->command = text_or(filchi_json_get(root, "command"), "filch bench, with options that are not known");
	d->commit = text_or(filchi_json_get(b, "commit"), "not known");
	dirty = strchr(d->commit, '-');
	d->quick = filchi_json_true(filchi_json_get(d->options, "quick"));
	d->optimized = filchi_json_true(filchi_json_get(b, "optimized"));
	snprintf(d->machine, sizeof(d->machine), "%.128s, %.0f CPU%s (%.0f usable), %.128s, governor %.32s",
		 text_or(filchi_json_get(m, "cpu"), "unknown"), cpus, cpus > 1 ? "s" : "",
		 filchi_json_real(filchi_json_get(m, "cpus_usable")), text_or(filchi_json_get(m, "kernel"), "unknown"),
		 text_or(filchi_json_get(m, "governor"), "not known"));
	snprintf(d->build, sizeof(d->build), "filch %.32s, commit %.12s%s, %.64s %.256s",
		 text_or(filchi_json_get(b, "version"), "unknown"), d->commit,
		 dirty && dirty - d->commit > 12 ? "-dirty" : "", text_or(filchi_json_get(b, "compiler"), "unknown"),
		 text_or(filchi_json_get(b, "flags"), ""));
}

int filchi_data_read(struct filchi_data *d, const char *path, const char *suite)
{
	const char *found;
	int err;

	*d = (struct filchi_data){.finished = "", .commit = "", .command = ""};
	err = filchi_json_read(&d->json, path);
	if (err)
		return err;
	found = text_or(filchi_json_get(d->json.root, "schema"), "missing");
	if (strcmp(found, SCHEMA) != 0)
		return refuse(d, path, "the schema is", found, SCHEMA);
	found = text_or(filchi_json_get(d->json.root, "suite"), "missing");
	if (strcmp(found, suite) != 0)
		return refuse(d, path, "the suite is", found, suite);
	d->options = filchi_json_get(d->json.root, "options");
	d->results = filchi_json_get(d->json.root, "results");
	if (!results_complete(d->results))
		return refuse(d, path, "the results are", "incomplete", "subject, measure and metrics each");
	describe(d);
	return 0;
}

void filchi_data_free(struct filchi_data *d)
{
	filchi_json_file_free(&d->json);
}

static struct filchi_found take(const struct filchi_json_value *result, const char *metric)
{
	const struct filchi_json_value *m = filchi_json_get(filchi_json_get(result, "metrics"), metric);
	const struct filchi_json_value *samples = filchi_json_get(m, "samples");

	return (struct filchi_found){
		.median = filchi_json_real(filchi_json_get(m, "median")),
		.low = filchi_json_real(filchi_json_get(m, "low")),
		.high = filchi_json_real(filchi_json_get(m, "high")),
		.max = filchi_json_real(filchi_json_get(m, "max")),
		.samples = samples && samples->type == FILCHI_JSON_ARRAY ? samples : NULL,
	};
}

struct filchi_found filchi_data_find(const struct filchi_data *d, const char *subject, const char *measure,
				     const char *metric)
{
	for (const struct filchi_json_value *r = d ? d->results->first : NULL; r; r = r->next)
		if (!strcmp(filchi_json_text(filchi_json_get(r, "subject")), subject) &&
		    !strcmp(filchi_json_text(filchi_json_get(r, "measure")), measure))
			return take(r, metric);
	return take(NULL, metric);
}

double filchi_data_median(const struct filchi_data *d, const char *subject, const char *measure, const char *metric)
{
	return filchi_data_find(d, subject, measure, metric).median;
}

/* ---- samples ---- */

static size_t count_samples(const struct filchi_found *f)
{
	size_t count = 0;

	for (const struct filchi_json_value *v = f->samples ? f->samples->first : NULL; v; v = v->next)
		count++;
	return count;
}

static void copy_samples(const struct filchi_found *f, double *out, size_t count)
{
	for (const struct filchi_json_value *v = f->samples ? f->samples->first : NULL; v && count--; v = v->next)
		*out++ = filchi_json_real(v);
}

struct filchi_ratio filchi_data_ratio(struct filchi_found a, struct filchi_found b)
{
	size_t a_count = count_samples(&a), b_count = count_samples(&b);
	struct filchi_ratio out = {0, NAN, NAN, NAN, NAN};
	double *samples = calloc(a_count + b_count + 1, sizeof(*samples));

	if (!samples)
		return out;
	copy_samples(&a, samples, a_count);
	copy_samples(&b, samples + a_count, b_count);
	filchi_ratio(&out, samples, a_count, samples + a_count, b_count, a_count == b_count);
	free(samples);
	return out;
}

static double sum(struct filchi_found f)
{
	double total = 0;

	for (const struct filchi_json_value *v = f.samples ? f.samples->first : NULL; v; v = v->next)
		total += filchi_json_real(v);
	return total;
}

/*
 * For a program with one worker, all switches count. For filch bench queue, switches of the owner count if each
 * thread has a CPU.
 */
double filchi_data_busy(const struct filchi_data *d)
{
	const struct filchi_json_value *machine = filchi_json_get(d->json.root, "machine");
	bool crowded = filchi_json_real(filchi_json_get(d->options, "thieves")) >=
		       filchi_json_real(filchi_json_get(machine, "cpus_usable"));
	double sample = filchi_json_real(filchi_json_get(d->options, "seconds")), count = 0, seconds = 0;

	for (const struct filchi_json_value *r = d->results->first; r; r = r->next) {
		const char *measure = filchi_json_text(filchi_json_get(r, "measure")), *last = strrchr(measure, '/');
		struct filchi_found owner = take(r, "owner_involuntary");

		if (last && !strcmp(last, "/1")) {
			count += sum(take(r, "involuntary"));
			seconds += sum(take(r, "ns")) / 1e9;
		} else if (owner.samples && !strncmp(measure, "throughput_", 11) &&
			   (!crowded || !strcmp(measure, "throughput_0"))) {
			count += sum(owner);
			seconds += sample * (double)count_samples(&owner);
		}
	}
	return filchi_report_is_busy(count, seconds) ? count / seconds : 0;
}

/* ---- programs ---- */

/* True if the measure has that workload, size (NULL: any) and number of workers. */
static bool is_program(const char *measure, const char *workload, const char *size, unsigned workers)
{
	const char *first = strchr(measure, '/'), *last = strrchr(measure, '/');
	char count[16];

	if (!first || first == last)
		return false;
	snprintf(count, sizeof(count), "/%u", workers);
	return strlen(workload) == (size_t)(first - measure) && !memcmp(measure, workload, strlen(workload)) &&
	       !strcmp(last, count) &&
	       (!size || (strlen(size) == (size_t)(last - first - 1) && !memcmp(first + 1, size, strlen(size))));
}

static const struct filchi_json_value *find_program(const struct filchi_data *d, const char *runtime,
						    const char *workload, const char *size, unsigned workers)
{
	for (const struct filchi_json_value *r = d ? d->results->first : NULL; r; r = r->next)
		if (!strcmp(filchi_json_text(filchi_json_get(r, "subject")), runtime) &&
		    is_program(filchi_json_text(filchi_json_get(r, "measure")), workload, size, workers))
			return r;
	return NULL;
}

bool filchi_data_has(const struct filchi_data *d, const char *runtime)
{
	for (const struct filchi_json_value *r = d ? d->results->first : NULL; r; r = r->next)
		if (!strcmp(filchi_json_text(filchi_json_get(r, "subject")), runtime))
			return true;
	return false;
}

bool filchi_data_lacks(const struct filchi_data *d, const char *runtime)
{
	const struct filchi_json_value *list = d ? filchi_json_get(d->options, "not_there") : NULL;

	for (const struct filchi_json_value *v = list ? list->first : NULL; v; v = v->next)
		if (!strcmp(text_or(v, ""), runtime))
			return true;
	return false;
}

struct filchi_found filchi_data_program(const struct filchi_data *d, const char *runtime, const char *workload,
					const char *size, unsigned workers, const char *metric)
{
	return take(find_program(d, runtime, workload, size, workers), metric);
}

const struct filchi_json_value *filchi_data_profile(const struct filchi_data *d, const char *runtime,
						    const char *workload, unsigned workers)
{
	const struct filchi_json_value *list =
		filchi_json_get(find_program(d, runtime, workload, NULL, workers), "profile");

	return list && list->type == FILCHI_JSON_ARRAY ? list->first : NULL;
}

static const struct filchi_json_value *programs(const struct filchi_data *d)
{
	const struct filchi_json_value *list = d ? filchi_json_get(d->options, "programs") : NULL;

	return list ? list->first : NULL;
}

const char *filchi_data_size(const struct filchi_data *d, const char *workload, unsigned n)
{
	for (const struct filchi_json_value *p = programs(d); p; p = p->next) {
		const char *name = filchi_json_text(filchi_json_get(p, "name"));

		if (name && !strcmp(name, workload) && !n--)
			return filchi_json_text(filchi_json_get(p, "size"));
	}
	return NULL;
}

const char *filchi_data_workload(const struct filchi_data *d, unsigned n)
{
	const char *last = "", *name;

	for (const struct filchi_json_value *p = programs(d); p; p = p->next) {
		name = filchi_json_text(filchi_json_get(p, "name"));
		if (!name || !strcmp(name, last))
			continue;
		last = name;
		if (!n--)
			return name;
	}
	return NULL;
}

unsigned filchi_data_workers(const struct filchi_data *d, unsigned n)
{
	const struct filchi_json_value *list = d ? filchi_json_get(d->options, "workers") : NULL;

	for (const struct filchi_json_value *v = list ? list->first : NULL; v; v = v->next)
		if (!n--)
			return v->number >= 1 && v->number <= 65536 ? (unsigned)v->number : 0;
	return 0;
}

/* ---- scaling ---- */

struct filchi_scaling filchi_data_scaling(const struct filchi_data *d, const char *runtime, const char *workload,
					  const char *size, unsigned workers)
{
	const char *copied = text_or(filchi_json_get(d ? d->options : NULL, "copies_of"), "");
	struct filchi_found found[] = {
		filchi_data_program(d, runtime, workload, size, 1, "ns"),
		filchi_data_program(d, runtime, workload, size, workers, "ns"),
		filchi_data_program(d, copied, workload, size, 1, "ns"),
		filchi_data_program(d, "copies", workload, size, workers, "ns"),
	};
	const struct filchi_ratio none = {0, NAN, NAN, NAN, NAN};
	struct filchi_scaling out = {none, none, none};
	size_t count = count_samples(&found[0]);
	double *ns = calloc(4 * count + 1, sizeof(*ns));

	for (size_t i = 0; ns && i < 4; i++) {
		if (count_samples(&found[i]) != count)
			count = 0;
		copy_samples(&found[i], ns + i * count, count);
	}
	if (ns && count)
		filchi_scaling(&out, ns, ns + count, strcmp(copied, runtime) ? ns + 2 * count : ns, ns + 3 * count,
			       count, workers);
	free(ns);
	return out;
}
