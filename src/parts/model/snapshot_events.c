/* The events of a snapshot as a source like any other, so that readers of events need not care where they are. */
#include "model/event.h"

#include "stint/snapshot.h"

static int begin(struct stint_event_source *source)
{
    ((struct stint_snapshot_events *)(void *)source)->at = 0;
    return 0;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct stint_snapshot_events *events = (struct stint_snapshot_events *)(void *)source;
    if (events->at == events->snapshot->gpu_event_count)
        return 0;
    const struct stint_gpu_event *gpu = &events->snapshot->gpu_events[events->at++];
    *event = (struct stint_event){
        .kind = gpu->api ? STINT_EVENT_CALL : STINT_EVENT_DEVICE,
        .start_ns = gpu->start_ns,
        .end_ns = gpu->end_ns,
        .pid = gpu->pid ? gpu->pid : events->snapshot->process.pid,
        .tid = gpu->tid,
        .context = gpu->context,
        .name = gpu->name,
        .set = "",
        .gpu = gpu,
    };
    return 1;
}

void stint_snapshot_events_begin(struct stint_snapshot_events *events, const struct stint_snapshot *snapshot)
{
    *events = (struct stint_snapshot_events){.source = {.begin = begin, .next = next}, .snapshot = snapshot};
}
