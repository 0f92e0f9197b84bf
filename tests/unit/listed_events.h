/* A source of the events in an array. */
#ifndef STINT_TESTS_LISTED_EVENTS_H
#define STINT_TESTS_LISTED_EVENTS_H

#include <stddef.h>

#include "model/event.h"

struct listed_events {
    struct stint_event_source source; /* first */
    const struct stint_event *events;
    size_t count;
    size_t at;
};

/* Initializes one with the first `number` events of `list`. */
#define LISTED_EVENTS(list, number)                                                                                    \
    {                                                                                                                  \
        .source = {.begin = listed_events_begin, .next = listed_events_next}, .events = (list), .count = (number)      \
    }

int listed_events_begin(struct stint_event_source *source);
int listed_events_next(struct stint_event_source *source, struct stint_event *event);

#endif
