#include "nvtx/handler.h"

#include <string.h>

#include "nvtx/client.h"
#include "record/fixture.h"
#include "record/suspend.h"
#include "stint_test.h"

/* ---------------------------------------------------------------------------------------------------------- opening */

static int reset(void **state)
{
    stint_resume();
    return client_reset(state) || stint_nvtx_window_set("window");
}

/* Before it is attached, which is when it takes the place of other functions. */
static int start_with_window(void **state)
{
    return stint_nvtx_window_set("window") || client_start(state);
}

TEST_ONCE(start_with_window, NULL)
TEST_EACH(reset, NULL)

TEST(nothing_is_recorded_outside_of_a_window)
{
    range("before", 10);
    push("window");
    range("inside", 10);
    pop();
    range("after", 10);
    check_range(STINT_NVTX_SET, "before", 0, 0);
    check_range(STINT_NVTX_SET, "inside", 1, 10);
    check_range(STINT_NVTX_SET, "after", 0, 0);
}

TEST(window_itself_is_recorded)
{
    range("window", 20);
    range("window", 30);
    check_range(STINT_NVTX_SET, "window", 2, 50);
}

TEST(window_is_known_by_any_kind_of_text)
{
    const struct stint_nvtx_attributes ascii = text("window"), wides = wide(L"window");
    const nvtx_handle string = register_text(NULL, "window");
    push_attributes(NULL, &ascii);
    assert_false(stint_is_suspended());
    pop();
    assert_true(stint_is_suspended());
    push_attributes(NULL, &wides);
    assert_false(stint_is_suspended());
    pop();
    push_registered(NULL, string);
    assert_false(stint_is_suspended());
    pop();
    assert_true(stint_is_suspended());
    call(STINT_NVTX_CORE, STINT_NVTX_RANGE_PUSH_W, int, (const wchar_t *), (L"window"));
    assert_false(stint_is_suspended());
    call(STINT_NVTX_CORE, STINT_NVTX_RANGE_POP, int, (void), ());
    assert_true(stint_is_suspended());
}

TEST(names_may_be_patterns_and_have_a_domain)
{
    const nvtx_handle model = create("model"), other = create("other");
    assert_int_equal(stint_nvtx_window_set("step [0-9]*@mo*"), 0);
    push("step 1");
    assert_true(stint_is_suspended());
    pop();
    push_in(other, "step 1");
    assert_true(stint_is_suspended());
    pop_in(other);
    push_in(model, "step x");
    assert_true(stint_is_suspended());
    pop_in(model);
    push_in(model, "step 12");
    assert_false(stint_is_suspended());
    pop_in(model);
    assert_true(stint_is_suspended());
}

TEST(windows_are_named_as_reports_name_ranges)
{
    stint_nvtx_window_set("XlaModule jit_*");
    push("XlaModule:#hlo_module=step,program_id=1#");
    assert_true(stint_is_suspended());
    pop();
    push("XlaModule:#hlo_module=jit_step,program_id=1#");
    assert_false(stint_is_suspended());
    pop();
    assert_true(stint_is_suspended());
}

TEST(name_alone_is_of_the_default_domain)
{
    const nvtx_handle other = create("other");
    push_in(other, "window");
    assert_true(stint_is_suspended());
    pop_in(other);
}

TEST(names_that_are_none_are_refused)
{
    char longest[STINT_NVTX_MAX_WINDOW + 2];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(stint_nvtx_window_set(""), -1);
    assert_int_equal(stint_nvtx_window_set("@domain"), -1);
    assert_int_equal(stint_nvtx_window_set(longest), -1);
    assert_int_equal(stint_nvtx_window_set(longest + 1), 0);
}

/* ---------------------------------------------------------------------------------------------------------- nesting */

TEST(only_the_end_of_the_outermost_window_closes_it)
{
    push("window");
    push("window");
    push("inside");
    pop();
    pop();
    assert_false(stint_is_suspended());
    pop();
    assert_true(stint_is_suspended());
}

TEST(ranges_of_other_domains_do_not_end_it)
{
    const nvtx_handle other = create("other");
    push_in(other, "a");
    push("window");
    pop_in(other);
    assert_false(stint_is_suspended());
    push_in(other, "b");
    pop();
    assert_true(stint_is_suspended());
    pop_in(other);
}

TEST(ranges_of_payloads_nest_with_it)
{
    struct stint_nvtx_module *module = client_module(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_PAYLOAD_COMPATIBILITY);
    assert_int_equal(stint_nvtx_attach_extension(module), 1);
    push("window");
    call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_RANGE_PUSH_PAYLOAD, int,
                   (const void *, const struct stint_nvtx_data *, size_t), (NULL, NULL, 0));
    pop();
    assert_false(stint_is_suspended());
    call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_RANGE_POP_PAYLOAD, int,
                   (const void *, const struct stint_nvtx_data *, size_t), (NULL, NULL, 0));
    assert_true(stint_is_suspended());
}

TEST(pops_without_a_push_open_and_close_nothing)
{
    pop();
    push("window");
    assert_false(stint_is_suspended());
    pop();
    pop();
    push("window");
    assert_false(stint_is_suspended());
    pop();
    assert_true(stint_is_suspended());
}

static void *push_and_pop(void *unused)
{
    push("window");
    pop();
    return unused;
}

static void *record_range(void *unused)
{
    range("of another thread", 10);
    return unused;
}

TEST(window_of_one_thread_is_open_for_all)
{
    push("window");
    in_thread(record_range, NULL);
    in_thread(push_and_pop, NULL);
    assert_false(stint_is_suspended());
    pop();
    assert_true(stint_is_suspended());
    check_range(STINT_NVTX_SET, "of another thread", 1, 10);
}

/* ---------------------------------------------------------------------------------------------------- start and end */

TEST(started_ranges_are_windows_too)
{
    const uint64_t first = start("window"), second = start("window"), inside = start("inside");
    assert_true(first && second && inside);
    end(first);
    assert_false(stint_is_suspended());
    end(inside);
    end(first);
    assert_false(stint_is_suspended());
    end(second);
    assert_true(stint_is_suspended());
}

TEST(started_range_that_is_not_recorded_is_no_window)
{
    stint_suspend(STINT_SUSPENDED_STOPPED, 1);
    assert_int_equal(start("window"), 0);
    stint_suspend(STINT_SUSPENDED_STOPPED, 0);
    assert_true(stint_is_suspended());
}

/* ------------------------------------------------------------------------------------------------------------- fork */

static void *push_only(void *unused)
{
    push("window");
    return unused;
}

TEST(in_a_child_windows_of_other_threads_are_closed)
{
    in_thread(push_only, NULL);
    assert_false(stint_is_suspended());
    stint_nvtx_window_after_fork();
    assert_true(stint_is_suspended());
    push("window");
    stint_nvtx_window_after_fork();
    assert_false(stint_is_suspended());
    pop();
    assert_true(stint_is_suspended());
}
