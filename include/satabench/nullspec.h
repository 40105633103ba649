/* The null target: a device that is not there.
 *
 *   null:NAME[,key=value]...      rate=100M (bytes/s) size=8G share=A:200M[+B:300M] noise=2%
 *                                 trend=10% (rate change over 10 s) delay=5ms (first completion)
 *                                 error-every=7 hang-at=3s vanish-at=2s under=A/B model=X
 *                                 rotational=1 seed=1 line=150M ceiling=160M (what the last
 *                                 node of `under` cannot exceed, and what it should carry)
 *                                 common=1% drift=2% outlier=3% disturbed=15%
 *                                 zones=100%+90%+75% (of the rate, in as many equal parts of it)
 *                                 bad=OFFSET:LENGTH[+...] (EIO) slow=OFFSET:SECONDS[+...]
 * Pure parsing; any thread. */
#ifndef SATABENCH_NULLSPEC_H
#define SATABENCH_NULLSPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stddef.h>
#include <stdint.h>

#define SB_NULL_SHARES 4
#define SB_NULL_TEXT 64
#define SB_NULL_ZONES 64
#define SB_NULL_SPOTS 16

struct sb_nullspec {
	char name[SB_NULL_TEXT];
	double rate_bytes_s;
	uint64_t size_bytes;
	unsigned n_shares;
	struct {
		char name[SB_NULL_TEXT];
		double rate_bytes_s;
	} share[SB_NULL_SHARES];       /* ceilings it has in common with other null targets */
	double noise;		       /* sd of a phase's rate, as a fraction */
	double common;		       /* sd of what all rates of a phase have in common, and of
					* the rate of each share */
	double drift;		       /* sd of a slow change of all rates from phase to phase */
	double outlier;		       /* share of the phases in which all is 30 % slower */
	double disturbed;	       /* fraction that it loses beside others, shared or not */
	double trend;		       /* fraction by which the rate changes in 10 s */
	double delay_s;		       /* before the first completion */
	uint64_t error_every;	       /* each n-th request fails with EIO; 0 never */
	double hang_at_s, vanish_at_s; /* since the first gate of the run; NaN never */
	char under[SB_NULL_TEXT * 2];  /* place in an invented tree, "A/B"; "" = the machine */
	double line_bytes_s, ceiling_bytes_s; /* of the innermost node of `under`; NaN */
	char model[SB_NULL_TEXT];
	bool rotational;
	unsigned n_zones, n_bad, n_slow;
	double zone[SB_NULL_ZONES]; /* fraction of the rate, by place */
	struct {
		uint64_t offset_bytes, length_bytes;
	} bad[SB_NULL_SPOTS]; /* what overlaps cannot be read */
	struct {
		uint64_t offset_bytes;
		double seconds;
	} slow[SB_NULL_SPOTS]; /* a read of this byte takes so much longer */
	uint64_t seed;
};

bool sb_is_nullspec(const char *target);
/* 0; -EINVAL with a message that names the word at fault in `message` (size bytes). */
int sb_nullspec_parse(const char *target, struct sb_nullspec *spec, char *message, size_t size);

#endif
