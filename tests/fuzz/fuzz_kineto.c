/* Takes any file as a trace of torch.profiler. Either it is refused with a reason, or what could be read of it is a
 * recording whose events are in order. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "kineto/kineto.h"
#include "stint/report.h"
#include "store/store.h"

static char s_trace[64], s_database[64];

static void remove_files(void)
{
    unlink(s_trace);
    unlink(s_database);
}

static void write_trace(const uint8_t *data, size_t size)
{
    if (!*s_trace) {
        const char *folder = make_folder(remove_files);
        (void)snprintf(s_trace, sizeof s_trace, "%s/trace.json", folder);
        (void)snprintf(s_database, sizeof s_database, "%s/a.db", folder);
    }
    int file = open(s_trace, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    require(file >= 0 && write(file, data, size) == (ssize_t)size, "the file cannot be written");
    close(file);
}

static void read_events(struct stint_event_source *source)
{
    struct stint_event event;
    uint64_t last_ns = 0;
    require(source->begin(source) == 0, "the events cannot be read");
    while (source->next(source, &event) == 1) {
        require(event.start_ns >= last_ns && event.end_ns >= event.start_ns, "events are out of order");
        require(event.name && event.set, "an event has no name");
        last_ns = event.start_ns;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct stint_layout layout = {.columns = 80};
    struct stint_kineto_notes notes;
    struct stint_sql sql;
    char reason[256] = "";
    write_trace(data, size);
    (void)stint_kineto_is(s_trace);
    require(stint_sql_create(&sql, s_database) == 0, "the database cannot be created");
    if (stint_kineto_convert(s_trace, &sql, &notes, reason, sizeof reason)) {
        require(*reason, "refused without a reason");
        stint_sql_close(&sql);
        return 0;
    }
    struct stint_foreign *foreign = stint_foreign_take(&sql, reason, sizeof reason);
    if (!foreign) {
        (void)fprintf(stderr, "%s\n", reason);
        require(strncmp(reason, "it has nothing that can be shown", 32) == 0, "what was converted cannot be read");
        return 0;
    }
    read_events(stint_foreign_events(foreign));
    require(stint_report_named(stint_foreign_snapshot(foreign), "table", 0, &layout, discard, NULL) == STINT_OK,
            "a report cannot be written");
    stint_foreign_close(foreign);
    return 0;
}
