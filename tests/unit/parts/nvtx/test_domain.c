/* Domains and registered strings. */
#include "nvtx/domain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "nvtx/client.h"
#include "nvtx/string.h"
#include "record/fixture.h"
#include "stint_test.h"

/* ---------------------------------------------------------------------------------------------------------- domains */

TEST_ONCE(client_start, NULL)
TEST_EACH(client_reset, NULL)

TEST(a_name_is_a_domain_and_no_name_the_default_one)
{
    const nvtx_handle domain = create("named");
    assert_non_null(domain);
    assert_ptr_equal(create("named"), domain);
    assert_ptr_equal(call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_CREATE_W, nvtx_handle, (const wchar_t *), (L"named")),
                     domain);
    assert_ptr_not_equal(create("named otherwise"), domain);
    assert_null(create(""));
    assert_null(create(NULL));
    assert_int_equal(stint_dropped.nvtx_domains, 0);
}

TEST(a_domain_outlives_its_destruction)
{
    const nvtx_handle domain = create("destroyed"), string = register_text(domain, "string");
    call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_DESTROY, void, (nvtx_handle), (domain));
    push_registered(domain, string);
    pop_in(domain);
    assert_int_equal(of("NVTX:destroyed", "string").count, 1);
    assert_ptr_equal(create("destroyed"), domain);
}

/* Sets of kinds have names of their own. */
TEST(a_domain_that_is_called_like_a_kind_does_not_mix_with_it)
{
    static const char *const names[] = {"marks", "counters", "start/end"};
    for (size_t i = 0; i < TEST_COUNT(names); ++i) {
        const nvtx_handle domain = create(names[i]);
        push_in(domain, "mixed");
        pop_in(domain);
        mark_in(domain, "mixed");
    }
    mark("mixed");
    end(start("mixed"));
    assert_int_equal(of("NVTX:marks", "mixed").count, 1);
    assert_int_equal(of("NVTX:counters", "mixed").count, 1);
    assert_int_equal(of("NVTX:start/end", "mixed").count, 1);
    assert_int_equal(of("NVTX marks:marks", "mixed").count, 1);
    assert_int_equal(of("NVTX marks", "mixed").count, 1);
    assert_int_equal(of("NVTX start/end", "mixed").count, 1);
    assert_int_equal(of("NVTX counters", "mixed").count, 0);
}

/* The tool of stint's own ranges finds no domain, and spares itself the telling. */
TEST(stints_own_domain_is_none)
{
    assert_int_equal(unsetenv("STINT_NVTX"), 0);
    assert_null(create("stint"));
    assert_int_equal(stint_dropped.nvtx_domains, 0);
}

TEST(a_producer_that_insists_gets_a_domain_that_is_ignored)
{
    const struct stint_nvtx_attributes attributes = text("timer");
    assert_int_equal(setenv("STINT_NVTX", "ON", 1), 0);
    nvtx_handle domain = create("stint");
    assert_int_equal(unsetenv("STINT_NVTX"), 0);
    assert_non_null(domain);
    assert_null(register_text(domain, "timer"));
    assert_int_equal(push_attributes(domain, &attributes), STINT_NVTX_UNTRACKED);
    assert_int_equal(pop_in(domain), STINT_NVTX_UNTRACKED);
    assert_int_equal(start_in(domain, "timer"), 0);
    mark_in(domain, "timer");
    assert_int_equal(of("NVTX:stint", "timer").count, 0);
    assert_int_equal(of("NVTX marks:stint", "timer").count, 0);
    assert_int_equal(
        call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_DOMAIN_IS_ENABLED, uint8_t, (nvtx_handle), (domain)), 0);
    check_dropped((struct stint_dropped){0});
}

TEST(a_domain_is_enabled_while_recording_is)
{
    const nvtx_handle domain = create("enabled");
    assert_int_equal(
        call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_DOMAIN_IS_ENABLED, uint8_t, (nvtx_handle), (domain)), 1);
    assert_int_equal(
        call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_DOMAIN_IS_ENABLED, uint8_t, (nvtx_handle), (NULL)), 1);
    stint_registry_set_enabled(0);
    assert_int_equal(
        call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_DOMAIN_IS_ENABLED, uint8_t, (nvtx_handle), (domain)), 0);
}

TEST(the_longest_name_of_a_domain_is_cut_in_its_set)
{
    static char name[STINT_MAX_NAME + 100];
    size_t longest = 0;
    memset(name, 'n', sizeof name - 1);
    mark_in(create(name), "mark");
    struct stint_snapshot *snapshot = take();
    for (size_t i = 0; i < snapshot->set_count; ++i)
        longest = strlen(snapshot->sets[i]) > longest ? strlen(snapshot->sets[i]) : longest;
    stint_snapshot_free(snapshot);
    assert_int_equal(longest, STINT_MAX_NAME);
}

/* ---------------------------------------------------------------------------------------------------------- strings */

TEST(a_text_is_registered_once_in_a_domain)
{
    const nvtx_handle domain = create("strings"), string = register_text(domain, "text");
    assert_non_null(string);
    assert_ptr_equal(register_text(domain, "text"), string);
    assert_ptr_equal(call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_REGISTER_STRING_W, nvtx_handle,
                          (nvtx_handle, const wchar_t *), (domain, L"text")),
                     string);
    assert_ptr_not_equal(register_text(domain, "texts"), string);
    assert_ptr_not_equal(register_text(domain, "tex"), string);
    assert_ptr_not_equal(register_text(NULL, "text"), string);
}

TEST(a_registered_text_is_cut_as_names_are)
{
    static char text[STINT_MAX_NAME + 100];
    memset(text, 't', sizeof text - 1);
    nvtx_handle string = register_text(NULL, text);
    assert_int_equal(strlen(stint_nvtx_string_of(string)->text), STINT_MAX_NAME);
    check_dropped((struct stint_dropped){.truncated = 1});
}

TEST(a_kept_text_has_a_number)
{
    const uint32_t number = stint_nvtx_keep_number("kept");
    assert_true(number > 0);
    assert_string_equal(stint_nvtx_kept(number), "kept");
    assert_ptr_equal(stint_nvtx_keep("kept"), stint_nvtx_kept(number));
    assert_int_equal(stint_nvtx_keep_number(""), 0);
    assert_string_equal(stint_nvtx_kept(0), "");
    assert_string_equal(stint_nvtx_keep(NULL), "");
}

TEST(without_memory_there_is_no_string_and_errno_stays)
{
    char text[STINT_MAX_NAME + 1];
    long failed = 0;
    memset(text, 'm', sizeof text);
    text[sizeof text - 1] = '\0';
    errno = 42;
    for (int i = 0; i < 1000 && !failed; ++i) {
        text[0] = (char)('a' + i % 26);
        text[1] = (char)('a' + i / 26);
        memory_fail_after(0);
        if (!register_text(NULL, text))
            assert_int_equal(stint_dropped.nvtx_strings, 1);
        failed = memory_recover();
    }
    assert_true(failed > 0);
    assert_int_equal(errno, 42);
    assert_non_null(register_text(NULL, text));
}

/* ----------------------------------------------------------------------------------------------------------- limits */

/* Last: they fill the tables. */
TEST(too_many_domains_are_counted_and_the_default_one)
{
    char name[32];
    nvtx_handle domain = &name;
    int made = 0;
    for (; made < STINT_NVTX_MAX_DOMAINS && domain; ++made) {
        snprintf(name, sizeof name, "domain %d", made);
        domain = create(name);
    }
    assert_null(domain);
    assert_true(made > STINT_NVTX_MAX_DOMAINS / 2);
    assert_int_equal(stint_dropped.nvtx_domains, 1);
    assert_non_null(create("named"));
}

TEST(sets_beyond_their_limit_are_the_global_one)
{
    char name[32];
    for (int i = 0; i < 100; ++i) {
        snprintf(name, sizeof name, "domain %d", i);
        mark_in(create(name), "beyond sets");
        start_in(create(name), "beyond sets");
        push_in(create(name), "beyond sets");
        pop_in(create(name));
    }
    assert_true(stint_dropped.sets > 0);
    assert_true(now_of("beyond sets").count > 0);
}

TEST(too_many_strings_are_counted)
{
    char text[32];
    nvtx_handle string = &text;
    for (int i = 0; i <= STINT_NVTX_MAX_STRINGS && string; ++i) {
        snprintf(text, sizeof text, "string %d", i);
        string = register_text(NULL, text);
    }
    assert_null(string);
    assert_int_equal(stint_dropped.nvtx_strings, 1);
    assert_non_null(register_text(NULL, "string 7"));
    push_registered(NULL, string);
    assert_int_equal(pop(), 0);
}
