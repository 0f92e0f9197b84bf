/* The command line of stint run: its options, and what each asks for. */
#include "cli/run_options.h"

#include <string.h>

#include "cli/command.h"
#include "cli/counter_runs.h"
#include "cli/options.h"
#include "ctf_writer/ctf_limits.h"

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

static int read_window(struct stint_run_options *run, const char *text)
{
    run->recording.window = text;
    if (text[0] && text[0] != '@' && strlen(text) <= 255)
        return 0;
    stint_cli_say("--window %.60s: expected an NVTX range, NAME or NAME@DOMAIN, or iterations, FIRST:COUNT", text);
    return -1;
}

static int read_store_max(struct stint_run_options *run, const char *text)
{
    struct stint_ctf_limits limits;
    run->recording.store_max = text;
    if (stint_ctf_limits_read_max(&limits, text) == 0)
        return 0;
    stint_cli_say("--store-max %.60s: expected a size, such as 500M, a time, such as 10s, or both, as in 1G,10s", text);
    return -1;
}

static int read_store_ring(struct stint_run_options *run, const char *text)
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
static int read_option(struct stint_run_options *run, int option)
{
    unsigned long long threshold_ns;
    switch (option) {
    case GPU:
        return stint_option_word("gpu", optarg, s_gpu_words, &run->recording.gpu);
    case API:
        return stint_option_word("api", optarg, s_api_words, &run->api);
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
        run->report = optarg;
        return 0;
    case FORMAT:
        return stint_option_word("format", optarg, stint_option_form_words, &run->format);
    case LOG_FILE:
        run->log_file = optarg;
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

int stint_run_options_read(struct stint_run_options *run, int count, char **arguments)
{
    *run = (struct stint_run_options){.recording = {.nvtx = 1, .from_start = -1, .ops_iterations = USUAL_ITERATIONS},
                                      .api = "on"};
    for (int option; (option = stint_option_next(count, arguments, &s_syntax)) != -1;) {
        if (option == 'h')
            return STINT_CLI_OK;
        if (read_option(run, option))
            return STINT_CLI_USAGE;
    }
    return -1;
}
