/* The rows of samples: where threads were when they were interrupted. */
#include "stat/member_macros.h"

#define ROW struct stint_sample_info
static const struct stint_member s_sampling[] = {
    MERGED(COUNT, "sampled", SWITCH, 0, NEEDED, sampled),
    MERGE(FIRST, SWITCH, wall),
    MERGE(FIRST, U32, hz),
    SUM(U64, samples),
    SUM(U64, time_ns),
    SUM(U64, cpu_ns),
    SUM(U64, leaves),
    SUM(U64, cut),
    SUM(U64, deep),
    SUM(U64, crowded),
    SUM(U64, unsampled),
};
#undef ROW

#define ROW struct stint_sample_module
static const struct stint_member s_sample_modules[] = {
    OPTIONAL(I64, pid), NEEDED(TEXT, path), OPTIONAL(TEXT, build_id),
    NEEDED(U64, begin), NEEDED(U64, end),   OPTIONAL(U64, bias),
};
#undef ROW

#define ROW struct stint_sample_frame
static const struct stint_member s_sample_frames[] = {INDEX(NEEDED, SAMPLE_MODULES, module), NEEDED(U64, address)};
#undef ROW

#define ROW struct stint_sample_stack
static const struct stint_member s_sample_stacks[] = {
    INDEX(NEEDED, SAMPLE_STACKS, parent),
    INDEX(NEEDED, SAMPLE_FRAMES, frame),
};
#undef ROW

#define ROW struct stint_sample_thread
static const struct stint_member s_sample_threads[] = {
    OPTIONAL(I64, pid),
    OPTIONAL(I64, tid),
    OPTIONAL(NAME, name),
    OPTIONAL(SWITCH, exited),
};
#undef ROW

#define ROW struct stint_sample_count
static const struct stint_member s_sample_counts[] = {
    INDEX(NEEDED, SAMPLE_THREADS, thread),           NEEDED(CONTEXT, context),
    INDEX(OPTIONAL, SAMPLE_STACKS, stack),           MERGED(SUM, "samples", U64, 0, NEEDED, samples),
    MERGED(SUM, "time_ns", U64, 0, NEEDED, time_ns),
};
#undef ROW

/* Code that is in no file is that of a process, whose number does not matter otherwise. */
static int ignores_process(const struct stint_member *member, const void *row)
{
    return member->type == STINT_MEMBER_I64 && *((const struct stint_sample_module *)row)->path;
}

const struct stint_row_table stint_rows_sampling = {WHOLE(struct stint_sample_info, s_sampling, sampling)};
const struct stint_row_table stint_rows_sample_modules = {LIST(struct stint_sample_module, sample_modules), .keys = 3,
                                                          .ignores = ignores_process};
const struct stint_row_table stint_rows_sample_frames = {LIST(struct stint_sample_frame, sample_frames), .keys = 2};
const struct stint_row_table stint_rows_sample_stacks = {LIST(struct stint_sample_stack, sample_stacks), .keys = 2};
const struct stint_row_table stint_rows_sample_threads = {LIST(struct stint_sample_thread, sample_threads), .keys = 4};
const struct stint_row_table stint_rows_sample_counts = {LIST(struct stint_sample_count, sample_counts), .keys = 3};
