#include "formats/formats.h"

#include "report/report.h"

static int is_format(enum stint_format format)
{
    return format >= STINT_FORMAT_TABLE && format <= STINT_FORMAT_GPU_API_TRACE_CSV;
}

static void write_format(struct stint_text *text, const struct stint_snapshot *snapshot, enum stint_format format,
                         const struct stint_layout *layout)
{
    switch (format) {
    case STINT_FORMAT_TABLE:
        stint_report_table(text, snapshot, layout);
        break;
    case STINT_FORMAT_TREE:
        stint_report_tree(text, snapshot, layout);
        break;
    case STINT_FORMAT_PADDLE:
        stint_report_paddle(text, snapshot);
        break;
    case STINT_FORMAT_CSV:
        stint_report_csv(text, snapshot, layout);
        break;
    case STINT_FORMAT_JSON:
        stint_report_json(text, snapshot);
        break;
    case STINT_FORMAT_NVPROF:
        stint_report_nvprof(text, snapshot, layout);
        break;
    case STINT_FORMAT_NVPROF_CSV:
        stint_report_nvprof_csv(text, snapshot, layout);
        break;
    case STINT_FORMAT_GPU_TRACE:
        stint_report_gpu_trace(text, snapshot, layout);
        break;
    case STINT_FORMAT_GPU_TRACE_CSV:
        stint_report_gpu_trace_csv(text, snapshot, layout);
        break;
    case STINT_FORMAT_API_TRACE:
        stint_report_api_trace(text, snapshot, layout);
        break;
    case STINT_FORMAT_API_TRACE_CSV:
        stint_report_api_trace_csv(text, snapshot, layout);
        break;
    case STINT_FORMAT_GPU:
        stint_report_gpu(text, snapshot, layout);
        break;
    case STINT_FORMAT_NVPROF_GPU:
        stint_report_nvprof_gpu(text, snapshot, layout);
        break;
    case STINT_FORMAT_NVPROF_GPU_CSV:
        stint_report_nvprof_gpu_csv(text, snapshot, layout);
        break;
    case STINT_FORMAT_NVPROF_API:
        stint_report_nvprof_api(text, snapshot, layout);
        break;
    case STINT_FORMAT_NVPROF_API_CSV:
        stint_report_nvprof_api_csv(text, snapshot, layout);
        break;
    case STINT_FORMAT_NVPROF_PER_GPU:
        stint_report_nvprof_per_gpu(text, snapshot, layout);
        break;
    case STINT_FORMAT_NVPROF_PER_GPU_CSV:
        stint_report_nvprof_per_gpu_csv(text, snapshot, layout);
        break;
    case STINT_FORMAT_NVPROF_NVTX:
        stint_report_nvprof_nvtx(text, snapshot, layout);
        break;
    case STINT_FORMAT_NVPROF_NVTX_CSV:
        stint_report_nvprof_nvtx_csv(text, snapshot, layout);
        break;
    case STINT_FORMAT_GPU_API_TRACE:
        stint_report_gpu_api_trace(text, snapshot, layout);
        break;
    case STINT_FORMAT_GPU_API_TRACE_CSV:
        stint_report_gpu_api_trace_csv(text, snapshot, layout);
        break;
    default:
        break;
    }
}

enum stint_status stint_report_write(const struct stint_snapshot *snapshot, enum stint_format format,
                                     const struct stint_layout *layout, stint_write_fn *write, void *context)
{
    static const struct stint_layout plain = {0};
    if (!snapshot || !write || !is_format(format))
        return STINT_ERROR_INVALID_ARGUMENT;
    struct stint_text text;
    stint_text_begin(&text, write, context);
    write_format(&text, snapshot, format, layout ? layout : &plain);
    return stint_text_end(&text);
}
