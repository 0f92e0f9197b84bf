/* Another tool, for NVTX and CUDA: it writes the calls that it gets to the file that OTHER_LOG names. It has handles of
 * its own, and reports any other handle as WRONG. OTHER_WITHOUT makes it refuse NVTX ("nvtx"), or return no handles
 * ("handles"). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvtx/abi.h"

#define OTHER_API __attribute__((visibility("default")))

OTHER_API int InitializeInjection(void);
OTHER_API int InitializeInjectionNvtx2(stint_nvtx_get_table_fn *get_table);

struct handle {
    char whose[8];
    const char *what;
    const char *name;
};

enum { HANDLES = 16, FIRST_RANGE = 7000, SYNC_MODULE = 6, SYNC_CREATE = 1 };

static struct handle s_handles[HANDLES];
static size_t s_handle_count;
static int s_level;
static uint64_t s_ranges = FIRST_RANGE;

static void say(const char *function, const char *what)
{
    const char *path = getenv("OTHER_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    if (!log)
        return;
    fprintf(log, "%s %s\n", function, what);
    fclose(log);
}

static int lacks(const char *what)
{
    const char *without = getenv("OTHER_WITHOUT");
    return without && !strcmp(without, what);
}

static const void *make(const char *what, const char *name)
{
    if (lacks("handles") || s_handle_count == HANDLES)
        return NULL;
    s_handles[s_handle_count] = (struct handle){"other", what, strdup(name)};
    return &s_handles[s_handle_count++];
}

static const char *name_of(const void *handle, const char *what)
{
    if (!handle)
        return "-";
    for (size_t i = 0; i < s_handle_count; ++i)
        if (handle == &s_handles[i] && !strcmp(s_handles[i].what, what))
            return s_handles[i].name;
    return "WRONG";
}

static const char *text_of(const struct stint_nvtx_attributes *event)
{
    return event->text_type == STINT_NVTX_TEXT_REGISTERED ? name_of(event->text.registered, "text") : event->text.ascii;
}

static void say_event(const char *function, const void *domain, const struct stint_nvtx_attributes *event)
{
    char what[256];
    snprintf(what, sizeof what, "%s/%s", name_of(domain, "domain"), text_of(event));
    say(function, what);
}

static int push(const char *text)
{
    say("push", text);
    return s_level++;
}

static int pop(void)
{
    say("pop", "");
    return --s_level;
}

static void mark(const char *text)
{
    say("mark", text);
}

static uint64_t start(const char *text)
{
    say("start", text);
    return ++s_ranges;
}

static void end(uint64_t range)
{
    say("end", range > FIRST_RANGE && range <= s_ranges ? "" : "WRONG");
}

static const void *create(const char *name)
{
    say("domain", name);
    return make("domain", name);
}

static const void *register_text(const void *domain, const char *text)
{
    say("register", name_of(domain, "domain"));
    return make("text", text);
}

static int push_in(const void *domain, const struct stint_nvtx_attributes *event)
{
    say_event("push", domain, event);
    return s_level++;
}

static int pop_in(const void *domain)
{
    say("pop", name_of(domain, "domain"));
    return --s_level;
}

static void mark_in(const void *domain, const struct stint_nvtx_attributes *event)
{
    say_event("mark", domain, event);
}

static uint64_t start_in(const void *domain, const struct stint_nvtx_attributes *event)
{
    say_event("start", domain, event);
    return ++s_ranges;
}

static void end_in(const void *domain, uint64_t range)
{
    say("end", range > FIRST_RANGE && range <= s_ranges ? name_of(domain, "domain") : "WRONG");
}

static void sync(void)
{
    say("sync", "");
}

static void set(const struct stint_nvtx_callbacks *callbacks, int module, unsigned callback,
                stint_nvtx_any_fn *function)
{
    stint_nvtx_any_fn ***table;
    unsigned count;
    if (callbacks->module(module, &table, &count) && callback < count)
        *table[callback] = function;
}

#define SET(module, callback, function)                                                                                \
    set(callbacks, STINT_NVTX_##module, STINT_NVTX_##callback, (stint_nvtx_any_fn *)(function))

int InitializeInjectionNvtx2(stint_nvtx_get_table_fn *get_table)
{
    const struct stint_nvtx_callbacks *callbacks = get_table(STINT_NVTX_TABLE_CALLBACKS);
    say("attach", "");
    SET(CORE, RANGE_PUSH_A, push);
    SET(CORE, RANGE_POP, pop);
    SET(CORE, MARK_A, mark);
    SET(CORE, RANGE_START_A, start);
    SET(CORE, RANGE_END, end);
    SET(CORE2, DOMAIN_CREATE_A, create);
    SET(CORE2, DOMAIN_REGISTER_STRING_A, register_text);
    SET(CORE2, DOMAIN_RANGE_PUSH_EX, push_in);
    SET(CORE2, DOMAIN_RANGE_POP, pop_in);
    SET(CORE2, DOMAIN_MARK_EX, mark_in);
    SET(CORE2, DOMAIN_RANGE_START_EX, start_in);
    SET(CORE2, DOMAIN_RANGE_END, end_in);
    set(callbacks, SYNC_MODULE, SYNC_CREATE, sync);
    return !lacks("nvtx");
}

int InitializeInjection(void)
{
    say("cuda", "");
    return 1;
}
