/* Reports by name: the formats of enum stint_format, and the reports of nsys stats. */
#include <string.h>
#include <strings.h>

#include "formats/formats.h"
#include "formats/nsys.h"

enum { NO_FORMAT = -1 };

static const struct {
    const char *name;
    int format;
    int csv; /* the format that is the same as CSV, or NO_FORMAT */
} s_formats[] = {
    {"table", STINT_FORMAT_TABLE, STINT_FORMAT_CSV},
    {"tree", STINT_FORMAT_TREE, NO_FORMAT},
    {"paddle", STINT_FORMAT_PADDLE, NO_FORMAT},
    {"csv", STINT_FORMAT_CSV, STINT_FORMAT_CSV},
    {"json", STINT_FORMAT_JSON, NO_FORMAT},
    {"nvprof", STINT_FORMAT_NVPROF, STINT_FORMAT_NVPROF_CSV},
    {"nvprof-csv", STINT_FORMAT_NVPROF_CSV, STINT_FORMAT_NVPROF_CSV},
    {"gpu-trace", STINT_FORMAT_GPU_TRACE, STINT_FORMAT_GPU_TRACE_CSV},
    {"gpu-trace-csv", STINT_FORMAT_GPU_TRACE_CSV, STINT_FORMAT_GPU_TRACE_CSV},
    {"api-trace", STINT_FORMAT_API_TRACE, STINT_FORMAT_API_TRACE_CSV},
    {"api-trace-csv", STINT_FORMAT_API_TRACE_CSV, STINT_FORMAT_API_TRACE_CSV},
    {"gpu", STINT_FORMAT_GPU, NO_FORMAT},
    {"nvprof-gpu", STINT_FORMAT_NVPROF_GPU, STINT_FORMAT_NVPROF_GPU_CSV},
    {"nvprof-gpu-csv", STINT_FORMAT_NVPROF_GPU_CSV, STINT_FORMAT_NVPROF_GPU_CSV},
    {"nvprof-api", STINT_FORMAT_NVPROF_API, STINT_FORMAT_NVPROF_API_CSV},
    {"nvprof-api-csv", STINT_FORMAT_NVPROF_API_CSV, STINT_FORMAT_NVPROF_API_CSV},
    {"nvprof-per-gpu", STINT_FORMAT_NVPROF_PER_GPU, STINT_FORMAT_NVPROF_PER_GPU_CSV},
    {"nvprof-per-gpu-csv", STINT_FORMAT_NVPROF_PER_GPU_CSV, STINT_FORMAT_NVPROF_PER_GPU_CSV},
    {"nvprof-nvtx", STINT_FORMAT_NVPROF_NVTX, STINT_FORMAT_NVPROF_NVTX_CSV},
    {"nvprof-nvtx-csv", STINT_FORMAT_NVPROF_NVTX_CSV, STINT_FORMAT_NVPROF_NVTX_CSV},
    {"gpu-api-trace", STINT_FORMAT_GPU_API_TRACE, STINT_FORMAT_GPU_API_TRACE_CSV},
    {"gpu-api-trace-csv", STINT_FORMAT_GPU_API_TRACE_CSV, STINT_FORMAT_GPU_API_TRACE_CSV},
};

enum { FORMATS = sizeof s_formats / sizeof s_formats[0] };

const char *stint_report_name_at(size_t index)
{
    return index < FORMATS ? s_formats[index].name : stint_nsys_name_at(index - FORMATS);
}

/* Returns the position of the report whose name is the `length` bytes at `name`, or one beyond the last. */
static size_t find(const char *name, size_t length)
{
    size_t index = 0;
    for (const char *at; (at = stint_report_name_at(index)); index++)
        if (strlen(at) == length && strncasecmp(at, name, length) == 0)
            break;
    return index;
}

static int read_name(struct stint_report_form *form, const char *name, size_t length, int csv)
{
    size_t index = find(name, length);
    *form = (struct stint_report_form){.csv = csv};
    if (index < FORMATS) {
        form->format = csv ? s_formats[index].csv : s_formats[index].format;
        return form->format == NO_FORMAT ? -1 : 0;
    }
    form->format = STINT_REPORT_NSYS;
    form->nsys = index - FORMATS;
    return stint_nsys_name_at(form->nsys) ? 0 : -1;
}

int stint_report_form_read(struct stint_report_form *form, const char *text, size_t length)
{
    static const char suffix[] = ":csv";
    size_t name = length < sizeof suffix - 1 ? 0 : length - (sizeof suffix - 1);
    if (name && strncasecmp(text + name, suffix, sizeof suffix - 1) == 0)
        return read_name(form, text, name, 1);
    return read_name(form, text, length, 0);
}

int stint_report_form_ends_blank(const struct stint_report_form *form)
{
    return form->format == STINT_REPORT_NSYS && !form->csv;
}

static enum stint_status write_nsys(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                    const struct stint_layout *layout, stint_write_fn *write, void *context)
{
    static const struct stint_layout plain = {0};
    struct stint_text text;
    enum stint_status status, written;
    stint_text_begin(&text, write, context);
    status = stint_nsys_write(&text, snapshot, form->nsys, form->csv, layout ? layout : &plain);
    written = stint_text_end(&text);
    return status ? status : written;
}

enum stint_status stint_report_form_write(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                          const struct stint_layout *layout, stint_write_fn *write, void *context)
{
    if (form->format == STINT_REPORT_NSYS)
        return write_nsys(snapshot, form, layout, write, context);
    return stint_report_write(snapshot, (enum stint_format)form->format, layout, write, context);
}

enum stint_status stint_report_named(const struct stint_snapshot *snapshot, const char *name, int csv,
                                     const struct stint_layout *layout, stint_write_fn *write, void *context)
{
    struct stint_report_form form;
    if (!snapshot || !name || !write || read_name(&form, name, strlen(name), csv))
        return STINT_ERROR_INVALID_ARGUMENT;
    return stint_report_form_write(snapshot, &form, layout, write, context);
}
