/* A made-up training program, as large as a page has to bear: 1000 scopes, 100 000 events and more, on four threads and
 * eight streams. */
#ifndef STINT_TESTS_HTML_LARGE_H
#define STINT_TESTS_HTML_LARGE_H

#include "model/event.h"
#include "stint/snapshot.h"

struct large;

/* Makes it, with as many steps of training: some 400 events each. Fails the program without memory. */
struct large *large_make(unsigned steps);

const struct stint_snapshot *large_snapshot(const struct large *large);
struct stint_event_source *large_events(struct large *large);

void large_free(struct large *large);

#endif
