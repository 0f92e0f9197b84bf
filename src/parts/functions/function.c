/* What becomes of an address that a hook meets for the first time: its object is found, its name is looked up
 * and made readable, and the user's patterns decide whether it is recorded. Afterwards the hook finds the
 * answer without a lock. */
#include "functions/function.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cxxabi/cxxabi.h"
#include "functions/object.h"
#include "support/keyed_table.h"

enum { FIRST_BITS = 10, FALLBACK_SIZE = 320 };

struct stint_function_table *stint_function_table;
struct stint_left_out stint_left_out[STINT_LEFT_OUT_SLOTS];
int stint_function_judging;

static struct {
    pthread_mutex_t lock;
    struct stint_arena arena;
    size_t used;              /* used slots of the table, including those of forgotten functions */
    struct stint_table names; /* const char * */
    int started;
    const char *patterns;
    stint_cxxabi_fn *demangle;
} s_functions = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ------------------------------------------------------------------------------------------------------------- lock */

/* Set from before a fork until after it: this thread has the lock. */
static STINT_I_THREAD_LOCAL int tl_forking __attribute__((tls_model("initial-exec")));

static void lock(void)
{
    if (!tl_forking)
        pthread_mutex_lock(&s_functions.lock);
}

static void unlock(void)
{
    if (!tl_forking)
        pthread_mutex_unlock(&s_functions.lock);
}

void stint_function_before_fork(void)
{
    pthread_mutex_lock(&s_functions.lock);
    tl_forking = 1;
}

void stint_function_after_fork(void)
{
    tl_forking = 0;
    pthread_mutex_unlock(&s_functions.lock);
}

/* ------------------------------------------------------------------------------------------------------------ table */

static struct stint_function_table *new_table(unsigned bits)
{
    size_t slots = (size_t)1 << bits;
    struct stint_function_table *table = stint_arena_alloc(&s_functions.arena, sizeof *table + slots * sizeof(void *));
    if (!table)
        return NULL;
    table->shift = 64 - bits;
    table->mask = slots - 1;
    return table;
}

/* Returns the slot for a new function with this address: a free slot, or that of a forgotten function. */
static struct stint_function **place_for(struct stint_function_table *table, uintptr_t address)
{
    size_t at = stint_function_slot(table, address);
    while (table->slots[at] && table->slots[at]->address)
        at = (at + 1) & table->mask;
    return &table->slots[at];
}

static size_t copy_table(struct stint_function_table *to, const struct stint_function_table *from)
{
    size_t count = 0;
    for (size_t i = 0; i <= from->mask; i++) {
        struct stint_function *function = from->slots[i];
        if (function && function->address) {
            *place_for(to, function->address) = function;
            count++;
        }
    }
    return count;
}

/* Makes room for one more function. The old table is not freed, because other threads may be reading it. */
static int make_room(void)
{
    struct stint_function_table *old = stint_function_table, *table;
    if (old && s_functions.used <= old->mask / 8)
        return 0;
    table = new_table(old ? 64 - old->shift + 1 : FIRST_BITS);
    if (!table)
        return -1;
    s_functions.used = old ? copy_table(table, old) : 0;
    __atomic_store_n(&stint_function_table, table, __ATOMIC_RELEASE);
    return 0;
}

static void keep_left_out(const struct stint_function *function)
{
    size_t slot = stint_left_out_slot(function->address);
    struct stint_left_out *free_one = &stint_left_out[stint_left_out[slot].address ? slot ^ 1 : slot];
    if (free_one->address)
        return;
    free_one->kind = function->kind;
    __atomic_store_n(&free_one->address, function->address, __ATOMIC_RELEASE);
}

static void forget(struct stint_function *function)
{
    struct stint_left_out *left_out = stint_left_out_find(function->address);
    if (left_out)
        __atomic_store_n(&left_out->address, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&function->address, 0, __ATOMIC_RELEASE);
}

static struct stint_function *add(const struct stint_function *described)
{
    struct stint_function *function;
    if (make_room())
        return NULL;
    struct stint_function **place = place_for(stint_function_table, described->address);
    function = *place ? *place : stint_arena_alloc(&s_functions.arena, sizeof *function);
    if (!function)
        return NULL;
    function->site = described->site;
    function->name = described->name;
    function->kind = described->kind;
    function->seen = function->judge_at = 0;
    function->object = described->object;
    __atomic_store_n(&function->address, described->address, __ATOMIC_RELEASE);
    if (!*place) {
        s_functions.used++;
        __atomic_store_n(place, function, __ATOMIC_RELEASE);
    }
    if (function->kind != STINT_FUNCTION_RECORDED)
        keep_left_out(function);
    return function;
}

/* ------------------------------------------------------------------------------------------------------------ names */

/* Returns a permanent copy, the same for equal names, so that an object that is loaded again takes no more memory. */
static const char *keep_name(const char *name)
{
    static const struct stint_table_key key = STINT_TABLE_KEY_WHOLE_COPYING(const char *);
    const char **row = stint_table_take(&s_functions.names, &key, &s_functions.arena, &name);
    return row ? *row : NULL;
}

/* Looks for the demangler in the function's own object, and in a C++ runtime library that was loaded later than this
 * library. */
static void find_demangler(struct stint_object *object, const struct stint_loaded *runtime)
{
    uintptr_t address = stint_object_demangler(object);
    if (!address && runtime->path) {
        struct stint_object *library = stint_object_of(runtime);
        address = library ? stint_object_demangler(library) : 0;
    }
    memcpy(&s_functions.demangle, &address, sizeof address); /* ISO C has no cast to a function */
}

static const char *readable_name(const char *name)
{
    char *demangled = NULL;
    if (stint_is_mangled(name) && s_functions.demangle)
        demangled = stint_cxxabi_demangle(s_functions.demangle, name);
    const char *kept = keep_name(demangled ? demangled : name);
    free(demangled);
    return kept;
}

static const char *name_of(const struct stint_object *object, uintptr_t address)
{
    const char *symbol = object ? stint_object_function_at(object, address) : NULL;
    char fallback[FALLBACK_SIZE];
    if (symbol)
        return readable_name(symbol);
    if (object)
        snprintf(fallback, sizeof fallback, "%.256s+0x%llx", stint_object_name(object),
                 (unsigned long long)stint_object_offset(object, address));
    else
        snprintf(fallback, sizeof fallback, "0x%llx", (unsigned long long)address);
    return keep_name(fallback);
}

/* ----------------------------------------------------------------------------------------------------------- forget */

static void forget_gone(void)
{
    const struct stint_function_table *table = stint_function_table;
    for (size_t i = 0; table && i <= table->mask; i++) {
        struct stint_function *function = table->slots[i];
        if (function && function->address && (!function->object || stint_object_is_gone(function->object)))
            forget(function);
    }
    stint_objects_sweep();
    s_functions.demangle = stint_cxxabi(); /* the old one may have been in an object that is gone */
}

/* ------------------------------------------------------------------------------------------------------------ learn */

/* Whether it is an inline function of stint's own headers: the scope that it makes is recorded anyway. */
static int is_own(const char *name)
{
    return strncmp(name, "stint_i_", 8) == 0 || strncmp(name, "stint::", 7) == 0;
}

static void start(void)
{
    const char *patterns = secure_getenv("STINT_FUNCTIONS");
    s_functions.started = 1;
    s_functions.demangle = stint_cxxabi();
    if (patterns) /* a copy, since the program may change its environment */
        s_functions.patterns = stint_arena_copy(&s_functions.arena, patterns, strlen(patterns));
    STINT_I_STORE(&stint_function_judging, !stint_filter_has_all(s_functions.patterns));
}

static enum stint_function_kind kind_of(const char *object, const char *name)
{
    if (is_own(name))
        return STINT_FUNCTION_OWN;
    return stint_filter_accepts(s_functions.patterns, object, name) ? STINT_FUNCTION_RECORDED : STINT_FUNCTION_EXCLUDED;
}

static struct stint_function *describe_and_add(uintptr_t address, const struct stint_object *object)
{
    const char *name = name_of(object, address);
    const char *object_name = keep_name(object ? stint_object_name(object) : "");
    if (!name || !object_name)
        return NULL;
    return add(&(struct stint_function){
        .address = address,
        .site = {object_name, name, 0, 0},
        .name = name,
        .kind = kind_of(object_name, name),
        .object = object,
    });
}

/* Whether the function's name needs a demangler, and none is known yet. */
static int lacks_demangler(const struct stint_object *object, uintptr_t address)
{
    const char *symbol = object && !s_functions.demangle ? stint_object_function_at(object, address) : NULL;
    return symbol && stint_is_mangled(symbol);
}

/* Adds the function, unless another thread has added it. If `runtime` is NULL, the loader has not been asked for the
 * C++ runtime library yet; if that is needed for the name, nothing is added. Returns whether it is needed. */
static int try_to_add(uintptr_t address, const struct stint_loaded *loaded, const struct stint_loaded *runtime,
                      struct stint_function **function)
{
    struct stint_object *object;
    int is_lacking = 0;
    lock();
    if (!s_functions.started)
        start();
    if (loaded->path && stint_objects_mark_gone(loaded))
        forget_gone();
    *function = stint_function_find(address);
    if (!*function) {
        object = loaded->path ? stint_object_of(loaded) : NULL;
        if (runtime && lacks_demangler(object, address))
            find_demangler(object, runtime);
        is_lacking = !runtime && lacks_demangler(object, address);
        if (!is_lacking)
            *function = describe_and_add(address, object);
    }
    unlock();
    return is_lacking;
}

/* The loader is asked without holding the lock. */
struct stint_function *stint_function_learn(uintptr_t address)
{
    struct stint_loaded loaded = stint_loaded_at(address);
    struct stint_function *function;
    if (try_to_add(address, &loaded, NULL, &function)) {
        struct stint_loaded runtime = stint_loaded_cpp_runtime();
        (void)try_to_add(address, &loaded, &runtime, &function);
    }
    return function;
}

int stint_function_leave_out(struct stint_function *function)
{
    lock();
    int is_new = function->kind == STINT_FUNCTION_RECORDED;
    STINT_I_STORE(&function->kind, STINT_FUNCTION_TINY);
    if (is_new)
        keep_left_out(function);
    unlock();
    return is_new;
}

int stint_function_to_measure(uintptr_t address, enum stint_function_kind kind)
{
    struct stint_function *function = NULL;
    lock();
    if (s_functions.started)
        function = stint_function_find(address);
    if (s_functions.started && !function)
        function = add(&(struct stint_function){.address = address, .name = "", .kind = kind});
    unlock();
    return function ? 0 : -1;
}

/* Forgets the object that began at `start`, unless the loader says that it is still there. */
static void forget_unless_loaded(uintptr_t start)
{
    struct stint_loaded loaded = stint_loaded_at(start);
    if (!loaded.path) {
        loaded.start = start;
        loaded.end = start + 1;
    }
    lock();
    if (stint_objects_mark_gone(&loaded))
        forget_gone();
    unlock();
}

static uintptr_t start_of_object(size_t position)
{
    lock();
    uintptr_t start = stint_object_start(position);
    unlock();
    return start;
}

/* From the last object to the first, so that no object moves to a position that has not been visited. */
void stint_function_forget_unloaded(void)
{
    size_t count = 0;
    while (start_of_object(count))
        count++;
    while (count--) {
        uintptr_t start = start_of_object(count);
        if (start)
            forget_unless_loaded(start);
    }
}
