#include "record/registry.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "record/fixture.h"
#include "stint_test.h"

static uint32_t id_in(const struct stint_statset *set, const char *name)
{
    const struct stint_name key = stint_registry_name(set, name);
    return stint_registry_id(&key, NULL);
}

static uint32_t id_of(const char *name)
{
    return id_in(NULL, name);
}

static uint32_t find(const char *name)
{
    const struct stint_name key = stint_registry_name(NULL, name);
    stint_registry_lock();
    uint32_t id = stint_registry_find(&key);
    stint_registry_unlock();
    return id;
}

/* ------------------------------------------------------------------------------------------------------------ names */

TEST_ONCE(fixture_start, NULL)
TEST_EACH(fixture_reset, NULL)

TEST(a_name_has_the_same_id_whenever_it_comes)
{
    uint32_t ids[1000];
    for (int round = 0; round < 3; ++round)
        for (uint32_t i = 0; i < TEST_COUNT(ids); ++i) {
            char name[32];
            (void)snprintf(name, sizeof name, "registry name %u", i);
            if (!round)
                ids[i] = id_of(name);
            assert_int_not_equal(ids[i], 0);
            assert_int_equal(id_of(name), ids[i]);
        }
}

TEST(different_names_have_different_ids)
{
    static const char *const names[] = {"n", "nn", "N", " n", "n ", "n\n", "m", "n/m", "nm"};
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        for (size_t j = 0; j < i; ++j)
            assert_int_not_equal(id_of(names[i]), id_of(names[j]));
}

TEST(a_name_has_another_id_in_another_set)
{
    const struct stint_statset *a = stint_registry_set("set A"), *b = stint_registry_set("set B");
    assert_int_not_equal(id_in(a, "shared name"), id_in(b, "shared name"));
    assert_int_not_equal(id_in(a, "shared name"), id_of("shared name"));
    assert_int_equal(id_in(stint_registry_set_at(0), "shared name"), id_of("shared name"));
    assert_ptr_equal(stint_registry_entry(id_in(b, "shared name"))->set, b);
}

TEST(an_entry_says_where_it_was_registered)
{
    const struct stint_i_site site = {"file.c", "function", 42, 0};
    const struct stint_name key = stint_registry_name(NULL, "registered here");
    const struct stint_entry *entry = stint_registry_entry(stint_registry_id(&key, &site));
    assert_string_equal(entry->name, "registered here");
    assert_string_equal(entry->file, "file.c");
    assert_string_equal(entry->function, "function");
    assert_int_equal(entry->line, 42);
}

TEST(an_entry_without_a_site_has_empty_texts)
{
    const struct stint_entry *entry = stint_registry_entry(id_of("registered nowhere"));
    assert_string_equal(entry->file, "");
    assert_string_equal(entry->function, "");
    assert_int_equal(entry->line, 0);
}

TEST(every_text_is_copied)
{
    char name[] = "a name on the stack", file[] = "file.c", function[] = "function";
    const struct stint_i_site site = {file, function, 1, 0};
    const struct stint_name key = stint_registry_name(NULL, name);
    const uint32_t id = stint_registry_id(&key, &site);
    memset(name, '#', sizeof name - 1);
    memset(file, '#', sizeof file - 1);
    memset(function, '#', sizeof function - 1);
    assert_string_equal(stint_registry_entry(id)->name, "a name on the stack");
    assert_string_equal(stint_registry_entry(id)->file, "file.c");
    assert_string_equal(stint_registry_entry(id)->function, "function");
    assert_int_equal(id_of("a name on the stack"), id);
}

TEST(names_are_kept_verbatim)
{
    static const char *const names[] = {
        "%s %n %d %%",
        "line\nbreak",
        "tab\tand\rreturn",
        "\"quoted\" 'twice'",
        "back\\slash",
        "a,b;c",
        "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80",
        "broken \xC3 \xFF utf-8",
        "\x01\x1B[31m",
        " ",
    };
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        assert_string_equal(stint_registry_entry(id_of(names[i]))->name, names[i]);
    check_dropped((struct stint_dropped){0});
}

TEST(no_name_is_unnamed_and_counted)
{
    const uint32_t id = id_of(NULL);
    assert_int_not_equal(id, 0);
    assert_int_equal(id_of(""), id);
    assert_string_equal(stint_registry_entry(id)->name, "(unnamed)");
    check_dropped((struct stint_dropped){.unnamed = 2});
    assert_int_equal(id_of("(unnamed)"), id);
    check_dropped((struct stint_dropped){.unnamed = 2});
}

/* ------------------------------------------------------------------------------------------------------- long names */

/* Returns `count` times `piece`, after `before` letters. */
static const char *long_text(size_t before, const char *piece, size_t count)
{
    static char text[20000];
    char *at = text + before;
    memset(text, 'x', before);
    for (size_t i = 0; i < count; ++i, at += strlen(piece))
        memcpy(at, piece, strlen(piece) + 1);
    return text;
}

TEST(a_name_of_4095_bytes_is_whole)
{
    const struct stint_entry *entry = stint_registry_entry(id_of(long_text(0, "a", 4095)));
    assert_int_equal(strlen(entry->name), 4095);
    check_dropped((struct stint_dropped){0});
}

TEST(a_longer_name_is_cut_and_counted)
{
    const uint32_t id = id_of(long_text(0, "b", 4096));
    assert_int_equal(strlen(stint_registry_entry(id)->name), 4095);
    assert_int_equal(id_of(long_text(0, "b", 10000)), id);
    check_dropped((struct stint_dropped){.truncated = 2});
    assert_int_equal(id_of(long_text(0, "b", 4095)), id);
    check_dropped((struct stint_dropped){.truncated = 2});
}

TEST(a_name_is_not_cut_inside_a_character)
{
    static const char *const characters[] = {"\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    for (size_t c = 0; c < TEST_COUNT(characters); ++c)
        for (size_t before = 0; before < 5; ++before) {
            const size_t size = strlen(characters[c]);
            const struct stint_entry *entry =
                stint_registry_entry(id_of(long_text(before, characters[c], 5000 / size)));
            assert_int_equal(strlen(entry->name), before + (4095 - before) / size * size);
        }
    check_dropped((struct stint_dropped){.truncated = 15});
}

TEST(a_name_of_broken_utf8_is_cut_but_never_empty)
{
    const struct stint_entry *entry = stint_registry_entry(id_of(long_text(0, "\x80", 5000)));
    assert_in_range(strlen(entry->name), 4000, 4095);
}

/* ----------------------------------------------------------------------------------------------------------- limits */

TEST(names_beyond_the_limit_get_no_id_and_are_counted)
{
    const uint32_t known = id_of("known before the limit");
    stint_limits.names = stint_registry_last_id();
    assert_int_equal(id_of("beyond the limit"), 0);
    assert_int_equal(id_of("beyond the limit"), 0);
    assert_int_equal(id_of("known before the limit"), known);
    check_dropped((struct stint_dropped){.names = 2});
    ++stint_limits.names;
    assert_int_not_equal(id_of("beyond the limit"), 0);
}

/* Registers names until one gets no id. Returns how many did. */
static uint32_t register_until_failure(const char *kind)
{
    for (uint32_t i = 0;; ++i) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s %u", kind, i);
        if (!id_of(name))
            return i;
    }
}

TEST(without_memory_a_name_gets_no_id_and_is_counted)
{
    const uint32_t before = stint_registry_last_id();
    memory_fail_after(0);
    uint32_t count = register_until_failure("no memory");
    assert_int_not_equal(memory_recover(), 0);
    check_dropped((struct stint_dropped){.memory = 1});
    assert_int_equal(stint_registry_last_id(), before + count);
    assert_int_not_equal(id_of("no memory 0"), 0);
    assert_int_equal(stint_registry_last_id(), before + count + (count == 0));
}

static void *register_all(void *argument)
{
    uint32_t *ids = argument;
    for (uint32_t i = 0; i < 1000; ++i) {
        char name[32];
        (void)snprintf(name, sizeof name, "agreed %u", i);
        ids[i] = id_of(name);
    }
    return NULL;
}

TEST(threads_agree_on_ids)
{
    static uint32_t ids[4][1000];
    pthread_t threads[4];
    for (int t = 0; t < 4; ++t)
        assert_int_equal(pthread_create(&threads[t], NULL, register_all, ids[t]), 0);
    for (int t = 0; t < 4; ++t)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    for (int i = 0; i < 1000; ++i) {
        assert_int_not_equal(ids[0][i], 0);
        for (int t = 1; t < 4; ++t)
            assert_int_equal(ids[t][i], ids[0][i]);
    }
}

/* ------------------------------------------------------------------------------------------------------------- sets */

TEST(a_set_is_found_by_its_name)
{
    char name[] = "a set";
    const struct stint_statset *set = stint_registry_set(name);
    memset(name, '#', sizeof name - 1);
    assert_string_equal(set->name, "a set");
    assert_ptr_equal(stint_registry_set("a set"), set);
    assert_ptr_not_equal(stint_registry_set("another set"), set);
}

TEST(a_set_is_looked_up_without_being_made)
{
    const struct stint_statset *set = stint_registry_set("a known set");
    assert_ptr_equal(stint_registry_known_set("a known set"), set);
    assert_ptr_equal(stint_registry_known_set("GlobalStatInfo"), stint_registry_set_at(0));
    assert_null(stint_registry_known_set("an unknown set"));
    assert_null(stint_registry_known_set("an unknown set"));
}

TEST(the_global_set_is_the_first)
{
    assert_ptr_equal(stint_registry_set("GlobalStatInfo"), stint_registry_set_at(0));
    assert_string_equal(stint_registry_set_at(0)->name, "GlobalStatInfo");
}

TEST(a_long_set_name_is_cut_and_found_again)
{
    const struct stint_statset *set = stint_registry_set(long_text(1, "\xE2\x82\xAC", 3000));
    assert_int_equal(strlen(set->name), 1 + 4094 / 3 * 3);
    assert_ptr_equal(stint_registry_set(long_text(1, "\xE2\x82\xAC", 3000)), set);
}

TEST(a_set_without_memory_is_the_global_one_and_counted)
{

    memory_fail_after(0);
    for (int i = 0; i < 1000; ++i)
        id_of(long_text(0, "m", (size_t)(3000 + i))); /* until nothing is left */
    const struct stint_statset *set = stint_registry_set(long_text(0, "m", 3000));
    assert_int_not_equal(memory_recover(), 0);
    assert_ptr_equal(set, stint_registry_set_at(0));
    assert_int_equal(stint_dropped.sets, 1);
}

/* Last: it leaves no room for more. */
TEST(a_set_beyond_256_is_the_global_one_and_counted)
{
    size_t known = 0, refused = 0;
    while (stint_registry_set_at(known))
        ++known;
    for (int i = 0; i < 300; ++i) {
        char name[32];
        (void)snprintf(name, sizeof name, "one of many sets %d", i);
        refused += stint_registry_set(name) == stint_registry_set_at(0);
    }
    assert_int_equal(refused, 300 - (256 - known));
    assert_non_null(stint_registry_set_at(255));
    assert_null(stint_registry_set_at(256));
    check_dropped((struct stint_dropped){.sets = refused});
    assert_ptr_not_equal(stint_registry_set("one of many sets 0"), stint_registry_set_at(0));
}

/* -------------------------------------------------------------------------------------------- switch and generation */

TEST(the_state_is_zero_while_switched_off)
{
    stint_registry_set_enabled(0);
    assert_int_equal(stint_i_state, 0);
    assert_false(stint_registry_enabled());
    stint_registry_set_enabled(5);
    assert_int_not_equal(stint_i_state, 0);
    assert_true(stint_registry_enabled());
}

TEST(the_state_says_whether_the_fast_half_may_run)
{
    stint_registry_set_inline(1);
    assert_int_equal(stint_i_state, stint_registry_generation());
    stint_registry_set_inline(0);
    assert_int_not_equal(stint_i_state, stint_registry_generation());
}

TEST(a_reset_is_a_new_generation)
{
    const uint32_t generation = stint_registry_generation(), seen = stint_i_state;
    reset_set(NULL, STINT_RESET_ALL);
    assert_int_not_equal(stint_registry_generation(), generation);
    assert_int_not_equal(stint_registry_generation(), 0);
    assert_int_not_equal(stint_i_state, seen);
}

TEST(a_reset_while_switched_off_leaves_it_off)
{
    const uint32_t generation = stint_registry_generation();
    stint_registry_set_enabled(0);
    reset_set(NULL, STINT_RESET_ALL);
    assert_int_equal(stint_i_state, 0);
    assert_int_not_equal(stint_registry_generation(), generation);
}

enum { ROUNDS = 2000 };

static void *reset_in_every_round(void *argument)
{
    pthread_barrier_t *barrier = argument;
    for (int i = 0; i < ROUNDS; ++i) {
        pthread_barrier_wait(barrier);
        reset_set(NULL, STINT_RESET_ALL);
        pthread_barrier_wait(barrier);
    }
    return NULL;
}

TEST(a_reset_amid_a_switch_undoes_neither)
{
    uint32_t generation = stint_registry_generation();
    pthread_barrier_t barrier;
    pthread_t thread;
    int wrong = 0;
    assert_int_equal(pthread_barrier_init(&barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, reset_in_every_round, &barrier), 0);
    for (int i = 0; i < ROUNDS; ++i) {
        stint_registry_set_enabled(0);
        pthread_barrier_wait(&barrier);
        stint_registry_set_enabled(1);
        pthread_barrier_wait(&barrier);
        wrong += stint_i_state != (stint_registry_generation() | 1) || stint_registry_generation() == generation;
        generation = stint_registry_generation();
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_barrier_destroy(&barrier);
    assert_int_equal(wrong, 0);
}

TEST(a_reset_of_a_set_begins_an_epoch_for_its_statistics_alone)
{
    const struct stint_statset *set = stint_registry_set("a set");
    const struct stint_entry *inside = stint_registry_entry(id_in(set, "epoch"));
    const struct stint_entry *outside = stint_registry_entry(id_of("epoch"));
    const uint32_t inside_before = inside->epoch, outside_before = outside->epoch;
    reset_set(set, STINT_RESET_ALL);
    assert_int_equal(inside->epoch, inside_before + 1);
    assert_int_equal(inside->reset_ticks, clock_now());
    assert_int_equal(outside->epoch, outside_before);
    assert_int_not_equal(outside->reset_ticks, clock_now());
    reset_set(NULL, STINT_RESET_KEEP_RUNNING);
    assert_int_equal(outside->epoch, outside_before + 1);
    assert_int_not_equal(outside->reset_ticks, clock_now());
}

TEST(an_id_is_found_without_being_made)
{
    const uint32_t id = id_of("found"), last = stint_registry_last_id();
    assert_int_equal(find("found"), id);
    assert_int_equal(find("never seen"), 0);
    assert_int_equal(stint_registry_last_id(), last);
}
