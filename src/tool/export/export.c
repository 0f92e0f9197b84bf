#include "export/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/whole_file.h"
#include "export/format.h"

static const struct format {
    const char *name;
    const char *what; /* for the help, with the endings of such files' names; "": a form of the one before */
    stint_export_fn *write;
} s_formats[] = {
    [STINT_EXPORT_CHROME] = {"chrome", "timeline for Perfetto, chrome://tracing, HTA, as PyTorch's: .json",
                             stint_export_chrome},
    [STINT_EXPORT_PERFETTO] = {"perfetto", "timeline in Perfetto's own format: .pftrace", stint_export_perfetto},
    [STINT_EXPORT_COLLAPSED] = {"collapsed", "stacks for flame graphs: .collapsed, .folded", stint_export_collapsed},
    [STINT_EXPORT_COLLAPSED_GPU] = {"collapsed-gpu", "", stint_export_collapsed},
    [STINT_EXPORT_COLLAPSED_BYTES] = {"collapsed-bytes", "", stint_export_collapsed},
};

enum { FORMATS = sizeof s_formats / sizeof s_formats[0] };

const char *stint_export_name(int format)
{
    return format >= 0 && format < FORMATS ? s_formats[format].name : NULL;
}

const char *stint_export_what(int format)
{
    return format >= 0 && format < FORMATS ? s_formats[format].what : NULL;
}

int stint_export_format_of(const char *name)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcasecmp(name, s_formats[i].name) == 0)
            return i;
    return -1;
}

int stint_export_format_of_path(const char *path)
{
    static const struct {
        const char *ending;
        enum stint_export_format format;
    } endings[] = {
        {".json", STINT_EXPORT_CHROME},
        {".pftrace", STINT_EXPORT_PERFETTO},
        {".perfetto-trace", STINT_EXPORT_PERFETTO},
        {".collapsed", STINT_EXPORT_COLLAPSED},
        {".folded", STINT_EXPORT_COLLAPSED},
    };
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t part = strlen(endings[i].ending);
        if (length > part && strcasecmp(path + length - part, endings[i].ending) == 0)
            return (int)endings[i].format;
    }
    return -1;
}

int stint_export_is_binary(enum stint_export_format format)
{
    return format == STINT_EXPORT_PERFETTO;
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* A file may contain events that end before they begin. */
enum stint_export_result stint_export_each(const struct stint_export_job *job,
                                           int (*add)(void *context, const struct stint_event *event), void *context)
{
    struct stint_event_source *source = job->events;
    struct stint_event event;
    if (!source)
        return STINT_EXPORT_DONE;
    int got = source->begin(source) ? -1 : source->next(source, &event);
    for (; got > 0; got = source->next(source, &event)) {
        if (event.end_ns < event.start_ns)
            event.end_ns = event.start_ns;
        if (add(context, &event))
            return STINT_EXPORT_NO_MEMORY;
    }
    return got < 0 ? STINT_EXPORT_NO_EVENTS : STINT_EXPORT_DONE;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static int say(char *reason, size_t size, enum stint_export_result result, const struct stint_event_source *events)
{
    (void)snprintf(reason, size, "%s",
                   result == STINT_EXPORT_NO_EVENTS ? events->reason : "there is not enough memory");
    return -1;
}

int stint_export_write(const struct stint_export_input *input, enum stint_export_format format, stint_write_fn *write,
                       void *context, char *reason, size_t size)
{
    struct stint_out *out = malloc(sizeof *out);
    if (!out)
        return say(reason, size, STINT_EXPORT_NO_MEMORY, input->events);
    stint_out_begin(out, write, context);
    struct stint_export_job job = {input->snapshot, input->events, input->names, format, out};
    enum stint_export_result result = s_formats[format].write(&job);
    if (result) {
        (void)say(reason, size, result, input->events);
        free(out);
        return -1;
    }
    errno = 0;
    int failed = stint_out_end(out);
    int error = errno;
    free(out);
    if (failed)
        (void)snprintf(reason, size, "%s", error ? strerror(error) : "it could not be written");
    return failed;
}

static int fail(char *reason, size_t size, int error)
{
    (void)snprintf(reason, size, "%s", strerror(error));
    return -1;
}

int stint_export_file(const struct stint_export_input *input, enum stint_export_format format, const char *path,
                      char *reason, size_t size)
{
    struct stint_whole_file file;
    int error = stint_whole_file_open(&file, path, 1);
    if (error)
        return fail(reason, size, error);
    int failed = stint_export_write(input, format, stint_whole_file_write, &file, reason, size);
    error = stint_whole_file_close(&file, failed);
    if (failed && !file.error)
        return -1; /* `reason` has been written */
    return error ? fail(reason, size, error) : 0;
}
