/* Whether umockdev replays a machine here. */
#ifndef TESTS_MOCKED_H
#define TESTS_MOCKED_H

#include <stdbool.h>
#include <umockdev.h>

/* umockdev can tell only while there is a test bed. */
static inline bool mocked(void)
{
	UMockdevTestbed *bed = umockdev_testbed_new();
	bool yes = umockdev_in_mock_environment();

	g_object_unref(bed);
	return yes;
}

#endif
