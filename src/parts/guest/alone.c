/* Calls that the kernel refuses to a process with several threads. A program cannot know that stint has made some: they
 * end for as long as such a call takes. */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/process.h"
#include "guest/guest.h"
#include "runtime/runtime.h"
#include "stint/detail/api.h"

typedef int call_fn(int first, int second);

static call_fn *s_unshare, *s_setns;

/* They may be called in a child of fork, where the dynamic linker must not be used. */
__attribute__((constructor(101))) static void find(void)
{
    void *found = dlsym(RTLD_NEXT, "unshare");
    memcpy(&s_unshare, &found, sizeof s_unshare);
    found = dlsym(RTLD_NEXT, "setns");
    memcpy(&s_setns, &found, sizeof s_setns);
}

int stint_guest_rest(int is_over)
{
    int error = errno;
    int does =
        stint_inject_used()->prepare("modules", &(struct stint_rest_offer){is_over ? STINT_REST_IS_OVER : STINT_REST});
    errno = error;
    return does;
}

/* Another thread of the program is a reason to refuse the call anyway. */
static int call_alone(call_fn *const *call, int first, int second)
{
    static int s_busy;
    if (!*call)
        find();
    stint_guest_drops((uid_t)-1); /* there may be another root folder */
    int result = (*call)(first, second);
    int error = errno;
    if (!result || (error != EINVAL && error != EUSERS) || stint_process_is_confined() ||
        __atomic_exchange_n(&s_busy, 1, __ATOMIC_ACQUIRE))
        return result;
    if (stint_guest_rest(0)) {
        result = (*call)(first, second);
        error = errno;
        (void)stint_guest_rest(1);
    }
    errno = error;
    __atomic_store_n(&s_busy, 0, __ATOMIC_RELEASE);
    return result;
}

STINT_API int unshare(int flags)
{
    return call_alone(&s_unshare, flags, 0);
}

STINT_API int setns(int file, int type)
{
    return call_alone(&s_setns, file, type);
}
