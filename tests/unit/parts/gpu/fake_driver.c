#include "gpu/fake_driver.h"

#include <limits.h>

#include "stint_test.h"

enum { CONTEXTS = 128, STREAMS = 128, EVENTS = 1 << 14, OUT_OF_MEMORY = 2, INVALID_HANDLE = 400 };

struct event {
    struct fake_context *context;
    unsigned long long context_id; /* when it was made */
    struct fake_stream *stream;
    uint64_t number; /* among the stream's */
    uint64_t ns;
};

struct fake_driver fake;

/* Objects live until the program ends: stint remembers addresses, as programs and drivers do. */
static struct fake_context s_contexts[CONTEXTS];
static struct fake_stream s_streams[STREAMS];
static struct event s_events[EVENTS];
static unsigned s_context_count, s_stream_count, s_event_count;
static unsigned long long s_last_id = 1;
static struct fake_context *s_primary;

static _Thread_local struct fake_context *tl_current;
static _Thread_local struct fake_context *tl_below; /* what was current before the push */
static _Thread_local int tl_mode;

#define CHECK_OWN() assert_true(stint_driver_own)

struct fake_context *fake_context_new(int primary)
{
    struct fake_context *context = &s_contexts[s_context_count++];
    assert_true(s_context_count <= CONTEXTS);
    *context = (struct fake_context){.id = ++s_last_id, .device = 3, .primary = primary};
    if (primary)
        s_primary = context;
    tl_current = context;
    return context;
}

struct fake_stream *fake_stream_new(struct fake_context *context)
{
    const unsigned made = __atomic_fetch_add(&s_stream_count, 1, __ATOMIC_RELAXED);
    struct fake_stream *stream = &s_streams[made];
    assert_true(made < STREAMS);
    *stream = (struct fake_stream){.context = context, .id = 1000 + made, .ns = 5000000000};
    return stream;
}

void fake_set_current(struct fake_context *context)
{
    tl_current = context;
}

struct fake_context *fake_current(void)
{
    return tl_current;
}

void fake_context_renew(struct fake_context *context)
{
    context->id = ++s_last_id;
    context->dead = 0;
    context->events = 0;
}

void fake_finish(struct fake_stream *stream)
{
    __atomic_store_n(&stream->happened, stream->given, __ATOMIC_RELAXED);
}

int fake_mode(void)
{
    return tl_mode;
}

void fake_reset(void)
{
    fake = (struct fake_driver){.creates_left = UINT_MAX, .loaded = 1, .knows_ids = 1, .knows_modes = 1};
    s_primary = NULL;
    tl_current = NULL;
    tl_mode = 0;
}

/* --------------------------------------------------------------------------------------------------------- contexts */

static int get_context(void **context)
{
    CHECK_OWN();
    *context = tl_current;
    return STINT_DRIVER_OK;
}

static int push(void *context)
{
    CHECK_OWN();
    assert_false(((struct fake_context *)context)->dead);
    assert_int_equal(fake.pushed++, 0);
    tl_below = tl_current;
    tl_current = context;
    return STINT_DRIVER_OK;
}

static int pop(void **context)
{
    CHECK_OWN();
    assert_int_equal(--fake.pushed, 0);
    *context = tl_current;
    tl_current = tl_below;
    return STINT_DRIVER_OK;
}

static int device(int *device)
{
    CHECK_OWN();
    *device = tl_current->device;
    return fake.fails_device;
}

static int primary_state(int of, unsigned *flags, int *active)
{
    CHECK_OWN();
    assert_int_equal(of, 3);
    *flags = 0;
    *active = s_primary && !s_primary->dead;
    return STINT_DRIVER_OK;
}

static int s_retained;

static int retain_primary(void **context, int of)
{
    CHECK_OWN();
    assert_int_equal(of, 3);
    assert_non_null(s_primary); /* or it would make one */
    assert_false(s_primary->dead);
    *context = s_primary;
    assert_int_equal(s_retained++, 0);
    return STINT_DRIVER_OK;
}

static int release_primary(int of)
{
    CHECK_OWN();
    assert_int_equal(of, 3);
    assert_int_equal(--s_retained, 0);
    return STINT_DRIVER_OK;
}

static int context_id(void *context, unsigned long long *id)
{
    CHECK_OWN();
    assert_false(((struct fake_context *)context)->dead);
    *id = ((struct fake_context *)context)->id;
    return STINT_DRIVER_OK;
}

/* ----------------------------------------------------------------------------------------------------------- events */

static struct event *live(void *event)
{
    struct event *const at = event;
    assert_non_null(at);
    assert_false(at->context->dead);
    assert_true(at->context_id == at->context->id);
    assert_ptr_equal(at->context, tl_current);
    return at;
}

static int create(void **event, unsigned flags)
{
    CHECK_OWN();
    assert_int_equal(flags, 0);
    assert_true(!fake.knows_modes || tl_mode == STINT_DRIVER_CAPTURE_RELAXED);
    if (__atomic_load_n(&fake.creates_left, __ATOMIC_RELAXED) == 0)
        return OUT_OF_MEMORY;
    __atomic_sub_fetch(&fake.creates_left, 1, __ATOMIC_RELAXED);
    unsigned made = __atomic_fetch_add(&s_event_count, 1, __ATOMIC_RELAXED);
    assert_true(made < EVENTS);
    s_events[made] = (struct event){.context = tl_current, .context_id = tl_current->id};
    *event = &s_events[made];
    __atomic_add_fetch(&tl_current->events, 1, __ATOMIC_RELAXED);
    return STINT_DRIVER_OK;
}

static int record(void *event, void *into)
{
    struct fake_stream *const stream = into;
    struct event *const at = live(event);
    CHECK_OWN();
    __atomic_add_fetch(&fake.records, 1, __ATOMIC_RELAXED);
    assert_false(stream->capturing);
    if (fake.fails_record || stream->context != at->context)
        return fake.fails_record ? fake.fails_record : INVALID_HANDLE;
    at->stream = stream;
    at->number = ++stream->given;
    at->ns = stream->ns;
    return STINT_DRIVER_OK;
}

static int elapsed(float *ms, void *begin, void *end)
{
    const struct event *const a = live(begin), *const b = live(end);
    uint64_t happened;
    CHECK_OWN();
    __atomic_add_fetch(&fake.elapsed, 1, __ATOMIC_RELAXED);
    assert_true(!fake.knows_modes || tl_mode == STINT_DRIVER_CAPTURE_RELAXED);
    if (fake.fails_elapsed)
        return fake.fails_elapsed;
    happened = __atomic_load_n(&b->stream->happened, __ATOMIC_RELAXED);
    if (a->number > happened || b->number > happened)
        return STINT_DRIVER_NOT_READY;
    *ms = fake.ms != 0 ? fake.ms : (float)((double)(b->ns - a->ns) / 1e6);
    return STINT_DRIVER_OK;
}

static int is_capturing(void *stream, int *status)
{
    CHECK_OWN();
    *status = ((struct fake_stream *)stream)->capturing;
    return fake.fails_capturing;
}

static int exchange_capture_mode(int *mode)
{
    const int before = tl_mode;
    CHECK_OWN();
    tl_mode = *mode;
    *mode = before;
    return STINT_DRIVER_OK;
}

static int stream_id(void *stream, unsigned long long *id)
{
    CHECK_OWN();
    ++((struct fake_stream *)stream)->asked;
    *id = ((struct fake_stream *)stream)->id;
    return STINT_DRIVER_OK;
}

const struct stint_driver *__wrap_stint_driver_find(void)
{
    static _Thread_local struct stint_driver tl_driver;
    __atomic_add_fetch(&fake.finds, 1, __ATOMIC_RELAXED);
    tl_driver = (struct stint_driver){
        .context = get_context,
        .push = push,
        .pop = pop,
        .device = device,
        .primary_state = primary_state,
        .retain_primary = retain_primary,
        .release_primary = release_primary,
        .create = create,
        .record = record,
        .elapsed = elapsed,
        .is_capturing = is_capturing,
        .exchange_capture_mode = fake.knows_modes ? exchange_capture_mode : NULL,
        .context_id = fake.knows_ids ? context_id : NULL,
        .stream_id = fake.knows_ids ? stream_id : NULL,
    };
    return fake.loaded ? &tl_driver : NULL;
}
