/* The rows of what GPUs did: their members, and what these do not say. */
#include "model/model.h"

#include <string.h>

#include "stat/member_macros.h"

#define ROW struct stint_gpu_info
static const struct stint_member s_gpu[] = {
    MERGE(COUNT, SWITCH, collected),
    MERGED(FIRST, "status", WORD, STINT_WORDS_STATUS, OPTIONAL, status),
    MERGE(FIRST, TEXT, reason),
    MERGE(OR, U32, what),
    MERGE(FIRST, U32, cupti_version),
    MERGE(MAX, NUMBER, clock_error_ns),
    SUM(U64, early),
    SUM_IF_SET(U64, reading_ns),
    MERGED(MAX, "cupti_kernel_ns", NUMBER, 0, IF_SET, cupti_kernel_ns),
    MERGED(MAX, "cupti_call_ns", NUMBER, 0, IF_SET, cupti_call_ns),
};
#undef ROW

#define ROW struct stint_gpu_device
static const struct stint_member s_gpu_devices[] = {
    NEEDED(U32, id),
    MERGE(FILL, TEXT, name),
    MERGE(FILL, U32, compute_major),
    MERGE(FILL, U32, compute_minor),
    MERGE(FILL, U32, multiprocessors),
    MERGE(FILL, U32, core_clock_khz),
    MERGE(FILL, U64, memory_bytes),
    MERGE(FILL, U64, memory_bytes_per_s),
    MERGE(FILL, U64, link_bytes_per_s),
};
#undef ROW

#define ROW struct stint_gpu_memory
static const struct stint_member s_gpu_memory[] = {
    NEEDED(U32, device), WORD(NEEDED, GPU_MEMORY, kind), OPTIONAL(SWITCH, pool), SUM(U64, allocations),
    SUM(U64, frees),     SUM(U64, current_bytes),        SUM(U64, peak_bytes),
};
#undef ROW

#define ROW struct stint_gpu_activity
static const struct stint_member s_gpu_activities[] = {
    WORD(NEEDED, GPU_KIND, kind),
    NAMED(NEEDED, POOL, name),
    NAMED(OPTIONAL, POOL, mangled),
    OPTIONAL(U32, device),
    OPTIONAL(U32, context),
    OPTIONAL(U32, stream),
    COUNTS,
    DISTRIBUTION,
    SUM(U64, bytes),
    MERGE(MIN, U64, min_bytes),
    MERGE(MAX, U64, max_bytes),
    SUM(NUMBER, square_bytes2),
    SPREAD("spread", numbers.spread),
};
#undef ROW

#define ROW struct stint_gpu_charge
static const struct stint_member s_gpu_charges[] = {
    INDEX(NEEDED, GPU_ACTIVITIES, activity),
    NEEDED(CONTEXT, context),
    MERGE(COUNT, U64, count),
    SUM(U64, total_ns),
    MERGE(MIN, U64, min_ns),
    MERGE(MAX, U64, max_ns),
    SUM(U64, bytes),
};
#undef ROW

#define ROW struct stint_gpu_instance
static const struct stint_member s_gpu_instances[] = {
    NEEDED(CONTEXT, context),
    INDEX(OPTIONAL, GPU_INSTANCES, parent),
};
#undef ROW

/* There are many events, so members that an event does not have are left out. */
#define ROW struct stint_gpu_event
static const struct stint_member s_gpu_events[] = {
    {"kind", STINT_MEMBER_KIND, STINT_WORDS_EVENT, STINT_MEMBER_NEEDED, STINT_MERGE_KEEP, 0},
    NAMED(NEEDED, POOL, name),
    OPTIONAL(U64, start_ns),
    OPTIONAL(U64, end_ns),
    OPTIONAL(U64, correlation),
    OPTIONAL(CONTEXT, context),
    INDEX(IF_INSTANCE, GPU_INSTANCES, instance),
    IF(SET, I64, pid),
    IF(SET, I64, tid),
    IF(ON_DEVICE, U32, device),
    IF(ON_DEVICE, U32, device_context),
    IF(ON_DEVICE, U32, stream),
    IF(KERNEL, DIMENSIONS, grid),
    IF(KERNEL, DIMENSIONS, block),
    IF(KERNEL, U32, registers),
    IF(KERNEL, U32, static_shared),
    IF(KERNEL, U32, dynamic_shared),
    IF(SET, U64, bytes),
    IF(SET, U64, address),
    WORD(IF_SET, GPU_MEMORY, source),
    WORD(IF_SET, GPU_MEMORY, destination),
    IF(GRAPH, U32, graph),
    IF(GRAPH, U64, graph_node),
    IF(SET, U64, captured),
    IF(PEER, U32, peer_device),
    IF(PEER, U32, peer_context),
};
#undef ROW

#define ROW struct stint_gpu_use
static const struct stint_member s_gpu_use[] = {
    OPTIONAL(U64, kernels),    OPTIONAL(U64, kernel_ns), OPTIONAL(U64, copies),   OPTIONAL(U64, copy_ns),
    OPTIONAL(U64, copy_bytes), OPTIONAL(U64, sets),      OPTIONAL(U64, set_ns),   OPTIONAL(U64, set_bytes),
    OPTIONAL(U64, spans),      OPTIONAL(U64, span_ns),   OPTIONAL(U64, launches), OPTIONAL(U64, launch_ns),
};
#undef ROW

/* ----------------------------------------------------------------------------------------- what members do not say */

/* If two processes have different devices with the same id, the first one is kept: a mixture would describe neither. */
static int merge_device(struct stint_builder *builder, void *into, const void *from)
{
    const struct stint_gpu_device *a = into, *b = from;
    (void)builder;
    return *a->name && *b->name && strcmp(a->name, b->name) != 0;
}

static int has_member(const struct stint_member *member, const void *row, const struct stint_snapshot *snapshot)
{
    const struct stint_gpu_event *event = row;
    switch (member->presence) {
    case STINT_MEMBER_IF_INSTANCE:
        return event->instance < snapshot->gpu_instance_count;
    case STINT_MEMBER_IF_ON_DEVICE:
        return !event->api;
    case STINT_MEMBER_IF_KERNEL:
        return !event->api && event->kind == STINT_GPU_KERNEL;
    case STINT_MEMBER_IF_GRAPH:
        return event->graph != 0;
    default:
        return event->peer;
    }
}

static unsigned word_of_event(const void *row)
{
    const struct stint_gpu_event *event = row;
    return event->api ? (unsigned)STINT_WORD_API : (unsigned)event->kind;
}

/* ---------------------------------------------------------------------------------------------------------- tables */

const struct stint_row_table stint_rows_gpu = {WHOLE(struct stint_gpu_info, s_gpu, gpu)};
const struct stint_row_table stint_rows_gpu_devices = {LIST(struct stint_gpu_device, gpu_devices), .keys = 1,
                                                       .merge = merge_device, .order = stint_order_by_keys};
const struct stint_row_table stint_rows_gpu_memory = {LIST(struct stint_gpu_memory, gpu_memory), .keys = 3,
                                                      .order = stint_order_by_keys};
const struct stint_row_table stint_rows_gpu_activities = {LIST(struct stint_gpu_activity, gpu_activities), .keys = 6,
                                                          NUMBERS(struct stint_gpu_activity),
                                                          .order = stint_order_activities};
const struct stint_row_table stint_rows_gpu_charges = {LIST(struct stint_gpu_charge, gpu_charges), .keys = 2,
                                                       .order = stint_order_by_keys, .derive = stint_gpu_derive_use};
const struct stint_row_table stint_rows_gpu_instances = {LIST(struct stint_gpu_instance, gpu_instances)};
const struct stint_row_table stint_rows_gpu_events = {
    LIST(struct stint_gpu_event, gpu_events), .order = stint_order_events, .has = has_member, .word = word_of_event};
const struct stint_row_table stint_rows_gpu_use = {TABLE(struct stint_gpu_use, s_gpu_use)};
