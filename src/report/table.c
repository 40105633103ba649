/* A table of texts whose columns are as wide as their widest cell. */
#include "report_priv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

static void add_cell(struct report_table *table, char *text)
{
	size_t n = table->n_cells;

	if ((n & (n - 1)) == 0) { /* capacity is the next power of two */
		char **more = reallocarray(table->cells, n ? n * 2 : 1, sizeof(*more));

		if (!more) {
			table->failed = true;
			free(text);
			return;
		}
		table->cells = more;
	}
	table->cells[table->n_cells++] = text;
}

void report_cell_take(struct report_table *table, char *text)
{
	if (text)
		add_cell(table, text);
	else
		table->failed = true;
}

void report_cell(struct report_table *table, const char *text)
{
	report_cell_take(table, strdup(text));
}

char *report_number_text(double value, int decimals)
{
	char *text = isnan(value) ? strdup("-") : sb_format("%.*f", decimals, value);

	if (text && text[0] == '-' && text[1] && strspn(text + 1, "0.") == strlen(text + 1))
		memmove(text, text + 1, strlen(text));
	return text;
}

void report_cell_number(struct report_table *table, double value, int decimals)
{
	report_cell_take(table, report_number_text(value, decimals));
}

/* The second cell of such a row is NULL. */
void report_line_take(struct report_table *table, char *text)
{
	report_cell_take(table, text);
	for (size_t i = 1; i < strlen(table->align); i++)
		add_cell(table, NULL);
}

void report_table_free(struct report_table *table)
{
	for (size_t i = 0; i < table->n_cells; i++)
		free(table->cells[i]);
	free(table->cells);
	table->cells = NULL;
	table->n_cells = 0;
}

static void print_blanks(FILE *out, size_t n)
{
	while (n--)
		fputc(' ', out);
}

/* Blanks at the end of a line are left out: `pending` are printed before the next text only. */
static void print_row(FILE *out, const struct report_table *table, size_t row, const size_t *widths,
		      const char *indent)
{
	size_t columns = strlen(table->align), pending = 0;
	const char *first = table->cells[row * columns];

	if (columns > 1 && !table->cells[row * columns + 1]) {
		fprintf(out, "%s%s\n", *first ? indent : "", first);
		return;
	}
	fputs(indent, out);
	for (size_t c = 0; c < columns; c++) {
		const char *cell = table->cells[row * columns + c];
		size_t space = widths[c] - report_columns(cell);

		if (c > 0)
			pending += 2;
		if (table->align[c] == 'r') {
			pending += space;
			space = 0;
		}
		if (*cell) {
			print_blanks(out, pending);
			fputs(cell, out);
			pending = 0;
		} else {
			pending += table->align[c] == 'r' ? 0 : widths[c];
			continue;
		}
		pending += space;
	}
	fputc('\n', out);
}

int report_table_print(struct report_table *table, FILE *out, const char *indent)
{
	size_t columns = strlen(table->align);
	SB_AUTO_FREE size_t *widths = calloc(columns, sizeof(*widths));
	size_t rows = table->n_cells / columns;
	int rc = table->failed || !widths ? -ENOMEM : 0;

	for (size_t i = 0; rc == 0 && i < rows * columns; i++) {
		const char *beside = columns > 1 ? table->cells[i - i % columns + 1] : "";
		size_t width = beside ? report_columns(table->cells[i]) : 0;

		if (width > widths[i % columns])
			widths[i % columns] = width;
	}
	for (size_t row = 0; rc == 0 && row < rows; row++) {
		print_row(out, table, row, widths, indent);
	}
	report_table_free(table);
	return rc;
}
