/* How wide a text is on a terminal. The tables are small on purpose and the same everywhere, so
 * that a report has the same bytes whatever the locale: East Asian wide characters count two,
 * combining marks none (Unicode's EastAsianWidth.txt, the blocks in use for names). */
#include "report_priv.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "satabench/cleanup.h"

#define PAGE_COLUMNS 100

struct range {
	uint32_t first, last;
};

static const struct range wide[] = {
	{0x1100, 0x115f},   {0x2e80, 0x303e},	{0x3041, 0xa4cf},   {0xac00, 0xd7a3},
	{0xf900, 0xfaff},   {0xfe30, 0xfe6f},	{0xff00, 0xff60},   {0xffe0, 0xffe6},
	{0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static const struct range combining[] = {
	{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f}, {0x200b, 0x200f},
	{0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
};

static bool is_in(uint32_t code, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

size_t report_utf8_decode(const char *s, uint32_t *code)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *u = (const unsigned char *)s;
	size_t n = u[0] < 0x80 ? 1 : u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;

	if (n == 0 || u[0] > 0xf4)
		return 0;
	*code = n == 1 ? u[0] : u[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (u[i] & 0x3f);
	}
	if (*code < smallest[n] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return n;
}

size_t report_fit(const char *text, size_t columns)
{
	size_t used = 0, at = 0;

	while (text[at]) {
		uint32_t code = 0;
		size_t n = report_utf8_decode(text + at, &code);
		size_t width = n == 0					     ? 1
			       : is_in(code, combining, SB_COUNT(combining)) ? 0
			       : is_in(code, wide, SB_COUNT(wide))	     ? 2
									     : 1;

		if (used + width > columns)
			break;
		used += width;
		at += n ? n : 1;
	}
	return at;
}

size_t report_columns(const char *text)
{
	size_t used = 0;

	while (*text) {
		uint32_t code = 0;
		size_t n = report_utf8_decode(text, &code);

		if (n == 0)
			used++;
		else if (is_in(code, wide, SB_COUNT(wide)))
			used += 2;
		else if (!is_in(code, combining, SB_COUNT(combining)))
			used++;
		text += n ? n : 1;
	}
	return used;
}

bool report_locale_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8;

	if (!locale)
		return false;
	utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
	freelocale(locale);
	return utf8;
}

void report_paragraph(FILE *out, const char *first, const char *text)
{
	size_t indent = report_columns(first);
	size_t at = indent;

	fputs(first, out);
	while (*text) {
		size_t length = strcspn(text, " ");
		char *word = strndup(text, length);
		size_t width = word ? report_columns(word) : length;

		free(word);
		if (at > indent && at + 1 + width > PAGE_COLUMNS) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (at > indent) {
			fputc(' ', out);
			at++;
		}
		fwrite(text, 1, length, out);
		at += width;
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}
