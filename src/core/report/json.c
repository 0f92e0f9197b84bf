/* Everything, for programs: docs/formats.md, "stint-report" version 1. stat/members.c lists the members of rows. There
 * is one row per line, so that two reports can be compared by line. */
#include "report/json.h"

#include <string.h>

#include "report/report.h"
#include "report/summary.h"
#include "stat/members.h"

enum { VERSION = 1 };

static void put_row(struct stint_json *json, enum stint_row_kind kind, const void *row);

/* ----------------------------------------------------------------------------------------------------------- values */

static struct stint_row_list list_at(const void *at)
{
    struct stint_row_list list;
    memcpy(&list, at, sizeof list);
    return list;
}

static void put_dimensions(struct stint_json *json, const uint32_t *dimensions)
{
    stint_json_begin(json, "[");
    for (size_t i = 0; i < 3; i++)
        stint_json_u64(json, dimensions[i]);
    stint_json_end(json, "]");
}

static void put_bins(struct stint_json *json, struct stint_row_list list)
{
    const struct stint_bin *bins = list.rows;
    stint_json_begin(json, "[");
    for (size_t i = 0; i < list.count; i++) {
        stint_json_begin(json, "[");
        stint_json_u64(json, bins[i].ns);
        stint_json_u64(json, bins[i].count);
        stint_json_end(json, "]");
    }
    stint_json_end(json, "]");
}

/* ----------------------------------------------------------------------------------------------- what is worked out */

static void put_measured(struct stint_json *json)
{
    struct stint_summary summary = stint_summarize(json->snapshot);
    stint_json_begin(json, "{");
    stint_json_key_u64(json, "total_ns", summary.measured_ns);
    stint_json_key_u64(json, "activations", summary.activations);
    stint_json_key_u64(json, "recursive", summary.recursive);
    stint_json_key_u64(json, "running", summary.running);
    stint_json_key_u64(json, "running_ns", summary.running_ns);
    stint_json_end(json, "}");
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static void put_rows(struct stint_json *json, enum stint_row_kind kind, struct stint_row_list list)
{
    stint_json_begin(json, "[");
    for (size_t i = 0; i < list.count; i++)
        put_row(json, kind, (const char *)list.rows + i * stint_row_tables[kind]->size);
    stint_json_end(json, "]");
}

/* Statistics are written in order, and so are their parts: the parts of one begin where those of the previous one
 * end. */
static void put_parts(struct stint_json *json, const struct stint_stat *stat)
{
    const struct stint_snapshot *snapshot = json->snapshot;
    size_t first = json->next_part, place = (size_t)(stat - snapshot->stats);
    while (json->next_part < snapshot->thread_stat_count && snapshot->thread_stats[json->next_part].stat <= place)
        json->next_part++;
    size_t count = json->next_part - first; /* none, where there may be no array */
    put_rows(json, STINT_ROWS_THREAD_STATS,
             (struct stint_row_list){count ? &snapshot->thread_stats[first] : NULL, count});
}

static void put_several(struct stint_json *json, const struct stint_member *member, const void *at)
{
    switch (member->type) {
    case STINT_MEMBER_DIMENSIONS:
        put_dimensions(json, at);
        break;
    case STINT_MEMBER_BINS:
        put_bins(json, list_at(at));
        break;
    case STINT_MEMBER_OBJECT:
    case STINT_MEMBER_DERIVED:
        put_row(json, (enum stint_row_kind)member->of, at);
        break;
    case STINT_MEMBER_ROWS:
        put_rows(json, (enum stint_row_kind)member->of, list_at(at));
        break;
    case STINT_MEMBER_SPREAD:
        put_row(json, STINT_ROWS_SPREAD, *(const void *const *)at);
        break;
    case STINT_MEMBER_PARTS:
        put_parts(json, at);
        break;
    case STINT_MEMBER_MEASURED:
        put_measured(json);
        break;
    default:
        stint_json_number(json, stint_summarize(json->snapshot).overhead_ns);
    }
}

static void put_real(struct stint_json *json, enum stint_member_type type, double value)
{
    if (type == STINT_MEMBER_EXACT)
        stint_json_exact(json, value);
    else if (type == STINT_MEMBER_SQUARES)
        stint_json_square(json, value);
    else
        stint_json_number(json, value);
}

static void put_value(struct stint_json *json, const struct stint_row_table *table, const struct stint_member *member,
                      const void *row)
{
    struct stint_value value = stint_member_value(table, member, row);
    switch (value.kind) {
    case STINT_VALUE_NONE:
        stint_json_literal(json, "null");
        break;
    case STINT_VALUE_UNSIGNED:
        stint_json_u64(json, value.number);
        break;
    case STINT_VALUE_SIGNED:
        stint_json_i64(json, value.integer);
        break;
    case STINT_VALUE_REAL:
        put_real(json, (enum stint_member_type)member->type, value.real);
        break;
    case STINT_VALUE_SWITCH:
        stint_json_literal(json, value.number ? "true" : "false");
        break;
    case STINT_VALUE_TEXT:
        stint_json_string(json, value.text);
        break;
    case STINT_VALUE_SEVERAL:
        put_several(json, member, (const char *)row + member->at);
    }
}

/* Whether any of it is not 0; also of an object. */
static int is_used(const unsigned char *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (at[i])
            return 1;
    return 0;
}

static int is_set(const struct stint_member *member, const void *at)
{
    switch (member->type) {
    case STINT_MEMBER_U64:
    case STINT_MEMBER_I64:
        return *(const uint64_t *)at != 0;
    case STINT_MEMBER_NUMBER:
        return *(const double *)at > 0;
    case STINT_MEMBER_BINS:
    case STINT_MEMBER_ROWS:
        return list_at(at).count != 0;
    case STINT_MEMBER_SPREAD:
        return *(const void *const *)at != NULL;
    default:
        return *(const uint32_t *)at != 0;
    }
}

static int has_member(const struct stint_json *json, const struct stint_row_table *table,
                      const struct stint_member *member, const void *row)
{
    const void *at = (const char *)row + member->at;
    int has_rows = member->type == STINT_MEMBER_OBJECT || member->type == STINT_MEMBER_ROWS;
    if ((has_rows || member->type == STINT_MEMBER_DERIVED) && !stint_row_tables[member->of])
        return 0;
    if (member->presence > STINT_MEMBER_IF_SET)
        return table->has(member, row, json->snapshot);
    if (member->type == STINT_MEMBER_DERIVED)
        return is_used(at, stint_row_tables[member->of]->size);
    return member->presence != STINT_MEMBER_IF_SET || is_set(member, at);
}

static void put_row(struct stint_json *json, enum stint_row_kind kind, const void *row)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    stint_json_begin(json, "{");
    for (size_t i = 0; i < table->count; i++) {
        const struct stint_member *member = &table->members[i];
        if (!has_member(json, table, member, row))
            continue;
        stint_json_key(json, member->key);
        put_value(json, table, member, row);
    }
    stint_json_end(json, "}");
}

/* ------------------------------------------------------------------------------------------------------------ whole */

static void put_texts(struct stint_json *json, struct stint_row_list list)
{
    const char *const *texts = list.rows;
    stint_json_begin(json, "[");
    for (size_t i = 0; i < list.count; i++)
        stint_json_string(json, texts[i]);
    stint_json_end(json, "]");
}

static void put_lines(struct stint_json *json, enum stint_row_kind kind, struct stint_row_list list)
{
    stint_json_begin(json, "[");
    for (size_t i = 0; i < list.count; i++) {
        stint_json_new_line(json);
        put_row(json, kind, (const char *)list.rows + i * stint_row_tables[kind]->size);
    }
    stint_json_end(json, "]");
}

void stint_json_rows(struct stint_json *json, const char *key, enum stint_row_kind kind, const void *rows, size_t count)
{
    stint_json_new_line(json);
    stint_json_key(json, key);
    put_lines(json, kind, (struct stint_row_list){rows, count});
}

static void put_section(struct stint_json *json, const struct stint_member *member)
{
    const void *at = (const char *)json->snapshot + member->at;
    if (member->type > STINT_MEMBER_VERSION)
        stint_json_new_line(json);
    stint_json_key(json, member->key);
    switch (member->type) {
    case STINT_MEMBER_FORMAT:
        stint_json_string(json, "stint-report");
        break;
    case STINT_MEMBER_VERSION:
        stint_json_u64(json, VERSION);
        break;
    case STINT_MEMBER_TEXTS:
        put_texts(json, list_at(at));
        break;
    case STINT_MEMBER_ROWS:
        put_lines(json, (enum stint_row_kind)member->of, list_at(at));
        break;
    default:
        put_value(json, stint_row_tables[STINT_ROWS_SNAPSHOT], member, json->snapshot);
    }
}

void stint_report_json(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout)
{
    (void)layout;
    struct stint_json json = {.text = text, .snapshot = snapshot};
    const struct stint_row_table *table = stint_row_tables[STINT_ROWS_SNAPSHOT];
    stint_json_begin(&json, "{");
    for (size_t i = 0; i < table->count; i++)
        if (has_member(&json, table, &table->members[i], snapshot))
            put_section(&json, &table->members[i]);
    stint_json_end(&json, "}");
    stint_text_string(text, "\n");
}
