/* The charts' own arithmetic: even ticks, places, what remains of many points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart_priv.h"

static void assert_ticks(const struct chart_scale *scale, const char *want)
{
	char text[400] = "", buf[CHART_TEXT];

	for (size_t i = 0; i < scale->n_ticks; i++) {
		strcat(text, i ? " | " : "");
		strcat(text, scale->text(buf, scale->tick[i]));
	}
	assert_string_equal(text, want);
}

static void test_ticks_are_even(void **state)
{
	static const struct {
		double low, high;
		unsigned ticks;
		const char *want;
	} cases[] = {
		{0, 603, 5, "0 | 200 | 400 | 600 | 800"},
		{0, 100, 4, "0 | 50 | 100"},
		{0, 1, 5, "0 | 0.2 | 0.4 | 0.6 | 0.8 | 1"},
		{0, 0.07, 5, "0 | 0.02 | 0.04 | 0.06 | 0.08"},
		{-3, 12, 5, "-5 | 0 | 5 | 10 | 15"},
		{0, 3.3e10, 4, "0 | 1e+10 | 2e+10 | 3e+10 | 4e+10"},
		{0, 0, 5, "0 | 0.2 | 0.4 | 0.6 | 0.8 | 1"}, /* nothing to span */
		{0, NAN, 5, "0 | 0.2 | 0.4 | 0.6 | 0.8 | 1"},
		{0, INFINITY, 5, "0 | 0.2 | 0.4 | 0.6 | 0.8 | 1"},
	};
	struct chart_scale scale;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		scale = chart_scale_linear(cases[i].low, cases[i].high, cases[i].ticks);
		assert_ticks(&scale, cases[i].want);
		assert_true(scale.low <= cases[i].low);
		assert_false(scale.high < cases[i].high && isfinite(cases[i].high));
	}
	scale = chart_scale_count(3, 8);
	assert_ticks(&scale, "0 | 1 | 2 | 3");
	scale = chart_scale_linear(0, 1e6, 1000);
	assert_int_equal(scale.n_ticks, CHART_TICKS);
}

static void test_time_has_the_steps_of_clocks(void **state)
{
	struct chart_scale scale = chart_scale_time(97, 8);

	(void)state;
	assert_ticks(&scale, "0 s | 20 s | 40 s | 60 s | 80 s");
	assert_true(scale.high == 97);
	scale = chart_scale_time(620, 8);
	assert_ticks(&scale, "0 s | 2:00 | 4:00 | 6:00 | 8:00 | 10:00");
	scale = chart_scale_time(1.5, 5);
	assert_ticks(&scale, "0 s | 0.5 s | 1 s | 1.5 s");
	scale = chart_scale_time(90000, 5);
	assert_ticks(&scale, "0 s | 5:00:00 | 10:00:00 | 15:00:00 | 20:00:00 | 25:00:00");
}

static void test_logarithmic_ticks(void **state)
{
	struct chart_scale scale = chart_scale_log(38, 92);

	(void)state;
	assert_ticks(&scale, "20 | 50 | 100");
	assert_true(fabs(chart_at(&scale, sqrt(20 * 100)) - 0.5) < 1e-9);
	scale = chart_scale_log(0.8, 41000);
	assert_ticks(&scale, "1 | 10 | 100 | 1000 | 10000");
	assert_true(scale.low == 0.5 && scale.high == 50000);
	scale = chart_scale_log(INFINITY, 0); /* nothing was measured */
	assert_true(scale.low == 1 && scale.high == 10);
}

static void test_values_stay_within(void **state)
{
	struct chart_scale scale = chart_scale_linear(0, 100, 4);

	(void)state;
	assert_true(chart_at(&scale, 25) == 0.25);
	assert_true(chart_at(&scale, -5) == 0);
	assert_true(chart_at(&scale, 500) == 1);
	assert_true(chart_at(&scale, NAN) == 0);
}

/* What the path of these spans is. */
static char *path_of(const struct chart_span *spans, size_t n, unsigned columns, bool filled)
{
	char *text = NULL, *from, *to;
	size_t length;
	struct chart chart = {.out = open_memstream(&text, &length), .height = 100};

	chart.x = chart_scale_linear(0, 10, 1);
	chart.y = chart_scale_linear(0, 100, 1);
	chart_steps(&chart, spans, n, columns, filled, "c");
	fclose(chart.out);
	from = strstr(text, " d=\"");
	if (!from) {
		text[0] = '\0';
		return text;
	}
	from += 4;
	to = strchr(from, '"');
	memmove(text, from, (size_t)(to - from));
	text[to - from] = '\0';
	return text;
}

static void assert_path(const struct chart_span *spans, size_t n, unsigned columns, bool filled,
			const char *want)
{
	char *path = path_of(spans, n, columns, filled);

	assert_string_equal(path, want);
	free(path);
}

static void test_steps_break_where_nothing_is_known(void **state)
{
	static const struct chart_span spans[] = {
		{0, 2, 50}, {2, 4, 75.25}, {4, 5, NAN}, {5, 10, 100}};
	static const struct chart_span apart[] = {{0, 2, 50}, {6, 8, 50}};

	(void)state;
	assert_path(spans, 4, 1000, false, "M0 50H200V24.8H400M500 0H1000");
	assert_path(spans, 4, 1000, true, "M0 100V50H200V24.8H400V100ZM500 100V0H1000V100Z");
	assert_path(apart, 2, 1000, false, "M0 50H200M600 50H800");
	assert_path(spans + 2, 1, 1000, true, "");
	assert_path(NULL, 0, 1000, true, "");
}

/* A dip and a peak of one interval must be seen, however many there are. */
static void test_many_points_keep_their_extremes(void **state)
{
	struct chart_span spans[5000];
	char *path;

	(void)state;
	for (int i = 0; i < 5000; i++)
		spans[i] = (struct chart_span){i / 500.0, (i + 1) / 500.0, 50};
	spans[1234].value = 3;
	spans[4321].value = 99;
	path = path_of(spans, 5000, 100, false);
	assert_non_null(strstr(path, "V97H")); /* 3, from below */
	assert_non_null(strstr(path, "V1H"));
	free(path);
	for (int i = 0; i < 5000; i++)
		spans[i].value = i * 7919 % 100;
	path = path_of(spans, 5000, 100, true);
	assert_in_range(strlen(path), 100, 3500);
	free(path);
}

static void test_text_is_escaped(void **state)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	chart_escape(out, "<a href=\"x\">&'\xff\x01\xed\xa0\x80 \xe2\x80\xae\xc3\xa9");
	fclose(out);
	assert_string_equal(text, "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\xef\xbf\xbd\xef\xbf\xbd"
				  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \\u202e\xc3\xa9");
	free(text);
}

static void test_frame_tells_what_it_shows(void **state)
{
	char *text = NULL;
	size_t length;
	struct chart chart = {.out = open_memstream(&text, &length),
			      .id = "r",
			      .title = "Rate of <a>",
			      .description = "d",
			      .x_name = "s",
			      .y_name = "MB/s",
			      .height = 50};

	(void)state;
	chart.x = chart_scale_time(10, 2);
	chart.y = chart_scale_linear(0, 10, 1);
	chart_begin(&chart);
	chart_band(&chart, 0, 5, "b", "A");
	chart_band(&chart, 5, 5.1, "b", "T"); /* too narrow for a letter */
	chart_level(&chart, NAN, "l", "unknown");
	chart_point(&chart, 5, NAN, "p");
	chart_end(&chart);
	fclose(chart.out);
	assert_non_null(
		strstr(text, "role=\"img\" aria-labelledby=\"r-t\" aria-describedby=\"r-d\"><title "
			     "id=\"r-t\">Rate of &lt;a&gt;</title><desc id=\"r-d\">d</desc>"));
	assert_non_null(strstr(text, ">A</text>"));
	assert_null(strstr(text, ">T</text>"));
	assert_null(strstr(text, "unknown"));
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "<circle"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ticks_are_even),
		cmocka_unit_test(test_time_has_the_steps_of_clocks),
		cmocka_unit_test(test_logarithmic_ticks),
		cmocka_unit_test(test_values_stay_within),
		cmocka_unit_test(test_steps_break_where_nothing_is_known),
		cmocka_unit_test(test_many_points_keep_their_extremes),
		cmocka_unit_test(test_text_is_escaped),
		cmocka_unit_test(test_frame_tells_what_it_shows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
