/* Looks up the C library's functions that are wrapped, and times their calls as scopes, without changing anything else
 * that the caller can see. */
#include "osrt/os_call_list.h"

#include <dlfcn.h>
#include <string.h>

#include "inject/inject.h"

#define PLAIN(result, name, shown, parameters, arguments) [STINT_OS_##name] = {#name, #shown},
#define LOCK(name, try, parameters, arguments) OTHER(name)
#define OTHER(name) [STINT_OS_##name] = {#name, #name},

static const struct {
    const char *name;  /* the symbol */
    const char *shown; /* the name in reports */
} s_names[STINT_OS_NUMBERS] = {STINT_OS_CALLS(PLAIN, LOCK, OTHER)[STINT_OS_FUTEX] = {"syscall", "futex"}};

static stint_os_fn *s_real[STINT_OS_NUMBERS];

/* Statistics' ids, by number. Those with the same name have the same id. */
static uint32_t s_ids[STINT_OS_NUMBERS];

/* NULL: nothing is recorded, because the process is just beginning, or because recording could not be started. */
static const struct stint_inject_core *s_core;

/* Constructors of other libraries may call a wrapper before the one below has run. dlsym finds the newest version of a
 * function, as the linker does. */
static stint_os_fn *find(enum stint_os_number number)
{
    void *found = dlsym(RTLD_NEXT, s_names[number].name);
    stint_os_fn *function;

    memcpy(&function, &found, sizeof function);
    __atomic_store_n(&s_real[number], function, __ATOMIC_RELAXED);
    return function;
}

stint_os_fn *stint_os_real(enum stint_os_number number)
{
    stint_os_fn *function = STINT_I_LOAD(&s_real[number]);

    return STINT_I_LIKELY(function != NULL) ? function : find(number);
}

int stint_os_begin(struct stint_os_call *call)
{
    const struct stint_inject_core *core = __atomic_load_n(&s_core, __ATOMIC_ACQUIRE);

    if (!core)
        return 0;
    core->os_call_begin(call);
    return call->start != 0;
}

void stint_os_end(const struct stint_os_call *call, enum stint_os_number number)
{
    s_core->os_call_end(call, &s_ids[number], s_names[number].shown, 0);
}

void stint_os_end_wait(const struct stint_os_call *call, enum stint_os_number number)
{
    s_core->os_call_end(call, &s_ids[number], s_names[number].shown, 1);
}

void stint_os_hide_handler(struct sigaction *seen)
{
    const struct stint_inject_core *core = __atomic_load_n(&s_core, __ATOMIC_ACQUIRE);

    if (core)
        core->hide_handler(seen);
}

/* After the constructor of inject/inject.c. Recording starts here and not with the first call, which may come from a
 * signal handler or from within malloc. The functions are found here for the same reason. */
__attribute__((constructor(102))) static void on_load(void)
{
    for (int number = 0; number < STINT_OS_NUMBERS; number++)
        (void)stint_os_real((enum stint_os_number)number);
    const struct stint_inject_core *core = stint_inject_core();
    if (!core->os_calls_start())
        __atomic_store_n(&s_core, core, __ATOMIC_RELEASE);
}
