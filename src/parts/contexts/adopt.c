/* Finds out for whom a helper thread works: by its name, as PyTorch's threads of backward passes have, or because the
 * program says so. What it does is then recorded in its own tree, below the path of the scope that waits. */
#include "contexts/contexts.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/part.h"
#include "record/registry.h"
#include "record/scope.h"
#include "record/suspend.h"
#include "record/thread.h"
#include "runtime/runtime.h"
#include "stint/adopt.h"
#include "stint/snapshot.h"

enum stint_adopt_rule stint_adopted_work;

/* ------------------------------------------------------------------------------------------------------------ whose */

static int is_autograd(void)
{
    char name[16] = "";
    return !stint_process_was_confined() && prctl(PR_GET_NAME, name, 0, 0, 0) == 0 && stint_is_autograd(name);
}

/* Whether the calling thread's launches are adopted, and by whom. */
enum adopter { UNKNOWN, NOBODY, MAIN_THREAD, LAUNCHING_THREAD };

static enum adopter find_adopter(void)
{
    if (stint_adopted_work == STINT_ADOPT_NOTHING)
        return NOBODY;
    if (is_autograd())
        return LAUNCHING_THREAD;
    return stint_adopted_work == STINT_ADOPT_AUTOGRAD || syscall(SYS_gettid) == getpid() ? NOBODY : MAIN_THREAD;
}

static enum adopter adopter(void)
{
    static STINT_I_THREAD_LOCAL enum adopter tl_adopter __attribute__((tls_model("initial-exec")));
    if (STINT_I_UNLIKELY(tl_adopter == UNKNOWN))
        tl_adopter = find_adopter();
    return tl_adopter;
}

/* -------------------------------------------------------------------------------------------------------------- who */

static struct stint_i_node *innermost_scope(const struct stint_thread_record *record)
{
    struct stint_i_node *node = __atomic_load_n(&record->tree.hot.current, __ATOMIC_ACQUIRE);
    while (node->parent && stint_call_is(node->id))
        node = node->parent;
    return node->parent ? node : NULL;
}

/* Returns the innermost scope of the thread that waits for the calling one, or NULL if it is not known. A backward pass
 * is waited for by the thread that has launched the forward pass. If several such threads are within scopes, it is the
 * main thread if it is one of them; otherwise nobody can tell. Under the lock. */
static struct stint_i_node *find_waiting(enum adopter by)
{
    struct stint_i_node *of_main = NULL, *of_other = NULL;
    uint32_t others = 0;
    int main_launches = 0;
    for (const struct stint_thread_record *record = stint_thread_first(); record; record = record->next) {
        int launches = STINT_I_LOAD(&record->launches);
        struct stint_i_node *node = record == stint_thread_self() ? NULL : innermost_scope(record);
        if (!node || record->role == STINT_THREAD_HELPER)
            continue;
        if (record->role == STINT_THREAD_MAIN) {
            of_main = node;
            main_launches = launches;
        } else if (launches) {
            of_other = node;
            others++;
        }
    }
    if (by == MAIN_THREAD || !others || main_launches)
        return of_main;
    return others == 1 ? of_other : NULL;
}

/* Returns the id of the statistic STINT_ADOPTED, or 0 beyond the limit, which is counted. Inside the guard. */
static uint32_t adopted_id(void)
{
    static uint32_t s_id;
    uint32_t id = __atomic_load_n(&s_id, __ATOMIC_ACQUIRE);
    if (STINT_I_UNLIKELY(!id)) {
        struct stint_name name = stint_registry_name(NULL, STINT_ADOPTED);
        id = stint_registry_id(&name, NULL);
        __atomic_store_n(&s_id, id, __ATOMIC_RELEASE);
    }
    return id;
}

/* Returns the path of work for the node. A thread works for one scope many times in a row. Under the lock. */
static uint32_t path_of_work_for(struct stint_i_node *node, uint32_t id)
{
    static STINT_I_THREAD_LOCAL struct {
        uint32_t around;
        uint32_t path;
    } tl_last __attribute__((tls_model("initial-exec")));
    uint32_t around = STINT_I_LOAD(&node->path);
    if (!around || around != tl_last.around) {
        tl_last.path = stint_path_below(node, id);
        tl_last.around = STINT_I_LOAD(&node->path);
    }
    return tl_last.path;
}

/* Returns the path of the calling thread's work, or STINT_PATH_ROOT. Inside the guard. */
static uint32_t find_path(enum adopter by, uint32_t correlation, stint_adopt_note_fn *note)
{
    uint32_t id = adopted_id(), path = STINT_PATH_ROOT;
    if (!id)
        return STINT_PATH_ROOT;
    stint_registry_lock();
    struct stint_i_node *node = find_waiting(by);
    if (node)
        path = path_of_work_for(node, id);
    if (node && note)
        note(correlation, node);
    stint_registry_unlock();
    return path;
}

/* --------------------------------------------------------------------------------------------------------- launches */

uint32_t stint_adopt_launch(uint32_t correlation, stint_adopt_note_fn *note)
{
    enum adopter by = adopter();
    uint32_t path;
    if (STINT_I_LIKELY(by == NOBODY) || !stint_registry_enabled() || !stint_guard_begin())
        return STINT_PATH_ROOT;
    path = find_path(by, correlation, note);
    stint_guard_end();
    return path;
}

/* ----------------------------------------------------------------------------------------------------------- scopes */

/* Returns the thread's own node of that path, or NULL if there is no room. Does not recurse, because paths may be
 * longer than a thread's stack. The nodes around it do not run on this thread: their `start` is 0. */
static struct stint_i_node *node_of(struct stint_tree *tree, uint32_t path)
{
    struct stint_i_node *node = tree->root;
    uint32_t chain[64];
    for (uint32_t done = STINT_PATH_ROOT; node && done != path;) {
        size_t room = sizeof chain / sizeof chain[0], height = 0;
        for (uint32_t at = path; at != done; at = stint_path_at(at).parent)
            chain[height++ % room] = at;
        for (size_t i = 0; node && i < height && i < room; i++) {
            done = chain[(height - 1 - i) % room];
            node = stint_tree_child(tree, node, stint_path_at(done).id);
        }
    }
    return node;
}

static void begin_helping(struct stint_thread_record *record, int is_call)
{
    if (record->tree.hot.current != record->tree.root)
        return;
    uint32_t path = find_path(adopter(), 0, NULL);
    if (path == STINT_PATH_ROOT || path == STINT_PATH_NONE)
        return;
    record->adopted = node_of(&record->tree, path);
    if (record->adopted && is_call)
        stint_i_set_current(&record->tree.hot, record->adopted);
    else if (record->adopted)
        stint_scope_begin(&record->tree.hot, record->adopted);
}

static void end_helping(struct stint_thread_record *record, uint64_t now)
{
    struct stint_i_node *node = record->adopted;
    uint64_t span;
    if (record->tree.hot.current != node)
        return;
    if (node->start)
        (void)stint_scope_end(node, now, &span);
    stint_i_set_current(&record->tree.hot, record->tree.root);
    record->adopted = NULL;
}

/* Makes the calling thread a helper if the rule says so. */
static void begin_thread(struct stint_thread_record *record)
{
    static const struct stint_helping helping = {begin_helping, end_helping};
    if (record->role == STINT_THREAD_MAIN)
        return;
    if (stint_adopted_work == STINT_ADOPT_ALL || adopter() == LAUNCHING_THREAD) {
        STINT_I_STORE(&stint_helping, &helping);
        record->role = STINT_THREAD_HELPER;
    }
}

static void start(void)
{
    stint_adopted_work = stint_adopt_rule_asked();
}

STINT_PART(contexts) = {
    .name = "contexts",
    .at[STINT_AT_START] = start,
    .thread_begins = begin_thread,
    .attach = stint_os_calls_attach,
};

/* ------------------------------------------------------------------------------------------------------- on request */

/* Inside the guard. */
static enum stint_status enter(uint32_t path, struct stint_i_node **node)
{
    struct stint_thread_record *record = stint_thread_acquire();
    uint32_t id = adopted_id();
    if (!record || !id)
        return stint_last_dropped();
    stint_scope_catch_up(record);
    if (record->tree.hot.current != record->tree.root)
        return STINT_OK;
    struct stint_i_node *around = node_of(&record->tree, path);
    *node = around ? stint_tree_child(&record->tree, around, id) : NULL;
    if (!*node)
        return stint_last_dropped();
    stint_scope_begin(&record->tree.hot, *node);
    return STINT_OK;
}

enum stint_status stint_adopt_enter(uint32_t path, struct stint_i_node **node)
{
    enum stint_status status;
    *node = NULL;
    if (stint_path_at(path).parent == STINT_PATH_NONE)
        return STINT_ERROR_INVALID_ARGUMENT;
    stint_suspend_check_due();
    if (!stint_registry_enabled())
        return STINT_OK;
    if (!stint_guard_begin()) {
        stint_count_dropped(&stint_dropped.reentrant);
        return STINT_ERROR_BUSY;
    }
    status = enter(path, node);
    stint_guard_end();
    return status;
}

enum stint_status stint_adopt_leave(struct stint_i_node *node)
{
    uint64_t span;
    if (!stint_scope_end(node, stint_clock_ticks(), &span))
        return STINT_ERROR_NOT_STARTED;
    stint_i_set_current(stint_i_self, stint_thread_self()->tree.root);
    return STINT_OK;
}

struct stint_token stint_token_take(void)
{
    uint32_t path = stint_path_current();
    return (struct stint_token){path == STINT_PATH_ROOT ? STINT_PATH_NONE : path};
}

enum stint_status stint_adopt_begin(struct stint_adoption *adoption, struct stint_token token)
{
    enum stint_status status = stint_runtime_start();
    if (!adoption)
        return STINT_ERROR_INVALID_ARGUMENT;
    adoption->node = NULL;
    if (status || token.context == STINT_PATH_NONE)
        return status;
    return stint_adopt_enter(token.context, &adoption->node);
}

enum stint_status stint_adopt_end(struct stint_adoption *adoption)
{
    struct stint_i_node *node;
    if (!adoption)
        return STINT_ERROR_INVALID_ARGUMENT;
    node = adoption->node;
    adoption->node = NULL;
    return node ? stint_adopt_leave(node) : STINT_OK;
}
