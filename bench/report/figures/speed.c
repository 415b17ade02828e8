/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of speed for the README, from the data of the figure peers. */
#include "own.h"

#include "../html/speed.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const struct {
	const char *name, *about;
} programs[] = {
	{"fib", "tiny tasks"},
	{"queens", "backtracking"},
	{"uts", "unbalanced tree"},
	{"matmul", "matrix product"},
	{"quicksort", "sort"},
	{"cilksort", "merge sort"},
	{"integrate", "integral"},
	{"knapsack", "branch and bound"},
	{"dag", "graph traversal"},
	{"strassen", "matrix product"},
	{"saxpy", "loop"},
	{"histogram", "loop with a sum"},
	{"mandelbrot", "uneven loop"},
};

static const struct {
	const char *name, *label;
} runtimes[FILCHI_SPEED_RUNTIMES] = {{"filch", "filch"}, {"libgomp", "OpenMP (gcc)"}, {"tbb", "oneTBB"}};

static const char *about(const char *workload)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (!strcmp(programs[i].name, workload))
			return programs[i].about;
	return NULL;
}

static double speed(const struct filchi_data *peers, const char *runtime, const char *workload, unsigned workers)
{
	return filchi_data_ratio(filchi_data_program(peers, "serial", workload, NULL, 1, "ns_per_item"),
				 filchi_data_program(peers, runtime, workload, NULL, workers, "ns_per_item"))
		.ratio;
}

/* A tree of UTS has a name; the size of another workload is a number, which says little. */
static const char *program_name(struct filchi_figure_builder *d, const struct filchi_data *peers, const char *workload)
{
	const char *size = filchi_data_size(peers, workload, 0);

	return size && isalpha((unsigned char)*size) ? filchi_figure_text(d, "%s %s", workload, size) : workload;
}

const struct filchi_speed *filchi_own_speed(struct filchi_figure_builder *d, const struct filchi_data *peers)
{
	struct filchi_speed *s = filchi_figure_alloc(d, 1, sizeof(*s));
	const char *workload;
	unsigned workers;

	for (size_t r = 0; r < FILCHI_SPEED_RUNTIMES; r++)
		if (filchi_data_has(peers, runtimes[r].name))
			s->runtimes[s->runtime_count++] = runtimes[r].label;
	for (unsigned w = 0; w < FILCHI_SPEED_PANELS && (workers = filchi_data_workers(peers, w)); w++)
		s->panels[s->panel_count++] = filchi_figure_text(d, "%u worker%s", workers, workers == 1 ? "" : "s");
	for (unsigned n = 0; n < FILCHI_SPEED_PROGRAMS && (workload = filchi_data_workload(peers, n)); n++) {
		struct filchi_speed_program *p = &s->programs[s->program_count++];

		p->name = program_name(d, peers, workload);
		p->about = about(workload);
		for (unsigned w = 0; w < s->panel_count; w++)
			for (size_t r = 0, column = 0; r < FILCHI_SPEED_RUNTIMES; r++)
				if (filchi_data_has(peers, runtimes[r].name))
					p->speed[w][column++] =
						speed(peers, runtimes[r].name, workload, filchi_data_workers(peers, w));
	}
	if (!s->panel_count || !filchi_data_has(peers, "filch") || !filchi_data_has(peers, "serial"))
		return NULL;
	s->title = "Speed, compared with the serial program";
	s->explanation = "1× is the speed of the serial program. The scale is logarithmic.";
	s->captions[0] = peers->machine;
	s->captions[1] = filchi_figure_text(d, "%s; %.10s%s", peers->build, peers->finished,
					    peers->quick ? "; measured with --quick: a first impression" : "");
	return s;
}
