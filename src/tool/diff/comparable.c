/* Says why two sides cannot be compared, and how they differ. */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "diff/diff.h"
#include "report/summary.h"
#include "verdict/verdict.h"

enum { MOST = 10 };

/* A verdict that is a guess may be another one by chance. */
static int is_certain(const struct stint_verdict *verdict)
{
    return verdict->bound != STINT_BOUND_UNKNOWN && verdict->certainty != STINT_UNSURE;
}

/* Snapshots have kernels in the order of their names; *next is where to look on. Returns 0 if it lacks the kernel. */
static int find_kernel(struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot, size_t *next,
                       const char *kernel)
{
    for (size_t at = *next; stint_kernel_figures_next(figures, snapshot, &at); *next = at) {
        int order = strcmp(figures->kernel, kernel);
        if (order >= 0)
            return order == 0;
    }
    return 0;
}

static int add_note(struct stint_array *notes, struct stint_arena *arena, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a sentence. Returns 0, or -1 without memory. */
static int add_note(struct stint_array *notes, struct stint_arena *arena, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char **note = stint_array_add(notes, arena, sizeof *note);
    const char *copy = stint_arena_copy(arena, text, strlen(text));
    if (!note || !copy)
        return -1;
    *note = copy;
    return 0;
}

static int note_bound(const char *kernel, const struct stint_verdict *a, const struct stint_verdict *b,
                      struct stint_array *notes, struct stint_arena *arena)
{
    return add_note(notes, arena, "%.200s was bound by %s in A, and is bound by %s in B", kernel,
                    stint_bound_name(a->bound), stint_bound_name(b->bound));
}

int stint_diff_note_verdicts(const struct stint_snapshot *a, const struct stint_snapshot *b, struct stint_array *notes,
                             struct stint_arena *arena)
{
    struct stint_kernel_figures of_a, of_b;
    size_t next_a = 0, next_b = 0, changed = 0;
    while (stint_kernel_figures_next(&of_b, b, &next_b)) {
        if (!find_kernel(&of_a, a, &next_a, of_b.kernel))
            continue;
        struct stint_verdict before = stint_verdict(&of_a), after = stint_verdict(&of_b);
        if (!is_certain(&before) || !is_certain(&after) || before.bound == after.bound)
            continue;
        if (++changed <= MOST && note_bound(of_b.kernel, &before, &after, notes, arena))
            return -1;
    }
    if (changed <= MOST)
        return 0;
    return add_note(notes, arena, "%zu more kernels are bound by something else in B", changed - MOST);
}

/* ---------------------------------------------------------------------------------------------------------- refusal */

static int is_empty(const struct stint_snapshot *snapshot)
{
    return !snapshot->stat_count && !snapshot->gpu_activity_count && !snapshot->sample_count_count;
}

static const struct stint_snapshot *snapshot_at(const struct stint_diff *diff, int side, size_t i)
{
    return diff->side[side].snapshots[i];
}

static int refuse_empty(const struct stint_diff *diff, const char *const *names, char *reason)
{
    size_t name = 0;
    for (int side = 0; side < STINT_DIFF_SIDES; side++) {
        for (size_t i = 0; i < diff->side[side].count; i++, name++) {
            if (!is_empty(snapshot_at(diff, side, i)))
                continue;
            (void)snprintf(reason, STINT_REFUSAL_SIZE,
                           "%.256s: nothing was recorded: no scope, no call, no GPU activity, no sample", names[name]);
            return -1;
        }
    }
    return 0;
}

static const char *gpu_name(const struct stint_snapshot *snapshot, size_t i)
{
    return i < snapshot->gpu_device_count ? snapshot->gpu_devices[i].name : "";
}

static int has_same_gpus(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    size_t count = a->gpu_device_count > b->gpu_device_count ? a->gpu_device_count : b->gpu_device_count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(gpu_name(a, i), gpu_name(b, i)) != 0)
            return 0;
    return 1;
}

/* Writes "2 x NVIDIA H200" for two devices of the same name. */
static void name_gpus(char *out, size_t size, const struct stint_snapshot *snapshot)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < snapshot->gpu_device_count && used < size;) {
        size_t same = i;
        while (same < snapshot->gpu_device_count && strcmp(gpu_name(snapshot, i), gpu_name(snapshot, same)) == 0)
            same++;
        const char *name = *gpu_name(snapshot, i) ? gpu_name(snapshot, i) : "an unknown GPU";
        if (same - i > 1)
            used += (size_t)snprintf(out + used, size - used, "%s%zu x %.60s", i ? ", " : "", same - i, name);
        else
            used += (size_t)snprintf(out + used, size - used, "%s%.60s", i ? ", " : "", name);
        i = same;
    }
}

/* All files must have the devices of the first one that has any; a file without devices can be compared with any. */
static int refuse_other_gpu(const struct stint_diff *diff, const char *const *names, char *reason)
{
    const struct stint_snapshot *first = NULL;
    const char *first_name = NULL;
    size_t name = 0;
    for (int side = 0; side < STINT_DIFF_SIDES; side++) {
        for (size_t i = 0; i < diff->side[side].count; i++, name++) {
            const struct stint_snapshot *snapshot = snapshot_at(diff, side, i);
            char here[100], there[100];
            if (!snapshot->gpu_device_count)
                continue;
            if (!first) {
                first = snapshot;
                first_name = names[name];
            }
            if (has_same_gpus(first, snapshot))
                continue;
            name_gpus(there, sizeof there, first);
            name_gpus(here, sizeof here, snapshot);
            (void)snprintf(reason, STINT_REFUSAL_SIZE, "%.80s ran on %s, %.80s on %s; --force compares them anyway",
                           first_name, there, names[name], here);
            return -1;
        }
    }
    return 0;
}

/* Functions have times in all files that were sampled, which are 0 where no sample met them. */
static int is_common(const struct stint_diff *diff, const struct stint_diff_row *row)
{
    if (row->kind == STINT_DIFF_TOTAL || !row->files[STINT_DIFF_A] || !row->files[STINT_DIFF_B])
        return 0;
    return row->kind != STINT_DIFF_FUNCTION || (stint_change_mean(diff, row, STINT_DIFF_A, STINT_METRIC_TOTAL) > 0 &&
                                                stint_change_mean(diff, row, STINT_DIFF_B, STINT_METRIC_TOTAL) > 0);
}

static int refuse_strangers(const struct stint_diff *diff, char *reason)
{
    for (size_t i = 0; i < diff->rows.count; i++)
        if (is_common(diff, stint_diff_row_at(diff, i)))
            return 0;
    (void)snprintf(reason, STINT_REFUSAL_SIZE, "A and B have no scope, kernel, copy, call or function in common");
    return -1;
}

int stint_diff_refuse(const struct stint_diff *diff, const char *const *names, int other_gpu, char *reason)
{
    if (refuse_empty(diff, names, reason))
        return -1;
    if (!other_gpu && refuse_other_gpu(diff, names, reason))
        return -1;
    return refuse_strangers(diff, reason);
}

/* ------------------------------------------------------------------------------------------------------------ notes */

static int note_clocks(const struct stint_process *a, const struct stint_process *b, struct stint_array *notes,
                       struct stint_arena *arena)
{
    if (strcmp(a->clock, b->clock) == 0)
        return 0;
    return add_note(notes, arena,
                    "A was measured with the clock %.20s, B with %.20s: times below a microsecond may differ for "
                    "that reason alone",
                    a->clock, b->clock);
}

static int note_hosts(const struct stint_process *a, const struct stint_process *b, struct stint_array *notes,
                      struct stint_arena *arena)
{
    if (!*a->host || !*b->host || strcmp(a->host, b->host) == 0)
        return 0;
    return add_note(notes, arena, "A ran on the host %.60s, B on %.60s", a->host, b->host);
}

/* What is in no number of the snapshot, and what is in them with a number that is not its own. */
struct losses {
    uint64_t dropped, odd;
};

static struct losses losses_of(const struct stint_diff *diff, int side)
{
    enum { ELSEWHERE, NOWHERE };
#define IS_NOWHERE(name, shown, noun, rest, advice) shown,
    static const unsigned char is_nowhere[STINT_LOSSES] = {STINT_I_DROPPED(IS_NOWHERE)};
    struct losses losses = {0};
    for (size_t i = 0; i < diff->side[side].count; i++) {
        const struct stint_dropped *dropped = &snapshot_at(diff, side, i)->dropped;
        stint_sum_up(&losses.odd, dropped->negative);
        stint_sum_up(&losses.odd, dropped->impossible);
        stint_sum_up(&losses.odd, dropped->saturated);
        for (size_t loss = 0; loss < STINT_LOSSES; loss++)
            stint_sum_up(&losses.dropped, is_nowhere[loss] ? stint_loss_at(dropped, loss).count : 0);
    }
    return losses;
}

static int note_losses(const struct stint_diff *diff, struct stint_array *notes, struct stint_arena *arena)
{
    for (int side = 0; side < STINT_DIFF_SIDES; side++) {
        struct losses losses = losses_of(diff, side);
        if (losses.dropped && add_note(notes, arena, "%c lacks %llu dropped records: its own report says which",
                                       'A' + side, (unsigned long long)losses.dropped))
            return -1;
        if (losses.odd &&
            add_note(notes, arena,
                     "%c has values that are impossible or beyond 64 bits (%llu): its own report says which",
                     'A' + side, (unsigned long long)losses.odd))
            return -1;
    }
    return 0;
}

/* A side without GPU activity, if the other has some. */
static int note_gpus(const struct stint_diff *diff, struct stint_array *notes, struct stint_arena *arena)
{
    size_t with[STINT_DIFF_SIDES] = {0};
    for (int side = 0; side < STINT_DIFF_SIDES; side++)
        for (size_t i = 0; i < diff->side[side].count; i++)
            with[side] += snapshot_at(diff, side, i)->gpu_activity_count != 0;
    for (int side = 0; side < STINT_DIFF_SIDES; side++) {
        if (with[side] || !with[!side])
            continue;
        return add_note(notes, arena, "GPU activity was recorded only in %c", 'A' + !side);
    }
    return 0;
}

int stint_diff_note(const struct stint_diff *diff, struct stint_array *notes, struct stint_arena *arena)
{
    const struct stint_snapshot *of_a = snapshot_at(diff, STINT_DIFF_A, 0), *of_b = snapshot_at(diff, STINT_DIFF_B, 0);
    const struct stint_process *a = &of_a->process, *b = &of_b->process;
    return note_hosts(a, b, notes, arena) || note_clocks(a, b, notes, arena) || note_gpus(diff, notes, arena) ||
                   note_losses(diff, notes, arena) || stint_diff_note_verdicts(of_a, of_b, notes, arena)
               ? -1
               : 0;
}
