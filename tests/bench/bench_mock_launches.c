/* A loop of launches, for bench_overhead: with a mock of CUPTI that stint uses, or one that has another consumer, which
 * asks for the same and does nothing with it. NVTX's headers do not go together with the mock's. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/cupti.h"
#include "gpu_mock/mock.h"

uint32_t bench_mock_launches(void);
uint32_t bench_mock_launches_alone(void);

uint32_t bench_mock_launches(void)
{
    enum { LAUNCHES = 100000 };
    static const struct mock_kernel kernel = {"kernel", 2000};
    const struct mock_dim one = {1, 1, 1};

    for (int i = 0; i < LAUNCHES; i++)
        (void)cudaLaunchKernel(&kernel, one, one, NULL, 0, NULL);
    return LAUNCHES;
}

/* ------------------------------------------------------------------------------------------------------------ alone */

static void ignore_call(void *context, uint32_t domain, uint32_t id, const void *data)
{
    (void)context, (void)domain, (void)id, (void)data;
}

static void give_buffer(uint8_t **buffer, size_t *size, size_t *records)
{
    *size = 1 << 20;
    *buffer = aligned_alloc(8, *size);
    *records = 0;
}

static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used)
{
    (void)context, (void)stream, (void)size, (void)used;
    free(buffer);
}

static void *find(void *library, const char *name)
{
    void *function = dlsym(library, name);

    if (!function)
        exit(1);
    return function;
}

static void consume(void)
{
    void *library = dlopen(CUPTI, RTLD_NOW);
    struct stint_cupti_subscriber *subscriber;
    struct stint_cupti cupti;

    if (!library)
        exit(1);
#define FIND(member, name)                                                                                             \
    do {                                                                                                               \
        void *found = find(library, name);                                                                             \
        memcpy(&cupti.member, &found, sizeof found);                                                                   \
    } while (0)
    FIND(subscribe, "cuptiSubscribe");
    FIND(enable_callback, "cuptiEnableCallback");
    FIND(activity_register_callbacks, "cuptiActivityRegisterCallbacks");
    FIND(activity_enable, "cuptiActivityEnable");
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
