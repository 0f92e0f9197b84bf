#include "foreign_fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
