/* Totals of a snapshot: how long, how many, what was running, what recording cost, what was lost. Each is computed here
 * once, so that no two reports disagree. */
#include "report/summary.h"

#include <string.h>

#include "stat/members.h"
#include "stat/numbers.h"

struct stint_gpu_sum stint_gpu_summarize(const struct stint_snapshot *snapshot) __attribute__((weak));
void stint_gpu_add_costs(struct stint_summary *summary, const struct stint_snapshot *snapshot) __attribute__((weak));

static int is_call(const struct stint_snapshot *snapshot, size_t context)
{
    return stint_gpu_is_call(&snapshot->stats[snapshot->contexts[context].stat]);
}

int stint_summary_is_apart(const struct stint_snapshot *snapshot, size_t context)
{
    while (context != STINT_NO_PARENT && is_call(snapshot, context))
        context = snapshot->contexts[context].parent;
    return context == STINT_NO_PARENT;
}

/* 100 % is what the outermost scopes took, or what is known of it: what a killed program left does not say how long
 * those had run that had not ended, and threads that help a scope may take longer than it. No share is larger. */
static void add_measured(struct stint_summary *summary, const struct stint_snapshot *snapshot)
{
    struct stint_arena scratch = {0};
    uint64_t *within = stint_arena_alloc(&scratch, snapshot->context_count * sizeof *within);
    for (size_t i = snapshot->context_count; i-- > 0;) { /* parents come before their children */
        const struct stint_context *context = &snapshot->contexts[i];
        uint64_t whole = context->numbers.total_ns;
        stint_sum_up(&whole, context->numbers.running_ns);
        whole = is_call(snapshot, i) ? 0 : whole;
        whole = within && within[i] > whole ? within[i] : whole;
        if (context->parent == STINT_NO_PARENT)
            stint_sum_up(&summary->measured_ns, whole);
        else if (within)
            stint_sum_up(&within[context->parent], whole);
    }
    stint_arena_free(&scratch);
}

/* The time of a scope with a running parent is part of the parent's time so far. */
static void sum_running(struct stint_summary *summary, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->context_count; i++) {
        size_t parent = snapshot->contexts[i].parent;
        if (!is_call(snapshot, i) && (parent == STINT_NO_PARENT || !snapshot->contexts[parent].numbers.running))
            stint_sum_up(&summary->running_ns, snapshot->contexts[i].numbers.running_ns);
    }
}

static void sum_stats(struct stint_summary *summary, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        const struct stint_numbers *numbers = &stat->numbers;
        uint64_t recorded = stint_sum_of(numbers->count, numbers->running);
        enum stint_cost_kind way = stint_cost_kind_of(stat->set, stat->function, stat->line);
        uint64_t left_out = numbers->left_out < recorded ? numbers->left_out : recorded;
        const struct stint_process *process = &snapshot->process;
        summary->left_out_ns +=
            (double)left_out * (way == STINT_COST_FUNCTION ? process->thinned_hooks_ns : process->thinned_ns);
        stint_sum_up(&summary->left_out, left_out);
        stint_sum_up(&summary->recorded[way], recorded - left_out);
        if (stint_gpu_is_call(stat))
            continue;
        summary->scopes++;
        stint_sum_up(&summary->activations, recorded);
        stint_sum_up(&summary->recursive, numbers->recursive);
        stint_sum_up(&summary->running, numbers->running);
    }
}

static void add_threads(struct stint_summary *summary, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->thread_count; i++) {
        summary->live_threads += !snapshot->threads[i].exited;
        summary->exited_threads |= snapshot->threads[i].exited;
        stint_sum_up(&summary->exits, snapshot->threads[i].exits);
    }
}

/* A part of a recording may have none of the samples that its process added. */
static void tell_added_apart(struct stint_summary *summary, uint64_t added)
{
    uint64_t *recorded = summary->recorded;
    recorded[STINT_COST_SAMPLE] = added < recorded[STINT_COST_SCOPE] ? added : recorded[STINT_COST_SCOPE];
    recorded[STINT_COST_SCOPE] -= recorded[STINT_COST_SAMPLE];
}

struct stint_summary stint_summarize(const struct stint_snapshot *snapshot)
{
    struct stint_summary summary = {0};
    add_measured(&summary, snapshot);
    sum_running(&summary, snapshot);
    sum_stats(&summary, snapshot);
    add_threads(&summary, snapshot);
    tell_added_apart(&summary, snapshot->process.added_samples);
    if (stint_gpu_add_costs)
        stint_gpu_add_costs(&summary, snapshot);
    for (int way = 0; way < STINT_COST_KINDS; way++)
        summary.overhead_ns += stint_recording_cost(&snapshot->process, (enum stint_cost_kind)way).whole_ns *
                               (double)summary.recorded[way];
    const struct stint_process *process = &snapshot->process;
    summary.overhead_ns += process->left_out_ns * (double)(process->excluded_calls + process->tiny_calls);
    summary.overhead_ns += summary.left_out_ns;
    summary.overhead_ns += (double)snapshot->gpu.reading_ns + summary.cupti_ns;
    return summary;
}

struct stint_gpu_sum stint_gpu_sum_of(const struct stint_snapshot *snapshot)
{
    return stint_gpu_summarize ? stint_gpu_summarize(snapshot) : (struct stint_gpu_sum){0};
}

/* The texts about each kind of loss, one after the other. There are no pointers, since each would cost a relocation. */
#define TEXTS(name, shown, noun, rest, advice) noun "\0" rest "\0" advice "\0"
static const char s_loss_texts[] = STINT_I_DROPPED(TEXTS);
enum { LOSS_TEXTS = 3 };

/* Returns the text at `*at`, and moves on to the next one. */
static const char *take_text(const char **at)
{
    const char *text = *at;
    *at += strlen(text) + 1;
    return text;
}

struct stint_loss stint_loss_at(const struct stint_dropped *dropped, size_t index)
{
    struct stint_loss loss = {.key = stint_rows_dropped.members[index].key};
    const char *at = s_loss_texts;
    for (size_t i = 0; i < index * LOSS_TEXTS; i++)
        (void)take_text(&at);
    memcpy(&loss.count, (const char *)dropped + index * sizeof loss.count, sizeof loss.count);
    loss.noun = take_text(&at);
    loss.plural = loss.count == 1 ? "" : "s";
    loss.rest = take_text(&at);
    loss.remedy = take_text(&at);
    return loss;
}
