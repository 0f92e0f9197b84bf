/* Turns the rows of a store into events: the reverse of rows.c. */
#include "store/rows.h"

#include <math.h>
#include <string.h>

#include "ctf_writer/ctf_writer.h"
#include "store/schema.h"
#include "support/annotation.h"

static size_t context_of(const struct stint_lookup *lookup, uint32_t path)
{
    if (path == STINT_ROW_UNKNOWN)
        return STINT_GPU_UNATTRIBUTED;
    const struct stint_lookup_context *context = stint_lookup_context(lookup, path);
    return context ? context->context : STINT_GPU_NO_SCOPE;
}

/* The parts of an event that every table has. */
static struct stint_event event_of(const struct stint_store_run *run, const struct stint_lookup *lookup,
                                   int64_t global_thread, uint32_t context, uint32_t text)
{
    uint64_t thread = (uint64_t)global_thread;
    return (struct stint_event){.start_ns = run->start_ns,
                                .end_ns = run->end_ns,
                                .pid = (int64_t)(thread >> STINT_STORE_PID_SHIFT & STINT_STORE_ID_MASK),
                                .tid = (int64_t)(thread & STINT_STORE_ID_MASK),
                                .context = context_of(lookup, context),
                                .name = stint_lookup_text(lookup, text),
                                .set = ""};
}

/* Separates the name of a text that carries data from the data. */
static void split_text(struct stint_event *event, struct stint_store_parts *parts)
{
    struct stint_annotation annotation;
    event->name = event->text;
    if (!stint_annotation_read(&annotation, event->text, strlen(event->text)))
        return;
    stint_annotation_name(&annotation, parts->name, sizeof parts->name);
    event->name = parts->name;
}

/* Puts the text of an operation together. */
static void join_text(const struct stint_range_row *row, struct stint_lookup *lookup, struct stint_event *event,
                      struct stint_store_parts *parts)
{
    struct stint_instance instance = {.has_seq = (int)row->has_seq,
                                      .seq = row->seq,
                                      .op_id = row->op_id,
                                      .data = stint_lookup_data(lookup, row->data)};
    if (instance.data && stint_instance_join(parts->text, sizeof parts->text, event->name, &instance))
        event->text = parts->text;
}

static void decode_range(const struct stint_store_run *run, struct stint_lookup *lookup, struct stint_event *event,
                         struct stint_store_parts *parts)
{
    struct stint_range_row row = {.context = STINT_ROW_UNKNOWN};
    stint_event_columns_read(&run->rows, run->table, &row);
    *event = event_of(run, lookup, row.thread, row.context, row.text);
    event->kind = row.type == STINT_STORE_MARK        ? STINT_EVENT_MARK
                  : row.type == STINT_STORE_START_END ? STINT_EVENT_RANGE
                                                      : STINT_EVENT_SCOPE;
    const struct stint_lookup_context *context = stint_lookup_context(lookup, row.context);
    event->end_tid = row.end_thread & STINT_STORE_ID_MASK;
    event->color = row.color;
    event->category = row.category;
    event->text = stint_lookup_annotated(lookup, row.text);
    if (event->text)
        split_text(event, parts);
    if (event->kind == STINT_EVENT_SCOPE && context) {
        event->name = context->name;
        event->set = context->set;
    } else {
        event->set = stint_lookup_set(lookup, (int)row.type, row.domain);
    }
    if (row.has_seq || row.op_id || row.data)
        join_text(&row, lookup, event, parts);
}

static void decode_os_call(const struct stint_store_run *run, struct stint_lookup *lookup, struct stint_event *event)
{
    struct stint_gpu_row row = {.context = STINT_ROW_UNKNOWN};
    stint_event_columns_read(&run->rows, run->table, &row);
    *event = event_of(run, lookup, row.thread, row.context, row.name);
    event->kind = STINT_EVENT_SCOPE;
    event->set = STINT_OS_SET;
}

/* Sets the kind: only the table of other events has it as a column; each of the other tables implies it. */
static void read_kind(struct stint_gpu_event *gpu, enum stint_store_table table, uint32_t code)
{
    if (table == STINT_STORE_COPIES) {
        stint_nsys_read_copy(code, gpu);
    } else if (table == STINT_STORE_SETS) {
        gpu->kind = STINT_GPU_SET;
    } else if (table == STINT_STORE_WAITS) {
        gpu->kind = STINT_GPU_SYNC;
        gpu->wait = stint_nsys_wait(code);
    }
}

static void decode_gpu(const struct stint_store_run *run, struct stint_lookup *lookup, struct stint_event *event,
                       struct stint_gpu_event *gpu)
{
    struct stint_gpu_row row = {.context = STINT_ROW_UNKNOWN, .event.instance = STINT_GPU_NO_INSTANCE};
    stint_event_columns_read(&run->rows, run->table, &row);
    *event = event_of(run, lookup, row.thread, row.context, row.name);
    if (run->table == STINT_STORE_KERNELS)
        event->name = stint_lookup_kernel(lookup, row.name);
    event->kind = run->table == STINT_STORE_CALLS ? STINT_EVENT_CALL : STINT_EVENT_DEVICE;
    event->gpu = gpu;
    *gpu = row.event;
    gpu->api = run->table == STINT_STORE_CALLS;
    gpu->name = event->name;
    gpu->start_ns = event->start_ns;
    gpu->end_ns = event->end_ns;
    gpu->context = event->context;
    gpu->tid = event->tid;
    read_kind(gpu, run->table, row.code);
}

static void decode_point(const struct stint_store_run *run, struct stint_lookup *lookup, struct stint_event *event,
                         struct stint_store_parts *parts)
{
    struct stint_gpu_row row = {.context = STINT_ROW_UNKNOWN, .value = NAN};
    stint_event_columns_read(&run->rows, run->table, &row);
    *event = event_of(run, lookup, row.thread, row.context, row.name);
    if (run->table == STINT_STORE_MEMORY) {
        event->kind = STINT_EVENT_MEMORY;
        event->name = "";
        event->memory = &parts->memory;
        parts->memory = row.memory;
        return;
    }
    event->kind = STINT_EVENT_VALUE;
    event->context = STINT_GPU_NO_SCOPE;
    event->set = stint_lookup_text(lookup, row.set);
    event->field = stint_lookup_text(lookup, row.field);
    event->value = row.value;
}

static void decode_sample(const struct stint_store_run *run, struct stint_lookup *lookup, struct stint_event *event)
{
    struct stint_gpu_row row = {.context = STINT_ROW_UNKNOWN, .sample.stack = STINT_SAMPLE_NO_STACK};
    stint_event_columns_read(&run->rows, run->table, &row);
    *event = event_of(run, lookup, row.thread, row.context, 0);
    event->kind = STINT_EVENT_SAMPLE;
    event->sample = row.sample;
    if (row.sample.stack >= lookup->stack_count)
        event->sample.stack = STINT_SAMPLE_NO_STACK;
}

void stint_store_decode(const struct stint_store_run *run, struct stint_lookup *lookup, struct stint_event *event,
                        struct stint_store_parts *parts)
{
    if (run->table == STINT_STORE_RANGES)
        decode_range(run, lookup, event, parts);
    else if (run->table == STINT_STORE_OS)
        decode_os_call(run, lookup, event);
    else if (run->table == STINT_STORE_SAMPLES)
        decode_sample(run, lookup, event);
    else if (run->table >= STINT_STORE_VALUES)
        decode_point(run, lookup, event, parts);
    else
        decode_gpu(run, lookup, event, &parts->gpu);
}
