/* Which formats there are for other tools, and files of them. */
#include "export/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/whole_file.h"
#include "export/encoder.h"

static const struct format {
    const char *name;
    const char *what; /* for the help, with the endings of such files' names; "": a form of the one before */
    const struct stint_encoder *encoder;
    enum stint_weight weight; /* of stacks */
} s_formats[] = {
    [STINT_EXPORT_CHROME] = {"chrome", "timeline for Perfetto, chrome://tracing and HTA: .json", &stint_encoder_chrome,
                             0},
    [STINT_EXPORT_PERFETTO] = {"perfetto", "timeline in Perfetto's own format: .pftrace", &stint_encoder_perfetto, 0},
    [STINT_EXPORT_COLLAPSED] = {"collapsed", "collapsed stacks, for flame graphs: .collapsed, .folded",
                                &stint_encoder_collapsed, STINT_WEIGHT_HOST},
    [STINT_EXPORT_COLLAPSED_GPU] = {"collapsed-gpu", "", &stint_encoder_collapsed, STINT_WEIGHT_GPU},
    [STINT_EXPORT_COLLAPSED_BYTES] = {"collapsed-bytes", "", &stint_encoder_collapsed, STINT_WEIGHT_BYTES},
    [STINT_EXPORT_COLLAPSED_SAMPLES] = {"collapsed-samples", "", &stint_encoder_collapsed, 0},
    [STINT_EXPORT_PPROF] = {"pprof", "samples, for pprof: .pprof, .pb", &stint_encoder_pprof, 0},
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

int stint_export_is_zipped(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcasecmp(path + length - 3, ".gz") == 0;
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
        {".pprof", STINT_EXPORT_PPROF},
        {".pb", STINT_EXPORT_PPROF},
    };
    size_t length = strlen(path) - (stint_export_is_zipped(path) ? strlen(".gz") : 0);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t part = strlen(endings[i].ending);
        if (length > part && strncasecmp(path + length - part, endings[i].ending, part) == 0)
            return (int)endings[i].format;
    }
    return -1;
}

int stint_export_is_binary(enum stint_export_format format)
{
    return format == STINT_EXPORT_PERFETTO || format == STINT_EXPORT_PPROF;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static int stop(void *context, const struct stint_stack *stack)
{
    (void)context;
    (void)stack;
    return -1;
}

int stint_export_is_empty(const struct stint_export_input *input, enum stint_export_format format)
{
    const struct format *wanted = &s_formats[format];
    struct stint_event_source *events = input->events;
    struct stint_event event;
    if (stint_export_is_of_samples(format))
        return !input->samples;
    if (!wanted->encoder->stack)
        return !events || (events->begin(events) == 0 && events->next(events, &event) == 0);
    struct stint_context_stacks contexts = stint_context_stacks(input->snapshot, wanted->weight);
    return contexts.stacks.each(&contexts.stacks, stop, NULL) == 0;
}

int stint_export_write(const struct stint_export_input *input, enum stint_export_format format, stint_write_fn *write,
                       void *context, char *reason, size_t size)
{
    const struct format *wanted = &s_formats[format];
    if (stint_export_is_of_samples(format) && !input->samples) {
        (void)snprintf(reason, size, "it has no samples");
        return -1;
    }
    if (stint_export_is_of_samples(format))
        return stint_walk_stacks(wanted->encoder, input->samples, write, context, reason, size);
    if (!wanted->encoder->stack)
        return stint_walk_events(wanted->encoder, input, write, context, reason, size);
    struct stint_context_stacks contexts = stint_context_stacks(input->snapshot, wanted->weight);
    return stint_walk_stacks(wanted->encoder, &contexts.stacks, write, context, reason, size);
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
    int error = stint_whole_file_open(&file, path, STINT_FILE_WAITS);
    if (error)
        return fail(reason, size, error);
    int failed = stint_export_write(input, format, stint_whole_file_write, &file, reason, size);
    error = stint_whole_file_close(&file, failed);
    if (failed && !file.error)
        return -1; /* `reason` has been written */
    return error ? fail(reason, size, error) : 0;
}
