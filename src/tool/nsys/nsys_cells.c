/* Rows of SQL as cells of a sheet, in the layout of nsys stats: digits are grouped by thousands in tables, but not in
 * CSV; times keep the precision of nanoseconds in every unit. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "nsys/nsys.h"
#include "report/line.h"
#include "support/annotation.h"

/* --------------------------------------------------------------------------------------------------------- columns */

/* Without memory SQLite has no name for a column. */
struct stint_nsys_title stint_nsys_title(const char *name)
{
    stint_memory_lacked |= !name;
    name = name ? name : "";
    struct stint_nsys_title title = {.title = name, .title_length = (int)strcspn(name, ":")};
    title.type = name + title.title_length;
    title.type += *title.type == ':';
    title.type_length = (int)strcspn(title.type, ":");
    if (title.type[title.type_length])
        title.order = (unsigned)atoi(title.type + title.type_length + 1) & 0xff;
    return title;
}

int stint_nsys_is_type(const struct stint_nsys_title *title, const char *type)
{
    return strlen(type) == (size_t)title->type_length && strncmp(title->type, type, strlen(type)) == 0;
}

enum value { PLAIN, TIME, BYTES, RATE, SHARE, NAME, TEXT, ID, ONE_DECIMAL, EXACT };

static const struct {
    const char *type;
    enum value value;
    enum stint_column_unit unit;
    const char *suffix; /* of the title */
} s_types[] = {
    {"", PLAIN, STINT_COLUMN_PLAIN, ""},
    {"ts_ns", TIME, STINT_COLUMN_TIME, ""},
    {"dur_ns", TIME, STINT_COLUMN_TIME, ""},
    {"mem_B", BYTES, STINT_COLUMN_PLAIN, " (MB)"},
    {"thru_MB", RATE, STINT_COLUMN_PLAIN, " (MB/s)"},
    {"ratio_%", SHARE, STINT_COLUMN_SHARE, ""},
    {"name", NAME, STINT_COLUMN_NAME, ""},
    {"text", TEXT, STINT_COLUMN_PLAIN, ""},
    {"id", ID, STINT_COLUMN_PLAIN, ""},
    {"num_1", ONE_DECIMAL, STINT_COLUMN_PLAIN, ""},
    {"value", EXACT, STINT_COLUMN_PLAIN, ""},
};

static size_t type_of(const struct stint_nsys_title *title)
{
    size_t type = sizeof s_types / sizeof s_types[0];
    while (--type && !stint_nsys_is_type(title, s_types[type].type))
        ;
    return type;
}

int stint_nsys_rows_begin(struct stint_nsys_rows *rows, struct sqlite3_stmt *statement)
{
    rows->statement = statement;
    rows->count = 0;
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        struct stint_nsys_title title = stint_nsys_title(sqlite3_column_name(statement, i));
        if (stint_nsys_is_type(&title, "note") || stint_nsys_is_type(&title, "rest"))
            continue;
        if (rows->count == STINT_SHEET_COLUMNS)
            return -1;
        size_t type = type_of(&title);
        char *text = rows->titles[rows->count];
        int room = (int)sizeof rows->titles[0] - (int)strlen(s_types[type].suffix);
        int length = title.title_length < room ? title.title_length : room - 1;
        memcpy(text, title.title, (size_t)length);
        memcpy(text + length, s_types[type].suffix, strlen(s_types[type].suffix) + 1);
        rows->columns[rows->count] =
            (struct stint_column){.key = text,
                                  .title = text,
                                  .unit = s_types[type].unit,
                                  .hide = (unsigned char)title.order,
                                  .left = s_types[type].value == NAME || s_types[type].value == TEXT,
                                  .value = (unsigned char)s_types[type].value};
        rows->from[rows->count++] = i;
    }
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- cells */

/* Puts a comma between groups of three digits in front of the decimal point. */
static void separate(char *number)
{
    size_t sign = *number == '-';
    size_t digits = strspn(number + sign, "0123456789");
    if (number[sign + digits] && number[sign + digits] != '.')
        return; /* has an exponent */
    number += sign;
    for (size_t at = digits; at > 3;) {
        at -= 3;
        memmove(number + at + 1, number + at, strlen(number + at) + 1);
        number[at] = ',';
    }
}

static void put_fixed(const struct stint_nsys_rows *rows, char *out, double value, unsigned decimals)
{
    stint_number_fixed(out, value, decimals);
    if (!rows->csv)
        separate(out);
}

/* A number of SQL; one beyond SQLite's integers is a text. */
static void put_whole(char *out, sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    text += text && *text == ' ';
    size_t length = text ? strlen(text) : 0, most = STINT_NUMBER_SIZE - 1;
    memcpy(out, text ? text : "", length < most ? length : most);
    out[length < most ? length : most] = '\0';
}

/* A time that was computed has a decimal. A time in another unit keeps the precision of nanoseconds. */
static void put_time(const struct stint_nsys_rows *rows, char *out, int column)
{
    static const unsigned decimals[] = {[STINT_UNIT_S] = 9, [STINT_UNIT_MS] = 6, [STINT_UNIT_US] = 3};
    double ns = sqlite3_column_double(rows->statement, column);
    if (rows->unit != STINT_UNIT_NS)
        put_fixed(rows, out, ns / (double)stint_unit_ns(rows->unit), decimals[rows->unit]);
    else if (sqlite3_column_type(rows->statement, column) == SQLITE_FLOAT)
        put_fixed(rows, out, ns, 1);
    else {
        put_whole(out, rows->statement, column);
        if (!rows->csv)
            separate(out);
    }
}

/* The unit is the program's own and not known: CSV has the exact number; tables have all digits of a whole number, and
 * six digits of others. */
static void put_exact(const struct stint_nsys_rows *rows, char *out, double value)
{
    enum { MOST_DIGITS = 15 };
    char *digits = out + (value < 0);
    stint_number_exact(out, value);
    if (rows->csv)
        return;
    if (strlen(digits) > MOST_DIGITS || strspn(digits, "0123456789") != strlen(digits))
        stint_number_general(out, value);
    else
        separate(digits);
}

/* A number beyond SQLite's integers is a text of digits. */
static void put_plain(const struct stint_nsys_rows *rows, struct stint_sheet *sheet, size_t at, int column)
{
    enum { MOST_DIGITS = 20 };
    char *out = stint_sheet_text(sheet, at);
    const char *text = (const char *)sqlite3_column_text(rows->statement, column);
    if (sqlite3_column_type(rows->statement, column) == SQLITE_FLOAT) {
        put_exact(rows, out, sqlite3_column_double(rows->statement, column));
    } else if (text && strlen(text) <= MOST_DIGITS && strspn(text, " -0123456789") == strlen(text)) {
        put_whole(out, rows->statement, column);
        if (!rows->csv)
            separate(out);
    } else {
        stint_sheet_string(sheet, at, text);
    }
}

static void put_cell(const struct stint_nsys_rows *rows, struct stint_sheet *sheet, size_t at)
{
    int column = rows->from[at];
    char *out = stint_sheet_text(sheet, at);
    double number = sqlite3_column_double(rows->statement, column);
    switch ((enum value)rows->columns[at].value) {
    case TIME:
        put_time(rows, out, column);
        break;
    case BYTES:
        put_fixed(rows, out, number * 1e-6, 3);
        break;
    case RATE:
        put_fixed(rows, out, number, 3);
        break;
    case SHARE:
    case ONE_DECIMAL:
        put_fixed(rows, out, number, 1);
        break;
    case EXACT:
        put_exact(rows, out, number);
        break;
    case ID:
        put_whole(out, rows->statement, column);
        break;
    case NAME:
    case TEXT:
        stint_sheet_string(sheet, at, (const char *)sqlite3_column_text(rows->statement, column));
        break;
    default:
        put_plain(rows, sheet, at, column);
    }
}

int stint_nsys_next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct stint_nsys_rows *rows = context;
    if (!*next)
        (void)sqlite3_reset(rows->statement);
    if (sqlite3_step(rows->statement) != SQLITE_ROW)
        return 0;
    (*next)++;
    for (size_t i = 0; i < rows->count; i++)
        if (sqlite3_column_type(rows->statement, rows->from[i]) != SQLITE_NULL)
            put_cell(rows, sheet, i);
    return 1;
}

/* ------------------------------------------------------------------------------------------------- names of kernels */

int stint_nsys_has_kernels(enum stint_report report)
{
    switch (report) {
    case STINT_REPORT_NVTX_KERN_SUM:
    case STINT_REPORT_CUDA_GPU_KERN_SUM:
    case STINT_REPORT_CUDA_GPU_KERN_GB_SUM:
    case STINT_REPORT_CUDA_GPU_SUM:
    case STINT_REPORT_CUDA_API_GPU_SUM:
    case STINT_REPORT_CUDA_KERN_EXEC_SUM:
    case STINT_REPORT_CUDA_KERN_EXEC_TRACE:
    case STINT_REPORT_CUDA_GPU_TRACE:
        return 1;
    default:
        return 0;
    }
}

/* "gemm" of "void ns::gemm<float>(float const*)": the last part of the name, up to its template's arguments. */
static const char *base_of(struct stint_nsys *nsys, const char *name)
{
    size_t length, depth = 0;
    const char *part = stint_bare_name(name, &length), *end = part + length;
    for (const char *at = part; at < end; at++) {
        depth += strchr("<([{", *at) != NULL;
        if (strchr(">)]}", *at) && depth)
            depth--;
        if (!depth && at[0] == ':' && at[1] == ':')
            part = at + 2;
    }
    size_t shown = strcspn(part, "<");
    const char *copy = stint_arena_copy(&nsys->arena, part, shown && part + shown < end ? shown : (size_t)(end - part));
    return copy ? copy : "";
}

/* Events do not have mangled names, but activities of the same name do. */
static const char *mangled_of(const struct stint_snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind == STINT_GPU_KERNEL && *activity->mangled && strcmp(activity->name, name) == 0)
            return activity->mangled;
    }
    return NULL;
}

const char *stint_nsys_kernel_name(struct stint_nsys *nsys, const char *name, const char *mangled)
{
    if (nsys->kernels == STINT_KERNELS_BASE)
        return base_of(nsys, name);
    if (*mangled)
        return mangled;
    const char *found = mangled_of(nsys->snapshot, name);
    if (!found && nsys->events)
        found = mangled_of(nsys->events->snapshot, name);
    return found ? found : name;
}
