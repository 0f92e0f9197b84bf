/* The texts of a foreign file, each kept once, by number and by content. */
#include "store/foreign_names.h"

#include <stdio.h>
#include <string.h>

#include "demangle/demangle.h"
#include "support/annotation.h"

struct id {
    int64_t id;
    const char *text;
};

/* ------------------------------------------------------------------------------------------------------------ texts */

struct text {
    const char *bytes;
    size_t length;
};

static int is_text(const void *array, size_t position, const void *key)
{
    const char *text = ((const char *const *)array)[position];
    const struct text *like = key;
    return strncmp(text, like->bytes, like->length) == 0 && !text[like->length];
}

const char *stint_foreign_name(struct stint_foreign_names *names, const char *text, size_t length)
{
    struct text like = {text, strnlen(text, length)};
    if (like.length > STINT_FOREIGN_MOST_NAME) {
        like.length = STINT_FOREIGN_MOST_NAME;
        names->dropped->truncated++;
    }
    uint64_t hash = stint_hash(like.bytes, like.length, 0);
    size_t at = stint_index_find(&names->text_index, hash, is_text, names->texts.items, &like);
    if (at != STINT_INDEX_NONE)
        return ((const char **)names->texts.items)[at];
    const char **row = NULL;
    if (names->texts.count < STINT_FOREIGN_MOST_NAMES)
        row = stint_array_add(&names->texts, &names->arena, sizeof *row);
    const char *copy = row ? stint_arena_copy(&names->arena, like.bytes, like.length) : NULL;
    if (!copy || stint_index_add(&names->text_index, &names->arena, hash, names->texts.count - 1)) {
        names->dropped->names++;
        return NULL;
    }
    return *row = copy;
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static int is_id(const void *array, size_t position, const void *key)
{
    return ((const struct id *)array)[position].id == *(const int64_t *)key;
}

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
    uint64_t hash = stint_hash_mix((uint64_t)id, 0);
    size_t at = stint_index_find(&names->id_index, hash, is_id, names->ids.items, &id);
    names->whole = NULL;
    if (at != STINT_INDEX_NONE)
        return ((const struct id *)names->ids.items)[at].text;
    const char *text = look_up(names, id, name_of);
    struct id *row = NULL;
    if (!names->whole && names->ids.count < STINT_FOREIGN_MOST_NAMES)
        row = stint_array_add(&names->ids, &names->arena, sizeof *row);
    if (row) {
        *row = (struct id){id, text};
        (void)stint_index_add(&names->id_index, &names->arena, hash, names->ids.count - 1);
    }
    return text;
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

struct mangled {
    const char *kernel;
    const char *name;
};

static int is_mangled_of(const void *array, size_t position, const void *kernel)
{
    return strcmp(((const struct mangled *)array)[position].kernel, kernel) == 0;
}

const char *stint_foreign_mangled(const struct stint_foreign_names *names, const char *kernel)
{
    size_t at = stint_index_find(&names->mangled_index, stint_hash(kernel, strlen(kernel), 0), is_mangled_of,
                                 names->mangled.items, kernel);
    return at == STINT_INDEX_NONE ? NULL : ((const struct mangled *)names->mangled.items)[at].name;
}

/* The number of kernels is limited as that of names is. */
void stint_foreign_add_mangled(struct stint_foreign_names *names, const char *kernel, int64_t id)
{
    if (stint_foreign_mangled(names, kernel))
        return;
    const char *name = stint_foreign_name_of_id(names, id);
    struct mangled *row = name ? stint_array_add(&names->mangled, &names->arena, sizeof *row) : NULL;
    if (!row)
        return;
    *row = (struct mangled){kernel, name};
    if (stint_index_add(&names->mangled_index, &names->arena, stint_hash(kernel, strlen(kernel), 0),
                        names->mangled.count - 1))
        names->mangled.count--;
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

static int is_domain(const void *array, size_t position, const void *key)
{
    const struct stint_foreign_domain *domain = (const struct stint_foreign_domain *)array + position;
    const struct stint_foreign_domain *like = key;
    return domain->pid == like->pid && domain->id == like->id;
}

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
    struct stint_foreign_domain like = {.pid = pid, .id = id};
    uint64_t hash = stint_hash_mix((uint64_t)pid, (uint64_t)id);
    size_t at = stint_index_find(&names->domain_index, hash, is_domain, names->domains.items, &like);
    if (at != STINT_INDEX_NONE)
        return (const struct stint_foreign_domain *)names->domains.items + at;
    struct stint_foreign_domain *row = NULL;
    if (names->domains.count < STINT_FOREIGN_MOST_DOMAINS)
        row = stint_array_add(&names->domains, &names->arena, sizeof *row);
    if (!row || stint_index_add(&names->domain_index, &names->arena, hash, names->domains.count - 1)) {
        names->dropped->nvtx_domains++;
        return NULL;
    }
    *row = like;
    row->push_pop = set_of(names, STINT_NVTX_SET, name);
    row->start_end = set_of(names, STINT_NVTX_START_END_SET, name);
    row->marks = set_of(names, STINT_NVTX_MARK_SET, name);
    return row;
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
        return stint_sql_fail(sql, "its table %s does not have the columns %s, which has to be its key, and value",
                              table, id);
    (void)snprintf(text, sizeof text, "SELECT value FROM \"%s\" WHERE \"%s\" = ?1", table, id);
    names->lookup = stint_sql_query(sql, text);
    return sql->failed ? -1 : 0;
}

void stint_foreign_names_end(struct stint_foreign_names *names)
{
    stint_sql_end(&names->lookup);
    stint_arena_free(&names->arena);
}
