/* Why recording is suspended: the reasons as bits, and what follows from a change. */
#include "record/suspend.h"

#include <errno.h>

#include "base/process.h"
#include "record/part.h"
#include "record/registry.h"

uint32_t stint_suspensions;
int stint_suspend_is_due;

static int s_follows; /* recording follows what the program tells its tools */

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
    uint32_t program = STINT_SUSPENDED_PROGRAM;
    if (before == now)
        return;
    switch_recording();
    if (!before != !now || !(before & ~program) != !(now & ~program))
        stint_parts_at(STINT_AT_SWITCH);
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

void stint_suspend_make_due(void)
{
    __atomic_store_n(&stint_suspend_is_due, 1, __ATOMIC_RELEASE);
}

void stint_suspend_do_due(void)
{
    int error = errno;
    if (__atomic_exchange_n(&stint_suspend_is_due, 0, __ATOMIC_ACQ_REL) && !stint_process_is_confined())
        stint_parts_run(1);
    errno = error;
}
