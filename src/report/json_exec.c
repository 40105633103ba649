/* What exec ran, to JSON and back. */
#include <errno.h>
#include <stdlib.h>

#include "json_read_priv.h"
#include "report_priv.h"
#include "satabench/units.h"

json_t *report_json_command(const struct sb_exec *exec)
{
	json_t *words = json_array();
	int rc = 0;

	for (size_t i = 0; i < exec->n_argv; i++)
		rc |= json_array_append_new(words, report_json_string(exec->argv[i]));
	return report_json_finish(words, rc);
}

json_t *report_json_disks(const struct sb_result *result, const struct sb_exec *exec)
{
	json_t *disks = json_array();
	int rc = 0;

	for (size_t i = 0; i < exec->n_disks; i++) {
		json_t *disk = report_json_object(&sb_fields_disk_use, &exec->disks[i]);

		rc |= report_json_put(disk, "node", report_json_node(result, exec->disks[i].node));
		rc |= json_array_append_new(disks, disk);
	}
	return report_json_finish(disks, rc);
}

int report_json_put_copies(json_t *object, const struct sb_exec *exec)
{
	json_t *copies = json_array();
	int rc = 0;

	for (size_t i = 0; i < exec->n_copies; i++)
		rc |= json_array_append_new(copies,
					    report_json_object(&sb_fields_copy, &exec->copies[i]));
	rc |= report_json_put(object, "copies", copies);
	return rc | report_json_put(object, "left_running",
				    exec->left_running == SB_NONE_U64
					    ? json_null()
					    : json_integer((json_int_t)exec->left_running));
}

static int read_copy(struct reader *r, const json_t *json, void *arg)
{
	struct sb_exec *exec = arg;

	/* n_copies is that of the array from the beginning */
	return reader_fields(r, json, &sb_fields_copy, &exec->copies[exec->n_copies++]);
}

struct disk_arg {
	const struct sb_topo *topo;
	struct sb_exec *exec;
};

static int read_disk(struct reader *r, const json_t *json, void *arg)
{
	const struct disk_arg *a = arg;
	struct sb_disk_use *disk = sb_exec_add_disk(a->exec, "");
	int rc = disk ? reader_fields(r, json, &sb_fields_disk_use, disk) : -ENOMEM;

	return rc ? rc : reader_node(r, json, "node", a->topo, &disk->node);
}

static int read_words(struct reader *r, const json_t *json, struct sb_exec *exec)
{
	const json_t *words = json_object_get(json, "command");

	if (words && !json_is_null(words) && !json_is_array(words))
		return reader_fail(r, "command", "must be an array");
	for (size_t i = 0; i < json_array_size(words); i++) {
		const char *text = json_string_value(json_array_get(words, i));
		char *word = text ? report_json_decode(text) : NULL;
		int rc = word ? sb_exec_add_word(exec, word) : -ENOMEM;

		free(word);
		if (!text)
			return reader_fail(r, "command", "must have strings only");
		if (rc < 0)
			return rc;
	}
	return 0;
}

int reader_exec(struct reader *r, const json_t *json, const struct sb_topo *topo,
		struct sb_phase *phase)
{
	size_t n = json_array_size(json_object_get(json, "copies"));
	const json_t *left = json_object_get(json, "left_running");
	struct disk_arg a = {.topo = topo};
	int rc;

	if (!json_object_get(json, "copies"))
		return 0;
	phase->exec = a.exec = sb_exec_create(n);
	if (!a.exec)
		return -ENOMEM;
	if (json_is_integer(left) && json_integer_value(left) >= 0)
		a.exec->left_running = (uint64_t)json_integer_value(left);
	rc = read_words(r, json, a.exec);
	a.exec->n_copies = 0;
	if (rc == 0)
		rc = reader_each(r, json, "copies", read_copy, a.exec);
	return rc ? rc
		  : reader_each(r, json_object_get(json, "counters"), "devices", read_disk, &a);
}
