/* Every option that nvprof of CUDA 9 to 12 had, most used first. */
#include "cli/command_line.h"

#include <string.h>

#include "cli/command.h"
#include "cli/options.h"

/* ---------------------------------------------------------------------------------------------------------- options */

#define COUNTERS "each kernel that is counted is replayed, and restores what it changed"
#define NARROWED "all devices are recorded; CUDA_VISIBLE_DEVICES hides some"
#define CCFF "compilers' remarks are not read; --cpu-profiling-scope instruction shows lines of the source"
#define THREADS "the samples of all threads are added up; stint samples --scope narrows them"
#define UNWOUND "call stacks are always recorded; --cpu-profiling-mode flat does not show them"
#define BUFFERS "buffers are sized automatically; a line of the report says if records were dropped"
#define OPENACC "OpenACC constructs are not recorded; the NVTX ranges and GPU work of its runtime are"
#define OPENMP "OpenMP constructs are not recorded; put scopes or NVTX ranges into parallel regions"
#define CRITICAL "dependencies are not analyzed; Nsight Systems shows them on its timeline"
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
static const char *const s_unified[] = {"per-process-device", "off", NULL};
static const char *const s_what[] = {"gpu", "api", "gpu,api", "api,gpu", NULL};

struct row {
    struct stint_option option;
    unsigned mode;    /* of read_mode */
    const char *why;  /* why it has no meaning here, or not with all values */
    const char *fits; /* of note_unmet: the value that asks for what happens anyway */
};

/* ---------------------------------------------------------------------------------------------------------- readers */

static unsigned char *unmet(struct stint_nvprof_asked *asked, const struct stint_option *option);

/* Calls of only one of the APIs cannot be recorded. */
static int read_api(void *value, const struct stint_option *option, const char *text)
{
    struct stint_nvprof_asked *asked = value;
    int choice;
    if (stint_option_choice(&choice, option, text))
        return -1;
    asked->gpu = choice == 1 ? "kernels" : asked->gpu;
    *unmet(asked, option) |= choice > 1;
    return 0;
}

/* GPU work is always recorded: without it there would be nothing to charge. */
static int read_what(void *value, const struct stint_option *option, const char *text)
{
    struct stint_nvprof_asked *asked = value;
    int choice;
    if (stint_option_choice(&choice, option, text))
        return -1;
    if (choice == 0)
        asked->gpu = "kernels";
    if (choice == 1)
        asked->otherwise = STINT_NVPROF_API_SUMMARY;
    return 0;
}

static int read_unified(void *value, const struct stint_option *option, const char *text)
{
    int choice;
    if (stint_option_choice(&choice, option, text))
        return -1;
    ((struct stint_nvprof_asked *)value)->unified_memory = choice ? "off" : "on";
    return 0;
}

/* The values of such options are not checked, because their meaning is not known here. */
static int note_unmet(void *value, const struct stint_option *option, const char *text)
{
    const struct row *row = (const struct row *)option;
    if (!text || !row->fits || strcmp(text, row->fits) != 0)
        *unmet(value, option) = 1;
    return 0;
}

static int read_mode(void *value, const struct stint_option *option, const char *text)
{
    struct stint_nvprof_asked *asked = value;
    (void)text;
    asked->modes |= ((const struct row *)option)->mode;
    return 0;
}

static int read_demangling(void *value, const struct stint_option *option, const char *text)
{
    int on, failed = stint_option_switch(&on, option, text);
    *(int *)value = !failed && !on;
    return failed;
}

static int read_unsigned(const struct stint_option *option, const char *text, unsigned least, unsigned most,
                         unsigned *value)
{
    unsigned long long number;
    if (stint_option_number(option, text, least, most, &number))
        return -1;
    *value = (unsigned)number;
    return 0;
}

static int read_hz(void *value, const struct stint_option *option, const char *text)
{
    return read_unsigned(option, text, 1, 10000, value);
}

static int read_depth(void *value, const struct stint_option *option, const char *text)
{
    return read_unsigned(option, text, 0, 1000000, value);
}

static int read_percent(void *value, const struct stint_option *option, const char *text)
{
    return read_unsigned(option, text, 0, 100, value);
}

static int read_timeout(void *value, const struct stint_option *option, const char *text)
{
    return stint_option_number(option, text, 1, 1000000000, value);
}

static int read_metrics(void *value, const struct stint_option *option, const char *text)
{
    return stint_nvprof_counters_add(value, option->name, text);
}

static int read_all_metrics(void *value, const struct stint_option *option, const char *text)
{
    (void)text;
    return stint_nvprof_counters_add(value, option->name, "all");
}

static int read_kernels(void *value, const struct stint_option *option, const char *text)
{
    (void)option;
    return stint_nvprof_counters_filter(value, text);
}

static int read_query(void *value, const struct stint_option *option, const char *text)
{
    struct stint_nvprof_asked *asked = value;
    (void)option;
    (void)text;
    stint_nvprof_counters_list();
    asked->answered = asked->queries = 1;
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- options */

#define AT(member) offsetof(struct stint_nvprof_asked, member)
#define OPTION(name, letter, argument, words, read, at, help)                                                          \
    {                                                                                                                  \
        {name, letter, argument, help, words, read, at}, 0, NULL, NULL                                                 \
    }
#define MODE_OPTION(name, letter, mode, help)                                                                          \
    {                                                                                                                  \
        {name, letter, NULL, help, NULL, read_mode, 0}, mode, NULL, NULL                                               \
    }
#define UNMET_OPTION(name, letter, argument, why, fits)                                                                \
    {                                                                                                                  \
        {name, letter, argument, "", NULL, note_unmet, 0}, 0, why, fits                                                \
    }
static const struct row s_rows[] = {
    MODE_OPTION("print-summary", 's', STINT_NVPROF_SUMMARY, "a row per kernel, copy and API call (default)"),
    MODE_OPTION("print-summary-per-gpu", 0, STINT_NVPROF_PER_GPU, "the same for each GPU"),
    MODE_OPTION("print-gpu-summary", 0, STINT_NVPROF_GPU_SUMMARY, "GPU activities only"),
    MODE_OPTION("print-api-summary", 0, STINT_NVPROF_API_SUMMARY, "API calls only"),
    MODE_OPTION("print-gpu-trace", 0, STINT_NVPROF_GPU_TRACE, "a row per kernel and copy, in order of time"),
    MODE_OPTION("print-api-trace", 0, STINT_NVPROF_API_TRACE, "a row per API call, in order of time"),
    OPTION("csv", 0, NULL, NULL, stint_option_flag, AT(csv), "print tables as CSV"),
    OPTION("normalized-time-unit", 'u', "UNIT", s_units, stint_option_choice, AT(unit),
           "unit of times: auto, col, s, ms, us, ns"),
    OPTION("log-file", 0, "FILE", NULL, stint_option_text, AT(log_file),
           "write to FILE; %1: stdout, %2: stderr, %p: process ID"),
    OPTION("export-profile", 'o', "FILE", NULL, stint_option_text, AT(export_file), "write a profile that -i reads"),
    OPTION("force-overwrite", 'f', NULL, NULL, stint_option_flag, AT(force), "with -o: overwrite the file"),
    OPTION("import-profile", 'i', "FILE", NULL, stint_option_text, AT(import_file), "print a profile that -o wrote"),
    OPTION("profile-from-start", 0, "off", stint_option_switches, stint_option_switch, AT(from_start),
           "start at cudaProfilerStart"),
    OPTION("timeout", 't', "SECONDS", NULL, read_timeout, AT(duration), "stop recording after SECONDS"),
    OPTION("profile-child-processes", 0, NULL, NULL, stint_option_flag, AT(children),
           "also record processes that PROGRAM starts"),
    {{"profile-api-trace", 0, "none", "record no CUDA API calls", s_apis, read_api, 0},
     0,
     "calls of both APIs are recorded; cuda... is the runtime's, cu... the driver's",
     NULL},
    OPTION("trace", 0, "WHAT", s_what, read_what, 0, "record gpu, api, or both"),
    OPTION("unified-memory-profiling", 0, "off", s_unified, read_unified, 0, "record no moves of managed memory"),
    OPTION("cpu-profiling", 0, "on", stint_option_switches, stint_option_switch, AT(cpu.on),
           "sample which functions use the CPU"),
    OPTION("system-profiling", 0, "on", stint_option_switches, stint_option_switch, AT(system),
           "sample power, clocks and temperatures of GPUs"),
    OPTION("cpu-profiling-mode", 0, "MODE", s_cpu_modes, stint_option_choice, AT(cpu.mode),
           "flat, top-down, bottom-up"),
    OPTION("cpu-profiling-frequency", 0, "HZ", NULL, read_hz, AT(cpu.hz), "samples per second (default: 100)"),
    OPTION("cpu-profiling-max-depth", 0, "N", NULL, read_depth, AT(cpu.deepest), "levels of the trees; 0: all"),
    OPTION("cpu-profiling-percentage-threshold", 0, "P", NULL, read_percent, AT(cpu.least_percent),
           "hide rows below P percent"),
    OPTION("cpu-profiling-show-library", 0, "on", stint_option_switches, stint_option_switch, AT(cpu.library),
           "show the library of each function"),
    OPTION("cpu-profiling-scope", 0, "WHAT", s_cpu_scopes, stint_option_choice, AT(cpu.by_lines),
           "function, or instruction: by source line"),
    OPTION("demangling", 0, "off", stint_option_switches, read_demangling, AT(mangled), "print mangled kernel names"),
    OPTION("quiet", 'q', NULL, NULL, stint_option_flag, AT(quiet), "print nothing but usage errors"),

    OPTION("metrics", 'm', "LIST", NULL, read_metrics, AT(counters), "read these hardware counters, or all"),
    OPTION("events", 'e', "LIST", NULL, read_metrics, AT(counters), "the same, by event name"),
    OPTION("kernels", 0, "FILTER", NULL, read_kernels, AT(counters), "read counters of these kernels only"),
    OPTION("analysis-metrics", 0, NULL, NULL, read_all_metrics, AT(counters), "read all hardware counters"),
    OPTION("query-metrics", 0, NULL, NULL, read_query, 0, "list nvprof's metrics that stint knows"),
    OPTION("query-events", 0, NULL, NULL, read_query, 0, "list nvprof's events that stint knows"),
    UNMET_OPTION("devices", 0, "VALUE", NARROWED, "all"),
    UNMET_OPTION("aggregate-mode", 0, "VALUE", COUNTERS, NULL),
    UNMET_OPTION("event-collection-mode", 0, "VALUE", COUNTERS, NULL),
    UNMET_OPTION("replay-mode", 0, "VALUE", COUNTERS, "kernel"),
    UNMET_OPTION("skip-kernel-replay-save-restore", 0, "VALUE", COUNTERS, "off"),
    UNMET_OPTION("continuous-sampling-interval", 0, "VALUE", COUNTERS, NULL),
    UNMET_OPTION("pc-sampling-period", 0, "VALUE",
                 "instructions are not sampled; use Nsight Compute: ncu --section SourceCounters", NULL),
    UNMET_OPTION("source-level-analysis", 'a', "VALUE",
                 "instructions are not sampled; use Nsight Compute: ncu --section SourceCounters", NULL),
    UNMET_OPTION("profile-all-processes", 0, NULL,
                 "stint cannot attach to running processes; start them with stint nvprof --profile-child-processes",
                 NULL),
    UNMET_OPTION("track-memory-allocations", 0, "VALUE",
                 "allocations are always recorded; stint run --report gpu shows them", "off"),
    UNMET_OPTION("concurrent-kernels", 0, "VALUE", "kernels always run concurrently, as without a profiler", "on"),
    UNMET_OPTION("kernel-latency-timestamps", 0, "VALUE",
                 "the time when a kernel was queued is not recorded; use the start of its launch", "off"),
    UNMET_OPTION("cpu-thread-tracing", 0, "VALUE", "threads' waits are not recorded; put scopes around them", "off"),
    UNMET_OPTION("annotate-mpi", 0, "VALUE", "calls of MPI are recorded by stint run instead", "off"),
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

enum { ROWS = sizeof s_rows / sizeof s_rows[0] };

static unsigned char *unmet(struct stint_nvprof_asked *asked, const struct stint_option *option)
{
    return &asked->unmet[(const struct row *)option - s_rows];
}

_Static_assert((int)ROWS <= (int)STINT_NVPROF_MOST_OPTIONS, "struct stint_nvprof_asked has room for every option");

const char *stint_nvprof_option_at(size_t index, const char **why)
{
    *why = index < ROWS ? s_rows[index].why : NULL;
    return index < ROWS ? s_rows[index].option.name : NULL;
}

/* ----------------------------------------------------------------------------------------------------- command line */

static const struct stint_syntax *describe(void)
{
    static struct stint_option options[ROWS + 3] = {[ROWS] = STINT_OPTION_LAST};
    static const struct stint_syntax syntax = {
        .order = "+",
        .usage = "Usage: stint nvprof [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
                 "       stint nvprof -i FILE [OPTIONS]\n"
                 "\n"
                 "Runs PROGRAM and prints what nvprof printed, to stderr. Accepts all options of\n"
                 "nvprof; a message says which have no effect here, and why. See stint-nvprof(1).\n",
        .options = options,
    };
    for (int i = 0; i < ROWS; i++)
        options[i] = s_rows[i].option;
    return &syntax;
}

/* If a value looks like an option, it is taken for one, and the value was forgotten. */
static int is_forgotten(const struct stint_option *option)
{
    if (!option->argument || strncmp(optarg, "--", 2) != 0)
        return 0;
    stint_cli_say("option --%s needs a value", option->name);
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
    for (int found; (found = stint_option_next(count, arguments, syntax)) != STINT_OPTION_END;) {
        if (found == STINT_OPTION_ANSWERED) {
            asked->answered = 1;
            return 0;
        }
        const struct stint_option *option = found < 0 ? NULL : &s_rows[found].option;
        if (!option || is_forgotten(option) || option->read((char *)asked + option->at, option, optarg))
            return -1;
    }
    asked->program = optind;
    return 0;
}
