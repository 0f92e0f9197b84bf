/* Whatever a name contains, it is recorded, shown harmlessly, and never causes a crash. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As in release builds. */
#ifndef NDEBUG
#define NDEBUG
#endif

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ names */

enum { HUGE_SIZE = 10240, KEPT = 4095 };

static char s_huge[HUGE_SIZE + 1], s_huge_utf8[HUGE_SIZE + 1];

static const struct {
    const char *label;
    const char *name;
    const char *json; /* the name in the report; NULL: identified by its length */
} s_names[] = {
    {"null", NULL, "(unnamed)"},
    {"empty", "", "(unnamed)"},
    {"percent", "100%s %n %d %%", "100%s %n %d %%"},
    {"newline", "two\nlines\r\n", "two\\nlines\\r\\n"},
    {"quotes", "\"quoted\" 'and' \\back\\", "\\\"quoted\\\" 'and' \\\\back\\\\"},
    {"comma", "a,b;c\td", "a,b;c\\td"},
    {"html", "<script>&amp;</script>", "<script>&amp;</script>"},
    {"utf8", "Größe 日本語 🙂", "Größe 日本語 🙂"},
    {"broken utf8", "\xc3(\xff\x80 end", "\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd end"},
    {"escape", "\033[2J\x01\x7f", "\\u001b[2J\\u0001\\u007f"},
    {"blank", " ", " "},
    {"huge", s_huge, NULL},
    {"huge utf8", s_huge_utf8, NULL},
};

enum { NAMES = sizeof s_names / sizeof s_names[0] };

__attribute__((constructor)) static void fill_huge(void)
{
    memset(s_huge, 'h', HUGE_SIZE);
    for (size_t i = 0; i < HUGE_SIZE / 3; ++i)
        memcpy(s_huge_utf8 + 3 * i, "日", 3);
}

/* ------------------------------------------------------------------------------------------------------------ modes */

static const char *s_name;

/* Uses every macro, each at a call site of its own. */
static void use_macros(const char *name, struct stint_statset *set)
{
    REGISTER_TIMER(name);
    REGISTER_TIMER(name, 0);
    REGISTER_TIMER(name, UINT64_MAX, set);
    REGISTER_TIMER_INFO(name, name);
    REGISTER_TIMER_SET(name, stint_now_us());
    REGISTER_TIMER_SET(name, stint_now_us(), 0);
    REGISTER_TIMER_SET(name, stint_now_us(), 0, set);
    REGISTER_TIMER_DYNAMIC(name);
    REGISTER_TIMER_DYNAMIC(name, 0);
    REGISTER_TIMER_DYNAMIC(name, 0, set);
    REGISTER_TIMER_DYNAMIC_SET(name, stint_now_us());
    REGISTER_TIMER_DYNAMIC_SET(name, stint_now_us(), 0);
    REGISTER_TIMER_DYNAMIC_SET(name, stint_now_us(), UINT64_MAX, set);
}

enum { IN_GLOBAL = 9, IN_SET = 4, SLOW = 6 };

/* Calls every function that takes a name. */
static void use_functions(const char *name, struct stint_statset *set)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    (void)stint_timer_start(&timer, name, set);
    (void)stint_timer_stop(&timer);
    (void)stint_statset_add(set, name, 5);
    (void)stint_statset_set_thread_info(set, name, 1);
    (void)stint_statset_print(set, name);
    (void)stint_statset_print(set, NULL);
    (void)printStatus(name);
    (void)setThreadInfo(name, 1);
    (void)stint_statset_name(set);
    (void)stint_statset_delete(set, name);
    (void)stint_statset_delete(NULL, name);
    (void)stint_statset_delete(NULL, name); /* no longer known */
}

static void choose_name(void)
{
    const char *label = getenv("TEST_LABEL");
    for (size_t i = 0; i < NAMES; ++i)
        if (label && !strcmp(label, s_names[i].label))
            s_name = s_names[i].name;
}

MODE(in_macros)
{
    choose_name();
    use_macros(s_name, stint_statset_get(s_name));
    return 0;
}

MODE(in_functions)
{
    if (chdir(getenv("TEST_FOLDER")))
        return 1;
    choose_name();
    use_functions(s_name, stint_statset_get(s_name));
    printAllStatus();
    for (int i = STINT_FORMAT_TABLE; i <= STINT_FORMAT_JSON; ++i)
        (void)stint_report_print((enum stint_format)i);
    (void)stint_report_save(STINT_FORMAT_JSON, s_name);
    return 0;
}

/* The same name is the same set. */
MODE(in_sets)
{
    choose_name();
    (void)stint_statset_add(stint_statset_get(s_name), "x", 1);
    return stint_statset_get(s_name) != stint_statset_get(s_name);
}

MODE(in_report)
{
    choose_name();
    scopes(s_name, 2);
    return 0;
}

/* Names that are changed and freed as soon as they have been used. */
MODE(overwrites_names)
{
    char name[32];
    for (int i = 0; i < 100; ++i) {
        char *heap = malloc(16);
        if (!heap)
            return 1;
        snprintf(heap, 16, "heap %d", i % 10);
        snprintf(name, sizeof name, "stack %d", i % 10);
        {
            STINT_SCOPE_DYNAMIC(heap);
            memset(heap, 'x', 15);
            STINT_SCOPE_DYNAMIC(name);
            memset(name, 'x', 15);
        }
        free(heap);
    }
    return 0;
}

/* A static call site keeps its first name. */
static void one_site(const char *name)
{
    STINT_SCOPE(name);
}

MODE(changes_name)
{
    for (int i = 0; i < 3; ++i) {
        one_site("first");
        one_site("second");
    }
    return 0;
}

MODE(has_many_sets)
{
    char name[32];
    for (int i = 0; i < 300; ++i) {
        snprintf(name, sizeof name, "set %d", i);
        (void)stint_statset_add(stint_statset_get(name), "x", 1);
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static const char *label_setting(size_t i)
{
    static char text[64];
    snprintf(text, sizeof text, "TEST_LABEL=%s", s_names[i].label);
    return text;
}

/* Returns the name as the report has it, cut if it is too long. */
static const char *json_name(size_t i)
{
    static char text[KEPT + 1];
    if (s_names[i].json)
        return s_names[i].json;
    memcpy(text, s_names[i].name, KEPT); /* 3 * 1365 bytes: ends after a whole character */
    return text;
}

/* Every line of a log has a prefix and contains no control characters: names cannot forge lines. */
static void assert_log(const char *label, const char *text)
{
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        if (!strchr("IWE", *line) || !memchr(line, ']', length))
            fail_msg("%s: not a log line: %.300s", label, line);
        for (size_t i = 0; i < length; ++i)
            if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
                fail_msg("%s: control character %#x in a log line", label, (unsigned)line[i]);
        line += length + (line[length] == '\n');
    }
}

TEST(test_macros)
{
    for (size_t i = 0; i < NAMES; ++i) {
        const struct result result = run("in_macros", label_setting(i), NULL);
        assert_exit(&result, 0);
        assert_true(is_json(result.report));
        if (!s_names[i].name || !*s_names[i].name) { /* the name is not valid for a set either, so the global set has
                                                      * everything */
            assert_int_equal(stat_number(result.report, json_name(i), "count"), IN_GLOBAL + IN_SET);
        } else {
            assert_int_equal(set_stat_number(result.report, "GlobalStatInfo", json_name(i), "count"), IN_GLOBAL);
            assert_int_equal(set_stat_number(result.report, json_name(i), json_name(i), "count"), IN_SET);
        }
        assert_int_equal(occurrences(result.err, "Stat: ["), SLOW);
    }
}

TEST(test_functions)
{
    char folder[128];
    snprintf(folder, sizeof folder, "TEST_FOLDER=%s", scratch(""));
    for (size_t i = 0; i < NAMES; ++i) {
        const struct result result = run("in_functions", label_setting(i), folder, NULL);
        assert_exit(&result, 0);
    }
}

TEST(test_sets)
{
    for (size_t i = 0; i < NAMES; ++i) {
        const struct result result = run("in_sets", label_setting(i), NULL);
        if (result.status)
            fail_msg("%s: not the same set: wait status %#x", s_names[i].label, (unsigned)result.status);
        assert_true(is_json(result.report));
    }
}

TEST(test_json)
{
    for (size_t i = 0; i < NAMES; ++i) {
        const struct result result = run("in_report", label_setting(i), NULL);
        assert_exit(&result, 0);
        assert_string_equal(result.err, "");
        assert_true(is_json(result.report));
        assert_int_equal(stat_number(result.report, json_name(i), "count"), 2);
        assert_int_equal(dropped(result.report, "unnamed"), i < 2 ? 2 : 0);
        assert_int_equal(dropped(result.report, "truncated") > 0, s_names[i].json == NULL);
    }
}

static const char *setting_of_report(int format)
{
    static const char *const settings[] = {"STINT_REPORT=table", "STINT_REPORT=tree", "STINT_REPORT=paddle"};
    return settings[format];
}

/* In formats for people, a name takes one line and has no control characters. */
TEST(test_people)
{
    for (size_t i = 0; i < NAMES; ++i)
        for (int format = 0; format < 3; ++format) {
            const struct result result = run("in_report", setting_of_report(format), label_setting(i), NULL);
            assert_exit(&result, 0);
            assert_non_null(result.report);
            for (const char *at = result.report; *at; ++at)
                if (((unsigned char)*at < 0x20 && *at != '\n') || *at == 0x7f)
                    fail_msg("%s as %s: control character %#x", s_names[i].label, setting_of_report(format),
                             (unsigned)*at);
            if (format == 2)
                assert_log(s_names[i].label, result.report);
        }
}

TEST(test_log)
{
    for (size_t i = 0; i < NAMES; ++i) {
        const struct result result = run("in_macros", label_setting(i), NULL);
        assert_log(s_names[i].label, result.err);
    }
}

TEST(test_dead_names)
{
    const struct result result = run("overwrites_names", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "heap 3", "count"), 10);
    assert_int_equal(stat_number(result.report, "stack 9", "count"), 10);
    assert_null(strstr(result.report, "xxx"));
}

TEST(test_changed_name)
{
    const struct result result = run("changes_name", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "first", "count"), 6);
    assert_int_equal(dropped(result.report, "changed"), 3);
    assert_int_equal(occurrences(result.err, "changed to"), 1);
}

TEST(test_many_sets)
{
    const struct result result = run("has_many_sets", NULL);
    assert_exit(&result, 0);
    assert_true(is_json(result.report));
    assert_int_equal(stat_number(result.report, "x", "count") > 0, 1);
    assert_non_null(strstr(result.report, "\"set 254\""));
    assert_null(strstr(result.report, "\"set 255\""));
}
