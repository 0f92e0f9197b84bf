// Scopes end however their block ends, in C++: exceptions, destructors, lambdas, templates, threads.
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "process/harness.h"
#include "stint/stint.h"

namespace {

/* ------------------------------------------------------------------------------------------------------------- modes */

class noisy {
public:
    explicit noisy(const char *name) : name_(name) { scopes(name_, 1); }
    ~noisy() { scopes(name_, 10); }
    noisy(const noisy &) = delete;
    noisy &operator=(const noisy &) = delete;

private:
    const char *name_;
};

// Created before main, and only if asked for. Static destructors run after atexit functions that were registered later.
struct static_object {
    static_object()
    {
        if (mode_is("has_static_object")) {
            STINT_SCOPE("static constructor");
        }
    }
    ~static_object()
    {
        if (mode_is("has_static_object")) {
            STINT_SCOPE("static destructor");
        }
    }
};

const static_object s_object;

MODE(has_static_object)
{
    STINT_SCOPE("main");
    static const noisy local("function static");
    return 0;
}

void throw_from(int depth)
{
    STINT_SCOPE("depth");
    if (depth == 0)
        throw std::runtime_error("deep");
    throw_from(depth - 1);
}

MODE(throws)
{
    STINT_SCOPE("outer");
    try {
        STINT_SCOPE("try");
        throw_from(4);
    } catch (const std::runtime_error &) {
        STINT_SCOPE("catch");
    }
    try {
        try {
            STINT_SCOPE("try");
            throw 1;
        } catch (int) {
            STINT_SCOPE_INFO("rethrow", "a layer");
            throw;
        }
    } catch (...) {
        scopes("outermost", 1);
    }
    return 0;
}

struct failing_member {
    noisy first{"member"};
    failing_member()
    {
        STINT_SCOPE("constructor");
        throw std::string("never whole");
    }
};

MODE(throws_in_constructor)
{
    try {
        failing_member object;
    } catch (const std::string &) {
        scopes("caught", 1);
    }
    return 0;
}

int leaves_by(int way)
{
    for (int i = 0; i < 3; ++i) {
        STINT_SCOPE("body");
        if (way == 0)
            return 1;
        if (way == 1)
            break;
        if (way == 2)
            continue;
        if (way == 3)
            goto out;
    }
    return 0;
out:
    return 2;
}

MODE(leaves)
{
    for (int way = 0; way < 5; ++way)
        (void)leaves_by(way);
    return 0;
}

template <int N> void instance()
{
    STINT_SCOPE(std::to_string(N).c_str());
    if constexpr (N > 0)
        instance<N - 1>();
}

template <typename... Functions> int call_all(Functions... functions)
{
    return (functions() + ...);
}

MODE(has_lambdas_and_templates)
{
    const auto lambda = [](int value) {
        STINT_SCOPE("lambda");
        return value;
    };
    const auto mutable_one = [count = 0]() mutable {
        STINT_SCOPE("mutable lambda");
        return ++count;
    };
    instance<3>();
    (void)call_all([&] { return lambda(1); }, [&] { return lambda(2); }, mutable_one);
    for (const int value : std::vector<int>{1, 2, 3}) {
        STINT_SCOPE_DYNAMIC(std::to_string(value * 100).c_str()); // a temporary that is destroyed before the scope ends
    }
    return 0;
}

struct at_thread_end {
    ~at_thread_end() { scopes("thread_local destructor", 1); }
};

thread_local at_thread_end tl_end;

void use_thread_local()
{
    scopes("thread", 2);
    (void)&tl_end; // created at its first use
    static_cast<void>(tl_end);
}

MODE(has_thread_locals)
{
    for (int i = 0; i < 5; ++i)
        std::thread(use_thread_local).join();
    return 0;
}

MODE(never_catches)
{
    STINT_SCOPE("doomed");
    scopes("before", 3);
    throw std::runtime_error("uncaught");
}

// The end of a scope never throws and never swallows: an exception passes through it.
MODE(unwinds_through_slow_scope)
{
    try {
        STINT_SCOPE("slow", 0);
        throw 5;
    } catch (int value) {
        return value;
    }
}

// Workers adopt in a block that an exception leaves, and by an object.
void adopt_twice(struct stint_token token)
{
    try {
        STINT_ADOPT(token);
        STINT_SCOPE("task");
        throw std::runtime_error("leaves the block");
    } catch (const std::runtime_error &) {
        STINT_SCOPE("after");
    }
    const stint::adoption adoption(token);
    STINT_SCOPE("task");
}

// Returns the number of calling contexts "waits" > STINT_ADOPTED > "task".
int adopted_tasks()
{
    struct stint_snapshot *snapshot = nullptr;
    int found = 0;
    if (stint_snapshot_take(&snapshot) != STINT_OK)
        return 0;
    const auto name_of = [snapshot](std::size_t context) {
        return std::string(context == STINT_NO_PARENT ? "" : snapshot->stats[snapshot->contexts[context].stat].name);
    };
    for (std::size_t i = 0; i < snapshot->context_count; ++i) {
        const std::size_t around = snapshot->contexts[i].parent;
        found += name_of(i) == "task" && name_of(around) == STINT_ADOPTED &&
                 name_of(snapshot->contexts[around].parent) == "waits";
    }
    stint_snapshot_free(snapshot);
    return found;
}

MODE(adopts)
{
    STINT_SCOPE("waits");
    std::vector<std::thread> workers;
    const struct stint_token token = stint_token_take();

    for (int i = 0; i < 4; ++i)
        workers.emplace_back(adopt_twice, token);
    for (std::thread &worker : workers)
        worker.join();
    return adopted_tasks() != 1;
}

/* ------------------------------------------------------------------------------------------------------------- tests */

struct expectation {
    const char *name;
    unsigned count;
};

// No scope is still running, and none was popped by force.
void assert_counts(const struct result &result, const std::vector<expectation> &expected)
{
    for (const expectation &one : expected) {
        assert_int_equal(stat_number(result.report, one.name, "count"), one.count);
        assert_int_equal(stat_number(result.report, one.name, "running"), 0);
    }
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
}

TEST(test_static_objects)
{
    const struct result result = run("has_static_object", nullptr);
    assert_exit(&result, 0);
    assert_counts(result, {{"static constructor", 1}, {"static destructor", 1}, {"main", 1}, {"function static", 11}});
}

TEST(test_exceptions)
{
    struct result result = run("throws", nullptr);
    assert_exit(&result, 0);
    assert_counts(result, {{"depth", 5}, {"try", 2}, {"catch", 1}, {"rethrow", 1}, {"outermost", 1}, {"outer", 1}});
    assert_int_equal(stat_number(result.report, "depth", "recursive"), 4);

    result = run("throws_in_constructor", nullptr);
    assert_exit(&result, 0);
    assert_counts(result, {{"member", 11}, {"constructor", 1}, {"caught", 1}});

    result = run("unwinds_through_slow_scope", nullptr);
    assert_exit(&result, 5);
    assert_counts(result, {{"slow", 1}});
    assert_int_equal(occurrences(result.err, "Stat: [slow]"), 1);
}

TEST(test_leaving)
{
    const struct result result = run("leaves", nullptr);
    assert_exit(&result, 0);
    assert_counts(result, {{"body", 1 + 1 + 3 + 1 + 3}});
}

TEST(test_adopting_blocks)
{
    const struct result result = run("adopts", nullptr);
    assert_exit(&result, 0);
    assert_counts(result, {{"waits", 1}, {STINT_ADOPTED, 8}, {"task", 8}, {"after", 4}});
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
}

TEST(test_lambdas_and_templates)
{
    const struct result result = run("has_lambdas_and_templates", nullptr);
    assert_exit(&result, 0);
    assert_counts(result, {{"0", 1}, {"3", 1}, {"lambda", 2}, {"mutable lambda", 1}, {"100", 1}, {"300", 1}});
}

TEST(test_thread_locals)
{
    const struct result result = run("has_thread_locals", nullptr);
    assert_exit(&result, 0);
    assert_counts(result, {{"thread", 10}, {"thread_local destructor", 5}});
}

// terminate() aborts: the scope that was open is shown as running.
TEST(test_uncaught_exception)
{
    const struct result result = run("never_catches", nullptr);
    assert_signal(&result, SIGABRT);
    assert_int_equal(stat_number(result.report, "before", "count"), 3);
    assert_int_equal(stat_number(result.report, "doomed", "running"), 1);
}

} // namespace
