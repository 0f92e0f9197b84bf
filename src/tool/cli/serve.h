/* The page of stint report, served to a browser, so that its timeline can be seen down to the last event. */
#ifndef STINT_CLI_SERVE_H
#define STINT_CLI_SERVE_H

#include "html/overview.h"
#include "model/event.h"

/* Serves the page at the port, 0: any that is free, until Ctrl-C. `events` are those of the page; NULL: it has none.
 * Returns 0, or -1 after saying why not. */
int stint_serve(const struct stint_html *html, struct stint_event_source *events, uint16_t port);

#endif
