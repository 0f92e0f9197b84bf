/* Pages for tests, and the data in them. */
#ifndef STINT_TESTS_HTML_PAGE_FIXTURE_H
#define STINT_TESTS_HTML_PAGE_FIXTURE_H

#include "html/overview.h"
#include "report/golden.h"

extern struct stint_overview page_overview;

/* Return the page of a snapshot with these events, or its own; the title may be NULL. Operations are those of
 * op_recording.h. */
struct capture page_of_events(const struct stint_snapshot *snapshot, struct stint_event_source *events,
                              const char *title);
struct capture page_titled(const struct stint_snapshot *snapshot, const char *title);

/* Fails the test unless the page's data are the content of the golden file. */
void assert_page_data(const struct stint_snapshot *snapshot, const char *file);

#endif
