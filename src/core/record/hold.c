#include "record/hold.h"

#include <errno.h>
#include <stddef.h>

#include "record/registry.h"

uint32_t stint_holds;
int stint_hold_is_due;

static int s_follows; /* recording follows what the program tells its tools */
static void (*s_changed)(void);
static void (*s_due)(void);

/* Like `publish` of the registry: a thread that changed the reasons checks them again after switching, so that the last
 * switch is according to the latest reasons. */
static void switch_recording(void)
{
    uint32_t holds;

    do {
        holds = __atomic_load_n(&stint_holds, __ATOMIC_SEQ_CST);
        stint_registry_set_enabled(!holds);
    } while (holds != __atomic_load_n(&stint_holds, __ATOMIC_SEQ_CST));
}

static void apply(uint32_t before, uint32_t now)
{
    void (*const changed)(void) = __atomic_load_n(&s_changed, __ATOMIC_ACQUIRE);
    uint32_t program = STINT_HOLD_PROGRAM;

    if (before == now)
        return;
    switch_recording();
    if (changed && (!before != !now || !(before & ~program) != !(now & ~program)))
        changed();
}

void stint_hold(uint32_t why, int held)
{
    uint32_t before = held ? __atomic_fetch_or(&stint_holds, why, __ATOMIC_SEQ_CST)
                           : __atomic_fetch_and(&stint_holds, ~why, __ATOMIC_SEQ_CST);

    apply(before, held ? before | why : before & ~why);
}

void stint_hold_nothing(void)
{
    apply(__atomic_exchange_n(&stint_holds, 0, __ATOMIC_SEQ_CST), 0);
}

void stint_hold_follow(void)
{
    __atomic_store_n(&s_follows, 1, __ATOMIC_RELEASE);
    stint_hold(STINT_HOLD_STOPPED, 1);
}

void stint_hold_tell(int started)
{
    if (__atomic_load_n(&s_follows, __ATOMIC_ACQUIRE))
        stint_hold(STINT_HOLD_STOPPED, !started);
}

void stint_hold_on_change(void (*changed)(void))
{
    __atomic_store_n(&s_changed, changed, __ATOMIC_RELEASE);
}

void stint_hold_make_due(void (*act)(void))
{
    s_due = act;
    __atomic_store_n(&stint_hold_is_due, act != NULL, __ATOMIC_RELEASE);
}

void stint_hold_do_due(void)
{
    int error = errno;

    if (__atomic_exchange_n(&stint_hold_is_due, 0, __ATOMIC_ACQ_REL))
        s_due();
    errno = error;
}
