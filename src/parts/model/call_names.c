/* Sorts CUDA's functions by the beginnings of their names into those that launch, copy, wait or allocate, and those
 * that matter to nobody. */
#include "model/model.h"

#include <string.h>

#include "base/text.h"

/* Returns "LaunchKernel" for cudaLaunchKernel, cuLaunchKernel and __cudaLaunchKernel, which compiled launches call
 * since CUDA 13; "" if it is not a function of CUDA. */
static const char *without_prefix(const char *name)
{
    name += strspn(name, "_");
    if (!stint_begins_with(name, "cu"))
        return "";
    return name + (stint_begins_with(name, "cuda") ? 4 : 2);
}

/* How the names of each kind begin, one kind after the other; docs/overhead.md repeats them. The first beginning that
 * fits counts: LaunchHostFunc queues a function that runs on the host. */
static const char s_beginnings[] =
    "LaunchHostFunc\0"
    "Launch\0"
    "Memcpy 64Memcpy MemPrefetch MemDiscardAndPrefetch\0"
    "Memset 64Memset\0"
    "Malloc MemAlloc 64MemAlloc HostAlloc MemHostAlloc Free MemFree 64MemFree MemMap MemUnmap MemCreate MemRelease "
    "MemSetAccess MemPoolTrim ArrayCreate Array3DCreate MipmappedArrayCreate HostRegister MemHostRegister "
    "HostUnregister MemHostUnregister\0"
    "StreamSynchronize DeviceSynchronize CtxSynchronize EventSynchronize ThreadSynchronize StreamWaitEvent "
    "CtxWaitEvent GreenCtxWaitEvent\0"
    "ModuleLoad ModuleUnload LibraryLoad LibraryUnload LinkComplete InitModule CtxCreate CtxDestroy "
    "DevicePrimaryCtxRetain DevicePrimaryCtxRelease DevicePrimaryCtxReset DeviceReset\0"
    "GraphLaunch GraphUpload GraphInstantiate GraphExecUpdate GraphAdd StreamBeginCapture StreamEndCapture\0";

/* Looks no further than the kind `last`. */
static enum stint_call_kind find(const char *name, enum stint_call_kind last)
{
    const char *at = s_beginnings;
    for (int kind = STINT_CALL_OTHER; kind <= (int)last && *name; kind++, at++)
        for (size_t length; (length = strcspn(at, " ")) > 0; at += length + (at[length] == ' '))
            if (strncmp(name, at, length) == 0)
                return (enum stint_call_kind)kind;
    return STINT_CALL_OTHER;
}

enum stint_call_kind stint_call_kind(const char *name)
{
    return find(without_prefix(name), STINT_CALL_GRAPH);
}

int stint_call_is_launch(const char *name)
{
    name = without_prefix(name);
    return find(name, STINT_CALL_LAUNCH) == STINT_CALL_LAUNCH || stint_begins_with(name, "GraphLaunch");
}

int stint_call_is_driver(const char *name)
{
    name += strspn(name, "_");
    return stint_begins_with(name, "cu") && !stint_begins_with(name, "cuda");
}

int stint_call_is_work(const char *name)
{
    name = without_prefix(name);
    return find(name, STINT_CALL_SET) != STINT_CALL_OTHER || stint_begins_with(name, "GraphLaunch") ||
           stint_begins_with(name, "GraphUpload");
}
