#include "stat/nvtx_rows.h"

#include <float.h>
#include <string.h>

#include "stat/order.h"

static uint64_t text_hash(const char *text, uint64_t seed)
{
    return stint_hash(text, strlen(text), seed);
}

/* ------------------------------------------------------------------------------------------------------------- info */

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

/* Of two ranges the one that sorts first is kept, so that merging is commutative. */
static void keep_outlived(struct stint_builder *builder, const struct stint_nvtx_info *info)
{
    struct stint_nvtx_info *kept = &builder->nvtx;
    const char *set = text_or_empty(info->outlived_set), *name = text_or_empty(info->outlived_name);

    if (!*name)
        return;
    int order = kept->outlived_name ? strcmp(set, kept->outlived_set) : -1;
    if (order < 0 || (order == 0 && strcmp(name, kept->outlived_name) < 0)) {
        kept->outlived_set = stint_builder_text(builder, set);
        kept->outlived_name = stint_builder_text(builder, name);
    }
}

void stint_builder_nvtx_info(struct stint_builder *builder, const struct stint_nvtx_info *info)
{
    builder->nvtx.images += info->images;
    builder->nvtx.open += info->open;
    builder->nvtx.rest += info->rest;
    builder->nvtx.missing += info->missing;
    builder->nvtx.refused += info->refused;
    builder->nvtx.outlived += info->outlived;
    keep_outlived(builder, info);
}

/* ----------------------------------------------------------------------------------------------------------- values */

static struct stint_nvtx_value *value_at(const struct stint_builder *builder, size_t position)
{
    return (struct stint_nvtx_value *)builder->nvtx_values.items + position;
}

static int same_value(const void *array, size_t position, const void *key)
{
    const struct stint_nvtx_value *row = value_at(array, position), *like = key;

    return strcmp(row->name, like->name) == 0 && strcmp(row->field, like->field) == 0 &&
           strcmp(row->set, like->set) == 0;
}

static struct stint_nvtx_value *new_value(struct stint_builder *builder, const struct stint_nvtx_value *like,
                                          uint64_t hash)
{
    size_t set = stint_builder_set(builder, like->set);
    const char *name = stint_builder_text(builder, like->name), *field = stint_builder_text(builder, like->field);
    struct stint_nvtx_value *row = stint_builder_row(builder, &builder->nvtx_values, sizeof *row);

    if (!row)
        return NULL;
    *row = (struct stint_nvtx_value){
        .set = ((const char **)builder->sets.items)[set],
        .name = name,
        .field = field,
        .min = like->min,
        .max = like->max,
    };
    if (stint_index_add(&builder->nvtx_value_index, stint_builder_arena(builder), hash, builder->nvtx_values.count - 1))
        builder->failed = 1;
    return row;
}

/* Sums of finite numbers stay finite, as they do in nvtx/value.c, where values are added up first. */
static double add_up(double a, double b)
{
    double sum = a + b;

    return sum > DBL_MAX ? DBL_MAX : sum < -DBL_MAX ? -DBL_MAX : sum;
}

void stint_builder_nvtx_value(struct stint_builder *builder, const struct stint_nvtx_value *like)
{
    uint64_t hash = text_hash(like->field, text_hash(like->name, text_hash(like->set, 0)));

    if (builder->failed || !like->count)
        return;
    size_t at = stint_index_find(&builder->nvtx_value_index, hash, same_value, builder, like);
    struct stint_nvtx_value *row = at == STINT_INDEX_NONE ? new_value(builder, like, hash) : value_at(builder, at);
    if (!row)
        return;
    row->count += like->count;
    row->sum = add_up(row->sum, like->sum);
    if (like->min < row->min)
        row->min = like->min;
    if (like->max > row->max)
        row->max = like->max;
}

/* ------------------------------------------------------------------------------------------------------------ names */

static struct stint_nvtx_name *name_at(const struct stint_builder *builder, size_t position)
{
    return (struct stint_nvtx_name *)builder->nvtx_names.items + position;
}

static int same_named(const void *array, size_t position, const void *key)
{
    const struct stint_nvtx_name *row = name_at(array, position), *like = key;

    return row->pid == like->pid && row->what == like->what && row->handle == like->handle &&
           strcmp(row->domain, like->domain) == 0;
}

static void new_name(struct stint_builder *builder, const struct stint_nvtx_name *like, uint64_t hash)
{
    const char *domain = stint_builder_text(builder, like->domain), *name = stint_builder_text(builder, like->name);
    struct stint_nvtx_name *row = stint_builder_row(builder, &builder->nvtx_names, sizeof *row);

    if (!row)
        return;
    *row = *like;
    row->domain = domain;
    row->name = name;
    if (stint_index_add(&builder->nvtx_name_index, stint_builder_arena(builder), hash, builder->nvtx_names.count - 1))
        builder->failed = 1;
}

/* If two runs with the same process id name one thing differently, the name that sorts first is kept, so that merging
 * is commutative. */
void stint_builder_nvtx_name(struct stint_builder *builder, const struct stint_nvtx_name *like)
{
    const uint64_t words[] = {(uint64_t)like->pid, (uint64_t)like->what, like->handle};
    uint64_t hash = text_hash(like->domain, stint_hash(words, sizeof words, 0));

    if (builder->failed)
        return;
    size_t at = stint_index_find(&builder->nvtx_name_index, hash, same_named, builder, like);
    if (at == STINT_INDEX_NONE)
        new_name(builder, like, hash);
    else if (strcmp(like->name, name_at(builder, at)->name) < 0)
        name_at(builder, at)->name = stint_builder_text(builder, like->name);
}

/* ------------------------------------------------------------------------------------------------------------ order */

static int value_before(const void *array, size_t a, size_t b)
{
    const struct stint_nvtx_value *x = value_at(array, a), *y = value_at(array, b);
    int set = strcmp(x->set, y->set), name = strcmp(x->name, y->name);

    return set ? set < 0 : name ? name < 0 : strcmp(x->field, y->field) < 0;
}

static int name_before(const void *array, size_t a, size_t b)
{
    const struct stint_nvtx_name *x = name_at(array, a), *y = name_at(array, b);
    int domain = strcmp(x->domain, y->domain);

    if (x->pid != y->pid)
        return x->pid < y->pid;
    if (x->what != y->what)
        return x->what < y->what;
    return domain ? domain < 0 : x->handle < y->handle;
}

int stint_nvtx_order(struct stint_snapshot *snapshot, struct stint_builder *builder)
{
    snapshot->nvtx = builder->nvtx;
    snapshot->nvtx.outlived_set = text_or_empty(builder->nvtx.outlived_set);
    snapshot->nvtx.outlived_name = text_or_empty(builder->nvtx.outlived_name);
    snapshot->nvtx_values =
        stint_order_rows(builder, &builder->nvtx_values, sizeof(struct stint_nvtx_value), value_before, builder, NULL);
    snapshot->nvtx_value_count = builder->nvtx_values.count;
    snapshot->nvtx_names =
        stint_order_rows(builder, &builder->nvtx_names, sizeof(struct stint_nvtx_name), name_before, builder, NULL);
    snapshot->nvtx_name_count = builder->nvtx_names.count;
    return snapshot->nvtx_values && snapshot->nvtx_names ? 0 : -1;
}
