/* Text, lists of facts and tables of the page. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

void html_say(const struct page *page, const char *format, ...)
{
	SB_AUTO_FREE char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text)
		chart_escape(page->out, text);
}

void html_raw(const struct page *page, const char *raw)
{
	html_take(page, raw ? sb_escape(raw) : NULL);
}

void html_take(const struct page *page, char *text)
{
	if (text)
		chart_escape(page->out, text);
	free(text);
}

void html_fact(const struct page *page, const char *name, char *text)
{
	if (text && *text) {
		fprintf(page->out, "<div><dt>%s</dt><dd>", name);
		chart_escape(page->out, text);
		fputs("</dd></div>\n", page->out);
	}
	free(text);
}

char *html_rate(const struct page *page, double bytes_s)
{
	return report_number_text(bytes_s / 1e6, page->decimals);
}

static const char *class_of(const struct report_table *table, size_t column)
{
	return table->align[column] == 'r' ? " class=\"n\"" : "";
}

/* Nothing stands in it but its head. */
static bool is_empty(const struct report_table *table, size_t column)
{
	size_t columns = strlen(table->align);

	for (size_t i = columns; i < table->n_cells; i += columns)
		if (table->cells[i + column] && *table->cells[i + column])
			return false;
	return table->n_cells > columns;
}

static void write_row(const struct page *page, const struct report_table *table, size_t row)
{
	size_t columns = strlen(table->align);
	char *const *cell = &table->cells[row * columns];

	fputs("<tr>", page->out);
	for (size_t c = 0; c < columns; c++) {
		const char *tag = row == 0 ? "th scope=\"col\""
				  : c == 0 ? "th scope=\"row\""
					   : "td";

		if (is_empty(table, c))
			continue;
		fprintf(page->out, "<%s%s>", tag, class_of(table, c));
		chart_escape(page->out, cell[c] ? cell[c] : "");
		fputs(row == 0 || c == 0 ? "</th>" : "</td>", page->out);
	}
	fputs("</tr>\n", page->out);
}

void html_table(const struct page *page, struct report_table *table, const char *caption)
{
	size_t rows = table->failed ? 0 : table->n_cells / strlen(table->align);

	if (rows > 1) {
		/* a region with a name can be scrolled by keys */
		fprintf(page->out,
			"<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
			"aria-label=\"%s\"><table><caption>%s</caption>\n<thead>",
			caption, caption);
		write_row(page, table, 0);
		fputs("</thead>\n<tbody>\n", page->out);
		for (size_t row = 1; row < rows; row++)
			write_row(page, table, row);
		fputs("</tbody></table></div>\n", page->out);
	}
	report_table_free(table);
}

void html_details(const struct page *page, struct report_table *table, const char *summary)
{
	fprintf(page->out, "<details><summary>%s</summary>\n", summary);
	html_table(page, table, summary);
	fputs("</details>\n", page->out);
}

/* Roles are said although they are the elements' own: on a narrow screen rows are laid out as
 * grids, and browsers then forget that they are rows. */
void html_rows_begin(const struct page *page, const char *caption, const struct html_head *heads,
		     size_t n, const struct chart *axis)
{
	fprintf(page->out,
		"<table role=\"table\" class=\"rows%s\"><caption>%s</caption>\n<thead "
		"role=\"rowgroup\"><tr role=\"row\">",
		n < 4 ? " wide" : "", caption);
	for (size_t i = 0; i < n; i++) {
		fprintf(page->out, "<th role=\"columnheader\" scope=\"col\" class=\"%s\">",
			heads[i].class);
		fputs(heads[i].text, page->out);
		if (axis && heads[i].class[0] == 'p') {
			fputs("<svg class=\"axis\" height=\"16\" aria-hidden=\"true\">", page->out);
			chart_row_axis(axis);
			fputs("</svg>", page->out);
		}
		fputs("</th>", page->out);
	}
	fputs("</tr></thead>\n<tbody role=\"rowgroup\">\n", page->out);
}

void html_rows_end(const struct page *page)
{
	fputs("</tbody></table>\n", page->out);
}

void html_row_begin(const struct page *page, const char *class, unsigned level)
{
	fprintf(page->out,
		"<tr role=\"row\" class=\"%s\"><th role=\"rowheader\" scope=\"row\" "
		"style=\"--level:%u\">",
		class, level);
}

void html_row_next(const struct page *page)
{
	fputs("</th>", page->out);
}

void html_cell_begin(const struct page *page, const struct html_head *head)
{
	fprintf(page->out, "<td role=\"cell\" class=\"%s\"", head->class);
	if (head->class[0] == 'n')
		fprintf(page->out, " data-head=\"%s\"", head->brief);
	fputc('>', page->out);
}

void html_cell_end(const struct page *page)
{
	fputs("</td>", page->out);
}

void html_cell(const struct page *page, const struct html_head *head, char *text)
{
	html_cell_begin(page, head);
	html_take(page, text);
	html_cell_end(page);
}

void html_row_end(const struct page *page)
{
	fputs("</tr>\n", page->out);
}
