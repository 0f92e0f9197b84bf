/* Decides by their names what calls of CUDA leave behind, has CUPTI report those of interest, and silences functions of
 * the driver that only the runtime calls. What a callback has to know of a function is then one look into a table. */
#include "gpu/call_table.h"

#include <pthread.h>
#include <string.h>

#include "base/text.h"
#include "gpu/callback.h"
#include "model/model.h"

enum { DRIVER = 0, RUNTIME = STINT_CUPTI_DOMAIN_RUNTIME - STINT_CUPTI_DOMAIN_DRIVER };

/* The first version of CUPTI that also reports the driver's launch within the runtime's. */
enum { DRIVER_TELLS_VERSION = 130000 };

struct stint_called stint_called[STINT_CALLED_DOMAINS][STINT_CALLED_IDS];

enum state { TOLD, SILENT /* not reported */, LOOKED_AT /* reported for a while */ };

enum { LOOKS = 20 }; /* silent functions are reported between one look of so many and the next */

/* CUPTI wants its functions that enable callbacks to be called by one thread at a time. Callbacks do not take the
 * lock. */
static struct {
    pthread_mutex_t lock;
    int listed;                      /* the functions have been listed */
    const struct stint_cupti *cupti; /* NULL: functions do not become silent */
    struct stint_cupti_subscriber *subscriber;
    uint8_t states[STINT_CALLED_IDS]; /* enum state, of the driver's functions */
    unsigned looks;
    int was_silent;
} s_table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --------------------------------------------------------------------------------------------------------- describe */

/* The names may be followed by a version and other suffixes. */
static enum stint_called_rare rare_of(const char *name)
{
    static const char names[][19] = {[STINT_CALLED_STARTS_PROFILER] = "ProfilerStart",
                                     [STINT_CALLED_STOPS_PROFILER] = "ProfilerStop",
                                     [STINT_CALLED_BEGINS_CAPTURE] = "StreamBeginCapture",
                                     [STINT_CALLED_ENDS_CAPTURE] = "StreamEndCapture"};
    name += strncmp(name, "cuda", 4) != 0 ? 2 : 4;
    for (int rare = STINT_CALLED_ENDS_CAPTURE; rare > STINT_CALLED_NOTHING; rare--)
        if (strncmp(name, names[rare], strlen(names[rare])) == 0)
            return (enum stint_called_rare)rare;
    return STINT_CALLED_NOTHING;
}

static struct stint_called describe(const char *name)
{
    unsigned allocates = stint_allocation_call(name);
    int waits = stint_wait_call(name);
    struct stint_called function = {
        .leaves = stint_call_is_work(name) || waits ? STINT_CALLED_LEAVES_ID : 0,
        .rare = (uint8_t)rare_of(name),
        .noted = waits ? STINT_CALLED_WAITS : (uint8_t)allocates,
        .kind = (uint8_t)stint_call_kind(name),
        .driver_tells = stint_call_is_launch(name) || allocates,
    };
    function.plain = !function.leaves && !function.rare && !function.noted;
    return function;
}

/* Function names do not change, because CUPTI is opened only once. */
static void list_functions(const struct stint_cupti *cupti)
{
    const char *name;
    int counts = stint_counting_start(cupti);
    for (uint32_t domain = 0; domain < STINT_CALLED_DOMAINS && !s_table.listed; domain++)
        for (uint32_t id = 0; id < STINT_CALLED_IDS; id++)
            if (!cupti->get_callback_name(STINT_CUPTI_DOMAIN_DRIVER + domain, id, &name) && name)
                stint_called[domain][id] = describe(name);
    if (counts)
        stint_call_table_count(1);
    s_table.listed = 1;
}

static int is_launch(const struct stint_called *function)
{
    return function->driver_tells && function->kind == STINT_CALL_LAUNCH;
}

void stint_call_table_count(int counted)
{
    for (uint32_t id = 0; id < STINT_CALLED_IDS; id++) {
        struct stint_called *function = &stint_called[DRIVER][id];
        if (function->driver_tells && !function->noted) /* no allocation */
            __atomic_store_n(&function->rare, (uint8_t)(counted ? STINT_CALLED_COUNTED : STINT_CALLED_NOTHING),
                             __ATOMIC_RELAXED);
    }
}

void stint_call_table_set_launches(int leaves)
{
    for (uint32_t domain = 0; domain < STINT_CALLED_DOMAINS; domain++)
        for (uint32_t id = 0; id < STINT_CALLED_IDS; id++)
            if (is_launch(&stint_called[domain][id]))
                __atomic_store_n(&stint_called[domain][id].leaves, (uint8_t)leaves, __ATOMIC_RELAXED);
}

uint32_t stint_call_table_launch(void)
{
    for (uint32_t id = 0; id < STINT_CALLED_IDS; id++)
        if (is_launch(&stint_called[DRIVER][id]))
            return id;
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- enable */

static int is_told(const struct stint_cupti *cupti, uint32_t domain, const struct stint_called *function,
                   unsigned wanted)
{
    int matters = function->kind != STINT_CALL_OTHER && wanted & STINT_CALLBACK_API;
    int waits = function->noted == STINT_CALLED_WAITS;
    int noted = function->noted && wanted & (waits ? STINT_CALLBACK_WAITS : STINT_CALLBACK_MEMORY);
    int works = function->leaves && !waits;
    int by_driver = function->driver_tells && cupti->version >= DRIVER_TELLS_VERSION;
    if (function->rare)
        return 1;
    return (works || noted || matters) && !(by_driver && domain == RUNTIME);
}

static int enable_some(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted)
{
    int result = 0;
    for (uint32_t domain = 0; domain < STINT_CALLED_DOMAINS; domain++)
        for (uint32_t id = 0; id < STINT_CALLED_IDS && !result; id++)
            if (is_told(cupti, domain, &stint_called[domain][id], wanted))
                result = cupti->enable_callback(1, subscriber, STINT_CUPTI_DOMAIN_DRIVER + domain, id);
    return result;
}

static int enable_all(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber)
{
    int result = cupti->enable_domain(1, subscriber, STINT_CUPTI_DOMAIN_RUNTIME);
    return result ? result : cupti->enable_domain(1, subscriber, STINT_CUPTI_DOMAIN_DRIVER);
}

static void forget_calls(struct stint_called *function)
{
    STINT_I_STORE(&function->within, 0u);
    STINT_I_STORE(&function->alone, (uint8_t)0);
}

/* Calls that matter are always reported. */
static void start_silence(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted)
{
    int fewer = wanted & STINT_CALLBACK_FEWER && wanted & STINT_CALLBACK_EVERY_CALL;
    pthread_mutex_lock(&s_table.lock);
    s_table.cupti = fewer ? cupti : NULL;
    s_table.subscriber = subscriber;
    s_table.looks = 0;
    for (uint32_t id = 0; id < STINT_CALLED_IDS; id++) { /* whatever an earlier start has left here */
        struct stint_called *function = &stint_called[DRIVER][id];

        s_table.states[id] = TOLD;
        forget_calls(function);
        __atomic_store_n(&function->may_be_silent,
                         (uint8_t)(fewer && function->plain && function->kind == STINT_CALL_OTHER), __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&s_table.lock);
}

int stint_call_table_start(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted,
                           const char **failed)
{
    int every = wanted & STINT_CALLBACK_EVERY_CALL;
    list_functions(cupti);
    stint_call_table_set_launches(STINT_CALLED_LEAVES_ID | STINT_CALLED_LEAVES_RECORD);
    start_silence(cupti, subscriber, wanted);
    *failed = every ? "cuptiEnableDomain" : "cuptiEnableCallback";
    return every ? enable_all(cupti, subscriber) : enable_some(cupti, subscriber, wanted);
}

void stint_call_table_stop(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber)
{
    pthread_mutex_lock(&s_table.lock);
    s_table.cupti = NULL;
    (void)cupti->enable_domain(0, subscriber, STINT_CUPTI_DOMAIN_RUNTIME);
    (void)cupti->enable_domain(0, subscriber, STINT_CUPTI_DOMAIN_DRIVER);
    pthread_mutex_unlock(&s_table.lock);
}

/* ----------------------------------------------------------------------------------- queries that the runtime makes */

/* A call of it that a thread is making at this moment has no end then, or no beginning: it is one within another, which
 * are not recorded anyway. */
static void tell(uint32_t id, enum state state)
{
    stint_driver_own++; /* CUPTI may call CUDA */
    if (!s_table.cupti->enable_callback(state != SILENT, s_table.subscriber, STINT_CUPTI_DOMAIN_DRIVER, id))
        s_table.states[id] = (uint8_t)state;
    stint_driver_own--;
}

/* One that is looked at may be called rarely at present: to become silent again, it only has to be called by nobody but
 * the runtime. */
static int is_to_be_silent(uint32_t id)
{
    const struct stint_called *function = &stint_called[DRIVER][id];
    return !STINT_I_LOAD(&function->alone) &&
           (s_table.states[id] == LOOKED_AT || STINT_I_LOAD(&function->within) >= STINT_CALLED_OFTEN);
}

static void look_at(uint32_t id, int at_silent)
{
    if (s_table.states[id] == SILENT) {
        if (at_silent)
            tell(id, LOOKED_AT);
    } else if (is_to_be_silent(id)) {
        __atomic_store_n(&s_table.was_silent, 1, __ATOMIC_RELAXED);
        tell(id, SILENT);
    } else {
        s_table.states[id] = TOLD;
    }
    forget_calls(&stint_called[DRIVER][id]);
}

void stint_call_table_look(void)
{
    pthread_mutex_lock(&s_table.lock);
    int at_silent = s_table.looks++ % LOOKS == LOOKS - 1;

    for (uint32_t id = 0; id < STINT_CALLED_IDS && s_table.cupti; id++)
        if (stint_called[DRIVER][id].may_be_silent)
            look_at(id, at_silent);
    pthread_mutex_unlock(&s_table.lock);
}

int stint_call_table_may_be_silent(void)
{
    return s_table.cupti != NULL;
}

int stint_call_table_was_silent(void)
{
    return __atomic_load_n(&s_table.was_silent, __ATOMIC_RELAXED);
}

/* Whether the text from `suffix` to `end` is a suffix that distinguishes variants of a function. */
static int is_variant(const char *suffix, const char *end)
{
    size_t length = (size_t)(end - suffix);
    if (length == 5 && (stint_begins_with(suffix, "_ptsz") || stint_begins_with(suffix, "_ptds")))
        return 1; /* per-thread default streams */
    return length > 2 && stint_begins_with(suffix, "_v") && strspn(suffix + 2, "0123456789") >= length - 2;
}

static const char *last_suffix(const char *name, const char *end)
{
    while (end > name && *--end != '_')
        ;
    return end;
}

const char *stint_cupti_shown_name(const char *name, char *out, size_t size)
{
    const char *end = name + strlen(name);
    const char *suffix = last_suffix(name, end);
    while (suffix > name && is_variant(suffix, end)) {
        end = suffix;
        suffix = last_suffix(name, end);
    }
    if (!*end)
        return name;
    size_t length = (size_t)(end - name);
    if (length >= size)
        length = size - 1;
    memcpy(out, name, length);
    out[length] = '\0';
    return out;
}
