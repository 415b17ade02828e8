/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of diagrams, as SVG and as DOT. One row per layer, the value of the best path left of a node, its state in it.
 * Arcs with label 0 are dashed. The best path is red. Merged nodes have a double border, nodes of the cutset are filled.
 */
#include "diagram.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT 48
#define ROW_HEIGHT 90
#define NODE_HEIGHT 28
#define MARGIN 90

/* The state of a node as text, with the characters of markup replaced. */
static void describe(const struct filch_dd_diagram *d, const struct filch_dd_diagram_node *n, char *out, size_t size)
{
	char text[TEXT];
	size_t used = 0;
	int length = -1;

	if (d->model.p.describe)
		length = d->model.p.describe(n->state, text, sizeof(text), d->model.p.arg);
	if (length < 0)
		text[0] = 0;
	if (length >= (int)sizeof(text))
		memcpy(text + sizeof(text) - 4, "...", 4);
	for (const char *c = text; *c && used + 7 < size; c++) {
		const char *as = *c == '<' ? "&lt;" : *c == '&' ? "&amp;" : *c == '"' ? "&quot;" : NULL;

		if ((unsigned char)*c < ' ')
			as = " ";
		if (!as) {
			out[used++] = *c;
			continue;
		}
		memcpy(out + used, as, strlen(as));
		used += strlen(as);
	}
	out[used] = 0;
}

static size_t node_width(const struct filch_dd_diagram *d)
{
	size_t longest = 3;
	struct filch_dd_diagram_node n;
	char text[TEXT];

	for (int row = 0; d->model.p.describe && row < filch_dd_diagram_layers(d); row++) {
		for (size_t i = 0; !filch_dd_diagram_node(d, row, i, &n); i++) {
			int length = d->model.p.describe(n.state, text, sizeof(text), d->model.p.arg);

			if (length > (int)longest)
				longest = length < TEXT ? (size_t)length : TEXT - 1;
		}
	}
	return 9 * longest + 16;
}

struct page {
	FILE *out;
	const struct filch_dd_diagram *d;
	size_t node, step, widest; /* pixels */
};

static double place(const struct page *p, int row, size_t n)
{
	size_t count = filch_dd_diagram_nodes(p->d, row);

	return MARGIN + (double)p->widest / 2 + ((double)n - (double)(count - 1) / 2) * (double)p->step;
}

static void svg_arcs(const struct page *p, int row)
{
	struct filch_dd_diagram_arc a;

	for (size_t i = 0; !filch_dd_diagram_arc(p->d, row, i, &a); i++) {
		double x1 = place(p, row, a.from), x2 = place(p, row + 1, a.to);
		int y1 = ROW_HEIGHT / 2 + row * ROW_HEIGHT + NODE_HEIGHT / 2, y2 = y1 + ROW_HEIGHT - NODE_HEIGHT;
		double bend = a.label ? 12 : -12;

		fprintf(p->out,
			"<path class=\"%s%s\" d=\"M%.1f %d Q%.1f %d %.1f %d\"><title>label %" PRId32 ", cost %" PRId64
			"</title></path>\n",
			a.label ? "arc" : "arc zero", a.best ? " best" : "", x1, y1, (x1 + x2) / 2 + bend, (y1 + y2) / 2,
			x2, y2, a.label, a.cost);
		if (a.label < 0 || a.label > 1)
			fprintf(p->out, "<text class=\"label\" x=\"%.1f\" y=\"%d\">%" PRId32 "</text>\n",
				(x1 + x2) / 2 + bend, (y1 + y2) / 2, a.label);
	}
}

static void svg_nodes(const struct page *p, int row)
{
	struct filch_dd_diagram_node n;
	char text[6 * TEXT];
	int y = ROW_HEIGHT / 2 + row * ROW_HEIGHT, variable = filch_dd_diagram_variable(p->d, row);

	if (variable >= 0)
		fprintf(p->out, "<text class=\"variable\" x=\"8\" y=\"%d\">x%d</text>\n", y + ROW_HEIGHT / 2 + 5,
			variable + 1);
	for (size_t i = 0; !filch_dd_diagram_node(p->d, row, i, &n); i++) {
		double x = place(p, row, i);

		describe(p->d, &n, text, sizeof(text));
		fprintf(p->out,
			"<rect class=\"node%s%s%s\" x=\"%.1f\" y=\"%d\" width=\"%zu\" height=\"%d\" rx=\"%d\"/>\n"
			"<text x=\"%.1f\" y=\"%d\">%s</text>\n<text class=\"value\" x=\"%.1f\" y=\"%d\">%" PRId64
			"</text>\n",
			n.merged ? " merged" : "", n.cutset ? " cutset" : "", n.best ? " best" : "",
			x - (double)p->node / 2, y - NODE_HEIGHT / 2, p->node, NODE_HEIGHT, NODE_HEIGHT / 2, x, y + 5, text,
			x - (double)p->node / 2 - 4, y + 5, n.top);
	}
}

static void write_svg(FILE *out, const struct filch_dd_diagram *d)
{
	struct page p = {.out = out, .d = d, .node = node_width(d)};
	int rows = filch_dd_diagram_layers(d);
	size_t most = 1;

	for (int row = 0; row < rows; row++)
		if (filch_dd_diagram_nodes(d, row) > most)
			most = filch_dd_diagram_nodes(d, row);
	p.step = p.node + 56;
	p.widest = most * p.step;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%d\" font-family=\"sans-serif\" "
		"font-size=\"14\" text-anchor=\"middle\">\n<style>.arc{fill:none;stroke:#444}.zero{stroke-dasharray:5 4}"
		".arc.best{stroke:#c22;stroke-width:2.5}.node{fill:#fff;stroke:#222}.node.best{stroke:#c22}"
		".node.merged{stroke-width:3.5;stroke-dasharray:9 2}.node.cutset{fill:#dfe9f7}.value{font-size:11px;"
		"text-anchor:end;fill:#555}.variable{text-anchor:start;fill:#555}.label{font-size:11px}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		p.widest + 2 * MARGIN, (rows ? rows : 1) * ROW_HEIGHT);
	for (int row = 0; row < rows; row++)
		svg_arcs(&p, row);
	for (int row = 0; row < rows; row++)
		svg_nodes(&p, row);
	fputs("</svg>\n", out);
}

static void write_dot(FILE *out, const struct filch_dd_diagram *d)
{
	struct filch_dd_diagram_node n;
	struct filch_dd_diagram_arc a;
	char text[6 * TEXT];

	fputs("digraph diagram {\n\tnode [shape=box, style=rounded];\n", out);
	for (int row = 0; row < filch_dd_diagram_layers(d); row++) {
		for (size_t i = 0; !filch_dd_diagram_node(d, row, i, &n); i++) {
			describe(d, &n, text, sizeof(text));
			fprintf(out, "\tn%d_%zu [label=<%s<br/>%" PRId64 ">%s%s%s];\n", row, i, text[0] ? text : " ",
				n.top, n.merged ? ", peripheries=2" : "",
				n.cutset ? ", style=\"rounded,filled\", fillcolor=\"#dfe9f7\"" : "",
				n.best ? ", color=red" : "");
		}
		for (size_t i = 0; !filch_dd_diagram_arc(d, row, i, &a); i++)
			fprintf(out, "\tn%d_%u -> n%d_%u [label=\"x%d=%" PRId32 "\"%s%s];\n", row, (unsigned)a.from,
				row + 1, (unsigned)a.to, filch_dd_diagram_variable(d, row) + 1, a.label,
				a.label ? "" : ", style=dashed", a.best ? ", color=red" : "");
	}
	fputs("}\n", out);
}

int filch_dd_diagram_draw(const struct filch_dd_diagram *d, const char *path, const char *format)
{
	bool svg = format && !strcmp(format, "svg");
	FILE *out;
	int err = 0;

	if (!d || !path || (!svg && (!format || strcmp(format, "dot") != 0)))
		return -EINVAL;
	out = fopen(path, "w");
	if (!out)
		return -errno;
	if (svg)
		write_svg(out, d);
	else
		write_dot(out, d);
	if (ferror(out) || fflush(out))
		err = -EIO;
	if (fclose(out) && !err)
		err = errno ? -errno : -EIO;
	return err;
}
