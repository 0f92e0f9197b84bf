/* The command line of stint run: its options, and what each asks for. */
#include "cli/command_line.h"

#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/recording.h"
#include "ctf_writer/ctf_limits.h"

enum { MOST_EVENTS = 1 << 28 }; /* of STINT_GPU_TRACE */
enum { MOST_NS = 1000000000 };  /* of STINT_OSRT_THRESHOLD */
enum { USUAL_ITERATIONS = 3, MOST_ITERATIONS = 1000000, USUAL_CALLS = 10, MOST_CALLS = 100 }; /* of operations */
enum { USUAL_LIVE_S = 5 };
enum { MOST_HZ = 10000 }; /* of STINT_SAMPLE */
static const char *const s_gpu_words[] = {"on", "off", "kernels", "api", NULL};
static const char *const s_api_words[] = {"on", "all", "off", NULL};

static const char *const s_replay_words[] = {"kernel", "application", NULL};

static const char *const s_adopt_words[] = {"off", "autograd", "main", "all", NULL};

/* ---------------------------------------------------------------------------------------------------------- readers */

static int read_trace(void *value, const struct stint_option *option, const char *text)
{
    return stint_option_number(option, text, 1, MOST_EVENTS, value);
}

static int read_delay(void *value, const struct stint_option *option, const char *text)
{
    return stint_option_seconds(option, text, 0, value);
}

static int read_duration(void *value, const struct stint_option *option, const char *text)
{
    return stint_option_seconds(option, text, 0.001, value);
}

static int read_live(void *value, const struct stint_option *option, const char *text)
{
    *(double *)value = USUAL_LIVE_S;
    return text ? stint_option_seconds(option, text, 0.1, value) : 0;
}

static int read_window(void *value, const struct stint_option *option, const char *text)
{
    *(const char **)value = text;
    if (text[0] && text[0] != '@' && strlen(text) <= 255)
        return 0;
    stint_cli_say("--%s %.60s: expected an NVTX range, NAME or NAME@DOMAIN, or iterations, FIRST:COUNT", option->name,
                  text);
    return -1;
}

static int read_store(void *value, const struct stint_option *option, const char *text)
{
    struct stint_run_options *run = value;
    (void)option;
    run->recording.stores = &run->stores;
    run->is_store_kept = 1;
    return stint_stores_read(&run->stores, text);
}

static int read_store_max(void *value, const struct stint_option *option, const char *text)
{
    struct stint_ctf_limits limits;
    *(const char **)value = text;
    if (stint_ctf_limits_read_max(&limits, text) == 0)
        return 0;
    stint_cli_say("--%s %.60s: expected a size, such as 500M, a time, such as 10s, or both, as in 1G,10s", option->name,
                  text);
    return -1;
}

static int read_store_ring(void *value, const struct stint_option *option, const char *text)
{
    struct stint_ctf_limits limits;
    *(const char **)value = text;
    if (stint_ctf_limits_read_ring(&limits, text) == 0)
        return 0;
    stint_cli_say(
        "--%s %.60s: expected a size of 256K or more, such as 64M, a time, such as 30s, or both, as in 64M,30s",
        option->name, text);
    return -1;
}

/* As STINT_SAMPLE. */
static int read_sample(void *value, const struct stint_option *option, const char *text)
{
    unsigned long long hz;
    *(const char **)value = text ? text : "on";
    if (!text || strcmp(text, "on") == 0 || strcmp(text, "wall") == 0 || strcmp(text, "off") == 0)
        return 0;
    return stint_option_number(option, strncmp(text, "wall:", 5) == 0 ? text + 5 : text, 1, MOST_HZ, &hz);
}

static int read_threshold(void *value, const struct stint_option *option, const char *text)
{
    struct stint_recording *recording = value;
    unsigned long long ns;
    recording->osrt = 1;
    recording->osrt_threshold = text;
    return stint_option_number(option, text, 0, MOST_NS, &ns);
}

static int read_iterations(void *value, const struct stint_option *option, const char *text)
{
    struct stint_recording *recording = value;
    recording->ops = 1;
    return stint_option_number(option, text, 0, MOST_ITERATIONS, &recording->ops_iterations);
}

static int read_calls(void *value, const struct stint_option *option, const char *text)
{
    struct stint_recording *recording = value;
    recording->ops = 1;
    recording->trace_calls = USUAL_CALLS;
    return text ? stint_option_number(option, text, 1, MOST_CALLS, &recording->trace_calls) : 0;
}

static int read_counters(void *value, const struct stint_option *option, const char *text)
{
    (void)option;
    *(const char **)value = text;
    return stint_counted_read(text);
}

static int read_launches(void *value, const struct stint_option *option, const char *text)
{
    (void)option;
    *(const char **)value = text;
    return stint_counted_read_launches(text);
}

static int read_replay_mode(void *value, const struct stint_option *option, const char *text)
{
    int mode;
    if (stint_option_choice(&mode, option, text))
        return -1;
    *(size_t *)value = (size_t)mode;
    return 0;
}

static int read_quiet(void *value, const struct stint_option *option, const char *text)
{
    struct stint_run_options *run = value;
    (void)option;
    (void)text;
    run->recording.quiet = run->print.select.quiet = 1;
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- options */

#define AT(member) offsetof(struct stint_run_options, member)

static const struct stint_option s_options[] = {
    {"sample", 0, "[=HZ]",
     "sample the call stacks of PROGRAM and the processes it starts, HZ times (default: 997) per second of CPU time; "
     "=wall: of elapsed time; =off: take no samples. Without this option, only PROGRAM itself is sampled",
     NULL, read_sample, AT(recording.sample)},
    {"functions", 0, "PATTERNS",
     "record the functions that were compiled with -finstrument-functions as scopes; '*': all but tiny ones", NULL,
     stint_option_text, AT(recording.functions)},
    {"cpu", 0, NULL, "measure CPU time as well as elapsed time of scopes and ranges", NULL, stint_option_flag,
     AT(recording.cpu)},
    {"budget", 0, "SHARE", "estimate frequent scopes and functions, so that recording costs no more: 2%", NULL,
     stint_option_text, AT(recording.budget)},
    {"osrt", 0, NULL, "record blocking calls of the C library: read, poll, pthread_mutex_lock, ...", NULL,
     stint_option_flag, AT(recording.osrt)},
    {"osrt-threshold", 0, "NS", "record only those that take at least NS nanoseconds (default: 1000)", NULL,
     read_threshold, AT(recording)},
    {"nvtx", 0, "off", "do not record NVTX ranges", stint_option_switches, stint_option_switch, AT(recording.nvtx)},
    {"adopt", 0, "RULE",
     "charge work of threads that have no scope to another thread's scope: off, autograd (default), main, all",
     s_adopt_words, stint_option_word, AT(recording.adopt)},

    {"from-start", 0, "off", "start at cudaProfilerStart, stop at cudaProfilerStop", stint_option_switches,
     stint_option_switch, AT(recording.from_start)},
    {"delay", 0, "S", "start S seconds after the program", NULL, read_delay, AT(recording.delay)},
    {"duration", 0, "S", "stop after S seconds of recording; the program runs on", NULL, read_duration,
     AT(recording.duration)},
    {"timeout", 0, "S", "nvprof's name for --duration", NULL, read_duration, AT(recording.duration)},
    {"window", 0, "WHAT", "record only within NVTX ranges NAME[@DOMAIN], or only iterations FIRST:COUNT", NULL,
     read_window, AT(recording.window)},

    {"live", 0, "[=S]", "print the top rows every S seconds (default: 5) while the program runs", NULL, read_live,
     AT(recording.live)},
    {"report", 0, "NAME[,NAME...]",
     "which reports to print: summary (default), table, tree, nvprof, gpu, gpu-trace, api-trace, csv, json, paddle, "
     "processes, nvtx_sum, cuda_gpu_kern_sum, ...; off: none. stint stats --list describes all",
     NULL, stint_option_text, AT(report)},
    {"format", 0, NULL, "format of the reports", stint_option_form_words, stint_option_word, AT(format)},
    STINT_SELECT_OPTIONS(AT(print.select)),
    {"per-process", 0, NULL, "print the reports of each process, too", NULL, stint_option_flag, AT(print.per_process)},
    {"quiet", 0, NULL, "print only reports and errors", NULL, read_quiet, 0},

    {"gpu", 0, "WHAT",
     "on (default): GPU work, CUDA API calls, synchronization and memory; api: GPU work and API calls; kernels: only "
     "GPU work; off: nothing",
     s_gpu_words, stint_option_word, AT(recording.gpu)},
    {"api", 0, NULL, "which CUDA API calls to record: those that launch, copy, allocate, wait or load; all; or none",
     s_api_words, stint_option_word, AT(api)},
    {"trace", 0, "N", "keep the first N kernels, copies and calls for reports that list each one", NULL, read_trace,
     AT(recording.trace)},
    {"system-profiling", 0, "on", "sample power, clocks and temperatures of GPUs", stint_option_switches,
     stint_option_switch, AT(recording.system)},
    {"counters", 0, "LIST", "read hardware counters of kernels: names of groups or metrics, comma-separated", NULL,
     read_counters, AT(recording.counters)},
    {"kernels", 0, "PATTERNS", "count only kernels with these names", NULL, stint_option_text,
     AT(recording.counter_kernels)},
    {"launches", 0, "WHICH", "count only these launches of each kernel: N, FIRST-LAST, all (default: 1-8)", NULL,
     read_launches, AT(recording.counter_launches)},
    {"counter-scopes", 0, "PATTERNS", "count only what is launched in scopes and ranges with these names", NULL,
     stint_option_text, AT(recording.counter_scopes)},
    {"replay-mode", 0, "WHAT", "what to run again if the counters need several passes: kernel (default) or application",
     s_replay_words, read_replay_mode, AT(recording.counter_run)},
    {"ops", 0, NULL, "record which PyTorch operation launched each kernel", NULL, stint_option_flag, AT(recording.ops)},
    {"ops-iterations", 0, "N", "read types and arguments of operations in the first N iterations (default: 3)", NULL,
     read_iterations, AT(recording)},
    {"trace-calls", 0, "[=LINES]", "record the Python call stack of each operation, LINES deep (default: 10)", NULL,
     read_calls, AT(recording)},

    {"store", 0, "FILE", "keep every event in FILE: a recording (FILE.stint) or a database (FILE.sqlite)", NULL,
     read_store, 0},
    {"store-max", 0, "LIMIT", "stop keeping events at a size or after a time: 500M, 10s", NULL, read_store_max,
     AT(recording.store_max)},
    {"store-ring", 0, "SIZE", "keep only the most recent events: 64M, 30s", NULL, read_store_ring,
     AT(recording.store_ring)},
    {"store-wait", 0, NULL, "make the program wait for the disk rather than lose events", NULL, stint_option_flag,
     AT(recording.store_wait)},
    {"log-file", 0, "FILE", "write reports to FILE; %p stands for the process ID", NULL, stint_option_text,
     AT(log_file)},
    STINT_OPTION_LAST,
};

static const struct stint_section s_sections[] = {
    {"sample", "What to record"},
    {"from-start", "When to record"},
    {"live", "What to print"},
    {"gpu", "GPU"},
    {"store", "Files to write"},
    {"help", "Help"},
    {NULL, NULL},
};

static const struct stint_syntax s_syntax = {
    .order = "+",
    .usage = "Usage: stint run [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
             "\n"
             "Runs PROGRAM, which need not be recompiled, and prints where its time went:\n"
             "functions that used the CPU, scopes, NVTX ranges, GPU kernels.\n",
    .options = s_options,
    .sections = s_sections,
};

int stint_run_options_read(struct stint_run_options *run, int count, char **arguments)
{
    *run = (struct stint_run_options){.recording = {.nvtx = 1, .from_start = -1, .ops_iterations = USUAL_ITERATIONS},
                                      .api = "on"};
    return stint_options_read(count, arguments, &s_syntax, run);
}
