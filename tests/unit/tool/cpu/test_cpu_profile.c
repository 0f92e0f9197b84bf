/* Samples added up by function, and as files of other tools. */
#include "cpu/cpu_profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cpu/cpu_fixture.h"
#include "report/golden.h"
#include "stint_test.h"

static void check(const struct stint_cpu_profile *profile, const char *name, uint64_t self_ns, uint64_t total_ns)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(profile, i);
        if (strcmp(function->symbol.function, name) != 0)
            continue;
        assert_int_equal(function->self_ns, self_ns);
        assert_int_equal(function->total_ns, total_ns);
        return;
    }
    fail_msg("there is no %s", name);
}

TEST(time_is_in_the_innermost_function_and_once_in_each_around_it)
{
    static const struct stint_cpu_options all;
    struct stint_cpu_profile profile = cpu_fixture(&all);
    assert_int_equal(profile.functions.count, 5);
    assert_int_equal(profile.time_ns, 100000000);
    assert_int_equal(profile.nowhere_ns, 10000000);
    check(&profile, "add", 60000000, 60000000);
    check(&profile, "loop", 0, 60000000);
    check(&profile, "outer", 0, 60000000);
    check(&profile, "recurse", 30000000, 30000000);
    check(&profile, "main", 0, 90000000);
    stint_cpu_profile_free(&profile);
}

TEST(code_without_names_is_one_function_of_its_file_where_that_is_little)
{
    static const struct stint_cpu_options all, brief = {.is_brief = 1};
    static const struct stint_sample_module modules[] = {{.path = "", .build_id = ""}, {.path = "a", .build_id = ""}};
    static const struct stint_sample_frame frames[] = {{0, 50}, {0, 51}, {0, 10}, {1, 50}, {1, 70}};
    static const struct stint_sample_stack stacks[] = {
        {STINT_SAMPLE_NO_STACK, 0}, {0, 1}, {1, 2}, {STINT_SAMPLE_NO_STACK, 3}, {3, 4}};
    static struct stint_sample_count counts[] = {{0, STINT_GPU_NO_SCOPE, 1, 1, 7},
                                                 {0, STINT_GPU_NO_SCOPE, 2, 1, 50},
                                                 {0, STINT_GPU_NO_SCOPE, 3, 1, 300},
                                                 {0, STINT_GPU_NO_SCOPE, 4, 1, 2000}};
    static const struct stint_snapshot snapshot = {
        .sampling = {.sampled = 1},
        .sample_modules = modules,
        .sample_module_count = 2,
        .sample_frames = frames,
        .sample_frame_count = 5,
        .sample_stacks = stacks,
        .sample_stack_count = 5,
        .sample_counts = counts,
        .sample_count_count = 4,
    };
    struct stint_cpu_profile profile;
    assert_int_equal(stint_cpu_profile_make(&profile, &snapshot, &all), 0);
    check(&profile, "JIT code", 7, 57);
    check(&profile, "outer", 50, 50); /* a compiler has said its name */
    check(&profile, "a (no symbols)", 300, 2300);
    check(&profile, "0x32", 2000, 2000); /* where it begins is known */
    stint_cpu_profile_free(&profile);
    assert_int_equal(stint_cpu_profile_make(&profile, &snapshot, &brief), 0);
    check(&profile, "0x32", 2000, 2000); /* to say that it has no name would say little */
    assert_string_equal(profile.nameless, "a");
    assert_int_equal(profile.nameless_ns, 2300);
    stint_cpu_profile_free(&profile);
    counts[0].time_ns = 30000;
    assert_int_equal(stint_cpu_profile_make(&profile, &snapshot, &brief), 0);
    check(&profile, "a (no symbols)", 2300, 2300);
    stint_cpu_profile_free(&profile);
}

TEST(code_that_was_sampled_before_its_file_was_known_is_in_the_file)
{
    static const struct stint_cpu_options all;
    static const struct stint_sample_module modules[] = {
        {.pid = 7, .path = "", .build_id = ""},
        {.pid = 8, .path = "other", .build_id = "", .begin = 0x1000, .end = 0x2000, .bias = 0x1000},
        {.pid = 7, .path = "late.so", .build_id = "", .begin = 0x1000, .end = 0x2000, .bias = 0x1000}};
    static const struct stint_sample_frame frames[] = {{0, 0x1000 + 10}, {0, 0x2000 + 50}};
    static const struct stint_sample_stack stacks[] = {{STINT_SAMPLE_NO_STACK, 0}, {STINT_SAMPLE_NO_STACK, 1}};
    static const struct stint_sample_count counts[] = {{0, STINT_GPU_NO_SCOPE, 0, 1, 40},
                                                       {0, STINT_GPU_NO_SCOPE, 1, 1, 2}};
    static const struct stint_snapshot snapshot = {
        .sampling = {.sampled = 1},
        .sample_modules = modules,
        .sample_module_count = 3,
        .sample_frames = frames,
        .sample_frame_count = 2,
        .sample_stacks = stacks,
        .sample_stack_count = 2,
        .sample_counts = counts,
        .sample_count_count = 2,
    };
    struct stint_cpu_profile profile;
    assert_int_equal(stint_cpu_profile_make(&profile, &snapshot, &all), 0);
    check(&profile, "outer", 40, 40);
    assert_string_equal(stint_cpu_function_at(&profile, 0)->symbol.module, "late.so");
    check(&profile, "JIT code", 2, 2);
    stint_cpu_profile_free(&profile);
}

/* main > outer, of Python > loop, of the interpreter > recurse, of another library. */
TEST(what_the_interpreter_does_for_a_function_of_python_is_part_of_it)
{
    static const struct stint_cpu_options all;
    static const struct stint_sample_module modules[] = {
        {.path = "/usr/lib/libpython3.11.so.1.0", .build_id = ""},
        {.path = "/a/train.py:12 step", .build_id = STINT_SAMPLE_PYTHON},
        {.path = "/usr/lib/pythonic.so", .build_id = ""},
    };
    static const struct stint_sample_frame frames[] = {{0, 0}, {1, 10}, {0, 20}, {2, 30}};
    static const struct stint_sample_stack stacks[] = {{STINT_SAMPLE_NO_STACK, 0}, {0, 1}, {1, 2}, {2, 2}, {3, 3}};
    static const struct stint_sample_count counts[] = {
        {0, STINT_GPU_NO_SCOPE, 0, 1, 1}, {0, STINT_GPU_NO_SCOPE, 3, 5, 50}, {0, STINT_GPU_NO_SCOPE, 4, 3, 300}};
    static const struct stint_snapshot snapshot = {
        .sampling = {.sampled = 1},
        .sample_modules = modules,
        .sample_module_count = 3,
        .sample_frames = frames,
        .sample_frame_count = 4,
        .sample_stacks = stacks,
        .sample_stack_count = 5,
        .sample_counts = counts,
        .sample_count_count = 3,
    };
    struct stint_cpu_profile profile;
    assert_int_equal(stint_cpu_profile_make(&profile, &snapshot, &all), 0);
    check(&profile, "main", 1, 351);
    check(&profile, "outer", 50, 350);
    check(&profile, "loop", 0, 0);
    check(&profile, "recurse", 300, 300);
    stint_cpu_profile_free(&profile);
}

TEST(what_is_inlined_counts_in_the_function_around_it_on_request)
{
    const struct stint_cpu_options no_inline = {.no_inline = 1};
    struct stint_cpu_profile profile = cpu_fixture(&no_inline);
    check(&profile, "loop", 60000000, 60000000);
    check(&profile, "outer", 0, 60000000);
    stint_cpu_profile_free(&profile);
}

TEST(only_what_ran_within_the_scope_counts)
{
    const struct stint_cpu_options step = {.scope = "step"}, nowhere = {.scope = "backward"};
    struct stint_cpu_profile profile = cpu_fixture(&step);
    assert_int_equal(profile.samples, 6);
    check(&profile, "add", 60000000, 60000000);
    check(&profile, "recurse", 0, 0);
    stint_cpu_profile_free(&profile);
    profile = cpu_fixture(&nowhere);
    assert_int_equal(profile.samples, 0);
    stint_cpu_profile_free(&profile);
}

TEST(lines_of_a_function_are_told_apart)
{
    const struct stint_cpu_options lines = {.by_lines = 1};
    struct stint_cpu_profile profile = cpu_fixture(&lines);
    assert_int_equal(stint_cpu_function_at(&profile, 0)->symbol.line, 0);
    assert_int_equal(stint_cpu_function_at(&profile, 1)->symbol.line, 10);
    assert_int_equal(profile.functions.count, 5);
    stint_cpu_profile_free(&profile);
}

TEST(shares_of_a_time_beyond_64_bits_are_unknown)
{
    struct stint_cpu_profile profile = {.time_ns = UINT64_MAX, .samples = 3};
    assert_true(isinf(stint_cpu_share(&profile, UINT64_MAX)));
    profile.time_ns--;
    assert_true(stint_cpu_share(&profile, UINT64_MAX / 2) < 51);
}

/* ---------------------------------------------------------------------------------------------------------- exports */

static struct capture exported(enum stint_export_format format)
{
    static const struct stint_cpu_options all;
    struct stint_cpu_profile profile = cpu_fixture(&all);
    struct capture out = {0};
    struct stint_cpu_stacks stacks = stint_cpu_stacks(&profile);
    struct stint_export_input input = {.snapshot = profile.snapshot, .samples = &stacks.stacks};
    char reason[64];
    assert_int_equal(stint_export_write(&input, format, capture_write, &out, reason, sizeof reason), 0);
    stint_cpu_profile_free(&profile);
    return out;
}

TEST(collapsed_chains_begin_with_the_outermost_function)
{
    struct capture out = exported(STINT_EXPORT_COLLAPSED_SAMPLES);
    assert_string_equal(out.text, "main;outer;loop;add 6\nmain;recurse;recurse 3\n[no room for its calls] 1\n");
}

/* Reads a number in varint encoding, and moves on behind it. */
static uint64_t read_varint(const uint8_t **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        value |= (uint64_t)(**at & 0x7f) << shift;
        if (!(*(*at)++ & 0x80))
            return value;
    }
}

/* Fields are numbers, or bytes with their length in front. */
TEST(pprof_has_samples_functions_and_strings)
{
    struct capture out = exported(STINT_EXPORT_PPROF);
    const uint8_t *at = (const uint8_t *)out.text, *end = at + out.length;
    unsigned counts[16] = {0};
    char strings[256] = "";
    uint64_t numbers[8], period = 0;
    size_t used = 0;
    while (at < end) {
        uint64_t tag = read_varint(&at), value = read_varint(&at);
        assert_in_range(tag >> 3, 1, 15);
        counts[tag >> 3]++;
        if ((tag & 7) == 0) {
            period = value;
            continue;
        }
        const uint8_t *behind = at + value;
        if (tag >> 3 == 2 && !used)
            while (at < behind) {
                (void)read_varint(&at);
                numbers[used++] = read_varint(&at);
            }
        if (tag >> 3 == 6) {
            (void)strncat(strings, (const char *)at, value);
            (void)strcat(strings, ";");
        }
        at = behind;
    }
    assert_ptr_equal(at, end);
    assert_true(counts[1] == 2 && counts[2] == 3 && counts[4] == 5 && counts[5] == 5 && counts[6] == 15);
    assert_int_equal(period, 10000000);
    static const uint64_t expected[] = {3, 4, 2, 1, 6, 60000000}; /* add, loop, outer, main; samples, time */
    assert_int_equal(used, TEST_COUNT(expected));
    assert_memory_equal(numbers, expected, sizeof expected);
    assert_string_equal(strings,
                        ";samples;count;cpu;nanoseconds;main;prog;outer;prog;add;prog;loop;prog;recurse;prog;");
}
