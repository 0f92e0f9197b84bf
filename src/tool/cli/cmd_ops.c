/* stint ops - prints which operation launched each kernel, what it had to compute and to move, and how. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/profile.h"
#include "cli/results.h"
#include "op/op_roofline.h"
#include "op/op_sum.h"
#include "op/op_table.h"

enum what { LINES, SUMS, IMAGE, ADVICES };

struct ops {
    const char *file;
    const char *output; /* NULL: stdout */
    enum what what;
    struct stint_op_table table; /* of lines */
    enum stint_op_by by;         /* of sums */
};

/* --------------------------------------------------------------------------------------------------------- options */

static int read_columns(void *value, const struct stint_option *option, const char *text)
{
    struct stint_op_table *table = value;
    char names[256];
    const char *wrong = stint_op_table_read(table, text);
    if (!wrong)
        return 0;
    if (table->count == STINT_OP_MOST_COLUMNS)
        stint_cli_say("-%c: more than %d columns", option->letter, STINT_OP_MOST_COLUMNS);
    else
        stint_cli_say("-%c: there is no column \"%.*s\"; there are %s", option->letter, (int)strcspn(wrong, ","), wrong,
                      stint_op_table_names(names, sizeof names));
    return -1;
}

static int read_width(void *value, const struct stint_option *option, const char *text)
{
    unsigned long long width;
    if (stint_option_number(option, text, 1, 100000, &width))
        return -1;
    *(size_t *)value = (size_t)width;
    return 0;
}

/* Sets what is to be printed instead of lines. */
static int read_what(void *value, const struct stint_option *option, const char *text)
{
    struct ops *ops = value;
    enum what what = strcmp(option->name, "by") == 0 ? SUMS : strcmp(option->name, "roofline") == 0 ? IMAGE : ADVICES;
    if (ops->what != LINES && ops->what != what) {
        stint_cli_say("give only one of --by, --roofline and --advice");
        return -1;
    }
    ops->what = what;
    return what == SUMS ? stint_option_choice(&ops->by, option, text) : 0;
}

static const struct stint_option s_options[] = {
    {"columns", 'c', "NAME[,NAME...]",
     "which columns to print: idx, seq, altseq, tid, layer, trace, dir, sub, mod, op, kernel, params, sil, tc, device, "
     "stream, grid, block, flops, bytes, executed, bus",
     NULL, read_columns, offsetof(struct ops, table)},
    {"csv", 0, NULL, "print comma-separated values, all quoted", NULL, stint_option_flag,
     offsetof(struct ops, table.csv)},
    {"json", 0, NULL, "print one JSON object per line: all columns, or those of -c", NULL, stint_option_flag,
     offsetof(struct ops, table.json)},
    {"width", 'w', "COLUMNS", "make lines COLUMNS wide, padding or cutting cells", NULL, read_width,
     offsetof(struct ops, table.width)},
    {"by", 0, NULL, "print one row per operation, module, layer, direction or kernel", stint_op_by_words, read_what, 0},
    {"roofline", 0, NULL, "draw a roofline chart of the operations, as an SVG image", NULL, read_what, 0},
    {"advice", 0, NULL, "print what could be made faster", NULL, read_what, 0},
    {"output", 'o', "FILE", "write to FILE", NULL, stint_option_output, offsetof(struct ops, output)},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "",
    .usage = "Usage: stint ops FILE [OPTIONS]\n"
             "\n"
             "Prints a line for each kernel of a recording, as PyProf does: the PyTorch\n"
             "operation or range that launched it, its FLOPs and bytes, and whether it used\n"
             "Tensor Cores.\n",
    .options = s_options,
};

/* As in PyProf, lines that are too narrow are no mistake in the command. Returns -1 if there is something to print,
 * else the exit code. */
static int check(const struct ops *ops)
{
    size_t least = stint_op_table_least(&ops->table);
    if (!!ops->table.csv + !!ops->table.width + !!ops->table.json > 1) {
        stint_cli_say("give only one of --csv, --json and -w");
        return STINT_CLI_USAGE;
    }
    if (ops->table.json && ops->what != LINES) {
        stint_cli_say("--json applies only to the list of kernels; use --csv");
        return STINT_CLI_USAGE;
    }
    if (!ops->table.width || ops->table.width >= least)
        return -1;
    stint_cli_say("Minimum width required to print these columns = %zu. Exiting.", least);
    return STINT_CLI_NO;
}

static int read_options(struct ops *ops, int count, char **arguments)
{
    int code = stint_options_read(count, arguments, &s_syntax, ops);
    if (code >= 0)
        return code;
    if (!ops->table.count && ops->table.json)
        stint_op_table_take_all(&ops->table, STINT_OP_COLUMNS - 1);
    else if (!ops->table.count)
        (void)stint_op_table_read(&ops->table, STINT_OP_USUAL_COLUMNS);
    ops->file = stint_options_file(count, arguments, "no recording was given: stint ops FILE [OPTIONS]");
    return ops->file ? check(ops) : STINT_CLI_USAGE;
}

/* --------------------------------------------------------------------------------------------------------- writing */

/* Returns 0, or -1 without memory. */
static int put(const struct ops *ops, const struct stint_op_rows *rows, int file, struct stint_text *text)
{
    struct stint_layout layout = stint_print_screen(file);
    switch (ops->what) {
    case SUMS:
        return stint_op_sum_table_put(rows, ops->by, ops->table.csv, &layout, text);
    case IMAGE:
        return stint_op_roofline_put(rows, text);
    case ADVICES:
        return stint_op_advices_put(rows, ops->table.csv, text);
    default:
        return ops->table.json ? stint_op_json_put(&ops->table, rows, text)
                               : stint_op_table_put(&ops->table, rows, text);
    }
}

static int write_rows(const struct ops *ops, const struct stint_op_rows *rows)
{
    struct stint_outfile out;
    struct stint_text text;
    if (stint_outfile_open(&out, ops->output))
        return -1;
    stint_text_begin(&text, stint_whole_file_write, &out.file);
    int failed = put(ops, rows, out.file.fd, &text);
    if (failed)
        errno = ENOMEM;
    failed |= stint_text_end(&text) != STINT_OK;
    return stint_outfile_close(&out, failed);
}

static void say_what_is_missing(const struct stint_op_join *join, const struct stint_op_rows *rows)
{
    if (join->unparsed)
        stint_cli_say("%llu range%s operations, but cannot be parsed: %s text was cut or damaged",
                      (unsigned long long)join->unparsed, join->unparsed == 1 ? " looks like" : "s look like",
                      join->unparsed == 1 ? "its" : "their");
    if (join->unlaunched)
        stint_cli_say(
            "the launches of %llu kernel%s are not in the recording: their operations are found by their names only",
            (unsigned long long)join->unlaunched, join->unlaunched == 1 ? "" : "s");
    if (join->open.too_deep)
        stint_cli_say("%llu %s inside %d others", (unsigned long long)join->open.too_deep,
                      join->open.too_deep == 1 ? "range is left out: it is" : "ranges are left out: they are",
                      STINT_OPEN_MOST);
    if (rows->too_large)
        stint_cli_say("FLOPs or bytes of %llu operation%s are too large for 64 bits",
                      (unsigned long long)rows->too_large, rows->too_large == 1 ? "" : "s");
}

static int print_rows(const struct ops *ops, const struct stint_op_join *join)
{
    struct stint_op_rows rows = {0};
    int code = STINT_CLI_NO;
    if (stint_op_rows_make(&rows, join))
        (void)stint_cli_say_no_memory("for the operations");
    else
        code = write_rows(ops, &rows) ? STINT_CLI_USAGE : STINT_CLI_OK;
    if (code == STINT_CLI_OK)
        say_what_is_missing(join, &rows);
    stint_op_rows_free(&rows);
    return code;
}

/* As PyProf's parser, which finds none and ends; sums alone are another matter. */
static int print_nothing(const struct ops *ops, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (snapshot->gpu_activities[i].kind == STINT_GPU_KERNEL) {
            stint_cli_say("%.256s has only totals of its kernels: record with stint run --store FILE", ops->file);
            return STINT_CLI_NO;
        }
    stint_cli_say("Found 0 kernels. Exiting.");
    stint_cli_say("%.256s has no work of a GPU; stint stats shows what it has", ops->file);
    return STINT_CLI_OK;
}

static int print(const struct ops *ops, const struct stint_profile *profile)
{
    struct stint_op_join join = {0};
    int code = STINT_CLI_OK;
    if (!profile->events)
        return print_nothing(ops, profile->snapshot);
    if (stint_op_join_read(&join, profile->snapshot, profile->events)) {
        code = profile->events->reason[0] ? STINT_CLI_USAGE : STINT_CLI_NO;
        (void)stint_cli_say_unread(ops->file, profile->events, "for the operations");
    } else if (!join.kernels.count && !(ops->what == IMAGE && stint_kernel_points_any(profile->snapshot))) {
        code = print_nothing(ops, profile->snapshot);
    } else {
        code = print_rows(ops, &join);
    }
    stint_op_join_free(&join);
    return code;
}

int stint_cli_ops(int count, char **arguments)
{
    struct ops ops = {0};
    struct stint_profile profile;
    int code = read_options(&ops, count, arguments);
    if (code >= 0)
        return code;
    if (stint_profile_open(&profile, ops.file))
        return STINT_CLI_USAGE;
    code = print(&ops, &profile);
    stint_profile_close(&profile);
    return code;
}
