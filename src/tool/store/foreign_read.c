/* What ranges and activities of devices have in their columns. */
#include "store/foreign_dialect.h"

#include "store/schema.h"

const char *stint_foreign_read_range(struct stint_foreign_names *names, const struct stint_foreign_stream *row)
{
    if (!stint_foreign_has(row, STINT_FOREIGN_TEXT))
        return stint_foreign_range_of_id(names, stint_foreign_i64(row, STINT_FOREIGN_NAME));
    size_t length;
    const char *text = stint_foreign_text(row, STINT_FOREIGN_TEXT, &length);
    return stint_foreign_range(names, text, length);
}

static void read_copy(const struct stint_foreign_dialect *dialect, const struct stint_foreign_stream *row,
                      struct stint_gpu_event *gpu)
{
    uint32_t source = stint_foreign_u32(row, STINT_FOREIGN_SOURCE_DEVICE);
    uint32_t destination = stint_foreign_u32(row, STINT_FOREIGN_DESTINATION_DEVICE);
    stint_nsys_read_copy(stint_foreign_u32(row, STINT_FOREIGN_TYPE), gpu);
    gpu->source = dialect->memory(row, STINT_FOREIGN_SOURCE);
    if (gpu->kind == STINT_GPU_UNIFIED)
        return;
    gpu->address = 0;
    gpu->peer = stint_foreign_has(row, STINT_FOREIGN_SOURCE_DEVICE) &&
                stint_foreign_has(row, STINT_FOREIGN_DESTINATION_DEVICE) && source != destination;
    if (gpu->peer) {
        gpu->device = source;
        gpu->peer_device = destination;
        gpu->peer_context = stint_foreign_u32(row, STINT_FOREIGN_DESTINATION_CONTEXT);
    }
}

static void read_kernel(const struct stint_foreign_stream *row, struct stint_gpu_event *gpu)
{
    for (unsigned i = 0; i < 3; i++) {
        gpu->grid[i] = stint_foreign_u32(row, (enum stint_foreign_column)(STINT_FOREIGN_GRID_X + i));
        gpu->block[i] = stint_foreign_u32(row, (enum stint_foreign_column)(STINT_FOREIGN_BLOCK_X + i));
    }
    gpu->registers = stint_foreign_u32(row, STINT_FOREIGN_REGISTERS);
    gpu->static_shared = stint_foreign_u32(row, STINT_FOREIGN_STATIC_SHARED);
    gpu->dynamic_shared = stint_foreign_u32(row, STINT_FOREIGN_DYNAMIC_SHARED);
    gpu->graph = stint_foreign_u32(row, STINT_FOREIGN_GRAPH_ID);
}

/* Returns the activity's name; NULL if it has none. */
static const char *read_activity(const struct stint_foreign_dialect *dialect, struct stint_foreign_names *names,
                                 const struct stint_foreign_stream *row, struct stint_gpu_event *gpu)
{
    switch (row->table->kind) {
    case STINT_FOREIGN_KERNEL:
        read_kernel(row, gpu);
        return stint_foreign_kernel_of_id(names, stint_foreign_i64(row, STINT_FOREIGN_NAME));
    case STINT_FOREIGN_GRAPH:
        gpu->graph = stint_foreign_u32(row, STINT_FOREIGN_GRAPH_ID);
        return "[CUDA graph]";
    case STINT_FOREIGN_COPY:
        read_copy(dialect, row, gpu);
        break;
    case STINT_FOREIGN_SET:
        gpu->kind = STINT_GPU_SET;
        break;
    case STINT_FOREIGN_HOST_FAULT:
        gpu->kind = STINT_GPU_FAULT;
        gpu->bytes = 1;
        return stint_gpu_fault_names[STINT_GPU_FAULT_HOST];
    case STINT_FOREIGN_DEVICE_FAULT:
        gpu->kind = STINT_GPU_FAULT;
        return stint_gpu_fault_names[STINT_GPU_FAULT_DEVICE];
    default:
        gpu->kind = STINT_GPU_SYNC;
        gpu->wait = stint_nsys_wait(stint_foreign_u32(row, STINT_FOREIGN_TYPE));
    }
    return stint_gpu_name(gpu->kind, gpu->direction, gpu->wait);
}

uint64_t stint_foreign_device_number(const struct stint_sql_query *query, int column, uint64_t most,
                                     struct stint_dropped *dropped)
{
    int64_t value = stint_sql_i64(query, column);
    if (stint_sql_is_null(query, column))
        return 0;
    if (stint_sql_type(query, column) == STINT_SQL_INTEGER && value >= 0 && (uint64_t)value <= most)
        return (uint64_t)value;
    dropped->impossible++;
    return 0;
}

const char *stint_foreign_read_device(const struct stint_foreign_dialect *dialect, struct stint_foreign_names *names,
                                      const struct stint_foreign_stream *row, struct stint_gpu_event *gpu)
{
    gpu->correlation = stint_foreign_u64(row, STINT_FOREIGN_CORRELATION);
    gpu->device = stint_foreign_u32(row, STINT_FOREIGN_DEVICE);
    /* What is waited for need not be in a stream: CUPTI has -1 there, and tools have it with or without a sign. */
    int is_wait = row->table->kind == STINT_FOREIGN_SYNC;
    gpu->device_context =
        is_wait ? stint_foreign_bits(row, STINT_FOREIGN_CONTEXT) : stint_foreign_u32(row, STINT_FOREIGN_CONTEXT);
    gpu->stream =
        is_wait ? stint_foreign_bits(row, STINT_FOREIGN_STREAM) : stint_foreign_u32(row, STINT_FOREIGN_STREAM);
    gpu->bytes = stint_foreign_u64(row, STINT_FOREIGN_BYTES);
    gpu->address = stint_foreign_u64(row, STINT_FOREIGN_ADDRESS);
    gpu->graph_node = stint_foreign_u64(row, STINT_FOREIGN_GRAPH_NODE);
    gpu->destination = dialect->memory(row, STINT_FOREIGN_DESTINATION);
    return read_activity(dialect, names, row, gpu);
}
