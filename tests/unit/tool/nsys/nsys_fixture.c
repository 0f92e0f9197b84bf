#include "nsys/nsys_fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"
#include "stint/report.h"
#include "stint_test.h"

struct capture nsys_write(const struct stint_snapshot *snapshot, const char *name, int csv, unsigned columns)
{
    const struct stint_layout layout = {.columns = columns};
    struct capture out = {0};
    assert_int_equal(stint_report_named(snapshot, name, csv, &layout, capture_write, &out), STINT_OK);
    return out;
}

struct capture nsys_write_all(const struct stint_snapshot *snapshot, int csv, unsigned columns)
{
    const struct stint_layout layout = {.columns = columns};
    struct capture out = {0};
    const char *name;
    for (size_t i = STINT_REPORT_NSYS; (name = stint_report_name_at(i)); i++) {
        if (csv && i > STINT_REPORT_NSYS)
            assert_int_equal(capture_write(&out, "\n", 1), 0);
        assert_int_equal(stint_report_named(snapshot, name, csv, &layout, capture_write, &out), STINT_OK);
    }
    return out;
}

void nsys_check(const struct stint_snapshot *snapshot, int csv, unsigned columns, const char *file)
{
    assert_golden(nsys_write_all(snapshot, csv, columns), file);
}

struct stint_numbers nsys_once(uint64_t ns)
{
    return (struct stint_numbers){
        .count = 1, .total_ns = ns, .min_ns = ns, .max_ns = ns, .square_ns2 = (double)ns * (double)ns};
}

void nsys_expect(const struct stint_snapshot *snapshot, const char *name, const char *row)
{
    struct capture out = nsys_write(snapshot, name, 1, 0);
    if (!strstr(out.text, row))
        fail_msg("%s has no row %s:\n%s", name, row, out.text);
}

void nsys_expect_of(const struct stint_snapshot *snapshot, enum stint_report report, enum stint_kernel_names kernels,
                    const char *row)
{
    struct capture out = {0};
    const struct stint_report_form form = {.report = report, .csv = 1, .kernels = kernels};
    assert_int_equal(stint_report_form_write(snapshot, &form, NULL, capture_write, &out), STINT_OK);
    if (!strstr(out.text, row))
        fail_msg("there is no row %s:\n%s", row, out.text);
}

void nsys_refuse(const struct stint_snapshot *snapshot, const char *name, const char *text)
{
    struct capture out = nsys_write(snapshot, name, 1, 0);
    if (strstr(out.text, text))
        fail_msg("%s has %s:\n%s", name, text, out.text);
}

struct stint_snapshot nsys_of_stats(const struct stint_stat *stats, size_t count)
{
    return (struct stint_snapshot){.size = sizeof(struct stint_snapshot),
                                   .process = {.command = "./program"},
                                   .stats = stats,
                                   .stat_count = count,
                                   .gpu = {.reason = ""}};
}

/* ------------------------------------------------------------------------------------------------------- database */

struct stint_nsys nsys_memory;

int nsys_open_memory(void **state)
{
    nsys_memory = (struct stint_nsys){.status = STINT_OK};
    assert_int_equal(sqlite3_open(":memory:", &nsys_memory.database), SQLITE_OK);
    stint_nsys_add_functions(&nsys_memory);
    stint_nsys_add_range_functions(&nsys_memory);
    stint_nsys_run(&nsys_memory, "CREATE TABLE t(x)");
    assert_int_equal(nsys_memory.status, STINT_OK);
    return 0;
}

int nsys_close_memory(void **state)
{
    return sqlite3_close(nsys_memory.database);
}

void nsys_expect_rows(const char *query, const char *rows)
{
    char text[512] = "";
    size_t used = 0;
    sqlite3_stmt *select = NULL;
    assert_int_equal(sqlite3_prepare_v2(nsys_memory.database, query, -1, &select, NULL), SQLITE_OK);
    while (sqlite3_step(select) == SQLITE_ROW) {
        const char *value = (const char *)sqlite3_column_text(select, 0);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? " " : "", value ? value : "NULL");
    }
    assert_int_equal(sqlite3_finalize(select), SQLITE_OK);
    assert_string_equal(text, rows);
}
