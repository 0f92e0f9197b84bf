/* Traces of programs: a recording, a store, or, if the path asks for another tool's format, a file that is made of a
 * store at the end. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf/ctf_writer.h"
#include "export/export.h"
#include "stat/event_writer.h"
#include "store/store.h"
#include "store/store_writer.h"

/* Writes a store beside the path, and makes the file from it at the end. */
struct exporter {
    struct stint_event_writer writer; /* has to be the first member */
    struct stint_event_writer *store;
    enum stint_export_format format;
    char path[PATH_MAX];
    char store_path[PATH_MAX];
};

static char s_reason[PATH_MAX + 200];

static struct exporter *of(struct stint_event_writer *writer)
{
    return (struct exporter *)(void *)writer;
}

/* Passes on a failure of the store. */
static int outcome(struct exporter *exporter, int result)
{
    if (result)
        (void)snprintf(s_reason, sizeof s_reason, "%s", exporter->store->reason);
    return result;
}

static int add_context(struct stint_event_writer *writer, const struct stint_event_context *context)
{
    struct exporter *exporter = of(writer);
    return outcome(exporter, exporter->store->context(exporter->store, context));
}

static int add_event(struct stint_event_writer *writer, const struct stint_event *event)
{
    struct exporter *exporter = of(writer);
    return outcome(exporter, exporter->store->event(exporter->store, event));
}

static int checkpoint(struct stint_event_writer *writer, const char *report, size_t length)
{
    struct exporter *exporter = of(writer);
    return outcome(exporter, exporter->store->checkpoint(exporter->store, report, length));
}

static int export(const struct exporter *exporter)
{
    struct stint_store *store = stint_store_open(exporter->store_path, s_reason, sizeof s_reason);
    if (!store)
        return -1;
    int result = stint_export_file(stint_store_snapshot(store), stint_store_events(store), exporter->format,
                                   exporter->path, s_reason, sizeof s_reason);
    stint_store_close(store);
    return result;
}

/* The store is kept only if exporting it failed. */
static int finish(struct stint_event_writer *writer, const char *report, size_t length)
{
    struct exporter *exporter = of(writer);
    const char *reason = exporter->store->reason; /* the text outlives the writer */
    int result = exporter->store->finish(exporter->store, report, length);
    if (result)
        (void)snprintf(s_reason, sizeof s_reason, "%s", reason);
    else if ((result = export(exporter)) == 0)
        (void)unlink(exporter->store_path);
    free(exporter);
    return result;
}

static struct stint_event_writer *open_exporter(const char *path, int format, const struct stint_event_process *process,
                                                char *reason, size_t size)
{
    struct exporter *exporter = calloc(1, sizeof *exporter);
    if (!exporter) {
        (void)snprintf(reason, size, "there is not enough memory");
        return NULL;
    }
    exporter->writer = (struct stint_event_writer){
        .context = add_context, .event = add_event, .checkpoint = checkpoint, .finish = finish, .reason = s_reason};
    exporter->format = (enum stint_export_format)format;
    (void)snprintf(exporter->path, sizeof exporter->path, "%s", path);
    if (snprintf(exporter->store_path, sizeof exporter->store_path, "%s.sqlite", path) <
        (int)sizeof exporter->store_path)
        exporter->store = stint_store_writer_open(exporter->store_path, process, reason, size);
    else
        (void)snprintf(reason, size, "its path is too long");
    if (exporter->store)
        return &exporter->writer;
    free(exporter);
    return NULL;
}

__attribute__((visibility("default"))) stint_event_writer_open_fn stint_event_writer_open;

struct stint_event_writer *stint_event_writer_open(int version, const char *path,
                                                   const struct stint_event_process *process, char *reason, size_t size)
{
    int format = stint_export_format_of_path(path);
    if (version != STINT_EVENT_WRITER_VERSION) {
        (void)snprintf(reason, size, "libstint_module.so is not of the same version as libstint");
        return NULL;
    }
    if (stint_ctf_is_wanted(path))
        return stint_ctf_writer_open(path, process, reason, size);
    return format < 0 ? stint_store_writer_open(path, process, reason, size)
                      : open_exporter(path, format, process, reason, size);
}
