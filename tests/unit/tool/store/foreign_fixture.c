#include "foreign_fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/golden.h"
#include "report/report.h"
#include "stint/statset.h"
#include "stint_test.h"

static char s_path[] = "/tmp/stint_foreign_XXXXXX";
static int s_made;

static void remove_file(void)
{
    unlink(s_path);
}

static void make_path(void)
{
    if (!s_made) {
        int file = mkstemp(s_path);
        assert_true(file >= 0);
        close(file);
        atexit(remove_file);
        s_made = 1;
    }
    assert_int_equal(truncate(s_path, 0), 0);
}

static void run(sqlite3 *database, const char *statements)
{
    char *error = NULL;
    if (sqlite3_exec(database, statements, NULL, NULL, &error))
        fail_msg("%s", error);
}

static char *read_file(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", STINT_FOREIGN_DIR, name);
    FILE *file = fopen(path, "re");
    char *text = calloc(1, 1 << 20);
    assert_non_null(file);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    assert_true(length > 0);
    fclose(file);
    return text;
}

const char *foreign_fixture(const char *file, const char *statements)
{
    sqlite3 *database;
    make_path();
    assert_int_equal(sqlite3_open(s_path, &database), SQLITE_OK);
    run(database, "PRAGMA synchronous=OFF; BEGIN");
    if (file) {
        char *text = read_file(file);
        run(database, text);
        free(text);
    }
    if (statements)
        run(database, statements);
    run(database, "COMMIT");
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    return s_path;
}

/* ---------------------------------------------------------------------------------------------------------- checks */

static char s_reason[160];
struct stint_foreign *foreign_opened;

const struct stint_snapshot *foreign_open(const char *file, const char *statements)
{
    foreign_opened = stint_foreign_open(foreign_fixture(file, statements), s_reason, sizeof s_reason);
    if (!foreign_opened)
        fail_msg("%s", s_reason);
    return stint_foreign_snapshot(foreign_opened);
}

int foreign_close(void **state)
{
    stint_foreign_close(foreign_opened);
    foreign_opened = NULL;
    return 0;
}

void foreign_assert_refused(const char *path, const char *reason)
{
    foreign_opened = stint_foreign_open(path, s_reason, sizeof s_reason);
    assert_null(foreign_opened);
    if (!strstr(s_reason, reason))
        fail_msg("'%s' is not in '%s'", reason, s_reason);
}

const struct stint_stat *foreign_stat(const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    const struct stint_stat *stat = stint_snapshot_find(snapshot, set, name);
    if (!stat)
        fail_msg("there is no %s in %s", name, set);
    return stat;
}

const char *foreign_path(const struct stint_snapshot *snapshot, size_t context)
{
    static char path[400];
    char rest[400] = "";
    if (context == STINT_GPU_NO_SCOPE)
        return "(no scope)";
    if (context == STINT_GPU_UNATTRIBUTED)
        return "(unattributed)";
    for (; context != STINT_NO_PARENT; context = snapshot->contexts[context].parent) {
        snprintf(path, sizeof path, "%.99s%s%.250s", snapshot->stats[snapshot->contexts[context].stat].name,
                 *rest ? "/" : "", rest);
        memcpy(rest, path, sizeof rest);
    }
    return path;
}

const struct stint_gpu_charge *foreign_charge(const struct stint_snapshot *snapshot, const char *activity,
                                              const char *path)
{
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++) {
        const struct stint_gpu_charge *charge = &snapshot->gpu_charges[i];
        if (!strncmp(snapshot->gpu_activities[charge->activity].name, activity, strlen(activity)) &&
            !strcmp(foreign_path(snapshot, charge->context), path))
            return charge;
    }
    fail_msg("no %s in %s", activity, path);
    return NULL;
}

void foreign_assert_reports(const char *file, int are_csv, const char *golden)
{
    static const char *const tables[] = {"table",        "tree",        "nvprof", "nvtx_sum", "nvtx_kern_sum",
                                         "cuda_api_sum", "nvprof-nvtx", "gpu",    NULL};
    static const char *const csv[] = {"csv", "nvprof:csv", "cuda_gpu_sum:csv", "nvtx_values:csv", NULL};
    const struct stint_snapshot *snapshot = foreign_open(file, NULL);
    struct capture out = {0};
    struct stint_layout layout = {0};
    for (const char *const *name = are_csv ? csv : tables; *name; name++) {
        struct stint_report_form form;
        assert_int_equal(stint_report_form_read(&form, *name, strlen(*name)), 0);
        assert_int_equal(stint_report_form_write(snapshot, &form, &layout, capture_write, &out), STINT_OK);
    }
    assert_golden(out, golden);
}

const struct stint_gpu_activity *foreign_activity(const struct stint_snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (!strcmp(snapshot->gpu_activities[i].name, name))
            return &snapshot->gpu_activities[i];
    fail_msg("there is no %s", name);
    return NULL;
}
