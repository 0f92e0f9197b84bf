/* Every option that nvprof of CUDA 9 to 12 had, most used first. */
#include "cli/nvprof_options.h"

#include <string.h>

#include "cli/command.h"
#include "cli/nvprof_metrics.h"
#include "cli/options.h"

/* ---------------------------------------------------------------------------------------------------------- options */

enum word {
    UNMET,
    METRICS,
    ALL_METRICS,
    QUERY,
    KERNELS,
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
    SYSTEM,
    CPU,
    CPU_MODE,
    CPU_HZ,
    CPU_DEPTH,
    CPU_LEAST,
    CPU_LIBRARY,
    CPU_SCOPE,
    API_TRACE,
    WHAT,
    TIMEOUT
};

#define COUNTERS "each kernel that is counted is replayed, and restores what it changed"
#define NARROWED "all devices are recorded; CUDA_VISIBLE_DEVICES hides some"
#define CCFF "compilers' remarks are not read; --cpu-profiling-scope instruction shows lines of the source"
#define THREADS "the samples of all threads are added up; stint samples --scope narrows them"
#define UNWOUND "call chains are always recorded; --cpu-profiling-mode flat does not show them"
#define BUFFERS "buffers are sized automatically; a line of the report says if records were dropped"
#define OPENACC "OpenACC constructs are not recorded; the NVTX ranges and GPU work of its runtime are"
#define OPENMP "OpenMP constructs are not recorded; put scopes or NVTX ranges into parallel regions"
#define CRITICAL "dependencies are not analysed; Nsight Systems shows them on its timeline"
#define NAMED "processes and contexts are shown by their numbers"

static const char *const s_units[] = {[STINT_UNIT_AUTO] = "auto",
                                      [STINT_UNIT_COLUMN] = "col",
                                      [STINT_UNIT_S] = "s",
                                      [STINT_UNIT_MS] = "ms",
                                      [STINT_UNIT_US] = "us",
                                      [STINT_UNIT_NS] = "ns",
                                      NULL};
static const char *const s_apis[] = {"all", "none", "driver", "runtime", NULL};
static const char *const s_cpu_modes[] = STINT_CPU_MODES;
static const char *const s_cpu_scopes[] = {"function", "instruction", NULL};
static const char *const s_what[] = {"gpu", "api", "gpu,api", "api,gpu", NULL};

struct row {
    struct stint_option option; /* number 0: without a short form */
    enum word word;
    unsigned mode;    /* of MODE */
    const char *why;  /* why it has no meaning here, or not with all values */
    const char *fits; /* of UNMET: the value that asks for what happens anyway */
};

#define OPTION(name, letter, argument, words, word, help)                                                              \
    {                                                                                                                  \
        {name, letter, argument, help, words}, word, 0, NULL, NULL                                                     \
    }
#define MODE_OPTION(name, letter, mode, help)                                                                          \
    {                                                                                                                  \
        {name, letter, NULL, help, NULL}, MODE, mode, NULL, NULL                                                       \
    }
#define UNMET_OPTION(name, letter, argument, why, fits)                                                                \
    {                                                                                                                  \
        {name, letter, argument, "", NULL}, UNMET, 0, why, fits                                                        \
    }
static const struct row s_rows[] = {
    MODE_OPTION("print-summary", 's', STINT_NVPROF_SUMMARY,
                "a row per kernel, copy and call (default); also\n"
                "--print-summary-per-gpu, --print-gpu-summary,\n"
                "--print-api-summary"),
    MODE_OPTION("print-summary-per-gpu", 0, STINT_NVPROF_PER_GPU, ""),
    MODE_OPTION("print-gpu-summary", 0, STINT_NVPROF_GPU_SUMMARY, ""),
    MODE_OPTION("print-api-summary", 0, STINT_NVPROF_API_SUMMARY, ""),
    MODE_OPTION("print-gpu-trace", 0, STINT_NVPROF_GPU_TRACE,
                "a row per event of a GPU; --print-api-trace:\n"
                "per call; both: merged"),
    MODE_OPTION("print-api-trace", 0, STINT_NVPROF_API_TRACE, ""),
    OPTION("csv", 0, NULL, NULL, CSV, "tables as CSV"),
    OPTION("normalized-time-unit", 'u', "UNIT", s_units, NORMALIZED_UNIT, "auto, col, s, ms, us, ns"),
    OPTION("log-file", 0, "FILE", NULL, LOG_FILE, "write there; %1 stdout, %2 stderr, %p process"),
    OPTION("export-profile", 'o', "FILE", NULL, EXPORT, "keep what was recorded for -i; -f: replace it"),
    OPTION("force-overwrite", 'f', NULL, NULL, FORCE, ""),
    OPTION("import-profile", 'i', "FILE", NULL, IMPORT, "print it again"),
    OPTION("profile-from-start", 0, "off", stint_option_switches, FROM_START, "record from cudaProfilerStart on"),
    OPTION("timeout", 't', "SECONDS", NULL, TIMEOUT, "stop recording after that time"),
    OPTION("profile-child-processes", 0, NULL, NULL, CHILDREN, "processes that PROGRAM starts, too"),
    {{"profile-api-trace", 0, "none", "no calls of CUDA's API; same as --trace gpu", s_apis},
     API_TRACE,
     0,
     "calls of both APIs are recorded; cuda... is the runtime's, cu... the driver's",
     NULL},
    OPTION("trace", 0, "WHAT", s_what, WHAT, ""),
    OPTION("cpu-profiling", 0, "on", stint_option_switches, CPU, "functions by CPU time; --system-profiling"),
    OPTION("system-profiling", 0, "on", stint_option_switches, SYSTEM, ""),
    OPTION("cpu-profiling-mode", 0, "MODE", s_cpu_modes, CPU_MODE, ""),
    OPTION("cpu-profiling-frequency", 0, "HZ", NULL, CPU_HZ, ""),
    OPTION("cpu-profiling-max-depth", 0, "N", NULL, CPU_DEPTH, ""),
    OPTION("cpu-profiling-percentage-threshold", 0, "P", NULL, CPU_LEAST, ""),
    OPTION("cpu-profiling-show-library", 0, "on", stint_option_switches, CPU_LIBRARY, ""),
    OPTION("cpu-profiling-scope", 0, "WHAT", s_cpu_scopes, CPU_SCOPE, ""),
    OPTION("demangling", 0, "off", stint_option_switches, DEMANGLING, ""),
    OPTION("quiet", 'q', NULL, NULL, QUIET, "print only errors of the command line"),

    OPTION("metrics", 'm', "LIST", NULL, METRICS, "read counters: all, or names (--query-metrics)"),
    OPTION("events", 'e', "LIST", NULL, METRICS, ""),
    OPTION("kernels", 0, "FILTER", NULL, KERNELS, ""),
    OPTION("analysis-metrics", 0, NULL, NULL, ALL_METRICS, ""),
    OPTION("query-metrics", 0, NULL, NULL, QUERY, ""),
    OPTION("query-events", 0, NULL, NULL, QUERY, ""),
    UNMET_OPTION("devices", 0, "VALUE", NARROWED, "all"),
    UNMET_OPTION("aggregate-mode", 0, "VALUE", COUNTERS, NULL),
    UNMET_OPTION("event-collection-mode", 0, "VALUE", COUNTERS, NULL),
    UNMET_OPTION("replay-mode", 0, "VALUE", COUNTERS, "kernel"),
    UNMET_OPTION("skip-kernel-replay-save-restore", 0, "VALUE", COUNTERS, "off"),
    UNMET_OPTION("continuous-sampling-interval", 0, "VALUE", COUNTERS, NULL),
    UNMET_OPTION("pc-sampling-period", 0, "VALUE",
                 "instructions are not sampled; Nsight Compute does: ncu --section SourceCounters", NULL),
    UNMET_OPTION("source-level-analysis", 'a', "VALUE",
                 "instructions are not sampled; Nsight Compute does: ncu --section SourceCounters", NULL),
    UNMET_OPTION("profile-all-processes", 0, NULL,
                 "running processes cannot be attached to; start them with stint nvprof --profile-child-processes",
                 NULL),
    UNMET_OPTION("track-memory-allocations", 0, "VALUE",
                 "allocations are always recorded; stint run --report gpu shows them", "off"),
    UNMET_OPTION("unified-memory-profiling", 0, "VALUE", "what unified memory does is always recorded",
                 "per-process-device"),
    UNMET_OPTION("concurrent-kernels", 0, "VALUE", "kernels always run as they do without a profiler", "on"),
    UNMET_OPTION("kernel-latency-timestamps", 0, "VALUE",
                 "when kernels were queued is not recorded; see when their launch began", "off"),
    UNMET_OPTION("cpu-thread-tracing", 0, "VALUE", "threads' waits are not recorded; put scopes around them", "off"),
    UNMET_OPTION("annotate-mpi", 0, "VALUE", "calls of MPI are not recorded; put scopes or NVTX ranges around them",
                 "off"),
    UNMET_OPTION("dependency-analysis", 0, NULL, CRITICAL, NULL),
    UNMET_OPTION("print-dependency-analysis-trace", 0, NULL, CRITICAL, NULL),
    UNMET_OPTION("openacc-profiling", 0, "VALUE", OPENACC, "off"),
    UNMET_OPTION("print-openacc-summary", 0, NULL, OPENACC, NULL),
    UNMET_OPTION("print-openacc-trace", 0, NULL, OPENACC, NULL),
    UNMET_OPTION("print-openacc-constructs", 0, NULL, OPENACC, NULL),
    UNMET_OPTION("openacc-summary-mode", 0, "VALUE", OPENACC, NULL),
    UNMET_OPTION("openmp-profiling", 0, "VALUE", OPENMP, "off"),
    UNMET_OPTION("print-openmp-summary", 0, NULL, OPENMP, NULL),
    UNMET_OPTION("print-nvlink-topology", 0, NULL, "use nvidia-smi nvlink --status", NULL),
    UNMET_OPTION("print-pci-topology", 0, NULL, "use nvidia-smi topo --matrix", NULL),
    UNMET_OPTION("process-name", 0, "VALUE", NAMED, NULL),
    UNMET_OPTION("context-name", 0, "VALUE", NAMED, NULL),
    UNMET_OPTION("device-buffer-size", 0, "VALUE", BUFFERS, NULL),
    UNMET_OPTION("device-cdp-buffer-size", 0, "VALUE", BUFFERS, NULL),
    UNMET_OPTION("profiling-semaphore-pool-size", 0, "VALUE", BUFFERS, NULL),
    UNMET_OPTION("cpu-profiling-show-ccff", 0, "VALUE", CCFF, "off"),
    UNMET_OPTION("cpu-profiling-thread-mode", 0, "VALUE", THREADS, "aggregated"),
    UNMET_OPTION("cpu-profiling-explain-ccff", 0, NULL, CCFF, NULL),
    UNMET_OPTION("cpu-profiling-unwind-stack", 0, "VALUE", UNWOUND, "on"),
};

enum { ROWS = sizeof s_rows / sizeof s_rows[0], FIRST = 256 };

_Static_assert((int)ROWS <= (int)STINT_NVPROF_MOST_OPTIONS, "struct stint_nvprof_asked has room for every option");

const char *stint_nvprof_option_at(size_t index, const char **why)
{
    *why = index < ROWS ? s_rows[index].why : NULL;
    return index < ROWS ? s_rows[index].option.name : NULL;
}

/* ----------------------------------------------------------------------------------------------------------- values */

static int read_unit(const char *name, const char *text, enum stint_time_unit *unit)
{
    size_t choice;
    if (stint_option_choice(name, text, s_units, &choice))
        return -1;
    *unit = (enum stint_time_unit)choice;
    return 0;
}

/* Calls of only one of the APIs cannot be recorded. */
static int read_api(struct stint_nvprof_asked *asked, const struct row *row, const char *text)
{
    size_t choice;
    if (stint_option_choice(row->option.name, text, s_apis, &choice))
        return -1;
    asked->gpu = choice == 1 ? "kernels" : asked->gpu;
    asked->unmet[row - s_rows] |= choice > 1;
    return 0;
}

/* GPU work is always recorded: without it there would be nothing to charge. */
static int read_what(struct stint_nvprof_asked *asked, const char *name, const char *text)
{
    size_t choice;
    if (stint_option_choice(name, text, s_what, &choice))
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
    if (stint_option_switch(row->option.name, text, &on))
        return -1;
    *value = inverted ? !on : on;
    return 0;
}

static int read_number(const struct row *row, const char *text, unsigned long long most, unsigned *value)
{
    unsigned long long number;
    if (stint_option_number(row->option.name, text, row->word == CPU_HZ, most, &number))
        return -1;
    *value = (unsigned)number;
    return 0;
}

static int read_cpu(struct stint_nvprof_cpu *cpu, const struct row *row, const char *text)
{
    enum { MOST_HZ = 10000, MOST_DEPTH = 1000000, MOST_PERCENT = 100 };
    size_t choice;
    switch (row->word) {
    case CPU:
        return stint_option_switch(row->option.name, text, &cpu->on);
    case CPU_HZ:
        return read_number(row, text, MOST_HZ, &cpu->hz);
    case CPU_DEPTH:
        return read_number(row, text, MOST_DEPTH, &cpu->deepest);
    case CPU_LEAST:
        return read_number(row, text, MOST_PERCENT, &cpu->least_percent);
    case CPU_LIBRARY:
        return stint_option_switch(row->option.name, text, &cpu->library);
    case CPU_SCOPE:
        if (stint_option_choice(row->option.name, text, s_cpu_scopes, &choice))
            return -1;
        cpu->by_lines = choice == 1;
        return 0;
    default:
        if (stint_option_choice(row->option.name, text, s_cpu_modes, &choice))
            return -1;
        cpu->mode = (enum stint_cpu_mode)choice;
        return 0;
    }
}

static int read_row(struct stint_nvprof_asked *asked, const struct row *row, const char *text)
{
    switch (row->word) {
    case METRICS:
        return stint_nvprof_counters_add(&asked->counters, row->option.name, text);
    case ALL_METRICS:
        return stint_nvprof_counters_add(&asked->counters, row->option.name, "all");
    case KERNELS:
        return stint_nvprof_counters_filter(&asked->counters, text);
    case QUERY:
        stint_nvprof_counters_list();
        asked->answered = asked->queries = 1;
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
        return read_unit(row->option.name, text, &asked->unit);
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
    case SYSTEM:
        return stint_option_switch(row->option.name, text, &asked->system);
    case CPU:
    case CPU_MODE:
    case CPU_HZ:
    case CPU_DEPTH:
    case CPU_LEAST:
    case CPU_LIBRARY:
    case CPU_SCOPE:
        return read_cpu(&asked->cpu, row, text);
    case API_TRACE:
        return read_api(asked, row, text);
    case WHAT:
        return read_what(asked, row->option.name, text);
    case TIMEOUT:
        return stint_option_number(row->option.name, text, 1, 1000000000, &asked->duration);
    default:
        note_unmet(asked, row, text);
        return 0;
    }
}

/* ----------------------------------------------------------------------------------------------------- command line */

/* Gives options without a short form a number by which row_of finds them. */
static const struct stint_syntax *describe(void)
{
    static struct stint_option options[ROWS + 3] = {[ROWS] = STINT_OPTION_LAST};
    static const struct stint_syntax syntax = {
        .order = "+",
        .usage = "Usage: stint nvprof [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
                 "       stint nvprof -i FILE [OPTIONS]\n"
                 "\n"
                 "Runs PROGRAM and prints on stderr what nvprof printed. Takes all of its options;\n"
                 "those that have no meaning here get a line that says why: man stint-nvprof.\n",
        .options = options,
    };
    for (int i = 0; i < ROWS; i++) {
        options[i] = s_rows[i].option;
        if (!options[i].number)
            options[i].number = FIRST + i;
    }
    return &syntax;
}

static const struct row *row_of(int option)
{
    size_t i = 0;
    if (option >= FIRST)
        return &s_rows[option - FIRST];
    while (s_rows[i].option.number != option)
        i++;
    return &s_rows[i];
}

/* If a value looks like an option, it is taken for one, and the value was forgotten. */
static int is_forgotten(const struct row *row)
{
    if (!row->option.argument || strncmp(optarg, "--", 2) != 0)
        return 0;
    stint_cli_say("option --%s needs a value", row->option.name);
    return 1;
}

/* As nvprof. */
enum { USUAL_HZ = 100 };

int stint_nvprof_read(struct stint_nvprof_asked *asked, int count, char **arguments)
{
    const struct stint_syntax *syntax = describe();
    *asked = (struct stint_nvprof_asked){.otherwise = STINT_NVPROF_SUMMARY,
                                         .from_start = -1,
                                         .cpu = {.hz = USUAL_HZ, .mode = STINT_CPU_BOTTOM_UP, .deepest = 0}};
    for (int option; (option = stint_option_next(count, arguments, syntax)) != -1;) {
        if (option == 'h') {
            asked->answered = 1;
            return 0;
        }
        const struct row *row = option == '?' ? NULL : row_of(option);
        if (!row || is_forgotten(row) || read_row(asked, row, row->option.argument ? optarg : NULL))
            return -1;
    }
    asked->program = optind;
    return 0;
}
