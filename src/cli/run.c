/* stint run - runs a program, with what it takes to record it, and prints what it and its children did. */
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/recording.h"
#include "cli/version.h"

/* ------------------------------------------------------------------------------------------------------------ options */

static const char s_help[] = "Usage: stint run [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
                             "\n"
                             "Runs PROGRAM and prints what it and the processes it started did: GPU work and\n"
                             "CUDA calls as nvprof did, NVTX ranges and scopes as a tree. Nothing needs to be\n"
                             "recompiled. The report goes to stderr; exit status and signals are PROGRAM's.\n"
                             "\n"
                             "  --gpu on|off|kernels|api  all of CUDA, nothing, GPU work alone, or that and\n"
                             "                            the calls of CUDA's API\n"
                             "  --api on|off              off: the same as --gpu kernels\n"
                             "  --nvtx on|off             NVTX ranges, marks and counters (default: on)\n"
                             "  --trace N                 keep the first N events for a trace\n"
                             "  --report NAME[,NAME...]   table, tree, nvprof, gpu, gpu-trace, api-trace, csv,\n"
                             "                            json, paddle; nvtx_sum, cuda_gpu_kern_sum and others\n"
                             "                            of nsys stats; off. Default: what there is to say\n"
                             "  --format table|csv|json   form of the report\n"
                             "  --log-file FILE           write it there; %p process, %h host, %q{X} variable\n"
                             "  --quiet                   no messages beside the report\n"
                             "  -h, --help                this\n"
                             "  -V, --version             the version\n";

enum { MOST_EVENTS = 1 << 28 }; /* of STINT_GPU_TRACE */
enum { GPU = 256, API, NVTX, TRACE, REPORT, FORMAT, LOG_FILE, QUIET };

static const struct option s_options[] = {
    {"gpu", required_argument, NULL, GPU},
    {"api", required_argument, NULL, API},
    {"nvtx", required_argument, NULL, NVTX},
    {"trace", required_argument, NULL, TRACE},
    {"report", required_argument, NULL, REPORT},
    {"format", required_argument, NULL, FORMAT},
    {"log-file", required_argument, NULL, LOG_FILE},
    {"quiet", no_argument, NULL, QUIET},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

struct run {
    struct stint_recording recording;
    struct stint_print print;
};

struct asked {
    const char *report, *format, *log_file;
    int api;
};

static int read_gpu(struct run *run, const char *text)
{
    static const char *const words[] = {"on", "off", "kernels", "api"};
    size_t choice;
    if (stint_option_choice("gpu", text, words, 4, &choice))
        return -1;
    run->recording.gpu = words[choice];
    return 0;
}

static int read_format(struct asked *asked, const char *text)
{
    static const char *const words[] = {"table", "csv", "json"};
    size_t choice;
    if (stint_option_choice("format", text, words, 3, &choice))
        return -1;
    asked->format = words[choice];
    return 0;
}

/* Returns 0, or -1 after saying what is wrong. */
static int read_option(struct run *run, struct asked *asked, int option)
{
    switch (option) {
    case GPU:
        return read_gpu(run, optarg);
    case API:
        return stint_option_switch("api", optarg, &asked->api);
    case NVTX:
        return stint_option_switch("nvtx", optarg, &run->recording.nvtx);
    case TRACE:
        return stint_option_number("trace", optarg, 1, MOST_EVENTS, &run->recording.trace);
    case REPORT:
        asked->report = optarg;
        return 0;
    case FORMAT:
        return read_format(asked, optarg);
    case LOG_FILE:
        asked->log_file = optarg;
        return 0;
    case QUIET:
        run->recording.quiet = 1;
        return 0;
    default:
        return -1;
    }
}

/* Options say more than the environment. Nonsense in the environment is told, but no reason not to run. */
static int choose_reports(struct stint_print *print, const struct asked *asked)
{
    const char *report = stint_env_text("STINT_REPORT");
    int csv = asked->format && strcmp(asked->format, "csv") == 0;
    print->automatic = 1;
    if (asked->report && asked->format && strcmp(asked->format, "json") == 0) {
        stint_cli_say("JSON has everything: --format json goes without --report");
        return -1;
    }
    if (asked->report)
        return stint_print_choose(print, "--report", asked->report, csv);
    if (asked->format)
        return stint_print_choose(print, "--format", asked->format, 0);
    if (report && stint_print_choose(print, "STINT_REPORT", report, 0))
        print->automatic = 1;
    return 0;
}

static int choose_output(struct run *run, const struct asked *asked)
{
    const char *output = stint_env_text("STINT_OUTPUT");
    if (choose_reports(&run->print, asked))
        return -1;
    if (asked->log_file)
        return stint_print_to(&run->print, "--log-file", asked->log_file);
    if (output)
        (void)stint_print_to(&run->print, "STINT_OUTPUT", output);
    return 0;
}

/* Combines what several options say. */
static int settle(struct run *run, const struct asked *asked)
{
    if (!asked->api && (!run->recording.gpu || strcmp(run->recording.gpu, "on") == 0))
        run->recording.gpu = "kernels";
    if (!asked->api && strcmp(run->recording.gpu, "api") == 0) {
        stint_cli_say("--gpu api and --api off contradict each other");
        return -1;
    }
    return choose_output(run, asked);
}

/* Returns -1 where the program is to be run, else the exit code. */
static int read_options(struct run *run, int count, char **arguments)
{
    struct asked asked = {.api = 1};
    for (int option; (option = stint_option_next(count, arguments, "+:hV", s_options)) != -1;) {
        if (option == 'h' || option == 'V') {
            (void)fputs(option == 'h' ? s_help : "stint " STINT_CLI_VERSION "\n", stdout);
            return STINT_CLI_OK;
        }
        if (read_option(run, &asked, option))
            return STINT_CLI_USAGE;
    }
    if (settle(run, &asked))
        return STINT_CLI_USAGE;
    if (optind < count)
        return -1;
    stint_cli_say("which program? stint run [OPTIONS] [--] PROGRAM [ARGUMENTS]");
    return STINT_CLI_USAGE;
}

/* ---------------------------------------------------------------------------------------------------------------- run */

static void report(void *context, const struct stint_results *results, const struct stint_launch *launch)
{
    char command[4096];
    struct run *run = context;
    for (size_t i = 0; i < results->all.count; i++)
        (void)stint_print(&run->print, stint_results_at(results, i), 0);
    if (!results->all.count && !run->recording.quiet)
        stint_cli_say("nothing was recorded of %s: no scope, NVTX range or CUDA call; stint doctor %s says more",
                      launch->arguments[0], launch->arguments[0]);
    if (results->all.count < 2)
        return;
    struct stint_snapshot *merged = stint_results_merge(results, launch->arguments, command, sizeof command);
    if (merged)
        (void)stint_print(&run->print, merged, 1);
    stint_snapshot_free(merged);
}

int stint_cli_run(int count, char **arguments)
{
    struct run run = {.recording = {.nvtx = 1}};
    int code = read_options(&run, count, arguments);
    return code >= 0 ? code : stint_record(&run.recording, arguments + optind, report, &run);
}
