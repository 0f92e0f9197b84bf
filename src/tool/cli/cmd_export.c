/* stint export - writes a recording as a file for another tool. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/profile.h"
#include "cli/results.h"
#include "cpu/cpu_profile.h"
#include "export/export.h"

static const char *const s_weights[] = {"host", "gpu", "bytes", "samples", NULL};

struct wanted {
    const char *file;
    const char *output;            /* NULL: stdout */
    const char *name;              /* of the format; NULL: that of the output says it */
    int format;                    /* an enum stint_export_format, or one of the two below */
    struct stint_report_form form; /* which */
    int weight;                    /* its position in s_weights; -1: not asked for */
};

static const struct stint_option s_options[] = {
    {"format", 0, "FORMAT", "one of the formats below; default: what the name of OUT ends in", NULL, stint_option_text,
     offsetof(struct wanted, name)},
    {"weight", 0, "WHAT", "what the stacks of collapsed are weighted by: host, gpu (both in ns), bytes, samples",
     s_weights, stint_option_choice, offsetof(struct wanted, weight)},
    {"output", 'o', "OUT", "the file to write; - or none: standard output", NULL, stint_option_output,
     offsetof(struct wanted, output)},
    STINT_OPTION_LAST,
};

static void put_formats(void)
{
    const char *what;
    (void)puts("\nFormats, and what their files' names end in:\n");
    for (int i = 0; (what = stint_export_what(i)); i++)
        if (*what)
            (void)printf("  %-10s  %s\n", stint_export_name(i), what);
    (void)puts("  sqlite      SQLite database with the tables of nsys export: .sqlite");
    (void)puts("  or a report: json, csv, cuda_gpu_kern_sum:csv, ...");
}

static const struct stint_syntax s_syntax = {
    .order = "",
    .usage = "Usage: stint export FILE [--format FORMAT] [-o OUT]\n"
             "\n"
             "Converts a recording, a report in stint's JSON, or a database for other tools.\n",
    .options = s_options,
    .put_rest = put_formats,
};

enum { A_REPORT = -1, A_DATABASE = -2 };

/* ----------------------------------------------------------------------------------------------------------- format */

static int say_unknown_format(const char *name)
{
    enum { MOST_NAMES = 96 };
    const char *names[MOST_NAMES], *close;
    char now[64];
    size_t count = 0, known;
    while (count < MOST_NAMES && (names[count] = stint_export_name((int)count)))
        count++;
    known = count;
    while (count < MOST_NAMES && (names[count] = stint_report_name_at(count - known)))
        count++;
    close = stint_print_is_old_csv(name, now, sizeof now) ? now : stint_suggest(name, names, count);
    stint_cli_say("--format: there is no format \"%.60s\"%s%s%s", name, close ? "; did you mean \"" : "",
                  close ? close : "", close ? "\"?" : ": stint export --help lists them");
    return -1;
}

static int read_format(struct wanted *wanted)
{
    wanted->format = strcmp(wanted->name, "sqlite") == 0 ? A_DATABASE : stint_export_format_of(wanted->name);
    if (wanted->format != A_REPORT || stint_report_form_read(&wanted->form, wanted->name, strlen(wanted->name)) == 0)
        return 0;
    return say_unknown_format(wanted->name);
}

static int guess_format(struct wanted *wanted)
{
    const char *ending = wanted->output ? strrchr(wanted->output, '.') : NULL;
    wanted->format = wanted->output ? stint_export_format_of_path(wanted->output) : A_REPORT;
    if (wanted->format == A_REPORT && ending && strcmp(ending, ".sqlite") == 0)
        wanted->format = A_DATABASE;
    if (wanted->format != A_REPORT)
        return 0;
    if (wanted->output)
        stint_cli_say(
            "the name %.256s does not end in a known format: give --format chrome, perfetto, collapsed, pprof, ...",
            wanted->output);
    else if (access(wanted->file, F_OK))
        stint_cli_say("%.256s: %s", wanted->file, strerror(errno));
    else
        stint_cli_say(
            "no output was given: stint export %.256s -o OUT.json.gz, OUT.pftrace, OUT.collapsed or OUT.pprof",
            wanted->file);
    return -1;
}

static int choose_format(struct wanted *wanted)
{
    if (wanted->name ? read_format(wanted) : guess_format(wanted))
        return -1;
    if (wanted->weight < 0)
        return 0;
    if (wanted->format < STINT_EXPORT_COLLAPSED || wanted->format > STINT_EXPORT_COLLAPSED_SAMPLES) {
        stint_cli_say("--weight applies only to the format collapsed");
        return -1;
    }
    wanted->format = STINT_EXPORT_COLLAPSED + wanted->weight;
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

/* An empty file is easily mistaken for a fault of the tool that reads it. */
static int refuse_empty(const struct wanted *wanted, const struct stint_export_input *input,
                        enum stint_export_format format)
{
    const char *has = input->samples ? ". It has samples: -o OUT.pprof, or OUT.collapsed with --weight samples" : "";
    if (!stint_export_is_empty(input, format))
        return 0;
    if (format < STINT_EXPORT_COLLAPSED)
        stint_cli_say("%.256s has only totals and no events: the timeline would be empty. Record with STINT_TRACE, or "
                      "with stint run --trace 100000%s",
                      wanted->file, has);
    else if (stint_export_is_of_samples(format))
        stint_cli_say("%.256s has no samples of functions: record with stint run --sample", wanted->file);
    else
        stint_cli_say("%.256s has no scopes, ranges or calls of this weight: the file would be empty%s", wanted->file,
                      has);
    return -1;
}

/* Stacks are of scopes if there are any, unless it is said what they weigh. */
static enum stint_export_format format_of(const struct wanted *wanted, const struct stint_export_input *input)
{
    enum stint_export_format format = (enum stint_export_format)wanted->format;
    int is_open = format == STINT_EXPORT_COLLAPSED && wanted->weight < 0;
    return is_open && input->samples && stint_export_is_empty(input, format) ? STINT_EXPORT_COLLAPSED_SAMPLES : format;
}

static int write_report(const struct wanted *wanted, const struct stint_profile *profile)
{
    struct stint_outfile out;
    struct stint_layout layout = {0};
    if (stint_outfile_open(&out, wanted->output))
        return -1;
    enum stint_status status =
        stint_report_form_write(profile->snapshot, &wanted->form, &layout, stint_whole_file_write, &out.file);
    return stint_outfile_close(&out, status != STINT_OK);
}

/* Returns whether it failed, after saying why. */
static int outcome(const struct wanted *wanted, int failed, const char *reason)
{
    if (failed)
        stint_cli_say("%.256s could not be exported to %.256s: %s", wanted->file,
                      wanted->output ? wanted->output : "standard output", reason);
    return failed;
}

static int write_database(const struct wanted *wanted, const struct stint_profile *profile)
{
    char reason[256];
    return outcome(
        wanted, stint_named_store_write(wanted->output, profile->snapshot, profile->events, 0, reason, sizeof reason),
        reason);
}

static int write_named(const struct wanted *wanted, const struct stint_export_input *input,
                       enum stint_export_format format)
{
    char reason[256];
    int file = STDOUT_FILENO;
    int failed = !wanted->output ? stint_export_write(input, format, stint_write_fd, &file, reason, sizeof reason)
                 : stint_export_is_zipped(wanted->output)
                     ? stint_gzip_file(input, format, wanted->output, reason, sizeof reason)
                     : stint_export_file(input, format, wanted->output, reason, sizeof reason);
    return outcome(wanted, failed, reason);
}

static void say_remark(struct stint_symbols *symbols)
{
    if (symbols && *stint_symbols_remark(symbols))
        stint_cli_say("%s", stint_symbols_remark(symbols));
}

/* Functions that were sampled are looked up once, for stacks of them, or as a timeline comes to them. */
static int write_format(const struct wanted *wanted, const struct stint_profile *profile)
{
    static const struct stint_cpu_options all;
    struct stint_export_input input = {.snapshot = profile->snapshot, .events = profile->events};
    struct stint_cpu_profile samples = {.snapshot = profile->snapshot};
    struct stint_cpu_stacks stacks = stint_cpu_stacks(&samples);
    input.samples = profile->snapshot->sampling.sampled ? &stacks.stacks : NULL;
    enum stint_export_format format = format_of(wanted, &input);
    if (refuse_empty(wanted, &input, format))
        return -1;
    if (stint_export_is_of_samples(format)) {
        int failed = stint_cpu_profile_make(&samples, profile->snapshot, &all);
        stacks = stint_cpu_stacks(&samples);
        failed = failed ? outcome(wanted, failed, "there is not enough memory") : write_named(wanted, &input, format);
        say_remark(samples.symbols);
        stint_cpu_profile_free(&samples);
        return failed;
    }
    struct stint_symbols *symbols = stint_symbols_begin(STINT_SYMBOLS_LINES);
    struct stint_function_names names = stint_cpu_names(symbols);
    input.names = &names;
    int failed = write_named(wanted, &input, format);
    say_remark(symbols);
    stint_symbols_end(symbols);
    return failed;
}

/* Recordings and timelines in JSON have the same ending. */
static int check_output(const struct wanted *wanted)
{
    struct stat file, output;
    if (!wanted->output || stat(wanted->file, &file) || stat(wanted->output, &output) || file.st_dev != output.st_dev ||
        file.st_ino != output.st_ino)
        return 0;
    stint_cli_say("%.256s is the recording to be read: give the output another name", wanted->output);
    return -1;
}

static int export(const struct wanted *wanted)
{
    struct stint_profile profile;
    if (wanted->output)
        stint_progress_catch();
    if (stint_profile_open(&profile, wanted->file))
        return STINT_CLI_USAGE;
    int failed = wanted->format == A_REPORT     ? write_report(wanted, &profile)
                 : wanted->format == A_DATABASE ? write_database(wanted, &profile)
                                                : write_format(wanted, &profile);
    stint_profile_close(&profile);
    stint_progress_release();
    return failed ? STINT_CLI_USAGE : STINT_CLI_OK;
}

/* ---------------------------------------------------------------------------------------------------------- options */

/* A terminal would interpret binary data as control characters, and a database is not written from front to back. */
static int check_terminal(const struct wanted *wanted)
{
    if (wanted->format == A_DATABASE && !wanted->output) {
        stint_cli_say("a database must be a file: name it with -o, as in -o run.sqlite");
        return -1;
    }
    if (wanted->output || wanted->format < 0 || !stint_export_is_binary((enum stint_export_format)wanted->format) ||
        !isatty(STDOUT_FILENO))
        return 0;
    stint_cli_say("%s is a binary format: name a file with -o, as in -o trace.pftrace",
                  stint_export_name(wanted->format));
    return -1;
}

int stint_cli_export(int count, char **arguments)
{
    struct wanted wanted = {.weight = -1};
    int code = stint_options_read(count, arguments, &s_syntax, &wanted);
    if (code >= 0)
        return code;
    wanted.file = stint_options_file(count, arguments, "expected a file: stint export FILE --format FORMAT");
    if (wanted.file && choose_format(&wanted) == 0 && check_terminal(&wanted) == 0 && check_output(&wanted) == 0)
        return export(&wanted);
    return STINT_CLI_USAGE;
}
