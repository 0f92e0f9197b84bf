/* Writes a snapshot, its events and the names of its functions as a store. */
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stint/report.h"

static int tell_contexts(struct stint_store_writer *writer, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *row = &snapshot->contexts[i];
        const struct stint_stat *stat = &snapshot->stats[row->stat];
        struct stint_event_context context = {
            .path = (uint32_t)i + 1,
            .parent = row->parent == STINT_NO_PARENT ? 0 : (uint32_t)row->parent + 1,
            .set = stat->set,
            .name = stat->name,
            .file = stat->file,
            .line = stat->line,
        };
        if (stint_store_writer_context(writer, &context))
            return -1;
    }
    return 0;
}

static int tell_names(struct stint_store_writer *writer, const struct stint_snapshot *snapshot)
{
    int failed = 0;
    for (size_t i = 0; i < snapshot->nvtx_name_count && !failed; i++)
        failed = stint_store_writer_name(writer, &snapshot->nvtx_names[i]);
    return failed;
}

/* The names of functions do not begin with a digit. */
static int is_address(const char *name)
{
    return strncmp(name, "0x", 2) == 0;
}

static int tell_place(struct stint_store_writer *writer, const struct stint_snapshot *snapshot, size_t place,
                      const struct stint_function_names *names)
{
    enum { INLINED_MOST = 64 };
    const struct stint_sample_frame *frame = &snapshot->sample_frames[place];
    const struct stint_sample_module *module = &snapshot->sample_modules[frame->module];
    char address[24];
    (void)snprintf(address, sizeof address, "0x%" PRIx64, frame->address);
    struct stint_function_name found[INLINED_MOST] = {{.name = address}};
    size_t count = names && names->find ? names->find(names->context, module, frame->address, found, INLINED_MOST) : 1;
    int failed = 0;
    for (size_t i = 0; i < count && !failed; i++)
        failed = stint_store_writer_function(
            writer, &(struct stint_store_function){place, i, found[i].name, module->path, is_address(found[i].name)});
    return failed;
}

static int tell_functions(struct stint_store_writer *writer, const struct stint_snapshot *snapshot,
                          const struct stint_function_names *names)
{
    int failed = 0;
    for (size_t i = 0; i < snapshot->sample_frame_count && !failed; i++)
        failed = tell_place(writer, snapshot, i, names);
    return failed;
}

/* A context's number in the file is its position in the snapshot plus 1. */
static int tell_event(struct stint_store_writer *writer, struct stint_event *event)
{
    if (event->context == STINT_GPU_NO_SCOPE)
        event->context = 0;
    else if (event->context != STINT_GPU_UNATTRIBUTED)
        event->context++;
    return stint_store_writer_event(writer, event);
}

static int tell_events(struct stint_store_writer *writer, struct stint_event_source *events, char *reason, size_t size)
{
    struct stint_event event;
    if (!events)
        return 0;
    int more = events->begin(events) ? -1 : 1;
    while (more > 0 && (more = events->next(events, &event)) > 0)
        if (tell_event(writer, &event))
            return -1;
    if (more < 0)
        (void)snprintf(reason, size, "%s", events->reason);
    return more;
}

static int write_to_memory(void *context, const char *text, size_t length)
{
    return fwrite(text, 1, length, context) == length ? 0 : -1;
}

static int write_report(const struct stint_snapshot *snapshot, char **report, size_t *length)
{
    FILE *memory = open_memstream(report, length);
    if (!memory)
        return -1;
    enum stint_status status = stint_report_write(snapshot, STINT_FORMAT_JSON, NULL, write_to_memory, memory);
    return fclose(memory) == 0 && status == STINT_OK ? 0 : -1;
}

int stint_store_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                      const struct stint_function_names *names, char *reason, size_t size)
{
    struct stint_store_writer *writer = stint_store_writer_open(path, snapshot->process.pid, reason, size);
    char *report = NULL;
    size_t length = 0;
    if (!writer)
        return -1;
    (void)snprintf(reason, size, "there is not enough memory");
    if (write_report(snapshot, &report, &length)) {
        free(report);
        report = NULL;
    }
    int failed = !report || tell_contexts(writer, snapshot) || tell_names(writer, snapshot) ||
                 tell_functions(writer, snapshot, names) || tell_events(writer, events, reason, size);
    failed |= stint_store_writer_finish(writer, failed ? NULL : report, length, reason, size);
    free(report);
    return failed ? -1 : 0;
}

int stint_store_write_events(struct stint_sql *to, const struct stint_snapshot *snapshot,
                             struct stint_event_source *events, char *reason, size_t size)
{
    char of_events[160] = "";
    struct stint_store_writer *writer = stint_store_writer_open(NULL, snapshot->process.pid, reason, size);
    if (!writer)
        return -1;
    int is_cut = tell_contexts(writer, snapshot) || tell_events(writer, events, of_events, sizeof of_events);
    if (stint_store_writer_keep(writer, to, reason, size))
        return -1;
    if (is_cut) {
        (void)snprintf(reason, size, "%s", of_events);
        stint_sql_close(to);
    }
    return is_cut ? -1 : 0;
}
