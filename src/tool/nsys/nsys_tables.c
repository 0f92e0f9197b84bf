/* Tables of a snapshot's rows, made from the members of rows (stat/members.h): a column for each member that is a
 * value, `id`, which is the row's position, and what is made for reports here. Numbers beyond those of SQLite are
 * texts. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "nsys/nsys.h"
#include "stat/members.h"
#include "stint/nvtx_stats.h"

struct table {
    const char *name;
    enum stint_row_kind kind;
    const char *made;                                                /* further columns */
    size_t numbers_at;                                               /* offset of the row's numbers; 0: it has none */
    void (*make)(struct stint_nsys_insert *adding, const void *row); /* NULL: none are made */
};

/* ------------------------------------------------------------------------------------------------------------ made */

static const char *domain_of(const char *set, const char **style)
{
    static const struct {
        const char *kind, *style;
    } kinds[] = {{STINT_NVTX_SET, "PushPop"},
                 {STINT_NVTX_START_END_SET, "StartEnd"},
                 {STINT_NVTX_MARK_SET, "Mark"},
                 {STINT_NVTX_COUNTER_SET, "Counter"},
                 {STINT_SYSTEM_SET, "System"}};
    *style = "";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *domain = stint_nsys_domain_in(set, kinds[i].kind);
        if (!domain)
            continue;
        *style = kinds[i].style;
        return domain;
    }
    return set;
}

static void make_value(struct stint_nsys_insert *adding, const void *row)
{
    const char *style;
    stint_nsys_put_text(adding, domain_of(((const struct stint_nvtx_value *)row)->set, &style));
    stint_nsys_put_text(adding, style);
}

/* A statistic may be a range, or a call of CUDA or of the C library. */
static void make_statistic(struct stint_nsys_insert *adding, const void *row)
{
    char name[2 * 4096 + 16]; /* a set and a name, of 4095 bytes at most, with what is between them */
    const struct stint_stat *stat = row;
    const char *style = stint_nsys_range_style(stat->set, stat->name);
    stint_nsys_put_text(
        adding, style ? stint_nsys_range_name(adding->nsys->snapshot, stat->set, stat->name, name, sizeof name) : NULL);
    stint_nsys_put_text(adding, style);
    stint_nsys_put_text(adding, stint_gpu_is_call(stat) ? "cuda" : stint_stat_is_os_call(stat) ? "os" : NULL);
}

static void make_activity(struct stint_nsys_insert *adding, const void *row)
{
    char text[512];
    const struct stint_gpu_activity *activity = row;
    stint_nsys_put_text(adding,
                        stint_nsys_operation(activity->kind, activity->direction, activity->name, text, sizeof text));
    stint_nsys_put_i64(adding, activity->direction);
}

const char *stint_nsys_operation(enum stint_gpu_kind kind, enum stint_gpu_direction direction, const char *name,
                                 char *out, size_t size)
{
    if (!direction)
        return name;
    (void)snprintf(out, size, "[CUDA memcpy %s%s]", kind == STINT_GPU_UNIFIED ? "Unified " : "",
                   stint_gpu_direction_words[direction].nsys);
    return out;
}

/* ---------------------------------------------------------------------------------------------------------- ranges */

const char *stint_nsys_domain_in(const char *set, const char *kind)
{
    size_t length = strlen(kind);
    if (strncmp(set, kind, length) != 0 || (set[length] && set[length] != ':'))
        return NULL;
    return set[length] ? set + length + 1 : "";
}

const char *stint_nsys_range_style(const char *set, const char *name)
{
    struct stint_stat stat = {.set = set, .name = name};
    if (stint_nsys_domain_in(set, STINT_NVTX_START_END_SET))
        return "StartEnd";
    if (stint_nsys_domain_in(set, STINT_NVTX_MARK_SET) || stint_nsys_domain_in(set, STINT_NVTX_COUNTER_SET) ||
        stint_gpu_is_call(&stat) || stint_stat_is_os_call(&stat) || stint_stat_is_adopted(&stat))
        return NULL;
    return "PushPop";
}

/* A scope is a push/pop range of the domain "stint", as in a tool that records scopes through NVTX (STINT_NVTX). */
const char *stint_nsys_range_name(const struct stint_snapshot *snapshot, const char *set, const char *name, char *out,
                                  size_t size)
{
    const char *domain = stint_nsys_domain_in(set, STINT_NVTX_START_END_SET);
    if (!domain)
        domain = stint_nsys_domain_in(set, STINT_NVTX_SET);
    if (domain)
        (void)snprintf(out, size, "%s:%s", domain, name);
    else if (snapshot->set_count && strcmp(set, snapshot->sets[0]) == 0)
        (void)snprintf(out, size, "stint:%s", name);
    else
        (void)snprintf(out, size, "stint:%s/%s", set, name);
    return out;
}

/* ----------------------------------------------------------------------------------------------------------- tables */

#define NUMBERS(row) offsetof(struct row, numbers)

static const struct table s_tables[] = {
    {"stint_process", STINT_ROWS_PROCESS, "", 0, NULL},
    {"stint_statistics", STINT_ROWS_STATS, ", range, style, calls", NUMBERS(stint_stat), make_statistic},
    {"stint_threads", STINT_ROWS_THREADS, "", 0, NULL},
    {"stint_thread_statistics", STINT_ROWS_THREAD_STATS, ", stat", 0, NULL},
    {"stint_scopes", STINT_ROWS_CONTEXTS, "", NUMBERS(stint_context), NULL},
    {"stint_gpu_devices", STINT_ROWS_GPU_DEVICES, "", 0, NULL},
    {"stint_gpu_activities", STINT_ROWS_GPU_ACTIVITIES, ", operation, direction", NUMBERS(stint_gpu_activity),
     make_activity},
    {"stint_gpu_charges", STINT_ROWS_GPU_CHARGES, "", 0, NULL},
    {"stint_gpu_instances", STINT_ROWS_GPU_INSTANCES, "", 0, NULL},
    {"stint_nvtx_values", STINT_ROWS_NVTX_VALUES, ", domain, style", 0, make_value},
};

/* Values that others follow from are not in the tables. */
static int is_column(const struct stint_member *member)
{
    return stint_member_is_value(member) && member->type < STINT_MEMBER_AVG;
}

static void bind_member(struct stint_nsys_insert *adding, const struct stint_row_table *table,
                        const struct stint_member *member, const char *row)
{
    struct stint_value value = stint_member_value(table, member, row);
    if (member->type == STINT_MEMBER_CONTEXT) /* those without a calling context are negative */
        stint_nsys_put_i64(adding, (int64_t) * (const size_t *)(const void *)(row + member->at));
    else if (value.kind == STINT_VALUE_TEXT || value.kind == STINT_VALUE_NONE)
        stint_nsys_put_text(adding, value.kind == STINT_VALUE_TEXT ? value.text : NULL);
    else if (value.kind == STINT_VALUE_REAL)
        (void)sqlite3_bind_double(adding->statement, adding->column++, value.real);
    else if (value.kind == STINT_VALUE_SIGNED)
        stint_nsys_put_i64(adding, value.integer);
    else
        stint_nsys_put_u64(adding, value.number);
}

static void create(struct stint_nsys *nsys, const struct table *table)
{
    const struct stint_row_table *rows = stint_row_tables[table->kind];
    char text[2048];
    size_t used = (size_t)snprintf(text, sizeof text, "CREATE TEMP TABLE %s(%s INTEGER PRIMARY KEY", table->name,
                                   table->kind == STINT_ROWS_GPU_DEVICES ? "place" : "id");
    for (size_t i = 0; i < rows->count; i++)
        if (is_column(&rows->members[i]))
            used += (size_t)snprintf(text + used, sizeof text - used, ", %s%s", rows->members[i].key,
                                     strcmp(rows->members[i].key, "set") == 0 ? "_name" : "");
    (void)snprintf(text + used, sizeof text - used, ", numbers%s)", table->made);
    stint_nsys_run(nsys, text);
}

static sqlite3_stmt *prepare_insert(struct stint_nsys *nsys, const char *table)
{
    char text[256];
    sqlite3_stmt *insert = NULL;
    int columns = 0;
    (void)snprintf(text, sizeof text, "SELECT * FROM temp.%s", table);
    if (!nsys->status && sqlite3_prepare_v2(nsys->database, text, -1, &insert, NULL) == SQLITE_OK)
        columns = sqlite3_column_count(insert);
    (void)sqlite3_finalize(insert);
    insert = NULL;
    int used = snprintf(text, sizeof text, "INSERT INTO temp.%s VALUES (?", table);
    while (columns-- > 1)
        used += snprintf(text + used, sizeof text - (size_t)used, ", ?");
    (void)snprintf(text + used, sizeof text - (size_t)used, ")");
    if (nsys->status || sqlite3_prepare_v2(nsys->database, text, -1, &insert, NULL))
        stint_nsys_fail(nsys);
    return insert;
}

/* Returns the number by which SQL knows the row's numbers. */
static size_t numbers_of(struct stint_nsys *nsys, const void *numbers)
{
    const void **row = stint_array_add(&nsys->numbers, &nsys->arena, sizeof *row);
    if (row)
        *row = numbers;
    else
        nsys->status = STINT_ERROR_NO_MEMORY;
    return nsys->numbers.count - 1;
}

static void add_row(struct stint_nsys *nsys, const struct table *table, sqlite3_stmt *insert, size_t id,
                    const char *row)
{
    const struct stint_row_table *rows = stint_row_tables[table->kind];
    struct stint_nsys_insert adding = {nsys, insert, 1};
    stint_nsys_put_i64(&adding, (int64_t)id);
    for (size_t i = 0; i < rows->count; i++)
        if (is_column(&rows->members[i]))
            bind_member(&adding, rows, &rows->members[i], row);
    if (table->numbers_at)
        stint_nsys_put_i64(&adding, (int64_t)numbers_of(nsys, row + table->numbers_at));
    else
        stint_nsys_put_text(&adding, NULL);
    if (table->make)
        table->make(&adding, row);
    else if (table->kind == STINT_ROWS_THREAD_STATS)
        stint_nsys_put_i64(&adding, (int64_t)((const struct stint_thread_stat *)(const void *)row)->stat);
    stint_nsys_put_end(&adding);
}

static void add_table(struct stint_nsys *nsys, const struct table *table, const void *rows, size_t count)
{
    create(nsys, table);
    sqlite3_stmt *insert = prepare_insert(nsys, table->name);
    for (size_t i = 0; i < count && !nsys->status; i++)
        add_row(nsys, table, insert, i, (const char *)rows + i * stint_row_tables[table->kind]->size);
    (void)sqlite3_finalize(insert);
}

void stint_nsys_add_snapshot(struct stint_nsys *nsys)
{
    const struct stint_snapshot *snapshot = nsys->snapshot;
    const struct stint_row_list lists[] = {
        {&snapshot->process, 1},
        {snapshot->stats, snapshot->stat_count},
        {snapshot->threads, snapshot->thread_count},
        {snapshot->thread_stats, snapshot->thread_stat_count},
        {snapshot->contexts, snapshot->context_count},
        {snapshot->gpu_devices, snapshot->gpu_device_count},
        {snapshot->gpu_activities, snapshot->gpu_activity_count},
        {snapshot->gpu_charges, snapshot->gpu_charge_count},
        {snapshot->gpu_instances, snapshot->gpu_instance_count},
        {snapshot->nvtx_values, snapshot->nvtx_value_count},
    };
    for (size_t i = 0; i < sizeof s_tables / sizeof s_tables[0]; i++)
        add_table(nsys, &s_tables[i], lists[i].rows, lists[i].count);
}
