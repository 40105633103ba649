/* A copy's process up to its execve. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

/* As env, nice and their like have it. */
#define EXIT_CANNOT 125
#define EXIT_NOT_EXECUTABLE 126
#define EXIT_NOT_FOUND 127

/* Grows `text` by n bytes of `more`; frees it and gives NULL when out of memory. */
static char *append(char *text, const char *more, size_t n)
{
	char *longer = text ? sb_format("%s%.*s", text, (int)n, more) : NULL;

	free(text);
	return longer;
}

char *sb_command_word(const char *word, const struct sb_copy *copy, bool numbered)
{
	SB_AUTO_FREE char *number = sb_format("%d", copy->number);
	char *text = number ? strdup("") : NULL;

	while (text && *word) {
		size_t plain = strcspn(word, "{");

		if (plain > 0) {
			text = append(text, word, plain);
			word += plain;
		} else if (numbered && strncmp(word, "{}", 2) == 0) {
			text = append(text, number, strlen(number));
			word += 2;
		} else if (copy->directory && strncmp(word, "{dir}", 5) == 0) {
			text = append(text, copy->directory, strlen(copy->directory));
			word += 5;
		} else {
			text = append(text, word++, 1);
		}
	}
	return text;
}

static void take_place(int fd, int wanted)
{
	if (fd >= 0 && dup2(fd, wanted) < 0)
		_exit(EXIT_CANNOT);
}

static _Noreturn void fail(struct command_slot *slot, int error)
{
	slot->error = error;
	slot->status = error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	_exit(slot->status);
}

_Noreturn void command_child(const struct sb_command *c, size_t index, char *const *argv, int in_fd,
			     int out_fd, int err_fd)
{
	struct command_slot *slot = &c->slots[index];
	char byte;

	close(c->gate[1]);
	if (c->apart)
		setsid();
	take_place(in_fd, STDIN_FILENO);
	take_place(out_fd, STDOUT_FILENO);
	take_place(err_fd, STDERR_FILENO);
	command_signals_child(c);
	atomic_store(&slot->ready, 1);
	/* nothing to read: satabench has gone */
	if (read(c->gate[0], &byte, 1) != 1)
		_exit(EXIT_CANNOT);
	slot->start_ns = sb_now_ns();
	execvp(argv[0], argv);
	fail(slot, errno);
}
