#include "report/frame.h"

#include <string.h>

#include "report/label.h"
#include "report/units.h"

/* A line of prose, gathered so that it can be measured and folded. What does not fit is cut. */
struct line {
    size_t used;
    char text[512];
};

static void add_bytes(struct line *line, const char *bytes, size_t length)
{
    size_t room = sizeof line->text - line->used;
    length = length < room ? length : room;
    memcpy(line->text + line->used, bytes, length);
    line->used += length;
}

static void add(struct line *line, const char *string)
{
    add_bytes(line, string, strlen(string));
}

static void add_u64(struct line *line, uint64_t value)
{
    char number[STINT_NUMBER_SIZE];
    stint_number_u64(number, value);
    add(line, number);
}

static void add_time(struct line *line, double ns)
{
    char number[STINT_NUMBER_SIZE];
    stint_time_format(number, ns);
    add(line, number);
}

static int write_to_line(void *context, const char *bytes, size_t length)
{
    add_bytes(context, bytes, length);
    return 0;
}

/* Adds a foreign text, of at most `columns` columns. */
static void add_escaped(struct line *line, const char *string, size_t columns)
{
    struct stint_text text;
    stint_text_begin(&text, write_to_line, line);
    stint_label_put_start(&text, (struct stint_label){.set = "", .name = string}, columns);
    stint_text_end(&text);
}

/* "1 thread", "2 threads" */
static void add_count(struct line *line, uint64_t count, const char *singular, const char *plural)
{
    add_u64(line, count);
    add(line, " ");
    add(line, count == 1 ? singular : plural);
}

/* ---------------------------------------------------------------------------------------------------------- folding */

/* Returns the bytes of `rest` to put on one line of `columns` columns (0: unlimited): up to the last blank that has
 * room, if there is one. A column is a code point here: what is not ASCII is short. */
static size_t fold_at(const char *rest, size_t length, size_t columns)
{
    size_t blank = 0, used = 0, i = 0;
    for (; i < length; i++) {
        int begins = ((unsigned char)rest[i] & 0xc0) != 0x80;
        if (rest[i] == ' ')
            blank = i;
        if (columns && begins && used++ == columns)
            return blank ? blank : i;
    }
    return length;
}

/* Writes a line, if there is anything in it, within the screen's width: what is folded indented, all of it dimmed if
 * that is wanted. */
static void put_folded(struct stint_text *text, const struct line *line, size_t screen, int dim)
{
    enum { INDENT = 2, NARROWEST = 20 };
    size_t columns = screen && screen < NARROWEST ? NARROWEST : screen;
    const char *rest = line->text;
    for (size_t left = line->used; left;) {
        size_t indent = rest == line->text ? 0 : INDENT;
        size_t piece = fold_at(rest, left, columns ? columns - indent : 0);
        stint_text_string(text, dim ? "\033[2m" : "");
        stint_text_fill(text, ' ', indent);
        stint_text_put(text, rest, piece);
        stint_text_string(text, dim ? "\033[0m\n" : "\n");
        rest += piece;
        left -= piece;
        for (; left && *rest == ' '; left--)
            rest++;
    }
}

/* ------------------------------------------------------------------------------------------------------------ title */

/* Long command lines say little more than short ones. */
enum { COMMAND_MOST = 60, COMMAND_LEAST = 12 };

static void add_threads(struct line *line, const struct stint_summary *summary)
{
    if (summary->live_threads || !summary->exited_threads)
        add_count(line, summary->live_threads, "thread", "threads");
    if (summary->exited_threads)
        add(line, summary->live_threads ? " + exited" : "exited threads");
}

/* What follows the command. */
static void describe(struct line *line, const struct stint_snapshot *snapshot, const struct stint_summary *summary)
{
    if (snapshot->process.pid) {
        add(line, " (pid ");
        add_u64(line, (uint64_t)snapshot->process.pid);
        add(line, ")");
    }
    if (!snapshot->stat_count) {
        add(line, ": no scope was entered in ");
        add_time(line, (double)snapshot->process.wall_ns);
        return;
    }
    add(line, ", ");
    add_count(line, snapshot->stat_count, "scope", "scopes");
    add(line, ", ");
    add_threads(line, summary);
    add(line, ", ");
    add_time(line, (double)snapshot->process.wall_ns);
}

/* The command without the program's directory. */
static const char *short_command(const char *command)
{
    const char *start = command;
    for (const char *at = command; *at && *at != ' '; at++)
        if (*at == '/')
            start = at + 1;
    return *start && *start != ' ' ? start : "program";
}

void stint_frame_title(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_summary *summary, const struct stint_layout *layout)
{
    struct line line = {0}, description = {0};
    describe(&description, snapshot, summary);
    add(&line, "stint: ");
    size_t room = COMMAND_MOST;
    size_t taken = line.used + description.used;
    if (layout->columns && layout->columns < taken + room)
        room = layout->columns > taken + COMMAND_LEAST ? layout->columns - taken : COMMAND_LEAST;
    add_escaped(&line, short_command(snapshot->process.command), room);
    add_bytes(&line, description.text, description.used);
    put_folded(text, &line, layout->columns, 0);
}

/* ----------------------------------------------------------------------------------------------------------- footer */

static void note_running(struct line *line, const struct stint_summary *summary)
{
    add(line, "* ");
    add_count(line, summary->running, "activation", "activations");
    add(line, " still running, ");
    add_time(line, (double)summary->running_ns);
    add(line, " so far, not in the total");
}

static void note_recursive(struct line *line, const struct stint_summary *summary)
{
    add(line, "recursion: ");
    add_count(line, summary->recursive, "activation", "activations");
    add(line, " nested in their own name, in Count and Self only");
}

/* "2.494 GHz" */
static void add_frequency(struct line *line, double hz)
{
    static const char *const names[] = {" Hz", " kHz", " MHz", " GHz"};
    size_t name = 0;
    for (; name < 3 && hz >= 999.95; name++)
        hz /= 1000;
    char number[STINT_NUMBER_SIZE];
    stint_number_fixed(number, hz, hz < 99.95 && name ? 3 : 0);
    add(line, number);
    add(line, names[name]);
}

enum { CLOCK_MOST = 20 };

static void note_clock(struct line *line, const struct stint_process *process)
{
    add(line, "clock: ");
    add_escaped(line, process->clock, CLOCK_MOST);
    if (process->clock_hz > 0) {
        add(line, ", ");
        add_frequency(line, process->clock_hz);
    }
    if (process->clock_read_ns > 0) {
        add(line, ", ");
        add_time(line, process->clock_read_ns);
        add(line, " per read");
    }
}

static void note_overhead(struct line *line, const struct stint_process *process, const struct stint_summary *summary)
{
    add(line, "overhead: ");
    if (process->scope_ns <= 0) {
        add(line, "not measured");
        return;
    }
    add_time(line, process->scope_ns);
    add(line, " per scope, about ");
    add_time(line, summary->overhead_ns);
    add(line, " in all");
    if (process->wall_ns) {
        char number[STINT_NUMBER_SIZE];
        double percent = 100 * summary->overhead_ns / (double)process->wall_ns;
        stint_number_fixed(number, percent, 2);
        add(line, percent < 0.005 ? ", less than 0.01" : ", ");
        add(line, percent < 0.005 ? "" : number);
        add(line, " % of the run");
    }
}

enum { BARRIER_MOST = 60 };

/* "barrier gradients: 9 rounds of 10, gap 90.02 ms on average, slowest in 8 of them: 3" */
static void note_barrier(struct line *line, const struct stint_snapshot *snapshot,
                         const struct stint_barrier_stat *barrier)
{
    const struct stint_barrier_part *total = &barrier->total;
    add(line, "barrier ");
    if (strcmp(barrier->set, snapshot->sets[0]) != 0) {
        add_escaped(line, barrier->set, BARRIER_MOST);
        add(line, "/");
    }
    add_escaped(line, barrier->name, BARRIER_MOST);
    add(line, ": ");
    add_count(line, total->rounds, "round", "rounds");
    add(line, " of ");
    add_u64(line, barrier->participants);
    add(line, ", gap ");
    add_time(line, (double)total->gap_ns / (double)total->rounds);
    add(line, " on average");
    if (!barrier->slowest_count)
        return;
    add(line, ", slowest in ");
    add_u64(line, barrier->slowest[0].rounds);
    add(line, " of them: ");
    add_u64(line, barrier->slowest[0].participant);
}

static void note_loss(struct line *line, const struct stint_loss *loss)
{
    add(line, "dropped: ");
    add_count(line, loss->count, loss->singular, loss->plural);
    add(line, " (");
    add(line, loss->remedy);
    add(line, ")");
}

/* Writes the note and empties it for the next one. */
static void put_note(struct stint_text *text, struct line *line, const struct stint_layout *layout)
{
    put_folded(text, line, layout->columns, layout->color);
    line->used = 0;
}

static void put_losses(struct stint_text *text, struct line *line, const struct stint_dropped *dropped,
                       const struct stint_layout *layout)
{
    for (size_t i = 0; i < STINT_LOSSES; i++) {
        struct stint_loss loss = stint_loss_at(dropped, i);
        if (!loss.count)
            continue;
        note_loss(line, &loss);
        put_note(text, line, layout);
    }
}

void stint_frame_footer(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_summary *summary, const struct stint_layout *layout)
{
    struct line line = {0}; /* one for all notes: a signal handler's stack is small */
    for (size_t i = 0; i < snapshot->barrier_count; i++) {
        if (snapshot->barriers[i].total.rounds)
            note_barrier(&line, snapshot, &snapshot->barriers[i]);
        put_note(text, &line, layout);
    }
    if (summary->running)
        note_running(&line, summary);
    put_note(text, &line, layout);
    if (summary->recursive)
        note_recursive(&line, summary);
    put_note(text, &line, layout);
    if (snapshot->stat_count && *snapshot->process.clock)
        note_clock(&line, &snapshot->process);
    put_note(text, &line, layout);
    if (snapshot->stat_count)
        note_overhead(&line, &snapshot->process, summary);
    put_note(text, &line, layout);
    put_losses(text, &line, &snapshot->dropped, layout);
}
