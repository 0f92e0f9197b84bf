#include "ceiling/ceilings.h"

#include <stdio.h>
#include <string.h>

#include "ceiling/ceiling_driver.h"
#include "stint_test.h"

/* A device that takes a nanosecond for 64 FLOPs or bytes of any kernel. */
static struct {
    int refuses;  /* modules for the newest devices */
    int major;    /* of its compute capability */
    int l2;       /* its bytes */
    int fails_at; /* the launch that fails */
    int launches;
    int loaded; /* modules that have not been unloaded */
    int allocated;
    size_t room; /* bytes of the greatest allocation */
    const struct stint_code *code;
    float ms;
} s_device;

static int init(unsigned flags)
{
    return (int)flags;
}

static int give_version(int *version)
{
    *version = 13000;
    return 0;
}

static int count(int *number)
{
    *number = 1;
    return 0;
}

static int name(char *text, int length, int device)
{
    assert_int_equal(device, 0);
    (void)snprintf(text, (size_t)length, "Test GPU");
    return 0;
}

static int attribute(int *value, int which, int device)
{
    *value = which == STINT_CUDA_COMPUTE_MAJOR   ? s_device.major
             : which == STINT_CUDA_COMPUTE_MINOR ? 0
             : which == STINT_CUDA_L2_BYTES      ? s_device.l2
                                                 : 100;
    return 0;
}

static int retain(void **context, int device)
{
    *context = &s_device;
    return 0;
}

static int release(int device)
{
    return device;
}

static int push(void *context)
{
    return context != &s_device;
}

static int pop(void **context)
{
    *context = &s_device;
    return 0;
}

static int allocate(uint64_t *address, size_t bytes)
{
    *address = 4096;
    if (bytes > s_device.room)
        return 2;
    s_device.allocated++;
    return 0;
}

static int release_memory(uint64_t address)
{
    assert_int_equal(address, 4096);
    s_device.allocated--;
    return 0;
}

static int set(uint64_t address, unsigned value, size_t number)
{
    return number == 0;
}

static int load(void **module, const void *image)
{
    static char text[STINT_CODE_SIZE];
    *module = &s_device;
    if (s_device.refuses && strstr(image, ".target sm_90"))
        return 218;
    s_device.code = NULL;
    for (size_t i = 0; stint_code_at(i) && !s_device.code; i++) {
        stint_code_write(stint_code_at(i), text);
        if (strcmp(text, image) == 0)
            s_device.code = stint_code_at(i);
    }
    s_device.loaded++;
    return 0;
}

static int unload(void *module)
{
    s_device.loaded--;
    return module != &s_device;
}

static int function(void **found, void *module, const char *entry)
{
    *found = module;
    return strcmp(entry, STINT_CODE_ENTRY) != 0;
}

static int launch(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                  unsigned block_z, unsigned shared, void *stream, void **arguments, void **extra)
{
    const uint64_t items = *(const uint64_t *)arguments[2];
    const double each = items ? (double)items : (double)grid_x * block_x;
    assert_ptr_equal(kernel, &s_device);
    assert_int_equal(grid_y * grid_z * block_y * block_z, 1);
    assert_null(extra);
    assert_null(stream);
    assert_int_equal(shared, 0);
    if (items) /* threads have nothing to do beyond the end */
        assert_int_equal(items % ((uint64_t)grid_x * block_x * STINT_CODE_ITEMS), 0);
    s_device.ms = (float)(each * s_device.code->amount * *(const unsigned *)arguments[3] / 64 / 1e6);
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

static int elapsed(float *ms, void *begin, void *end)
{
    *ms = s_device.ms;
    return begin != end;
}

static int destroy_event(void *event)
{
    return event != &s_device;
}

const char *__wrap_stint_cuda_open(struct stint_cuda *cuda)
{
    *cuda =
        (struct stint_cuda){init,       give_version, count,          name,    attribute,     retain, release,  push,
                            pop,        allocate,     release_memory, set,     load,          unload, function, launch,
                            make_event, record,       wait,           elapsed, destroy_event, NULL};
    return s_device.major ? NULL : "libcuda.so.1";
}

static int begin(void **state)
{
    memset(&s_device, 0, sizeof s_device);
    s_device.major = 9;
    s_device.l2 = 50 << 20;
    s_device.room = (size_t)1 << 30;
    return 0;
}

TEST_EACH(begin, NULL)

TEST(every_ceiling_is_measured)
{
    struct stint_ceilings ceilings = {.driver = 0};
    char reason[256];
    assert_int_equal(stint_ceilings_measure(&ceilings, reason, sizeof reason), 0);
    assert_string_equal(ceilings.device, "Test GPU");
    assert_int_equal(ceilings.driver, 13000);
    for (int i = 0; i < STINT_CEILING_CUPTI_KERNELS; i++) /* from there on they are CUPTI's */
        assert_true(ceilings.per_s[i] > 63.9e9 && ceilings.per_s[i] < 64.1e9);
    assert_int_equal(s_device.loaded, 0);
    assert_int_equal(s_device.allocated, 0);
}

TEST(what_a_device_lacks_is_not_measured)
{
    struct stint_ceilings ceilings = {.driver = 0};
    char reason[256];
    s_device.major = 7;
    s_device.l2 = 0;
    assert_int_equal(stint_ceilings_measure(&ceilings, reason, sizeof reason), 0);
    assert_true(ceilings.per_s[STINT_CEILING_FP16] > 0);
    assert_true(ceilings.per_s[STINT_CEILING_BF16] == 0);
    assert_true(ceilings.per_s[STINT_CEILING_TENSOR_FP16] == 0);
    assert_true(ceilings.per_s[STINT_CEILING_L2] == 0);
}

/* A driver that does not know the newest instructions has the older ones. */
TEST(what_a_driver_refuses_is_left_out)
{
    struct stint_ceilings ceilings = {.driver = 0};
    char reason[256];
    s_device.refuses = 1;
    assert_int_equal(stint_ceilings_measure(&ceilings, reason, sizeof reason), 0);
    assert_true(ceilings.per_s[STINT_CEILING_TENSOR_FP16] > 0);
    assert_int_equal(s_device.loaded, 0);
}

TEST(less_memory_is_enough)
{
    struct stint_ceilings ceilings = {.driver = 0};
    char reason[256];
    s_device.room = (size_t)1 << 27;
    assert_int_equal(stint_ceilings_measure(&ceilings, reason, sizeof reason), 0);
    assert_true(ceilings.per_s[STINT_CEILING_COPY] > 0);
    s_device.room = 1 << 20;
    assert_int_equal(stint_ceilings_measure(&ceilings, reason, sizeof reason), -1);
    assert_string_equal(reason, "CUDA failed with error 2");
}

TEST(failure_has_a_reason)
{
    struct stint_ceilings ceilings = {.driver = 0};
    char reason[256];
    s_device.fails_at = 40;
    assert_int_equal(stint_ceilings_measure(&ceilings, reason, sizeof reason), -1);
    assert_string_equal(reason, "CUDA failed with error 700");
    assert_int_equal(s_device.launches, 40);
    assert_int_equal(s_device.allocated, 0);
    s_device.major = 0;
    assert_int_equal(stint_ceilings_measure(&ceilings, reason, sizeof reason), -1);
    assert_string_equal(reason, "libcuda.so.1 is missing");
}
