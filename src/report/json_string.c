/* Names are raw bytes, JSON is UTF-8. A byte that is no part of valid UTF-8 is written as the
 * private character U+EF00 + byte (U+EF80 to U+EFFF); these characters themselves are written as
 * their three bytes in the same way, so that reading back gives the same bytes for every name. */
#include "report_priv.h"

#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"

#define ESCAPE 0xef00u
#define ESCAPE_FIRST 0xef80u
#define ESCAPE_LAST 0xefffu

char *report_json_encode(const char *raw)
{
	char *out = malloc(strlen(raw) * 3 + 1), *to = out;

	if (!out)
		return NULL;
	while (*raw) {
		uint32_t code = 0;
		size_t n = report_utf8_decode(raw, &code);

		if (n > 0 && (code < ESCAPE_FIRST || code > ESCAPE_LAST)) {
			memcpy(to, raw, n);
			to += n;
			raw += n;
		} else {
			code = ESCAPE + (unsigned char)*raw++;
			*to++ = (char)(0xe0 | code >> 12);
			*to++ = (char)(0x80 | (code >> 6 & 0x3f));
			*to++ = (char)(0x80 | (code & 0x3f));
		}
	}
	*to = '\0';
	return out;
}

char *report_json_decode(const char *utf8)
{
	char *out = malloc(strlen(utf8) + 1), *to = out;

	if (!out)
		return NULL;
	while (*utf8) {
		uint32_t code = 0;
		size_t n = report_utf8_decode(utf8, &code);

		if (n == 0)
			n = 1;
		if (code >= ESCAPE_FIRST && code <= ESCAPE_LAST) {
			*to++ = (char)(code - ESCAPE);
		} else {
			memcpy(to, utf8, n);
			to += n;
		}
		utf8 += n;
	}
	*to = '\0';
	return out;
}

json_t *report_json_string(const char *raw)
{
	SB_AUTO_FREE char *utf8 = NULL;

	if (!raw)
		return json_null();
	utf8 = report_json_encode(raw);
	return utf8 ? json_string(utf8) : NULL;
}
