#include "op_recording.h"

#include <string.h>

#include "stint_test.h"

enum { MOST = 256 };

/* A recording that is an array of events. */
struct recording {
    struct stint_event_source source; /* first */
    struct stint_event events[MOST];
    struct stint_gpu_event gpu[MOST];
    size_t count, at;
};

static struct recording s_recording;
struct stint_op_join op_join;
struct stint_op_rows op_rows;
struct stint_snapshot op_snapshot;

static int begin(struct stint_event_source *source)
{
    ((struct recording *)source)->at = 0;
    return 0;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct recording *recording = (struct recording *)source;
    if (recording->at == recording->count)
        return 0;
    *event = recording->events[recording->at++];
    return 1;
}

static struct stint_event *add(enum stint_event_kind kind, int64_t tid, uint64_t start, uint64_t end, const char *name)
{
    assert_in_range(s_recording.count, 0, MOST - 1);
    struct stint_event *event = &s_recording.events[s_recording.count];
    s_recording.gpu[s_recording.count] = (struct stint_gpu_event){.start_ns = start, .end_ns = end, .name = name};
    *event = (struct stint_event){.kind = kind,
                                  .start_ns = start,
                                  .end_ns = end,
                                  .pid = 1,
                                  .tid = tid,
                                  .context = STINT_GPU_NO_SCOPE,
                                  .name = name,
                                  .set = ""};
    event->gpu = &s_recording.gpu[s_recording.count++];
    return event;
}

struct stint_gpu_event *op_last_gpu(void)
{
    return &s_recording.gpu[s_recording.count - 1];
}

void op_range(int64_t tid, uint64_t start, uint64_t end, const char *text)
{
    add(STINT_EVENT_SCOPE, tid, start, end, text)->gpu = NULL;
}

void op_call(int64_t tid, uint64_t at, uint64_t correlation)
{
    (void)add(STINT_EVENT_CALL, tid, at, at + 1, "cudaLaunchKernel");
    op_last_gpu()->correlation = correlation;
}

struct stint_event *op_kernel(uint64_t start, uint64_t ns, uint64_t correlation, const char *name)
{
    struct stint_event *event = add(STINT_EVENT_DEVICE, 0, start, start + ns, name);
    op_last_gpu()->correlation = correlation;
    op_last_gpu()->kind = STINT_GPU_KERNEL;
    return event;
}

void op_scopes(void)
{
    static const struct stint_stat stats[] = {{.set = "", .name = "layer:x"}, {.set = "", .name = "aten::mm"}};
    static const struct stint_context contexts[] = {{.stat = 0, .parent = STINT_NO_PARENT}, {.stat = 1, .parent = 0}};
    TEST_ROWS(op_snapshot, stats, stat_count, stats);
    TEST_ROWS(op_snapshot, contexts, context_count, contexts);
}

static void forget_join(void)
{
    stint_op_rows_free(&op_rows);
    stint_op_join_free(&op_join);
    memset(&op_rows, 0, sizeof op_rows);
    memset(&op_join, 0, sizeof op_join);
}

int op_join_again(void)
{
    forget_join();
    s_recording.source = (struct stint_event_source){.begin = begin, .next = next};
    return stint_op_join_read(&op_join, &op_snapshot, &s_recording.source) || stint_op_rows_make(&op_rows, &op_join)
               ? -1
               : 0;
}

void op_joined(void)
{
    assert_int_equal(op_join_again(), 0);
}

#define FP16(shape) "{'name': '', 'type': 'tensor', 'shape': (" shape "), 'dtype': 'float16'}"

void op_example(void)
{
    static struct stint_gpu_device device = {.name = "a V100",
                                             .multiprocessors = 80,
                                             .compute_major = 7,
                                             .core_clock_khz = 1530000,
                                             .memory_bytes_per_s = 900000000000};
    TEST_ROWS(op_snapshot, gpu_devices, gpu_device_count, device);
    op_range(7, 0, 100, "layer:net.<b>conv</b>");
    op_range(7, 10, 50, "{'mod': 'm', 'op': 'mm', 'args': [" FP16("64, 256") ", " FP16("256, 1024") "]}");
    op_call(7, 20, 1);
    op_call(7, 30, 2);
    op_range(7, 60, 70, "{'mod': 'm', 'op': 'relu', 'args': [" FP16("64, 1024") "]}");
    op_call(7, 65, 3);
    op_range(7, 110, 200, "layer:net.head");
    op_range(7, 120, 130, "{'mod': 'm', 'op': 'mm', 'args': [" FP16("64, 1024") ", " FP16("1024, 16") "]}");
    op_call(7, 125, 4);
    op_range(7, 210, 220, "aten::sum, op_id = 4, sizes = [[64, 16]]");
    op_call(7, 215, 5);
    op_range(
        7, 230, 240,
        "record_param_comms, op_id = 5, collective = \"allreduce\", dtype = \"Half\", group_size = 4, in_elements = "
        "1000, out_elements = 1000");
    op_call(7, 235, 6);
    op_kernel(1000, 3200, 1, "volta_h884gemm_128x64_ldg8_nn");
    op_kernel(4200, 800, 2, "splitKreduce_kernel");
    memcpy(op_last_gpu()->grid, (const uint32_t[]){8, 2, 1}, sizeof op_last_gpu()->grid);
    op_kernel(5000, 700, 3, "vectorized_elementwise_kernel</script>");
    op_kernel(6000, 1300, 4, "volta_h884gemm_128x64_ldg8_nn");
    op_kernel(9000, 100, 5, "reduce_kernel");
    op_kernel(9100, 30, 6, "ncclDevKernel_AllReduce");
    op_joined();
}

int op_forget(void **state)
{
    forget_join();
    memset(&s_recording, 0, sizeof s_recording);
    memset(&op_snapshot, 0, sizeof op_snapshot);
    return 0;
}

const char *op_name_of(size_t row)
{
    static char name[64];
    const struct stint_op_text *text = stint_op_row_text(&op_rows, &op_rows.rows[row]);
    name[0] = '\0';
    if (text) {
        memcpy(name, text->name.text, text->name.length);
        name[text->name.length] = '\0';
    }
    return name;
}

const char *op_layer_of(size_t row)
{
    uint32_t layer = op_rows.rows[row].frame->layer;
    return layer == STINT_OP_NO_TEXT ? "" : stint_op_text_at(&op_join.texts, layer)->text;
}
