/* The texts of a foreign file, each kept once, by number and by content. */
#include "store/foreign_dialect.h"

#include <stdio.h>
#include <string.h>

#include "demangle/demangle.h"
#include "support/annotation.h"

struct id {
    int64_t id;
    const char *text;
};

struct mangled {
    const char *kernel;
    const char *name;
};

static const struct stint_table_key s_text = STINT_TABLE_KEY_WHOLE_COPYING(struct stint_piece);
static const struct stint_table_key s_id = STINT_TABLE_KEY(struct id, id);
static const struct stint_table_key s_mangled = STINT_TABLE_KEY(struct mangled, kernel);
static const struct stint_table_key s_domain = STINT_TABLE_KEY(struct stint_foreign_domain, pid, id);

/* Returns the row like this one, which is added if there is room for it, or NULL. Without memory the file cannot be
 * read. */
static void *take(struct stint_foreign_names *names, struct stint_table *rows, const struct stint_table_key *key,
                  size_t most, const void *like)
{
    if (rows->count >= most)
        return stint_table_find(rows, key, like);
    void *row = stint_table_take(rows, key, &names->arena, like);
    if (!row)
        (void)stint_sql_fail(names->sql, "there is not enough memory");
    return row;
}

/* ------------------------------------------------------------------------------------------------------------ texts */

const char *stint_foreign_name(struct stint_foreign_names *names, const char *text, size_t length)
{
    struct stint_piece like = {text, strnlen(text, length)};
    if (like.length > STINT_FOREIGN_MOST_NAME) {
        like.length = STINT_FOREIGN_MOST_NAME;
        names->dropped->truncated++;
    }
    const struct stint_piece *row = take(names, &names->texts, &s_text, STINT_FOREIGN_MOST_NAMES, &like);
    names->dropped->names += !row;
    return row ? row->text : NULL;
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

typedef const char *name_fn(struct stint_foreign_names *names, const char *text, size_t length);

static const char *look_up(struct stint_foreign_names *names, int64_t id, name_fn *name_of)
{
    const char *text = NULL;
    stint_sql_bind_i64(&names->lookup, 1, id);
    if (stint_sql_step(&names->lookup) && !stint_sql_is_null(&names->lookup, 0)) {
        const char *bytes = stint_sql_text(&names->lookup, 0);
        text = name_of(names, bytes, stint_sql_length(&names->lookup, 0));
    }
    stint_sql_reset(&names->lookup);
    return text;
}

/* The ids of texts that carry data are not kept: there may be as many as rows. */
static const char *name_of_id(struct stint_foreign_names *names, int64_t id, name_fn *name_of)
{
    struct id like = {.id = id};
    const struct id *row = stint_table_find(&names->ids, &s_id, &like);
    names->whole = NULL;
    if (row)
        return row->text;
    like.text = look_up(names, id, name_of);
    if (!names->whole)
        (void)take(names, &names->ids, &s_id, STINT_FOREIGN_MOST_NAMES, &like);
    return like.text;
}

const char *stint_foreign_name_of_id(struct stint_foreign_names *names, int64_t id)
{
    return name_of_id(names, id, stint_foreign_name);
}

static const char *name_of_kernel(struct stint_foreign_names *names, const char *text, size_t length)
{
    struct stint_arena work = {0};
    const char *readable = strnlen(text, length) == length ? stint_kernel_text(&work, text) : text;
    const char *name = stint_foreign_name(names, readable, readable == text ? length : strlen(readable));
    stint_arena_free(&work);
    return name;
}

const char *stint_foreign_kernel_of_id(struct stint_foreign_names *names, int64_t id)
{
    return name_of_id(names, id, name_of_kernel);
}

const char *stint_foreign_mangled(const struct stint_foreign_names *names, const char *kernel)
{
    const struct mangled *row = stint_table_find(&names->mangled, &s_mangled, &(struct mangled){.kernel = kernel});
    return row ? row->name : NULL;
}

/* The number of kernels is limited as that of names is. */
void stint_foreign_add_mangled(struct stint_foreign_names *names, const char *kernel, int64_t id)
{
    if (stint_foreign_mangled(names, kernel))
        return;
    const char *name = stint_foreign_name_of_id(names, id);
    if (name)
        (void)stint_table_take(&names->mangled, &s_mangled, &names->arena, &(struct mangled){kernel, name});
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

static const char *name_of_annotated(struct stint_foreign_names *names, const struct stint_annotation *annotation,
                                     const char *text, size_t length)
{
    char name[STINT_FOREIGN_MOST_NAME + 1];
    (void)snprintf(names->whole_text, sizeof names->whole_text, "%.*s",
                   (int)(length < sizeof names->whole_text ? length : sizeof names->whole_text - 1), text);
    names->dropped->truncated += length >= sizeof names->whole_text;
    names->whole = names->whole_text;
    stint_annotation_name(annotation, name, sizeof name);
    return stint_foreign_name(names, name, strlen(name));
}

const char *stint_foreign_range(struct stint_foreign_names *names, const char *text, size_t length)
{
    struct stint_annotation annotation;
    names->whole = NULL;
    length = strnlen(text, length);
    return stint_annotation_read(&annotation, text, length) ? name_of_annotated(names, &annotation, text, length)
                                                            : stint_foreign_name(names, text, length);
}

const char *stint_foreign_range_of_id(struct stint_foreign_names *names, int64_t id)
{
    return name_of_id(names, id, stint_foreign_range);
}

/* ---------------------------------------------------------------------------------------------------------- domains */

static const char *set_of(struct stint_foreign_names *names, const char *kind, const char *domain)
{
    char set[STINT_FOREIGN_MOST_NAME + 1];
    int length = snprintf(set, sizeof set, "%s%s%s", kind, domain[0] ? ":" : "", domain);
    const char *kept = length > 0 ? stint_foreign_name(names, set, strlen(set)) : NULL;
    return kept ? kept : kind;
}

const struct stint_foreign_domain *stint_foreign_domain(struct stint_foreign_names *names, int64_t pid, int64_t id,
                                                        const char *name)
{
    static const struct stint_foreign_domain fallback = {
        .push_pop = STINT_NVTX_SET, .start_end = STINT_NVTX_START_END_SET, .marks = STINT_NVTX_MARK_SET};
    struct stint_foreign_domain like = {.pid = pid, .id = id};
    struct stint_foreign_domain *row = take(names, &names->domains, &s_domain, STINT_FOREIGN_MOST_DOMAINS, &like);
    if (row && !row->push_pop) {
        row->push_pop = set_of(names, STINT_NVTX_SET, name);
        row->start_end = set_of(names, STINT_NVTX_START_END_SET, name);
        row->marks = set_of(names, STINT_NVTX_MARK_SET, name);
    }
    names->dropped->nvtx_domains += !row;
    return row ? row : &fallback;
}

/* ---------------------------------------------------------------------------------------------------- begin and end */

/* Whether the table has a key. Without one, each string would take a search through the table, and a hostile file could
 * take forever to read. */
static int has_key(struct stint_sql *sql, const char *table, const char *id)
{
    struct stint_sql_query query =
        stint_sql_query(sql, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2 COLLATE NOCASE AND pk = 1");
    stint_sql_bind_text(&query, 1, table, strlen(table));
    stint_sql_bind_text(&query, 2, id, strlen(id));
    int found = stint_sql_step(&query);
    stint_sql_end(&query);
    return found;
}

int stint_foreign_names_begin(struct stint_foreign_names *names, struct stint_sql *sql, const char *table,
                              const char *id)
{
    char text[120];
    *names = (struct stint_foreign_names){.sql = sql};
    if (!stint_sql_has_column(sql, table, "value") || !has_key(sql, table, id))
        return stint_sql_fail(sql, "its table %s must have a column value, and the column %s as its key", table, id);
    (void)snprintf(text, sizeof text, "SELECT value FROM \"%s\" WHERE \"%s\" = ?1", table, id);
    names->lookup = stint_sql_query(sql, text);
    return sql->failed ? -1 : 0;
}

void stint_foreign_names_end(struct stint_foreign_names *names)
{
    stint_sql_end(&names->lookup);
    stint_arena_free(&names->arena);
}
