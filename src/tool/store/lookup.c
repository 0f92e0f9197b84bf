/* The texts, domains, contexts and data of operations that rows of a store refer to by number. */
#include "store/lookup.h"

#include <stdio.h>
#include <string.h>

#include "ctf_writer/instance_text.h"
#include "demangle/demangle.h"
#include "replay/context_tree.h"
#include "stint/nvtx_stats.h"
#include "store/schema.h"
#include "store/string_ids.h"

struct text {
    int64_t id;
    const char *text;
    const char *kernel; /* the text as a kernel's name; NULL: not asked for yet */
};

struct domain {
    int64_t id;
    const char *sets[3]; /* set of push/pop ranges, of start/end ranges, and of marks */
};

static void *add(struct stint_lookup *lookup, struct stint_sql *sql, struct stint_array *rows, size_t size)
{
    void *row = stint_array_add(rows, &lookup->arena, size);
    if (!row)
        (void)stint_sql_fail(sql, "there is not enough memory for its names");
    return row;
}

static const char *copy(struct stint_lookup *lookup, struct stint_sql *sql, const char *text)
{
    const char *copied = stint_arena_copy(&lookup->arena, text, strlen(text));
    if (!copied)
        (void)stint_sql_fail(sql, "there is not enough memory for its names");
    return copied ? copied : "";
}

static void index_row(struct stint_lookup *lookup, struct stint_sql *sql, struct stint_index *index, uint64_t hash,
                      const struct stint_array *rows)
{
    if (stint_index_add(index, &lookup->arena, hash, rows->count - 1))
        (void)stint_sql_fail(sql, "there is not enough memory for its names");
}

/* ------------------------------------------------------------------------------------------------------------ texts */

static int is_text(const void *array, size_t position, const void *key)
{
    return ((const struct text *)array)[position].id == *(const int64_t *)key;
}

static void read_texts(struct stint_lookup *lookup, struct stint_sql *sql)
{
    struct stint_sql_query query = stint_sql_query(sql, "SELECT id, value FROM StringIds WHERE id < ?1");
    stint_sql_bind_i64(&query, 1, STINT_STRINGS_ANNOTATED);
    while (stint_sql_step(&query)) {
        struct text *row = add(lookup, sql, &lookup->texts, sizeof *row);
        if (!row)
            break;
        row->id = stint_sql_i64(&query, 0);
        row->text = copy(lookup, sql, stint_sql_text(&query, 1));
        index_row(lookup, sql, &lookup->text_index, stint_hash_mix((uint64_t)row->id, 0), &lookup->texts);
    }
    stint_sql_end(&query);
}

const char *stint_lookup_annotated(struct stint_lookup *lookup, int64_t id)
{
    if (id < STINT_STRINGS_ANNOTATED)
        return NULL;
    stint_sql_reset(&lookup->annotated);
    stint_sql_bind_i64(&lookup->annotated, 1, id);
    return stint_sql_step(&lookup->annotated) ? stint_sql_text(&lookup->annotated, 0) : NULL;
}

static struct text *text_at(const struct stint_lookup *lookup, int64_t id)
{
    struct text *texts = lookup->texts.items;
    if (id > 0 && (uint64_t)id <= lookup->texts.count && texts[id - 1].id == id) /* stint's own ids are positions + 1 */
        return &texts[id - 1];
    size_t at = stint_index_find(&lookup->text_index, stint_hash_mix((uint64_t)id, 0), is_text, texts, &id);
    return at == STINT_INDEX_NONE ? NULL : &texts[at];
}

const char *stint_lookup_text(const struct stint_lookup *lookup, int64_t id)
{
    const struct text *text = text_at(lookup, id);
    return text ? text->text : "";
}

const char *stint_lookup_kernel(struct stint_lookup *lookup, int64_t id)
{
    struct text *text = text_at(lookup, id);
    if (text && !text->kernel)
        text->kernel = stint_kernel_text(&lookup->arena, text->text);
    return text ? text->kernel : "";
}

/* ------------------------------------------------------------------------------------------------------------- data */

struct stint_lookup_data {
    int64_t id;
    const char *data;
};

/* A file of an earlier version has none. */
static void read_data(struct stint_lookup *lookup, struct stint_sql *sql)
{
    if (!stint_sql_has_table(sql, "stint_operation_data"))
        return;
    struct stint_sql_query query =
        stint_sql_query(sql, "SELECT id, data FROM stint_operation_data WHERE id <= ?1 ORDER BY id");
    stint_sql_bind_i64(&query, 1, STINT_INSTANCE_MOST);
    while (stint_sql_step(&query)) {
        struct stint_lookup_data *row = add(lookup, sql, &lookup->data, sizeof *row);
        if (!row)
            break;
        *row = (struct stint_lookup_data){stint_sql_i64(&query, 0), copy(lookup, sql, stint_sql_text(&query, 1))};
    }
    stint_sql_end(&query);
    lookup->other_data = stint_sql_query(sql, "SELECT data FROM stint_operation_data WHERE id = ?1");
}

static const char *find_other_data(struct stint_lookup *lookup, uint32_t id)
{
    stint_sql_reset(&lookup->other_data);
    stint_sql_bind_i64(&lookup->other_data, 1, id);
    return stint_sql_step(&lookup->other_data) ? stint_sql_text(&lookup->other_data, 0) : NULL;
}

const char *stint_lookup_data(struct stint_lookup *lookup, uint32_t id)
{
    const struct stint_lookup_data *data = lookup->data.items;
    size_t low = 0, high = lookup->data.count;
    if (!id)
        return "";
    if (id > STINT_INSTANCE_MOST)
        return find_other_data(lookup, id);
    if (id <= high && data[id - 1].id == id) /* stint's own ids are positions + 1 */
        return data[id - 1].data;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (data[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < lookup->data.count && data[low].id == id ? data[low].data : NULL;
}

/* ---------------------------------------------------------------------------------------------------------- domains */

static const char *set_of(struct stint_lookup *lookup, struct stint_sql *sql, const char *kind, const char *domain)
{
    char set[4096];
    (void)snprintf(set, sizeof set, "%s:%s", kind, domain);
    return copy(lookup, sql, set);
}

static void read_domains(struct stint_lookup *lookup, struct stint_sql *sql)
{
    struct stint_sql_query query = stint_sql_query(sql, "SELECT id, name FROM stint_domains");
    while (stint_sql_step(&query)) {
        struct domain *row = add(lookup, sql, &lookup->domains, sizeof *row);
        if (!row)
            break;
        const char *name = stint_sql_text(&query, 1);
        *row = (struct domain){.id = stint_sql_i64(&query, 0),
                               .sets = {set_of(lookup, sql, STINT_NVTX_SET, name),
                                        set_of(lookup, sql, STINT_NVTX_START_END_SET, name),
                                        set_of(lookup, sql, STINT_NVTX_MARK_SET, name)}};
    }
    stint_sql_end(&query);
}

const char *stint_lookup_set(const struct stint_lookup *lookup, int type, int64_t domain)
{
    static const char *const defaults[] = {STINT_NVTX_SET, STINT_NVTX_START_END_SET, STINT_NVTX_MARK_SET};
    const struct domain *domains = lookup->domains.items;
    int kind = type == STINT_STORE_MARK ? 2 : type == STINT_STORE_START_END;
    for (size_t i = 0; i < lookup->domains.count; i++)
        if (domains[i].id == domain)
            return domains[i].sets[kind];
    return defaults[kind];
}

/* --------------------------------------------------------------------------------------------------------- contexts */

static int is_path(const void *array, size_t position, const void *key)
{
    return ((const struct stint_lookup_context *)array)[position].path == *(const int64_t *)key;
}

const struct stint_lookup_context *stint_lookup_context(const struct stint_lookup *lookup, int64_t path)
{
    const struct stint_lookup_context *contexts = lookup->contexts.items;
    size_t at = stint_index_find(&lookup->context_index, stint_hash_mix((uint64_t)path, 0), is_path, contexts, &path);
    return at == STINT_INDEX_NONE ? NULL : &contexts[at];
}

/* Returns the snapshot's context for one of the file. A parent that is not in the file stands for the root. */
static size_t find_in(const struct stint_context_tree *tree, const struct stint_lookup *lookup, int64_t parent,
                      const char *set, const char *name)
{
    const struct stint_lookup_context *above = stint_lookup_context(lookup, parent);
    return stint_context_tree_find(tree, above ? above->context : STINT_NO_PARENT, set, name);
}

static void read_contexts(struct stint_lookup *lookup, struct stint_sql *sql, const struct stint_context_tree *tree)
{
    struct stint_sql_query query =
        stint_sql_query(sql, "SELECT path, parent, set_name, name FROM stint_contexts ORDER BY rowid");
    while (stint_sql_step(&query)) {
        struct stint_lookup_context *row = add(lookup, sql, &lookup->contexts, sizeof *row);
        if (!row)
            break;
        row->set = copy(lookup, sql, stint_sql_text(&query, 2));
        row->name = copy(lookup, sql, stint_sql_text(&query, 3));
        row->context = find_in(tree, lookup, stint_sql_i64(&query, 1), row->set, row->name);
        row->path = stint_sql_i64(&query, 0);
        index_row(lookup, sql, &lookup->context_index, stint_hash_mix((uint64_t)row->path, 0), &lookup->contexts);
    }
    stint_sql_end(&query);
}

void stint_lookup_read(struct stint_lookup *lookup, struct stint_sql *sql, const struct stint_snapshot *snapshot)
{
    struct stint_context_tree tree;
    lookup->stack_count = snapshot->sample_stack_count;
    read_texts(lookup, sql);
    lookup->annotated = stint_sql_query(sql, "SELECT value FROM StringIds WHERE id = ?1");
    read_domains(lookup, sql);
    read_data(lookup, sql);
    if (stint_context_tree_begin(&tree, &lookup->arena, snapshot))
        (void)stint_sql_fail(sql, "there is not enough memory for its contexts");
    read_contexts(lookup, sql, &tree);
}

void stint_lookup_free(struct stint_lookup *lookup)
{
    stint_sql_end(&lookup->annotated);
    stint_sql_end(&lookup->other_data);
    stint_arena_free(&lookup->arena);
}
