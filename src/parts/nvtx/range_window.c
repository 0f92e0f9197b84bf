/* Recording within named ranges only: variants of NVTX's functions that compare names, and hold recording back while no
 * thread is in such a range. A thread's windows are few, and are counted for the process as a whole. */
#include "nvtx/handler.h"

#include <string.h>

#include "nvtx/range.h"
#include "nvtx/string.h"
#include "support/annotation.h"

static struct {
    char name[STINT_NVTX_MAX_WINDOW + 1];
    const char *domain; /* in the buffer `name`, after the name */
    uint32_t pushed;    /* open windows of push and pop, over all threads */
    uint32_t started;   /* open windows of start and end */
} s_window;

int stint_nvtx_window_is_set(void)
{
    return s_window.domain != NULL;
}

/* The last @ separates name and domain, because names often contain an @, and domains hardly ever. */
int stint_nvtx_window_set(const char *text)
{
    size_t length = strlen(text);
    if (length > STINT_NVTX_MAX_WINDOW || !length || text[0] == '@')
        return -1;
    memcpy(s_window.name, text, length + 1);
    char *at = strrchr(s_window.name, '@');
    if (at)
        *at++ = '\0';
    s_window.domain = at ? at : s_window.name + length;
    stint_suspend(STINT_SUSPENDED_RANGE, 1);
    return 0;
}

/* ------------------------------------------------------------------------------------------------- opening, closing */

/* After closing, the last thread checks again, because another may have opened a window meanwhile. */
static void update(void)
{
    int open;
    do {
        open =
            __atomic_load_n(&s_window.pushed, __ATOMIC_SEQ_CST) || __atomic_load_n(&s_window.started, __ATOMIC_SEQ_CST);
        stint_suspend(STINT_SUSPENDED_RANGE, !open);
    } while (open != (__atomic_load_n(&s_window.pushed, __ATOMIC_SEQ_CST) ||
                      __atomic_load_n(&s_window.started, __ATOMIC_SEQ_CST)));
}

static void count(uint32_t *counter, int by)
{
    __atomic_fetch_add(counter, (uint32_t)by, __ATOMIC_SEQ_CST);
    update();
}

static int matches(const char *pattern, const char *text)
{
    return stint_pattern_matches(pattern, strlen(pattern), text);
}

/* As reports name the range. Not inlined, because it needs room for a name. */
__attribute__((noinline)) static int matches_annotated(const char *pattern, const struct stint_annotation *annotation)
{
    char name[STINT_MAX_NAME + 1];
    stint_annotation_name(annotation, name, sizeof name);
    return matches(pattern, name);
}

static int is_window(const struct stint_nvtx_domain *domain, const char *text)
{
    struct stint_annotation annotation;
    if (!domain || !matches(s_window.domain, stint_nvtx_domain_name(domain)))
        return 0;
    if (text && stint_annotation_read(&annotation, text, strlen(text)))
        return matches_annotated(s_window.name, &annotation);
    return matches(s_window.name, text ? text : "");
}

__attribute__((noinline)) static int is_window_wide(const struct stint_nvtx_domain *domain, const wchar_t *name)
{
    char narrow[STINT_NVTX_MAX_WINDOW * 4 + 1]; /* a longer name is cut, and matched by its beginning */
    stint_nvtx_narrow(narrow, sizeof narrow, name);
    return is_window(domain, narrow);
}

static int is_window_event(const struct stint_nvtx_domain *domain, const struct stint_nvtx_attributes *attributes)
{
    const struct stint_nvtx_string *string;
    struct stint_nvtx_attributes whole;
    stint_nvtx_event_read(&whole, attributes);
    switch (whole.text_type) {
    case STINT_NVTX_TEXT_REGISTERED:
        string = stint_nvtx_string_of(whole.text.registered);
        return string && is_window(domain, string->text);
    case STINT_NVTX_TEXT_ASCII:
        return is_window(domain, whole.text.ascii);
    case STINT_NVTX_TEXT_WIDE:
        return is_window_wide(domain, whole.text.wide);
    default:
        return 0;
    }
}

/* ----------------------------------------------------------------------------------------------------- push and pop */

/* The calling thread's windows. A domain has at most one, because ranges within it open no other. */
enum { MOST_WINDOWS = 4 };

static STINT_I_THREAD_LOCAL struct {
    const struct stint_nvtx_domain *domain; /* NULL: none */
    uint32_t inside;                        /* open ranges of the domain that were pushed within the window */
} tl_windows[MOST_WINDOWS] __attribute__((tls_model("initial-exec")));

/* Returns the place of the domain's window, with NULL a free place; -1 if there is none. */
static int find(const struct stint_nvtx_domain *domain)
{
    for (int i = 0; i < MOST_WINDOWS; i++)
        if (tl_windows[i].domain == domain)
            return i;
    return -1;
}

static void open_window(const struct stint_nvtx_domain *domain)
{
    int place = find(NULL);
    if (place < 0)
        return;
    tl_windows[place].inside = 0;
    tl_windows[place].domain = domain;
    count(&s_window.pushed, 1);
}

/* Called before the range is pushed, so that the range itself is recorded. */
static void enter(const struct stint_nvtx_domain *domain)
{
    int place = domain ? find(domain) : -1;
    if (place >= 0)
        tl_windows[place].inside++;
}

static int push_text(const char *text)
{
    const struct stint_nvtx_domain *domain = &stint_nvtx_domains[0];
    enter(domain);
    if (find(domain) < 0 && is_window(domain, text))
        open_window(domain);
    return stint_nvtx_call_push_text(text);
}

static int push(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    const struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    enter(domain);
    if (domain && find(domain) < 0 && is_window_event(domain, attributes))
        open_window(domain);
    return stint_nvtx_call_push_in(handle, attributes);
}

static int push_ex(const struct stint_nvtx_attributes *attributes)
{
    return push(NULL, attributes);
}

static int push_wide(const wchar_t *text)
{
    struct stint_nvtx_attributes attributes = {
        .size = sizeof attributes, .text_type = STINT_NVTX_TEXT_WIDE, .text.wide = text};
    return push(NULL, &attributes);
}

/* Called after the range is popped, so that the range itself is recorded. */
static void leave(const struct stint_nvtx_domain *domain)
{
    int place = domain ? find(domain) : -1;
    if (place < 0)
        return;
    if (tl_windows[place].inside) {
        tl_windows[place].inside--;
        return;
    }
    tl_windows[place].domain = NULL;
    count(&s_window.pushed, -1);
}

static int pop_in(const void *handle)
{
    int level = stint_nvtx_call_pop_in(handle);
    leave(stint_nvtx_domain_of(handle));
    return level;
}

static int pop(void)
{
    return pop_in(NULL);
}

/* ------------------------------------------------------------------------------------------------ payload extension */

static int push_payload(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    enter(stint_nvtx_domain_of(handle));
    return stint_nvtx_call_push_payload(handle, data, count);
}

static int pop_payload(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    int level = stint_nvtx_call_pop_payload(handle, data, count);
    leave(stint_nvtx_domain_of(handle));
    return level;
}

/* ---------------------------------------------------------------------------------------------------- start and end */

enum { MOST_STARTED = 64 };

/* Numbers of the ranges that are windows; 0: free place. */
static uint64_t s_started[MOST_STARTED];

/* Replaces one entry equal to `from` by `to`. Returns whether there was one. */
static int replace(uint64_t from, uint64_t to)
{
    for (int i = 0; i < MOST_STARTED; i++) {
        uint64_t expected = from;
        if (STINT_I_LOAD(&s_started[i]) == from &&
            __atomic_compare_exchange_n(&s_started[i], &expected, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return 1;
    }
    return 0;
}

/* A range that is not recorded has no number that identifies it at its end, so it cannot be a window. */
static uint64_t keep(uint64_t range)
{
    if (!range || !replace(0, range))
        count(&s_window.started, -1);
    return range;
}

static uint64_t start_in(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    if (!is_window_event(stint_nvtx_domain_of(handle), attributes))
        return stint_nvtx_call_start_in(handle, attributes);
    count(&s_window.started, 1);
    return keep(stint_nvtx_call_start_in(handle, attributes));
}

static uint64_t start_ex(const struct stint_nvtx_attributes *attributes)
{
    return start_in(NULL, attributes);
}

static uint64_t start_text(const char *text)
{
    struct stint_nvtx_attributes attributes = {
        .size = sizeof attributes, .text_type = STINT_NVTX_TEXT_ASCII, .text.ascii = text};
    return start_in(NULL, &attributes);
}

static uint64_t start_wide(const wchar_t *text)
{
    struct stint_nvtx_attributes attributes = {
        .size = sizeof attributes, .text_type = STINT_NVTX_TEXT_WIDE, .text.wide = text};
    return start_in(NULL, &attributes);
}

static void end_in(const void *handle, uint64_t range)
{
    stint_nvtx_call_end_in(handle, range);
    if (range && STINT_I_LOAD(&s_window.started) && replace(range, 0))
        count(&s_window.started, -1);
}

static void end(uint64_t range)
{
    end_in(NULL, range);
}

/* ------------------------------------------------------------------------------------------------------------- fork */

void stint_nvtx_window_after_fork(void)
{
    if (!stint_nvtx_window_is_set())
        return;
    s_window.pushed = 0;
    for (int i = 0; i < MOST_WINDOWS; i++)
        s_window.pushed += tl_windows[i].domain != NULL;
    update();
}

#define CALL(callback, function)                                                                                       \
    case (callback):                                                                                                   \
        return (stint_nvtx_any_fn *)(function);

stint_nvtx_any_fn *stint_nvtx_window_core_calls(unsigned callback)
{
    switch (callback) {
        CALL(STINT_NVTX_RANGE_START_EX, start_ex)
        CALL(STINT_NVTX_RANGE_START_A, start_text)
        CALL(STINT_NVTX_RANGE_START_W, start_wide)
        CALL(STINT_NVTX_RANGE_END, end)
        CALL(STINT_NVTX_RANGE_PUSH_EX, push_ex)
        CALL(STINT_NVTX_RANGE_PUSH_A, push_text)
        CALL(STINT_NVTX_RANGE_PUSH_W, push_wide)
        CALL(STINT_NVTX_RANGE_POP, pop)
    }
    return NULL;
}

stint_nvtx_any_fn *stint_nvtx_window_core2_calls(unsigned callback)
{
    switch (callback) {
        CALL(STINT_NVTX_DOMAIN_RANGE_START_EX, start_in)
        CALL(STINT_NVTX_DOMAIN_RANGE_END, end_in)
        CALL(STINT_NVTX_DOMAIN_RANGE_PUSH_EX, push)
        CALL(STINT_NVTX_DOMAIN_RANGE_POP, pop_in)
    }
    return NULL;
}

stint_nvtx_any_fn *stint_nvtx_window_payload_calls(unsigned callback)
{
    switch (callback) {
        CALL(STINT_NVTX_RANGE_PUSH_PAYLOAD, push_payload)
        CALL(STINT_NVTX_RANGE_POP_PAYLOAD, pop_payload)
    }
    return NULL;
}
