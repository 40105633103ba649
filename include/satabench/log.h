/* Messages to people: one line each on stderr, "satabench: ...". Never from a worker.
 * Owns the level and the hook that hides a live display while a line is written. */
#ifndef SATABENCH_LOG_H
#define SATABENCH_LOG_H

enum sb_log_level { SB_LOG_ERROR, SB_LOG_WARN, SB_LOG_INFO, SB_LOG_DEBUG };

void sb_log_set_level(enum sb_log_level level);
/* Called before each line, e.g. to take a progress display off the screen. NULL: none. */
void sb_log_set_hook(void (*before)(void *arg), void *arg);

void sb_log(enum sb_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define sb_error(...) sb_log(SB_LOG_ERROR, __VA_ARGS__)
#define sb_warn(...) sb_log(SB_LOG_WARN, __VA_ARGS__)
#define sb_info(...) sb_log(SB_LOG_INFO, __VA_ARGS__)
#define sb_debug(...) sb_log(SB_LOG_DEBUG, __VA_ARGS__)

#endif
