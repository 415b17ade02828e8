/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that filchi_page_write leaves in a folder: their names, that they are well-formed, and that no text
 * becomes markup.
 */
#define _GNU_SOURCE

#include "../fixtures/test.h"
#include "reports.h"
#include "xml.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/filch-page-XXXXXX", where[4096];

static const char *path_of(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static bool there(const char *name)
{
	return access(path_of(name), F_OK) == 0;
}

/* Returns the whole file. The caller frees it. */
static char *contents(const char *name)
{
	FILE *f = fopen(path_of(name), "r");
	char *text = NULL;
	size_t size = 0;
	ssize_t length;

	TEST_CHECK(f);
	length = getdelim(&text, &size, 0, f);
	TEST_CHECK(length >= 0 && strlen(text) == (size_t)length);
	fclose(f);
	return text;
}

static void empty_folder(void)
{
	DIR *d = opendir(folder);

	TEST_CHECK(d);
	for (struct dirent *e; (e = readdir(d));)
		if (*e->d_name != '.')
			TEST_CHECK(!remove(path_of(e->d_name)));
	closedir(d);
}

static size_t count_files(void)
{
	DIR *d = opendir(folder);
	size_t count = 0;

	TEST_CHECK(d);
	for (struct dirent *e; (e = readdir(d));)
		count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(d);
	return count;
}

static int write_page(const struct filchi_report *report, bool *pictures)
{
	return filchi_page_write(report, folder, pictures, where);
}

/* The same without a program for PNG, which is slow, in PATH. */
static void write_without(const struct filchi_report *report)
{
	char *before = strdup(getenv("PATH"));
	bool pictures;

	TEST_CHECK(before && !setenv("PATH", folder, 1));
	TEST_CHECK(!write_page(report, &pictures) && !pictures);
	setenv("PATH", before, 1);
	free(before);
}

static void check_xml(const char *what, const char *text, size_t length)
{
	size_t at;
	const char *wrong = xml_check(text, length, &at);

	if (wrong)
		fprintf(stderr, "%s: %s: %.80s\n", what, wrong, text + (at > 40 ? at - 40 : 0));
	TEST_CHECK(!wrong);
}

static size_t count_of(const char *text, const char *what)
{
	size_t count = 0;

	while ((text = strstr(text, what))) {
		text += strlen(what);
		count++;
	}
	return count;
}

static void check_svg(const char *id)
{
	char name[64], *text;

	snprintf(name, sizeof(name), "%s.svg", id);
	text = contents(name);
	check_xml(name, text, strlen(text));
	TEST_CHECK(!strncmp(text, "<svg xmlns=", 11) && strstr(text, "<style>") && strstr(text, "<desc>"));
	free(text);
}

/* The pictures in the page are XML. Scripts and other elements end as often as they begin. */
static void check_html(void)
{
	char *text = contents("index.html");
	size_t pictures = 0;

	for (char *from = text; (from = strstr(from, "<svg ")); pictures++) {
		char *end = strstr(from, "</svg>");

		TEST_CHECK(end);
		check_xml("index.html", from, (size_t)(end + 6 - from));
		from = end;
	}
	TEST_CHECK(pictures > 4 && pictures % 2 == 0);
	TEST_CHECK(count_of(text, "<script") == count_of(text, "</script>"));
	TEST_CHECK(count_of(text, "<article") == count_of(text, "</article>"));
	TEST_CHECK(count_of(text, "<figure>") == count_of(text, "</figure>"));
	TEST_CHECK(count_of(text, "<table>") == count_of(text, "</table>"));
	TEST_CHECK(!strstr(text, "http://") && !strstr(text, "https://") && !strstr(text, "<b>"));
	free(text);
}

/* Each statement has its mark, in the list and beyond its visible part; and a figure without a published one. */
static void check_results(void)
{
	char *text = contents("index.html");

	TEST_CHECK(count_of(text, "<li><span class=\"mark differs\"><span aria-hidden=\"true\">✗ </span>"
				  "<span class=\"unseen\">differs: </span></span>") == 4);
	TEST_CHECK(count_of(text, "<li><span class=\"mark agrees\"><span aria-hidden=\"true\">✓ </span>"
				  "<span class=\"unseen\">agrees: </span></span>") == 5);
	TEST_CHECK(strstr(text, "<summary>3 more</summary>"));
	TEST_CHECK(strstr(text, "<article id=\"works\" class=\"own\""));
	TEST_CHECK(count_of(text, "</span> own figure</span>") == 1);
	/* Only numbers get separators of thousands. */
	TEST_CHECK(count_of(text, "<td class=\"num\">1,024</td>") == 2 && !strstr(text, ">1024<"));
	/* A column with sentences is wide. */
	TEST_CHECK(count_of(text, "<th scope=\"col\" class=\"long\">") == 1);
	/* Our own aim: green, in its own words, and counted apart from agreement. */
	TEST_CHECK(strstr(text, "<article id=\"growth\" class=\"agrees\""));
	TEST_CHECK(count_of(text, "<span aria-hidden=\"true\">✓</span> flat within 10 %</span>") == 1);
	TEST_CHECK(strstr(text, "<span class=\"unseen\"> (flat within 10 %)</span>"));
	TEST_CHECK(strstr(text, "</span> 2 agree</span>") && strstr(text, "</span> 1 own aim met</span>"));
	/* Date, command, missing runtimes and the result come before the list of figures. */
	TEST_CHECK(strstr(text, "<dt>Measured</dt><dd>2026-01-01 12:00 UTC, with filch figures --quick</dd>"));
	TEST_CHECK(strstr(text, "<strong>Not complete.</strong> oneTBB was not there.</p>"));
	TEST_CHECK(strstr(text, "<p>filch is at least as fast as others in 43 of 47 comparisons.</p>"));
	TEST_CHECK(strstr(text, "× libgomp: that many times the time of filch.</p>"));
	TEST_CHECK(strstr(text, "In short</h2>") < strstr(text, "<nav ") &&
		   strstr(text, "<nav ") < strstr(text, "<article "));
	TEST_CHECK(strstr(text, "<dt>Lace paper</dt>\n<dd>Two authors: a title. 2014.</dd>"));
	free(text);
}

static void sample(void)
{
	bool pictures;

	TEST_CHECK(!write_page(sample_report(), &pictures));
	check_html();
	check_results();
	check_svg("bulk-6");
	check_svg("lace-5");
	check_svg("thesis-5.4");
	TEST_CHECK(!there("bulk-9.svg")); /* it was not measured */
	TEST_CHECK(there("works.png") == pictures);
	TEST_CHECK(count_files() == (pictures ? 11 : 6));
	/* Writes over existing files. */
	write_without(sample_report());
	TEST_CHECK(count_files() == 6);
	if (!system("command -v xmllint >/dev/null"))
		TEST_CHECK(snprintf(where, sizeof(where), "xmllint --noout %s/*.svg", folder) && !system(where));
}

static void awkward(void)
{
	static const char escaped[] = "&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt; ]]&gt; --&gt; &lt;/script&gt;";
	char *text;

	write_without(awkward_report());
	check_html();
	check_svg("a");
	check_svg("b.2_c-d");
	check_svg("c");
	TEST_CHECK(!there("d.svg") && !there("e.svg") && !there("f.svg"));
	text = contents("index.html");
	TEST_CHECK(count_of(text, escaped) > 10 && !strstr(text, AWKWARD_NAME));
	TEST_CHECK(strstr(text, "{\"\\u003c/script\\u003e\": \"\\u003c!-- \\u003cscript\\u003e \\u0026 ]]\\u003e\"}"));
	TEST_CHECK(strstr(text, "<th scope=\"col\" class=\"num\">") &&
		   strstr(text, "<td class=\"num\">-2.5e3 ± 1</td>"));
	free(text);
	if (!system("command -v xmllint >/dev/null"))
		TEST_CHECK(snprintf(where, sizeof(where), "xmllint --noout %s/*.svg", folder) && !system(where));
}

static void errors(void)
{
	static const char *const ids[] = {NULL, "", "a/b", "..", ".a", "a b", "é"};
	struct filchi_figure figures[2] = {{.id = "same"}, {.id = "same"}};
	const struct filchi_report report = {.title = "x", .figure_count = 2, .figures = figures};
	char longest[5000];
	bool pictures;

	TEST_CHECK(write_page(&report, &pictures) == -EINVAL);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		figures[1].id = ids[i];
		TEST_CHECK(write_page(&report, &pictures) == -EINVAL && count_files() == 0);
	}
	TEST_CHECK(filchi_page_write(sample_report(), "/nowhere/at/all", &pictures, where) == -ENOENT);
	TEST_CHECK(!strcmp(where, "/nowhere/at/all/bulk-6.svg"));
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = 0;
	TEST_CHECK(filchi_page_write(sample_report(), longest, &pictures, where) == -ENAMETOOLONG);
	TEST_CHECK(!mkdir(path_of("index.html"), 0700));
	TEST_CHECK(write_page(sample_report(), &pictures) == -EISDIR && !strcmp(where, path_of("index.html")));
}

/* A program for pictures in its own folder, which is all of PATH. */
static void inject(const char *script)
{
	FILE *f = fopen(path_of("rsvg-convert"), "w");

	TEST_CHECK(f && fputs(script, f) >= 0 && !fclose(f) && !chmod(path_of("rsvg-convert"), 0700));
}

static void converters(void)
{
	char *before = strdup(getenv("PATH"));
	bool pictures;
	char *text;

	TEST_CHECK(before && !setenv("PATH", folder, 1));
	inject("#!/bin/sh\nread -r line\necho \"made of $line\"\n");
	TEST_CHECK(!write_page(sample_report(), &pictures) && pictures);
	text = contents("lace-7.png");
	TEST_CHECK(!strncmp(text, "made of <svg", 12));
	free(text);
	/* Without a program that succeeds there are no pictures, and old pictures are removed. */
	inject("#!/bin/sh\necho half\nexit 1\n");
	TEST_CHECK(!write_page(sample_report(), &pictures) && !pictures && !there("lace-7.png"));
	TEST_CHECK(!remove(path_of("rsvg-convert")));
	TEST_CHECK(!write_page(sample_report(), &pictures) && !pictures && count_files() == 6);
	setenv("PATH", before, 1);
	free(before);
}

int main(void)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} scenarios[] = {{"sample", sample}, {"awkward", awkward}, {"errors", errors}, {"converters", converters}};

	TEST_CHECK(mkdtemp(folder));
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		const struct test_scenario one = {scenarios[i].name, scenarios[i].run};

		test_run(&one, 1);
		empty_folder();
	}
	TEST_CHECK(!rmdir(folder));
	return TEST_PASS;
}
