/* What stint run prints behind its reports: sums or lines of operations joined to kernels, and the functions that
 * samples found most often. */
#include "cli/results.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/profile.h"
#include "cli/recording.h"
#include "cpu/cpu_profile.h"
#include "op/op_sum.h"
#include "report/line.h"

/* ------------------------------------------------------------------------------------------------------- operations */

enum { TITLES = 1, USUAL_ROWS = 20 };

/* Passes the first lines on. */
struct first_lines {
    int file;
    uint64_t most, lines;
    int failed;
};

static int write_first(void *context, const char *bytes, size_t length)
{
    struct first_lines *lines = context;
    for (const char *end; length; length -= (size_t)(end - bytes), bytes = end) {
        const char *line = memchr(bytes, '\n', length);
        end = line ? line + 1 : bytes + length;
        if (lines->lines < lines->most && stint_write_fd(&lines->file, bytes, (size_t)(end - bytes)))
            return -1;
        lines->lines += line != NULL;
    }
    return 0;
}

/* Returns 0, or -1 with errno. */
static int put_sum(const struct stint_op_rows *rows, enum stint_op_by by, const struct stint_layout *layout, int file)
{
    struct stint_text text;
    uint64_t top = layout->top ? layout->top : USUAL_ROWS;
    struct first_lines lines = {.file = file, .most = TITLES + top};
    stint_text_begin(&text, write_first, &lines);
    if (stint_op_sum_table_put(rows, by, 0, layout, &text)) {
        errno = ENOMEM;
        return -1;
    }
    if (stint_text_end(&text))
        return -1;
    struct stint_text rest;
    stint_text_begin(&rest, stint_write_fd, &file);
    if (lines.lines > lines.most) {
        stint_text_u64(&rest, lines.lines - lines.most);
        stint_text_string(&rest, " more rows: --top 0 shows them\n");
    }
    return stint_text_end(&rest) ? -1 : 0;
}

static int put_lines(const struct stint_op_rows *rows, const struct stint_op_table *lines, int file)
{
    struct stint_text text;
    stint_text_begin(&text, stint_write_fd, &file);
    if (stint_op_table_put(lines, rows, &text)) {
        errno = ENOMEM;
        return -1;
    }
    return stint_text_end(&text) ? -1 : 0;
}

static int put_sums(struct stint_print *print, const struct stint_op_rows *rows, int file)
{
    struct stint_layout screen = stint_print_screen(file);
    struct stint_layout layout = stint_select_layout(&print->select, &screen);
    return put_sum(rows, STINT_OP_BY_OP, &layout, file) || stint_write_fd(&file, "\n", 1) ||
                   put_sum(rows, STINT_OP_BY_LAYER, &layout, file)
               ? -1
               : 0;
}

static int put_all(struct stint_print *print, const struct stint_op_rows *rows, const struct stint_op_table *lines)
{
    int file = stint_print_open_behind(print);
    int failed = file < 0 || (lines->count ? put_lines(rows, lines, file) : put_sums(print, rows, file));
    if (failed) {
        stint_cli_end_if_unread(file, errno);
        stint_cli_say("operations cannot be written: %s", strerror(errno));
    }
    if (file > STDERR_FILENO)
        (void)close(file);
    return failed ? -1 : 0;
}

static int fail(const char *reason)
{
    if (!reason[0])
        return stint_cli_say_no_memory("to add up the operations");
    stint_cli_say("operations cannot be added up: %s", reason);
    return -1;
}

static int print_profile(struct stint_print *print, const struct stint_profile *profile,
                         const struct stint_op_table *lines)
{
    struct stint_op_join join = {0};
    struct stint_op_rows rows = {0};
    int failed = 0;
    if (stint_op_join_read(&join, profile->snapshot, profile->events))
        failed = fail(profile->events->reason);
    else if (!join.kernels.count)
        stint_cli_say("no kernel was recorded, so there are no operations to print");
    else
        failed = stint_op_rows_make(&rows, &join) ? fail("") : put_all(print, &rows, lines);
    stint_op_rows_free(&rows);
    stint_op_join_free(&join);
    return failed;
}

int stint_print_ops_take(char *reports, struct stint_op_table *lines)
{
    static const char name[] = "ops", csv_name[] = "ops:csv";
    int found = 0;
    for (char *at = reports; *at;) {
        size_t length = strcspn(at, ","), whole = length + (at[length] == ',');
        int is_plain = length == sizeof name - 1 && strncasecmp(at, name, length) == 0;
        int is_csv = length == sizeof csv_name - 1 && strncasecmp(at, csv_name, length) == 0;
        if (is_plain || is_csv) {
            found = 1;
            lines->csv = is_csv;
            memmove(at, at + whole, strlen(at + whole) + 1);
        } else {
            at += whole;
        }
    }
    size_t left = strlen(reports);
    if (found && left && reports[left - 1] == ',')
        reports[left - 1] = '\0';
    if (found && lines->csv)
        stint_op_table_take_all(lines, STINT_OP_BYTES);
    else if (found)
        (void)stint_op_table_read(lines, STINT_OP_USUAL_COLUMNS);
    return found;
}

int stint_print_ops(struct stint_print *print, const char *recording, const struct stint_op_table *lines)
{
    struct stint_profile profile;
    if (stint_profile_open(&profile, recording))
        return -1;
    int failed = profile.events ? print_profile(print, &profile, lines) : fail("the recording has no events");
    stint_profile_close(&profile);
    return failed;
}

/* ---------------------------------------------------------------------------------------------------------- samples */

enum { USUAL_FUNCTIONS = 10 };

struct behind {
    const struct stint_results *results;
    const struct stint_snapshot *snapshot;
    struct stint_cpu_profile *profile; /* NULL: functions took too little to be shown */
    struct stint_print *print;
    const struct stint_launch *launch; /* NULL: unknown */
    int is_alone;                      /* the program was sampled, and not what it started */
};

static uint64_t if_worth_it(const struct behind *behind, uint64_t ns)
{
    return ns >= STINT_CPU_WORTH_NS && ns >= behind->snapshot->sampling.cpu_ns / 10 ? ns : 0;
}

/* CPU time of processes that were not to be sampled. */
static uint64_t others_ns(const struct behind *behind)
{
    return behind->is_alone ? if_worth_it(behind, behind->launch->children_cpu_ns) : 0;
}

/* CPU time of processes that were to be sampled, without what they said that they used. */
static uint64_t missing_ns(const struct behind *behind)
{
    uint64_t said_ns = behind->snapshot->sampling.cpu_ns + behind->results->unsampled_ns;
    int is_known = behind->launch && !behind->is_alone && behind->launch->cpu_ns > said_ns;
    return is_known ? if_worth_it(behind, behind->launch->cpu_ns - said_ns) : 0;
}

static void put_unsampled(const struct behind *behind, const struct stint_layout *layout, struct stint_text *text)
{
    const struct stint_results *results = behind->results;
    struct stint_line line = {0};
    uint64_t missing = missing_ns(behind);
    if (results->unsampled)
        stint_line_say(&line, "%zu process%s ended before a sample came: %s of CPU time is missing above",
                       results->unsampled, results->unsampled == 1 ? "" : "es",
                       stint_time_text((double)results->unsampled_ns).text);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (missing)
        stint_line_say(&line,
                       "%s of CPU time is missing above: used by programs that cannot be sampled, such as static ones, "
                       "or before sampling began",
                       stint_time_text((double)missing).text);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
}

static int put_behind(const struct behind *behind, const struct stint_layout *layout, struct stint_text *text)
{
    static const struct stint_cpu_view view = {.is_brief = 1};
    struct stint_line line = {0};
    uint64_t others = others_ns(behind);
    int failed = behind->profile ? stint_cpu_table_put(behind->profile, &view, layout, text) : 0;
    if (others)
        stint_line_say(&line, "processes that it started took %s of CPU time%s: --sample shows their functions, too",
                       stint_time_text((double)others).text, behind->profile ? " besides" : "");
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    put_unsampled(behind, layout, text);
    return failed;
}

static int put_functions(const struct behind *behind)
{
    int file = stint_print_open_behind(behind->print);
    struct stint_layout screen = stint_print_screen(file),
                        layout = stint_select_layout(&behind->print->select, &screen);
    struct stint_text text;
    layout.top = layout.top ? layout.top : USUAL_FUNCTIONS;
    stint_text_begin(&text, stint_write_fd, &file);
    int failed = file < 0 || put_behind(behind, &layout, &text);
    failed |= stint_text_end(&text) != STINT_OK;
    if (failed) {
        stint_cli_end_if_unread(file, errno);
        stint_cli_say("samples cannot be written: %s", strerror(errno));
    }
    if (file > STDERR_FILENO)
        (void)close(file);
    return failed ? -1 : 0;
}

/* Looking functions up takes longer than all else. */
static int print_sum(const struct behind *behind)
{
    static const struct stint_cpu_options all = {.is_brief = 1};
    struct stint_cpu_profile profile;
    struct behind shown = *behind;
    if (others_ns(behind) / 10 >= behind->snapshot->sampling.time_ns)
        return put_functions(behind);
    int failed = stint_cpu_profile_make(&profile, behind->snapshot, &all);
    shown.profile = &profile;
    if (failed)
        (void)stint_cli_say_no_memory("for the samples");
    else
        failed = put_functions(&shown);
    stint_cpu_profile_free(&profile);
    return failed;
}

int stint_print_samples(struct stint_print *print, const struct stint_results *results,
                        const struct stint_launch *launch, int is_alone)
{
    int failed = 0;
    struct stint_snapshot *sum = stint_results_sum(results);
    const struct stint_snapshot *all = results->all.count == 1 ? stint_results_at(results, 0) : sum;
    if (all && all->sampling.samples)
        failed = print_sum(&(struct behind){results, all, NULL, print, launch, is_alone});
    stint_snapshot_free(sum);
    return failed;
}

/* Without samples, none were asked for. */
void stint_results_hide_samples(const struct stint_results *results, int are_hidden)
{
    for (size_t i = 0; i < results->all.count; i++) {
        struct stint_sample_info *info = &stint_results_at(results, i)->sampling;
        info->sampled = !are_hidden && info->hz;
    }
}
