/* stint/report.h - snapshots as text, the log, and the report at exit.
 *
 *     printAllStatus();                                 // Paddle's lines, through the log
 *     stint_report_print(STINT_FORMAT_TABLE);           // the table of the report at exit, now, to stderr
 *     stint_report_save(STINT_FORMAT_JSON, "%h.%p.json");
 *
 * A report is written from one snapshot. At exit, if any scope ended since the last full print, the library writes one
 * to stderr by itself; environment variables choose what and where (stint(7)):
 *
 *   STINT_REPORT=NAME[,NAME...]                     a format below (table, nvprof-csv), a summary of nsys stats
 *                                                   (nvtx_sum, cuda_api_sum:csv), or off; default table
 *   STINT_OUTPUT=PATH                               default stderr; %p pid, %h host, %r rank, %q{NAME} variable, %% %
 *
 * The library never writes to stdout. */
#ifndef STINT_REPORT_H
#define STINT_REPORT_H

#include <stddef.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/sink.h"
#include "stint/statset.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

enum stint_format {
    STINT_FORMAT_TABLE = 0,  /* one aligned row per statistic, and a footer */
    STINT_FORMAT_TREE = 1,   /* one row per calling context, indented below its caller */
    STINT_FORMAT_PADDLE = 2, /* PaddlePaddle's Stat lines, with prefixes as glog writes them */
    STINT_FORMAT_CSV = 3,    /* a header and one row per statistic; nanoseconds; quoted as in RFC 4180 */
    STINT_FORMAT_JSON = 4,   /* everything; docs/formats.md describes it */
    STINT_FORMAT_NVPROF = 5, /* nvprof's summary: GPU activities and API calls */
    STINT_FORMAT_NVPROF_CSV = 6,
    STINT_FORMAT_GPU_TRACE = 7, /* nvprof --print-gpu-trace; needs a trace */
    STINT_FORMAT_GPU_TRACE_CSV = 8,
    STINT_FORMAT_API_TRACE = 9, /* nvprof --print-api-trace; needs a trace */
    STINT_FORMAT_API_TRACE_CSV = 10,
    STINT_FORMAT_GPU = 11,        /* by device and stream: busy time, copies against peak bandwidth, memory, overhead */
    STINT_FORMAT_NVPROF_GPU = 12, /* nvprof --print-gpu-summary */
    STINT_FORMAT_NVPROF_GPU_CSV = 13,
    STINT_FORMAT_NVPROF_API = 14, /* nvprof --print-api-summary */
    STINT_FORMAT_NVPROF_API_CSV = 15,
    STINT_FORMAT_NVPROF_PER_GPU = 16, /* nvprof --print-summary-per-gpu */
    STINT_FORMAT_NVPROF_PER_GPU_CSV = 17,
    STINT_FORMAT_NVPROF_NVTX = 18, /* nvprof's NVTX result: by range, what GPUs and calls did in it */
    STINT_FORMAT_NVPROF_NVTX_CSV = 19,
    STINT_FORMAT_GPU_API_TRACE = 20, /* nvprof's GPU and API traces in one; needs a trace */
    STINT_FORMAT_GPU_API_TRACE_CSV = 21
};

/** What times are shown in. Formats whose fields name their unit (csv, json), and Paddle's, have that, whatever is
 *  chosen. */
enum stint_time_unit {
    STINT_UNIT_AUTO = 0,   /* as each format does by itself */
    STINT_UNIT_COLUMN = 1, /* each column of a table has one */
    STINT_UNIT_S = 2,
    STINT_UNIT_MS = 3,
    STINT_UNIT_US = 4,
    STINT_UNIT_NS = 5
};

/** What rows are ordered by: falling, but for names. Rows that are equal in it stay in the format's own order, which is
 *  by falling total, then name, but for traces (by time) and nvtx_kern_sum (by range). Formats json, paddle, gpu and
 *  traces keep their own. */
enum stint_sort {
    STINT_SORT_TOTAL = 0,
    STINT_SORT_COUNT = 1,
    STINT_SORT_AVERAGE = 2,
    STINT_SORT_MIN = 3,
    STINT_SORT_MAX = 4,
    STINT_SORT_SELF = 5, /* the time in a scope but not in those below; of what is no scope, the total */
    STINT_SORT_NAME = 6  /* rising, by bytes */
};

/** How reports are laid out, and what is shown of them. Zeroed means the defaults. `top` is the number of rows of a
 *  table, or of each of its groups; of a tree those of the longest total are shown, and what is around them. A line
 *  says how many there are besides. CSV, json, paddle and gpu have all rows always. */
struct stint_layout {
    unsigned columns; /* width of the screen; 0: as wide as the text needs */
    int color;        /* 1: emphasise with ANSI escapes; 0: plain */
    enum stint_time_unit unit;
    enum stint_sort sort; /* of a tree the siblings */
    unsigned top;         /* 0: all */
};

/** Writes `snapshot` in `format`. `layout` may be NULL: plain, unlimited width. The first report as nvprof or nsys
 *  print it loads libstint_module.so, so no signal handler may ask for it. If that cannot be loaded, a line in the log
 *  says so, and the table is written instead.
 *
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: snapshot or write is NULL, or the format is none of the above;
 *          STINT_ERROR_IO: write returned -1; STINT_ERROR_NO_MEMORY. */
STINT_API enum stint_status stint_report_write(const struct stint_snapshot *snapshot, enum stint_format format,
                                               const struct stint_layout *layout, stint_write_fn *write, void *context);

/** Writes the report of that name, in upper or lower case: a word of STINT_REPORT but "off", so one of the formats
 *  above or a summary of nsys stats.
 *
 *  @param csv 1: as CSV, which tree, paddle, json and gpu do not have.
 *  @return as stint_report_write; STINT_ERROR_INVALID_ARGUMENT also: name is NULL, or there is no such report. */
STINT_API enum stint_status stint_report_named(const struct stint_snapshot *snapshot, const char *name, int csv,
                                               const struct stint_layout *layout, stint_write_fn *write, void *context);

/** Returns the name of report `index`, from 0 on; NULL beyond the last. */
STINT_API const char *stint_report_name_at(size_t index);

/** Takes a snapshot and writes it to stderr: laid out for the terminal if it is one (its width, or COLUMNS if it has
 *  none; NO_COLOR is respected), plain and full width otherwise. A full print: without further scopes the report at
 *  exit is left out, unless that goes to a file.
 *
 *  @return as stint_report_write and stint_snapshot_take. */
STINT_API enum stint_status stint_report_print(enum stint_format format);

/** Takes a snapshot and writes it to a file: to a temporary file beside it, then renamed, so that a reader sees the old
 *  or the new report, whole. `path` may hold the patterns above; in a forked child, unlike STINT_OUTPUT, it is taken as
 *  it is. A full print.
 *
 *  @return as stint_report_print; STINT_ERROR_INVALID_ARGUMENT: path is NULL, empty or has an unknown pattern;
 *          STINT_ERROR_IO: the file could not be written (also a log line). */
STINT_API enum stint_status stint_report_save(enum stint_format format, const char *path);

/** Prints every set in Paddle's format through the log sink: timers, then the trailer line. A full print.
 *
 *  @return as stint_statset_print. */
STINT_API enum stint_status stint_print_all_status(void);

#ifndef STINT_NO_SHORT_NAMES
/** stint_print_all_status(), under Paddle's name. */
static inline enum stint_status printAllStatus(void)
{
    return stint_print_all_status();
}
#endif

STINT_EXTERN_C_END

#endif
