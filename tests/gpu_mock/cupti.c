/* CUPTI, libcupti.so.13; with MOCK_OLD, one of 11.0, which lacks later additions; with MOCK_BROKEN, one that lacks what
 * every CUPTI has.
 *
 * Records go into the client's buffer when they happen, as with the real CUPTI. A buffer is handed over when it is full
 * or flushed, but, unless forced, not before the device has done the work in it. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpu/cupti.h"
#include "gpu_mock/mock.h"
#include "stint/gpu_stats.h"

#ifdef MOCK_OLD
enum { LAST_KIND = STINT_CUPTI_KIND_INTERNAL_LAUNCH_API };
#else
enum { LAST_KIND = STINT_CUPTI_KIND_INTERNAL_LAUNCH_API };
#endif

enum { GET_DEVICE = 16 }; /* the only call that may be made within a callback */

enum { KINDS = 64, DOMAINS = 7, IDS = 1024, QUEUE = 4096, PADDING = 24 };

enum { NOT_INITIALIZED = STINT_CUPTI_NOT_INITIALIZED, TAKEN = STINT_CUPTI_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED };

struct stint_cupti_subscriber {
    stint_cupti_callback *callback;
    void *context;
    uint8_t enabled[DOMAINS][IDS];
};

struct buffer {
    uint8_t *bytes;
    size_t size;
    size_t used;
    uint64_t end;  /* when the device has done all the work in it */
    int is_forced; /* handed over even if the device has not */
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pid_t pid;
    int has_worker;
    int over; /* the exit handler has run */
    struct stint_cupti_subscriber subscriber;
    int subscribed;
    stint_cupti_request *request;
    stint_cupti_completed *completed;
    uint8_t kinds[KINDS];
    struct buffer filling;
    struct buffer queue[QUEUE]; /* [taken, put): waiting to be handed over */
    uint64_t put, taken, done;
    struct mock_event held; /* swap=1 */
    int holds;
    size_t dropped;
    long records, kernels, moves;
    uint64_t slow_ns; /* slow=N, read once, as it is needed for each call */
} s_cupti = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local int tl_in_callback; /* the domain; -1: of a buffer */

int mock_in_callback(void); /* for range.c */

int mock_in_callback(void)
{
    return tl_in_callback;
}

/* ----------------------------------------------------------------------------------------------------------- misuse */

static void hang(void)
{
    for (;;)
        pause();
}

/* Called at the beginning of every function. Checks what may be called now; a callback may call fewer functions. */
static int check(const char *function)
{
    pid_t none = 0;
    const int forbidden = mock_cupti_is_forbidden();
    const int allowed = strcmp(function, "cuptiEnableCallback") == 0 || strcmp(function, "cuptiGetTimestamp") == 0 ||
                        strcmp(function, "cuptiGetStreamIdEx") == 0 ||
                        (tl_in_callback == (int)STINT_CUPTI_DOMAIN_RESOURCE &&
                         (strcmp(function, "cuptiActivityEnable") == 0 ||
                          strcmp(function, "cuptiActivityConfigureUnifiedMemoryCounter") == 0));
    const int in_callback = tl_in_callback && !allowed;
    (void)__atomic_compare_exchange_n(&s_cupti.pid, &none, getpid(), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (__atomic_load_n(&s_cupti.pid, __ATOMIC_RELAXED) != getpid()) {
        mock_misuse("CUPTI in a forked child");
        mock_misuse(function);
        hang();
    }
    if (forbidden || in_callback || __atomic_load_n(&s_cupti.over, __ATOMIC_RELAXED)) {
        mock_misuse(forbidden     ? "CUPTI after a crash"
                    : in_callback ? "CUPTI from one of its callbacks"
                                  : "CUPTI after its exit handler");
        mock_misuse(function);
        return NOT_INITIALIZED;
    }
    return 0;
}

static void lock(void)
{
    pthread_mutex_lock(&s_cupti.lock);
}

static void unlock(void)
{
    pthread_mutex_unlock(&s_cupti.lock);
}

/* ---------------------------------------------------------------------------------------------------------- records */

static size_t record_size(uint32_t kind)
{
    static const size_t sizes[KINDS] = {
        [STINT_CUPTI_KIND_MEMCPY] = sizeof(struct stint_cupti_memcpy),
        [STINT_CUPTI_KIND_MEMSET] = sizeof(struct stint_cupti_memset),
        [STINT_CUPTI_KIND_CONCURRENT_KERNEL] = sizeof(struct stint_cupti_kernel),
        [STINT_CUPTI_KIND_DEVICE] = sizeof(struct stint_cupti_device),
        [STINT_CUPTI_KIND_OVERHEAD] = sizeof(struct stint_cupti_overhead),
        [STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER] = sizeof(struct stint_cupti_unified_memory_counter),
    };
    return (sizes[kind] + 7) / 8 * 8 + PADDING;
}

/* Returns a text that belongs to the record and is freed with it. */
static const char *own_name(const char *name)
{
    char *copy = strdup(name);
    if (!copy)
        abort();
    return copy;
}

static void write_kernel(void *record, const struct mock_event *event)
{
    struct stint_cupti_kernel *kernel = record;
    *kernel = (struct stint_cupti_kernel){
        .kind = event->kind,
        .registers = 32,
        .start = event->start,
        .end = event->end,
        .context = 1,
        .stream = event->stream,
        .grid = {(int32_t)event->grid.x, (int32_t)event->grid.y, (int32_t)event->grid.z},
        .block = {(int32_t)event->block.x, (int32_t)event->block.y, (int32_t)event->block.z},
        .dynamic_shared = (int32_t)event->shared,
        .correlation = event->correlation,
        .name = own_name(event->name),
        .graph_node = event->graph_node,
        .graph = event->graph,
    };
}

static void write_record(void *record, const struct mock_event *event)
{
    memset(record, 0, record_size(event->kind));
    switch (event->kind) {
    case STINT_CUPTI_KIND_CONCURRENT_KERNEL:
        write_kernel(record, event);
        break;
    case STINT_CUPTI_KIND_MEMCPY:
        *(struct stint_cupti_memcpy *)record = (struct stint_cupti_memcpy){
            .kind = event->kind,
            .copy = (uint8_t)event->what,
            .source = event->what == 1 ? STINT_GPU_MEMORY_PAGEABLE : STINT_GPU_MEMORY_DEVICE,
            .destination = event->what == 2 ? STINT_GPU_MEMORY_PAGEABLE : STINT_GPU_MEMORY_DEVICE,
            .bytes = event->bytes,
            .start = event->start,
            .end = event->end,
            .context = 1,
            .stream = event->stream,
            .correlation = event->correlation,
        };
        break;
    case STINT_CUPTI_KIND_MEMSET:
        *(struct stint_cupti_memset *)record = (struct stint_cupti_memset){
            .kind = event->kind,
            .value = event->what,
            .bytes = event->bytes,
            .start = event->start,
            .end = event->end,
            .context = 1,
            .stream = event->stream,
            .correlation = event->correlation,
            .memory = STINT_GPU_MEMORY_DEVICE,
        };
        break;
    case STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER:
        *(struct stint_cupti_unified_memory_counter *)record = (struct stint_cupti_unified_memory_counter){
            .kind = event->kind,
            .counter = event->what,
            .value = event->bytes,
            .start = event->start,
            .end = event->end,
            .address = event->address,
        };
        break;
    case STINT_CUPTI_KIND_OVERHEAD:
        *(struct stint_cupti_overhead *)record = (struct stint_cupti_overhead){
            .kind = event->kind, .overhead = event->what, .start = event->start, .end = event->end};
        break;
    case STINT_CUPTI_KIND_DEVICE:
        *(struct stint_cupti_device *)record = (struct stint_cupti_device){
            .kind = event->kind,
            .memory_kb_per_s = 4814304000,
            .memory_bytes = 150109880320,
            .core_khz = 1980000,
            .multiprocessors = 132,
            .compute_major = 9,
            .name = own_name("Mock GPU"),
            .visible = 1,
        };
        break;
    default:
        abort();
    }
}

/* Records that are cut short by a forced flush have no end. */
static void cut_short(struct stint_cupti_record *record)
{
    if (record->kind == STINT_CUPTI_KIND_CONCURRENT_KERNEL) {
        struct stint_cupti_kernel *kernel = (struct stint_cupti_kernel *)record;
        if (kernel->end > mock_now())
            kernel->end = 0;
    }
}

static struct stint_cupti_record *record_at(uint8_t *bytes, size_t at)
{
    return (struct stint_cupti_record *)(void *)(bytes + at);
}

/* Calls `visit` for each record of a buffer. */
static void for_each(const struct buffer *buffer, void (*visit)(struct stint_cupti_record *record))
{
    for (size_t at = 0; at < buffer->used; at += record_size(record_at(buffer->bytes, at)->kind))
        visit(record_at(buffer->bytes, at));
}

/* ---------------------------------------------------------------------------------------------------------- buffers */

/* Texts of records are freed once the client has had them. */
struct texts {
    const char **list;
    size_t count;
    size_t room;
};

static _Thread_local struct texts tl_texts;

static void note_text(struct stint_cupti_record *record)
{
    const char *text = NULL;
    if (record->kind == STINT_CUPTI_KIND_CONCURRENT_KERNEL)
        text = ((struct stint_cupti_kernel *)record)->name;
    else if (record->kind == STINT_CUPTI_KIND_DEVICE)
        text = ((struct stint_cupti_device *)record)->name;
    if (!text)
        return;
    if (tl_texts.count == tl_texts.room) {
        tl_texts.room = 2 * tl_texts.room + 64;
        tl_texts.list = realloc(tl_texts.list, tl_texts.room * sizeof *tl_texts.list);
        if (!tl_texts.list)
            abort();
    }
    tl_texts.list[tl_texts.count++] = text;
}

static void free_texts(void)
{
    while (tl_texts.count)
        free((void *)(uintptr_t)tl_texts.list[--tl_texts.count]);
    free(tl_texts.list);
    tl_texts = (struct texts){0};
}

static void hand_over(const struct buffer *buffer)
{
    if (buffer->is_forced)
        for_each(buffer, cut_short);
    for_each(buffer, note_text);
    tl_in_callback = -1;
    s_cupti.completed(NULL, 0, buffer->bytes, buffer->size, buffer->used);
    tl_in_callback = 0;
    free_texts();
}

static int is_ready(const struct buffer *buffer)
{
    return buffer->is_forced || buffer->end <= mock_now();
}

/* Hands over one buffer if one is waiting. Under the lock, which is released during the callback. */
static int hand_over_next(void)
{
    if (s_cupti.taken == s_cupti.put || !is_ready(&s_cupti.queue[s_cupti.taken % QUEUE]))
        return 0;
    struct buffer buffer = s_cupti.queue[s_cupti.taken++ % QUEUE];
    unlock();
    hand_over(&buffer);
    lock();
    ++s_cupti.done;
    pthread_cond_broadcast(&s_cupti.changed);
    return 1;
}

static void *work(void *unused)
{
    struct timespec soon;
    lock();
    for (;;) {
        while (hand_over_next())
            ;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 1000000;
        if (soon.tv_nsec >= 1000000000) {
            soon.tv_nsec -= 1000000000;
            ++soon.tv_sec;
        }
        if (s_cupti.taken == s_cupti.put)
            pthread_cond_wait(&s_cupti.changed, &s_cupti.lock);
        else
            pthread_cond_timedwait(&s_cupti.changed, &s_cupti.lock, &soon);
    }
    return unused;
}

static void need_worker(void)
{
    pthread_t thread;
    if (s_cupti.has_worker || mock_option("inline"))
        return;
    if (pthread_create(&thread, NULL, work, NULL))
        abort();
    s_cupti.has_worker = 1;
}

static void enqueue_filling(int is_forced)
{
    if (!s_cupti.filling.bytes || !s_cupti.filling.used)
        return;
    if (s_cupti.put - s_cupti.taken == QUEUE)
        abort();
    s_cupti.filling.is_forced = is_forced;
    s_cupti.queue[s_cupti.put++ % QUEUE] = s_cupti.filling;
    s_cupti.filling = (struct buffer){0};
    need_worker();
    pthread_cond_broadcast(&s_cupti.changed);
}

static int need_buffer(size_t size)
{
    size_t records = 0;
    if (s_cupti.filling.bytes && s_cupti.filling.used + size <= s_cupti.filling.size)
        return 0;
    enqueue_filling(0);
    tl_in_callback = -1;
    s_cupti.request(&s_cupti.filling.bytes, &s_cupti.filling.size, &records);
    tl_in_callback = 0;
    if (!s_cupti.filling.bytes || s_cupti.filling.size < size || ((uintptr_t)s_cupti.filling.bytes & 7)) {
        s_cupti.filling.bytes = NULL;
        return -1;
    }
    return 0;
}

static void put_record(const struct mock_event *event)
{
    const size_t size = record_size(event->kind);
    if (need_buffer(size)) {
        ++s_cupti.dropped;
        return;
    }
    write_record(s_cupti.filling.bytes + s_cupti.filling.used, event);
    s_cupti.filling.used += size;
    if (event->end > s_cupti.filling.end)
        s_cupti.filling.end = event->end;
}

static void put_swapped(const struct mock_event *event)
{
    if (!s_cupti.holds) {
        s_cupti.held = *event;
        s_cupti.holds = 1;
        return;
    }
    put_record(event);
    put_record(&s_cupti.held);
    s_cupti.holds = 0;
}

static void put_held(void)
{
    if (s_cupti.holds)
        put_record(&s_cupti.held);
    s_cupti.holds = 0;
}

/* Corrupts the times of the kernels that the environment selects. Returns whether there is a record at all. */
static int spoil(struct mock_event *event)
{
    const long zero = mock_option("zero"), inverted = zero + mock_option("inverted");
    const long lost = inverted + mock_option("lose");
    const long number = s_cupti.kernels;
    if (event->kind != STINT_CUPTI_KIND_CONCURRENT_KERNEL)
        return 1;
    ++s_cupti.kernels;
    if (number < zero)
        event->start = event->end = 0;
    else if (number < inverted)
        event->end = event->start - 1;
    return number < inverted || number >= lost;
}

static void tell(uint32_t domain, uint32_t id, const void *data);

static void end_itself(void)
{
    const struct stint_cupti_state state = {STINT_CUPTI_UNKNOWN, "the mock's end"};
    memset(s_cupti.kinds, 0, sizeof s_cupti.kinds);
    unlock();
    tell(STINT_CUPTI_DOMAIN_STATE, STINT_CUPTI_STATE_FATAL_ERROR, &state);
    mock_cupti_forbid();
    lock();
}

#if defined(MOCK_OLD) || defined(MOCK_BROKEN)
static void mock_range_kernel(uint64_t ns) {}
#else
void mock_range_kernel(uint64_t ns); /* range.c */
#endif

static void happened(const struct mock_event *event)
{
    struct mock_event copy = *event;
    if (copy.kind == STINT_CUPTI_KIND_CONCURRENT_KERNEL)
        mock_range_kernel(copy.end - copy.start);

    lock();
    if (__atomic_load_n(&s_cupti.subscribed, __ATOMIC_ACQUIRE) && s_cupti.request && s_cupti.kinds[copy.kind] &&
        spoil(&copy)) {
        s_cupti.moves += copy.kind == STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER;
        if (s_cupti.records++ < mock_option("drop"))
            ++s_cupti.dropped;
        else if (mock_option("swap"))
            put_swapped(&copy);
        else
            put_record(&copy);
        if (s_cupti.records == mock_option("fatal"))
            end_itself();
    }
    unlock();
}

/* -------------------------------------------------------------------------------------------------------- callbacks */

static void spend(uint64_t ns)
{
    const uint64_t end = ns ? mock_now() + ns : 0;
    while (ns && mock_now() < end)
        ;
}

static void tell(uint32_t domain, uint32_t id, const void *data)
{
    const int within = tl_in_callback;
    if (!__atomic_load_n(&s_cupti.subscribed, __ATOMIC_ACQUIRE) ||
        !__atomic_load_n(&s_cupti.subscriber.enabled[domain][id], __ATOMIC_ACQUIRE))
        return;
    if (within && !(domain == MOCK_DRIVER && id == GET_DEVICE))
        mock_misuse("CUDA from one of CUPTI's callbacks");
    if (domain <= MOCK_RUNTIME)
        mock_count_told((int)domain);
    spend(__atomic_load_n(&s_cupti.slow_ns, __ATOMIC_RELAXED));
    tl_in_callback = (int)domain;
    __atomic_load_n(&s_cupti.subscriber.callback,
                    __ATOMIC_RELAXED)(__atomic_load_n(&s_cupti.subscriber.context, __ATOMIC_RELAXED), domain, id, data);
    tl_in_callback = within;
}

static void tell_call(struct mock_call *call, uint32_t site)
{
    struct stint_cupti_call data = {
        .site = site,
        .function = call->function,
        .parameters = call->parameters,
        .result = &call->result,
        .symbol = call->symbol,
        .context_id = 1,
        .shared = &call->shared,
        .correlation = call->correlation,
    };
    (void)cuCtxGetCurrent(&data.context);
    tell((uint32_t)call->domain, call->id, &data);
}

static void enter(struct mock_call *call)
{
    tell_call(call, STINT_CUPTI_ENTER);
}

static void leave(struct mock_call *call)
{
    tell_call(call, STINT_CUPTI_EXIT);
}

/* A node's handle is its id. */
static void *mock_handle(uint64_t id)
{
    void *handle;
    memcpy(&handle, &id, sizeof handle);
    return handle;
}

static void describe_device(void)
{
    happened(&(struct mock_event){.kind = STINT_CUPTI_KIND_DEVICE});
}

/* Buffers of a context that is destroyed are handed over first. */
static void context(int created)
{
    const struct stint_cupti_resource data = {0};
    if (created)
        describe_device();
    tell(STINT_CUPTI_DOMAIN_RESOURCE, created ? STINT_CUPTI_CONTEXT_CREATED : STINT_CUPTI_CONTEXT_DESTROY_STARTING,
         &data);
    if (created)
        return;
    lock();
    put_held();
    enqueue_filling(0);
    unlock();
}

static void node(uint64_t made, uint64_t original)
{
    struct stint_cupti_graph graph = {.node = mock_handle(made), .original_node = mock_handle(original)};
    const struct stint_cupti_resource data = {.descriptor = &graph};
    tell(STINT_CUPTI_DOMAIN_RESOURCE, original ? STINT_CUPTI_GRAPH_NODE_CLONED : STINT_CUPTI_GRAPH_NODE_CREATED, &data);
}

static const struct mock_tool s_tool = {enter, leave, happened, context, node};

static void shut_down(void)
{
    __atomic_store_n(&s_cupti.over, 1, __ATOMIC_RELAXED);
    mock_attach(NULL);
}

static int subscribe(struct stint_cupti_subscriber **subscriber, stint_cupti_callback *callback, void *context)
{
    static int s_registered;
    if (mock_option("subscribe"))
        return (int)mock_option("subscribe");
    if (__atomic_load_n(&s_cupti.subscribed, __ATOMIC_ACQUIRE))
        return TAKEN;
    if (!s_registered) {
        s_registered = 1;
        (void)atexit(shut_down);
    }
    for (uint32_t domain = 0; domain < DOMAINS; ++domain)
        for (uint32_t id = 0; id < IDS; ++id)
            __atomic_store_n(&s_cupti.subscriber.enabled[domain][id], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&s_cupti.subscriber.callback, callback, __ATOMIC_RELAXED);
    __atomic_store_n(&s_cupti.subscriber.context, context, __ATOMIC_RELAXED);
    __atomic_store_n(&s_cupti.slow_ns, (uint64_t)mock_option("slow"), __ATOMIC_RELAXED);
    __atomic_store_n(&s_cupti.subscribed, 1, __ATOMIC_RELEASE);
    *subscriber = &s_cupti.subscriber;
    mock_attach(&s_tool);
    return 0;
}

/* -------------------------------------------------------------------------------------------------------------- API */

MOCK_API int cuptiSubscribe(struct stint_cupti_subscriber **subscriber, stint_cupti_callback *callback, void *context);
MOCK_API int cuptiSubscribe_v2(struct stint_cupti_subscriber **subscriber, stint_cupti_callback *callback,
                               void *context, struct stint_cupti_subscription *subscription);
MOCK_API int cuptiUnsubscribe(struct stint_cupti_subscriber *subscriber);
MOCK_API int cuptiEnableCallback(uint32_t enable, struct stint_cupti_subscriber *subscriber, uint32_t domain,
                                 uint32_t id);
MOCK_API int cuptiEnableDomain(uint32_t enable, struct stint_cupti_subscriber *subscriber, uint32_t domain);
MOCK_API int cuptiActivityEnable(uint32_t kind);
MOCK_API int cuptiActivityDisable(uint32_t kind);
MOCK_API int cuptiActivityRegisterCallbacks(stint_cupti_request *request, stint_cupti_completed *completed);
MOCK_API int cuptiActivityFlushAll(uint32_t flag);
MOCK_API int cuptiActivityFlushPeriod(uint32_t milliseconds);
MOCK_API int cuptiActivityGetNextRecord(uint8_t *buffer, size_t used, struct stint_cupti_record **record);
MOCK_API int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *dropped);
MOCK_API int cuptiActivitySetAttribute(uint32_t attribute, size_t *size, void *value);
MOCK_API int cuptiActivityConfigureUnifiedMemoryCounter(struct stint_cupti_unified_memory_config *configs,
                                                        uint32_t count);
MOCK_API int cuptiGetTimestamp(uint64_t *timestamp);
MOCK_API int cuptiGetStreamIdEx(void *context, struct mock_stream *stream, uint8_t per_thread, uint32_t *id);
MOCK_API int cuptiGetVersion(uint32_t *version);
MOCK_API int cuptiGetGraphNodeId(void *node, uint64_t *id);
MOCK_API int cuptiGetResultString(int result, const char **string);
MOCK_API int cuptiGetCallbackName(uint32_t domain, uint32_t id, const char **name);

int cuptiSubscribe(struct stint_cupti_subscriber **subscriber, stint_cupti_callback *callback, void *context)
{
    const int misused = check("cuptiSubscribe");
    return misused ? misused : subscribe(subscriber, callback, context);
}

#ifndef MOCK_OLD
int cuptiSubscribe_v2(struct stint_cupti_subscriber **subscriber, stint_cupti_callback *callback, void *context,
                      struct stint_cupti_subscription *subscription)
{
    static const char other[] = "CUPTI for another";
    const int misused = check("cuptiSubscribe_v2");
    if (misused)
        return misused;
    if (subscription && (subscription->size != sizeof(struct stint_cupti_subscription) || !subscription->name))
        mock_misuse("what cuptiSubscribe_v2 is told");
    int result = subscribe(subscriber, callback, context);
    if (result == TAKEN && subscription && subscription->other_name && subscription->other_size >= sizeof other)
        memcpy(subscription->other_name, other, sizeof other);
    return result;
}

int cuptiActivityFlushPeriod(uint32_t milliseconds)
{
    return check("cuptiActivityFlushPeriod");
}
#endif

int cuptiUnsubscribe(struct stint_cupti_subscriber *subscriber)
{
    const int misused = check("cuptiUnsubscribe");
    if (misused)
        return misused;
    if (subscriber != &s_cupti.subscriber || !__atomic_load_n(&s_cupti.subscribed, __ATOMIC_ACQUIRE))
        return STINT_CUPTI_INVALID_PARAMETER;
    __atomic_store_n(&s_cupti.subscribed, 0, __ATOMIC_RELEASE);
    return 0;
}

int cuptiEnableCallback(uint32_t enable, struct stint_cupti_subscriber *subscriber, uint32_t domain, uint32_t id)
{
    const int misused = check("cuptiEnableCallback");
    if (misused)
        return misused;
    if (subscriber != &s_cupti.subscriber || domain >= DOMAINS || id >= IDS)
        return STINT_CUPTI_INVALID_PARAMETER;
    __atomic_store_n(&subscriber->enabled[domain][id], (uint8_t)enable, __ATOMIC_RELEASE);
    return 0;
}

int cuptiEnableDomain(uint32_t enable, struct stint_cupti_subscriber *subscriber, uint32_t domain)
{
    const int misused = check("cuptiEnableDomain");
    if (misused)
        return misused;
    for (uint32_t id = 0; id < IDS; ++id)
        __atomic_store_n(&subscriber->enabled[domain][id], (uint8_t)enable, __ATOMIC_RELEASE);
    return 0;
}

static void put_start_up_cost(void)
{
    const uint64_t now = mock_now();
    happened(
        &(struct mock_event){.kind = STINT_CUPTI_KIND_OVERHEAD, .what = 3u << 16, .start = now, .end = now + 1000});
}

int cuptiActivityEnable(uint32_t kind)
{
    const int misused = check("cuptiActivityEnable");
    const long wrong = mock_option(kind == STINT_CUPTI_KIND_CONCURRENT_KERNEL ? "enable" : "optional");
    if (misused || wrong)
        return misused ? misused : (int)wrong;
    if (!s_cupti.request)
        mock_misuse("records enabled before there are buffers");
    if (kind > LAST_KIND)
        return STINT_CUPTI_INVALID_KIND;
    lock();
    s_cupti.kinds[kind] = 1;
    unlock();
    if (kind == STINT_CUPTI_KIND_OVERHEAD)
        put_start_up_cost();
    if (kind == STINT_CUPTI_KIND_DEVICE && mock_has_context())
        describe_device();
    return 0;
}

int cuptiActivityDisable(uint32_t kind)
{
    const int misused = check("cuptiActivityDisable");
    if (misused)
        return misused;
    lock();
    if (!s_cupti.kinds[kind])
        mock_misuse("disabling records that are not enabled may take two seconds");
    if (kind == STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER && !s_cupti.moves)
        mock_misuse("disabling unified memory's records before there is any takes two seconds");
    s_cupti.kinds[kind] = 0;
    unlock();
    return 0;
}

int cuptiActivityRegisterCallbacks(stint_cupti_request *request, stint_cupti_completed *completed)
{
    const int misused = check("cuptiActivityRegisterCallbacks");
    if (misused)
        return misused;
    lock();
    s_cupti.request = request;
    s_cupti.completed = completed;
    unlock();
    return 0;
}

/* The buffer that is being filled is handed over only when all its work has been done, unless forced. */
int cuptiActivityFlushAll(uint32_t flag)
{
    const int misused = check("cuptiActivityFlushAll");
    uint64_t wanted;
    if (misused)
        return misused;
    if (mock_option("hang"))
        hang();
    if (mock_option("crash"))
        raise(SIGSEGV);
    lock();
    put_held();
    if (flag || s_cupti.filling.end <= mock_now())
        enqueue_filling(flag != 0);
    for (wanted = s_cupti.taken; wanted < s_cupti.put; ++wanted) {
        struct buffer *buffer = &s_cupti.queue[wanted % QUEUE];
        buffer->is_forced |= flag != 0 && buffer->end > mock_now();
        if (!is_ready(buffer))
            break;
    }
    pthread_cond_broadcast(&s_cupti.changed);
    while (s_cupti.done < wanted)
        if (!mock_option("inline"))
            pthread_cond_wait(&s_cupti.changed, &s_cupti.lock);
        else
            (void)hand_over_next();
    unlock();
    return 0;
}

int cuptiActivityGetNextRecord(uint8_t *buffer, size_t used, struct stint_cupti_record **record)
{
    size_t at = 0;
    if (*record)
        at = (size_t)((uint8_t *)*record - buffer) + record_size((*record)->kind);
    if (at >= used)
        return STINT_CUPTI_MAX_LIMIT_REACHED;
    *record = record_at(buffer, at);
    return 0;
}

int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *dropped)
{
    lock();
    *dropped = s_cupti.dropped;
    s_cupti.dropped = 0;
    unlock();
    return 0;
}

int cuptiActivitySetAttribute(uint32_t attribute, size_t *size, void *value)
{
    return check("cuptiActivitySetAttribute");
}

int cuptiActivityConfigureUnifiedMemoryCounter(struct stint_cupti_unified_memory_config *configs, uint32_t count)
{
    const int misused = check("cuptiActivityConfigureUnifiedMemoryCounter");
    if (misused)
        return misused;
    return mock_has_context() ? (int)mock_option("optional") : NOT_INITIALIZED;
}

int cuptiGetTimestamp(uint64_t *timestamp)
{
    *timestamp = mock_now();
    return check("cuptiGetTimestamp");
}

/* Threads have no streams of their own. */
int cuptiGetStreamIdEx(void *context, struct mock_stream *stream, uint8_t per_thread, uint32_t *id)
{
    *id = mock_stream_id(stream);
    return check("cuptiGetStreamIdEx");
}

int cuptiGetVersion(uint32_t *version)
{
    const long wanted = mock_option("version");
#ifdef MOCK_OLD
    *version = wanted ? (uint32_t)wanted : 13;
#else
    *version = wanted ? (uint32_t)wanted : 130001;
#endif
    return check("cuptiGetVersion");
}

int cuptiGetGraphNodeId(void *node, uint64_t *id)
{
    memcpy(id, &node, sizeof *id);
    return 0;
}

int cuptiGetResultString(int result, const char **string)
{
    *string = result ? "CUPTI_ERROR_MOCK" : "CUPTI_SUCCESS";
    return 0;
}

#ifndef MOCK_BROKEN
int cuptiGetCallbackName(uint32_t domain, uint32_t id, const char **name)
{
    static const struct {
        uint32_t domain, id;
        const char *name;
    } names[] = {
        {MOCK_RUNTIME, 15, "cudaFuncGetAttributes_v3020"},
        {MOCK_RUNTIME, 17, "cudaGetDevice_v3020"},
        {MOCK_RUNTIME, 20, "cudaMalloc_v3020"},
        {MOCK_RUNTIME, 22, "cudaFree_v3020"},
        {MOCK_RUNTIME, 31, "cudaMemcpy_v3020"},
        {MOCK_RUNTIME, 41, "cudaMemcpyAsync_v3020"},
        {MOCK_RUNTIME, 49, "cudaMemset_v3020"},
        {MOCK_RUNTIME, 129, "cudaStreamCreate_v3020"},
        {MOCK_RUNTIME, 131, "cudaStreamSynchronize_v3020"},
        {MOCK_RUNTIME, 164, "cudaDeviceReset_v3020"},
        {MOCK_RUNTIME, 165, "cudaDeviceSynchronize_v3020"},
        {MOCK_RUNTIME, 211, "cudaLaunchKernel_v7000"},
        {MOCK_RUNTIME, 309, "cudaGraphInstantiate_v12000"},
        {MOCK_RUNTIME, 311, "cudaGraphLaunch_v10000"},
        {MOCK_RUNTIME, 315, "cudaStreamBeginCapture_v10000"},
        {MOCK_RUNTIME, 319, "cudaStreamEndCapture_v10000"},
        {MOCK_RUNTIME, 180, "cudaProfilerStart_v4000"},
        {MOCK_RUNTIME, 181, "cudaProfilerStop_v4000"},
        {MOCK_DRIVER, GET_DEVICE, "cuCtxGetDevice"},
        {MOCK_DRIVER, 17, "cuCtxSynchronize"},
        {MOCK_DRIVER, 126, "cuStreamSynchronize"},
        {MOCK_DRIVER, 216, "cuMemsetD8Async"},
        {MOCK_DRIVER, 243, "cuMemAlloc_v2"},
        {MOCK_DRIVER, 245, "cuMemFree_v2"},
        {MOCK_DRIVER, 306, "cuMemcpyAsync"},
        {MOCK_DRIVER, 307, "cuLaunchKernel"},
        {MOCK_DRIVER, 497, "cuStreamEndCapture"},
        {MOCK_DRIVER, 513, "cuGraphInstantiateWithFlags"},
        {MOCK_DRIVER, 514, "cuGraphLaunch"},
        {MOCK_DRIVER, 539, "cuStreamBeginCapture_v2"},
        {MOCK_DRIVER, 311, "cuProfilerStart"},
        {MOCK_DRIVER, 312, "cuProfilerStop"},
        {MOCK_DRIVER, 545, "cuDevicePrimaryCtxReset_v2"},
        {MOCK_DRIVER, 686, "cuKernelGetAttribute"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (names[i].domain == domain && names[i].id == id) {
            *name = names[i].name;
            return 0;
        }
    return STINT_CUPTI_INVALID_PARAMETER;
}
#endif
