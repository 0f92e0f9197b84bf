/* A loop of launches, for bench_overhead: with a mock of CUPTI that stint uses, or one that has another consumer, which
 * asks for the same and does nothing with it. NVTX's headers do not go together with the mock's. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/collector.h"
#include "gpu/cupti.h"
#include "gpu_mock/mock.h"

uint32_t bench_mock_launches(void);
uint32_t bench_mock_launches_alone(void);

static void *find(void *library, const char *name)
{
    void *function = library ? dlsym(library, name) : NULL;
    if (!function)
        exit(1);
    return function;
}

#define FIND(library, member, name)                                                                                    \
    do {                                                                                                               \
        void *found = find(library, name);                                                                             \
        memcpy(&(member), &found, sizeof found);                                                                       \
    } while (0)

/* The time in which records are taken apart belongs to the launches. */
static void flush(void)
{
    int (*flush_all)(uint32_t flag);

    FIND(dlopen(CUPTI, RTLD_NOW), flush_all, "cuptiActivityFlushAll");
    (void)cudaDeviceSynchronize();
    (void)flush_all(0);
}

uint32_t bench_mock_launches(void)
{
    enum { LAUNCHES = 500000 };
    static const struct mock_kernel kernel = {"kernel", 100};
    const struct mock_dim one = {1, 1, 1};

    for (int i = 0; i < LAUNCHES; i++)
        (void)cudaLaunchKernel(&kernel, one, one, NULL, 0, NULL);
    flush();
    return LAUNCHES;
}

/* ------------------------------------------------------------------------------------------------------------ alone */

static void ignore_call(void *context, uint32_t domain, uint32_t id, const void *data)
{
    (void)context, (void)domain, (void)id, (void)data;
}

static void give_buffer(uint8_t **buffer, size_t *size, size_t *records)
{
    *size = STINT_BUFFER_SIZE;
    *buffer = aligned_alloc(8, *size);
    *records = 0;
}

static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used)
{
    (void)context, (void)stream, (void)size, (void)used;
    free(buffer);
}

static void consume(void)
{
    void *library = dlopen(CUPTI, RTLD_NOW);
    struct stint_cupti_subscriber *subscriber;
    struct stint_cupti cupti;
    FIND(library, cupti.subscribe, "cuptiSubscribe");
    FIND(library, cupti.enable_callback, "cuptiEnableCallback");
    FIND(library, cupti.activity_register_callbacks, "cuptiActivityRegisterCallbacks");
    FIND(library, cupti.activity_enable, "cuptiActivityEnable");
    if (cupti.subscribe(&subscriber, ignore_call, NULL) ||
        cupti.enable_callback(1, subscriber, STINT_CUPTI_DOMAIN_DRIVER, 307 /* cuLaunchKernel */) ||
        cupti.activity_register_callbacks(give_buffer, take_buffer) ||
        cupti.activity_enable(STINT_CUPTI_KIND_CONCURRENT_KERNEL))
        exit(1);
}

uint32_t bench_mock_launches_alone(void)
{
    consume();
    return bench_mock_launches();
}
