/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench queue: measures deques that an owner fills and empties while thieves steal at a rate. */
#include "../../bench/micro/queue/queue.h"
#include "bench_main.h"
#include "say.h"

#include <ctype.h>
#include <filch/deque.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CAPACITY (1u << 24)
#define MAX_BLOCK_SIZE (1u << 15)
#define DEFAULT_RATES "0,100k,1M,max"

static const char help[] =
	"usage: filch bench queue [KIND]... [OPTION]...\n"
	"\n"
	"Measure the throughput and the latency of deques while thieves steal at a rate, and print two tables. This\n"
	"takes about 6 s for each kind and rate, with --quick 1 s. Without KIND, all kinds are measured.\n"
	"\n"
	"  --kinds LIST       measure these kinds, too, separated by commas\n"
	"  --thieves N        let N threads steal, 1 to 64 (default 1)\n"
	"  --rate LIST        let each thief attempt so many steals a second: 0 (no thieves) to 100M, or max; k is\n"
	"                     thousand, M million (default 0,100k,1M,max)\n"
	"  --payload N        use N bytes of each item, 4 or 8 (default 8); a slot has 8\n"
	"  --capacity N       make deques for N items, a power of two from 2 to 16777216 (default 1024)\n"
	"  --block-size N     make blocks of N items, a power of two up to 32768 and up to the capacity; 0: as the "
	"kind\n"
	"                     has them (default 0)\n" FILCHI_HELP_QUICK
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 15, quick 10)\n"
	"  --seconds S        let a sample take S seconds, 0.001 to 60 (default 0.2, quick 0.05); same as "
	"--duration\n" FILCHI_HELP_JSON FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  items were lost, or the deques could not be measured, or the results not "
	"written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	struct filchi_queue_options queue;
	struct filchi_names kinds;
};

static bool parse_kind(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	return filchi_names_add(&s->kinds, command, "", "deque", value, filch_deque_kind_name);
}

/* Reads one rate, which has that many characters. */
static bool parse_rate(const char *text, size_t length, struct filchi_queue_rate *rate)
{
	double value, factor = 1;
	char *end;

	if (length == 3 && !memcmp(text, "max", length)) {
		*rate = (struct filchi_queue_rate){.max = true};
		return true;
	}
	value = strtod(text, &end);
	if (*end == 'k' || *end == 'M')
		factor = *end++ == 'k' ? 1e3 : 1e6;
	value *= factor;
	/* Only digits and a point are allowed, and the value must be whole: 1.5k is allowed, 0.5 is not. */
	if (!isdigit((unsigned char)*text) || strspn(text, "0123456789.") + (factor > 1) != length ||
	    end != text + length || !(value <= FILCHI_QUEUE_BENCH_FASTEST))
		return false;
	*rate = (struct filchi_queue_rate){.per_second = (unsigned)value};
	return (double)rate->per_second == value;
}

/* Adds a rate that is not in the list yet. */
static void add_rate(struct filchi_queue_options *o, struct filchi_queue_rate rate)
{
	for (size_t i = 0; i < o->rate_count; i++)
		if (o->rates[i].max == rate.max && o->rates[i].per_second == rate.per_second)
			return;
	o->rates[o->rate_count++] = rate;
}

static bool parse_rates(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	s->queue.rate_count = 0;
	for (;;) {
		size_t length = strcspn(value, ",");
		struct filchi_queue_rate rate;
		char shown[FILCHI_SHORT];

		if (!parse_rate(value, length, &rate)) {
			fprintf(stderr,
				"%s: --rate must be max or whole numbers up to 100M, such as 100k or 1M, not '%s'\n",
				command, filchi_short(shown, value, length));
			return false;
		}
		if (s->queue.rate_count == FILCHI_QUEUE_BENCH_MAX_RATES) {
			fprintf(stderr, "%s: --rate takes at most %u rates\n", command, FILCHI_QUEUE_BENCH_MAX_RATES);
			return false;
		}
		add_rate(&s->queue, rate);
		if (!value[length])
			return true;
		value += length + 1;
	}
}

static bool parse_payload(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;
	char shown[FILCHI_SHORT];

	if (strcmp(value, "4") != 0 && strcmp(value, "8") != 0) {
		fprintf(stderr, "%s: --payload must be 4 or 8, not '%s'\n", command,
			filchi_short(shown, value, strlen(value)));
		return false;
	}
	s->queue.payload = (unsigned)(*value - '0');
	return true;
}

static bool power_of_two(const char *command, const char *option, unsigned value)
{
	if (value & (value - 1))
		fprintf(stderr, "%s: %s must be a power of two, not %u\n", command, option, value);
	return !(value & (value - 1));
}

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;

	(void)quick;
	if (!power_of_two(command, "--capacity", s->queue.capacity) ||
	    !power_of_two(command, "--block-size", s->queue.block_size))
		return false;
	if (s->queue.block_size > s->queue.capacity) {
		fprintf(stderr, "%s: --block-size is %u, more than the capacity of %u\n", command, s->queue.block_size,
			s->queue.capacity);
		return false;
	}
	if (!s->queue.rate_count && !parse_rates(command, DEFAULT_RATES, s))
		return false;
	return s->kinds.count || parse_kind(command, "all", s);
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	const struct settings *s = settings;

	return filchi_queue_bench_init(suite, options, &s->queue, s->kinds.names, s->kinds.count);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_NAMES("kinds", kinds, "deque", filch_deque_kind_name),
	FILCHI_COUNT("thieves", queue.thieves, 1, FILCHI_BENCH_MAX_THIEVES),
	FILCHI_PARSED("rate", parse_rates),
	FILCHI_PARSED("payload", parse_payload),
	FILCHI_COUNT("capacity", queue.capacity, 2, MAX_CAPACITY),
	FILCHI_COUNT("block-size", queue.block_size, 0, MAX_BLOCK_SIZE),
	{0},
};

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench queue --help",
		.options = options,
		.word = parse_kind,
		.complete = complete,
		.seconds = 0.2,
		.quick_seconds = 0.05,
		.init = init,
	};
	struct settings s = {.queue = {.thieves = 1, .payload = 8, .capacity = 1024}};

	return filchi_bench_main(&command, argc, argv, &s);
}

const struct filchi_command filchi_cmd_bench_queue = {
	.name = "bench queue",
	.summary = "measure the deques with thieves at a rate",
	.help = help,
	.run = run,
};
