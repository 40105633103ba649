/* The report as one page of HTML: no script, no network, the same bytes from the same result. */
#include <errno.h>
#include <stdlib.h>

#include "html_priv.h"
#include "satabench/cleanup.h"

struct section {
	const char *id, *title;
	const char *class; /* "half": two of them stand beside each other on a wide screen */
	bool (*has)(const struct page *page); /* any data */
	int (*write)(const struct page *page);
};

static const struct section sections[] = {
	{"tree", "Load and ceilings", "half", html_has_tree, html_tree},
	{"pairs", "Alone and together", "half", html_has_pairs, html_pairs},
	{"suite", "Tests in directories", "", html_has_suite, html_suite},
	{"verdict", "What the verdict rests on", "half", html_has_verdict, html_verdict},
	{"marks", "To be known about these figures", "half", html_has_faults, html_faults},
	{"md", "Arrays", "", html_has_md, html_md},
	{"ramp", "Ramp: more and more devices at once", "half", html_has_ramp, html_ramp},
	{"latency", "Latency of one read", "half", html_has_latency, html_latency},
	{"surface", "Rate by place", "", html_has_surface, html_surface},
	{"time", "Rate over time", "", html_has_time, html_time},
	{"cpu", "CPU over time", "", html_has_cpu, html_cpu},
	{"machine", "Machine and run", "", html_has_machine, html_machine},
};

static void begin(const struct page *page)
{
	const struct sb_result *r = page->result;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      /* whatever a name holds, nothing is fetched and nothing runs */
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; img-src data:\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>satabench",
	      page->out);
	if (r->host.name) {
		fputs(" on ", page->out);
		html_raw(page, r->host.name);
	}
	if (r->started) {
		fputs(", ", page->out);
		html_raw(page, r->started);
	}
	fprintf(page->out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n%s", html_style,
		html_shapes);
}

static void write_contents(const struct page *page)
{
	fputs("<nav aria-label=\"Sections\"><ul>", page->out);
	for (size_t i = 0; i < SB_COUNT(sections); i++)
		if (sections[i].has(page))
			fprintf(page->out, "<li><a href=\"#%s\">%s</a></li>", sections[i].id,
				sections[i].title);
	fputs("</ul></nav>\n", page->out);
}

static int write_sections(const struct page *page)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < SB_COUNT(sections); i++) {
		const struct section *s = &sections[i];

		if (!s->has(page))
			continue;
		fprintf(page->out,
			"<section id=\"%s\" class=\"%s\" aria-labelledby=\"%s-h\">\n<h2 "
			"id=\"%s-h\">%s</h2>\n",
			s->id, s->class, s->id, s->id, s->title);
		rc = s->write(page);
		fputs("</section>\n", page->out);
	}
	return rc;
}

int report_html_write(FILE *out, const struct sb_result *result)
{
	char **labels = report_labels(result);
	struct page page = {.out = out,
			    .result = result,
			    .labels = labels,
			    .decimals = report_rate_decimals(result),
			    .verdict = report_shows_verdict(result)};
	int rc = labels ? html_marks_number(&page) : -ENOMEM;

	if (rc == 0) {
		begin(&page);
		fputs("<header>\n", out);
		html_head(&page);
		write_contents(&page);
		fputs("</header>\n<main>\n", out);
		rc = write_sections(&page);
		fputs("</main>\n</body>\n</html>\n", out);
	}
	free(page.mark);
	report_labels_free(labels, result->n_devices);
	return rc ? rc : report_stream_status(out);
}
