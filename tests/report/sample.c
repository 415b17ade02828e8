/* SPDX-License-Identifier: Apache-2.0 */
/* A usual report with one plot of each kind. */
#include "reports.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Latency over batch size: three measured queues and two published ones, on log axes. */
static const double batches[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
static double latency[3][COUNT(batches)], latency_low[3][COUNT(batches)], latency_high[3][COUNT(batches)];
static const double published_batches[] = {1, 4, 16, 64, 256, 1024};
static const double published_bulk[] = {48, 19, 8.1, 5.2, 4.4, 4.1};
static const double published_lev[] = {61, 60, 58, 59, NAN, 60};

static void fill_latency(void)
{
	for (size_t i = 0; i < COUNT(batches); i++) {
		latency[0][i] = 2.6 + 30 / batches[i];
		latency[1][i] = 4.1 + 44 / batches[i] + 0.002 * batches[i];
		latency[2][i] = 38 + 2 * sin((double)i);
		for (size_t q = 0; q < 3; q++) {
			latency_low[q][i] = latency[q][i] * (0.94 - 0.01 * (double)q);
			latency_high[q][i] = latency[q][i] * 1.08;
		}
	}
}

static struct filchi_series latency_series[] = {
	{"bulk", false, COUNT(batches), batches, latency[0], latency_low[0], latency_high[0]},
	{"bulk_list", false, COUNT(batches), batches, latency[1], latency_low[1], latency_high[1]},
	{"chase_lev", false, COUNT(batches), batches, latency[2], latency_low[2], latency_high[2]},
	{"bulk (paper)", true, COUNT(published_batches), published_batches, published_bulk, NULL, NULL},
	{"chase_lev (paper)", true, COUNT(published_batches), published_batches, published_lev, NULL, NULL},
};
static const struct filchi_panel latency_panel = {
	FILCHI_PLOT_LINES, NULL, "items per batch", "ns per item", true, true, NULL, COUNT(latency_series),
	latency_series,	   0,
};

/* Speed-ups on two machines: two panels. */
static const double threads[] = {1, 2, 4, 8, 16, 24, 32};
static const double speed[][COUNT(threads)] = {
	{1, 1.98, 3.9, 7.7, 15.1, 22.3, 28.9},
	{0.98, 1.9, 3.6, 7, 12.9, 17.6, 20.4},
	{0.7, 1.2, 2.1, 3.5, 5.2, 5.9, 6.1},
};
static const struct filchi_series speed_series[] = {
	{"filch", false, 2, threads, speed[0], NULL, NULL},
	{"tbb", false, 2, threads, speed[1], NULL, NULL},
	{"libgomp", false, 2, threads, speed[2], NULL, NULL},
};
static const struct filchi_series speed_published[] = {
	{"Lace", true, COUNT(threads), threads, speed[0], NULL, NULL},
	{"Cilk", true, COUNT(threads), threads, speed[1], NULL, NULL},
	{"OpenMP", true, COUNT(threads), threads, speed[2], NULL, NULL},
};
static const struct filchi_panel speed_panels[] = {
	{FILCHI_PLOT_LINES, "This machine", "workers", "speed-up", false, false, NULL, 3, speed_series, 0},
	{FILCHI_PLOT_LINES, "Published, 48 cores", "workers", "speed-up", false, false, NULL, 3, speed_published, 0},
};

/* Times of quicksort with each of six queues. */
enum { SAMPLES = 60 };
static double sort_times[6][SAMPLES];
static struct filchi_series sort_series[6];
static const struct filchi_panel sort_panel = {
	FILCHI_PLOT_VIOLINS, NULL, NULL, "seconds for 10,000,000 numbers", false, false, NULL, 6, sort_series, 0,
};

static void fill_sort(void)
{
	static const char *const names[] = {"split", "chase_lev", "chase_lev_asym", "abp", "private", "global"};
	static const double middles[] = {0.412, 0.421, 0.415, 0.433, 0.452, 0.508};
	unsigned state = 7;

	for (size_t q = 0; q < 6; q++) {
		for (size_t i = 0; i < SAMPLES; i++) {
			double sum = 0;

			for (int k = 0; k < 4; k++) {
				state = state * 1664525u + 1013904223u;
				sum += (double)(state >> 8) / (1 << 24);
			}
			sort_times[q][i] = middles[q] + (sum - 2) * 0.012 * (1 + 0.4 * (double)q) +
					   (i % 3 == 0 && q > 2 ? 0.03 : 0) + (i == 11 ? 0.025 : 0);
		}
		sort_series[q] = (struct filchi_series){.name = names[q], .count = SAMPLES, .y = sort_times[q]};
	}
}

/* Twelve workloads by four runtimes, with intervals. */
static const char *const works[] = {"fib",	 "queens",   "uts",	 "matmul", "quicksort", "cilksort",
				    "integrate", "knapsack", "strassen", "saxpy",  "histogram", "mandelbrot"};
static double ratios[4][COUNT(works)], ratios_low[4][COUNT(works)], ratios_high[4][COUNT(works)];
static const struct filchi_series workload_series[] = {
	{"filch", false, COUNT(works), NULL, ratios[0], ratios_low[0], ratios_high[0]},
	{"libgomp", false, COUNT(works), NULL, ratios[1], ratios_low[1], ratios_high[1]},
	{"libomp", false, COUNT(works), NULL, ratios[2], ratios_low[2], ratios_high[2]},
	{"oneTBB", false, COUNT(works), NULL, ratios[3], ratios_low[3], ratios_high[3]},
};
static const struct filchi_panel workload_panel = {
	FILCHI_PLOT_BARS, NULL, NULL, "speed-up over the serial program, 2 workers", false, true, works, 4,
	workload_series,  1,
};

static void fill_workloads(void)
{
	static const double slow[] = {1, 0.62, 0.71, 0.8};

	for (size_t c = 0; c < 4; c++)
		for (size_t w = 0; w < COUNT(works); w++) {
			ratios[c][w] = (1.96 - 0.03 * (double)(w * 5 % 7)) * (w < 3 ? pow(slow[c], 3 - (double)w) : 1) *
				       (c ? 0.99 - 0.02 * (double)((w + c) % 5) : 1);
			ratios_low[c][w] = ratios[c][w] * 0.97;
			ratios_high[c][w] = ratios[c][w] * 1.02;
		}
	ratios[2][2] = NAN;
}

/* Published and measured steals: bars with few groups, which have values above them. */
static const char *const counters[] = {"steals", "leapfrogs", "grows", "shrinks"};
static const double counted[] = {1520, 310, 24, 22}, counted_low[] = {1380, 260, 20, 19},
		    counted_high[] = {1610, 402, 30, 26}, counted_paper[] = {91000, 22400, 618, 600};
static const struct filchi_series counter_series[] = {
	{"this machine", false, 4, NULL, counted, counted_low, counted_high},
	{"Lace paper", true, 4, NULL, counted_paper, NULL, NULL},
};
static const struct filchi_panel counter_panel = {
	FILCHI_PLOT_BARS, NULL, NULL, "events per run", false, true, counters, 2, counter_series, 0,
};

static const char *const latency_heads[] = {"items per batch",	"bulk, ns",	 "95 % interval",
					    "bulk (paper), ns", "chase_lev, ns", "chase_lev (paper), ns"};
static const char *const latency_cells[] = {
	"1",   "32.6", "30.6 to 35.2", "48",  "38.0", "61", "4",    "10.1", "9.5 to 10.9", "19",  "39.8", "60",
	"16",  "4.48", "4.2 to 4.8",   "8.1", "36.5", "58", "64",   "3.07", "2.9 to 3.3",  "5.2", "37.4", "59",
	"256", "2.72", "2.6 to 2.9",   "4.4", "40.0", "–",  "1024", "2.63", "2.5 to 2.8",  "4.1", "36.9", "60",
};
static const struct filchi_page_table latency_table = {"Cost of an item", 6, 6, latency_heads, latency_cells};
static const char *const text_heads[] = {"deque", "median, s", "published, s"};
static const char *const text_cells[] = {"split",
					 "0.412",
					 "0.78",
					 "chase_lev",
					 "0.421",
					 "0.80",
					 "a \"quoted\", <b>",
					 "0.5",
					 "not measured there, as the machine had no such thing in it"};
static const struct filchi_page_table text_table = {NULL, 3, 3, text_heads, text_cells};

static const char *const headline_heads[] = {"workload", "serial, s", "filch, s", "× libgomp", "× libomp", "× oneTBB"};
static const char *const headline_cells[] = {
	"fib(38)", "0.182", "0.171", "38.2", "11.4", "14.9", "queens(12)", "1.30", "0.69", "3.1",  "1.7",  "2.0",
	"uts T1",  "1.12",  "0.58",  "2.2",  "1.4",  "1.3",  "quicksort",  "0.81", "0.42", "1.04", "1.03", "1.02",
};

static const struct filchi_figure figures[] = {
	{"bulk-6", "Bulk queue paper, figure 6", "Cost of an item over the size of a batch",
	 "Push and pop of batches by one thread, no thieves; median of 15 runs with its 95 % interval.",
	 "Agrees: the cost of the bulk queue falls with the size of the batch and that of a deque does not.",
	 FILCHI_AGREES, "filch figures --only bulk-6 --out report", 1, 1, &latency_panel, &latency_table,
	 "{\"name\": \"bulk-6\", \"note\": \"</script><!-- & -->\", \"samples\": [1, 2.5, null]}\n", NULL},
	{"bulk-9", "Bulk queue paper, figures 9 and 10", "Exploration of a random graph", NULL,
	 "Not measured: it needs more memory than this machine has.", FILCHI_NOT_MEASURED, NULL, 0, 0, NULL, NULL, NULL,
	 NULL},
	{"thesis-5.4", "Thesis, figure 5.4", "Quicksort with each of the queues",
	 "10,000,000 numbers of 64 bits, cut-off 32, two workers; 60 runs of each, interleaved.",
	 "Agrees in part: 4 of 7 statements; " FILCHI_FAILS "the global queue loses 3 %; " FILCHI_FAILS
	 "abp is slower than chase_lev; " FILCHI_FAILS "private is slower than abp; " FILCHI_HOLDS
	 "split is the fastest; " FILCHI_HOLDS "the lock is the slowest; " FILCHI_HOLDS
	 "half of the samples are within 2 %; " FILCHI_HOLDS "none takes twice as long as another",
	 FILCHI_PARTLY, "filch figures --only thesis-5.4 --out report", 1, 1, &sort_panel, &text_table, "[]", NULL},
	{"lace-5", "Lace paper, figure 5", "Speed-ups", "Median of 11 runs.",
	 "Agrees as far as two cores can tell: near two at two workers.", FILCHI_AGREES,
	 "filch figures --only lace-5 --out report", 2, 0, speed_panels, NULL, "{}", NULL},
	{"lace-7", "Lace paper, figure 7", "Steals, leapfrogs, grows and shrinks",
	 "Counters of one run of uts, 2 workers.",
	 "Differs; " FILCHI_FAILS "two workers have fewer to steal from than 48", FILCHI_DIFFERS,
	 "filch figures --only lace-7 --out report", 1, 0, &counter_panel, NULL, "{}", NULL},
	{"works", "This project, all workloads", "Every workload, every runtime",
	 "Speed-up over the serial program with two workers.", "At least as fast as others in 43 of 47 comparisons.",
	 FILCHI_OWN, "filch bench --workers 2 --runtimes filch,libgomp,libomp,tbb --json works.json", 1, 0,
	 &workload_panel, NULL, "{}", NULL},
	{"growth", "This project, growth", "What a task takes as there are more of them", "An aim of our own.",
	 "Flat within 10 %; " FILCHI_HOLDS "a task never takes more than 3.1 % longer", FILCHI_MET,
	 "filch figures --only growth --out report", 0, 1, NULL, &latency_table, "{}", "flat within 10 %"},
};

static const struct filchi_document documents[] = {
	{"Lace paper", "Two authors: a title. 2014."},
	{"Thesis", "One author: another title."},
};

static const struct filchi_report report = {
	"filch: figures",
	"Intel Xeon, 2 cores, 2.1 GHz, 8 GiB, Linux 6.1, governor performance",
	"gcc 12.2.0 -O2, commit 353376c",
	"2026-01-01 12:00 UTC",
	"filch figures --quick",
	"oneTBB was not there.",
	"filch is at least as fast as others in 43 of 47 comparisons.",
	"× libgomp: that many times the time of filch",
	true,
	{"filch with 2 workers, and how many times faster it is", 6, 4, headline_heads, headline_cells},
	COUNT(figures),
	figures,
	COUNT(documents),
	documents,
	0,
	NULL,
};

const struct filchi_report *sample_report(void)
{
	fill_latency();
	fill_sort();
	fill_workloads();
	return &report;
}
