#include "store/sql.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stint_test.h"

/* ---------------------------------------------------------------------------------------------------------- helpers */

static char s_path[64];

static int make_path(void **state)
{
    static char folder[] = "/tmp/stint-sql-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder))
        return -1;
    (void)snprintf(s_path, sizeof s_path, "%s/a.db", folder);
    return 0;
}

static int remove_path(void **state)
{
    return system("rm -rf \"$PWD\"");
}

/* Makes a file that anybody could have made. */
static void make_file(const char *statements)
{
    sqlite3 *database;
    (void)unlink(s_path);
    assert_int_equal(sqlite3_open(s_path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, statements, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

static int64_t number(struct stint_sql *sql, const char *text)
{
    struct stint_sql_query query = stint_sql_query(sql, text);
    int64_t value = stint_sql_step(&query) ? stint_sql_i64(&query, 0) : -1;
    stint_sql_end(&query);
    return value;
}

static void assert_failed(struct stint_sql *sql, const char *reason)
{
    assert_true(sql->failed);
    if (!strstr(sql->reason, reason))
        fail_msg("'%s' has no '%s'", sql->reason, reason);
    stint_sql_close(sql);
}

/* ------------------------------------------------------------------------------------------------------------ query */

TEST_ONCE(make_path, remove_path)

TEST(rows_are_read_as_they_were_bound)
{
    struct stint_sql sql;
    assert_int_equal(stint_sql_create(&sql, s_path), 0);
    assert_int_equal(stint_sql_run(&sql, "CREATE TABLE t(a, b, c, d)"), 0);
    struct stint_sql_query query = stint_sql_query(&sql, "INSERT INTO t VALUES (?1, ?2, ?3, ?4)");
    stint_sql_bind_i64(&query, 1, INT64_MIN);
    stint_sql_bind_text(&query, 2, "texts", 4);
    stint_sql_bind_null(&query, 3);
    stint_sql_bind_blob(&query, 4, "\0\1", 2);
    stint_sql_do(&query);
    stint_sql_end(&query);
    query = stint_sql_query(&sql, "SELECT a, b, c, hex(d) FROM t");
    assert_int_equal(stint_sql_step(&query), 1);
    assert_true(stint_sql_i64(&query, 0) == INT64_MIN);
    assert_string_equal(stint_sql_text(&query, 1), "text");
    assert_int_equal(stint_sql_length(&query, 1), 4);
    assert_true(stint_sql_is_null(&query, 2));
    assert_string_equal(stint_sql_text(&query, 2), "");
    assert_string_equal(stint_sql_text(&query, 3), "0001");
    assert_int_equal(stint_sql_step(&query), 0);
    stint_sql_end(&query);
    assert_false(sql.failed);
    stint_sql_close(&sql);
}

TEST(after_a_failure_nothing_happens_and_the_first_reason_stays)
{
    struct stint_sql sql;
    assert_int_equal(stint_sql_create(&sql, s_path), 0);
    assert_int_equal(stint_sql_run(&sql, "CREATE TABLE t(a); INSERT INTO t VALUES (1)"), 0);
    assert_int_equal(number(&sql, "SELECT b FROM t"), -1);
    assert_int_equal(stint_sql_run(&sql, "DROP TABLE t"), -1);
    struct stint_sql_query query = stint_sql_query(&sql, "SELECT a FROM t");
    stint_sql_bind_i64(&query, 1, 1);
    assert_int_equal(stint_sql_step(&query), 0);
    assert_int_equal(stint_sql_i64(&query, 0), 0);
    assert_string_equal(stint_sql_text(&query, 0), "");
    stint_sql_reset(&query);
    stint_sql_end(&query);
    assert_int_equal(stint_sql_fail(&sql, "another"), -1);
    assert_failed(&sql, "no such column: b");
}

/* -------------------------------------------------------------------------------------------------------- hostility */

TEST(what_is_no_database_is_said_to_be_none)
{
    struct stint_sql sql;
    FILE *file = fopen(s_path, "w");
    assert_non_null(file);
    (void)fputs("{\"format\": \"stint-report\", and so on, for longer than the head of a database is, which is 100}",
                file);
    (void)fclose(file);
    assert_int_equal(stint_sql_open(&sql, s_path), -1);
    assert_failed(&sql, "not an SQLite database");
}

TEST(a_file_that_is_not_there_is_not_made)
{
    struct stint_sql sql;
    assert_int_equal(stint_sql_open(&sql, "nowhere.db"), -1);
    assert_failed(&sql, "unable to open");
    assert_int_equal(access("nowhere.db", F_OK), -1);
}

TEST(a_name_is_that_of_a_file_whatever_sqlite_means_by_it)
{
    static const char *const names[] = {":memory:", "file:x?mode=memory", "%41.db"};
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        struct stint_sql sql;
        assert_int_equal(stint_sql_create(&sql, names[i]), 0);
        assert_int_equal(stint_sql_run(&sql, "CREATE TABLE t(a)"), 0);
        stint_sql_close(&sql);
        assert_int_equal(access(names[i], F_OK), 0);
        assert_int_equal(stint_sql_open(&sql, names[i]), 0);
        assert_true(stint_sql_has_table(&sql, "t"));
        stint_sql_close(&sql);
    }
}

TEST(a_file_that_is_read_is_not_changed)
{
    struct stint_sql sql;
    make_file("CREATE TABLE t(a)");
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_int_equal(stint_sql_run(&sql, "INSERT INTO t VALUES (1)"), -1);
    assert_failed(&sql, "readonly");
}

TEST(views_are_no_tables)
{
    struct stint_sql sql;
    make_file("CREATE TABLE real(a, b); CREATE VIEW seen AS SELECT 1 AS a");
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_true(stint_sql_has_table(&sql, "REAL"));
    assert_true(stint_sql_has_column(&sql, "real", "a"));
    assert_true(stint_sql_has_column(&sql, "real", "B"));
    assert_false(stint_sql_has_column(&sql, "real", "c"));
    assert_false(stint_sql_has_table(&sql, "seen"));
    assert_false(stint_sql_has_column(&sql, "seen", "a"));
    assert_false(stint_sql_has_table(&sql, "real' OR 1 --"));
    assert_false(sql.failed);
    stint_sql_close(&sql);
}

#define THOUSAND_ROWS                                                                                                  \
    "CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "               \
    "INSERT INTO t SELECT i FROM n"

TEST(a_view_cannot_be_read)
{
    static const char *const views[] = {
        "CREATE VIEW t AS SELECT 1 AS a",
        "CREATE TABLE u(a); CREATE VIEW t AS SELECT a FROM u",
        "CREATE VIEW v AS SELECT 1 AS a; CREATE VIEW t AS SELECT a FROM v",
        "CREATE VIEW t AS SELECT replace(hex(zeroblob(1000)), '0', hex(zeroblob(100000))) AS a",
        "CREATE VIEW t AS WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT a FROM n",
    };
    static const char *const queries[] = {"SELECT a FROM t", "SELECT count(*) FROM t", "SELECT 1 FROM t LIMIT 1",
                                          "SELECT max(b) FROM (SELECT a AS b FROM t)"};
    struct stint_sql sql;
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
        for (size_t j = 0; j < sizeof queries / sizeof queries[0]; j++) {
            make_file(views[i]);
            assert_int_equal(stint_sql_open(&sql, s_path), 0);
            assert_int_equal(number(&sql, queries[j]), -1);
            assert_failed(&sql, "views or generated columns");
        }
}

TEST(temporary_views_can_be_read_but_those_of_the_file_cannot)
{
    struct stint_sql sql;
    assert_int_equal(stint_sql_create(&sql, s_path), 0);
    assert_int_equal(stint_sql_run(&sql, "CREATE TABLE t(a); INSERT INTO t VALUES (1); CREATE VIEW v AS SELECT 2 AS a"),
                     0);
    stint_sql_close(&sql);
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_int_equal(stint_sql_run(&sql, "CREATE TEMP TABLE own(a)"), -1);
    assert_failed(&sql, "readonly");
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_int_equal(stint_sql_allow_temporary(&sql), 0);
    assert_int_equal(
        stint_sql_run(&sql, "CREATE TEMP VIEW own AS WITH w AS (SELECT a FROM t) SELECT a + 4 AS a FROM w"), 0);
    assert_int_equal(number(&sql, "SELECT a FROM own"), 5);
    assert_int_equal(number(&sql, "SELECT a FROM v"), -1);
    assert_failed(&sql, "views or generated columns in place of tables");
}

TEST(a_generated_column_cannot_be_read)
{
    struct stint_sql sql;
    make_file("CREATE TABLE t(a, b AS (hex(zeroblob(a))), c AS (a + 1) STORED); INSERT INTO t VALUES (7)");
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_int_equal(number(&sql, "SELECT a FROM t"), 7);
    assert_int_equal(number(&sql, "SELECT c FROM t"), 8);
    assert_int_equal(number(&sql, "SELECT 1 FROM t WHERE B = 'x'"), -1);
    assert_failed(&sql, "views or generated columns");
}

TEST(a_file_with_virtual_tables_is_refused)
{
    struct stint_sql sql;
    make_file("CREATE VIRTUAL TABLE t USING fts4(a)");
    assert_int_equal(stint_sql_open(&sql, s_path), -1);
    assert_failed(&sql, "virtual tables");
}

/* The file says of it where other tables begin, which virtual ones do not. */
TEST(no_code_of_a_virtual_table_runs)
{
    struct stint_sql sql;
    make_file("CREATE TABLE u(a); PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES "
              "('table', 't', 't', 2, 'CREATE VIRTUAL TABLE t USING fts4(a)')");
    assert_int_equal(stint_sql_open(&sql, s_path), -1);
    assert_failed(&sql, "no such module");
}

TEST(no_value_is_larger_than_the_file_can_hold)
{
    struct stint_sql sql;
    make_file("CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(3000000))");
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_int_equal(number(&sql, "SELECT length(hex(a)) FROM t"), 6000000);
    assert_int_equal(number(&sql, "SELECT length(hex(hex(a))) FROM t"), -1);
    assert_failed(&sql, "too big");
}

TEST(a_query_that_never_ends_is_ended)
{
    struct stint_sql sql;
    make_file(THOUSAND_ROWS);
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_int_equal(number(&sql, "SELECT count(*) FROM t AS a, t AS b, t AS c, t AS d"), -1);
    assert_failed(&sql, "more work");
}

TEST(each_query_may_take_as_much_work_as_the_first)
{
    static const char text[] = "SELECT count(*) FROM t AS a, t AS b WHERE a.a <= 50";
    struct stint_sql sql;
    make_file(THOUSAND_ROWS);
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(number(&sql, text), 50000);
    struct stint_sql_query query = stint_sql_query(&sql, text);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(stint_sql_step(&query), 1);
        stint_sql_reset(&query);
    }
    stint_sql_end(&query);
    assert_false(sql.failed);
    stint_sql_close(&sql);
}

TEST(a_damaged_page_is_a_failure)
{
    struct stint_sql sql;
    make_file("CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
              "INSERT INTO t SELECT hex(randomblob(20)) FROM n");
    FILE *file = fopen(s_path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 4096, SEEK_SET), 0);
    for (long at = 4096; at < 409600; at++)
        (void)fputc((int)(at * 7 & 255), file);
    (void)fclose(file);
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_int_equal(number(&sql, "SELECT count(a) FROM t"), -1);
    assert_failed(&sql, "damaged");
}

/* ----------------------------------------------------------------------------------------------------------- killed */

/* Dies with rows of a transaction in the file, as a small cache makes SQLite write them. */
static void die_while_writing(void)
{
    struct stint_sql sql;
    if (stint_sql_create(&sql, s_path) == 0 &&
        stint_sql_run(&sql, "PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=OFF; PRAGMA cache_size=2;"
                            "CREATE TABLE t(a); INSERT INTO t VALUES ('kept'); BEGIN;"
                            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
                            "INSERT INTO t SELECT hex(zeroblob(1000)) FROM n") == 0)
        _exit(0);
    _exit(1);
}

static int64_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_size : -1;
}

static void write_beside(const char *suffix, const char *text)
{
    char path[sizeof s_path + 16];
    (void)snprintf(path, sizeof path, "%s%s", s_path, suffix);
    (void)unlink(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void remove_beside(void)
{
    static const char *const suffixes[] = {"-journal", "-wal", "-shm"};
    for (size_t i = 0; i < TEST_COUNT(suffixes); i++) {
        char path[sizeof s_path + 16];
        (void)snprintf(path, sizeof path, "%s%s", s_path, suffixes[i]);
        (void)unlink(path);
    }
}

static void check_refused(void)
{
    struct stint_sql sql;
    int64_t before = size_of(s_path);
    assert_int_equal(stint_sql_open(&sql, s_path), -1);
    assert_failed(&sql, "there is a file");
    assert_int_equal(size_of(s_path), before);
}

TEST(what_a_killed_program_had_not_completed_is_neither_read_nor_taken_back)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        die_while_writing();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    check_refused();
    remove_beside();
}

/* The journal tells SQLite to remove the file that it names at its end. */
TEST(a_journal_removes_no_other_file)
{
    make_file("CREATE TABLE t(a)");
    write_beside("-other", "precious");
    write_beside("-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7");
    check_refused();
    remove_beside();
    assert_int_equal(symlink("a.db-other", "a.db-journal"), 0);
    check_refused();
    assert_int_equal(size_of("a.db-other"), 8);
    remove_beside();
    (void)unlink("a.db-other");
}

TEST(a_file_with_a_log_is_refused)
{
    make_file("CREATE TABLE t(a)");
    write_beside("-wal", "\x37\x7f\x06\x82");
    check_refused();
    remove_beside();
}

TEST(a_journal_that_is_over_does_not_matter)
{
    struct stint_sql sql;
    make_file("PRAGMA journal_mode=PERSIST; CREATE TABLE t(a)");
    assert_true(size_of("a.db-journal") > 0);
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_int_equal(number(&sql, "SELECT count(*) FROM t"), 0);
    stint_sql_close(&sql);
    remove_beside();
}

TEST(nothing_is_made_beside_a_file_that_had_a_log)
{
    struct stint_sql sql;
    make_file("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES (7)");
    assert_int_equal(symlink("victim", "a.db-shm"), 0);
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_int_equal(number(&sql, "SELECT a FROM t"), 7);
    stint_sql_close(&sql);
    assert_int_equal(size_of("victim"), -1);
    assert_int_equal(size_of("a.db-wal"), -1);
    remove_beside();
}

TEST(a_link_has_the_files_beside_what_it_leads_to)
{
    struct stint_sql sql;
    make_file("CREATE TABLE t(a)");
    assert_int_equal(symlink(s_path, "link.db"), 0);
    write_beside("-journal", "1");
    assert_int_equal(stint_sql_open(&sql, "link.db"), -1);
    assert_failed(&sql, "there is a file");
    assert_int_equal(unlink("link.db"), 0);
    remove_beside();
}

TEST(a_file_that_had_a_log_may_have_any_name)
{
    struct stint_sql sql;
    make_file("PRAGMA journal_mode=WAL; CREATE TABLE t(a)");
    assert_int_equal(rename(s_path, "odd?name=%20#.db"), 0);
    assert_int_equal(stint_sql_open(&sql, "odd?name=%20#.db"), 0);
    assert_true(stint_sql_has_table(&sql, "t"));
    stint_sql_close(&sql);
}

TEST(a_file_made_anew_is_not_the_one_that_a_link_leads_to)
{
    struct stint_sql sql;
    make_file("CREATE TABLE t(a)");
    (void)unlink("link.db");
    assert_int_equal(symlink(s_path, "link.db"), 0);
    assert_int_equal(stint_sql_create(&sql, "link.db"), 0);
    stint_sql_close(&sql);
    assert_int_equal(stint_sql_open(&sql, s_path), 0);
    assert_true(stint_sql_has_table(&sql, "t"));
    stint_sql_close(&sql);
}
