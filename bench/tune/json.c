/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of filch tune: docs/bench-json.md. */
#include "../harness/report.h"
#include "tune.h"

#include <errno.h>

static void json_options(struct filchi_json *j, const struct filchi_tune *t)
{
	filchi_json_open(j, "command", '[');
	for (char **arg = t->options.argv; *arg; arg++)
		filchi_json_string(j, NULL, *arg);
	filchi_json_close(j, ']');
	filchi_json_open(j, "options", '{');
	filchi_json_bool(j, "quick", t->options.quick);
	filchi_json_integer(j, "runs", t->options.runs);
	filchi_json_number(j, "timeout", t->seconds);
	filchi_json_string(j, "output", t->options.ignore_output ? "ignore" : "same");
	filchi_json_bool(j, "force", t->options.force);
	filchi_json_close(j, '}');
	filchi_json_open(j, "axes", '[');
	for (size_t i = 0; i < FILCHI_TUNE_AXES; i++) {
		const struct filchi_tune_axis *a = &t->axes[i];

		filchi_json_open(j, NULL, '{');
		filchi_json_string(j, "name", a->name);
		filchi_json_string(j, "variable", a->variable);
		filchi_json_string(j, "default", a->usual);
		filchi_json_bool(j, "heard", a->heard);
		filchi_json_open(j, "values", '[');
		for (size_t v = 0; v < a->count; v++)
			filchi_json_string(j, NULL, a->values[v]);
		filchi_json_close(j, ']');
		filchi_json_close(j, '}');
	}
	filchi_json_close(j, ']');
}

static void json_variables(struct filchi_json *j, const struct filchi_tune *t, const struct filchi_tune_setting *s)
{
	filchi_json_open(j, "variables", '{');
	for (size_t i = 0; i < FILCHI_TUNE_AXES; i++)
		if (s->values[i])
			filchi_json_string(j, t->axes[i].variable, s->values[i]);
	filchi_json_close(j, '}');
}

static void json_ratio(struct filchi_json *j, const char *key, const struct filchi_ratio *r)
{
	filchi_json_open(j, key, '{');
	filchi_json_number(j, "ratio", r->ratio);
	filchi_json_number(j, "low", r->low);
	filchi_json_number(j, "high", r->high);
	filchi_json_number(j, "probability_faster", r->less);
	filchi_json_integer(j, "runs", r->count);
	filchi_json_close(j, '}');
}

static int json_setting(struct filchi_json *j, const struct filchi_tune *t, const struct filchi_tune_setting *s)
{
	static const char *const outcomes[] = {
		[FILCHI_TUNE_STAYED] = "stayed",  [FILCHI_TUNE_DROPPED] = "dropped", [FILCHI_TUNE_FAILED] = "failed",
		[FILCHI_TUNE_LATE] = "timed_out", [FILCHI_TUNE_DIFFERS] = "differs",
	};
	static const struct filchi_bench_metric metrics[] = {
		{"ns", "ns"}, {"cpu_ns", "ns"}, {"peak_bytes", "bytes"}, {"round", "rounds"}};
	struct filchi_ratio ratio;
	int err = filchi_tune_compare(s, t->settings, false, false, &ratio);

	filchi_json_open(j, NULL, '{');
	json_variables(j, t, s);
	for (size_t i = 0; i < FILCHI_TUNE_AXES; i++)
		filchi_json_string(j, t->axes[i].name, filchi_tune_value(t, s, i));
	filchi_json_string(j, "outcome", outcomes[s->outcome]);
	filchi_json_string(j, "why", filchi_tune_broken(s) ? s->why : NULL);
	json_ratio(j, "to_defaults", &ratio);
	filchi_json_open(j, "metrics", '{');
	for (size_t i = 0; i < FILCHI_TUNE_STRIDE && !err; i++)
		err = filchi_report_json_metric(j, &metrics[i], s->count ? &s->samples->ns + i : NULL, s->count,
						FILCHI_TUNE_STRIDE);
	filchi_json_close(j, '}');
	filchi_json_close(j, '}');
	return err;
}

int filchi_tune_json(const struct filchi_tune *t, const struct filchi_machine *m, FILE *f)
{
	struct filchi_json j;
	int err = 0;

	filchi_report_json_start(&j, "filch-tune-1", f);
	filchi_report_json_finished(&j);
	filchi_report_json_machine(&j, m);
	json_options(&j, t);
	filchi_json_open(&j, "results", '[');
	for (size_t i = 0; i < t->setting_count && !err; i++)
		err = json_setting(&j, t, &t->settings[i]);
	filchi_json_close(&j, ']');
	filchi_json_open(&j, "best", '{');
	filchi_json_bool(&j, "clear", filchi_tune_found(t));
	json_variables(&j, t, t->best);
	if (t->decided)
		json_ratio(&j, "last_race", &t->last);
	else
		filchi_json_string(&j, "last_race", NULL);
	filchi_json_close(&j, '}');
	filchi_json_close(&j, '}');
	return err;
}
