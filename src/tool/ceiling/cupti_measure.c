/* Times launches and queries without and with CUPTI; the difference is what CUPTI costs. It talks to CUPTI itself, so
 * that nothing of stint's is part of the result. */
#include "ceiling/ceilings.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "ceiling/ceiling_driver.h"

/* So many launches between two waits that CUPTI hands over buffers meanwhile: what that takes is part of the cost. */
enum { LAUNCHES = 5000, QUERIES = 20000, BATCHES = 8 };

/* CUPTI's names of these: CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL. */
enum { DRIVER_CALLS = 1, KERNELS = 10 };

enum { BUFFER_SIZE = 1 << 20, BUFFER_ALIGNMENT = 8 };

static const char s_empty[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry empty()\n{\nret;\n}\n";

struct cupti {
    int (*subscribe)(void **subscriber, void (*callback)(void *user, int domain, uint32_t id, const void *data),
                     void *user);
    int (*report)(uint32_t enable, void *subscriber, int domain);
    int (*take_buffers)(void (*request)(uint8_t **buffer, size_t *size, size_t *records),
                        void (*done)(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used));
    int (*record)(int kind);
};

struct bench {
    struct stint_cuda cuda;
    void *kernel, *event;
    int failed;
};

typedef void batch_fn(struct bench *bench);

/* ------------------------------------------------------------------------------------------------------------ batch */

static void launch(struct bench *bench)
{
    const struct stint_cuda *cuda = &bench->cuda;
    for (int i = 0; i < LAUNCHES; i++)
        bench->failed |= cuda->launch(bench->kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    bench->failed |= cuda->record(bench->event, NULL);
    bench->failed |= cuda->wait(bench->event);
}

static void query(struct bench *bench)
{
    int device;
    for (int i = 0; i < QUERIES; i++)
        bench->failed |= bench->cuda.device(&device);
}

static double cpu_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* Returns the mean of a launch or query. The first batch warms up. */
static double each_ns(struct bench *bench, batch_fn *batch, int size)
{
    batch(bench);
    double before = cpu_ns();
    for (int i = 0; i < BATCHES; i++)
        batch(bench);
    return (cpu_ns() - before) / BATCHES / size;
}

static struct stint_cupti_cost measure(struct bench *bench)
{
    return (struct stint_cupti_cost){.kernel_ns = each_ns(bench, launch, LAUNCHES),
                                     .call_ns = each_ns(bench, query, QUERIES)};
}

/* ------------------------------------------------------------------------------------------------------------ CUPTI */

static void ignore(void *user, int domain, uint32_t id, const void *data)
{
    (void)user;
    (void)domain;
    (void)id;
    (void)data;
}

static void give_buffer(uint8_t **buffer, size_t *size, size_t *records)
{
    *buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER_SIZE);
    *size = *buffer ? BUFFER_SIZE : 0;
    *records = 0;
}

static void free_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used)
{
    (void)context;
    (void)stream;
    (void)size;
    (void)used;
    free(buffer);
}

/* Returns NULL, or what failed. */
static const char *start_cupti(const char *path)
{
    static const struct stint_ceiling_function functions[] = {
        {offsetof(struct cupti, subscribe), "cuptiSubscribe"},
        {offsetof(struct cupti, report), "cuptiEnableDomain"},
        {offsetof(struct cupti, take_buffers), "cuptiActivityRegisterCallbacks"},
        {offsetof(struct cupti, record), "cuptiActivityEnable"},
    };
    struct cupti cupti;
    void *subscriber;
    const char *missing = stint_ceiling_library_open(path, functions, sizeof functions / sizeof functions[0], &cupti);
    if (missing)
        return missing;
    if (cupti.subscribe(&subscriber, ignore, NULL))
        return "cuptiSubscribe";
    if (cupti.report(1, subscriber, DRIVER_CALLS))
        return "cuptiEnableDomain";
    return cupti.take_buffers(give_buffer, free_buffer) || cupti.record(KERNELS) ? "cuptiActivityEnable" : NULL;
}

/* ---------------------------------------------------------------------------------------------------------- measure */

static int prepare(struct bench *bench)
{
    const struct stint_cuda *cuda = &bench->cuda;
    void *context, *module;
    return stint_cuda_open(&bench->cuda) || cuda->init(0) || cuda->retain(&context, 0) || cuda->push(context) ||
           cuda->load(&module, s_empty) || cuda->function(&bench->kernel, module, "empty") ||
           cuda->make_event(&bench->event, 0);
}

const char *stint_cupti_measure(struct stint_cupti_cost *cost, const char *cupti)
{
    struct bench bench = {.failed = 0};
    if (prepare(&bench))
        return "CUDA";
    struct stint_cupti_cost without = measure(&bench);
    const char *failed = start_cupti(cupti);
    if (failed)
        return failed;
    *cost = measure(&bench);
    cost->kernel_ns -= without.kernel_ns;
    cost->call_ns -= without.call_ns;
    return bench.failed ? "cuLaunchKernel" : NULL;
}
