/* The phases along the time of a run, for the pictures that have it as their x: seconds since the
 * start. */
#ifndef SATABENCH_HTML_PHASES_PRIV_H
#define SATABENCH_HTML_PHASES_PRIV_H

#include "html_priv.h"

/* Columns of a picture as wide as the page: more points are not seen. */
#define PHASES_COLUMNS 1000

const char *phases_class(int kind);
const char *phases_letter(int kind);
/* The begin of its common window; NaN: not known. */
double phases_start(const struct sb_phase *phase);
/* The end of the last interval of all. */
double phases_end(const struct sb_result *result);
/* There is something to draw. */
bool phases_any(const struct sb_result *result);
/* The intervals of all phases of this kind (-1: any) as spans of MB/s, of one device (-1: the sum
 * of all), pieces parted by spans without a value. malloc'ed; NULL out of memory */
struct chart_span *phases_spans(const struct sb_result *result, int kind, int device, size_t *n);
double phases_most(const struct chart_span *spans, size_t n);
/* "alone sda", "group 0000:01:00.0"; malloc'ed */
char *phases_name(const struct page *page, const struct sb_phase *phase);
/* A row a phase, with its rate as a picture up to `most` MB/s. 0 or -ENOMEM */
int phases_table(const struct page *page, double most);

#endif
