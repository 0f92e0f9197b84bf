#include "report/summary.h"

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
        /* A scope runs within its running parent, whose time so far includes it. */
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
    const struct stint_loss losses[STINT_LOSSES] = {
        {dropped->nodes, "nodes", "scope beyond the calling-context limit", "scopes beyond the calling-context limit",
         "raise STINT_MAX_NODES"},
        {dropped->names, "names", "scope beyond the name limit", "scopes beyond the name limit",
         "raise STINT_MAX_NAMES"},
        {dropped->sets, "sets", "set beyond the limit of 256", "sets beyond the limit of 256",
         "their statistics are in the global set"},
        {dropped->threads, "threads", "scope of a thread beyond the thread limit",
         "scopes of threads beyond the thread limit", "raise STINT_MAX_THREADS"},
        {dropped->memory, "memory", "scope for want of memory", "scopes for want of memory", "give the process more"},
        {dropped->reentrant, "reentrant", "scope in a signal handler that interrupted stint",
         "scopes in signal handlers that interrupted stint", "keep them out"},
        {dropped->truncated, "truncated", "name cut short", "names cut short", "use shorter ones"},
        {dropped->unnamed, "unnamed", "name that was NULL or empty", "names that were NULL or empty",
         "name every scope"},
        {dropped->changed, "changed", "static scope whose name changed", "static scopes whose name changed",
         "use REGISTER_TIMER_DYNAMIC"},
        {dropped->mismatched, "mismatched", "end without a beginning", "ends without a beginning",
         "start each timer before its stop"},
        {dropped->abandoned, "abandoned", "scope left by longjmp or thread exit",
         "scopes left by longjmp or thread exit", "leave them through their end"},
        {dropped->negative, "negative", "time below zero, counted as 0", "times below zero, counted as 0",
         "the clock went backwards"},
        {dropped->barriers, "barriers", "barrier call with a wrong participant or beyond a limit",
         "barrier calls with wrong participants or beyond a limit", "the log says which"},
        {dropped->gpu_records, "gpu_records", "GPU record for want of a free buffer",
         "GPU records for want of a free buffer", "collect less: STINT_GPU=kernels"},
        {dropped->gpu_invalid, "gpu_invalid", "GPU record without valid times", "GPU records without valid times",
         "in no number"},
        {dropped->gpu_unknown, "gpu_unknown", "GPU record of an unknown kind or version",
         "GPU records of an unknown kind or version", "use a stint that knows this CUPTI"},
        {dropped->gpu_activities, "gpu_activities", "GPU record beyond the activity limit",
         "GPU records beyond the activity limit", "raise STINT_MAX_GPU"},
        {dropped->gpu_events, "gpu_events", "event beyond the trace's size", "events beyond the trace's size",
         "raise STINT_GPU_TRACE"},
        {dropped->gpu_spans, "gpu_spans", "STINT_GPU_SCOPE without CUDA events", "STINT_GPU_SCOPEs without CUDA events",
         "none was free, or CUDA failed"},
        {dropped->nvtx_events, "nvtx_events", "NVTX event with times of its own", "NVTX events with times of their own",
         "they are counted only"},
        {dropped->nvtx_unknown, "nvtx_unknown", "NVTX payload or sample of something unregistered",
         "NVTX payloads or samples of something unregistered", "register schemas and counters before their use"},
        {dropped->nvtx_domains, "nvtx_domains", "NVTX domain beyond the limit of 256",
         "NVTX domains beyond the limit of 256", "their events are in the default domain"},
        {dropped->nvtx_strings, "nvtx_strings", "NVTX string or name beyond the limit",
         "NVTX strings or names beyond the limit", "use fewer different ones"},
        {dropped->nvtx_schemas, "nvtx_schemas", "NVTX schema beyond the limit of 1024",
         "NVTX schemas beyond the limit of 1024", "use fewer"},
        {dropped->nvtx_counters, "nvtx_counters", "NVTX counter beyond the limit of 1024",
         "NVTX counters beyond the limit of 1024", "use fewer"},
        {dropped->nvtx_values, "nvtx_values", "number of an NVTX payload beyond the limit",
         "numbers of NVTX payloads beyond the limit", "use fewer ranges with payloads"},
        {dropped->nvtx_names, "nvtx_names", "name given through NVTX beyond the limit",
         "names given through NVTX beyond the limit", "name fewer things"},
        {dropped->nvtx_depth, "nvtx_depth", "NVTX range pushed inside 65536 others",
         "NVTX ranges pushed inside 65536 others", "pop each one"},
        {dropped->nvtx_ranges, "nvtx_ranges", "NVTX range started while 65536 were open",
         "NVTX ranges started while 65536 were open", "end each one"},
        {dropped->events, "events", "event missing in the file of STINT_TRACE",
         "events missing in the file of STINT_TRACE", "time less often"},
    };
    return losses[index];
}
