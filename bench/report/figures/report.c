/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a report: each figure from its data, and the texts about all figures. */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct maker {
	struct filchi_arena *arena;
	const struct filchi_selection *selection;
	const struct filchi_data *first; /* data whose machine and build all others must have */
	bool mixed;
};

static const struct filchi_source *source_of(const struct maker *m, const struct filchi_measurement *measurement)
{
	for (size_t i = 0; measurement && i < m->selection->source_count; i++)
		if (m->selection->sources[i].measurement == measurement)
			return &m->selection->sources[i];
	return NULL;
}

static bool differs(const struct maker *m, const struct filchi_data *data)
{
	return m->first && data && (strcmp(m->first->machine, data->machine) || strcmp(m->first->build, data->build));
}

/* A figure with data of another machine or build says so. */
static void add_data(struct maker *m, struct filchi_figure_builder *d, const struct filchi_source *s)
{
	struct filchi_figure *f = d->figure;

	f->command = f->command ? filchi_figure_text(d, "%s && %s", f->command, s->data->command) : s->data->command;
	f->json = f->json ? filchi_figure_text(d, "[%s,%s]\n", f->json, s->data->json.text) : s->data->json.text;
	if (differs(m, s->data))
		f->about = filchi_figure_text(d, "NOT MEASURED LIKE THE FIRST FIGURE: %s; %s. %s", s->data->machine,
					      s->data->build, f->about);
}

static void not_measured(struct filchi_figure_builder *d, const char *why)
{
	d->figure->agreement = FILCHI_NOT_MEASURED;
	d->figure->result = why;
}

static void make(struct maker *m, const struct filchi_entry *e, struct filchi_figure *f)
{
	struct filchi_figure_builder *d = calloc(1, sizeof(*d));
	bool missing = false;

	if (!d) {
		fputs("filch figures: no memory\n", stderr);
		exit(1);
	}
	*f = (struct filchi_figure){.id = e->id, .source = e->source, .title = e->title, .about = e->about};
	d->arena = m->arena;
	d->figure = f;
	for (size_t i = 0; i < FILCHI_FIGURE_MAX_DATA && e->needs[i]; i++) {
		const struct filchi_source *s = source_of(m, e->needs[i]);

		missing = missing || !s || !s->data;
		if (!missing) {
			d->data[i] = s->data;
			add_data(m, d, s);
		} else {
			not_measured(d, filchi_figure_text(d, "Not measured: there is no %s.json.", e->needs[i]->id));
		}
	}
	if (e->make && !missing)
		e->make(d);
	else if (e->published)
		e->published(d);
	if (!e->make)
		not_measured(d, "Not yet measured.");
	filchi_figure_conclude(d);
	free(d);
}

/* Makes the table of the figure peers, or else a table of all figures. */
static void head(struct maker *m, struct filchi_report *r)
{
	static const char *const words[FILCHI_AGREEMENTS] = {"agrees",	     "differs",	      "agrees in part",
							     "not measured", "own figure",    "aim met",
							     "aim missed",   "cannot be told"};
	const struct filchi_source *peers = source_of(m, &filchi_own_peers);
	struct filchi_figure scratch = {.result = ""};
	struct filchi_figure_builder *d = calloc(1, sizeof(*d));
	struct filchi_page_table *s;

	if (!d) {
		fputs("filch figures: no memory\n", stderr);
		exit(1);
	}
	d->arena = m->arena;
	d->figure = &scratch;
	if (peers && peers->data) {
		filchi_own_headline(d, peers->data);
		r->speed = filchi_own_speed(d, peers->data);
		r->key = filchi_own_key(d, peers->data);
		r->left_out = filchi_own_left_out(d, peers->data);
		for (size_t i = 0; i < r->figure_count; i++)
			if (m->selection->entries[i]->needs[0] == &filchi_own_peers)
				r->summary = r->figures[i].result;
	} else {
		s = filchi_figure_add_table(d, "Figures", "figure|shape|what it shows");
		for (size_t i = 0; i < r->figure_count; i++) {
			filchi_figure_add_cell(d, s, "%s", r->figures[i].id);
			filchi_figure_add_cell(
				d, s, "%s", r->figures[i].badge ? r->figures[i].badge : words[r->figures[i].agreement]);
			filchi_figure_add_cell(d, s, "%s", r->figures[i].title);
		}
	}
	filchi_figure_conclude(d);
	r->headline = scratch.tables[0];
	free(d);
}

/* Writes 2026-01-02T03:04:05Z as 2026-01-02 03:04 UTC. */
static const char *when(struct filchi_figure_builder *d, const char *finished)
{
	if (strlen(finished) != 20 || finished[10] != 'T' || finished[19] != 'Z')
		return finished;
	return filchi_figure_text(d, "%.10s %.5s UTC", finished, finished + 11);
}

/*
 * Returns the command that repeats all measurements. A page that is made again from the same files has the same
 * text.
 */
static const char *command(struct filchi_figure_builder *d, const struct maker *m, bool quick)
{
	const char *text = quick ? "filch figures --quick" : "filch figures", *separator = " --only ";

	if (!filchi_entry((unsigned)m->selection->entry_count))
		return quick ? "make demo, which is filch figures --quick" : text;
	for (size_t i = 0; i < m->selection->entry_count; i++, separator = ",")
		text = filchi_figure_text(d, "%s%s%s", text, separator, m->selection->entries[i]->id);
	return text;
}

/* Takes machine and build from the first data. If other data differ, says so there, too. */
static void describe(struct maker *m, struct filchi_report *r)
{
	struct filchi_figure_builder d = {.arena = m->arena};
	const struct filchi_data *first = m->first;

	for (size_t i = 0; i < m->selection->source_count; i++) {
		const struct filchi_source *s = &m->selection->sources[i];

		if (!s->data)
			continue;
		r->quick = r->quick || s->data->quick;
		r->busy = fmax(r->busy, filchi_data_busy(s->data));
		if (strcmp(r->finished, s->data->finished) < 0)
			r->finished = s->data->finished;
		if (!differs(m, s->data))
			continue;
		fprintf(stderr, "filch figures: %s.json was measured otherwise than %s: %s; %s\n", s->measurement->id,
			"the first", s->data->machine, s->data->build);
		m->mixed = true;
	}
	if (first) {
		r->finished = when(&d, r->finished);
		r->command = command(&d, m, r->quick);
	}
	r->machine = first ? first->machine : "nothing was measured";
	r->build = first ? filchi_figure_text(&d, "%s%s", first->build,
					      first->optimized ? "" : " (not optimized: its times say nothing)")
			 : "";
	if (m->mixed)
		r->machine =
			filchi_figure_text(&d,
					   "NOT ALL FIGURES ARE OF THE SAME MACHINE AND BUILD. Each other figure says "
					   "so; do not compare it with the rest. The first: %s",
					   r->machine);
}

/* In the form in which sources of figures name them. */
static const struct filchi_document documents[] = {
	{"Bulk queue paper", "Raja Sai Nandhan Yadav Kataru, Danial Davarnia, Ali Jannesari: A Lock-Free Work-Stealing "
			     "Algorithm for Bulk Operations."},
	{"BWoS thesis", "Shibesh Duwadi: Analysis of Novel Approaches for Work-Stealing Scheduling. Master's thesis, "
			"University of Bamberg, May 2025."},
	{"Lace paper", "Tom van Dijk, Jaco van de Pol: Lace: non-blocking split deque for work-stealing. 2014."},
};

/* Names the compared runtimes, or else says whether the figures are published ones. */
static const char *title(struct filchi_figure_builder *d, const struct maker *m, bool published)
{
	const struct filchi_source *peers = source_of(m, &filchi_own_peers);
	const char *against = peers && peers->data ? filchi_own_against(d, peers->data) : NULL;

	if (against)
		return filchi_figure_text(d, "filch on this machine: measured against %s", against);
	return published ? "filch on this machine: published figures, measured again"
			 : "filch on this machine: its own figures";
}

/* Lists the documents of the figures. Without any, all figures are our own, and the title mentions no others. */
static void cite(struct maker *m, struct filchi_report *r)
{
	enum { ALL = sizeof(documents) / sizeof(documents[0]) };
	struct filchi_figure_builder d = {.arena = m->arena};
	struct filchi_document *cited = filchi_figure_alloc(&d, ALL, sizeof(*cited));

	for (size_t i = 0; i < ALL; i++)
		for (size_t k = 0; k < m->selection->entry_count; k++)
			if (!strncmp(m->selection->entries[k]->source, documents[i].name, strlen(documents[i].name))) {
				cited[r->document_count++] = documents[i];
				break;
			}
	r->documents = cited;
	r->title = title(&d, m, r->document_count);
}

void filchi_figures_report(struct filchi_arena *arena, const struct filchi_selection *selection,
			   struct filchi_report *out, bool *mixed)
{
	struct maker m = {.arena = arena, .selection = selection};
	struct filchi_figure_builder d = {.arena = arena};
	struct filchi_figure *figures = filchi_figure_alloc(&d, selection->entry_count, sizeof(*figures));

	for (size_t i = 0; i < selection->source_count && !m.first; i++)
		m.first = selection->sources[i].data;
	*out = (struct filchi_report){
		.finished = "",
		.figure_count = selection->entry_count,
		.figures = figures,
	};
	cite(&m, out);
	describe(&m, out);
	for (size_t i = 0; i < selection->entry_count; i++)
		make(&m, selection->entries[i], &figures[i]);
	head(&m, out);
	*mixed = m.mixed;
}
