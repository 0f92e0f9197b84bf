#include "report/summary.h"

#include <stddef.h>
#include <string.h>

#include "report/gpu_sum.h"

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

static void add_contexts(struct stint_summary *summary, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        if (is_call(snapshot, i))
            continue;
        int outermost = stint_summary_is_apart(snapshot, context->parent);
        if (outermost)
            summary->measured_ns += context->numbers.total_ns + context->numbers.running_ns;
        /* The time of a scope with a running parent is part of the parent's time so far. */
        if (outermost || !snapshot->contexts[context->parent].numbers.running)
            summary->running_ns += context->numbers.running_ns;
    }
}

static void add_stats(struct stint_summary *summary, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_numbers *numbers = &snapshot->stats[i].numbers;
        if (stint_gpu_is_call(&snapshot->stats[i]))
            continue;
        summary->scopes++;
        summary->activations += numbers->count + numbers->running;
        summary->recursive += numbers->recursive;
        summary->running += numbers->running;
    }
}

static void add_threads(struct stint_summary *summary, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->thread_count; i++) {
        summary->live_threads += !snapshot->threads[i].exited;
        summary->exited_threads |= snapshot->threads[i].exited;
    }
}

struct stint_summary stint_summarize(const struct stint_snapshot *snapshot)
{
    struct stint_summary summary = {0};
    add_contexts(&summary, snapshot);
    add_stats(&summary, snapshot);
    add_threads(&summary, snapshot);
    summary.overhead_ns = snapshot->process.scope_ns * (double)summary.activations;
    return summary;
}

struct stint_loss stint_loss_at(const struct stint_dropped *dropped, size_t index)
{
#define LOSS(name, shown, one, many, advice) {offsetof(struct stint_dropped, name), #name, one, many, advice},
    static const struct {
        size_t at;
        const char *key;
        const char *singular;
        const char *plural;
        const char *remedy;
    } losses[STINT_LOSSES] = {STINT_I_DROPPED(LOSS)};
#undef LOSS
    struct stint_loss loss = {0, losses[index].key, losses[index].singular, losses[index].plural, losses[index].remedy};
    memcpy(&loss.count, (const char *)dropped + losses[index].at, sizeof loss.count);
    return loss;
}
