/* Scales of charts: where ticks are, what stands at them, where values lie. */
#include "chart_priv.h"

#include <math.h>
#include <string.h>

char *chart_number_text(char buf[CHART_TEXT], double value)
{
	snprintf(buf, CHART_TEXT, "%.6g", value == 0 ? 0.0 : value);
	return buf;
}

char *chart_time_text(char buf[CHART_TEXT], double seconds)
{
	unsigned long whole = (unsigned long)llround(seconds);

	if (seconds < 120)
		snprintf(buf, CHART_TEXT, "%.4g s", seconds);
	else if (whole < 3600)
		snprintf(buf, CHART_TEXT, "%lu:%02lu", whole / 60, whole % 60);
	else
		snprintf(buf, CHART_TEXT, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60,
			 whole % 60);
	return buf;
}

/* The smallest of 1, 2 and 5 times a power of ten that is not below. */
static double even_step(double step)
{
	double power = pow(10, floor(log10(step)));
	double times = step / power;

	/* what floor and log10 lose must not make a step of ten out of one of one */
	return (times <= 1.0001 ? 1 : times <= 2.0001 ? 2 : times <= 5.0001 ? 5 : 10) * power;
}

/* Ticks at the multiples of step from low to high. */
static void add_ticks(struct chart_scale *scale, double step)
{
	double first = ceil(scale->low / step - 1e-9);

	for (size_t i = 0; i < CHART_TICKS; i++) {
		double at = (first + (double)i) * step;

		if (at > scale->high + step * 1e-6)
			return;
		scale->tick[scale->n_ticks++] = at;
	}
}

static struct chart_scale even_scale(double low, double high, unsigned ticks, double least)
{
	struct chart_scale scale = {.text = chart_number_text};
	double step;

	if (!(high > low) || isinf(high - low))
		high = low + 1;
	step = even_step(fmax((high - low) / (ticks ? ticks : 1), least));
	scale.low = floor(low / step + 1e-9) * step;
	scale.high = ceil(high / step - 1e-9) * step;
	add_ticks(&scale, step);
	return scale;
}

struct chart_scale chart_scale_linear(double low, double high, unsigned ticks)
{
	return even_scale(low, high, ticks, 0);
}

struct chart_scale chart_scale_count(double high, unsigned ticks)
{
	return even_scale(0, high, ticks, 1);
}

struct chart_scale chart_scale_time(double seconds, unsigned ticks)
{
	static const double steps[] = {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600};
	const size_t n = sizeof(steps) / sizeof(steps[0]);
	struct chart_scale scale = {.high = seconds, .text = chart_time_text};
	double wanted;
	size_t i = 0;

	if (!(seconds > 0) || isinf(seconds))
		scale.high = 1;
	wanted = scale.high / (ticks ? ticks : 1);
	while (i < n && steps[i] < wanted)
		i++;
	add_ticks(&scale, wanted < 1 ? even_step(wanted)
			  : i < n    ? steps[i]
				     : 3600 * even_step(wanted / 3600));
	return scale;
}

struct chart_scale chart_scale_log(double low, double high)
{
	static const double times[] = {1, 2, 5, 10};
	struct chart_scale scale = {.log = true, .text = chart_number_text};
	double power;

	if (!(low > 0) || isinf(low))
		low = 1;
	if (!(high > low) || isinf(high))
		high = low * 10;
	power = pow(10, floor(log10(low)));
	for (size_t i = 0; i < 4 && times[i] * power <= low * 1.0001; i++)
		scale.low = times[i] * power;
	scale.high = even_step(high);
	/* a tick a decade, and where they are few at twice and five times as well */
	while (power <= scale.high * 1.0001 && scale.n_ticks < CHART_TICKS) {
		for (size_t i = 0; i < (scale.high / scale.low > 100 ? 1 : 3); i++) {
			double tick = power * times[i];

			if (tick >= scale.low * 0.9999 && tick <= scale.high * 1.0001 &&
			    scale.n_ticks < CHART_TICKS)
				scale.tick[scale.n_ticks++] = tick;
		}
		power *= 10;
	}
	return scale;
}

double chart_at(const struct chart_scale *scale, double value)
{
	double at = scale->log ? log(value / scale->low) / log(scale->high / scale->low)
			       : (value - scale->low) / (scale->high - scale->low);

	return at > 0 ? at < 1 ? at : 1 : 0;
}
