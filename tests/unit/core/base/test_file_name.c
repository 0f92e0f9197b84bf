#include "base/whole_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stint_test.h"

static const char *s_host; /* NULL: unknown */

int __wrap_gethostname(char *name, size_t length);

int __wrap_gethostname(char *name, size_t length)
{
    if (!s_host) {
        errno = EFAULT;
        return -1;
    }
    snprintf(name, length, "%s", s_host);
    return 0;
}

static const char *const s_ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
                                      "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "RANK"};

static int setup(void **state)
{
    s_host = "node7";
    for (size_t i = 0; i < TEST_COUNT(s_ranks); ++i)
        unsetenv(s_ranks[i]);
    return 0;
}

static void assert_prepared(const char *pattern, const char *expected)
{
    char out[256];
    assert_int_equal(stint_path_prepare(out, sizeof out, pattern), STINT_OK);
    assert_string_equal(out, expected);
}

static void assert_finished(const char *prepared, const char *expected)
{
    char out[256];
    assert_int_equal(stint_path_finish(out, sizeof out, prepared), STINT_OK);
    assert_string_equal(out, expected);
}

static void assert_refused(const char *pattern)
{
    char out[256];
    if (stint_path_prepare(out, sizeof out, pattern) != STINT_ERROR_INVALID_ARGUMENT)
        fail_msg("accepted: %s", pattern);
}

/* ---------------------------------------------------------------------------------------------------------- prepare */

TEST_SETUP(plain_text_stays, setup)
{
    assert_prepared("", "");
    assert_prepared("/tmp/a b/$x{}.json", "/tmp/a b/$x{}.json");
    assert_prepared("日本/\xff", "日本/\xff");
}

TEST_SETUP(what_a_fork_changes_stays_a_pattern, setup)
{
    assert_prepared("%p", "%p");
    assert_prepared("a.%p.%p", "a.%p.%p");
    assert_prepared("100%%", "100%%");
    assert_prepared("%%p", "%%p");
}

/* The clock has not been started. */
TEST_SETUP(the_identity_is_id_and_start, setup)
{
    char expected[64];
    (void)snprintf(expected, sizeof expected, "%ld.0.json", (long)getpid());
    assert_prepared("%i.json", "%i.json");
    assert_finished("%i.json", expected);
    assert_int_equal(stint_path_has_pid("100%%i"), 0);
    assert_int_equal(stint_path_has_pid("a%%.%i"), 'i');
    assert_int_equal(stint_path_has_pid("a.%p.%i"), 'p');
}

TEST_SETUP(host_is_the_systems, setup)
{
    assert_prepared("%h.json", "node7.json");
    assert_prepared("%h%h", "node7node7");
    s_host = NULL;
    assert_prepared("[%h]", "[]");
}

TEST_SETUP(rank_is_the_first_launchers, setup)
{
    assert_prepared("%r", "0");
    for (size_t i = TEST_COUNT(s_ranks); i-- > 0;) { /* each goes before those set so far */
        char rank[8];

        snprintf(rank, sizeof rank, "%zu", i + 10);
        setenv(s_ranks[i], rank, 1);
        assert_prepared("%r", rank);
    }
    setenv(s_ranks[0], "", 1); /* empty is unset */
    assert_prepared("%r", "11");
}

TEST_SETUP(variable_is_the_environments, setup)
{
    setenv("TEST_VARIABLE", "value", 1);
    unsetenv("TEST_NONE");
    assert_prepared("%q{TEST_VARIABLE}", "value");
    assert_prepared("a%q{TEST_VARIABLE}b%q{TEST_NONE}c", "avaluebc");
    assert_prepared("%q{TEST_VARIABLE}}", "value}");
    assert_prepared("%q{no such name, but braces}", "");
}

/* What comes from outside is not read again as a pattern. */
TEST_SETUP(percent_in_values_means_itself, setup)
{
    s_host = "%p%";
    setenv("TEST_VARIABLE", "%h%%", 1);
    assert_prepared("%h", "%%p%%");
    assert_prepared("%q{TEST_VARIABLE}", "%%h%%%%");
    assert_finished("%%p%%", "%p%");
}

TEST_SETUP(unknown_patterns_are_refused, setup)
{
    static const char *const patterns[] = {"%",    "a%",      "%x",     "%P",      "% p", "%1",   "%q",   "%q{",
                                           "%q{}", "%q{NAME", "%qNAME", "%{NAME}", "%p%", "%h%z", "%q}{", "%\xff"};
    for (size_t i = 0; i < TEST_COUNT(patterns); ++i)
        assert_refused(patterns[i]);
}

TEST_SETUP(long_variable_names_are_refused, setup)
{
    char pattern[200];
    memset(pattern, 'x', sizeof pattern);
    memcpy(pattern, "%q{", 3);
    strcpy(pattern + 3 + 127, "}");
    assert_prepared(pattern, "");
    memset(pattern + 3 + 127, 'x', 1);
    strcpy(pattern + 3 + 128, "}");
    assert_refused(pattern);
}

/* ----------------------------------------------------------------------------------------------------------- finish */

TEST_SETUP(process_id_is_of_now, setup)
{
    char expected[64];
    snprintf(expected, sizeof expected, "a.%lld.b.%lld", (long long)getpid(), (long long)getpid());
    assert_finished("a.%p.b.%p", expected);
}

TEST_SETUP(escaped_percent_is_one, setup)
{
    assert_finished("100%%", "100%");
    assert_finished("%%p", "%p");
    assert_finished("%%%%", "%%");
    assert_finished("", "");
}

/* ----------------------------------------------------------------------------------------------------------- limits */

TEST_SETUP(what_just_fits_is_taken, setup)
{
    char out[8];
    assert_int_equal(stint_path_prepare(out, sizeof out, "1234567"), STINT_OK);
    assert_string_equal(out, "1234567");
    assert_int_equal(stint_path_prepare(out, sizeof out, "12345678"), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_path_finish(out, sizeof out, "1234567"), STINT_OK);
    assert_int_equal(stint_path_finish(out, sizeof out, "12345678"), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_path_prepare(out, sizeof out, "%h12"), STINT_OK);
    assert_int_equal(stint_path_prepare(out, sizeof out, "%h123"), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_path_prepare(out, 1, ""), STINT_OK);
    assert_int_equal(stint_path_prepare(out, 1, "x"), STINT_ERROR_INVALID_ARGUMENT);
}

/* Nothing is written beyond `size`, and what is there is always terminated. */
TEST_SETUP(too_long_stays_inside, setup)
{
    char out[16];
    for (size_t size = 1; size < 12; ++size) {
        memset(out, 'z', sizeof out);
        (void)stint_path_prepare(out, size, "%h-%%-%h-abcdefghijkl");
        assert_non_null(memchr(out, '\0', size));
        assert_int_equal(out[size], 'z');
        (void)stint_path_finish(out, size, "%p%%%p-abcdefghijkl");
        assert_non_null(memchr(out, '\0', size));
        assert_int_equal(out[size], 'z');
    }
}

static void assert_marked(const char *path, const char *expected)
{
    char marked[64];
    strcpy(marked, path);
    assert_int_equal(stint_path_put_mark(marked, sizeof marked, "7"), 0);
    assert_string_equal(marked, expected);
}

TEST(mark_is_in_front_of_the_ending)
{
    assert_marked("train.sqlite", "train.7.sqlite");
    assert_marked("/a.b/train.pt.json", "/a.b/train.pt.7.json");
}

TEST(mark_is_behind_a_name_without_ending)
{
    assert_marked("train", "train.7");
    assert_marked("/a.b/train", "/a.b/train.7");
    assert_marked("/a/.hidden", "/a/.hidden.7");
}

TEST(mark_without_room_is_refused)
{
    char fits[10] = "abc.sql", too_long[10] = "abcd.sql";
    assert_int_equal(stint_path_put_mark(fits, sizeof fits, "7"), 0);
    assert_string_equal(fits, "abc.7.sql");
    assert_int_equal(stint_path_put_mark(too_long, sizeof too_long, "7"), -1);
    assert_string_equal(too_long, "abcd.sql");
}
