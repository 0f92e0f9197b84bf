/* Turns calls that wait for a device, a stream or an event into waits in the ledger. A table says which functions these
 * are, and whether their first parameter is the stream. */
#include "gpu/wait_calls.h"

#include <string.h>

#include "gpu/ledger.h"
#include "gpu/told_call.h"

static const struct wait_call {
    char name[24];
    uint8_t wait;      /* enum stint_gpu_wait */
    uint8_t on_stream; /* the first parameter is a stream */
} s_calls[] = {
    {"cuStreamSynchronize", STINT_GPU_WAIT_STREAM, 1},       {"cuEventSynchronize", STINT_GPU_WAIT_EVENT, 0},
    {"cuCtxSynchronize", STINT_GPU_WAIT_CONTEXT, 0},         {"cuStreamWaitEvent", STINT_GPU_WAIT_STREAM_EVENT, 1},
    {"cudaStreamSynchronize", STINT_GPU_WAIT_STREAM, 1},     {"cudaEventSynchronize", STINT_GPU_WAIT_EVENT, 0},
    {"cudaDeviceSynchronize", STINT_GPU_WAIT_CONTEXT, 0},    {"cudaThreadSynchronize", STINT_GPU_WAIT_CONTEXT, 0},
    {"cudaStreamWaitEvent", STINT_GPU_WAIT_STREAM_EVENT, 1},
};

enum { CALLS = sizeof s_calls / sizeof s_calls[0] };

static const struct wait_call *find(const char *name)
{
    for (int i = 0; i < CALLS; i++)
        if (stint_told_is(name, s_calls[i].name))
            return &s_calls[i];
    return NULL;
}

int stint_wait_call(const char *name)
{
    return find(name) != NULL;
}

/* As records of work name it; the driver numbers streams differently. For calls whose names end in "_ptsz", no stream
 * is the thread's own. */
static uint32_t stream_of(const struct stint_cupti *cupti, const struct stint_cupti_call *call)
{
    void *stream;
    uint32_t id = 0;

    memcpy(&stream, call->parameters, sizeof stream);
    if (!cupti->get_stream_id || cupti->get_stream_id(NULL, stream, strstr(call->function, "_ptsz") != NULL, &id))
        return 0;
    return id;
}

static void tell(const struct stint_cupti *cupti, const struct wait_call *wait, uint64_t end,
                 const struct stint_cupti_call *call)
{
    struct stint_activity activity = {
        .kind = STINT_GPU_SYNC,
        .what = wait->wait,
        .start = *call->shared,
        .end = end,
        .correlation = call->correlation,
        .device = stint_told_device(),
        .context = call->context_id,
        .stream = wait->on_stream ? stream_of(cupti, call) : 0,
    };

    stint_ledger_lock();
    stint_ledger_add(&activity);
    stint_ledger_unlock();
}

void stint_wait_note(const struct stint_cupti *cupti, const struct stint_cupti_call *call)
{
    static STINT_I_THREAD_LOCAL uint32_t tl_told __attribute__((tls_model("initial-exec")));
    uint64_t now = 0;

    if (cupti->get_timestamp(&now))
        now = 0;
    if (call->site == STINT_CUPTI_ENTER) {
        *call->shared = now;
        return;
    }
    const struct wait_call *wait = find(call->function);
    if (wait && *call->shared && !stint_told_again(&tl_told, call->correlation))
        tell(cupti, wait, now, call);
}
