/* Numbers as people write and read them. Pure functions, any thread.
 *
 * Sizes: dd's and fio's suffixes. c, w, b = 1, 2, 512; k K M G T P E and
 * KiB MiB ... = powers of 1024; kB KB MB GB TB PB EB = powers of 1000. Case of
 * the letter does not matter, of the "B" it does not either. */
#ifndef SATABENCH_UNITS_H
#define SATABENCH_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* "No value" of an unsigned counter; doubles use NaN. Never 0. */
#define SB_NONE_U64 UINT64_MAX

/* Bytes. -EINVAL: no number or unknown suffix; -ERANGE: does not fit 64 bits. */
int sb_parse_size(const char *text, uint64_t *bytes);
/* A plain count without a suffix. Same errors. */
int sb_parse_count(const char *text, uint64_t *count);
/* Seconds; suffixes ms, s (default), m, h, d; fractions allowed with a point in any
 * locale. Rejects negative, infinite and not-a-number. */
int sb_parse_seconds(const char *text, double *seconds);
/* "12.5" or "12.5%" -> 12.5 */
int sb_parse_percent(const char *text, double *percent);

/* Formatting into the caller's buffer; returns the buffer. The decimal mark is
 * always a point. NaN and SB_NONE_U64 give "-". */
#define SB_UNIT_TEXT 32
/* 99.8 MB/s: decimal units, three to four significant digits */
char *sb_format_rate(char buf[SB_UNIT_TEXT], double bytes_per_second);
/* 8.59 GB: decimal units */
char *sb_format_bytes(char buf[SB_UNIT_TEXT], uint64_t bytes);
/* 1 MiB, 128 KiB, 4000 B: exact binary units where it is a multiple */
char *sb_format_block(char buf[SB_UNIT_TEXT], uint64_t bytes);
/* 9.98 ms, 512 us, 1.20 s */
char *sb_format_latency(char buf[SB_UNIT_TEXT], double ns);
/* 27 s, 1 min 50 s, 2 h 05 min */
char *sb_format_duration(char buf[SB_UNIT_TEXT], double seconds);

#endif
