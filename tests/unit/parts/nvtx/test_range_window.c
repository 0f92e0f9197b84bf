#include "nvtx/handler.h"

#include <string.h>

#include "nvtx/client.h"
#include "record/fixture.h"
#include "record/suspend.h"
#include "stint_test.h"

/* ---------------------------------------------------------------------------------------------------------- opening */

static void nothing_is_recorded_outside_of_a_window(void **state)
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

static void window_itself_is_recorded(void **state)
{
    range("window", 20);
    range("window", 30);
    check_range(STINT_NVTX_SET, "window", 2, 50);
}

static void window_is_known_by_any_kind_of_text(void **state)
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

static void names_may_be_patterns_and_have_a_domain(void **state)
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

static void windows_are_named_as_reports_name_ranges(void **state)
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

static void name_alone_is_of_the_default_domain(void **state)
{
    const nvtx_handle other = create("other");

    push_in(other, "window");
    assert_true(stint_is_suspended());
    pop_in(other);
}

static void names_that_are_none_are_refused(void **state)
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

static void only_the_end_of_the_outermost_window_closes_it(void **state)
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

static void ranges_of_other_domains_do_not_end_it(void **state)
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

static void ranges_of_payloads_nest_with_it(void **state)
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

static void pops_without_a_push_open_and_close_nothing(void **state)
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

static void window_of_one_thread_is_open_for_all(void **state)
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

static void started_ranges_are_windows_too(void **state)
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

static void started_range_that_is_not_recorded_is_no_window(void **state)
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

static void in_a_child_windows_of_other_threads_are_closed(void **state)
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

/* Before it is attached, which is when it takes the place of other functions. */
static int start_with_window(void **state)
{
    return stint_nvtx_window_set("window") || client_start(state);
}

static int reset(void **state)
{
    stint_resume();
    return client_reset(state) || stint_nvtx_window_set("window");
}

#define window_test(function) cmocka_unit_test_setup(function, reset)

int main(void)
{
    const struct CMUnitTest tests[] = {
        window_test(nothing_is_recorded_outside_of_a_window),
        window_test(window_itself_is_recorded),
        window_test(window_is_known_by_any_kind_of_text),
        window_test(names_may_be_patterns_and_have_a_domain),
        window_test(windows_are_named_as_reports_name_ranges),
        window_test(name_alone_is_of_the_default_domain),
        window_test(names_that_are_none_are_refused),
        window_test(only_the_end_of_the_outermost_window_closes_it),
        window_test(ranges_of_other_domains_do_not_end_it),
        window_test(ranges_of_payloads_nest_with_it),
        window_test(pops_without_a_push_open_and_close_nothing),
        window_test(window_of_one_thread_is_open_for_all),
        window_test(started_ranges_are_windows_too),
        window_test(started_range_that_is_not_recorded_is_no_window),
        window_test(in_a_child_windows_of_other_threads_are_closed),
    };
    return cmocka_run_group_tests(tests, start_with_window, NULL);
}
