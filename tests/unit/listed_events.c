#include "listed_events.h"

int listed_events_begin(struct stint_event_source *source)
{
    ((struct listed_events *)source)->at = 0;
    return 0;
}

int listed_events_next(struct stint_event_source *source, struct stint_event *event)
{
    struct listed_events *listed = (struct listed_events *)source;
    if (listed->at == listed->count)
        return 0;
    *event = listed->events[listed->at++];
    return 1;
}
