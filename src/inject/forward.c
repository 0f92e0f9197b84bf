/* Which function stands for which callback; and the events of the default domain. */
#include "inject/forward.h"

#include "inject/handle.h"
#include "stint/detail/record.h"

struct stint_forward stint_forward_core_links[STINT_FORWARD_CALLBACKS];

/* The same for every image but the first, which may be attached at the same time. */
static stint_nvtx_any_fn *forward(struct stint_forward *links, const struct stint_nvtx_call *calls, unsigned callback,
                                  const struct stint_forward *both)
{
    for (; calls->function; ++calls) {
        if (calls->callback != callback)
            continue;
        if (!STINT_I_LOAD(&links[callback].ours)) {
            STINT_I_STORE(&links[callback].theirs, both->theirs);
            STINT_I_STORE(&links[callback].ours, both->ours);
        }
        return calls->function;
    }
    return both->ours;
}

stint_nvtx_any_fn *stint_forward_core(int module, unsigned callback, stint_nvtx_any_fn *ours, stint_nvtx_any_fn *theirs)
{
    const struct stint_forward both = {ours, theirs};

    switch (module) {
    case STINT_NVTX_CORE:
        return forward(stint_forward_core_links, stint_forward_core_calls, callback, &both);
    case STINT_NVTX_CORE2:
        return forward(stint_forward_core2_links, stint_forward_core2_calls, callback, &both);
    case STINT_NVTX_CUDA:
        return forward(stint_forward_cuda_links, stint_forward_cuda_calls, callback, &both);
    case STINT_NVTX_CUDART:
        return forward(stint_forward_cudart_links, stint_forward_cudart_calls, callback, &both);
    default:
        return ours;
    }
}

stint_nvtx_any_fn *stint_forward_extension(unsigned module, unsigned callback, stint_nvtx_any_fn *ours,
                                           stint_nvtx_any_fn *theirs)
{
    const struct stint_forward both = {ours, theirs};

    if (module == STINT_NVTX_PAYLOAD_MODULE)
        return forward(stint_forward_payload_links, stint_forward_payload_calls, callback, &both);
    if (module == STINT_NVTX_COUNTER_MODULE)
        return forward(stint_forward_counter_links, stint_forward_counter_calls, callback, &both);
    return ours;
}

/* ------------------------------------------------------------------------------------------------------- push and pop */

static int push_ex(const struct stint_nvtx_attributes *attributes)
{
    struct stint_handle_attributes split;
    int level;

    stint_handle_split_attributes(&split, attributes);
    level = CALL(theirs, core, RANGE_PUSH_EX, int, (const struct stint_nvtx_attributes *), (split.theirs));
    (void)CALL(ours, core, RANGE_PUSH_EX, int, (const struct stint_nvtx_attributes *), (split.ours));
    return level;
}

static int push_text(const char *text)
{
    const int level = CALL(theirs, core, RANGE_PUSH_A, int, (const char *), (text));

    (void)CALL(ours, core, RANGE_PUSH_A, int, (const char *), (text));
    return level;
}

static int push_wide(const wchar_t *text)
{
    const int level = CALL(theirs, core, RANGE_PUSH_W, int, (const wchar_t *), (text));

    (void)CALL(ours, core, RANGE_PUSH_W, int, (const wchar_t *), (text));
    return level;
}

static int pop(void)
{
    (void)CALL(ours, core, RANGE_POP, int, (void), ());
    return CALL(theirs, core, RANGE_POP, int, (void), ());
}

/* ------------------------------------------------------------------------------------------------------ start and end */

static uint64_t start_ex(const struct stint_nvtx_attributes *attributes)
{
    struct stint_handle_attributes split;
    uint64_t theirs;

    stint_handle_split_attributes(&split, attributes);
    theirs = CALL(theirs, core, RANGE_START_EX, uint64_t, (const struct stint_nvtx_attributes *), (split.theirs));
    return stint_handle_join_range(
        CALL(ours, core, RANGE_START_EX, uint64_t, (const struct stint_nvtx_attributes *), (split.ours)), theirs);
}

static uint64_t start_text(const char *text)
{
    const uint64_t theirs = CALL(theirs, core, RANGE_START_A, uint64_t, (const char *), (text));

    return stint_handle_join_range(CALL(ours, core, RANGE_START_A, uint64_t, (const char *), (text)), theirs);
}

static uint64_t start_wide(const wchar_t *text)
{
    const uint64_t theirs = CALL(theirs, core, RANGE_START_W, uint64_t, (const wchar_t *), (text));

    return stint_handle_join_range(CALL(ours, core, RANGE_START_W, uint64_t, (const wchar_t *), (text)), theirs);
}

static void end(uint64_t range)
{
    const struct stint_handle_range split = stint_handle_split_range(range);

    CALL(ours, core, RANGE_END, void, (uint64_t), (split.ours));
    CALL(theirs, core, RANGE_END, void, (uint64_t), (split.theirs));
}

/* ---------------------------------------------------------------------------------------------------- marks and names */

static void mark_ex(const struct stint_nvtx_attributes *attributes)
{
    struct stint_handle_attributes split;

    stint_handle_split_attributes(&split, attributes);
    CALL(theirs, core, MARK_EX, void, (const struct stint_nvtx_attributes *), (split.theirs));
    CALL(ours, core, MARK_EX, void, (const struct stint_nvtx_attributes *), (split.ours));
}

BOTH(mark_text, core, MARK_A, (const char *text), (text))
BOTH(mark_wide, core, MARK_W, (const wchar_t *text), (text))
BOTH(name_category, core, NAME_CATEGORY_A, (uint32_t category, const char *name), (category, name))
BOTH(name_category_wide, core, NAME_CATEGORY_W, (uint32_t category, const wchar_t *name), (category, name))
BOTH(name_thread, core, NAME_OS_THREAD_A, (uint32_t thread, const char *name), (thread, name))
BOTH(name_thread_wide, core, NAME_OS_THREAD_W, (uint32_t thread, const wchar_t *name), (thread, name))

const struct stint_nvtx_call stint_forward_core_calls[] = {
    ENTRY(MARK_EX, mark_ex),
    ENTRY(MARK_A, mark_text),
    ENTRY(MARK_W, mark_wide),
    ENTRY(RANGE_START_EX, start_ex),
    ENTRY(RANGE_START_A, start_text),
    ENTRY(RANGE_START_W, start_wide),
    ENTRY(RANGE_END, end),
    ENTRY(RANGE_PUSH_EX, push_ex),
    ENTRY(RANGE_PUSH_A, push_text),
    ENTRY(RANGE_PUSH_W, push_wide),
    ENTRY(RANGE_POP, pop),
    ENTRY(NAME_CATEGORY_A, name_category),
    ENTRY(NAME_CATEGORY_W, name_category_wide),
    ENTRY(NAME_OS_THREAD_A, name_thread),
    ENTRY(NAME_OS_THREAD_W, name_thread_wide),
    {0, NULL},
};
