/* Every option that nvprof of CUDA 9 to 12 had, most used first. */
#include "cli/nvprof_options.h"

#include <string.h>

#include "cli/command.h"
#include "cli/options.h"

/* ---------------------------------------------------------------------------------------------------------- options */

enum value { NONE, VALUE };

enum word {
    UNMET,
    HELP,
    VERSION,
    EXPORT,
    IMPORT,
    FORCE,
    LOG_FILE,
    QUIET,
    CSV,
    NORMALIZED_UNIT,
    DEMANGLING,
    MODE,
    FROM_START,
    CHILDREN,
    API_TRACE,
    WHAT,
    TIMEOUT
};

#define COUNTERS "hardware counters are not read; Nsight Compute does: ncu --metrics NAMES PROGRAM"
#define NARROWED "it narrowed --events and --metrics, which are not read; all devices and kernels are recorded"
#define SAMPLING "the CPU is not sampled; use perf record, or libstint_functions for whole functions"
#define BUFFERS "buffers are sized automatically; a line of the report says if records were dropped"
#define OPENACC "OpenACC constructs are not recorded; the NVTX ranges and GPU work of its runtime are"
#define OPENMP "OpenMP constructs are not recorded; put scopes or NVTX ranges into parallel regions"
#define CRITICAL "dependencies are not analysed; Nsight Systems shows them on its timeline"
#define NAMED "processes and contexts are shown by their numbers"

static const struct row {
    const char *name;
    char letter;
    enum value value;
    enum word word;
    unsigned mode;    /* of MODE */
    const char *why;  /* of UNMET: why it has no meaning here */
    const char *fits; /* of UNMET: the value that asks for what happens anyway */
} s_rows[] = {
    {"export-profile", 'o', VALUE, EXPORT, 0, NULL, NULL},
    {"import-profile", 'i', VALUE, IMPORT, 0, NULL, NULL},
    {"force-overwrite", 'f', NONE, FORCE, 0, NULL, NULL},
    {"log-file", 0, VALUE, LOG_FILE, 0, NULL, NULL},
    {"quiet", 'q', NONE, QUIET, 0, NULL, NULL},
    {"print-summary", 's', NONE, MODE, STINT_NVPROF_SUMMARY, NULL, NULL},
    {"print-summary-per-gpu", 0, NONE, MODE, STINT_NVPROF_PER_GPU, NULL, NULL},
    {"print-gpu-summary", 0, NONE, MODE, STINT_NVPROF_GPU_SUMMARY, NULL, NULL},
    {"print-api-summary", 0, NONE, MODE, STINT_NVPROF_API_SUMMARY, NULL, NULL},
    {"print-gpu-trace", 0, NONE, MODE, STINT_NVPROF_GPU_TRACE, NULL, NULL},
    {"print-api-trace", 0, NONE, MODE, STINT_NVPROF_API_TRACE, NULL, NULL},
    {"csv", 0, NONE, CSV, 0, NULL, NULL},
    {"normalized-time-unit", 'u', VALUE, NORMALIZED_UNIT, 0, NULL, NULL},
    {"demangling", 0, VALUE, DEMANGLING, 0, NULL, NULL},
    {"profile-from-start", 0, VALUE, FROM_START, 0, NULL, NULL},
    {"profile-child-processes", 0, NONE, CHILDREN, 0, NULL, NULL},
    {"profile-api-trace", 0, VALUE, API_TRACE, 0,
     "calls of both APIs are recorded; cuda... is the runtime's, cu... the driver's", NULL},
    {"trace", 0, VALUE, WHAT, 0, NULL, NULL},
    {"timeout", 't', VALUE, TIMEOUT, 0, NULL, NULL},
    {"help", 'h', NONE, HELP, 0, NULL, NULL},
    {"version", 'V', NONE, VERSION, 0, NULL, NULL},

    {"metrics", 'm', VALUE, UNMET, 0, COUNTERS, NULL},
    {"events", 'e', VALUE, UNMET, 0, COUNTERS, NULL},
    {"analysis-metrics", 0, NONE, UNMET, 0, COUNTERS, NULL},
    {"query-metrics", 0, NONE, UNMET, 0,
     "hardware counters are not read; Nsight Compute lists them: ncu --query-metrics", NULL},
    {"query-events", 0, NONE, UNMET, 0,
     "hardware counters are not read; Nsight Compute lists them: ncu --query-metrics", NULL},
    {"kernels", 0, VALUE, UNMET, 0, NARROWED, NULL},
    {"devices", 0, VALUE, UNMET, 0, NARROWED, "all"},
    {"aggregate-mode", 0, VALUE, UNMET, 0, COUNTERS, NULL},
    {"event-collection-mode", 0, VALUE, UNMET, 0, COUNTERS, NULL},
    {"replay-mode", 0, VALUE, UNMET, 0, COUNTERS, "disabled"},
    {"skip-kernel-replay-save-restore", 0, VALUE, UNMET, 0, COUNTERS, "off"},
    {"continuous-sampling-interval", 0, VALUE, UNMET, 0, COUNTERS, NULL},
    {"pc-sampling-period", 0, VALUE, UNMET, 0,
     "instructions are not sampled; Nsight Compute does: ncu --section SourceCounters", NULL},
    {"source-level-analysis", 'a', VALUE, UNMET, 0,
     "instructions are not sampled; Nsight Compute does: ncu --section SourceCounters", NULL},
    {"profile-all-processes", 0, NONE, UNMET, 0,
     "running processes cannot be attached to; start them with stint nvprof --profile-child-processes", NULL},
    {"track-memory-allocations", 0, VALUE, UNMET, 0,
     "allocations are always recorded; stint run --report gpu shows them", "off"},
    {"unified-memory-profiling", 0, VALUE, UNMET, 0, "what unified memory does is always recorded",
     "per-process-device"},
    {"concurrent-kernels", 0, VALUE, UNMET, 0, "kernels always run as they do without a profiler", "on"},
    {"kernel-latency-timestamps", 0, VALUE, UNMET, 0,
     "when kernels were queued is not recorded; see when their launch began", "off"},
    {"system-profiling", 0, VALUE, UNMET, 0, "power, clocks and temperatures are not sampled; use nvidia-smi dmon",
     "off"},
    {"cpu-thread-tracing", 0, VALUE, UNMET, 0, "threads' waits are not recorded; put scopes around them", "off"},
    {"annotate-mpi", 0, VALUE, UNMET, 0, "calls of MPI are not recorded; put scopes or NVTX ranges around them", "off"},
    {"dependency-analysis", 0, NONE, UNMET, 0, CRITICAL, NULL},
    {"print-dependency-analysis-trace", 0, NONE, UNMET, 0, CRITICAL, NULL},
    {"openacc-profiling", 0, VALUE, UNMET, 0, OPENACC, "off"},
    {"print-openacc-summary", 0, NONE, UNMET, 0, OPENACC, NULL},
    {"print-openacc-trace", 0, NONE, UNMET, 0, OPENACC, NULL},
    {"print-openacc-constructs", 0, NONE, UNMET, 0, OPENACC, NULL},
    {"openacc-summary-mode", 0, VALUE, UNMET, 0, OPENACC, NULL},
    {"openmp-profiling", 0, VALUE, UNMET, 0, OPENMP, "off"},
    {"print-openmp-summary", 0, NONE, UNMET, 0, OPENMP, NULL},
    {"print-nvlink-topology", 0, NONE, UNMET, 0, "use nvidia-smi nvlink --status", NULL},
    {"print-pci-topology", 0, NONE, UNMET, 0, "use nvidia-smi topo --matrix", NULL},
    {"process-name", 0, VALUE, UNMET, 0, NAMED, NULL},
    {"context-name", 0, VALUE, UNMET, 0, NAMED, NULL},
    {"device-buffer-size", 0, VALUE, UNMET, 0, BUFFERS, NULL},
    {"device-cdp-buffer-size", 0, VALUE, UNMET, 0, BUFFERS, NULL},
    {"profiling-semaphore-pool-size", 0, VALUE, UNMET, 0, BUFFERS, NULL},
    {"cpu-profiling", 0, VALUE, UNMET, 0, SAMPLING, "off"},
    {"cpu-profiling-frequency", 0, VALUE, UNMET, 0, SAMPLING, NULL},
    {"cpu-profiling-mode", 0, VALUE, UNMET, 0, SAMPLING, NULL},
    {"cpu-profiling-max-depth", 0, VALUE, UNMET, 0, SAMPLING, NULL},
    {"cpu-profiling-percentage-threshold", 0, VALUE, UNMET, 0, SAMPLING, NULL},
    {"cpu-profiling-scope", 0, VALUE, UNMET, 0, SAMPLING, NULL},
    {"cpu-profiling-show-ccff", 0, VALUE, UNMET, 0, SAMPLING, NULL},
    {"cpu-profiling-show-library", 0, VALUE, UNMET, 0, SAMPLING, NULL},
    {"cpu-profiling-thread-mode", 0, VALUE, UNMET, 0, SAMPLING, NULL},
    {"cpu-profiling-explain-ccff", 0, NONE, UNMET, 0, SAMPLING, NULL},
    {"cpu-profiling-unwind-stack", 0, VALUE, UNMET, 0, SAMPLING, NULL},
};

enum { ROWS = sizeof s_rows / sizeof s_rows[0], FIRST = 256 };

_Static_assert((int)ROWS <= (int)STINT_NVPROF_MOST_OPTIONS, "struct stint_nvprof_asked has room for every option");

const char *stint_nvprof_option_at(size_t index, const char **why)
{
    *why = index < ROWS ? s_rows[index].why : NULL;
    return index < ROWS ? s_rows[index].name : NULL;
}

/* ----------------------------------------------------------------------------------------------------------- values */

static int read_unit(const char *name, const char *text, enum stint_time_unit *unit)
{
    static const char *const words[] = {
        [STINT_UNIT_AUTO] = "auto", [STINT_UNIT_COLUMN] = "col", [STINT_UNIT_S] = "s",
        [STINT_UNIT_MS] = "ms",     [STINT_UNIT_US] = "us",      [STINT_UNIT_NS] = "ns"};
    size_t choice;
    if (stint_option_choice(name, text, words, sizeof words / sizeof words[0], &choice))
        return -1;
    *unit = (enum stint_time_unit)choice;
    return 0;
}

/* Calls of only one of the APIs cannot be recorded. */
static int read_api(struct stint_nvprof_asked *asked, const struct row *row, const char *text)
{
    static const char *const words[] = {"all", "none", "driver", "runtime"};
    size_t choice;
    if (stint_option_choice(row->name, text, words, sizeof words / sizeof words[0], &choice))
        return -1;
    asked->gpu = choice == 1 ? "kernels" : asked->gpu;
    asked->unmet[row - s_rows] |= choice > 1;
    return 0;
}

/* GPU work is always recorded: without it there would be nothing to charge. */
static int read_what(struct stint_nvprof_asked *asked, const char *name, const char *text)
{
    static const char *const words[] = {"gpu", "api", "gpu,api", "api,gpu"};
    size_t choice;
    if (stint_option_choice(name, text, words, sizeof words / sizeof words[0], &choice))
        return -1;
    if (choice == 0)
        asked->gpu = "kernels";
    if (choice == 1)
        asked->otherwise = STINT_NVPROF_API_SUMMARY;
    return 0;
}

/* The values of such options are not checked, because their meaning is not known here. */
static void note_unmet(struct stint_nvprof_asked *asked, const struct row *row, const char *text)
{
    if (!text || !row->fits || strcmp(text, row->fits) != 0)
        asked->unmet[row - s_rows] = 1;
}

static int read_switch(const struct row *row, const char *text, int *value, int inverted)
{
    int on;
    if (stint_option_switch(row->name, text, &on))
        return -1;
    *value = inverted ? !on : on;
    return 0;
}

static int read_row(struct stint_nvprof_asked *asked, const struct row *row, const char *text)
{
    switch (row->word) {
    case HELP:
        asked->help = 1;
        return 0;
    case VERSION:
        asked->version = 1;
        return 0;
    case EXPORT:
        asked->export_file = text;
        return 0;
    case IMPORT:
        asked->import_file = text;
        return 0;
    case FORCE:
        asked->force = 1;
        return 0;
    case LOG_FILE:
        asked->log_file = text;
        return 0;
    case QUIET:
        asked->quiet = 1;
        return 0;
    case CSV:
        asked->csv = 1;
        return 0;
    case NORMALIZED_UNIT:
        return read_unit(row->name, text, &asked->unit);
    case DEMANGLING:
        return read_switch(row, text, &asked->mangled, 1);
    case MODE:
        asked->modes |= row->mode;
        return 0;
    case FROM_START:
        return read_switch(row, text, &asked->from_start, 0);
    case CHILDREN:
        asked->children = 1;
        return 0;
    case API_TRACE:
        return read_api(asked, row, text);
    case WHAT:
        return read_what(asked, row->name, text);
    case TIMEOUT:
        return stint_option_number(row->name, text, 1, 1000000000, &asked->duration);
    default:
        note_unmet(asked, row, text);
        return 0;
    }
}

/* ----------------------------------------------------------------------------------------------------- command line */

struct syntax {
    char letters[3 + 2 * ROWS];
    struct option options[ROWS + 1];
};

/* The letters in order, each that takes a value followed by a colon. */
static void describe(struct syntax *syntax)
{
    char *at = syntax->letters;
    memset(syntax, 0, sizeof *syntax);
    memcpy(at, "+:", 2);
    at += 2;
    for (int i = 0; i < ROWS; i++) {
        int value = s_rows[i].value != NONE;
        syntax->options[i] = (struct option){s_rows[i].name, value ? required_argument : no_argument, NULL, FIRST + i};
        if (!s_rows[i].letter)
            continue;
        *at++ = s_rows[i].letter;
        if (value)
            *at++ = ':';
    }
}

static const struct row *row_of(int option)
{
    size_t i = 0;
    if (option >= FIRST)
        return &s_rows[option - FIRST];
    while (s_rows[i].letter != option)
        i++;
    return &s_rows[i];
}

/* If a value looks like an option, it is taken for one, and the value was forgotten. */
static int is_forgotten(const struct row *row)
{
    if (row->value == NONE || strncmp(optarg, "--", 2) != 0)
        return 0;
    stint_cli_say("option --%s needs a value", row->name);
    return 1;
}

int stint_nvprof_read(struct stint_nvprof_asked *asked, int count, char **arguments)
{
    struct syntax syntax;
    *asked = (struct stint_nvprof_asked){.otherwise = STINT_NVPROF_SUMMARY, .from_start = -1};
    describe(&syntax);
    for (int option; (option = stint_option_next(count, arguments, syntax.letters, syntax.options)) != -1;) {
        const struct row *row = option == '?' ? NULL : row_of(option);
        if (!row || is_forgotten(row) || read_row(asked, row, row->value == NONE ? NULL : optarg))
            return -1;
    }
    asked->program = optind;
    return 0;
}
