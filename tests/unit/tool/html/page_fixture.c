#include "html/page_fixture.h"

#include <string.h>

#include "model/event.h"
#include "op/op_recording.h"
#include "stint_test.h"

struct stint_overview page_overview;

struct capture page_of_events(const struct stint_snapshot *snapshot, struct stint_event_source *events,
                              const char *title)
{
    struct capture out = {0};
    struct stint_html html = {.snapshot = snapshot,
                              .overview = &page_overview,
                              .title = title,
                              .operations = op_rows.count ? &op_rows : NULL};
    assert_int_equal(stint_overview_read(&page_overview, events, NULL, STINT_OVERVIEW_MOST), 0);
    assert_int_equal(stint_html_write(&html, capture_write, &out), STINT_OK);
    stint_overview_free(&page_overview);
    return out;
}

struct capture page_titled(const struct stint_snapshot *snapshot, const char *title)
{
    struct stint_snapshot_events events;
    stint_snapshot_events_begin(&events, snapshot);
    return page_of_events(snapshot, &events.source, title);
}

static struct capture data_of(const struct stint_snapshot *snapshot)
{
    static const char begin[] = "<script id=\"data\" type=\"application/json\">";
    struct capture page = page_titled(snapshot, NULL), data = {0};
    const char *at = strstr(page.text, begin);
    assert_non_null(at);
    at += sizeof begin - 1;
    const char *end = strstr(at, "</script>");
    assert_non_null(end);
    assert_int_equal(capture_write(&data, at, (size_t)(end - at)), 0);
    return data;
}

void assert_page_data(const struct stint_snapshot *snapshot, const char *file)
{
    assert_golden(data_of(snapshot), file);
}
