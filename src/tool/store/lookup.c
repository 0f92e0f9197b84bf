/* The texts, domains, contexts and data of operations that rows of a store refer to by number. */
#include "store/rows.h"

#include <stdio.h>
#include <string.h>

#include "ctf_writer/ctf_writer.h"
#include "demangle/demangle.h"
#include "replay/replay.h"
#include "stint/nvtx_stats.h"
#include "store/schema.h"

struct text {
    int64_t id;
    const char *text;
    const char *kernel; /* the text as a kernel's name; NULL: not asked for yet */
};

struct domain {
    int64_t id;
    const char *sets[3]; /* set of push/pop ranges, of start/end ranges, and of marks */
};

struct data {
    int64_t id;
    const char *data;
};

static const struct stint_table_key s_text = STINT_TABLE_KEY(struct text, id);
static const struct stint_table_key s_domain = STINT_TABLE_KEY(struct domain, id);
static const struct stint_table_key s_data = STINT_TABLE_KEY(struct data, id);
static const struct stint_table_key s_context = STINT_TABLE_KEY(struct stint_lookup_context, path);

/* Adds what the query has read; of rows with the same number, the first counts. */
static void add_row(struct stint_lookup *lookup, struct stint_sql *sql, struct stint_table *rows,
                    const struct stint_table_key *key, const void *row)
{
    if (!stint_table_take(rows, key, &lookup->arena, row))
        (void)stint_sql_fail(sql, "there is not enough memory for its names");
}

static const char *copy(struct stint_lookup *lookup, struct stint_sql *sql, const char *text)
{
    const char *copied = stint_arena_copy(&lookup->arena, text, strlen(text));
    if (!copied)
        (void)stint_sql_fail(sql, "there is not enough memory for its names");
    return copied ? copied : "";
}

/* ------------------------------------------------------------------------------------------------------------ texts */

static void read_texts(struct stint_lookup *lookup, struct stint_sql *sql)
{
    struct stint_sql_query query = stint_sql_query(sql, "SELECT id, value FROM StringIds WHERE id < ?1");
    stint_sql_bind_i64(&query, 1, STINT_STRINGS_ANNOTATED);
    while (stint_sql_step(&query)) {
        struct text row = {.id = stint_sql_i64(&query, 0), .text = copy(lookup, sql, stint_sql_text(&query, 1))};
        add_row(lookup, sql, &lookup->texts, &s_text, &row);
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
    return stint_table_find(&lookup->texts, &s_text, &(struct text){.id = id});
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

/* A file of an earlier version has none. */
static void read_data(struct stint_lookup *lookup, struct stint_sql *sql)
{
    if (!stint_sql_has_table(sql, "stint_operation_data"))
        return;
    struct stint_sql_query query = stint_sql_query(sql, "SELECT id, data FROM stint_operation_data WHERE id <= ?1");
    stint_sql_bind_i64(&query, 1, STINT_INSTANCE_MOST);
    while (stint_sql_step(&query)) {
        struct data row = {stint_sql_i64(&query, 0), copy(lookup, sql, stint_sql_text(&query, 1))};
        add_row(lookup, sql, &lookup->data, &s_data, &row);
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
    if (!id)
        return "";
    if (id > STINT_INSTANCE_MOST)
        return find_other_data(lookup, id);
    const struct data *row = stint_table_find(&lookup->data, &s_data, &(struct data){.id = id});
    return row ? row->data : NULL;
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
        const char *name = stint_sql_text(&query, 1);
        struct domain row = {.id = stint_sql_i64(&query, 0),
                             .sets = {set_of(lookup, sql, STINT_NVTX_SET, name),
                                      set_of(lookup, sql, STINT_NVTX_START_END_SET, name),
                                      set_of(lookup, sql, STINT_NVTX_MARK_SET, name)}};
        add_row(lookup, sql, &lookup->domains, &s_domain, &row);
    }
    stint_sql_end(&query);
}

const char *stint_lookup_set(const struct stint_lookup *lookup, int type, int64_t domain)
{
    static const char *const defaults[] = {STINT_NVTX_SET, STINT_NVTX_START_END_SET, STINT_NVTX_MARK_SET};
    const struct domain *row = stint_table_find(&lookup->domains, &s_domain, &(struct domain){.id = domain});
    return (row ? row->sets : defaults)[type == STINT_STORE_MARK ? 2 : type == STINT_STORE_START_END];
}

/* --------------------------------------------------------------------------------------------------------- contexts */

const struct stint_lookup_context *stint_lookup_context(const struct stint_lookup *lookup, int64_t path)
{
    return stint_table_find(&lookup->contexts, &s_context, &(struct stint_lookup_context){.path = path});
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
        struct stint_lookup_context row = {.path = stint_sql_i64(&query, 0),
                                           .set = copy(lookup, sql, stint_sql_text(&query, 2)),
                                           .name = copy(lookup, sql, stint_sql_text(&query, 3))};
        row.context = find_in(tree, lookup, stint_sql_i64(&query, 1), row.set, row.name);
        add_row(lookup, sql, &lookup->contexts, &s_context, &row);
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
