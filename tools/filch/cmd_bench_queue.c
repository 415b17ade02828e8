/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench queue: measures the deques as owners fill and drain them and thieves steal at a pace. */
#include "../../bench/micro/queue/queue.h"
#include "bench_main.h"
#include "parse.h"
#include "say.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CAPACITY (1u << 24)
#define MAX_BLOCK_SIZE (1u << 15)
#define DEFAULT_RATES "0,100k,1M,max"

static const char help[] =
	"usage: filch bench queue [KIND]... [OPTION]...\n"
	"\n"
	"Measures the deques of libfilch under thieves at a pace: the owner pushes until the deque is full and pops\n"
	"until it is empty, over and over, while each thief attempts so many steals a second. Prints throughput of\n"
	"owner and thieves, what came of the attempts, context switches, and latencies of single operations, which\n"
	"are taken in runs of their own. Runtimes are interleaved; every sample checks that pushes = pops + steals\n"
	"+ items left. It takes about 6 s for each kind and rate, with --quick 1 s.\n"
	"\n"
	"  KIND            a deque to measure; all if none is named\n"
	"  --kinds LIST    likewise several, separated by commas\n"
	"  --thieves N     threads that steal, 1 to 64 (default 1)\n"
	"  --rate LIST     steals that each thief attempts in a second, separated by commas: 0 for no thieves, up to\n"
	"                  100M, or max for as many as it can; k is thousand, M million (default 0,100k,1M,max)\n"
	"  --payload N     bytes of an item that are used, 4 or 8 (default 8); a slot takes 8 in any case\n"
	"  --capacity N    items that fit, a power of two, 2 to 16777216 (default 1024)\n"
	"  --block-size N  of kinds that have blocks: items in one, a power of two up to 32768 and to the capacity,\n"
	"                  or 0 for what the kind takes by itself (the default)\n"
	"  --quick         shorter and fewer samples: a first impression\n"
	"  --runs N        samples of each measurement, 1 to 10000 (default 15, quick 10)\n"
	"  --seconds S     what one sample takes, 0.001 to 60 (default 0.2, quick 0.05); --duration is the same\n"
	"  --json FILE     also write all samples as JSON; - is standard output, and the tables then go to standard\n"
	"                  error\n"
	"  --no-color      no color on a terminal; NO_COLOR in the environment does the same\n"
	"  --help, -h      this text\n"
	"\n"
	"exit codes: 0 all went well; 1 the run failed: items were lost, or it could not be measured or written;\n"
	"2 the command line was wrong\n";

struct settings {
	struct filchi_queue_options queue;
	struct filchi_bench_kinds kinds;
};

static bool parse_kinds(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	return filchi_bench_kinds_add(&s->kinds, command, "", value);
}

static bool parse_thieves(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	return filchi_parse_count(command, "--thieves", value, 1, FILCHI_BENCH_MAX_THIEVES, &s->queue.thieves);
}

/* One rate, of so many characters. */
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
	/* Digits only, and what is whole: 1.5k is, 0.5 is not. */
	if (!isdigit((unsigned char)*text) || strspn(text, "0123456789.") + (factor > 1) != length ||
	    end != text + length || !(value <= FILCHI_QUEUE_BENCH_FASTEST))
		return false;
	*rate = (struct filchi_queue_rate){.per_second = (unsigned)value};
	return (double)rate->per_second == value;
}

/* Once each. */
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
				"%s: --rate wants whole numbers up to 100M, like 100k or 1M, or max, not '%s'\n",
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
		fprintf(stderr, "%s: --payload wants 4 or 8, not '%s'\n", command,
			filchi_short(shown, value, strlen(value)));
		return false;
	}
	s->queue.payload = (unsigned)(*value - '0');
	return true;
}

static bool power_of_two(const char *command, const char *option, unsigned value)
{
	if (value & (value - 1))
		fprintf(stderr, "%s: %s wants a power of two, not %u\n", command, option, value);
	return !(value & (value - 1));
}

static bool parse_capacity(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	return filchi_parse_count(command, "--capacity", value, 2, MAX_CAPACITY, &s->queue.capacity) &&
	       power_of_two(command, "--capacity", s->queue.capacity);
}

static bool parse_block_size(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	return filchi_parse_count(command, "--block-size", value, 0, MAX_BLOCK_SIZE, &s->queue.block_size) &&
	       (!s->queue.block_size || power_of_two(command, "--block-size", s->queue.block_size));
}

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;

	(void)quick;
	if (s->queue.block_size > s->queue.capacity) {
		fprintf(stderr, "%s: a block of %u does not fit the capacity of %u\n", command, s->queue.block_size,
			s->queue.capacity);
		return false;
	}
	if (!s->queue.rate_count && !parse_rates(command, DEFAULT_RATES, s))
		return false;
	return s->kinds.count || filchi_bench_kinds_add(&s->kinds, command, "", "all");
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	const struct settings *s = settings;

	return filchi_queue_bench_init(suite, options, &s->queue, s->kinds.names, s->kinds.count);
}

static const struct filchi_bench_flag flags[] = {
	{"kinds", parse_kinds},
	{"thieves", parse_thieves},
	{"rate", parse_rates},
	{"payload", parse_payload},
	{"capacity", parse_capacity},
	{"block-size", parse_block_size},
	{0},
};

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench queue --help",
		.flags = flags,
		.argument = parse_kinds,
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
	.summary = "measure the deques with thieves at a pace",
	.help = help,
	.run = run,
};
