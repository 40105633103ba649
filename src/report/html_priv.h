/* The report as one page: what its sections have in common. A section is a row of the table in
 * html.c and a function here; without data it writes nothing. Only html*.c include it. */
#ifndef SATABENCH_HTML_PRIV_H
#define SATABENCH_HTML_PRIV_H

#include "chart_priv.h"
#include "report_priv.h"

struct page {
	FILE *out;
	const struct sb_result *result;
	char *const *labels; /* by device */
	size_t *mark; /* by mark: its number on the page, from 1; the same for the same words */
	int decimals; /* of rates in MB/s */
	bool verdict; /* it is told */
};

/* html_style.c */
extern const char html_style[];
/* Shapes and patterns that pictures refer to. */
extern const char html_shapes[];

/* html_text.c: text is escaped, markup is not. */

/* printf, escaped */
void html_say(const struct page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Raw bytes of a name */
void html_raw(const struct page *page, const char *raw);
/* Takes the malloc'ed text; NULL is none. */
void html_take(const struct page *page, char *text);
/* A row of a list of facts; takes the malloc'ed text; nothing for NULL or "". */
void html_fact(const struct page *page, const char *name, char *text);
/* MB/s in the page's decimals; "-" for NaN. malloc'ed */
char *html_rate(const struct page *page, double bytes_s);
/* A table from cells, the first row its heads; empties it. */
void html_table(const struct page *page, struct report_table *table, const char *caption);
/* The same behind a line that opens it. */
void html_details(const struct page *page, struct report_table *table, const char *summary);

/* A table whose rows have a picture: a head, and the cells below it. */
struct html_head {
	const char *text;
	const char *class; /* of the cells: "" text, "n" figures, "p" picture */
	const char *brief; /* before the figure on a narrow screen, where heads have no room */
};
void html_rows_begin(const struct page *page, const char *caption, const struct html_head *heads,
		     size_t n, const struct chart *axis);
void html_rows_end(const struct page *page);
/* The first cell of a row, the row's head, its content is to follow. */
void html_row_begin(const struct page *page, const char *class, unsigned level);
void html_row_next(const struct page *page);
void html_cell_begin(const struct page *page, const struct html_head *head);
void html_cell_end(const struct page *page);
/* A whole cell; takes the malloc'ed text. */
void html_cell(const struct page *page, const struct html_head *head, char *text);
void html_row_end(const struct page *page);

/* html_marks.c */

/* 0 or -ENOMEM */
int html_marks_number(struct page *page);
/* Links to the marks on what is named so (a target or the id of a node). */
void html_mark_links(const struct page *page, const char *subject);
/* ... and to those of the run that speak of the CPU, or of anything else. */
void html_mark_links_run(const struct page *page, bool cpu);

/* What is above a device, in the tree of the page. */
const char *html_device_note(const struct page *page, size_t device);

void html_head(const struct page *page);

/* The sections: whether there is anything to tell, and telling it. 0 or -ENOMEM */
bool html_has_tree(const struct page *page);
int html_tree(const struct page *page);
bool html_has_pairs(const struct page *page);
int html_pairs(const struct page *page);
bool html_has_suite(const struct page *page);
int html_suite(const struct page *page);
bool html_has_verdict(const struct page *page);
int html_verdict(const struct page *page);
bool html_has_ramp(const struct page *page);
int html_ramp(const struct page *page);
bool html_has_latency(const struct page *page);
int html_latency(const struct page *page);
bool html_has_surface(const struct page *page);
int html_surface(const struct page *page);
void html_surface_sentence(const struct page *page); /* what the page begins with */
bool html_has_time(const struct page *page);
int html_time(const struct page *page);
bool html_has_cpu(const struct page *page);
int html_cpu(const struct page *page);
bool html_has_faults(const struct page *page);
int html_faults(const struct page *page);
bool html_has_md(const struct page *page);
int html_md(const struct page *page);
bool html_has_machine(const struct page *page);
int html_machine(const struct page *page);

#endif
