/* The rows of NVTX: what was recorded of it, values, names. */
#include <string.h>

#include "model/model.h"
#include "stat/member_macros.h"

#define ROW struct stint_nvtx_info
static const struct stint_member s_nvtx[] = {
    SUM(U64, images),
    SUM(U64, open),
    SUM(U64, rest),
    SUM(U64, missing),
    SUM(U64, refused),
    SUM(U64, outlived),
    OPTIONAL(TEXT, outlived_set),
    OPTIONAL(TEXT, outlived_name),
};
#undef ROW

#define ROW struct stint_nvtx_value
static const struct stint_member s_nvtx_values[] = {
    NAMED(NEEDED, SET, set),
    NEEDED(TEXT, name),
    OPTIONAL(TEXT, field),
    MERGED(COUNT, "count", U64, 0, NEEDED, count),
    MERGED(SUM, "sum", EXACT, 0, NEEDED, sum),
    MERGED(MIN, "min", EXACT, 0, NEEDED, min),
    MERGED(MAX, "max", EXACT, 0, NEEDED, max),
};
#undef ROW

#define ROW struct stint_nvtx_name
static const struct stint_member s_nvtx_names[] = {
    OPTIONAL(I64, pid),
    WORD(NEEDED, NVTX_NAMED, what),
    OPTIONAL(TEXT, domain),
    NEEDED(U64, handle),
    MERGED(MIN, "name", TEXT, 0, NEEDED, name),
};
#undef ROW

static const char *text_of(const char *text)
{
    return text ? text : "";
}

/* Of two ranges the one that sorts first is kept, so that merging is commutative. */
static int merge_outlived(struct stint_builder *builder, void *into, const void *from)
{
    struct stint_nvtx_info *kept = into;
    const struct stint_nvtx_info *info = from;
    const char *set = text_of(info->outlived_set), *name = text_of(info->outlived_name);
    int order = *kept->outlived_name ? strcmp(set, kept->outlived_set) : -1;
    if (*name && (order < 0 || (order == 0 && strcmp(name, kept->outlived_name) < 0))) {
        kept->outlived_set = stint_builder_text(builder, set);
        kept->outlived_name = stint_builder_text(builder, name);
    }
    return 0;
}

const struct stint_row_table stint_rows_nvtx = {WHOLE(struct stint_nvtx_info, s_nvtx, nvtx), .merge = merge_outlived};
const struct stint_row_table stint_rows_nvtx_values = {LIST(struct stint_nvtx_value, nvtx_values), .keys = 3,
                                                       .order = stint_order_by_keys};
const struct stint_row_table stint_rows_nvtx_names = {LIST(struct stint_nvtx_name, nvtx_names), .keys = 4,
                                                      .order = stint_order_by_keys};

static const char s_named[][13] = {
    [STINT_NVTX_CATEGORY] = "category",       [STINT_NVTX_THREAD] = "thread",
    [STINT_NVTX_CUDA_DEVICE] = "cuda_device", [STINT_NVTX_CUDA_CONTEXT] = "cuda_context",
    [STINT_NVTX_CUDA_STREAM] = "cuda_stream", [STINT_NVTX_CUDA_EVENT] = "cuda_event",
    [STINT_NVTX_RESOURCE] = "resource",
};
const struct stint_word_list stint_word_list_nvtx_named = STINT_WORD_LIST(s_named);
