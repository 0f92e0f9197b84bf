#include "ceiling/ceilings.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ceiling/ceiling_driver.h"
#include "stint_test.h"

/* A device whose calls take CPU time, and more of it while CUPTI reports them. */
static struct {
    uint64_t cpu_ns;
    int reports, records;
    int launches, fails_at; /* the launch that fails */
    int kernel_ns, call_ns; /* what CUPTI takes for each */
    const char *missing;    /* of CUPTI */
    void (*request)(uint8_t **buffer, size_t *size, size_t *records);
    void (*done)(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used);
} s_device;

static int init(unsigned flags)
{
    return (int)flags;
}

static int retain(void **context, int device)
{
    *context = &s_device;
    return device;
}

static int push(void *context)
{
    return context != &s_device;
}

static int load(void **module, const void *image)
{
    *module = &s_device;
    return !strstr(image, ".entry empty()");
}

static int function(void **found, void *module, const char *entry)
{
    *found = module;
    return strcmp(entry, "empty") != 0;
}

static int launch(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                  unsigned block_z, unsigned shared, void *stream, void **arguments, void **extra)
{
    assert_ptr_equal(kernel, &s_device);
    assert_int_equal(grid_x * grid_y * grid_z * block_x * block_y * block_z, 1);
    assert_true(!shared && !stream && !arguments && !extra);
    s_device.cpu_ns += 3000 + (uint64_t)(s_device.reports && s_device.records ? s_device.kernel_ns : 0);
    return ++s_device.launches == s_device.fails_at ? 700 : 0;
}

static int make_event(void **event, unsigned flags)
{
    *event = &s_device;
    return (int)flags;
}

static int record(void *event, void *stream)
{
    return event != &s_device || stream;
}

static int wait(void *event)
{
    return event != &s_device;
}

static int device(int *found)
{
    *found = 0;
    s_device.cpu_ns += 10 + (uint64_t)(s_device.reports ? s_device.call_ns : 0);
    return 0;
}

const char *__wrap_stint_cuda_open(struct stint_cuda *cuda)
{
    *cuda = (struct stint_cuda){.init = init,
                                .retain = retain,
                                .push = push,
                                .load = load,
                                .function = function,
                                .launch = launch,
                                .make_event = make_event,
                                .record = record,
                                .wait = wait,
                                .device = device};
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------------ CUPTI */

static int subscribe(void **subscriber, void (*callback)(void *user, int domain, uint32_t id, const void *data),
                     void *user)
{
    callback(user, 1, 1, NULL);
    *subscriber = &s_device;
    return 0;
}

static int enable_domain(uint32_t enable, void *subscriber, int domain)
{
    assert_ptr_equal(subscriber, &s_device);
    assert_int_equal(domain, 1);
    s_device.reports = (int)enable;
    return 0;
}

static int register_callbacks(void (*request)(uint8_t **buffer, size_t *size, size_t *records),
                              void (*done)(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used))
{
    s_device.request = request;
    s_device.done = done;
    return 0;
}

static int enable_records(int kind)
{
    uint8_t *buffer;
    size_t size, records = 1;
    assert_int_equal(kind, 10);
    s_device.request(&buffer, &size, &records);
    assert_non_null(buffer);
    assert_int_equal((uintptr_t)buffer % 8, 0);
    assert_int_equal(records, 0);
    memset(buffer, 1, size);
    s_device.done(NULL, 0, buffer, size, size);
    s_device.records = 1;
    return 0;
}

static void *find(const char *name)
{
    void (*functions[4])(void) = {(void (*)(void))subscribe, (void (*)(void))enable_domain,
                                  (void (*)(void))register_callbacks, (void (*)(void))enable_records};
    static const char *const names[] = {"cuptiSubscribe", "cuptiEnableDomain", "cuptiActivityRegisterCallbacks",
                                        "cuptiActivityEnable"};
    void *found = NULL;
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            memcpy(&found, &functions[i], sizeof found);
    return found;
}

const char *__wrap_stint_ceiling_library_open(const char *library, const struct stint_ceiling_function *functions,
                                              size_t count, void *structure);

const char *__wrap_stint_ceiling_library_open(const char *library, const struct stint_ceiling_function *functions,
                                              size_t count, void *structure)
{
    assert_string_equal(library, "libcupti.so");
    for (size_t i = 0; i < count; i++) {
        void *found = find(functions[i].name);
        assert_non_null(found);
        memcpy((char *)structure + functions[i].place, &found, sizeof found);
    }
    return s_device.missing;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    assert_int_equal(clock, CLOCK_PROCESS_CPUTIME_ID);
    *time = (struct timespec){.tv_sec = (time_t)(s_device.cpu_ns / 1000000000),
                              .tv_nsec = (long)(s_device.cpu_ns % 1000000000)};
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static int begin(void **state)
{
    memset(&s_device, 0, sizeof s_device);
    s_device.kernel_ns = 2000;
    s_device.call_ns = 120;
    return 0;
}

TEST_EACH(begin, NULL)

TEST(what_cupti_adds_is_measured)
{
    struct stint_cupti_cost cost;
    assert_null(stint_cupti_measure(&cost, "libcupti.so"));
    assert_true(cost.kernel_ns > 1999.9 && cost.kernel_ns < 2000.1);
    assert_true(cost.call_ns > 119.9 && cost.call_ns < 120.1);
}

TEST(failure_is_no_cost)
{
    struct stint_cupti_cost cost;
    s_device.missing = "cuptiSubscribe";
    assert_string_equal(stint_cupti_measure(&cost, "libcupti.so"), "cuptiSubscribe");
    begin(state);
    s_device.fails_at = 1000;
    assert_string_equal(stint_cupti_measure(&cost, "libcupti.so"), "cuLaunchKernel");
}
