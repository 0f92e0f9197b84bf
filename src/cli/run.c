/* stint run - runs a program, with what it takes to record it, and prints what it and its children did. */
#include "cli/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "cli/command.h"
#include "cli/launch.h"
#include "cli/options.h"
#include "cli/version.h"
#include "import/json.h"

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

struct asked {
    const char *report, *format, *log_file;
    int api;
};

static int read_gpu(struct stint_run *run, const char *text)
{
    static const char *const words[] = {"on", "off", "kernels", "api"};
    size_t choice;
    if (stint_option_choice("gpu", text, words, 4, &choice))
        return -1;
    run->gpu = words[choice];
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
static int read_option(struct stint_run *run, struct asked *asked, int option)
{
    switch (option) {
    case GPU:
        return read_gpu(run, optarg);
    case API:
        return stint_option_switch("api", optarg, &asked->api);
    case NVTX:
        return stint_option_switch("nvtx", optarg, &run->nvtx);
    case TRACE:
        return stint_option_number("trace", optarg, 1, MOST_EVENTS, &run->trace);
    case REPORT:
        asked->report = optarg;
        return 0;
    case FORMAT:
        return read_format(asked, optarg);
    case LOG_FILE:
        asked->log_file = optarg;
        return 0;
    case QUIET:
        run->quiet = 1;
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

static int choose_output(struct stint_run *run, const struct asked *asked)
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
static int settle(struct stint_run *run, const struct asked *asked)
{
    if (!asked->api && (!run->gpu || strcmp(run->gpu, "on") == 0))
        run->gpu = "kernels";
    if (!asked->api && strcmp(run->gpu, "api") == 0) {
        stint_cli_say("--gpu api and --api off contradict each other");
        return -1;
    }
    return choose_output(run, asked);
}

/* Returns -1 where the program is to be run, else the exit code. */
static int read_options(struct stint_run *run, int count, char **arguments)
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

/* ------------------------------------------------------------------------------------------------------------ reports */

/* What the processes did, the one that began first in front. */
struct results {
    struct stint_arena arena;
    struct stint_array all; /* struct result */
};

struct result {
    struct stint_snapshot *snapshot;
};

static struct stint_snapshot *snapshot_at(const struct results *results, size_t i)
{
    return ((const struct result *)results->all.items)[i].snapshot;
}

static void insert(struct results *results, struct stint_snapshot *snapshot)
{
    struct result *row = stint_array_add(&results->all, &results->arena, sizeof *row);
    if (!row) {
        stint_snapshot_free(snapshot);
        return;
    }
    for (row->snapshot = snapshot; row != results->all.items; row--) {
        if (row[-1].snapshot->process.start_unix_ns <= snapshot->process.start_unix_ns)
            break;
        row[0] = row[-1];
        row[-1].snapshot = snapshot;
    }
}

static void read_report(struct results *results, const char *path)
{
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_import_file(path, &snapshot, &error);
    if (!status)
        insert(results, snapshot);
    else if (error.line)
        stint_cli_say("a process's report cannot be read: %s, line %zu: %s", strrchr(path, '/') + 1, error.line,
                      error.reason);
    else
        stint_cli_say("a process's report cannot be read: %s: %s", strrchr(path, '/') + 1, error.reason);
}

static void read_reports(struct results *results, const struct stint_folder *folder)
{
    struct stint_array paths = {0};
    if (stint_folder_list(folder, &paths, &results->arena))
        stint_cli_say("%s cannot be read: %s", folder->path, strerror(errno));
    for (size_t i = 0; i < paths.count; i++)
        read_report(results, ((const char **)paths.items)[i]);
}

static void free_results(struct results *results)
{
    for (size_t i = 0; i < results->all.count; i++)
        stint_snapshot_free(snapshot_at(results, i));
    stint_arena_free(&results->arena);
}

/* Returns all snapshots as one, or NULL. */
static struct stint_snapshot *merge(const struct results *results)
{
    struct stint_snapshot *merged = NULL, *sum;
    for (size_t i = 1; i < results->all.count; i++) {
        enum stint_status status =
            stint_snapshot_merge(merged ? merged : snapshot_at(results, 0), snapshot_at(results, i), &sum);
        stint_snapshot_free(merged);
        merged = sum;
        if (status)
            return NULL;
    }
    return merged;
}

/* From the first begin to the last end. */
static uint64_t wall_ns(const struct results *results)
{
    uint64_t begin = snapshot_at(results, 0)->process.start_unix_ns, longest = 0;
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_process *process = &snapshot_at(results, i)->process;
        uint64_t end = process->start_unix_ns - begin + process->wall_ns;
        if (end > longest)
            longest = end;
    }
    return longest;
}

/* "3 processes: ./train --fast" */
static void describe(char *out, size_t size, size_t processes, char **arguments)
{
    size_t used = (size_t)snprintf(out, size, "%zu processes:", processes);
    for (; *arguments && used < size; arguments++)
        used += (size_t)snprintf(out + used, size - used, " %s", *arguments);
}

static void print_together(struct stint_run *run, const struct results *results, char **arguments)
{
    char command[4096];
    struct stint_snapshot *merged = merge(results);
    if (!merged) {
        stint_cli_say("there is no memory for a report on all processes");
        return;
    }
    describe(command, sizeof command, results->all.count, arguments);
    merged->process.pid = 0;
    merged->process.command = command;
    merged->process.wall_ns = wall_ns(results);
    (void)stint_print(&run->print, merged, 1);
    stint_snapshot_free(merged);
}

static void print_results(struct stint_run *run, const struct results *results, char **arguments)
{
    for (size_t i = 0; i < results->all.count; i++)
        (void)stint_print(&run->print, snapshot_at(results, i), 0);
    if (results->all.count > 1)
        print_together(run, results, arguments);
}

static void report(struct stint_run *run, const struct stint_launch *launch)
{
    struct results results = {0};
    read_reports(&results, &run->folder);
    print_results(run, &results, launch->arguments);
    if (!results.all.count && !run->quiet)
        stint_cli_say("nothing was recorded of %s: no scope, NVTX range or CUDA call; stint doctor %s says more",
                      launch->arguments[0], launch->arguments[0]);
    free_results(&results);
}

/* ---------------------------------------------------------------------------------------------------------------- run */

static void prepare(void *context)
{
    stint_run_set_environment(context);
}

static void warn_of_library(const struct stint_run *run)
{
    if (run->quiet)
        return;
    if (!run->inject.path[0])
        stint_cli_say("libstint_inject.so was not found: only programs that are linked with stint are recorded; name "
                      "it in STINT_INJECT_LIBRARY");
    else if (strpbrk(run->inject.path, " :"))
        stint_cli_say(
            "%s cannot be preloaded, as its path has a blank or a colon: programs that reach neither NVTX nor "
            "CUDA are not recorded",
            run->inject.path);
}

/* Removes the folder, unless processes are about to write to it. */
static void leave_folder(const struct stint_run *run, const struct stint_launch *launch)
{
    if (!launch->survivors)
        stint_folder_remove(&run->folder);
    else if (!run->quiet)
        stint_cli_say("processes that %s started still run; their reports will be in %s, as JSON", launch->arguments[0],
                      run->folder.path);
}

int stint_cli_run(int count, char **arguments)
{
    struct stint_run run = {.nvtx = 1};
    int code = read_options(&run, count, arguments);
    if (code >= 0)
        return code;
    struct stint_launch launch = {.arguments = arguments + optind, .prepare = prepare, .context = &run};
    run.inject = stint_locate_inject();
    if (stint_folder_make(&run.folder)) {
        stint_cli_say("no folder for reports can be made in %s: %s",
                      stint_env_text("TMPDIR") ? stint_env_text("TMPDIR") : "/tmp", strerror(errno));
        return STINT_CLI_NO;
    }
    warn_of_library(&run);
    stint_launch(&launch);
    if (launch.error)
        stint_cli_say("cannot run %s: %s", launch.arguments[0], strerror(launch.error));
    else
        report(&run, &launch);
    leave_folder(&run, &launch);
    return stint_launch_end(&launch);
}
