// Every name of paddle/utils/Stat.h, used as Paddle's programs use it. Compiled with its switches on and off;
// tests/paddle runs such a program.
#include <stint/paddle.hpp>

#include <memory>
#include <sstream>
#include <string>

namespace paddle {

extern std::string computed(int x);
int inside(int x, StatSet &set, struct timeval cur);

// Paddle's macros contained a semicolon, so the caller's may be missing.
int inside(int x, StatSet &set, struct timeval cur)
{
    const uint64_t start = nowInMicroSec();
    const int numConnThreads = 3;
    REGISTER_TIMER("one");
    REGISTER_TIMER("two", 1000);
    REGISTER_TIMER("three", -1, set);
    // clang-format off
    REGISTER_TIMER("no semicolon")
    REGISTER_TIMER_INFO("info", computed(x).c_str())
    REGISTER_BARRIER_TIMER_SERVER(set, "no semicolon", numConnThreads, x)
    // clang-format on
    REGISTER_TIMER_INFO("info", "info");
    REGISTER_TIMER_INFO("no info", NULL);
    REGISTER_TIMER_SET("since", start);
    REGISTER_TIMER_SET("since", start, 1000);
    REGISTER_TIMER_SET("since", start, 1000, set);
    REGISTER_TIMER_DYNAMIC(computed(x));
    REGISTER_TIMER_DYNAMIC("dynamic", 1000);
    REGISTER_TIMER_DYNAMIC(computed(x) + ".name", 1000, set);
    REGISTER_TIMER_DYNAMIC_SET(computed(x), start);
    REGISTER_TIMER_DYNAMIC_SET(computed(x), start, 1000);
    REGISTER_TIMER_DYNAMIC_SET(computed(x), start, 1000, set);
    FOR_TIMING(x += 1);
    REGISTER_GPU_PROFILER("profiler");
    REGISTER_GPU_PROFILER("profiler", "numSamples = 10, channels = 16");
    REGISTER_BARRIER_TIMER_SERVER(set, "end", numConnThreads, x);
    REGISTER_BARRIER_TIMER_SERVER(set, computed(x), numConnThreads, x, "_denseUpdater");
    REGISTER_BARRIER_TIMER_SERVER_SET(set, "at", numConnThreads, x, cur);
    REGISTER_BARRIER_TIMER_SERVER_SET(set, "at", numConnThreads, x, cur, x ? "_sparseUpdater" : "_denseUpdater");
    REGISTER_BARRIER_DELTA_SERVER_SET(set, "delta", numConnThreads, x, 12);
    REGISTER_BARRIER_DELTA_SERVER_SET(set, "delta", numConnThreads, x, start, computed(x));
    REGISTER_SLOW_NODES_PROBE(set, "probe", numConnThreads, x);
    REGISTER_SLOW_NODES_PROBE(globalStat, "probe", numConnThreads, x, "_tag");
    REGISTER_SLOW_NODES_PROBE(globalStat, "probe", numConnThreads, x, );
    CHECK_BARRIER_TIMER(set, "probe", numConnThreads);
    CHECK_BARRIER_TIMER(set, "probe", numConnThreads, "_tag");
    (void)start;
    (void)numConnThreads;
    (void)cur;
    (void)set;
    return x;
}

} // namespace paddle

int everything(paddle::StatSet &set);

int everything(paddle::StatSet &set)
{
    using namespace paddle; // NOLINT
    const std::unique_ptr<StatSet> own(new StatSet("own"));
    const StatPtr stat = set.getStat("stat");
    const BarrierStatPtr barrier = set.getStat(10, "barrier", BARRIER_END);
    struct timeval time = {1, 2};
    BarrierEndStat end(10, "end");
    BarrierDeltaStat delta(10, "delta");
    GpuProfiler profiler("name", "info");
    Timer timer, late(false);
    Stat alone("alone");
    std::ostringstream out;
    paddle::StatSet &other = globalStat;

    {
        TimerOnce once(stat.get());
        TimerOnce more(stat.get(), "info", 1000, false, nowInMicroSec());
    }
    late.start();
    late.setStartStamp(nowInMicroSec());
    timer.reset();
    stat->addSample(timer.stop() + late.get());
    stat->setThreadInfo(!stat->getThreadInfo());
    alone.reset();
    barrier->updateStat(time, 0);
    end.updateStat(time, 0);
    delta.updateStat(timeToMicroSecond(time), 0);
    barrier->reset(false);
    out << *stat << *barrier << stat->getName() << barrier->getName() << barrier->checkPassBarrier() << BARRIER_DELTA;
    set.printSegTimerStatus();
    set.printBarrierTimerStatus();
    set.printAllStatus();
    set.printStatus("stat");
    set.setThreadInfo("stat", true);
    set.setThreadInfo(true);
    set.reset();
    set.reset(false);
    set.deleteStat("stat");
    own->reset();
    other.printSegTimerStatus();
    return static_cast<int>(out.str().size()) + static_cast<int>(getStat("stat")->getName().size());
}
