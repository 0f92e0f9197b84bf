/* stint samples - prints in which functions sampled threads were. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/profile.h"
#include "cli/results.h"
#include "cpu/cpu_profile.h"
#include "export/export.h"

enum { USUAL_TOP = 30, MOST_TOP = 1 << 30 };

static const char *const s_modes[] = STINT_CPU_MODES;

/* A table, and files of other tools. */
static const char *const s_files[] = {"table", "collapsed", "pprof", NULL};
static const enum stint_export_format s_formats[] = {0, STINT_EXPORT_COLLAPSED_SAMPLES, STINT_EXPORT_PPROF};

struct samples {
    const char *file;
    const char *output; /* NULL: stdout */
    struct stint_cpu_options options;
    struct stint_cpu_view view;
    int file_of;        /* its position in s_files; 0: none of another tool */
    const char *source; /* functions to list; NULL: none */
    const char *source_path;
    unsigned long long top;
    struct stint_subset_options subset;
};

#define AT(member) offsetof(struct samples, member)

static int read_top(void *value, const struct stint_option *option, const char *text)
{
    return stint_option_number(option, text, 0, MOST_TOP, value);
}

static int read_depth(void *value, const struct stint_option *option, const char *text)
{
    unsigned long long number;
    if (stint_option_number(option, text, 0, MOST_TOP, &number))
        return -1;
    *(unsigned *)value = (unsigned)number;
    return 0;
}

static const struct stint_option s_options[] = {
    {"mode", 0, NULL, "a table of functions (default); a tree of callees; or a tree of callers", s_modes,
     stint_option_choice, AT(view.mode)},
    {"format", 0, NULL, "table (default); or a file for other tools, with all samples", s_files, stint_option_choice,
     AT(file_of)},
    {"scope", 0, "NAME", "use only samples taken in scopes or ranges of that name", NULL, stint_option_text,
     AT(options.scope)},
    {"lines", 0, NULL, "count by source line instead of by function", NULL, stint_option_flag, AT(options.by_lines)},
    {"no-inline", 0, NULL, "count inlined functions as part of their callers", NULL, stint_option_flag,
     AT(options.no_inline)},
    {"source", 0, "PATTERN", "print the source of these functions, with the time of each line", NULL, stint_option_text,
     AT(source)},
    {"source-path", 0, "FOLDER", "where the source files are, if they are not where they were compiled", NULL,
     stint_option_text, AT(source_path)},
    {"top", 0, "N", "rows of the table (default: 30); 0: all", NULL, read_top, AT(top)},
    {"min-percent", 0, "P", "hide rows below P percent of the time (default: 0; in trees: 1)", NULL,
     stint_option_percent, AT(view.least_percent)},
    {"depth", 0, "N", "levels of a tree; 0: all", NULL, read_depth, AT(view.deepest)},
    {"csv", 0, NULL, "print comma-separated values, all rows", NULL, stint_option_flag, AT(view.csv)},
    STINT_SUBSET_OPTIONS_HOST(AT(subset)),
    {"output", 'o', "FILE", "write to FILE", NULL, stint_option_output, AT(output)},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "",
    .usage = "Usage: stint samples FILE [OPTIONS]\n"
             "\n"
             "Prints which functions used the CPU time, and who called them. FILE was recorded\n"
             "by stint run --store FILE.\n",
    .options = s_options,
};

/* --------------------------------------------------------------------------------------------------------- options */

static int read_options(struct samples *samples, int count, char **arguments)
{
    samples->view.least_percent = -1;
    int code = stint_options_read(count, arguments, &s_syntax, samples);
    if (code >= 0)
        return code;
    samples->options.by_lines |= samples->source != NULL;
    if (samples->view.least_percent < 0)
        samples->view.least_percent = samples->view.mode == STINT_CPU_FLAT ? 0 : 1;
    samples->file = stint_options_file(count, arguments, "no recording was given: stint samples FILE [OPTIONS]");
    if (!samples->file)
        return STINT_CLI_USAGE;
    if (samples->view.csv && samples->view.mode != STINT_CPU_FLAT)
        stint_cli_say("--csv: trees cannot be printed as CSV");
    else if (samples->file_of && (samples->view.csv || samples->view.mode != STINT_CPU_FLAT))
        stint_cli_say("--format collapsed and pprof cannot be combined with --mode or --csv");
    else if (samples->source && (samples->view.csv || samples->view.mode != STINT_CPU_FLAT || samples->file_of))
        stint_cli_say("--source cannot be combined with --mode or --format; --lines --csv prints the same numbers");
    else if (samples->source_path && !samples->source)
        stint_cli_say("--source-path needs --source PATTERN");
    else
        return -1;
    return STINT_CLI_USAGE;
}

/* --------------------------------------------------------------------------------------------------------- writing */

static int export(const struct stint_cpu_profile *profile, enum stint_export_format format, struct stint_outfile *out)
{
    struct stint_cpu_stacks stacks = stint_cpu_stacks(profile);
    struct stint_export_input input = {.snapshot = profile->snapshot, .samples = &stacks.stacks};
    char reason[64];
    return stint_export_write(&input, format, stint_whole_file_write, &out->file, reason, sizeof reason);
}

static int put(const struct samples *samples, struct stint_cpu_profile *profile, const struct stint_array *sources,
               struct stint_outfile *out)
{
    struct stint_layout layout = stint_print_screen(out->file.fd);
    struct stint_text text;
    if (samples->file_of)
        return export(profile, s_formats[samples->file_of], out);
    layout.top = (unsigned)samples->top;
    stint_text_begin(&text, stint_whole_file_write, &out->file);
    int failed = samples->source ? stint_cpu_sources_put(profile, sources, samples->source_path, &layout, &text)
                                 : stint_cpu_table_put(profile, &samples->view, &layout, &text);
    if (failed)
        errno = ENOMEM;
    return failed || stint_text_end(&text) != STINT_OK;
}

static int write_all(const struct samples *samples, struct stint_cpu_profile *profile,
                     const struct stint_array *sources)
{
    struct stint_outfile out;
    if (stint_outfile_open(&out, samples->output))
        return -1;
    return stint_outfile_close(&out, put(samples, profile, sources, &out));
}

static int print(const struct samples *samples, const struct stint_snapshot *snapshot)
{
    struct stint_cpu_profile profile;
    struct stint_array sources = {.items = NULL};
    int code = STINT_CLI_OK;
    if (!snapshot->sampling.sampled) {
        stint_cli_say("%.256s has no samples: record with stint run --sample", samples->file);
        return STINT_CLI_NO;
    }
    if (stint_cpu_profile_make(&profile, snapshot, &samples->options) ||
        (samples->source && stint_cpu_sources_find(&profile, samples->source, &sources))) {
        (void)stint_cli_say_no_memory("for the samples");
        code = STINT_CLI_NO;
    } else if (samples->options.scope && !profile.samples) {
        stint_cli_say("no sample was taken in a scope \"%.256s\"; stint stats lists the scopes",
                      samples->options.scope);
        code = STINT_CLI_NO;
    } else if (samples->source && !sources.count) {
        stint_cli_say(
            "no function with samples and line information matches \"%.256s\"; stint samples --lines lists them",
            samples->source);
        code = STINT_CLI_NO;
    } else if (write_all(samples, &profile, &sources)) {
        code = STINT_CLI_USAGE;
    }
    stint_cpu_profile_free(&profile);
    return code;
}

/* Recordings of earlier versions have sums of samples only. */
static int print_part(const struct samples *samples, const struct stint_profile *profile)
{
    struct stint_subset taken;
    struct stint_snapshot *part = stint_subset_of(&samples->subset, profile, samples->file, 0, &taken);
    int code = STINT_CLI_USAGE;
    if (part && profile->snapshot->sampling.sampled && !part->sampling.sampled) {
        stint_cli_say("no sample of %.256s falls into this part; samples have times only in recordings made with "
                      "STINT_TRACE or stint run --store",
                      samples->file);
        code = STINT_CLI_NO;
    } else if (part) {
        code = print(samples, part);
    }
    stint_snapshot_free(part);
    return code;
}

int stint_cli_samples(int count, char **arguments)
{
    struct samples samples = {.top = USUAL_TOP};
    struct stint_profile profile;
    int code = read_options(&samples, count, arguments);
    if (code >= 0)
        return code;
    if (stint_profile_open(&profile, samples.file))
        return STINT_CLI_USAGE;
    code = samples.subset.is_asked_for ? print_part(&samples, &profile) : print(&samples, profile.snapshot);
    stint_profile_close(&profile);
    return code;
}
