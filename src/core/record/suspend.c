#include "record/suspend.h"

#include <errno.h>
#include <stddef.h>

#include "record/registry.h"

uint32_t stint_suspensions;
int stint_suspend_is_due;

static int s_follows; /* recording follows what the program tells its tools */
static void (*s_changed)(void);
static void (*s_due)(void);

/* Like `publish` of the registry: a thread that changed the reasons checks them again after switching, so that the last
 * switch is according to the latest reasons. */
static void switch_recording(void)
{
    uint32_t suspensions;

    do {
        suspensions = __atomic_load_n(&stint_suspensions, __ATOMIC_SEQ_CST);
        stint_registry_set_enabled(!suspensions);
    } while (suspensions != __atomic_load_n(&stint_suspensions, __ATOMIC_SEQ_CST));
}

static void apply(uint32_t before, uint32_t now)
{
    void (*const changed)(void) = __atomic_load_n(&s_changed, __ATOMIC_ACQUIRE);
    uint32_t program = STINT_SUSPENDED_PROGRAM;

    if (before == now)
        return;
    switch_recording();
    if (changed && (!before != !now || !(before & ~program) != !(now & ~program)))
        changed();
}

void stint_suspend(uint32_t why, int is_suspended)
{
    uint32_t before = is_suspended ? __atomic_fetch_or(&stint_suspensions, why, __ATOMIC_SEQ_CST)
                                   : __atomic_fetch_and(&stint_suspensions, ~why, __ATOMIC_SEQ_CST);

    apply(before, is_suspended ? before | why : before & ~why);
}

void stint_resume(void)
{
    apply(__atomic_exchange_n(&stint_suspensions, 0, __ATOMIC_SEQ_CST), 0);
}

void stint_suspend_follow(void)
{
    __atomic_store_n(&s_follows, 1, __ATOMIC_RELEASE);
    stint_suspend(STINT_SUSPENDED_STOPPED, 1);
}

void stint_suspend_tell(int started)
{
    if (__atomic_load_n(&s_follows, __ATOMIC_ACQUIRE))
        stint_suspend(STINT_SUSPENDED_STOPPED, !started);
}

void stint_suspend_on_change(void (*changed)(void))
{
    __atomic_store_n(&s_changed, changed, __ATOMIC_RELEASE);
}

void stint_suspend_make_due(void (*act)(void))
{
    s_due = act;
    __atomic_store_n(&stint_suspend_is_due, act != NULL, __ATOMIC_RELEASE);
}

void stint_suspend_do_due(void)
{
    int error = errno;

    if (__atomic_exchange_n(&stint_suspend_is_due, 0, __ATOMIC_ACQ_REL))
        s_due();
    errno = error;
}
