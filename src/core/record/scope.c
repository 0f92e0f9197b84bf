/* Scopes off the fast path: first times, dynamic names, listeners, scopes that were left by longjmp, samples without a
 * scope. The tree must be right at every instruction, since a signal handler may record in between. */
#include "record/scope.h"

#include "base/clock.h"
#include "base/log.h"
#include "record/collect.h"
#include "record/registry.h"
#include "record/suspend.h"
#include "record/thread.h"

void stint_scope_catch_up(struct stint_thread_record *record)
{
    stint_tree_refresh(&record->tree);
    record->tree.hot.state = record->role == STINT_THREAD_HELPER ? UINT32_MAX : record->tree.generation;
    record->tree.hot.counting = record->tree.hot.state | !stint_clock_is_inline(); /* as bit 0 of stint_i_state */
    record->tree.hot.complete = stint_budget ? UINT32_MAX : record->tree.hot.state;
    record->tree.hot.quick =
        record->tree.hot.plain && !record->tree.hot.noted_limit ? record->tree.hot.state : UINT32_MAX;
    if (STINT_I_UNLIKELY(record->tree.hot.noted_limit != NULL) &&
        record->tree.hot.noted == record->tree.hot.noted_limit)
        stint_note_make_room(record);
}

void (*stint_note_make_room)(struct stint_thread_record *record);

void stint_note_slow(struct stint_i_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                     uint32_t form)
{
    if (!tree->noting && stint_guard_begin()) {
        stint_note_make_room((struct stint_thread_record *)(void *)tree);
        stint_guard_end();
        if (stint_i_note(tree, node, start, span, form))
            return;
    }
    stint_count_dropped(&stint_dropped.events);
}

void stint_scope_begin(struct stint_i_tree *tree, struct stint_i_node *node)
{
    stint_cpu_begin(node);
    stint_i_begin(tree, node);
    if (!stint_clock_is_inline())
        STINT_I_STORE(&node->start, stint_clock_ticks());
}

/* --------------------------------------------------------------------------------------------------------- listener */

static const struct stint_listener *s_listener;

void stint_scope_listen(const struct stint_listener *listener)
{
    s_listener = listener;
    stint_registry_set_inline(0);
}

int stint_scope_has_listener(void)
{
    return s_listener != NULL;
}

/* The scope's time begins when the listener is done. */
static void tell_enter(struct stint_i_node *node)
{
    if (!s_listener || !node || stint_call_is(node->id))
        return;
    s_listener->enter(node->id);
    STINT_I_STORE(&node->start, stint_clock_ticks());
}

static void tell_leave(const struct stint_i_node *node)
{
    if (s_listener && !stint_call_is(node->id))
        s_listener->leave(node->id);
}

/* ------------------------------------------------------------------------------------------------------------ enter */

static uint32_t site_id(struct stint_i_site *site, const char *name, struct stint_statset *set)
{
    uint32_t id = __atomic_load_n(&site->id, __ATOMIC_ACQUIRE);
    if (!id) {
        struct stint_name key = stint_registry_name(set, name);
        id = stint_registry_id(&key, site);
        __atomic_store_n(&site->id, id, __ATOMIC_RELEASE);
    }
    return id;
}

/* Pops scopes that were left without notice, by longjmp for example. */
__attribute__((cold)) static void pop_down_to(struct stint_tree *tree, const struct stint_i_node *node)
{
    while (tree->hot.current != node) {
        const struct stint_i_node *abandoned = tree->hot.current;
        stint_count_dropped(&stint_dropped.abandoned);
        stint_tree_abandon(tree);
        tell_leave(abandoned);
    }
}

/* A function that longjmp leaves does not end its scopes. When it is called again from the same place, they seem to
 * enclose the new one, at each turn of a loop one level deeper. So many at one place of the stack cannot all be
 * running: only calls that the compiler has put into one function share a place, at most eight of a recursion. Code
 * that is not optimized has two places, since it enters scopes with or without a call of this library; the innermost
 * one's may be the other. */
static void pop_pile(struct stint_thread_record *record, uint32_t id, uintptr_t place)
{
    enum { MOST_AT_ONE_PLACE = 16 };
    const struct stint_i_node *innermost = NULL, *outermost = NULL;
    int count = 0;
    for (const struct stint_i_node *at = record->tree.hot.current; at->parent; at = at->parent) {
        if (at->id != id)
            continue;
        if (!innermost)
            innermost = at;
        if (at->place == place || (at->place && at->place == innermost->place)) {
            outermost = at;
            count++;
        }
    }
    if (count >= MOST_AT_ONE_PLACE)
        pop_down_to(&record->tree, outermost->parent);
}

static struct stint_i_node *enter_id(struct stint_thread_record *record, uint32_t id, uintptr_t place)
{
    if (place && !stint_tree_has_child(&record->tree, record->tree.hot.current, id))
        pop_pile(record, id, place);
    stint_thread_begin_helping(record, stint_call_is(id));
    struct stint_i_node *node = id ? stint_tree_child(&record->tree, record->tree.hot.current, id) : NULL;

    if (node) {
        if (stint_node_is_thinned(node))
            stint_budget->sample(&record->tree, node);
        stint_scope_begin(&record->tree.hot, node);
        node->place = place;
    } else {
        stint_thread_end_helping(record, stint_clock_ticks());
    }
    return node;
}

/* Returns the thread's record, ready to record, or NULL. Inside the guard. */
static struct stint_thread_record *ready(void)
{
    struct stint_thread_record *record = stint_registry_enabled() ? stint_thread_acquire() : NULL;
    if (record)
        stint_scope_catch_up(record);
    return record;
}

static int guarded(void)
{
    stint_suspend_check_due();
    if (stint_guard_begin())
        return 1;
    stint_count_dropped(&stint_dropped.reentrant);
    return 0;
}

struct stint_i_node *stint_scope_enter(struct stint_i_site *site, const char *name, struct stint_statset *set,
                                       uintptr_t place)
{
    struct stint_i_node *node = NULL;
    if (!guarded())
        return NULL;
    struct stint_thread_record *record = ready();
    if (record)
        node = enter_id(record, site_id(site, name, set), place);
    stint_guard_end();
    tell_enter(node);
    return node;
}

struct stint_i_node *stint_scope_enter_guarded(uint32_t id)
{
    struct stint_thread_record *record = ready();
    return record ? enter_id(record, id, 0) : NULL;
}

struct stint_i_node *stint_scope_enter_id(uint32_t id)
{
    if (!guarded())
        return NULL;
    struct stint_i_node *node = stint_scope_enter_guarded(id);
    stint_guard_end();
    tell_enter(node);
    return node;
}

/* Enters a scope if the thread knows its name and nothing unusual is going on; this needs no guard. */
static inline struct stint_i_node *enter_known(const char *text, const struct stint_statset *set, uintptr_t place)
{
    struct stint_i_tree *tree = stint_i_self;
    uint32_t state = STINT_I_LOAD(&stint_i_state);
    if (STINT_I_UNLIKELY(tree->counting != state || !text))
        return NULL;
    struct stint_name name = stint_registry_read_name(set ? set : &stint_global_set, text, PTRDIFF_MAX);
    uint32_t id = stint_thread_cached_id(stint_thread_self(), &name);
    struct stint_i_node *node = STINT_I_LIKELY(id != 0) ? stint_i_begin_or_leave_out(tree, state, id) : NULL;
    if (STINT_I_LIKELY(node != NULL))
        node->place = place;
    return node;
}

__attribute__((noinline)) static struct stint_i_node *enter_unknown(struct stint_i_site *site, const char *text,
                                                                    struct stint_statset *set, uintptr_t place)
{
    struct stint_i_node *node = NULL;
    if (!stint_registry_enabled()) {
        stint_suspend_check_due();
        return NULL;
    }
    if (!guarded())
        return NULL;
    struct stint_thread_record *record = ready();
    if (record) {
        struct stint_name name = stint_registry_name(set, text);
        node = enter_id(record, stint_thread_id_of(record, &name, site), place);
    }
    stint_guard_end();
    tell_enter(node);
    return node;
}

struct stint_i_node *stint_scope_enter_dynamic(struct stint_i_site *site, const char *name, struct stint_statset *set,
                                               uintptr_t place)
{
    struct stint_i_node *node = enter_known(name, set, place);
    return STINT_I_LIKELY(node != NULL) ? node : enter_unknown(site, name, set, place);
}

void stint_scope_move_start(struct stint_i_node *node, uint64_t start_us)
{
    uint64_t now_us = stint_clock_now_ns() / 1000;
    if (!node || !node->start || start_us >= now_us)
        return;
    uint64_t ticks = (uint64_t)((double)(now_us - start_us) * 1e3 / stint_clock_ns_per_tick());
    stint_tree_begin_earlier(node, ticks);
}

/* ------------------------------------------------------------------------------------------------------------ leave */

static int is_running(const struct stint_i_tree *hot, const struct stint_i_node *node)
{
    for (const struct stint_i_node *at = hot->current; at && at->parent; at = at->parent)
        if (at == node)
            return 1;
    return 0;
}

static uint64_t span_until(uint64_t now, uint64_t start)
{
    if (now >= start)
        return now - start;
    stint_count_dropped(&stint_dropped.negative);
    return 0;
}

void stint_end_unnoted(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span, int guarded)
{
    stint_count(tree, node, span, guarded);
    stint_i_finish(tree, node, span);
}

static void end_with(struct stint_tree *tree, struct stint_i_node *node, uint64_t span, stint_scope_note_fn *note,
                     const void *context)
{
    uint64_t start = node->start;
    stint_end_unnoted(&tree->hot, node, span, 0);
    if (stint_guard_begin()) {
        note(tree, node, start, span, context);
        stint_guard_end();
    } else {
        stint_count_dropped(&stint_dropped.events);
    }
}

static int end(struct stint_i_node *node, uint64_t now, uint64_t *span, stint_scope_note_fn *note, const void *context)
{
    struct stint_thread_record *record = stint_thread_self();
    if (!record || !is_running(&record->tree.hot, node)) {
        stint_count_dropped(&stint_dropped.mismatched);
        return 0;
    }
    if (stint_guard_begin()) {
        stint_scope_catch_up(record);
        stint_guard_end();
    }
    pop_down_to(&record->tree, node);
    if (!node->start) { /* left out */
        stint_tree_abandon(&record->tree);
        return 0;
    }
    *span = span_until(now, node->start);
    stint_cpu_end(node);
    if (note)
        end_with(&record->tree, node, *span, note, context);
    else if (stint_call_is(node->id))
        stint_end_unnoted(&record->tree.hot, node, *span, 0);
    else
        stint_end(&record->tree.hot, node, *span, 0);
    return 1;
}

int stint_scope_end(struct stint_i_node *node, uint64_t now, uint64_t *span)
{
    return end(node, now, span, NULL, NULL);
}

uint64_t stint_scope_leave(struct stint_i_node *node, uint64_t counter)
{
    return stint_scope_leave_noted(node, counter, NULL, NULL);
}

uint64_t stint_scope_leave_noted(struct stint_i_node *node, uint64_t counter, stint_scope_note_fn *note,
                                 const void *context)
{
    uint64_t now = stint_clock_is_inline() ? counter : stint_clock_ticks(), span = 0;
    if (end(node, now, &span, note, context)) {
        stint_thread_end_helping(stint_thread_self(), now);
        tell_leave(node);
    }
    return span;
}

void stint_scope_abandon(struct stint_i_node *node)
{
    struct stint_thread_record *record = stint_thread_self();
    if (!node || !record || !is_running(&record->tree.hot, node))
        return;
    pop_down_to(&record->tree, node->parent);
    stint_thread_end_helping(record, stint_clock_ticks());
}

/* A node without a start runs on another thread, for which this one works. */
void stint_scope_leave_until(const struct stint_i_node *outer)
{
    struct stint_thread_record *record = stint_thread_self();
    uint64_t now = stint_clock_ticks();
    while (record && record->tree.hot.current != outer) {
        struct stint_i_node *node = record->tree.hot.current;
        if (node->start)
            (void)stint_scope_leave(node, now);
        else
            stint_tree_abandon(&record->tree);
    }
}

/* ----------------------------------------------------------------------------------------------- samples that float */

/* `start` is 0 if it is not known. */
static enum stint_status add_sample(struct stint_thread_record *record, struct stint_i_node *parent, uint32_t id,
                                    uint64_t start, uint64_t ticks)
{
    struct stint_i_node *node = id ? stint_tree_child(&record->tree, parent, id) : NULL;
    if (!node)
        return stint_last_dropped();
    stint_count(&record->tree.hot, node, ticks, 1);
    STINT_I_ADD(&node->self, ticks);
    if (node->total < ticks) { /* only samples that the program states can be so long */
        STINT_I_STORE(&node->total, UINT64_MAX);
        STINT_I_STORE(&node->self, UINT64_MAX);
    }
    if (start)
        stint_note(&record->tree.hot, node, start, ticks, STINT_NOTE_FLOATING);
    return STINT_OK;
}

enum stint_status stint_scope_timer_start(struct stint_timer *timer, const char *name, struct stint_statset *set)
{
    if (!timer)
        return STINT_ERROR_INVALID_ARGUMENT;
    *timer = (struct stint_timer){0};
    if (!guarded())
        return STINT_ERROR_BUSY;
    struct stint_thread_record *record = ready();
    if (record) {
        struct stint_name key = stint_registry_name(set, name);
        timer->statistic = stint_thread_id_of(record, &key, NULL);
    }
    stint_guard_end();
    if (!timer->statistic && stint_registry_enabled())
        return stint_last_dropped();
    timer->start = stint_clock_ticks();
    return STINT_OK;
}

enum stint_status stint_scope_timer_stop(struct stint_timer *timer)
{
    uint64_t now = stint_clock_ticks();
    enum stint_status status = STINT_OK;
    if (!timer)
        return STINT_ERROR_INVALID_ARGUMENT;
    struct stint_timer stopped = *timer;
    *timer = (struct stint_timer){0};
    if (!stopped.start || stopped.statistic > stint_registry_last_id()) {
        stint_count_dropped(&stint_dropped.mismatched);
        return STINT_ERROR_NOT_STARTED;
    }
    if (!stopped.statistic) /* started while recording was off */
        return STINT_OK;
    if (!guarded())
        return STINT_ERROR_BUSY;
    struct stint_thread_record *record = stint_thread_acquire();
    if (record) {
        stint_scope_catch_up(record);
        status =
            add_sample(record, record->tree.floating, stopped.statistic, stopped.start, span_until(now, stopped.start));
    } else {
        status = stint_last_dropped();
    }
    stint_guard_end();
    return status;
}

static uint32_t s_added; /* a statistic to which a sample was added; 0: none yet */

/* Adds to a statistic that exists, so that no name is needed for it. */
static void add_samples(unsigned repeats, stint_i_work_fn *work)
{
    const struct stint_entry *entry = stint_registry_entry(STINT_I_LOAD(&s_added));
    (void)work;
    for (unsigned i = 0; i < repeats; i++)
        (void)stint_scope_add(entry->set, entry->name, i);
}

enum stint_status stint_scope_add(const struct stint_statset *set, const char *name, uint64_t ns)
{
    enum stint_status status = STINT_OK;
    if (!guarded())
        return STINT_ERROR_BUSY;
    struct stint_thread_record *record = ready();
    if (record) {
        struct stint_name key = stint_registry_name(set, name);
        uint32_t id = stint_thread_id_of(record, &key, NULL);
        if (ns > (uint64_t)INT64_MAX) {
            stint_count_dropped(&stint_dropped.negative);
            ns = 0;
        }
        status = add_sample(record, record->tree.exact, id, 0, ns);
        STINT_I_ADD(&record->tree.hot.current->added, 1u);
        if (STINT_I_UNLIKELY(!STINT_I_LOAD(&s_added)) && id) {
            STINT_I_STORE(&s_added, id);
            stint_measure_with(STINT_COST_SAMPLE, add_samples);
        }
    } else if (stint_registry_enabled()) {
        status = stint_last_dropped();
    }
    stint_guard_end();
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ lines */

/* Not by strcmp, which in a program with ThreadSanitizer is the sanitizer's: that would take reading what a library
 * without it has published for a race. */
static int same_name(const struct stint_entry *entry, const char *name)
{
    const char *whole = name && *name ? name : "(unnamed)";
    size_t at = 0;
    while (at < entry->length && entry->name[at] == whole[at])
        at++;
    return at == entry->length && (at >= STINT_MAX_NAME - 3 || !whole[at]);
}

__attribute__((cold)) static void tell_changed(const struct stint_i_site *site, const char *name,
                                               struct stint_entry *entry)
{
    stint_count_dropped(&stint_dropped.changed);
    if (!__atomic_exchange_n(&entry->warned, 1, __ATOMIC_RELAXED))
        stint_log(STINT_LOG_WARNING, site->file, (int)site->line,
                  "Stat: [%s] the name of this call site changed to [%s], but a static timer keeps its first; use "
                  "REGISTER_TIMER_DYNAMIC for names that change",
                  entry->name, name && *name ? name : "(unnamed)");
}

void stint_scope_check_name(const struct stint_i_site *site, const char *name)
{
    uint32_t id = __atomic_load_n(&site->id, __ATOMIC_ACQUIRE);
    struct stint_entry *entry = id ? stint_registry_entry(id) : NULL;
    if (entry && !same_name(entry, name))
        tell_changed(site, name, entry);
}

/* Makes the bound that the inlined fast path compares with more precise, once enough time has passed to know the
 * clock's rate. */
static void learn_rate(double ns_per_tick)
{
    double ticks_per_us = 1e3 / ns_per_tick;
    if (stint_clock_is_inline() && stint_clock_wall_ns() > 1000000)
        STINT_I_STORE(&stint_i_ticks_per_us, (uint64_t)(0.99 * ticks_per_us));
}

void stint_scope_report_slow(const struct stint_i_slow_scope *scope, uint32_t id, uint64_t span)
{
    double ns_per_tick = stint_clock_ns_per_tick();
    uint64_t us = (uint64_t)((double)span * ns_per_tick / 1e3);
    learn_rate(ns_per_tick);
    if (us >= scope->threshold_us)
        stint_log(STINT_LOG_INFO, scope->site->file, (int)scope->site->line, "Stat: [%s] %s [Span:%llums%lluus] ",
                  stint_registry_entry(id)->name, scope->info ? scope->info : "", (unsigned long long)(us / 1000),
                  (unsigned long long)(us % 1000));
}
