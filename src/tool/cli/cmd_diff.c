/* stint diff - shows what changed between two sets of recordings, and checks rules about that. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/files.h"
#include "cli/profile.h"
#include "cli/results.h"
#include "cpu/cpu_profile.h"
#include "diff/diff.h"

/* -------------------------------------------------------------------------------------------------------- functions */

/* Functions without a name are known by their address in a file. Returns NULL without memory. */
static const char *name_of(const struct stint_symbol *symbol, struct stint_arena *arena)
{
    if (strncmp(symbol->function, "0x", 2) != 0)
        return stint_arena_copy(arena, symbol->function, strlen(symbol->function));
    size_t size = strlen(symbol->function) + strlen(symbol->module) + sizeof " []";
    char *name = stint_arena_alloc(arena, size);
    if (name)
        (void)snprintf(name, size, "%s [%s]", symbol->function, symbol->module);
    return name;
}

static int copy(struct stint_diff_functions *functions, const struct stint_cpu_profile *profile,
                struct stint_arena *arena)
{
    size_t count = profile->functions.count;
    struct stint_diff_function *items = stint_arena_alloc(arena, (count + 1) * sizeof *items);
    if (!items)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(profile, i);
        items[i] = (struct stint_diff_function){
            .name = name_of(&function->symbol, arena), .self_ns = function->self_ns, .total_ns = function->total_ns};
        if (!items[i].name)
            return -1;
    }
    *functions = (struct stint_diff_functions){
        .items = items, .count = count, .samples = profile->samples, .time_ns = profile->time_ns};
    return 0;
}

/* Looks up the functions that samples of a snapshot met. Returns 0, or -1 without memory. */
static int read_functions(struct stint_diff_functions *functions, const struct stint_snapshot *snapshot,
                          struct stint_arena *arena)
{
    static const struct stint_cpu_options all;
    struct stint_cpu_profile profile;
    *functions = (struct stint_diff_functions){0};
    if (!snapshot->sample_count_count)
        return 0;
    int failed = stint_cpu_profile_make(&profile, snapshot, &all) || copy(functions, &profile, arena);
    stint_cpu_profile_free(&profile);
    return failed ? -1 : 0;
}

/* --------------------------------------------------------------------------------------------------------- cmd diff */

/* The files of both sides, those of A first. */
struct recordings {
    struct stint_profile *profiles;
    const struct stint_snapshot **snapshots;
    struct stint_diff_functions *functions;
    size_t opened;
    struct stint_arena arena;
};

static const char *const *names_of(const struct stint_diff_options *options)
{
    return options->files.items;
}

static int say_no_memory(void)
{
    return stint_cli_say_no_memory("to compare the recordings");
}

static int open_all(struct recordings *recordings, const struct stint_diff_options *options)
{
    size_t count = options->files.count;
    recordings->profiles = stint_arena_alloc(&recordings->arena, count * sizeof *recordings->profiles);
    recordings->snapshots = stint_arena_alloc(&recordings->arena, count * sizeof(const struct stint_snapshot *));
    recordings->functions = stint_arena_alloc(&recordings->arena, count * sizeof *recordings->functions);
    if (!recordings->profiles || !recordings->snapshots || !recordings->functions)
        return say_no_memory();
    for (; recordings->opened < count; recordings->opened++) {
        struct stint_profile *profile = &recordings->profiles[recordings->opened];
        if (stint_profile_open(profile, names_of(options)[recordings->opened]))
            return -1;
        recordings->snapshots[recordings->opened] = profile->snapshot;
    }
    for (size_t i = 0; i < count; i++)
        if (read_functions(&recordings->functions[i], recordings->snapshots[i], &recordings->arena))
            return say_no_memory();
    return 0;
}

static void close_all(struct recordings *recordings)
{
    while (recordings->opened)
        stint_profile_close(&recordings->profiles[--recordings->opened]);
    stint_arena_free(&recordings->arena);
}

/* ----------------------------------------------------------------------------------------------------------- output */

static void write_format(struct stint_text *text, const struct stint_diff_options *options,
                         const struct stint_diff_report *report, unsigned columns)
{
    switch (options->format) {
    case STINT_DIFF_CSV:
        stint_diff_write_csv(text, report);
        break;
    case STINT_DIFF_JSON:
        stint_diff_write_json(text, report);
        break;
    case STINT_DIFF_JUNIT:
        stint_diff_write_junit(text, report);
        break;
    case STINT_DIFF_MARKDOWN:
        stint_diff_write_markdown(text, report);
        break;
    default:
        stint_diff_write_table(text, report, columns);
        break;
    }
}

static int write_report(const struct stint_diff_options *options, const struct stint_diff_report *report)
{
    struct stint_outfile out;
    struct stint_text text;
    if (stint_outfile_open(&out, options->output))
        return -1;
    unsigned columns = stint_print_screen(out.file.fd).columns;
    stint_text_begin(&text, stint_whole_file_write, &out.file);
    write_format(&text, options, report, columns);
    return stint_outfile_close(&out, stint_text_end(&text) != STINT_OK);
}

/* What the exit code means, for logs that have the code but not the report. */
static int conclude(const struct stint_array *checks)
{
    struct stint_line line = {0};
    size_t failed = stint_checks_count(checks, STINT_OUTCOME_FAIL);
    if (!failed && !stint_checks_count(checks, STINT_OUTCOME_UNSURE))
        return STINT_CLI_OK;
    stint_diff_put_outcome(&line, checks);
    stint_cli_say("--gate: %.*s", (int)line.used, line.text);
    return failed ? STINT_CLI_NO : STINT_CLI_UNSURE;
}

/* ---------------------------------------------------------------------------------------------------------- compare */

static int report(const struct stint_diff_options *options, const struct stint_diff *diff, struct stint_arena *arena)
{
    struct stint_array notes = {0}, checks = {0};
    struct stint_diff_report report = {.diff = diff,
                                       .names = names_of(options),
                                       .notes = &notes,
                                       .kinds = options->kinds,
                                       .sort = options->sort,
                                       .top = options->top};
    if (stint_diff_note(diff, &notes, arena) || stint_gate_check(diff, &options->rules, &checks, arena)) {
        (void)say_no_memory();
        return STINT_CLI_USAGE;
    }
    if (options->rules.count)
        report.checks = &checks;
    if (write_report(options, &report))
        return STINT_CLI_USAGE;
    return conclude(&checks);
}

static int compare(const struct stint_diff_options *options, struct recordings *recordings)
{
    struct stint_diff_side a = {recordings->snapshots, options->of_a, recordings->functions};
    struct stint_diff_side b = {recordings->snapshots + options->of_a, options->files.count - options->of_a,
                                recordings->functions + options->of_a};
    struct stint_diff diff;
    char reason[STINT_REFUSAL_SIZE];
    int code = STINT_CLI_USAGE;
    if (stint_diff_begin(&diff, &a, &b))
        (void)say_no_memory();
    else if (stint_diff_refuse(&diff, names_of(options), options->other_gpu, reason))
        stint_cli_say("%s", reason);
    else
        code = report(options, &diff, &recordings->arena);
    stint_diff_free(&diff);
    return code;
}

int stint_cli_diff(int count, char **arguments)
{
    struct stint_diff_options options;
    struct recordings recordings = {0};
    int code = stint_diff_options_read(&options, count, arguments);
    if (code == -1) {
        code = STINT_CLI_USAGE;
        if (open_all(&recordings, &options) == 0)
            code = compare(&options, &recordings);
        close_all(&recordings);
    }
    stint_diff_options_free(&options);
    return code;
}
