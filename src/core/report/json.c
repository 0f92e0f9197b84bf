/* Everything, for programs: docs/formats.md, "stint-report" version 1. stat/members.c lists the members of rows. There
 * is one row per line, so that two reports can be compared by line. */
#include "report/json.h"

#include <math.h>
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

static void put_text(struct stint_json *json, const char *text)
{
    stint_json_string(json, text ? text : "");
}

static void put_index(struct stint_json *json, size_t index)
{
    if (index == SIZE_MAX)
        stint_json_literal(json, "null");
    else
        stint_json_u64(json, index);
}

static void put_context(struct stint_json *json, size_t context)
{
    if (context == STINT_GPU_NO_SCOPE)
        stint_json_string(json, STINT_WORD_NO_SCOPE);
    else if (context == STINT_GPU_UNATTRIBUTED)
        stint_json_string(json, STINT_WORD_UNATTRIBUTED);
    else
        stint_json_u64(json, context);
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

static void put_percentile(struct stint_json *json, const struct stint_numbers *numbers, double p)
{
    if (numbers->bin_count)
        stint_json_u64(json, stint_numbers_percentile_ns(numbers, p));
    else
        stint_json_literal(json, "null");
}

static void put_derived(struct stint_json *json, enum stint_member_type type, const void *at)
{
    switch (type) {
    case STINT_MEMBER_AVG:
        stint_json_u64(json, stint_numbers_avg_ns(at));
        break;
    case STINT_MEMBER_P50:
        put_percentile(json, at, 0.50);
        break;
    case STINT_MEMBER_P90:
        put_percentile(json, at, 0.90);
        break;
    case STINT_MEMBER_P99:
        put_percentile(json, at, 0.99);
        break;
    case STINT_MEMBER_STDDEV:
        stint_json_number(json, ((const struct stint_numbers *)at)->bin_count ? stint_numbers_stddev_ns(at) : NAN);
        break;
    case STINT_MEMBER_MEASURED:
        put_measured(json);
        break;
    default:
        stint_json_number(json, stint_summarize(json->snapshot).overhead_ns);
    }
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
    put_rows(json, STINT_ROWS_THREAD_STATS,
             (struct stint_row_list){snapshot->thread_stats + first, json->next_part - first});
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
    default:
        put_derived(json, (enum stint_member_type)member->type, at);
    }
}

static void put_double(struct stint_json *json, enum stint_member_type type, double value)
{
    if (type == STINT_MEMBER_NUMBER)
        stint_json_number(json, value);
    else if (type == STINT_MEMBER_SQUARES)
        stint_json_square(json, value);
    else
        stint_json_exact(json, value);
}

static void put_value(struct stint_json *json, const struct stint_member *member, const void *at)
{
    switch (member->type) {
    case STINT_MEMBER_U32:
        stint_json_u64(json, *(const uint32_t *)at);
        break;
    case STINT_MEMBER_U64:
        stint_json_u64(json, *(const uint64_t *)at);
        break;
    case STINT_MEMBER_I64:
        stint_json_i64(json, *(const int64_t *)at);
        break;
    case STINT_MEMBER_NUMBER:
    case STINT_MEMBER_SQUARES:
    case STINT_MEMBER_EXACT:
        put_double(json, (enum stint_member_type)member->type, *(const double *)at);
        break;
    case STINT_MEMBER_SWITCH:
        stint_json_literal(json, *(const int *)at ? "true" : "false");
        break;
    case STINT_MEMBER_TEXT:
        put_text(json, *(const char *const *)at);
        break;
    case STINT_MEMBER_NAME:
        stint_json_string(json, at);
        break;
    case STINT_MEMBER_WORD:
        stint_json_string(json, stint_word((enum stint_words)member->of, *(const uint32_t *)at));
        break;
    case STINT_MEMBER_INDEX:
        put_index(json, *(const size_t *)at);
        break;
    case STINT_MEMBER_CONTEXT:
        put_context(json, *(const size_t *)at);
        break;
    default:
        put_several(json, member, at);
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
        if (member->type == STINT_MEMBER_KIND)
            stint_json_string(json, stint_word((enum stint_words)member->of, table->word(row)));
        else
            put_value(json, member, (const char *)row + member->at);
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
        put_value(json, member, at);
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
