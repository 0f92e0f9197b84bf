/* stint run - runs a program so that it is recorded, and prints what it and its children did. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/files.h"
#include "cli/recording.h"
#include "cli/results.h"
#include "import/import.h"
#include "model/sampler.h"
#include "stat/numbers.h"

#define SAMPLE_LIBRARY "libstint_sample.so"
#define WAIT_WORTH_NS UINT64_C(100000000)
#define SAMPLES_WORTH_NS UINT64_C(50000000) /* of CPU time, which has samples where they can be taken */
#define MOST_START_NS UINT64_C(10000000)    /* of CPU time, until a process is sampled */

enum { REPORTS_SIZE = 1024 };

struct run {
    struct stint_run_options options;
    int failed;                      /* to write a report or a recording */
    int is_usual;                    /* no report was asked for */
    int is_launcher;                 /* the program starts the ranks of a job */
    int uncounted;                   /* counters were asked for, but not read */
    char reports[REPORTS_SIZE];      /* that --report asks for, without the next */
    struct stint_op_table ops_lines; /* without columns: the report "ops" is not wanted */
};

/* ---------------------------------------------------------------------------------------------------------- options */

/* A launcher's ranks may be on other hosts, where nothing is preloaded: they cannot be added up by messages. */
static int choose_output(struct run *run, const char *program)
{
    const char *output = stint_env_text("STINT_OUTPUT");
    run->is_usual = !run->options.report && !run->options.format && !stint_env_text("STINT_REPORT");
    if (stint_print_ask(&run->options.print, run->options.report, run->options.format))
        return -1;
    run->is_launcher = stint_is_mpi_launcher(program);
    run->options.recording.mpi_library = stint_locate_mpi(program);
    run->options.recording.adds_ranks_up =
        !run->options.log_file && !output && !run->options.recording.ops && !run->is_launcher;
    if (run->options.log_file && (stint_print_to(&run->options.print, "--log-file", run->options.log_file) ||
                                  stint_print_try(&run->options.print, "--log-file")))
        return -1;
    if (!run->options.log_file && output && stint_print_to(&run->options.print, "STINT_OUTPUT", output) == 0)
        (void)stint_print_try(&run->options.print, "STINT_OUTPUT");
    return stint_print_check(&run->options.print, "--log-file");
}

/* Returns 0 if a library that an option needs was found and can be preloaded, or -1 after saying that it cannot. */
static int check_library(const char *path, const char *option, const char *name)
{
    if (!path[0])
        stint_cli_say("%s: %s was not found beside stint; install it, or leave the option out", option, name);
    else if (strpbrk(path, " :"))
        stint_cli_say("%s: %s cannot be preloaded, because its path contains a space or a colon", option, path);
    else
        return 0;
    return -1;
}

/* Operations are in recordings: without one that is kept, it is one for a report. */
static int prepare_ops(struct run *run)
{
    char pattern[PATH_MAX];
    size_t used = 0;
    run->options.recording.python = stint_locate_python();
    if (!run->options.recording.python.path[0]) {
        stint_cli_say("--ops: share/stint/python was not found beside stint; install it, or leave the option out");
        return -1;
    }
    if (run->options.recording.stores)
        return 0;
    run->options.recording.stores = &run->options.stores;
    for (const char *at = stint_temporary_folder(); *at && used < sizeof pattern / 2; at++) {
        if (*at == '%') /* the folder's name is no pattern */
            pattern[used++] = '%';
        pattern[used++] = *at;
    }
    (void)snprintf(pattern + used, sizeof pattern - used, "/stint-ops-%ld.stint", (long)getpid());
    return stint_stores_read(&run->options.stores, pattern);
}

static int find_library(struct stint_located *library, const char *option, const char *name, const char *version)
{
    char file[64];
    (void)snprintf(file, sizeof file, "%s%s", name, version);
    *library = stint_locate(file);
    return check_library(library->path, option, name);
}

static int find_libraries(struct stint_recording *recording)
{
    if (recording->functions &&
        find_library(&recording->functions_library, "--functions", "libstint_functions.so", "." STINT_CLI_SO_VERSION))
        return -1;
    if (recording->sample && strcmp(recording->sample, "off") != 0 &&
        find_library(&recording->sample_library, "--sample", SAMPLE_LIBRARY, ""))
        return -1;
    return recording->osrt ? find_library(&recording->inject, "--osrt", "libstint_inject_osrt.so", "") : 0;
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

/* Where functions are printed, the program is sampled without being asked to be; what it starts is not, since short
 * processes would take much longer. */
static void sample_program(struct run *run)
{
    struct stint_recording *recording = &run->options.recording;
    struct stint_located library = stint_locate(SAMPLE_LIBRARY);
    if (!run->is_usual || run->is_launcher || recording->sample || stint_env_text("STINT_SAMPLE") ||
        recording->counters || !library.path[0] || strpbrk(library.path, " :"))
        return;
    recording->sample = STINT_SAMPLER_ALONE;
    recording->sample_library = library;
}

/* Combines what several options say. */
static int settle(struct run *run, const char *program)
{
    if (settle_calls(&run->options.recording, run->options.api) || find_libraries(&run->options.recording))
        return -1;
    if (run->options.recording.ops && prepare_ops(run))
        return -1;
    if (choose_output(run, program))
        return -1;
    sample_program(run);
    return 0;
}

/* The report "ops" is not one of all programs: it is made of the recording. */
static int take_ops_lines(struct run *run)
{
    if (!run->options.report || strlen(run->options.report) >= sizeof run->reports)
        return 0;
    (void)snprintf(run->reports, sizeof run->reports, "%s", run->options.report);
    if (!stint_print_ops_take(run->reports, &run->ops_lines))
        return 0;
    if (!run->options.recording.ops && !run->options.is_store_kept) {
        stint_cli_say("--report ops: add --ops, for PyTorch, or --store FILE, for programs that use stint/op.h");
        return -1;
    }
    run->options.report = run->reports[0] ? run->reports : "off";
    return 0;
}

/* Returns -1 if the program is to be run, else the exit code. */
static int read_options(struct run *run, int count, char **arguments)
{
    int code = stint_run_options_read(&run->options, count, arguments);
    if (code >= 0)
        return code;
    const char *word = optind < count ? arguments[optind] : "";
    if (take_ops_lines(run) || settle(run, word))
        return STINT_CLI_USAGE;
    if (optind > 1 && strcmp(arguments[optind - 1], "--sample") == 0 && *word && !word[strspn(word, "0123456789")]) {
        stint_cli_say("%s is not a program; to set the sampling rate, type --sample=%s", word, word);
        return STINT_CLI_USAGE;
    }
    if (optind < count)
        return -1;
    stint_cli_say("no program was given: stint run [OPTIONS] [--] PROGRAM [ARGUMENTS]");
    return STINT_CLI_USAGE;
}

/* -------------------------------------------------------------------------------------------------------------- run */

static int is_alone(const struct run *run)
{
    const char *sample = run->options.recording.sample;
    return sample && strcmp(sample, STINT_SAMPLER_ALONE) == 0;
}

/* Whether samples are of a part of the time only. */
static int is_timed(const struct run *run)
{
    return run->options.recording.delay > 0 || run->options.recording.duration > 0;
}

/* At 1 Hz, one who has used less than a second may have no sample. */
static uint64_t samples_worth_ns(const struct run *run)
{
    const char *how = run->options.recording.sample;
    unsigned long hz = strtoul(how + strcspn(how, "0123456789"), NULL, 10);
    return SAMPLES_WORTH_NS + (hz ? 2 * UINT64_C(1000000000) / hz : 0);
}

/* What to type to learn more of a program of which nothing was recorded. */
static const char *find_advice(const struct run *run, const struct stint_results *results,
                               const struct stint_launch *launch, const char *of_program)
{
    if (run->options.recording.osrt_threshold)
        return "no call blocked as long as --osrt-threshold";
    if (WIFSIGNALED(launch->status) && WTERMSIG(launch->status) == SIGKILL)
        return "it was killed, and could not report";
    if (run->is_launcher && !run->options.recording.sample_library.path[0])
        return "its ranks recorded nothing: put it in front, as in mpirun -n 4 stint run PROGRAM, or add --sample";
    if (!run->options.recording.sample_library.path[0])
        return run->options.recording.sample ? "leave out --sample=off to see its functions"
                                             : "--sample, and --report summary, show its functions";
    if (is_alone(run) && launch->children_cpu_ns >= STINT_CPU_WORTH_NS)
        return "the processes that it started used that time: --sample shows their functions";
    if (!of_program && launch->cpu_ns >= launch->children_cpu_ns + samples_worth_ns(run))
        return is_alone(run)
                   ? "no samples were taken: of shells, only --sample takes some; other programs may block all signals"
                   : "no samples were taken: perhaps it blocks all signals, or changes LD_PRELOAD";
    if (!is_timed(run) &&
        launch->children_cpu_ns >= results->unsampled_ns + results->unsampled * MOST_START_NS + samples_worth_ns(run))
        return "the programs that it started cannot be sampled: perhaps they are static, or have other privileges";
    if (results->unsampled > 1)
        return "each of its processes ended before a sample came: let them do more, or run it in a loop";
    if (launch->wall_ns >= WAIT_WORTH_NS && launch->cpu_ns < launch->wall_ns / 2)
        return "it mostly waited: --sample=wall shows where, --osrt in which calls";
    return of_program ? of_program : "this is too short to be sampled: let it do more, or run it in a loop";
}

static void say_what_would_record(const struct run *run, const struct stint_results *results,
                                  const struct stint_launch *launch)
{
    const char *program = launch->arguments[0];
    struct stint_obstacle obstacle;
    char took[STINT_NUMBER_SIZE], used[STINT_NUMBER_SIZE];
    (void)stint_time_format(took, (double)launch->wall_ns);
    (void)stint_time_format(used, (double)launch->cpu_ns);
    int is_there = stint_obstacle_find(&obstacle, program) == 0;
    if (is_there && obstacle.what)
        stint_cli_say("nothing was recorded: %s %s; %s. It ran for %s (CPU time: %s)", obstacle.path, obstacle.what,
                      obstacle.remedy, took, used);
    else
        stint_cli_say("nothing was recorded of %s, which ran for %s (CPU time: %s); %s", program, took, used,
                      find_advice(run, results, launch, is_there ? obstacle.advice : NULL));
}

static int report_ops(struct run *run, const struct stint_results *results)
{
    char path[PATH_MAX];
    if (stint_stores_name(&run->options.stores, path, sizeof path) ||
        stint_stores_take(&run->options.stores, results, 1))
        return -1;
    int failed = access(path, F_OK) == 0 ? stint_print_ops(&run->options.print, path, &run->ops_lines) : 0;
    stint_stores_remove(path);
    return failed;
}

static int report_kept_ops(struct run *run)
{
    char path[PATH_MAX];
    if (stint_stores_name(&run->options.stores, path, sizeof path))
        return -1;
    if (access(path, F_OK) == 0)
        return stint_print_ops(&run->options.print, path, &run->ops_lines);
    stint_cli_say("--report ops: with %%p in --store there is no recording of all processes; run stint ops on each");
    return -1;
}

/* Returns whether the ranks were added up: libstint_mpi leaves the sum in the folder of reports of rank 0, and an empty
 * file in those of others. Then *sum is the sum, or NULL if it is in another rank's folder, or cannot be read, which is
 * said. */
static int take_ranks(const struct stint_folder *folder, struct stint_snapshot **sum)
{
    char path[PATH_MAX + sizeof STINT_RECORDING_RANKS];
    struct stat status;
    struct stint_import_error error;
    *sum = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, STINT_RECORDING_RANKS);
    if (stat(path, &status))
        return 0;
    if (status.st_size && stint_import_file(path, sum, &error))
        stint_cli_say("the sum of the ranks cannot be read: %s", error.reason);
    return 1;
}

/* Returns whether this is a rank of a job whose ranks were added up. */
static int report_ranks(struct run *run)
{
    struct stint_snapshot *sum;
    if (!run->options.recording.adds_ranks_up || !run->options.recording.mpi_library.path[0] ||
        !take_ranks(&run->options.recording.folder, &sum))
        return 0;
    if (sum && run->is_usual)
        (void)stint_print_choose(&run->options.print, "", "ranks", 0);
    run->failed = sum && stint_print(&run->options.print, sum, NULL, 1);
    stint_snapshot_free(sum);
    return 1;
}

static void report_own(struct run *run, const struct stint_results *results, const struct stint_launch *launch)
{
    const char *slash = strrchr(launch->arguments[0], '/');
    if (run->options.recording.counters && run->is_usual)
        (void)stint_print_choose(&run->options.print, "", "counters", 0);
    else if (run->is_launcher && run->is_usual)
        (void)stint_print_choose(&run->options.print, "", "ranks", 0);
    run->failed = stint_results_print(results, &run->options.print, slash ? slash + 1 : launch->arguments[0],
                                      launch->arguments + 1);
    if (run->options.recording.counters)
        run->uncounted = stint_counted_check(results) != 0;
    else if (!results->all.count && !results->lost.count && !launch->survivors && !run->options.recording.quiet)
        say_what_would_record(run, results, launch);
}

static void report(void *context, struct stint_results *results, const struct stint_launch *launch)
{
    struct run *run = context;
    int has_functions = run->options.recording.sample_library.path[0] && run->is_usual;
    if (has_functions)
        stint_results_hide_samples(results, 1);
    int is_sum = report_ranks(run);
    if (!is_sum)
        report_own(run, results, launch);
    if (has_functions)
        stint_results_hide_samples(results, 0);
    if (has_functions && !(is_sum && is_alone(run)))
        run->failed |= stint_print_samples(&run->options.print, results,
                                           is_timed(run) && !is_alone(run) ? NULL : launch, is_alone(run)) != 0;
    if (run->options.recording.stores && !run->options.is_store_kept)
        run->failed |= report_ops(run, results) != 0;
    else if (run->options.recording.stores)
        run->failed |= stint_stores_take(&run->options.stores, results, run->options.recording.quiet);
    if (run->options.is_store_kept && run->ops_lines.count && !run->failed)
        run->failed = report_kept_ops(run) != 0;
}

int stint_cli_run(int count, char **arguments)
{
    struct run run = {.failed = 0};
    int code = read_options(&run, count, arguments);
    if (code < 0)
        code = stint_record_runs(&run.options.recording, arguments + optind, report, &run);
    if (code || !run.failed)
        return code || !run.uncounted ? code : STINT_CLI_UNCOUNTED;
    return STINT_CLI_NO;
}
