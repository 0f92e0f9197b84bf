/* The builder's rows: adding them, finding them by their keys, and adding up those for the same thing, as the tables of
 * members say. */
#include "stat/builder.h"

#include <float.h>
#include <string.h>

#include "stat/numbers.h"
#include "stat/order.h"

struct stint_snapshot_memory {
    struct stint_snapshot snapshot; /* first: the user holds its address */
    struct stint_arena arena;       /* holds this struct too */
};

/* ----------------------------------------------------------------------------------------------------------- memory */

struct stint_arena *stint_builder_arena(struct stint_builder *builder)
{
    return builder->failed ? NULL : &builder->memory->arena;
}

void stint_builder_begin_in(struct stint_builder *builder, struct stint_arena arena)
{
    *builder = (struct stint_builder){.whole = {.gpu.reason = "", .nvtx = {.outlived_set = "", .outlived_name = ""}}};
    builder->memory = stint_arena_alloc(&arena, sizeof *builder->memory);
    builder->failed = !builder->memory;
    if (builder->memory)
        builder->memory->arena = arena;
}

void stint_builder_begin(struct stint_builder *builder)
{
    stint_builder_begin_in(builder, (struct stint_arena){0});
}

static void *add_item(struct stint_builder *builder, struct stint_array *items, size_t size)
{
    void *item = builder->failed ? NULL : stint_array_add(items, &builder->memory->arena, size);
    if (!item)
        builder->failed = 1;
    return item;
}

static void index_item(struct stint_builder *builder, struct stint_index *index, uint64_t hash, size_t position)
{
    if (!builder->failed && stint_index_add(index, &builder->memory->arena, hash, position))
        builder->failed = 1;
}

void stint_builder_reserve(struct stint_builder *builder, enum stint_row_kind kind, size_t count)
{
    if (!builder->failed &&
        stint_array_reserve(&builder->rows[kind], &builder->memory->arena, stint_row_tables[kind]->size, count))
        builder->failed = 1;
}

/* ------------------------------------------------------------------------------------------------------------ texts */

const char *stint_builder_text(struct stint_builder *builder, const char *text)
{
    const char *from = text ? text : "";
    const char *copy = builder->failed ? NULL : stint_arena_copy(&builder->memory->arena, from, strlen(from));
    if (!copy)
        builder->failed = 1;
    return copy ? copy : "";
}

size_t stint_builder_set(struct stint_builder *builder, const char *name)
{
    const char **sets = builder->sets.items;
    for (size_t i = 0; i < builder->sets.count; i++)
        if (strcmp(sets[i], name) == 0)
            return i;
    name = stint_builder_text(builder, name);
    const char **row = add_item(builder, &builder->sets, sizeof *row);
    if (row)
        *row = name;
    return builder->sets.count - !!row;
}

static int same_text(const void *array, size_t position, const void *key)
{
    return strcmp(((const char *const *)((const struct stint_array *)array)->items)[position], key) == 0;
}

/* Every event of a trace has a name, but there are few different ones. */
static const char *pooled_text(struct stint_builder *builder, const char *text)
{
    uint64_t hash = stint_hash(text, strlen(text), 0);
    size_t at = stint_index_find(&builder->text_index, hash, same_text, &builder->texts, text);
    if (at != STINT_INDEX_NONE)
        return ((const char **)builder->texts.items)[at];
    text = stint_builder_text(builder, text);
    const char **row = add_item(builder, &builder->texts, sizeof *row);
    if (!row)
        return "";
    *row = text;
    index_item(builder, &builder->text_index, hash, builder->texts.count - 1);
    return text;
}

static const char *keep_text(struct stint_builder *builder, const struct stint_member *member, const char *text)
{
    if (member->of == STINT_TEXT_POOL)
        return builder->failed ? "" : pooled_text(builder, text);
    if (member->of == STINT_TEXT_COPY)
        return stint_builder_text(builder, text);
    size_t set = stint_builder_set(builder, text);
    return builder->failed ? "" : ((const char **)builder->sets.items)[set];
}

/* ---------------------------------------------------------------------------------------------------------- members */

/* Returns a reference, to nothing instead of a row that is not there. */
static size_t known(const struct stint_builder *builder, const struct stint_member *member, size_t index)
{
    if (member->type == STINT_MEMBER_INDEX)
        return index < builder->rows[member->of].count ? index : SIZE_MAX;
    return index < builder->rows[STINT_ROWS_CONTEXTS].count || index == STINT_GPU_NO_SCOPE ? index
                                                                                           : STINT_GPU_UNATTRIBUTED;
}

static int is_reference(const struct stint_member *member)
{
    return member->type == STINT_MEMBER_INDEX || member->type == STINT_MEMBER_CONTEXT;
}

/* ------------------------------------------------------------------------------------------------------------- find */

/* Whether a key of a row does not tell it from others. */
static int is_no_key(const struct stint_row_table *table, const struct stint_member *member, const void *row)
{
    return table->ignores && table->ignores(member, row);
}

static uint64_t hash_of(const struct stint_builder *builder, enum stint_row_kind kind, const void *row)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    uint64_t hash = 0;
    for (const struct stint_member *member = table->members; member < table->members + table->keys; member++) {
        const void *at = (const char *)row + member->at;
        if (is_no_key(table, member, row))
            continue;
        if (member->type == STINT_MEMBER_TEXT || member->type == STINT_MEMBER_NAME) {
            const char *text = member->type == STINT_MEMBER_TEXT ? stint_member_text(at) : at;
            hash = stint_hash(text, strlen(text), hash);
        } else if (is_reference(member)) {
            hash = stint_hash_mix(hash, known(builder, member, *(const size_t *)at));
        } else {
            hash = stint_hash_mix(hash, stint_member_is_short(member) ? *(const uint32_t *)at : *(const uint64_t *)at);
        }
    }
    return hash;
}

struct key {
    enum stint_row_kind kind;
    const void *row;
};

static int same_row(const void *builder, size_t position, const void *key)
{
    const struct key *like = key;
    const struct stint_row_table *table = stint_row_tables[like->kind];
    const char *row = stint_builder_row(builder, like->kind, position);
    for (const struct stint_member *member = table->members; member < table->members + table->keys; member++) {
        const void *a = row + member->at, *b = (const char *)like->row + member->at;
        int differs = is_reference(member) ? *(const size_t *)a != known(builder, member, *(const size_t *)b)
                                           : stint_member_compare(member, a, b) != 0;
        if (differs && !is_no_key(table, member, like->row))
            return 0;
    }
    return 1;
}

static int is_special(const struct stint_member *member)
{
    return member->merge || is_reference(member) || member->type == STINT_MEMBER_TEXT ||
           member->type == STINT_MEMBER_OBJECT || member->type == STINT_MEMBER_ROWS ||
           member->type == STINT_MEMBER_SPREAD || member->type == STINT_MEMBER_DERIVED;
}

/* Returns a bit for each member that is not just copied. */
static uint64_t special_members(struct stint_builder *builder, enum stint_row_kind kind)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    uint64_t *special = &builder->special[kind];
    if (!*special)
        for (size_t i = 0; i < table->count; i++)
            *special |= (uint64_t)is_special(&table->members[i]) << i;
    return *special;
}

/* Whether anything was counted in the row. */
static int has_values(const struct stint_row_table *table, const void *row)
{
    if (table->numbers)
        return ((const struct stint_numbers *)(const void *)((const char *)row + table->numbers))->count != 0;
    for (size_t i = table->keys; i < table->count; i++)
        if (table->members[i].merge == STINT_MERGE_COUNT)
            return !stint_member_is_empty(&table->members[i], (const char *)row + table->members[i].at);
    return 1;
}

/* Makes a copied member the builder's own. What is added up begins empty, as does what is least of nothing. */
static void take_member(struct stint_builder *builder, const struct stint_member *member, void *at, int has)
{
    switch (member->type) {
    case STINT_MEMBER_TEXT:
        *(const char **)at = keep_text(builder, member, stint_member_text(at));
        return;
    case STINT_MEMBER_INDEX:
    case STINT_MEMBER_CONTEXT:
        *(size_t *)at = known(builder, member, *(const size_t *)at);
        return;
    case STINT_MEMBER_SPREAD:
        *(const void **)at = NULL;
        return;
    case STINT_MEMBER_OBJECT:
    case STINT_MEMBER_DERIVED:
        if (stint_row_tables[member->of])
            memset(at, 0, stint_row_tables[member->of]->size);
        return;
    case STINT_MEMBER_ROWS:
        memset(at, 0, sizeof(struct stint_row_list));
        return;
    default:
        if (member->merge == STINT_MERGE_SUM || member->merge == STINT_MERGE_COUNT ||
            (!has && (member->merge == STINT_MERGE_MIN || member->merge == STINT_MERGE_MAX)))
            memset(at, 0, stint_member_is_short(member) ? sizeof(uint32_t) : sizeof(uint64_t));
    }
}

/* Parents come before their children. */
static void set_depth(const struct stint_builder *builder, struct stint_context *row)
{
    const struct stint_context *contexts = builder->rows[STINT_ROWS_CONTEXTS].items;
    row->depth = row->parent == STINT_NO_PARENT ? 0 : contexts[row->parent].depth + 1;
}

static size_t add_row(struct stint_builder *builder, enum stint_row_kind kind, const void *like)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    struct stint_array *rows = &builder->rows[kind];
    char *row = add_item(builder, rows, table->size);
    if (!row)
        return 0;
    int has = has_values(table, like);
    rows->count--; /* a row does not refer to itself */
    memcpy(row, like, table->size);
    if (table->numbers)
        *(struct stint_numbers *)(void *)(row + table->numbers) = (struct stint_numbers){0};
    for (uint64_t left = special_members(builder, kind); left; left &= left - 1) {
        const struct stint_member *member = &table->members[__builtin_ctzll(left)];
        take_member(builder, member, row + member->at, has);
    }
    if (kind == STINT_ROWS_CONTEXTS)
        set_depth(builder, (struct stint_context *)(void *)row);
    return rows->count++;
}

void *stint_builder_blank(struct stint_builder *builder, enum stint_row_kind kind)
{
    return add_item(builder, &builder->rows[kind], stint_row_tables[kind]->size);
}

/* Rows added since the last search are not in the index yet: those of most snapshots are never looked for. */
size_t stint_builder_find(struct stint_builder *builder, enum stint_row_kind kind, const void *like)
{
    struct key key = {kind, like};
    struct stint_index *index = &builder->index[kind];
    while (!builder->failed) {
        int is_new = index->used < builder->rows[kind].count;
        uint64_t hash = hash_of(builder, kind, is_new ? stint_builder_row(builder, kind, index->used) : like);
        if (is_new) {
            index_item(builder, index, hash, index->used);
            continue;
        }
        size_t at = stint_index_find(index, hash, same_row, builder, &key);
        return at == STINT_INDEX_NONE ? add_row(builder, kind, like) : at;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ merge */

/* Sums of finite numbers stay finite, as they do in nvtx/value.c, where values are added up first. */
static double add_up(double a, double b)
{
    double sum = a + b;
    return sum > DBL_MAX ? DBL_MAX : sum < -DBL_MAX ? -DBL_MAX : sum;
}

static void add_member(const struct stint_member *member, void *into, const void *from)
{
    if (member->type == STINT_MEMBER_SWITCH)
        *(int *)into |= *(const int *)from;
    else if (stint_member_is_real(member))
        *(double *)into = add_up(*(double *)into, *(const double *)from);
    else if (!stint_member_is_short(member))
        stint_sum_up(into, *(const uint64_t *)from);
    else if (__builtin_add_overflow(*(uint32_t *)into, *(const uint32_t *)from, (uint32_t *)into))
        *(uint32_t *)into = UINT32_MAX;
}

/* Whether the member replaces that of the row it is merged into. */
static int replaces(const struct stint_member *member, const void *into, const void *from, int into_has, int from_has)
{
    switch (member->merge) {
    case STINT_MERGE_MIN:
        return from_has && (!into_has || stint_member_compare(member, from, into) < 0);
    case STINT_MERGE_MAX:
        return stint_member_compare(member, from, into) > 0;
    case STINT_MERGE_FIRST:
        return !into_has;
    case STINT_MERGE_FILL:
        return stint_member_is_empty(member, into);
    default:
        return 0;
    }
}

static void merge_member(struct stint_builder *builder, const struct stint_member *member, void *into, const void *from,
                         int into_has, int from_has)
{
    if (member->merge == STINT_MERGE_SUM || member->merge == STINT_MERGE_COUNT)
        add_member(member, into, from);
    else if (member->merge == STINT_MERGE_OR)
        *(uint32_t *)into |= *(const uint32_t *)from;
    else if (!replaces(member, into, from, into_has, from_has))
        return;
    else if (member->type == STINT_MEMBER_TEXT)
        *(const char **)into = keep_text(builder, member, stint_member_text(from));
    else
        memcpy(into, from, stint_member_is_short(member) ? sizeof(uint32_t) : sizeof(uint64_t));
}

void stint_builder_merge(struct stint_builder *builder, enum stint_row_kind kind, void *into, const void *from)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    if (builder->failed || (table->merge && table->merge(builder, into, from)))
        return;
    int into_has = has_values(table, into), from_has = has_values(table, from);
    for (uint64_t left = special_members(builder, kind); left; left &= left - 1) {
        const struct stint_member *member = &table->members[__builtin_ctzll(left)];
        char *to = (char *)into + member->at;
        const char *of = (const char *)from + member->at;
        if (member->merge)
            merge_member(builder, member, to, of, into_has, from_has);
        else if (member->type == STINT_MEMBER_SPREAD && builder->add_spread)
            builder->add_spread(builder, (const struct stint_spread **)(void *)to,
                                *(const struct stint_spread *const *)(const void *)of);
    }
    if (table->numbers &&
        stint_numbers_add_own((struct stint_numbers *)(void *)((char *)into + table->numbers),
                              (const struct stint_numbers *)(const void *)((const char *)from + table->numbers),
                              &builder->memory->arena))
        builder->failed = 1;
}

size_t stint_builder_append(struct stint_builder *builder, enum stint_row_kind kind, const void *row)
{
    size_t at = add_row(builder, kind, row);
    if (!builder->failed)
        stint_builder_merge(builder, kind, stint_builder_row(builder, kind, at), row);
    return at;
}

size_t stint_builder_add(struct stint_builder *builder, enum stint_row_kind kind, const void *row)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    if (!table->is_list) {
        stint_builder_merge(builder, kind, (char *)&builder->whole + table->at, row);
        return 0;
    }
    if (!table->keys)
        return add_row(builder, kind, row);
    if (!table->numbers && !has_values(table, row))
        return 0;
    size_t at = stint_builder_find(builder, kind, row);
    if (!builder->failed)
        stint_builder_merge(builder, kind, stint_builder_row(builder, kind, at), row);
    return at;
}

/* ------------------------------------------------------------------------------------------ what members do not say */

/* If a statistic has two call sites, the one that sorts first is shown, so that merging is commutative. */
static int site_before(const struct stint_stat *a, const struct stint_stat *b)
{
    int file = strcmp(a->file, b->file);
    if (!*a->file || !*b->file)
        return *a->file && !*b->file;
    if (file || a->line != b->line)
        return file < 0 || (!file && a->line < b->line);
    return strcmp(a->function, b->function) < 0;
}

int stint_merge_site(struct stint_builder *builder, void *into, const void *from)
{
    struct stint_stat *stat = into;
    const struct stint_stat *like = from;
    if (site_before(like, stat)) {
        stat->file = stint_builder_text(builder, like->file);
        stat->function = stint_builder_text(builder, like->function);
        stat->line = like->line;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------ statistics and contexts */

size_t stint_builder_stat(struct stint_builder *builder, const struct stint_stat *like)
{
    size_t at = stint_builder_find(builder, STINT_ROWS_STATS, like);
    if (!builder->failed) {
        struct stint_stat *stat = stint_builder_row(builder, STINT_ROWS_STATS, at);
        stat->by_thread |= like->by_thread;
        (void)stint_merge_site(builder, stat, like);
    }
    return at;
}

size_t stint_builder_context(struct stint_builder *builder, size_t parent, size_t stat)
{
    return stint_builder_find(builder, STINT_ROWS_CONTEXTS, &(struct stint_context){.parent = parent, .stat = stat});
}

static void add_numbers(struct stint_builder *builder, struct stint_numbers *into, const struct stint_numbers *numbers)
{
    if (stint_numbers_add_own(into, numbers, &builder->memory->arena))
        builder->failed = 1;
}

void stint_builder_add_stat(struct stint_builder *builder, size_t stat, const struct stint_numbers *numbers)
{
    if (!builder->failed)
        add_numbers(builder, &((struct stint_stat *)stint_builder_row(builder, STINT_ROWS_STATS, stat))->numbers,
                    numbers);
}

void stint_builder_add_context(struct stint_builder *builder, size_t context, const struct stint_numbers *numbers)
{
    if (!builder->failed)
        add_numbers(builder,
                    &((struct stint_context *)stint_builder_row(builder, STINT_ROWS_CONTEXTS, context))->numbers,
                    numbers);
}

void stint_builder_thread_stat(struct stint_builder *builder, size_t thread, size_t stat,
                               const struct stint_numbers *numbers)
{
    struct stint_thread_stat row = {.thread = thread, .stat = stat, .numbers = *numbers};
    row.numbers.bins = row.numbers.raw_bins = NULL;
    row.numbers.bin_count = 0;
    (void)add_row(builder, STINT_ROWS_THREAD_STATS, &row);
}

/* -------------------------------------------------------------------------------------------------------------- end */

struct stint_snapshot *stint_builder_end(struct stint_builder *builder, const struct stint_process *process,
                                         const struct stint_dropped *dropped)
{
    if (!builder->memory)
        return NULL;
    struct stint_snapshot *snapshot = &builder->memory->snapshot;
    stint_builder_set(builder, "GlobalStatInfo");
    *snapshot = builder->whole;
    snapshot->dropped = *dropped;
    if (builder->failed || stint_canonical_rows(snapshot, builder)) {
        stint_snapshot_free(snapshot);
        return NULL;
    }
    snapshot->size = sizeof *snapshot;
    snapshot->process = *process;
    return snapshot;
}

struct stint_arena stint_snapshot_arena(const struct stint_snapshot *snapshot)
{
    return ((const struct stint_snapshot_memory *)snapshot)->arena;
}

void stint_snapshot_free(struct stint_snapshot *snapshot)
{
    struct stint_arena arena = snapshot ? stint_snapshot_arena(snapshot) : (struct stint_arena){0};
    stint_arena_free(&arena);
}
