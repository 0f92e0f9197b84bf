#include "cli/serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "html/server.h"

enum {
    BLOCKS_MOST = 20000,     /* of a part of the timeline: several for each pixel of a screen */
    EVENTS_BETWEEN = 1 << 16 /* looks at whether the browser still waits */
};

struct serving {
    struct stint_html page;
    struct stint_reply written; /* the page, for all who ask */
    struct stint_event_source *events;
};

/* ----------------------------------------------------------------------------------------------------------- events */

/* The events of a part of the time, in full or cut to that time, until nobody waits for the answer any more. */
struct part {
    struct stint_event_source source; /* has to be the first member */
    struct stint_event_source *events;
    const struct stint_reply *reply;
    size_t read;
    int is_cut;
    uint64_t margin_ns; /* of samples, each of which stands for time before it */
};

static int begin(struct stint_event_source *source)
{
    struct part *part = (struct part *)source;
    part->read = 0;
    part->events->from_ns = source->from_ns > part->margin_ns ? source->from_ns - part->margin_ns : 0;
    part->events->to_ns = source->to_ns + part->margin_ns;
    return part->events->begin(part->events);
}

/* Returns 0 if the event only touches the time. */
static int cut(const struct stint_event_source *source, struct stint_event *event)
{
    if (event->start_ns == source->to_ns || (event->end_ns == source->from_ns && event->start_ns < event->end_ns))
        return 0;
    if (event->start_ns < source->from_ns)
        event->start_ns = source->from_ns;
    if (event->end_ns > source->to_ns)
        event->end_ns = source->to_ns;
    return 1;
}

static int is_in(const struct part *part, const struct stint_event *event)
{
    uint64_t margin_ns = event->kind == STINT_EVENT_SAMPLE ? part->margin_ns : 0;
    return event->end_ns + margin_ns >= part->source.from_ns && event->start_ns <= part->source.to_ns + margin_ns;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct part *part = (struct part *)source;
    int more;
    while ((more = part->events->next(part->events, event)) > 0) {
        if (++part->read % EVENTS_BETWEEN == 0 && stint_reply_is_unwanted(part->reply))
            return -1;
        if (event->start_ns > source->to_ns + part->margin_ns)
            return 0; /* and so do all others begin later */
        if (is_in(part, event) && (!part->is_cut || cut(source, event)))
            return 1;
    }
    return more;
}

/* ---------------------------------------------------------------------------------------------------------- answers */

static int answer_page(const struct serving *serving, struct stint_reply *reply)
{
    reply->type = "text/html";
    reply->lent = serving->written.body;
    reply->length = serving->written.length;
    return 200;
}

static int answer_part(const struct serving *serving, struct part *part, struct stint_reply *reply)
{
    struct stint_html html = serving->page;
    struct stint_overview *overview = malloc(sizeof *overview);
    int status = 500;
    if (!overview)
        return status;
    if (stint_overview_read(overview, &part->source, html.functions, part->is_cut ? 0 : BLOCKS_MOST) == 0) {
        html.overview = overview;
        reply->type = "application/json";
        status = stint_html_write_timeline(&html, stint_reply_write, reply) ? 500 : 200;
    }
    stint_overview_free(overview);
    free(overview);
    return status;
}

/* Systems take a sample of CPU time only every some milliseconds, however many are asked for. */
static uint64_t margin_of(const struct stint_sample_info *sampling)
{
    enum { LEAST_NS = 50000000 };
    uint64_t two_ns = sampling->hz ? UINT64_C(2000000000) / sampling->hz : 0;
    return !sampling->sampled ? 0 : two_ns > LEAST_NS ? two_ns : LEAST_NS;
}

static int answer_time(const struct serving *serving, const struct stint_request *request, struct stint_reply *reply)
{
    struct part part = {.source = {.begin = begin, .next = next}, .events = serving->events, .reply = reply};
    uint64_t is_cut = 0;
    if (stint_request_number(request, "from", &part.source.from_ns) ||
        stint_request_number(request, "to", &part.source.to_ns) || part.source.from_ns >= part.source.to_ns)
        return 400;
    part.is_cut = stint_request_number(request, "cut", &is_cut) == 0 && is_cut;
    part.margin_ns = part.is_cut ? 0 : margin_of(&serving->page.snapshot->sampling);
    if (part.source.to_ns > UINT64_MAX - part.margin_ns)
        part.source.to_ns = UINT64_MAX - part.margin_ns;
    return answer_part(serving, &part, reply);
}

static int answer(void *context, const char *path, const struct stint_request *request, struct stint_reply *reply)
{
    const struct serving *serving = context;
    if (!*path)
        return answer_page(serving, reply);
    if (strncmp(path, "part?", 5) == 0 && serving->events)
        return answer_time(serving, request, reply);
    return 404;
}

static int run(struct stint_server *server, uint16_t port)
{
    int error = stint_server_open(server, port);
    if (error)
        return error;
    stint_cli_say("open this address in a browser on this machine; Ctrl-C ends it");
    (void)printf("http://127.0.0.1:%u/%s/\n", (unsigned)server->port, server->token);
    (void)fflush(stdout);
    error = stint_server_run(server);
    stint_server_close(server);
    return error;
}

int stint_serve(const struct stint_html *html, struct stint_event_source *events, uint16_t port)
{
    struct serving serving = {.page = *html, .events = events};
    struct stint_server server = {.answer = answer, .context = &serving};
    serving.page.is_served = 1;
    int failed = stint_html_write(&serving.page, stint_reply_write, &serving.written) != STINT_OK;
    if (failed)
        stint_cli_say("not enough memory for the page");
    int error = failed ? 0 : run(&server, port);
    if (error)
        stint_cli_say("the page cannot be served at port %u: %s", (unsigned)port, strerror(error));
    stint_reply_free(&serving.written);
    return failed || error ? -1 : 0;
}
