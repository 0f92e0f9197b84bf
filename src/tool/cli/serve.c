/* Serves the page of stint report, and parts of its timeline as a browser asks for them, to who knows a token: other
 * users of the machine can connect, but do not know it; other sites that a browser shows can neither read the answers
 * nor guess the address. */
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "html/overview.h"
#include "http/http_server.h"

enum {
    TOKEN = 32,
    BLOCKS_MOST = 20000,     /* of a part of the timeline: several for each pixel of a screen */
    EVENTS_BETWEEN = 1 << 16 /* looks at whether the browser still waits */
};

struct serving {
    struct stint_html page;
    struct stint_http_reply written; /* the page, for all who ask */
    struct stint_event_source *events;
    char token[TOKEN + 1];
};

/* ----------------------------------------------------------------------------------------------------------- events */

/* The events of a part of the time, in full or cut to that time, until nobody waits for the answer any more. */
struct part {
    struct stint_event_source source; /* has to be the first member */
    struct stint_event_source *events;
    const struct stint_http_request *request;
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
        if (++part->read % EVENTS_BETWEEN == 0 && stint_http_is_unwanted(part->request))
            return -1;
        if (event->start_ns > source->to_ns + part->margin_ns)
            return 0; /* and so do all others begin later */
        if (is_in(part, event) && (!part->is_cut || cut(source, event)))
            return 1;
    }
    return more;
}

/* ---------------------------------------------------------------------------------------------------------- answers */

static int answer_page(const struct serving *serving, struct stint_http_reply *reply)
{
    reply->type = "text/html";
    reply->lent = serving->written.body;
    reply->length = serving->written.length;
    return 200;
}

static int answer_part(const struct serving *serving, struct part *part, struct stint_http_reply *reply)
{
    struct stint_html html = serving->page;
    struct stint_overview *overview = malloc(sizeof *overview);
    int status = 500;
    if (!overview)
        return status;
    if (stint_overview_read(overview, &part->source, html.functions, part->is_cut ? 0 : BLOCKS_MOST) == 0) {
        html.overview = overview;
        reply->type = "application/json";
        status = stint_html_write_timeline(&html, stint_http_write, reply) ? 500 : 200;
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

static int answer_time(const struct serving *serving, const struct stint_http_request *request,
                       struct stint_http_reply *reply)
{
    struct part part = {.source = {.begin = begin, .next = next}, .events = serving->events, .request = request};
    uint64_t is_cut = 0;
    if (stint_http_number(request->target, "from", &part.source.from_ns) ||
        stint_http_number(request->target, "to", &part.source.to_ns) || part.source.from_ns >= part.source.to_ns)
        return 400;
    part.is_cut = stint_http_number(request->target, "cut", &is_cut) == 0 && is_cut;
    part.margin_ns = part.is_cut ? 0 : margin_of(&serving->page.snapshot->sampling);
    if (part.source.to_ns > UINT64_MAX - part.margin_ns)
        part.source.to_ns = UINT64_MAX - part.margin_ns;
    return answer_part(serving, &part, reply);
}

/* Compares all of it, so that the time it takes does not tell how much of it is right. */
static int has_token(const struct serving *serving, const char *target)
{
    int differs = 0;
    if (strlen(target) < TOKEN + 2 || target[0] != '/' || target[1 + TOKEN] != '/')
        return 0;
    for (size_t i = 0; i < TOKEN; i++)
        differs |= target[1 + i] ^ serving->token[i];
    return !differs;
}

static int answer(void *context, const struct stint_http_request *request, struct stint_http_reply *reply)
{
    const struct serving *serving = context;
    if (!has_token(serving, request->target))
        return 403;
    const char *path = request->target + 1 + TOKEN + 1;
    if (!*path)
        return answer_page(serving, reply);
    if (strncmp(path, "part?", 5) == 0 && serving->events)
        return answer_time(serving, request, reply);
    return 404;
}

/* ------------------------------------------------------------------------------------------------------------ serve */

static int make_token(char *token)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return -1;
    for (size_t i = 0; i < TOKEN; i++)
        token[i] = digits[bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
    return 0;
}

/* Returns 0, or an errno value. */
static int run(struct serving *serving, uint16_t port)
{
    struct stint_http_server server = {answer, serving, "open the address that stint report printed"};
    struct stint_listen_address address = {.port = port};
    int listener = make_token(serving->token) ? -1 : stint_listen_at(&address);
    if (listener < 0)
        return errno;
    stint_cli_say("open this address in a browser on this machine; press Ctrl-C to stop");
    (void)printf("http://127.0.0.1:%u/%s/\n", address.port, serving->token);
    (void)fflush(stdout);
    return stint_http_run(&server, listener);
}

int stint_serve(const struct stint_html *html, struct stint_event_source *events, uint16_t port)
{
    struct serving serving = {.page = *html, .events = events};
    if (stint_http_missing()) {
        stint_cli_say("--serve: %s", stint_http_missing());
        return -1;
    }
    serving.page.is_served = 1;
    int failed = stint_html_write(&serving.page, stint_http_write, &serving.written) != STINT_OK;
    if (failed)
        (void)stint_cli_say_no_memory("for the page");
    int error = failed ? 0 : run(&serving, port);
    if (error)
        stint_cli_say("the page cannot be served at port %u: %s", (unsigned)port, strerror(error));
    stint_http_free(&serving.written);
    return failed || error ? -1 : 0;
}
