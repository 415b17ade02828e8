/* SPDX-License-Identifier: Apache-2.0 */
#include "page.h"

#include "../../harness/output.h"
#include "speed.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

/* The size of where. */
enum { WHERE = 4096 };

static int name(char where[WHERE], const char *folder, const char *base, const char *end)
{
	int length = snprintf(where, WHERE, "%s/%s%s", folder, base, end);

	return length < 0 || length >= WHERE || length >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/* True for a name of files and anchors: letters, digits and -_. and a letter or digit first. */
static bool valid_id(const char *id)
{
	if (!id || !isalnum((unsigned char)*id))
		return false;
	for (; *id; id++)
		if (!isalnum((unsigned char)*id) && !strchr("-_.", *id))
			return false;
	return true;
}

static int check_ids(const struct filchi_report *report)
{
	for (size_t i = 0; i < report->figure_count; i++) {
		if (!valid_id(report->figures[i].id))
			return -EINVAL;
		for (size_t k = 0; k < i; k++)
			if (!strcmp(report->figures[i].id, report->figures[k].id))
				return -EINVAL;
	}
	return 0;
}

/* Writes the figure, or else the picture of speed, or else the page. */
static int write_file(const char *path, const struct filchi_report *report, const struct filchi_figure *figure,
		      const struct filchi_speed *speed)
{
	struct filchi_output out;
	int err = filchi_output_open(&out, path);

	if (err)
		return err;
	if (speed)
		filchi_speed_write(speed, out.file);
	else
		err = figure ? filchi_picture_write(figure, out.file) : filchi_html_write(report, out.file);
	if (!err)
		return filchi_output_commit(&out);
	filchi_output_abandon(&out);
	return err;
}

static int write_pictures(const struct filchi_figure *figure, const char *folder, bool *pictures, char where[WHERE])
{
	char svg[WHERE];
	bool there;
	int err;

	if (!filchi_picture_any(figure))
		return 0;
	err = name(where, folder, figure->id, ".svg");
	if (!err)
		err = write_file(where, NULL, figure, NULL);
	if (err)
		return err;
	memcpy(svg, where, WHERE);
	err = name(where, folder, figure->id, ".png");
	if (!err)
		err = filchi_convert(svg, where, &there);
	if (!err)
		*pictures = *pictures && there;
	return err;
}

int filchi_page_write(const struct filchi_report *report, const char *folder, bool *pictures, char *where)
{
	int err = name(where, folder, "index", ".html");

	*pictures = true;
	if (!err)
		err = check_ids(report);
	for (size_t i = 0; !err && i < report->figure_count; i++)
		err = write_pictures(&report->figures[i], folder, pictures, where);
	if (!err && report->speed)
		err = name(where, folder, "speed", ".svg");
	if (!err && report->speed)
		err = write_file(where, NULL, NULL, report->speed);
	if (err)
		return err;
	/* The page comes last, so that it exists only with all of its files. */
	err = name(where, folder, "index", ".html");
	return err ? err : write_file(where, report, NULL, NULL);
}
