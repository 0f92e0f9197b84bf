// The GPU profiler's windows end however their block ends, in C++: exceptions, objects, lambdas.
#define STINT_WITH_PROFILER 1

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "process/profiler/calls.h"
#include "stint/stint.h"

namespace {

void throw_from(int depth)
{
    REGISTER_GPU_PROFILER("depth", depth);
    if (depth == 0) {
        say("throws");
        throw std::runtime_error("deep");
    }
    throw_from(depth - 1);
}

MODE(throws)
{
    load_driver();
    try {
        REGISTER_GPU_PROFILER("try");
        throw_from(3);
    } catch (const std::runtime_error &) {
        say("caught");
    }
    try {
        throw_from(2);
    } catch (const std::exception &) {
        REGISTER_GPU_PROFILER("catch");
        say("caught");
    }
    return 0;
}

MODE(in_lambda)
{
    load_driver();
    const auto lambda = [](int x) {
        REGISTER_GPU_PROFILER("lambda", x);
        STINT_PROFILE("another");
        return x;
    };
    const int result = lambda(0);
    say("returned");
    return result;
}

TEST(an_exception_stops)
{
    const result result = run_with_calls("throws");
    assert_calls(&result, "start\nthrows\nstop\ncaught\nstart\nthrows\nstop\nstart\ncaught\nstop\n");
}

TEST(a_lambda_is_a_block)
{
    const result result = run_with_calls("in_lambda");
    assert_calls(&result, "start\nstop\nreturned\n");
}

} // namespace
