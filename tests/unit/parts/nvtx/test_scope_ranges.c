#include "nvtx/handler.h"

#include <stdlib.h>

#include "captured_log.h"
#include "record/scope.h"
#include "stint_test.h"

/* What the rim would say, and what it was asked; whether scopes are listened to. */
static enum stint_nvtx s_answer;
static int s_starts;
static int s_insisted;
static const struct stint_listener *s_listener;

enum stint_nvtx __wrap_stint_nvtx_start(int insist)
{
    ++s_starts;
    s_insisted = insist;
    return s_answer;
}

void __wrap_stint_scope_listen(const struct stint_listener *listener);
void __wrap_stint_scope_listen(const struct stint_listener *listener)
{
    s_listener = listener;
}

/* Starts with STINT_NVTX set to `choice`, NULL for unset. */
static void start(const char *choice, enum stint_nvtx answer)
{
    if (choice)
        assert_int_equal(setenv("STINT_NVTX", choice, 1), 0);
    else
        assert_int_equal(unsetenv("STINT_NVTX"), 0);
    s_answer = answer;
    s_starts = 0;
    s_insisted = 0;
    s_listener = NULL;
    captured_log_begin();
    stint_ranges_start();
}

TEST(off_does_not_look_for_a_tool)
{
    start("off", STINT_NVTX_ATTACHED);
    assert_int_equal(s_starts, 0);
    assert_null(s_listener);
}

TEST(auto_listens_if_a_tool_is_attached_and_does_not_insist)
{
    static const char *const choices[] = {NULL, "", "auto", "AUTO"};
    for (size_t i = 0; i < TEST_COUNT(choices); ++i) {
        start(choices[i], STINT_NVTX_ATTACHED);
        assert_int_equal(s_starts, 1);
        assert_false(s_insisted);
        assert_non_null(s_listener);
    }
}

TEST(auto_is_silent_about_what_keeps_it_from_listening)
{
    static const enum stint_nvtx answers[] = {STINT_NVTX_NO_TOOL, STINT_NVTX_NO_MEMORY};
    for (size_t i = 0; i < TEST_COUNT(answers); ++i) {
        start("auto", answers[i]);
        assert_null(s_listener);
        assert_int_equal(captured_log.lines, 0);
    }
}

TEST(on_insists_and_listens_without_a_tool)
{
    static const enum stint_nvtx answers[] = {STINT_NVTX_ATTACHED, STINT_NVTX_NO_TOOL};
    for (size_t i = 0; i < TEST_COUNT(answers); ++i) {
        start("on", answers[i]);
        assert_true(s_insisted);
        assert_non_null(s_listener);
        assert_int_equal(captured_log.lines, 0);
    }
}

TEST(on_warns_once_of_what_keeps_it_from_listening)
{
    start("on", STINT_NVTX_NO_MEMORY);
    assert_null(s_listener);
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    assert_string_equal(captured_log.message,
                        "STINT_NVTX=on, but there is no memory: scopes are not passed on as ranges");
}

TEST(nonsense_is_one_line_and_auto)
{
    start("1", STINT_NVTX_ATTACHED);
    assert_int_equal(captured_log.lines, 1);
    assert_string_equal(captured_log.message, "STINT_NVTX=1 is not understood: expected auto|on|off; using auto");
    assert_false(s_insisted);
    assert_non_null(s_listener);
}

TEST(the_listener_pushes_and_pops)
{
    start("on", STINT_NVTX_NO_TOOL);
    assert_ptr_equal(s_listener->enter, stint_nvtx_push);
    assert_ptr_equal(s_listener->leave, stint_nvtx_pop);
}
