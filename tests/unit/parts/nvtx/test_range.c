#include "nvtx/range.h"

#include <string.h>
#include <sys/prctl.h>

#include "contexts/contexts.h"
#include "nvtx/client.h"
#include "record/fixture.h"
#include "stint_test.h"

/* ----------------------------------------------------------------------------------------------------------- levels */

TEST_ONCE(client_start, NULL)
TEST_EACH(client_reset, NULL)

TEST(levels_count_from_0_and_pop_returns_that_of_the_range)
{
    assert_int_equal(push("a"), 0);
    assert_int_equal(push("b"), 1);
    assert_int_equal(push("c"), 2);
    assert_int_equal(pop(), 2);
    assert_int_equal(pop(), 1);
    assert_int_equal(push("d"), 1);
    assert_int_equal(pop(), 1);
    assert_int_equal(pop(), 0);
}

TEST(every_domain_has_levels_of_its_own)
{
    const nvtx_handle one = create("levels one"), two = create("levels two");
    assert_int_equal(push_in(one, "a"), 0);
    assert_int_equal(push_in(two, "b"), 0);
    assert_int_equal(push_in(one, "c"), 1);
    assert_int_equal(push("d"), 0);
    assert_int_equal(pop(), 0);
    assert_int_equal(pop_in(one), 1);
    assert_int_equal(pop_in(two), 0);
    assert_int_equal(pop_in(one), 0);
}

static void *push_once(void *level)
{
    *(int *)level = push("of another thread");
    pop();
    return NULL;
}

TEST(every_thread_has_levels_of_its_own)
{
    int level = -1;
    push("outer");
    in_thread(push_once, &level);
    assert_int_equal(level, 0);
    assert_int_equal(pop(), 0);
}

TEST(a_pop_without_a_push_is_mismatched)
{
    const nvtx_handle domain = create("mismatched");
    assert_true(pop() < 0);
    push("a");
    assert_true(pop_in(domain) < 0);
    pop();
    assert_true(pop() < 0);
    check_dropped((struct stint_dropped){.mismatched = 3});
}

/* ------------------------------------------------------------------------------------------------------------ times */

TEST(ranges_are_scopes_with_count_total_and_self_time)
{
    struct stint_numbers outer, inner;
    push("times outer");
    clock_advance(10);
    range("times inner", 5);
    range("times inner", 7);
    clock_advance(1);
    pop();
    outer = of("NVTX", "times outer");
    inner = of("NVTX", "times inner");
    assert_int_equal(outer.count, 1);
    assert_int_equal(outer.total_ns, 23);
    assert_int_equal(outer.self_ns, 11);
    assert_int_equal(inner.count, 2);
    assert_int_equal(inner.total_ns, 12);
    assert_int_equal(inner.min_ns, 5);
    assert_int_equal(inner.max_ns, 7);
    assert_int_equal(now_at("times outer/times inner").count, 2);
}

TEST(ranges_nest_in_timers_and_timers_in_ranges)
{
    struct stint_i_node *timer = enter("timer");
    push("in a timer");
    run("in a range", 3);
    pop();
    stint_i_leave(timer);
    assert_int_equal(now_at("timer/in a timer/in a range").total_ns, 3);
    check_dropped((struct stint_dropped){0});
}

TEST(the_path_of_a_thread_ends_with_its_innermost_range)
{
    const uint32_t before = stint_path_current();
    push("on the path");
    uint32_t inside = stint_path_current();
    assert_int_equal(stint_path_at(inside).parent, before);
    assert_string_equal(stint_registry_entry(stint_path_at(inside).id)->name, "on the path");
    pop();
    assert_int_equal(stint_path_current(), before);
}

TEST(a_running_range_is_in_a_snapshot)
{
    push("still running");
    clock_advance(40);
    assert_int_equal(of("NVTX", "still running").running, 1);
    assert_int_equal(of("NVTX", "still running").running_ns, 40);
    pop();
}

TEST(a_range_that_was_reset_counts_from_there)
{
    push("reset");
    clock_advance(100);
    reset_set(NULL, STINT_RESET_ALL);
    clock_advance(3);
    pop();
    assert_int_equal(of("NVTX", "reset").total_ns, 3);
}

/* ------------------------------------------------------------------------------------------------------------ names */

TEST(each_domain_has_a_set)
{
    const nvtx_handle domain = create("cuDF");
    push_in(domain, "join");
    pop_in(domain);
    push_in(NULL, "join");
    pop_in(NULL);
    push("join");
    pop();
    assert_int_equal(of("NVTX:cuDF", "join").count, 1);
    assert_int_equal(of("NVTX", "join").count, 2);
}

TEST(a_range_is_called_the_same_however_its_name_comes)
{
    const nvtx_handle domain = create("forms"), string = register_text(domain, "Größe");
    const struct stint_nvtx_attributes as_text = text("Größe"), as_wide = wide(L"Größe");
    push_registered(domain, string);
    push_attributes(domain, &as_text);
    push_attributes(domain, &as_wide);
    for (int i = 0; i < 3; ++i)
        pop_in(domain);
    assert_int_equal(of("NVTX:forms", "Größe").count, 3);
    call(STINT_NVTX_CORE, STINT_NVTX_RANGE_PUSH_W, int, (const wchar_t *), (L"Größe"));
    pop();
    assert_int_equal(of("NVTX", "Größe").count, 1);
}

TEST(a_text_may_be_gone_after_the_push)
{
    char name[] = "gone";
    push(name);
    memset(name, 'x', sizeof name - 1);
    pop();
    assert_int_equal(of("NVTX", "gone").count, 1);
}

TEST(a_string_of_another_domain_is_a_text)
{
    const nvtx_handle mine = create("mine"), yours = create("yours"), string = register_text(yours, "borrowed");
    push_registered(yours, string);
    pop_in(yours);
    push_registered(mine, string);
    pop_in(mine);
    push_registered(NULL, string);
    pop();
    assert_int_equal(of("NVTX:mine", "borrowed").count, 1);
    assert_int_equal(of("NVTX", "borrowed").count, 1);
    assert_int_equal(of("NVTX:yours", "borrowed").count, 1);
}

TEST(what_has_no_name_is_unnamed)
{
    const struct stint_nvtx_attributes none = {.version = 3, .size = sizeof none};
    int wild = 0;
    push_attributes(NULL, &none);
    push_attributes(NULL, NULL);
    push_registered(NULL, NULL);
    push_registered(NULL, &wild);
    push(NULL);
    push("");
    for (int i = 5; i >= 0; --i)
        assert_int_equal(pop(), i);
    assert_int_equal(of("NVTX", "(unnamed)").count, 6);
    check_dropped((struct stint_dropped){.unnamed = 6});
}

TEST(fields_beyond_the_callers_size_are_not_read)
{
    struct stint_nvtx_attributes attributes = text("beyond");
    attributes.size = offsetof(struct stint_nvtx_attributes, text_type);
    attributes.payload_type = STINT_NVTX_PAYLOAD_U32;
    attributes.payload.u32 = 9;
    push_attributes(NULL, &attributes);
    pop();
    assert_int_equal(of("NVTX", "beyond").count, 0);
    assert_int_equal(of("NVTX", "(unnamed)").count, 1);
    assert_int_equal(value_of("NVTX", "(unnamed)", "").count, 1);
    attributes.size = offsetof(struct stint_nvtx_attributes, payload);
    push_attributes(NULL, &attributes);
    pop();
    assert_int_equal(value_of("NVTX", "(unnamed)", "").sum, 9);
}

TEST(a_registered_string_beyond_the_callers_size_is_not_read)
{
    const nvtx_handle string = register_text(NULL, "beyond, registered");
    struct stint_nvtx_attributes attributes = registered(string);
    push_attributes(NULL, &attributes);
    attributes.size = offsetof(struct stint_nvtx_attributes, text_type);
    push_attributes(NULL, &attributes);
    pop();
    pop();
    assert_int_equal(of("NVTX", "beyond, registered").count, 1);
}

TEST(a_handle_of_nobodys_is_passed_over)
{
    int wild = 0;
    assert_int_equal(push_in(&wild, "wild"), STINT_NVTX_UNTRACKED);
    assert_int_equal(pop_in(&wild), STINT_NVTX_UNTRACKED);
    assert_int_equal(of("NVTX", "wild").count, 0);
    check_dropped((struct stint_dropped){0});
}

/* ----------------------------------------------------------------------------------------------- for another thread */

/* As PyTorch's thread for backward passes; ranges of two domains overlap at the end. */
static void *go_backward(void *domain)
{
    prctl(PR_SET_NAME, "pt_autograd_0", 0, 0, 0);
    for (int i = 0; i < 2; ++i) {
        push("MulBackward0");
        range("aten::mul", 20);
        pop();
        clock_advance(100); /* waits for work */
    }
    push("overlaps");
    clock_advance(1);
    push_in(*(nvtx_handle *)domain, "is overlapped");
    clock_advance(2);
    pop();
    clock_advance(3);
    pop_in(*(nvtx_handle *)domain);
    return NULL;
}

TEST(ranges_of_a_backward_pass_are_in_the_range_that_waits_for_it)
{
    nvtx_handle domain = create("backward");
    stint_adopted_work = STINT_ADOPT_AUTOGRAD;
    push("step");
    push("backward");
    in_thread(go_backward, &domain);
    pop();
    pop();
    in_thread(go_backward, &domain); /* nobody waits */
    stint_adopted_work = STINT_ADOPT_NOTHING;
    assert_int_equal(now_at("step/backward/(other threads)").count, 3);
    assert_int_equal(now_at("step/backward/(other threads)").total_ns, 40 + 6);
    assert_int_equal(now_at("step/backward/(other threads)").self_ns, 0);
    assert_int_equal(now_at("step/backward/(other threads)/MulBackward0/aten::mul").total_ns, 40);
    assert_int_equal(now_at("step/backward/(other threads)/overlaps").total_ns, 3);
    assert_int_equal(now_at("step/backward").count, 1);
    assert_int_equal(now_at("MulBackward0/aten::mul").count, 2);
    check_dropped((struct stint_dropped){0});
}

static void *push_and_ask(void *path)
{
    prctl(PR_SET_NAME, "pt_autograd_0", 0, 0, 0);
    push("asks");
    *(uint32_t *)path = stint_path_current();
    pop();
    return NULL;
}

TEST(path_of_such_a_range_is_below_the_one_that_waits)
{
    uint32_t path = 0, waits;
    stint_adopted_work = STINT_ADOPT_AUTOGRAD;
    push("waits");
    waits = stint_path_current();
    in_thread(push_and_ask, &path);
    pop();
    stint_adopted_work = STINT_ADOPT_NOTHING;
    assert_int_equal(stint_path_at(stint_path_at(path).parent).parent, waits);
}
