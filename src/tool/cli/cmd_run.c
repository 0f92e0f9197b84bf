/* stint run - runs a program so that it is recorded, and prints what it and its children did. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "cli/command.h"
#include "cli/counted.h"
#include "cli/mpi_run.h"
#include "cli/options.h"
#include "cli/print_ops.h"
#include "cli/print_reports.h"
#include "cli/print_samples.h"
#include "cli/program_runs.h"
#include "cli/recording.h"
#include "cli/temporary.h"
#include "ctf_writer/ctf_limits.h"

/* ---------------------------------------------------------------------------------------------------------- options */

enum { MOST_EVENTS = 1 << 28 }; /* of STINT_GPU_TRACE */
enum { MOST_NS = 1000000000 };  /* of STINT_OSRT_THRESHOLD */
enum { USUAL_ITERATIONS = 3, MOST_ITERATIONS = 1000000, USUAL_CALLS = 10, MOST_CALLS = 100 }; /* of operations */
enum { MOST_HZ = 10000 };                                                                     /* of STINT_SAMPLE */
enum {
    GPU = 256,
    API,
    NVTX,
    TRACE,
    STORE,
    STORE_MAX,
    STORE_RING,
    STORE_WAIT,
    REPORT,
    FORMAT,
    LOG_FILE,
    QUIET,
    FROM_START,
    DELAY,
    DURATION,
    TIMEOUT,
    WINDOW,
    LIVE,
    FUNCTIONS,
    OSRT,
    OSRT_THRESHOLD,
    CPU,
    SYSTEM,
    COUNTERS,
    COUNTER_KERNELS,
    COUNTER_LAUNCHES,
    COUNTER_SCOPES,
    REPLAY_MODE,
    SAMPLE,
    ADOPT,
    PER_PROCESS,
    OPS,
    OPS_ITERATIONS,
    TRACE_CALLS
};

static const char *const s_gpu_words[] = {"on", "off", "kernels", "api", NULL};
static const char *const s_api_words[] = {"on", "all", "off", NULL};

static const char *const s_replay_words[] = {"kernel", "application", NULL};

static const char *const s_adopt_words[] = {"off", "autograd", "main", "all", NULL};

static const struct stint_option s_options[] = {
    {"gpu", GPU, NULL, "GPU activity, none, GPU work, or that and CUDA calls", s_gpu_words},
    {"api", API, NULL, NULL, s_api_words},
    {"cpu", CPU, NULL, "CUDA calls that matter, all, none; scopes' CPU time", NULL},
    {"sample", SAMPLE, "[=HZ]", NULL, NULL},
    {"functions", FUNCTIONS, "PATTERNS", "functions: samples; all instrumented ones", NULL},
    {"system-profiling", SYSTEM, "on", NULL, stint_option_switches},
    {"osrt", OSRT, NULL, "power, clocks; waits (--osrt-threshold)", NULL},
    {"osrt-threshold", OSRT_THRESHOLD, "NS", "", NULL},
    {"counters", COUNTERS, "LIST", NULL, NULL},
    {"replay-mode", REPLAY_MODE, "M", "GPU: --kernels --launches --counter-scopes", s_replay_words},
    {"kernels", COUNTER_KERNELS, "PATTERNS", "", NULL},
    {"launches", COUNTER_LAUNCHES, "N", "", NULL},
    {"counter-scopes", COUNTER_SCOPES, "PATTERNS", "", NULL},
    {"ops", OPS, NULL, "PyTorch's operations; --ops-iterations --trace-calls", NULL},
    {"trace-calls", TRACE_CALLS, "[=LINES]", "", NULL},
    {"ops-iterations", OPS_ITERATIONS, "N", "", NULL},
    {"nvtx", NVTX, "off", NULL, stint_option_switches},
    {"adopt", ADOPT, "main", "no NVTX ranges; others' work is in the main scope", s_adopt_words},
    {"from-start", FROM_START, "off", "record only between cudaProfilerStart and Stop", stint_option_switches},
    {"delay", DELAY, "S", NULL, NULL},
    {"duration", DURATION, "S", "begin after S seconds; record for S (or --timeout)", NULL},
    {"timeout", TIMEOUT, "S", "", NULL},
    {"window", WINDOW, "NAME[@DOMAIN]", "only in such NVTX ranges, or FIRST:COUNT iterations", NULL},
    {"live", LIVE, "[=S]", NULL, NULL},
    {"trace", TRACE, "N", "top rows every 5 or S seconds; a trace of N events", NULL},
    {"store", STORE, "FILE", "each event (--store-max, --store-ring, --store-wait)", NULL},
    {"store-max", STORE_MAX, "LIMIT", "", NULL},
    {"store-ring", STORE_RING, "SIZE", "", NULL},
    {"store-wait", STORE_WAIT, NULL, "", NULL},
    {"report", REPORT, "NAME[,NAME...]",
     "table, tree, nvprof, gpu, gpu-trace, api-trace, csv, json, paddle, processes; nvtx_sum, "
     "cuda_gpu_kern_sum and "
     "others of nsys stats; off. Default: summary",
     NULL},
    STINT_SELECT_OPTIONS,
    {"format", FORMAT, NULL, "form of the report; trees: --fold-recursion", stint_option_form_words},
    {"log-file", LOG_FILE, "FILE", NULL, NULL},
    {"per-process", PER_PROCESS, NULL, NULL, NULL},
    {"quiet", QUIET, NULL, "to FILE (%p); each process; quietly", NULL},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "+",
    .usage = "Usage: stint run [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
             "Runs PROGRAM, which needs no recompiling, and prints on a screen what took time.\n",
    .options = s_options,
};

enum { REPORTS_SIZE = 1024 };

struct run {
    struct stint_recording recording;
    struct stint_stores stores;
    int failed;    /* to write a report or a recording */
    int is_usual;  /* no report was asked for */
    int uncounted; /* counters were asked for, but not read */
    struct stint_print print;
    int is_store_kept;               /* 0: it is only made for the report on operations */
    char reports[REPORTS_SIZE];      /* that --report asks for, without the next */
    struct stint_op_table ops_lines; /* without columns: the report "ops" is not wanted */
};

struct asked {
    const char *report, *format, *log_file, *api;
};

static int read_window(struct run *run, const char *text)
{
    run->recording.window = text;
    if (text[0] && text[0] != '@' && strlen(text) <= 255)
        return 0;
    stint_cli_say("--window %.60s: expected an NVTX range, NAME or NAME@DOMAIN, or iterations, FIRST:COUNT", text);
    return -1;
}

static int read_store_max(struct run *run, const char *text)
{
    struct stint_ctf_limits limits;
    run->recording.store_max = text;
    if (stint_ctf_limits_read_max(&limits, text) == 0)
        return 0;
    stint_cli_say("--store-max %.60s: expected a size, such as 500M, a time, such as 10s, or both, as in 1G,10s", text);
    return -1;
}

static int read_store_ring(struct run *run, const char *text)
{
    struct stint_ctf_limits limits;
    run->recording.store_ring = text;
    if (stint_ctf_limits_read_ring(&limits, text) == 0)
        return 0;
    stint_cli_say(
        "--store-ring %.60s: expected a size of 256K or more, such as 64M, a time, such as 30s, or both, as in 64M,30s",
        text);
    return -1;
}

/* As STINT_SAMPLE. */
static int check_sampling(const char *how)
{
    unsigned long long hz;
    if (strcmp(how, "on") == 0 || strcmp(how, "wall") == 0)
        return 0;
    return stint_option_number("sample", strncmp(how, "wall:", 5) == 0 ? how + 5 : how, 1, MOST_HZ, &hz);
}

static int read_replay_mode(struct stint_recording *recording)
{
    const char *mode;
    if (stint_option_word("replay-mode", optarg, s_replay_words, &mode))
        return -1;
    recording->counter_run = strcmp(mode, "application") == 0;
    return 0;
}

/* Returns 0, or -1 after saying what is wrong. */
static int read_counters(struct stint_recording *recording, int option)
{
    switch (option) {
    case COUNTERS:
        recording->counters = optarg;
        return stint_counted_read(optarg);
    case COUNTER_KERNELS:
        recording->counter_kernels = optarg;
        return 0;
    case COUNTER_LAUNCHES:
        recording->counter_launches = optarg;
        return stint_counted_read_launches(optarg);
    case REPLAY_MODE:
        return read_replay_mode(recording);
    default:
        recording->counter_scopes = optarg;
        return 0;
    }
}

/* Returns 0, or -1 after saying what is wrong. */
static int read_option(struct run *run, struct asked *asked, int option)
{
    unsigned long long threshold_ns;
    switch (option) {
    case GPU:
        return stint_option_word("gpu", optarg, s_gpu_words, &run->recording.gpu);
    case API:
        return stint_option_word("api", optarg, s_api_words, &asked->api);
    case NVTX:
        return stint_option_switch("nvtx", optarg, &run->recording.nvtx);
    case TRACE:
        return stint_option_number("trace", optarg, 1, MOST_EVENTS, &run->recording.trace);
    case STORE:
        run->recording.stores = &run->stores;
        run->is_store_kept = 1;
        return stint_stores_read(&run->stores, optarg);
    case STORE_MAX:
        return read_store_max(run, optarg);
    case STORE_RING:
        return read_store_ring(run, optarg);
    case STORE_WAIT:
        run->recording.store_wait = 1;
        return 0;
    case FROM_START:
        return stint_option_switch("from-start", optarg, &run->recording.from_start);
    case DELAY:
        return stint_option_seconds("delay", optarg, 0, &run->recording.delay);
    case DURATION:
        return stint_option_seconds("duration", optarg, 0.001, &run->recording.duration);
    case TIMEOUT:
        return stint_option_seconds("timeout", optarg, 0.001, &run->recording.duration);
    case WINDOW:
        return read_window(run, optarg);
    case LIVE:
        run->recording.live = 5;
        return optarg ? stint_option_seconds("live", optarg, 0.1, &run->recording.live) : 0;
    case REPORT:
        asked->report = optarg;
        return 0;
    case FORMAT:
        return stint_option_word("format", optarg, stint_option_form_words, &asked->format);
    case LOG_FILE:
        asked->log_file = optarg;
        return 0;
    case QUIET:
        run->recording.quiet = 1;
        run->print.select.quiet = 1;
        return 0;
    case ADOPT:
        return stint_option_word("adopt", optarg, s_adopt_words, &run->recording.adopt);
    case PER_PROCESS:
        run->print.per_process = 1;
        return 0;
    case CPU:
        run->recording.cpu = 1;
        return 0;
    case OPS:
        run->recording.ops = 1;
        return 0;
    case OPS_ITERATIONS:
        run->recording.ops = 1;
        return stint_option_number("ops-iterations", optarg, 0, MOST_ITERATIONS, &run->recording.ops_iterations);
    case TRACE_CALLS:
        run->recording.ops = 1;
        run->recording.trace_calls = USUAL_CALLS;
        return optarg ? stint_option_number("trace-calls", optarg, 1, MOST_CALLS, &run->recording.trace_calls) : 0;
    case SYSTEM:
        return stint_option_switch("system-profiling", optarg, &run->recording.system);
    case COUNTERS:
    case COUNTER_KERNELS:
    case COUNTER_LAUNCHES:
    case COUNTER_SCOPES:
    case REPLAY_MODE:
        return read_counters(&run->recording, option);
    case SAMPLE:
        run->recording.sample = optarg ? optarg : "on";
        return check_sampling(run->recording.sample);
    case FUNCTIONS:
        run->recording.functions = optarg;
        return 0;
    case OSRT:
        run->recording.osrt = 1;
        return 0;
    case OSRT_THRESHOLD:
        run->recording.osrt = 1;
        run->recording.osrt_threshold = optarg;
        return stint_option_number("osrt-threshold", optarg, 0, MOST_NS, &threshold_ns);
    default:
        return stint_select_read(&run->print.select, option, optarg);
    }
}

static int choose_output(struct run *run, const struct asked *asked)
{
    const char *output = stint_env_text("STINT_OUTPUT");
    run->is_usual = !asked->report && !asked->format && !stint_env_text("STINT_REPORT");
    if (stint_print_ask(&run->print, asked->report, asked->format))
        return -1;
    run->recording.mpi_library = stint_mpi_run_library();
    run->recording.adds_ranks_up = !asked->log_file && !output && !run->recording.ops;
    if (asked->log_file && stint_print_to(&run->print, "--log-file", asked->log_file))
        return -1;
    if (!asked->log_file && output)
        (void)stint_print_to(&run->print, "STINT_OUTPUT", output);
    return stint_print_check(&run->print, "--log-file");
}

/* Returns 0 if a library that an option needs was found and can be preloaded, or -1 after saying that it cannot. */
static int check_library(const char *path, const char *option, const char *name)
{
    if (!path[0])
        stint_cli_say("%s: %s was not found beside stint; install it, or leave the option out", option, name);
    else if (strpbrk(path, " :"))
        stint_cli_say("%s: %s cannot be preloaded, because its path has a blank or a colon", option, path);
    else
        return 0;
    return -1;
}

/* Operations are in recordings: without one that is kept, it is one for a report. */
static int prepare_ops(struct run *run)
{
    char pattern[PATH_MAX];
    size_t used = 0;
    run->recording.python = stint_locate_python();
    if (!run->recording.python.path[0]) {
        stint_cli_say("--ops: share/stint/python was not found beside stint; install it, or leave the option out");
        return -1;
    }
    if (run->recording.stores)
        return 0;
    run->recording.stores = &run->stores;
    for (const char *at = stint_temporary_folder(); *at && used < sizeof pattern / 2; at++) {
        if (*at == '%') /* the folder's name is no pattern */
            pattern[used++] = '%';
        pattern[used++] = *at;
    }
    (void)snprintf(pattern + used, sizeof pattern - used, "/stint-ops-%ld.stint", (long)getpid());
    return stint_stores_read(&run->stores, pattern);
}

static int find_libraries(struct stint_recording *recording)
{
    if (recording->functions) {
        recording->functions_library = stint_locate_functions();
        if (check_library(recording->functions_library.path, "--functions", "libstint_functions.so"))
            return -1;
    }
    if (recording->sample) {
        recording->sample_library = stint_locate_sample();
        if (check_library(recording->sample_library.path, "--sample", "libstint_sample.so"))
            return -1;
    }
    if (!recording->osrt)
        return 0;
    recording->inject = stint_locate_osrt();
    return check_library(recording->inject.path, "--osrt", "libstint_inject_osrt.so");
}

/* Returns 0, or -1 after saying that the options contradict each other. */
static int settle_calls(struct stint_recording *recording, const char *api)
{
    int all = strcmp(api, "all") == 0, none = strcmp(api, "off") == 0;
    const char *gpu = recording->gpu ? recording->gpu : "on";
    if (strcmp(gpu, "on") == 0 && (all || none)) {
        recording->gpu = all ? "calls" : "kernels";
    } else if (all || (none && strcmp(gpu, "api") == 0)) {
        stint_cli_say("--gpu %s and --api %s contradict each other", gpu, api);
        return -1;
    }
    return 0;
}

/* Combines what several options say. */
static int settle(struct run *run, const struct asked *asked)
{
    if (settle_calls(&run->recording, asked->api) || find_libraries(&run->recording))
        return -1;
    if (run->recording.ops && prepare_ops(run))
        return -1;
    return choose_output(run, asked);
}

/* The report "ops" is not one of all programs: it is made of the recording. */
static int take_ops_lines(struct run *run, struct asked *asked)
{
    if (!asked->report || strlen(asked->report) >= sizeof run->reports)
        return 0;
    (void)snprintf(run->reports, sizeof run->reports, "%s", asked->report);
    if (!stint_print_ops_take(run->reports, &run->ops_lines))
        return 0;
    if (!run->recording.ops && !run->is_store_kept) {
        stint_cli_say("--report ops: add --ops, for PyTorch, or --store FILE, for programs that use stint/op.h");
        return -1;
    }
    asked->report = run->reports[0] ? run->reports : "off";
    return 0;
}

/* Returns -1 if the program is to be run, else the exit code. */
static int read_options(struct run *run, int count, char **arguments)
{
    struct asked asked = {.api = "on"};
    for (int option; (option = stint_option_next(count, arguments, &s_syntax)) != -1;) {
        if (option == 'h')
            return STINT_CLI_OK;
        if (read_option(run, &asked, option))
            return STINT_CLI_USAGE;
    }
    if (take_ops_lines(run, &asked) || settle(run, &asked))
        return STINT_CLI_USAGE;
    if (optind < count)
        return -1;
    stint_cli_say("no program was given: stint run [OPTIONS] [--] PROGRAM [ARGUMENTS]");
    return STINT_CLI_USAGE;
}

/* -------------------------------------------------------------------------------------------------------------- run */

static void say_what_would_record(const struct run *run, const char *program)
{
    stint_cli_say("nothing was recorded of %s: no scope, NVTX range or CUDA call%s. %s, link stint and use its timers, "
                  "or compile with -finstrument-functions and add --functions '*'; stint doctor %s says more",
                  program, run->recording.osrt ? ", and no wait" : "",
                  run->recording.osrt ? "Lower --osrt-threshold" : "Add --osrt to see what it waits for", program);
}

static int report_ops(struct run *run, const struct stint_results *results)
{
    char path[PATH_MAX];
    if (stint_stores_name(&run->stores, path, sizeof path) || stint_stores_take(&run->stores, results, 1))
        return -1;
    int failed = access(path, F_OK) == 0 ? stint_print_ops(&run->print, path, &run->ops_lines) : 0;
    stint_stores_remove(path);
    return failed;
}

static int report_kept_ops(struct run *run)
{
    char path[PATH_MAX];
    if (stint_stores_name(&run->stores, path, sizeof path))
        return -1;
    if (access(path, F_OK) == 0)
        return stint_print_ops(&run->print, path, &run->ops_lines);
    stint_cli_say("--report ops: there is no one recording of all; stint ops FILE prints those of each");
    return -1;
}

/* Returns whether this is a rank of a job whose ranks were added up. */
static int report_ranks(struct run *run)
{
    struct stint_snapshot *sum;
    if (!run->recording.adds_ranks_up || !run->recording.mpi_library.path[0] ||
        !stint_mpi_run_take(&run->recording.folder, &sum))
        return 0;
    if (sum && run->is_usual)
        (void)stint_print_choose(&run->print, "", "ranks", 0);
    run->failed = sum && stint_print(&run->print, sum, NULL, 1);
    stint_snapshot_free(sum);
    return 1;
}

static void report_own(struct run *run, const struct stint_results *results, const struct stint_launch *launch)
{
    const char *slash = strrchr(launch->arguments[0], '/');
    if (run->recording.counters && run->is_usual)
        (void)stint_print_choose(&run->print, "", "counters", 0);
    run->failed =
        stint_results_print(results, &run->print, slash ? slash + 1 : launch->arguments[0], launch->arguments + 1);
    if (run->recording.counters)
        run->uncounted = stint_counted_check(results) != 0;
    else if (!results->all.count && !results->lost.count && !run->recording.quiet)
        say_what_would_record(run, launch->arguments[0]);
}

static void report(void *context, struct stint_results *results, const struct stint_launch *launch)
{
    struct run *run = context;
    if (!report_ranks(run))
        report_own(run, results, launch);
    if (run->recording.sample && run->is_usual)
        run->failed |= stint_print_samples(&run->print, results) != 0;
    if (run->recording.stores && !run->is_store_kept)
        run->failed |= report_ops(run, results) != 0;
    else if (run->recording.stores)
        run->failed |= stint_stores_take(&run->stores, results, run->recording.quiet);
    if (run->is_store_kept && run->ops_lines.count && !run->failed)
        run->failed = report_kept_ops(run) != 0;
}

int stint_cli_run(int count, char **arguments)
{
    struct run run = {.recording = {.nvtx = 1, .from_start = -1, .ops_iterations = USUAL_ITERATIONS}};
    int code = read_options(&run, count, arguments);
    if (code < 0)
        code = stint_record_runs(&run.recording, arguments + optind, report, &run);
    if (code || !run.failed)
        return code || !run.uncounted ? code : STINT_CLI_UNCOUNTED;
    return STINT_CLI_NO;
}
