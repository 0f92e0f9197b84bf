/* Titles and footnotes of reports for people. A footnote appears only if it applies, and says what a reader may miss or
 * doubt: losses, overhead, the clock, open ranges. */
#include "report/summary.h"

#include <string.h>

#include "base/clock.h"
#include "report/line.h"

void stint_frame_notes_of_parts(struct stint_text *text, struct stint_line *line, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout, enum stint_note_place place) __attribute__((weak));

/* ------------------------------------------------------------------------------------------------------------ title */

/* Long command lines tell little more than short ones. */
enum { COMMAND_MOST = 60, COMMAND_LEAST = 12 };

enum { RANK_MOST = 15 };

void stint_frame_process(struct stint_line *line, const struct stint_process *process)
{
    if (process->pid)
        stint_line_say(line, " (pid %ju", (uintmax_t)process->pid);
    if (process->pid && *process->rank) {
        stint_line_string(line, ", rank ");
        stint_line_escaped(line, process->rank, RANK_MOST);
    }
    stint_line_string(line, process->pid ? ")" : "");
}

/* ", 2 threads + 3 exited", ", 3 exited threads"; without a number where it is unknown. Sums of ranks say
 * nothing of threads. */
void stint_frame_threads(struct stint_line *line, const struct stint_summary *summary)
{
    if (summary->live_threads) {
        stint_line_string(line, ", ");
        stint_line_count(line, summary->live_threads, "thread", "threads");
    }
    if (!summary->exited_threads)
        return;
    stint_line_string(line, summary->live_threads ? " + " : ", ");
    if (summary->exits)
        stint_line_say(line, "%ju ", (uintmax_t)summary->exits);
    stint_line_string(line, summary->live_threads ? "exited"
                            : summary->exits == 1 ? "exited thread"
                                                  : "exited threads");
}

/* What follows the command in the title. */
static void describe_scopes(struct stint_line *line, const struct stint_snapshot *snapshot,
                            const struct stint_summary *summary)
{
    stint_frame_process(line, &snapshot->process);
    if (!summary->scopes) {
        stint_line_say(line, ": no scope was entered in %s", stint_time_text((double)snapshot->process.wall_ns).text);
        return;
    }
    stint_line_say(line, ", %zu scope%s", summary->scopes, summary->scopes == 1 ? "" : "s");
    stint_frame_threads(line, summary);
    stint_line_say(line, ", %s", stint_time_text((double)snapshot->process.wall_ns).text);
}

const char *stint_frame_command(const char *command)
{
    const char *start = command;
    for (const char *at = command; *at && *at != ' '; at++)
        if (*at == '/')
            start = at + 1;
    return *start && *start != ' ' ? start : "program";
}

void stint_frame_program(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_line *description, const struct stint_layout *layout)
{
    struct stint_line line = {0};
    stint_line_string(&line, "stint: ");
    size_t room = COMMAND_MOST;
    size_t taken = line.used + description->used;
    if (layout->columns && layout->columns < taken + room)
        room = layout->columns > taken + COMMAND_LEAST ? layout->columns - taken : COMMAND_LEAST;
    stint_line_escaped(&line, stint_frame_command(snapshot->process.command), room);
    stint_line_bytes(&line, description->text, description->used);
    stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
}

void stint_frame_title(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_summary *summary, const struct stint_layout *layout)
{
    struct stint_line description = {0};
    describe_scopes(&description, snapshot, summary);
    stint_frame_program(text, snapshot, &description, layout);
}

/* ----------------------------------------------------------------------------------------------------------- footer */

static void note_running(struct stint_line *line, const struct stint_summary *summary)
{
    stint_line_say(line, "* %ju activation%s still running, %s so far, not in the total", summary->running,
                   summary->running == 1 ? "" : "s", stint_time_text((double)summary->running_ns).text);
}

static void note_recursive(struct stint_line *line, const struct stint_summary *summary)
{
    stint_line_say(line, "recursion: %ju activation%s nested in a scope of the same name, in Count and Self only",
                   summary->recursive, summary->recursive == 1 ? "" : "s");
}

/* "2.494 GHz" */
static void add_frequency(struct stint_line *line, double hz)
{
    static const char names[][5] = {" Hz", " kHz", " MHz", " GHz"};
    size_t name = 0;
    for (; name < 3 && hz >= 999.95; name++)
        hz /= 1000;
    stint_line_fixed(line, hz, hz < 99.95 && name ? 3 : 0);
    stint_line_string(line, names[name]);
}

enum { CLOCK_MOST = 20 };

static void note_clock(struct stint_line *line, const struct stint_process *process)
{
    stint_line_string(line, "clock: ");
    stint_line_escaped(line, process->clock, CLOCK_MOST);
    if (process->clock_hz > 0) {
        stint_line_string(line, ", ");
        add_frequency(line, process->clock_hz);
    }
    if (process->clock_read_ns > 0)
        stint_line_say(line, ", %s per read", stint_time_text(process->clock_read_ns).text);
}

static int is_unordered(const struct stint_process *process)
{
    return strncmp(process->clock, STINT_CLOCK_UNORDERED, strlen(STINT_CLOCK_UNORDERED)) == 0;
}

static void note_unordered(struct stint_line *line)
{
    stint_line_string(
        line, "the clock does not wait for the work of a scope: scopes of a few microseconds may show a fraction of "
              "their time (STINT_CLOCK=fast; auto waits)");
}

static void note_cost(struct stint_line *line, const char *separator, double ns, const char *name)
{
    stint_line_say(line, "%s%s%s", separator, stint_time_text(ns).text, name);
}

/* "24.1 ns per scope, 31.0 ns per function, 1.20 ms for GPU records": of each way that was measured and used; of scopes
 * if there is no other. */
static void note_costs(struct stint_line *line, const struct stint_snapshot *snapshot,
                       const struct stint_summary *summary)
{
    const struct stint_process *process = &snapshot->process;
    static const char names[STINT_COST_KINDS][18] = {" per scope", " per function", " per range", " per call",
                                                     " per added sample"};
    const double costs[STINT_COST_KINDS] = {process->scope_ns, process->function.whole_ns, process->range.whole_ns,
                                            process->call.whole_ns, process->added_ns};
    int notes = 0;
    for (int way = 0; way < STINT_COST_KINDS; way++)
        if (summary->recorded[way] && costs[way] > 0)
            note_cost(line, notes++ ? ", " : "", costs[way], names[way]);
    if (!notes)
        note_cost(line, "", process->scope_ns, names[STINT_COST_SCOPE]);
    if (snapshot->gpu.reading_ns)
        note_cost(line, ", ", (double)snapshot->gpu.reading_ns, " for GPU records");
    if (summary->cupti_ns > 0)
        note_cost(line, ", ", summary->cupti_ns, " in CUPTI");
}

static void note_overhead(struct stint_line *line, const struct stint_snapshot *snapshot,
                          const struct stint_summary *summary)
{
    const struct stint_process *process = &snapshot->process;
    int is_of_gpu = snapshot->gpu.reading_ns > 0, lacks_cupti = is_of_gpu && summary->cupti_ns <= 0;
    stint_line_string(line, "overhead: ");
    if (process->scope_ns <= 0) {
        stint_line_string(line, "not measured");
        return;
    }
    note_costs(line, snapshot, summary);
    stint_line_say(line, ", %s %s in all", is_of_gpu ? "at least" : "about",
                   stint_time_text(summary->overhead_ns).text);
    double percent = 100 * summary->overhead_ns / (double)process->wall_ns;
    if (process->wall_ns && percent < 0.005)
        stint_line_string(line, ", less than 0.01 % of the run");
    else if (process->wall_ns)
        stint_line_say(line, ", %.2f %% of the run", percent);
    if (process->inside_ns > 0)
        stint_line_string(line, ", subtracted from the times above");
    if (process->inside_ns > 0 && is_of_gpu)
        stint_line_string(line, " except for GPU records and CUPTI");
    if (lacks_cupti)
        stint_line_string(
            line, "; CUPTI's cost is not included: stint run and stint stats add it after stint doctor --measure");
}

/* Where that took more of the run than was asked, the budget cannot be kept. */
static void note_budget(struct stint_line *line, const struct stint_snapshot *snapshot,
                        const struct stint_summary *summary)
{
    stint_line_say(line,
                   "~ %ju activations left out (STINT_BUDGET) and estimated, +/- in 95 %% of cases: that took %.1f %%",
                   summary->left_out, 100 * summary->left_out_ns / (double)(int64_t)(snapshot->process.wall_ns + 1));
}

static void note_loss(struct stint_line *line, const struct stint_loss *loss)
{
    stint_line_say(line, "dropped: %ju %s%s%s (%s)", loss->count, loss->noun, loss->plural, loss->rest, loss->remedy);
}

static void put_others(struct stint_text *text, struct stint_line *line, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout, enum stint_note_place place)
{
    if (stint_frame_notes_of_parts)
        stint_frame_notes_of_parts(text, line, snapshot, layout, place);
}

static void put_losses(struct stint_text *text, struct stint_line *line, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout)
{
    put_others(text, line, snapshot, layout, STINT_NOTE_LOSSES);
    for (size_t i = 0; i < STINT_LOSSES; i++) {
        struct stint_loss loss = stint_loss_at(&snapshot->dropped, i);
        if (loss.count)
            note_loss(line, &loss);
        stint_line_put(line, text, layout, STINT_LINE_DIM);
    }
}

void stint_frame_losses(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout)
{
    struct stint_line line = {0};
    put_losses(text, &line, snapshot, layout);
}

static void put_notes(struct stint_text *text, const struct stint_snapshot *snapshot,
                      const struct stint_summary *summary, const struct stint_layout *layout, int has_clock)
{
    struct stint_line line = {0}; /* only one for all notes, because a signal handler's stack is small */
    put_others(text, &line, snapshot, layout, STINT_NOTE_FIRST);
    if (summary->running)
        note_running(&line, summary);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    put_others(text, &line, snapshot, layout, STINT_NOTE_OPEN);
    if (summary->recursive)
        note_recursive(&line, summary);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (has_clock && summary->scopes && *snapshot->process.clock)
        note_clock(&line, &snapshot->process);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (summary->scopes && is_unordered(&snapshot->process))
        note_unordered(&line);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (summary->scopes || summary->recorded[STINT_COST_CALL])
        note_overhead(&line, snapshot, summary);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (summary->left_out)
        note_budget(&line, snapshot, summary);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    put_others(text, &line, snapshot, layout, STINT_NOTE_LAST);
    put_losses(text, &line, snapshot, layout);
}

void stint_frame_footer(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_summary *summary, const struct stint_layout *layout)
{
    put_notes(text, snapshot, summary, layout, 1);
}

void stint_frame_short_footer(struct stint_text *text, const struct stint_snapshot *snapshot,
                              const struct stint_summary *summary, const struct stint_layout *layout)
{
    put_notes(text, snapshot, summary, layout, 0);
}
