/* What is doubtful: numbered, told in a section, and linked where it applies. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_mark(const struct sb_mark *a, const struct sb_mark *b)
{
	return a->level == b->level && same_text(a->id, b->id) && same_text(a->message, b->message);
}

/* Taints first. */
int html_marks_number(struct page *page)
{
	const struct sb_result *r = page->result;
	size_t next = 1;

	page->mark = calloc(r->n_marks + 1, sizeof(*page->mark));
	if (!page->mark)
		return -ENOMEM;
	for (int level = SB_MARK_TAINT; level >= SB_MARK_NOTE; level--)
		for (size_t i = 0; i < r->n_marks; i++) {
			if (r->marks[i].level != level || page->mark[i])
				continue;
			for (size_t j = i; j < r->n_marks; j++)
				if (same_mark(&r->marks[i], &r->marks[j]))
					page->mark[j] = next;
			next++;
		}
	return 0;
}

static void link_to(const struct page *page, size_t index)
{
	const struct sb_mark *mark = &page->result->marks[index];

	for (size_t i = 0; i < index; i++)
		if (page->mark[i] == page->mark[index] &&
		    same_text(page->result->marks[i].subject, mark->subject))
			return;
	fprintf(page->out,
		"<a class=\"ref %s\" href=\"#mark-%zu\"><span class=\"sr\">%s </span>%zu",
		mark->level == SB_MARK_TAINT ? "taint" : "note", page->mark[index],
		mark->level == SB_MARK_TAINT ? "taint" : "note", page->mark[index]);
	fputs("</a>", page->out);
}

void html_mark_links(const struct page *page, const char *subject)
{
	for (size_t i = 0; subject && i < page->result->n_marks; i++)
		if (same_text(page->result->marks[i].subject, subject))
			link_to(page, i);
}

static bool tells_of_cpu(const char *id)
{
	static const char *const ids[] = {"background_cpu", "steal",  "tick_sum", "hotplug",
					  "too_short",	    "cgroup", "throttled"};

	for (size_t i = 0; id && i < SB_COUNT(ids); i++)
		if (strcmp(id, ids[i]) == 0)
			return true;
	return false;
}

void html_mark_links_run(const struct page *page, bool cpu)
{
	for (size_t i = 0; i < page->result->n_marks; i++)
		if (!page->result->marks[i].subject &&
		    tells_of_cpu(page->result->marks[i].id) == cpu)
			link_to(page, i);
}
