#include "store/foreign_read.h"

const char *stint_foreign_read_name(struct stint_foreign_names *names, const struct stint_foreign_stream *row)
{
    if (!stint_foreign_has(row, STINT_FOREIGN_TEXT))
        return stint_foreign_name_of_id(names, stint_foreign_i64(row, STINT_FOREIGN_NAME));
    const char *text = stint_sql_text(&row->query, STINT_FOREIGN_TEXT);
    return stint_foreign_name(names, text, stint_sql_length(&row->query, STINT_FOREIGN_TEXT));
}

static const char *const s_copies[] = {
    "[CUDA memcpy]",      "[CUDA memcpy HtoD]", "[CUDA memcpy DtoH]", "[CUDA memcpy HtoA]",
    "[CUDA memcpy AtoH]", "[CUDA memcpy AtoA]", "[CUDA memcpy AtoD]", "[CUDA memcpy DtoA]",
    "[CUDA memcpy DtoD]", "[CUDA memcpy HtoH]", "[CUDA memcpy PtoP]"}; /* CUpti_ActivityMemcpyKind's values */

static const char *const s_moves[] = {"[CUDA Unified Memory memcpy HtoD]", "[CUDA Unified Memory memcpy DtoH]",
                                      "[CUDA Unified Memory memcpy DtoD]"}; /* Nsight Systems', which follow them */

static const char *const s_waits[] = {"[CUDA synchronize]", "[CUDA event synchronize]", "[CUDA stream wait event]",
                                      "[CUDA stream synchronize]",
                                      "[CUDA context synchronize]"}; /* CUpti_ActivitySynchronizationType's */

enum { COPIES = sizeof s_copies / sizeof s_copies[0], MOVES = 3, WAITS = sizeof s_waits / sizeof s_waits[0] };

static const char *read_copy(const struct stint_foreign_dialect *dialect, const struct stint_foreign_stream *row,
                             struct stint_gpu_event *gpu)
{
    uint32_t kind = stint_foreign_u32(row, STINT_FOREIGN_TYPE);
    gpu->kind = STINT_GPU_COPY;
    gpu->source = dialect->memory(row, STINT_FOREIGN_SOURCE);
    if (kind >= COPIES && kind < COPIES + MOVES) {
        gpu->kind = STINT_GPU_UNIFIED;
        return s_moves[kind - COPIES];
    }
    gpu->peer =
        stint_foreign_has(row, STINT_FOREIGN_SOURCE_DEVICE) &&
        stint_foreign_has(row, STINT_FOREIGN_DESTINATION_DEVICE) &&
        stint_foreign_u32(row, STINT_FOREIGN_SOURCE_DEVICE) != stint_foreign_u32(row, STINT_FOREIGN_DESTINATION_DEVICE);
    if (gpu->peer) {
        gpu->device = stint_foreign_u32(row, STINT_FOREIGN_SOURCE_DEVICE);
        gpu->peer_device = stint_foreign_u32(row, STINT_FOREIGN_DESTINATION_DEVICE);
        gpu->peer_context = stint_foreign_u32(row, STINT_FOREIGN_DESTINATION_CONTEXT);
    }
    return s_copies[kind < COPIES ? kind : 0];
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

/* Returns the activity's name; NULL: it has none. */
static const char *read_activity(const struct stint_foreign_dialect *dialect, struct stint_foreign_names *names,
                                 const struct stint_foreign_stream *row, struct stint_gpu_event *gpu)
{
    uint32_t what = stint_foreign_u32(row, STINT_FOREIGN_TYPE);
    switch (row->table->kind) {
    case STINT_FOREIGN_KERNEL:
        read_kernel(row, gpu);
        return stint_foreign_read_name(names, row);
    case STINT_FOREIGN_GRAPH:
        gpu->graph = stint_foreign_u32(row, STINT_FOREIGN_GRAPH_ID);
        return "[CUDA graph]";
    case STINT_FOREIGN_COPY:
        return read_copy(dialect, row, gpu);
    case STINT_FOREIGN_SET:
        gpu->kind = STINT_GPU_SET;
        return "[CUDA memset]";
    default:
        gpu->kind = STINT_GPU_SYNC;
        return s_waits[what < WAITS ? what : 0];
    }
}

const char *stint_foreign_read_device(const struct stint_foreign_dialect *dialect, struct stint_foreign_names *names,
                                      const struct stint_foreign_stream *row, struct stint_gpu_event *gpu)
{
    gpu->correlation = stint_foreign_u64(row, STINT_FOREIGN_CORRELATION);
    gpu->device = stint_foreign_u32(row, STINT_FOREIGN_DEVICE);
    gpu->device_context = stint_foreign_u32(row, STINT_FOREIGN_CONTEXT);
    gpu->stream = stint_foreign_u32(row, STINT_FOREIGN_STREAM);
    gpu->bytes = stint_foreign_u64(row, STINT_FOREIGN_BYTES);
    gpu->graph_node = stint_foreign_u64(row, STINT_FOREIGN_GRAPH_NODE);
    gpu->destination = dialect->memory(row, STINT_FOREIGN_DESTINATION);
    return read_activity(dialect, names, row, gpu);
}
