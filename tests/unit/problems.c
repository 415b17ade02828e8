/* SPDX-License-Identifier: Apache-2.0 */
/* The readers, generators and checks of dd/problems. */
#include "../../dd/problems/problem.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <string.h>

/* Reads from a copy of exactly this size, so that ASan sees each access behind the text. */
static void *read_bytes(const char *name, const char *bytes, size_t size, const char *cut, char error[240])
{
	const struct filchi_problem *p = filchi_problem_find(name);
	char *copy = malloc(size ? size : 1);
	struct filchi_text t;
	void *instance;

	TEST_CHECK(p && copy);
	memcpy(copy, bytes, size);
	filchi_text_begin(&t, copy, size);
	t.cut = cut;
	instance = p->read(&t);
	TEST_CHECK(!instance == t.failed);
	strcpy(error, t.error);
	free(copy);
	return instance;
}

static void accepts(const char *name, const char *text)
{
	char error[240];
	void *instance = read_bytes(name, text, strlen(text), NULL, error);

	if (!instance)
		printf("%s: %s\n", name, error);
	TEST_CHECK(instance);
	filchi_problem_find(name)->destroy(instance);
}

static void refuses(const char *name, const char *text, const char *why)
{
	char error[240];
	void *instance = read_bytes(name, text, strlen(text), NULL, error);

	if (instance || strcmp(error, why) != 0)
		printf("%s: %s\n", name, instance ? "accepted" : error);
	TEST_CHECK(!instance && !strcmp(error, why));
}

static void knapsack(void)
{
	accepts("knapsack", "2 10\n5 4\n6 5\n");
	accepts("knapsack", "2 10\r\n5 4\r\n6 5\r\n0 1");
	accepts("knapsack", "\xef\xbb\xbf\n\n  2\t10 \n\n5 4\n6 5");
	refuses("knapsack", "", "line 1: the file ends before the number of items");
	refuses("knapsack", "2\n", "line 1: the line ends before the capacity");
	refuses("knapsack", "-2 10\n",
		"line 1: the number of items must be a whole number from 1 to 1000000, not '-2'");
	refuses("knapsack", "2 10 7\n", "line 1: unexpected '7' at the end of the line");
	refuses("knapsack", "3 10\n5 4\n6 5\n", "line 4: the file ends after 2 of 3 items");
	refuses("knapsack", "2 10\n5 4\n6", "line 3: the file ends before the weight");
	refuses("knapsack", "1 10\n5.5 4\n",
		"line 2: the profit must be a whole number from 0 to 9007199254740992, not '5.5'");
	refuses("knapsack", "1 10\n99999999999999999999999999999 4\n",
		"line 2: the profit must be a whole number from 0 to 9007199254740992, not "
		"'999999999999999999999999...'");
	refuses("knapsack", "2 10\n9007199254740992 4\n1 1\n",
		"line 3: the sum of all profits is more than 9007199254740992");
}

static void misp(void)
{
	accepts("misp", "c x\np edge 3 2\ne 1 2\ne 3 2\n");
	accepts("misp", "p col 3 1\r\nn 2 7\r\ne 1 2\r\nc\r\n");
	accepts("misp", "p edge 1 0\n");
	refuses("misp", "c x\n", "line 2: the file ends before the line 'p edge VERTICES EDGES'");
	refuses("misp", "e 1 2\n", "line 1: the first line must be 'p edge VERTICES EDGES'");
	refuses("misp", "p edge 3 4\n", "line 1: the number of edges must be a whole number from 0 to 3, not '4'");
	refuses("misp", "p edge 16385 4\n",
		"line 1: the number of vertices must be a whole number from 1 to 16384, not '16385'");
	refuses("misp", "p edge 3 2\ne 1 2\ne 2 1\n", "line 3: the edge 2 1 comes twice");
	refuses("misp", "p edge 3 2\ne 1 1\n", "line 2: the edge joins vertex 1 to itself");
	refuses("misp", "p edge 3 2\ne 1 4\n", "line 2: the second vertex must be a whole number from 1 to 3, not '4'");
	refuses("misp", "p edge 3 2\ne 1 2\n", "line 3: the file ends after 1 of 2 edges");
	refuses("misp", "p edge 3 1\ne 1 2\ne 1 3\n", "line 3: there are more than the 1 edges of the line 'p'");
	refuses("misp", "p edge 3 1\nx\n", "line 2: a line must begin with e, n or c");
	refuses("misp", "p edge 3 0\nn 1 2\nn 1 2\n", "line 3: the weight of vertex 1 comes twice");
	refuses("misp", "p edge 3 0\nn 1 -2\n",
		"line 2: the weight must be a whole number from 0 to 9007199254740992, not '-2'");
}

static void max2sat(void)
{
	accepts("max2sat", "p wcnf 3 4\n-5 1 0\n2 1 -1 0\n3 2 2 0\n4 1 3 0\n");
	refuses("max2sat", "p cnf 3 4\n", "line 1: the first line must be 'p wcnf VARIABLES CLAUSES'");
	refuses("max2sat", "p wcnf 3 4 10\n", "line 1: hard clauses are not supported: 'p' takes two numbers");
	refuses("max2sat", "p wcnf 3 2\n1 1 2 0\n1 2 1 0\n", "line 3: the clause comes twice");
	refuses("max2sat", "p wcnf 3 2\n1 0\n", "line 2: the clause has no literal");
	refuses("max2sat", "p wcnf 3 2\n1 1 2 3 0\n", "line 2: the clause has more than two literals");
	refuses("max2sat", "p wcnf 3 2\n1 1 2\n", "line 2: the line ends before the final 0");
	refuses("max2sat", "p wcnf 3 2\n1 4 0\n", "line 2: the literal must be a whole number from -3 to 3, not '4'");
	refuses("max2sat", "p wcnf 3 2\n1 1 0\n", "line 3: the file ends after 1 of 2 clauses");
	refuses("max2sat", "p wcnf 3 1\n1 1 0\n1 2 0\n", "line 3: there are more than the 1 clauses of the line 'p'");
}

static void maxcut(void)
{
	accepts("maxcut", "c x\n3 2\n1 2 -4\n2 3 0\n");
	refuses("maxcut", "3 2\n1 2 -4\n2 1 5\n", "line 3: the edge 2 1 comes twice");
	refuses("maxcut", "3 2\n1 2 0\n2 1 0\n", "line 3: the edge 2 1 comes twice");
	refuses("maxcut", "3 2\n2 2 1\n", "line 2: the edge joins vertex 2 to itself");
	refuses("maxcut", "3 2\n1 2 1\n", "line 3: the file ends after 1 of 2 edges");
	refuses("maxcut", "3 1\n1 2 1\n1 3 1\n", "line 3: there are more than the 1 edges of the first line");
	refuses("maxcut", "3 2\n1 2 -9007199254740992\n1 3 1\n",
		"line 3: the sum of all absolute weights is more than 9007199254740992");
}

static void tsptw(void)
{
	accepts("tsptw", "2 0 1 1 0 0 9 0 9");
	accepts("tsptw", "2\r\n0 1.5\r\n2. 0\r\n0 9\r\n.5 9\r\n# end\r\n");
	refuses("tsptw", "2\n0 1\n1 0\n0 9\n", "line 5: the file ends before the start of a window");
	refuses("tsptw", "2\n0 1\n1 x\n", "line 3: a distance must be a number from 0 to 439804651, not 'x'");
	refuses("tsptw", "2\n0 -1\n", "line 2: a distance must be a number from 0 to 439804651, not '-1'");
	refuses("tsptw", "2\n0 1\n1 0\n0 9\n5 4\n", "line 5: the window of place 1 ends before it starts");
	refuses("tsptw", "2\n0 1\n1 0\n0 9\n5 6\n7\n", "line 6: the file goes on after the last window");
	refuses("tsptw", "1\n", "line 1: the number of places must be a whole number from 2 to 1024, not '1'");
}

static void golomb(void)
{
	accepts("golomb", "8");
	accepts("golomb", "8\r\n");
	refuses("golomb", "1", "line 1: the number of marks must be a whole number from 2 to 24, not '1'");
	refuses("golomb", "8\n9\n", "line 2: the file goes on after the number of marks");
	refuses("golomb", "8 9\n", "line 1: unexpected '9' at the end of the line");
}

static void sop(void)
{
	accepts("sop", "NAME: x\nDIMENSION: 3\nEDGE_WEIGHT_SECTION\n3\n0 1 1000000\n-1 0 2\n-1 -1 0\nEOF\n");
	accepts("sop", "DIMENSION : 2\r\nEDGE_WEIGHT_SECTION\r\n2 0\r\n1 -1 0");
	refuses("sop", "DIMENSION 2\n", "line 1: there must be a colon after DIMENSION");
	refuses("sop", "DIMENSION: 3\nEDGE_WEIGHT_SECTION\n2\n",
		"line 3: the number of jobs is 2, but the DIMENSION is 3");
	refuses("sop", "NAME: x\n", "line 2: the file ends before EDGE_WEIGHT_SECTION");
	refuses("sop", "EDGE_WEIGHT_SECTION\n2\n0 1\n-1\n", "line 5: the file ends before the last of the costs");
	refuses("sop", "EDGE_WEIGHT_SECTION\n2\n0 1\n-2 0\n",
		"line 4: the cost must be a whole number from -1 to 4398046511104, not '-2'");
	refuses("sop", "EDGE_WEIGHT_SECTION\n2\n0 1\n-1 0\n7\n",
		"line 5: the file goes on after the costs, without EOF");
}

static void ufp(void)
{
	accepts("ufp", "c x\np ufp 3 2 1 1\nq 1\na 0 1 5 -3\na 1 2 4 9\ns 0 7\nd 0 2 6\n");
	accepts("ufp", "p ufp 1 0 0 1");
	refuses("ufp", "p uf 3 2 1 1\n", "line 1: the first line must be 'p ufp NODES ARCS NODES_IN_Q SCENARIOS'");
	refuses("ufp", "c x\n", "line 2: the file ends before the line p");
	refuses("ufp", "p ufp 3 0 1 0\n",
		"line 1: the number of scenarios must be a whole number from 1 to 65536, not '0'");
	refuses("ufp", "p ufp 3 0 4 1\n",
		"line 1: the number of nodes in Q must be a whole number from 0 to 3, not '4'");
	refuses("ufp", "p ufp 4096 0 0 65536\n", "line 1: 65536 scenarios of 4096 nodes are too many");
	refuses("ufp", "p ufp 3 0 1 1\np ufp 3 0 1 1\n", "line 2: there is a second line p");
	refuses("ufp", "p ufp 3 0 1 1\nx 1\n", "line 2: a line must begin with q, s, d, a or c");
	refuses("ufp", "p ufp 3 0 2 1\nq 1\nq 1\n", "line 3: node 1 is in Q twice");
	refuses("ufp", "p ufp 3 0 1 1\nq 1\nq 2\n", "line 3: there are more than the 1 nodes in Q of the line p");
	refuses("ufp", "p ufp 3 0 1 1\n", "line 2: the file ends after 0 of 1 nodes in Q");
	refuses("ufp", "p ufp 3 2 0 1\na 0 1 1 1\n", "line 3: the file ends after 1 of 2 arcs");
	refuses("ufp", "p ufp 3 0 0 1\na 0 1 1 1\n", "line 2: there are more than the 0 arcs of the line p");
	refuses("ufp", "p ufp 3 1 0 1\na 1 1 1 1\n", "line 2: the arc joins node 1 to itself");
	refuses("ufp", "p ufp 3 1 0 1\na 0 3 1 1\n", "line 2: the head must be a whole number from 0 to 2, not '3'");
	refuses("ufp", "p ufp 3 1 0 1\na 0 1 -1 1\n",
		"line 2: the capacity must be a whole number from 0 to 1000000000000, not '-1'");
	refuses("ufp", "p ufp 3 0 0 1\ns 0 1\ns 0 1\n", "line 3: the supply of node 0 comes twice");
	refuses("ufp", "p ufp 3 0 0 2\nd 1 0 0\nd 1 0 1\n", "line 3: the demand of node 0 in scenario 1 comes twice");
	refuses("ufp", "p ufp 3 0 1 1\ns 1 4\nq 1\n", "line 4: node 1 is in Q and has supply");
	refuses("ufp", "p ufp 3 0 1 2\nq 1\nd 1 1 4\n", "line 4: node 1 is in Q and has demand in scenario 1");
	refuses("ufp", "p ufp 3 1 0 10\na 0 1 1000000000000 1000\n",
		"line 2: the sum of all capacities times rewards in all scenarios is more than 9007199254740992");
}

/* Zeros, a file that was cut, bytes of all kinds: an error with its line, whatever the reader. */
static void no_text(void)
{
	const struct filchi_problem *p;
	char error[240], zeros[1000] = {0}, bytes[256];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(255 - i);
	for (unsigned i = 0; (p = filchi_problem_at(i)); i++) {
		TEST_CHECK(!read_bytes(p->name, zeros, sizeof(zeros), filchi_text_zero, error));
		TEST_CHECK(!strcmp(error, "line 1: the file has a byte 0: this is no text"));
		TEST_CHECK(!read_bytes(p->name, zeros, sizeof(zeros), NULL, error));
		TEST_CHECK(!strcmp(error, "line 1: the file has a byte 0: this is no text"));
		TEST_CHECK(!read_bytes(p->name, bytes, sizeof(bytes), NULL, error));
		TEST_CHECK(!strncmp(error, "line ", 5));
	}
	/* Perhaps the number goes on behind the cut. */
	TEST_CHECK(!read_bytes("golomb", "1", 1, filchi_text_large, error));
	TEST_CHECK(!strcmp(error, "line 1: the file is larger than 268435456 bytes"));
	TEST_CHECK(!read_bytes("knapsack", "1 1\n1 1", 7, filchi_text_large, error));
	TEST_CHECK(!strcmp(error, "line 2: the file is larger than 268435456 bytes"));
}

static char *generate(const struct filchi_problem *p, const struct filchi_generate *g, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	TEST_CHECK(f);
	p->generate(f, g);
	TEST_CHECK(!fclose(f));
	return text;
}

/* Generated files can be read, and the same seed makes the same file. Each prefix of a file is refused, or accepted,
 * with a message. */
static void round_trip(void)
{
	const struct filchi_problem *p;
	char error[240];

	for (unsigned i = 0; (p = filchi_problem_at(i)); i++)
		for (uint64_t seed = 0; seed < 20; seed++) {
			struct filchi_generate g = {.seed = seed,
						    .size = seed < 3 ? 2 + seed : p->size_usual,
						    .density = seed % 2 ? -1 : (double)(seed % 5) / 4,
						    .range = p->range_usual};
			size_t size, again;
			char *text = generate(p, &g, &size), *twin = generate(p, &g, &again);
			void *instance = read_bytes(p->name, text, size, NULL, error);

			TEST_CHECK(instance);
			p->destroy(instance);
			TEST_CHECK(size == again && !memcmp(text, twin, size));
			for (size_t part = 0; seed < 3 && part < size; part++)
				p->destroy(read_bytes(p->name, text, part, part % 2 ? filchi_text_large : NULL, error));
			free(text);
			free(twin);
		}
}

static int check(const char *name, const char *text, const int32_t *solution, size_t count, int64_t *value)
{
	const struct filchi_problem *p = filchi_problem_find(name);
	struct filchi_check_error reason;
	char error[240];
	void *instance = read_bytes(name, text, strlen(text), NULL, error);
	int err;

	TEST_CHECK(instance);
	err = p->check(instance, solution, count, value, &reason);
	p->destroy(instance);
	return err;
}

#define VALUE(name, text, expected, ...)                                                                               \
	do {                                                                                                           \
		const int32_t s[] = {__VA_ARGS__};                                                                     \
		int64_t value;                                                                                         \
		TEST_CHECK(check(name, text, s, sizeof(s) / sizeof(s[0]), &value) == 0 && value == (expected));        \
	} while (0)
#define WRONG(name, text, ...)                                                                                         \
	do {                                                                                                           \
		const int32_t s[] = {__VA_ARGS__};                                                                     \
		int64_t value;                                                                                         \
		TEST_CHECK(check(name, text, s, sizeof(s) / sizeof(s[0]), &value) == -EINVAL);                         \
	} while (0)

static void checks(void)
{
	static const char tour[] = "3 0 10 20 10 0 5.5 20 5.5 0 0 40 12 15 0 30";
	static const char flow[] = "p ufp 4 4 1 2\nq 1\ns 0 5\nd 0 2 3\nd 1 2 9\nd 1 3 2\na 0 1 5 -1\na 1 2 4 8\n"
				   "a 1 3 6 9\na 0 1 1 0\n";
	static const char jobs[] = "EDGE_WEIGHT_SECTION\n4\n0 1 2 1000000 -1 0 4 5 -1 -1 0 8 -1 -1 -1 0";

	VALUE("knapsack", "3 9\n5 4\n6 5\n7 6", 11, 1, 1, 0);
	WRONG("knapsack", "3 9\n5 4\n6 5\n7 6", 1, 0, 1);
	WRONG("knapsack", "3 9\n5 4\n6 5\n7 6", 1, 0, 2);
	WRONG("knapsack", "3 9\n5 4\n6 5\n7 6", 1, 0);
	VALUE("misp", "p edge 3 1\ne 1 2\nn 3 5", 6, 1, 0, 1);
	WRONG("misp", "p edge 3 1\ne 1 2\nn 3 5", 1, 1, 0);
	VALUE("max2sat", "p wcnf 2 4\n5 1 0\n7 -1 2 0\n100 1 -1 0\n-3 -2 -1 0", 102, 1, 0);
	VALUE("maxcut", "3 3\n1 2 4\n2 3 5\n1 3 -2", 3, 0, 0, 1);
	VALUE("tsptw", tour, 375000, 1, 2);
	WRONG("tsptw", tour, 2, 1);
	WRONG("tsptw", tour, 1, 1);
	VALUE("golomb", "4", 6, 1, 4, 6);
	WRONG("golomb", "4", 1, 2, 6);
	WRONG("golomb", "4", 4, 1, 6);
	VALUE("sop", jobs, 13, 1, 2, 3);
	WRONG("sop", jobs, 2, 1, 3);
	WRONG("sop", jobs, 3, 1, 2);
	VALUE("ufp", flow, 3 * 7 + 4 * 7, 1, -1, -1, -1);
	VALUE("ufp", flow, 2 * 8, 2, -1, -1, -1);
	VALUE("ufp", flow, 0, -1, -1, -1, -1);
	VALUE("ufp", flow, 3 * 7 + 4 * 7 + 9, 1, -1, -1, 2);
	WRONG("ufp", flow, 1, -1, -1, 1);
	WRONG("ufp", flow, 3, -1, -1, -1);
	WRONG("ufp", flow, -1, 2, -1, -1);
	WRONG("ufp", flow, -2, -1, -1, -1);
	WRONG("ufp", flow, 4, -1, -1, -1);
	WRONG("ufp", flow, 1, -1, -1);
	WRONG("sop", "EDGE_WEIGHT_SECTION\n3\n0 1000000 1 -1 0 1 -1 -1 0", 1, 2);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"knapsack", knapsack},	    {"misp", misp},	{"max2sat", max2sat}, {"maxcut", maxcut},
		{"tsptw", tsptw},	    {"golomb", golomb}, {"sop", sop},	      {"no_text", no_text},
		{"round_trip", round_trip}, {"checks", checks}, {"ufp", ufp},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
