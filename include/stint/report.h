/* stint/report.h - writes snapshots as text; the report at exit.
 *
 *     printAllStatus();                                 // Paddle's lines, through the log
 *     stint_report_print(STINT_FORMAT_TABLE);           // the same table as at exit, now, to stderr
 *     stint_report_save(STINT_FORMAT_JSON, "%h.%p.json");
 *
 * A report is written from one snapshot. At exit, if any scope has ended since the last full print, the library writes
 * a report by itself. Two environment variables choose which report and where it goes (stint(7)):
 *
 *   STINT_REPORT=NAME[,NAME...]   a format below (table, nvprof:csv), or off; default: table
 *   STINT_OUTPUT=PATH             a file; default: stderr. Patterns: %p process id, %h host name, %r rank,
 *                                 %q{NAME} environment variable, %% percent sign
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
    STINT_FORMAT_TREE = 1,   /* one row per calling context, below its caller */
    STINT_FORMAT_PADDLE = 2, /* PaddlePaddle's lines, with prefixes as glog writes them */
    STINT_FORMAT_CSV = 3,    /* one row per statistic, times in nanoseconds */
    STINT_FORMAT_JSON = 4,   /* everything that was recorded, for programs */
    STINT_FORMAT_NVPROF = 5, /* nvprof's summary: GPU activities and API calls */
    STINT_FORMAT_NVPROF_CSV = 6,
    STINT_FORMAT_GPU_TRACE = 7, /* nvprof --print-gpu-trace; needs a trace */
    STINT_FORMAT_GPU_TRACE_CSV = 8,
    STINT_FORMAT_API_TRACE = 9, /* nvprof --print-api-trace; needs a trace */
    STINT_FORMAT_API_TRACE_CSV = 10,
    STINT_FORMAT_GPU = 11,        /* GPUs by device and stream: busy time, copies, memory */
    STINT_FORMAT_NVPROF_GPU = 12, /* nvprof --print-gpu-summary */
    STINT_FORMAT_NVPROF_GPU_CSV = 13,
    STINT_FORMAT_NVPROF_API = 14, /* nvprof --print-api-summary */
    STINT_FORMAT_NVPROF_API_CSV = 15,
    STINT_FORMAT_NVPROF_PER_GPU = 16, /* nvprof --print-summary-per-gpu */
    STINT_FORMAT_NVPROF_PER_GPU_CSV = 17,
    STINT_FORMAT_NVPROF_NVTX = 18, /* nvprof's NVTX result: GPU work and API calls by range */
    STINT_FORMAT_NVPROF_NVTX_CSV = 19,
    STINT_FORMAT_GPU_API_TRACE = 20, /* nvprof's GPU and API traces in one; needs a trace */
    STINT_FORMAT_GPU_API_TRACE_CSV = 21,
    STINT_FORMAT_SUMMARY = 22,   /* where the time went, on one screen, as stint run prints */
    STINT_FORMAT_PROCESSES = 23, /* one row per process: rank, times, kernels, losses */
    STINT_FORMAT_PROCESSES_CSV = 24,
    STINT_FORMAT_THREADS = 25, /* one row per thread: state, CPU time, context switches */
    STINT_FORMAT_THREADS_CSV = 26,
    STINT_FORMAT_PROMETHEUS = 27,  /* metrics in files for Prometheus' node exporter */
    STINT_FORMAT_OPENMETRICS = 28, /* metrics as stint metrics serves them to Prometheus */
    STINT_FORMAT_SYSTEM = 29,      /* power, clocks, temperatures; with --system-profiling */
    STINT_FORMAT_SYSTEM_CSV = 30,
    STINT_FORMAT_RANKS = 31, /* one row per scope: how ranks differ, which are slow */
    STINT_FORMAT_RANKS_CSV = 32,
    STINT_FORMAT_RANKS_TREE = 33, /* the same, one row per calling context */
    STINT_FORMAT_COUNTERS = 34,   /* hardware counters of kernels, and what bounds each */
    STINT_FORMAT_COUNTERS_CSV = 35
};

/** The unit that times are shown in. It has no effect on Paddle's format, nor on formats whose fields name their unit
 *  (csv, json). */
enum stint_time_unit {
    STINT_UNIT_AUTO = 0,   /* the default of each format */
    STINT_UNIT_COLUMN = 1, /* one unit for each column of a table */
    STINT_UNIT_S = 2,
    STINT_UNIT_MS = 3,
    STINT_UNIT_US = 4,
    STINT_UNIT_NS = 5
};

/** What rows are ordered by, descending except for names. Rows with equal values stay in the format's own order: by
 *  descending total, then name, except for traces (by time) and nvtx_kern_sum (by range). The formats json, paddle and
 *  gpu, and traces, always have their own order. */
enum stint_sort {
    STINT_SORT_TOTAL = 0,
    STINT_SORT_COUNT = 1,
    STINT_SORT_AVERAGE = 2,
    STINT_SORT_MIN = 3,
    STINT_SORT_MAX = 4,
    STINT_SORT_SELF = 5, /* the time in a scope but not in the scopes below it; the total for rows that are no scopes */
    STINT_SORT_NAME = 6, /* ascending, by bytes */
    STINT_SORT_CPU = 7   /* CPU time, which STINT_CPU=on measures */
};

/** How reports are laid out, and how many rows they show. All members zero means the defaults. `top` limits the rows of
 *  a table, or of each of its groups; a tree shows that many contexts with the longest totals, and those they are in. A
 *  line says how many more rows there are. CSV, json, paddle and gpu always have all rows. */
struct stint_layout {
    size_t size;      /* sizeof(struct stint_layout); 0: that of version 0.1 */
    unsigned columns; /* width of the screen; 0: as wide as the text needs */
    int color;        /* 1: emphasize with ANSI escapes; 0: plain */
    enum stint_time_unit unit;
    enum stint_sort sort; /* in a tree, of siblings */
    unsigned top;         /* 0: all rows, but ten of each kind in summary, and ten calls in table */
    double min_percent;   /* in a tree: contexts with a smaller share of the time are not shown; 0: all are */
};

#define STINT_TOP_ALL (~0U) /* for `top`: all rows, whatever the format */

/** Writes `snapshot` in `format`. `layout` may be NULL: plain, unlimited width. The first report in a format of nvprof,
 *  summary or processes loads libstint_module.so, and so must not be written in a signal handler. If the
 *  library cannot be loaded, this is logged, and the table is written instead.
 *
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: snapshot or write is NULL, or the format is not one of the above;
 *          STINT_ERROR_IO: write returned -1; STINT_ERROR_NO_MEMORY. With the last two, a part may be written. */
STINT_API enum stint_status stint_report_write(const struct stint_snapshot *snapshot, enum stint_format format,
                                               const struct stint_layout *layout, stint_write_fn *write, void *context);

/** Writes the report called `name`, in upper or lower case: any name that STINT_REPORT takes except "off", without
 *  ":csv".
 *
 *  @param csv 1: as CSV, which tree, paddle, json, gpu and summary do not have.
 *  @return as stint_report_write; also STINT_ERROR_INVALID_ARGUMENT: name is NULL, there is no such report, or it has
 *          no CSV; STINT_ERROR_UNAVAILABLE: only the program stint prints it, as those of nsys stats. */
STINT_API enum stint_status stint_report_named(const struct stint_snapshot *snapshot, const char *name, int csv,
                                               const struct stint_layout *layout, stint_write_fn *write, void *context);

/** Returns the name of the report number `index`, counted from 0; NULL beyond the last. */
STINT_API const char *stint_report_name_at(size_t index);

/** Takes a snapshot and writes it to stderr. On a terminal, the report fits its width (or COLUMNS, if the terminal does
 *  not report one) and is colored unless NO_COLOR is set; otherwise it is plain and as wide as it needs. This is a
 *  full print: if no further scope ends, there is no report at exit, unless that goes to a file.
 *
 *  @return as stint_report_write and stint_snapshot_take. */
STINT_API enum stint_status stint_report_print(enum stint_format format);

/** Takes a snapshot and writes it to a file. It writes a temporary file beside it and renames that, so that readers see
 *  either the old report or the new one, complete. `path` may contain the patterns above; unlike STINT_OUTPUT, it gets
 *  no process id appended in a forked child. This is a full print.
 *
 *  @return as stint_report_print; STINT_ERROR_INVALID_ARGUMENT: path is NULL, empty or has an unknown pattern;
 *          STINT_ERROR_IO: the file could not be written (also logged). */
STINT_API enum stint_status stint_report_save(enum stint_format format, const char *path);

/** Prints every set but STINT_API_SET in Paddle's format through the log sink: timers, then barriers, then the trailer
 *  line. This is a full print.
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
