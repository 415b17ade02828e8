/* SPDX-License-Identifier: Apache-2.0 */
/* The output of filch solve: the result as text and as JSON, and the line of progress. */
#define _GNU_SOURCE

#include "../../bench/harness/json.h"
#include "command.h"
#include "solve.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

const char *filchi_solve_status(const struct filch_dd_result *result)
{
	if (result->end == FILCH_SEARCH_DONE)
		return result->has_best ? "optimal" : "infeasible";
	return result->has_best ? "feasible" : "unknown";
}

int filchi_solve_exit_code(const struct filch_dd_result *result)
{
	if (result->end == FILCH_SEARCH_DONE)
		return result->has_best ? FILCHI_EXIT_OK : FILCHI_SOLVE_INFEASIBLE;
	return result->has_best ? FILCHI_SOLVE_LIMIT : FILCHI_SOLVE_NOTHING;
}

static const char *end_name(int end)
{
	static const char *const names[] = {"", "done", "interrupted", "nodes", "time", "memory", "gap", "error"};

	return end > 0 && (size_t)end < sizeof(names) / sizeof(names[0]) ? names[end] : "error";
}

/* A value in the units of the problem, without zeros at the end of its fraction. */
static const char *value_text(char out[48], int64_t value, unsigned decimals, int64_t divisor)
{
	int64_t unit = 1;
	char *end;

	if (divisor > 1) {
		snprintf(out, 48, "%.15g", (double)value / (double)divisor);
		return out;
	}
	for (unsigned i = 0; i < decimals; i++)
		unit *= 10;
	snprintf(out, 48, "%s%" PRId64 ".%0*" PRId64, value < 0 ? "-" : "", (value < 0 ? -value : value) / unit,
		 (int)decimals, (value < 0 ? -value : value) % unit);
	end = out + strlen(out) - 1;
	while (decimals && *end == '0')
		*end-- = '\0';
	if (!decimals)
		end = strchr(out, '.');
	if (*end == '.')
		*end = '\0';
	return out;
}

static void print_solution(FILE *f, const struct filchi_solve_source *s, const int32_t *labels)
{
	fputs("solution  ", f);
	for (int i = 0; i < s->p.variables; i++)
		fprintf(f, " %" PRId32, labels[i]);
	fputc('\n', f);
}

void filchi_solve_print(FILE *f, const struct filchi_solve_request *r, const struct filchi_solve_source *s,
			const struct filchi_solve_outcome *o)
{
	const struct filch_dd_result *d = &o->result;
	char text[48];

	fprintf(f, "status     %s", filchi_solve_status(d));
	if (d->end != FILCH_SEARCH_DONE)
		fprintf(f, " (%s)", end_name(d->end));
	fputc('\n', f);
	if (d->has_best)
		fprintf(f, "objective  %s\n", value_text(text, d->best, s->decimals, s->divisor));
	if (d->has_bound)
		fprintf(f, "bound      %s\n", value_text(text, d->bound, s->decimals, s->divisor));
	if (d->has_best && isfinite(d->gap))
		fprintf(f, "gap        %.4g %%\n", 100 * d->gap);
	fprintf(f, "nodes      %" PRIu64 " subproblems, %" PRIu64 " nodes of %" PRIu64 " diagrams\n", d->explored,
		d->nodes, d->diagrams);
	if (o->has_cuts)
		fprintf(f, "cuts       %" PRIu64 ", %" PRIu64 " learned from other workers, %" PRIu64 " flows\n",
			o->cuts.cuts, o->cuts.learned, o->cuts.flows);
	fprintf(f, "time       %.3f s, %.3f s CPU, %u worker%s", d->seconds, o->cpu_seconds, o->workers,
		o->workers == 1 ? "" : "s");
	if (o->ranks > 1)
		fprintf(f, " on %d ranks, %" PRIu64 " nodes moved in %" PRIu64 " batches", o->ranks, o->moved,
			o->batches);
	fputc('\n', f);
	fprintf(f, "memory     %.1f MB\n", (double)o->peak_memory * 1e-6);
	if (r->solution && d->has_best)
		print_solution(f, s, d->labels);
}

static void json_value(struct filchi_json *j, const char *key, bool there, int64_t value,
		       const struct filchi_solve_source *s)
{
	double unit = (double)s->divisor;

	for (unsigned i = 0; i < s->decimals; i++)
		unit *= 10;
	filchi_json_number(j, key, there ? (double)value / unit : NAN);
}

static void json_options(struct filchi_json *j, const struct filchi_solve_request *r,
			 const struct filchi_solve_source *s)
{
	const char *cutset = r->cutset ? r->cutset : s->known ? s->known->cutset : NULL;
	const char *usual = s->known && s->known->network ? NULL : "frontier";

	filchi_json_open(j, "options", '{');
	filchi_json_string(j, "order", r->order ? r->order : "best");
	filchi_json_string(j, "cutset", cutset ? cutset : usual);
	filchi_json_string(j, "move", r->move ? r->move : "direct");
	if (s->known && s->known->network) {
		filchi_json_bool(j, "share", !r->no_share);
		filchi_json_bool(j, "weak_cuts", r->weak_cuts);
	}
	filchi_json_number(j, "cache", r->has_cache ? (double)r->cache : s->known && s->known->no_cache ? 0 : NAN);
	filchi_json_number(j, "width", r->width ? (double)r->width : NAN);
	filchi_json_bool(j, "deterministic", r->deterministic);
	filchi_json_number(j, "time", r->seconds > 0 ? r->seconds : NAN);
	filchi_json_number(j, "nodes", r->nodes > 0 ? r->nodes : NAN);
	filchi_json_number(j, "gap", r->gap > 0 ? r->gap : NAN);
	filchi_json_number(j, "memory", r->memory ? (double)r->memory : NAN);
	filchi_json_string(j, "resume", r->resume);
	filchi_json_close(j, '}');
}

/* Rounded to microseconds. */
static double micro(double seconds)
{
	return round(seconds * 1e6) / 1e6;
}

static void json_counts(struct filchi_json *j, const struct filchi_solve_outcome *o)
{
	filchi_json_integer(j, "nodes", o->result.explored);
	filchi_json_integer(j, "pruned", o->result.pruned);
	filchi_json_integer(j, "open", o->result.open);
	filchi_json_integer(j, "dd_nodes", o->result.nodes);
	filchi_json_integer(j, "diagrams", o->result.diagrams);
	if (o->has_cuts) {
		filchi_json_integer(j, "cuts", o->cuts.cuts);
		filchi_json_integer(j, "cuts_learned", o->cuts.learned);
		filchi_json_integer(j, "relaxations", o->cuts.relaxations);
		filchi_json_integer(j, "flows", o->cuts.flows);
		filchi_json_integer(j, "parallel_evaluations", o->cuts.parallel);
	}
	filchi_json_number(j, "seconds", micro(o->result.seconds));
	filchi_json_number(j, "cpu_seconds", micro(o->cpu_seconds));
	filchi_json_integer(j, "workers", o->workers);
	filchi_json_integer(j, "ranks", (uint64_t)o->ranks);
	if (o->ranks > 1) {
		filchi_json_integer(j, "batches", o->batches);
		filchi_json_integer(j, "moved", o->moved);
		filchi_json_integer(j, "moved_bytes", o->moved_bytes);
		filchi_json_integer(j, "coordinator_messages", o->messages);
	}
	filchi_json_integer(j, "peak_memory_bytes", o->peak_memory);
}

void filchi_solve_json(FILE *f, const struct filchi_solve_request *r, const struct filchi_solve_source *s,
		       const struct filchi_solve_outcome *o)
{
	const struct filch_dd_result *d = &o->result;
	char version[32];
	struct filchi_json j;

	filchi_json_start(&j, f);
	filchi_json_open(&j, NULL, '{');
	filchi_json_string(&j, "problem", r->problem);
	filchi_json_string(&j, "file", r->file);
	filchi_json_string(&j, "status", filchi_solve_status(d));
	filchi_json_string(&j, "end", end_name(d->end));
	json_value(&j, "objective", d->has_best, d->best, s);
	json_value(&j, "bound", d->has_bound, d->bound, s);
	filchi_json_number(&j, "gap", d->has_best && d->has_bound ? d->gap : NAN);
	json_counts(&j, o);
	if (r->solution && d->has_best) {
		filchi_json_open(&j, "solution", '[');
		for (int i = 0; i < s->p.variables; i++)
			filchi_json_number(&j, NULL, d->labels[i]);
		filchi_json_close(&j, ']');
	} else if (r->solution) {
		filchi_json_string(&j, "solution", NULL);
	}
	snprintf(version, sizeof(version), "%d.%d.%d", FILCH_VERSION_MAJOR, FILCH_VERSION_MINOR, FILCH_VERSION_PATCH);
	filchi_json_string(&j, "version", version);
	json_options(&j, r, s);
	filchi_json_close(&j, '}');
}

/* ---- how to go on ---- */

/* The word as a shell reads it, in quotes only if it needs them. */
static void print_word(const char *word)
{
	bool plain = *word;

	for (const char *c = word; *c; c++)
		plain = plain &&
			((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || strchr("0123456789_./,:=+@%-", *c));
	if (plain) {
		fprintf(stderr, " %s", word);
		return;
	}
	fputs(" '", stderr);
	for (const char *c = word; *c; c++)
		fputs(*c == '\'' ? "'\\''" : (char[]){*c, '\0'}, stderr);
	fputc('\'', stderr);
}

void filchi_solve_print_resume(const struct filchi_solve_request *r, int ranks)
{
	fprintf(stderr, "%s: to go on%s:%s filch solve", r->command,
		ranks > 1 ? ", with any number N of ranks or without mpirun" : "", ranks > 1 ? " mpirun -n N" : "");
	print_word(r->problem);
	print_word(r->file);
	fputs(" --resume", stderr);
	print_word(r->checkpoint);
	fputs(" --checkpoint", stderr);
	print_word(r->checkpoint);
	fputc('\n', stderr);
}

/* ---- progress ---- */

void filchi_solve_progress_show(const struct filch_search_progress *progress, void *arg)
{
	struct filchi_solve_progress *p = arg;
	char best[48] = "none", bound[48] = "none", gap[32] = "", line[256];

	if (progress->has_best)
		value_text(best, progress->best.i, p->decimals, p->divisor);
	if (progress->has_bound)
		value_text(bound, progress->bound.i, p->decimals, p->divisor);
	if (progress->has_best && progress->has_bound && isfinite(progress->gap))
		snprintf(gap, sizeof(gap), "  gap %.2f %%", 100 * progress->gap);
	snprintf(line, sizeof(line), "%7.1f s  best %s  bound %s%s  %" PRIu64 " open  %.0f nodes/s", progress->seconds,
		 best, bound, gap, progress->open, progress->per_second);
	filchi_terminal_line(stderr, line, &p->shown);
}

void filchi_solve_progress_end(struct filchi_solve_progress *p)
{
	if (p->shown)
		filchi_terminal_line(stderr, "", &p->shown);
}
