/* stint/paddle.hpp - a replacement for PaddlePaddle's paddle/utils/Stat.h.
 *
 * A program written against that header compiles unchanged when a file of that name on its include path reads
 *
 *     #include <stint/paddle.hpp>
 *
 * and the program is linked with stint. It then prints what it printed with Paddle. docs/migrating-from-paddle.md lists
 * the differences.
 *
 * As in Paddle, PADDLE_DISABLE_TIMER compiles out the timer and barrier macros, and PADDLE_DISABLE_PROFILER those of
 * the profiler: they expand to nothing, and their arguments are not even type-checked. REGISTER_SLOW_NODES_PROBE and
 * CHECK_BARRIER_TIMER are always compiled in. If neither is defined, STINT_WITH_TIMER and STINT_WITH_PROFILER decide.
 * C++11 and later.
 *
 * This header defines Paddle's macros whether or not STINT_NO_SHORT_NAMES is defined, and replaces those of stint's
 * other headers: here a set is a paddle::StatSet, a name may be a std::string, and macros end with a semicolon of their
 * own. It declares none of the functions with short names, such as ::printAllStatus(). */
#ifndef STINT_PADDLE_HPP
#define STINT_PADDLE_HPP

#ifndef STINT_NO_SHORT_NAMES
#define STINT_NO_SHORT_NAMES
#define STINT_I_PADDLE_HID_SHORT_NAMES
#endif

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

#include <sys/time.h>

#include "stint/barrier.h"
#include "stint/config.h"
#include "stint/detail/paddle.h"
#include "stint/detail/scope.h"
#include "stint/profiler.h"
#include "stint/statset.h"
#include "stint/timer.h"

#ifdef STINT_I_PADDLE_HID_SHORT_NAMES
#undef STINT_NO_SHORT_NAMES
#undef STINT_I_PADDLE_HID_SHORT_NAMES
#endif

namespace paddle {

class StatSet;

/** Returns the time in microseconds by a clock that is never stepped, unlike that of gettimeofday. */
inline std::uint64_t nowInMicroSec()
{
    return stint_now_us();
}

/* -------------------------------------------------------------------------------------------------------------
 * Timer */

/** Adds up intervals, in microseconds. */
class Timer {
public:
    explicit Timer(bool autoStart = true) : total_(0), startStamp_(0)
    {
        if (autoStart)
            start();
    }
    void start() { startStamp_ = nowInMicroSec(); }
    void setStartStamp(std::uint64_t startStamp) { startStamp_ = startStamp; }
    /** Adds the time since the start to the total, and returns it. If the start is in the future, nothing is added. */
    std::uint64_t stop()
    {
        const std::uint64_t now = nowInMicroSec();

        total_ += now > startStamp_ ? now - startStamp_ : 0;
        return total_;
    }
    std::uint64_t get() const { return total_; }
    void reset() { total_ = 0; }

protected:
    std::uint64_t total_;
    std::uint64_t startStamp_;
};

/* --------------------------------------------------------------------------------------------------------------
 * Stat */

/** A statistic of a set, in microseconds. Stat(name) is a statistic of the global set. */
class Stat {
public:
    explicit Stat(const std::string &statName) : Stat(nullptr, statName) {}
    Stat(stint_statset *set, const std::string &statName) : set_(set), name_(statName), threadInfo_(false)
    {
        stint_i_paddle_register(set_, name_.c_str());
    }
    Stat(const Stat &) = delete;
    Stat &operator=(const Stat &) = delete;

    const std::string &getName() const { return name_; }
    void addSample(std::uint64_t value) { stint_statset_add(set_, name_.c_str(), value * 1000u); }
    void reset() { stint_i_paddle_reset(set_, name_.c_str()); }

    /** Chooses whether the statistic is printed with a line per thread. */
    void setThreadInfo(bool flag)
    {
        threadInfo_ = flag;
        stint_statset_set_thread_info(set_, name_.c_str(), flag);
    }
    bool getThreadInfo() const { return threadInfo_; }

    friend std::ostream &operator<<(std::ostream &output, const Stat &stat);
    friend class StatSet;

private:
    stint_statset *set_;
    const std::string name_;
    std::atomic<bool> threadInfo_;
};

typedef std::shared_ptr<Stat> StatPtr;

namespace stint_detail {

struct snapshot_free {
    void operator()(stint_snapshot *snapshot) const { stint_snapshot_free(snapshot); }
};

typedef std::unique_ptr<stint_snapshot, snapshot_free> snapshot_ptr;

/** Returns a snapshot, or nullptr. */
inline snapshot_ptr take_snapshot()
{
    stint_snapshot *snapshot = nullptr;

    return stint_snapshot_take(&snapshot) == STINT_OK ? snapshot_ptr(snapshot) : snapshot_ptr();
}

inline void put_time(std::ostream &line, const char *key, std::uint64_t us)
{
    line << key << std::setw(10) << static_cast<double>(us) * 0.001;
}

/** Writes one of Paddle's lines, without a thread id if `tid` is 0. */
inline void put_line(std::ostream &output, const std::string &name, const stint_numbers &numbers, std::int64_t tid,
                     int indent)
{
    const std::uint64_t total_us = numbers.total_ns / 1000;
    const std::uint64_t samples = numbers.count - numbers.recursive;
    std::ostringstream line; /* independent of the format flags of `output` */

    line.imbue(std::locale::classic());
    line << std::left << std::setw(indent) << ""
         << "Stat=" << std::setw(30) << name;
    if (tid)
        line << " TID=" << std::setw(6) << tid;
    put_time(line, " total=", total_us);
    put_time(line, " avg=", samples ? total_us / samples : 0);
    put_time(line, " max=", numbers.max_ns / 1000);
    put_time(line, " min=", numbers.min_ns / 1000);
    line << " count=" << std::setw(10) << numbers.count << '\n';
    output << line.str();
}

/** Writes a line for each live thread, then one for the exited threads. */
inline void put_threads(std::ostream &output, const std::string &name, const stint_snapshot &snapshot, std::size_t stat)
{
    int indent = 0;

    for (int exited = 0; exited < 2; ++exited)
        for (std::size_t i = 0; i < snapshot.thread_stat_count; ++i) {
            const stint_thread_stat &row = snapshot.thread_stats[i];
            const stint_thread &thread = snapshot.threads[row.thread];

            if (row.stat != stat || thread.exited != exited || !row.numbers.count)
                continue;
            put_line(output, name, row.numbers, thread.tid, exited ? 0 : indent);
            indent = 42;
        }
}

extern "C" inline int stint_i_paddle_put(void *output, const char *text, std::size_t length)
{
    static_cast<std::ostream *>(output)->write(text, static_cast<std::streamsize>(length));
    return 0;
}

} // namespace stint_detail

inline std::ostream &operator<<(std::ostream &output, const Stat &stat)
{
    const stint_detail::snapshot_ptr snapshot = stint_detail::take_snapshot();
    const stint_stat *const row =
        snapshot ? stint_snapshot_find(snapshot.get(), stint_statset_name(stat.set_), stat.name_.c_str()) : nullptr;

    if (!row)
        return output;
    if (row->by_thread)
        stint_detail::put_threads(output, stat.name_, *snapshot, static_cast<std::size_t>(row - snapshot->stats));
    else if (row->numbers.count)
        stint_detail::put_line(output, stat.name_, row->numbers, 0, 0);
    return output;
}

/* ----------------------------------------------------------------------------------------------------------
 * barriers */

enum BarrierStatType {
    BARRIER_END = 0,
    BARRIER_DELTA = 1,
};

inline std::uint64_t timeToMicroSecond(struct timeval time)
{
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000u + static_cast<std::uint64_t>(time.tv_usec);
}

/** A barrier statistic of a set, by default of the global set. Its first call decides whether it takes arrivals or
 *  durations; calls of the other kind are refused, and the first of them is logged. */
class BarrierStatBase {
public:
    BarrierStatBase(std::uint16_t numConnThreads, const std::string &name, stint_statset *set = nullptr)
        : set_(set), name_(name), participants_(numConnThreads)
    {
    }
    BarrierStatBase(const BarrierStatBase &) = delete;
    BarrierStatBase &operator=(const BarrierStatBase &) = delete;

    /** A trainer arrives at time `cur`. Its id must be 0 to numConnThreads - 1: Paddle's default of -1 is refused. */
    void updateStat(struct timeval &cur, std::int32_t trainerId = -1)
    {
        stint_barrier_arrive_at(set_, name_.c_str(), participants_, trainerId, timeToMicroSecond(cur));
    }
    /** A trainer reports a duration in microseconds. */
    void updateStat(std::uint64_t delta, std::int32_t trainerId = -1)
    {
        stint_barrier_delta(set_, name_.c_str(), participants_, trainerId, delta);
    }
    const std::string &getName() { return name_; }
    void reset(bool clearRawData = true)
    {
        stint_barrier_reset(set_, name_.c_str(), clearRawData ? STINT_RESET_ALL : STINT_RESET_KEEP_RUNNING);
    }
    bool checkPassBarrier() { return stint_barrier_check(set_, name_.c_str(), participants_) == STINT_OK; }

    friend std::ostream &operator<<(std::ostream &output, const BarrierStatBase &stat);

private:
    stint_statset *set_;
    const std::string name_;
    std::uint16_t participants_;
};

typedef std::shared_ptr<BarrierStatBase> BarrierStatPtr;

class BarrierEndStat : public BarrierStatBase {
public:
    BarrierEndStat(std::uint16_t numConnThreads, const std::string &name) : BarrierStatBase(numConnThreads, name) {}
};

class BarrierDeltaStat : public BarrierStatBase {
public:
    BarrierDeltaStat(std::uint16_t numConnThreads, const std::string &name) : BarrierStatBase(numConnThreads, name) {}
};

inline std::ostream &operator<<(std::ostream &output, const BarrierStatBase &stat)
{
    const stint_detail::snapshot_ptr snapshot = stint_detail::take_snapshot();

    for (std::size_t i = 0; snapshot && i < snapshot->barrier_count; ++i) {
        const stint_barrier_stat &row = snapshot->barriers[i];

        if (stat.name_ == row.name && std::string(stint_statset_name(stat.set_)) == row.set)
            stint_barrier_write(&row, stint_detail::stint_i_paddle_put, &output);
    }
    return output;
}

/* -----------------------------------------------------------------------------------------------------------
 * StatSet */

namespace stint_detail {

struct global_tag {};

/** The Stats handed out so far, so that one name always gives the same Stat. Never destroyed, because scopes may still
 *  run at exit. */
struct stat_table {
    std::mutex lock;
    std::map<std::pair<stint_statset *, std::string>, StatPtr> stats;
    std::map<std::pair<stint_statset *, std::string>, BarrierStatPtr> barriers;
};

inline stat_table &stats()
{
    static stat_table *const table = new stat_table;

    return *table;
}

} // namespace stint_detail

/** A named set of statistics. Two StatSets of the same name are the same set. Its statistics live until the process
 *  ends. */
class StatSet {
public:
    explicit StatSet(const std::string &name) : set_(stint_statset_get(name.c_str())) {}
    explicit constexpr StatSet(stint_detail::global_tag) : set_(nullptr) {}
    StatSet(const StatSet &) = delete;
    StatSet &operator=(const StatSet &) = delete;

    /* These print through stint's log sink. */
    void printSegTimerStatus() { stint_statset_print(set_, nullptr); }
    void printBarrierTimerStatus() { stint_barrier_print(set_, nullptr); }
    void printAllStatus() { stint_i_paddle_print_all(set_); }
    /** Logs an unknown name, and does not end the program. */
    void printStatus(const std::string &name) { stint_statset_print(set_, name.c_str()); }

    StatPtr getStat(const std::string &name)
    {
        stint_detail::stat_table &table = stint_detail::stats();
        const std::lock_guard<std::mutex> guard(table.lock);
        StatPtr &stat = table.stats[std::make_pair(set_, name)];

        if (!stat)
            stat = std::make_shared<Stat>(set_, name);
        return stat;
    }

    BarrierStatPtr getStat(std::uint16_t numConnThreads, const std::string &name, BarrierStatType)
    {
        stint_detail::stat_table &table = stint_detail::stats();
        const std::lock_guard<std::mutex> guard(table.lock);
        BarrierStatPtr &stat = table.barriers[std::make_pair(set_, name)];

        if (!stat)
            stat = std::make_shared<BarrierStatBase>(numConnThreads, name, set_);
        return stat;
    }

    void deleteStat(const std::string &name)
    {
        stint_detail::stat_table &table = stint_detail::stats();
        {
            const std::lock_guard<std::mutex> guard(table.lock);

            table.stats.erase(std::make_pair(set_, name));
        }
        stint_statset_delete(set_, name.c_str());
    }

    void setThreadInfo(const std::string &name, bool flag)
    {
        if (stint_statset_set_thread_info(set_, name.c_str(), flag) == STINT_OK)
            getStat(name)->threadInfo_ = flag;
    }
    void setThreadInfo(bool flag)
    {
        stint_detail::stat_table &table = stint_detail::stats();
        const std::lock_guard<std::mutex> guard(table.lock);

        stint_statset_set_thread_info(set_, nullptr, flag);
        for (auto &entry : table.stats)
            if (entry.first.first == set_)
                entry.second->threadInfo_ = flag;
    }

    /** Zeroes all statistics. Running scopes count in full when they end. With clearRawData, also drops the rounds of
     *  barriers that are under way. */
    void reset(bool clearRawData = true)
    {
        stint_statset_reset(set_, STINT_RESET_KEEP_RUNNING);
        if (clearRawData)
            stint_barrier_reset(set_, nullptr, STINT_RESET_ALL);
    }

    /** Returns the set for stint's own functions; nullptr for the global set. */
    stint_statset *handle() const { return set_; }

private:
    stint_statset *set_;
};

/* The global set. It is initialized before any code runs, because constructors of static objects may use it. */
#if __cplusplus >= 201703L
inline StatSet globalStat{stint_detail::global_tag()};
#else
namespace stint_detail {

template <typename Unused> struct global_holder {
    static StatSet set;
};
template <typename Unused> StatSet global_holder<Unused>::set{global_tag()};

} // namespace stint_detail

static StatSet &globalStat __attribute__((__unused__)) = stint_detail::global_holder<void>::set;
#endif

inline StatPtr getStat(const std::string &name)
{
    return globalStat.getStat(name);
}

/* ---------------------------------------------------------------------------------------------------------
 * TimerOnce */

/** When destroyed, adds the time since its construction, or since startStamp, to a statistic, and logs a line if that
 *  is at least `threshold` microseconds. It belongs to no calling context, so it may end on any thread; REGISTER_TIMER
 *  also has self time and calling contexts. */
class TimerOnce {
public:
    TimerOnce(Stat *stat, const char *info = "", std::uint64_t threshold = UINT64_MAX, bool autoStart = true,
              std::uint64_t startStamp = 0)
        : stat_(stat), info_(info), timer_(autoStart), threshold_(threshold)
    {
        if (!autoStart)
            timer_.setStartStamp(startStamp);
    }
    ~TimerOnce()
    {
        const std::uint64_t span = timer_.stop();

        if (span >= threshold_)
            stint_i_paddle_log_slow(stat_->getName().c_str(), info_ ? info_ : "", span);
        stat_->addSample(span);
    }
    TimerOnce(const TimerOnce &) = delete;
    TimerOnce &operator=(const TimerOnce &) = delete;

private:
    Stat *stat_;
    const char *info_;
    Timer timer_;
    std::uint64_t threshold_;
};

/* -------------------------------------------------------------------------------------------------------
 * GpuProfiler */

/** An activation of the GPU profiler from its construction to its destruction (profiler.h). Unlike in Paddle, threads
 *  do not wait for each other. */
class GpuProfiler final {
public:
    GpuProfiler(std::string statName, std::string info)
        : started_(stint_profiler_start(statName.c_str(), info.c_str()) != STINT_ERROR_BUSY)
    {
    }
    ~GpuProfiler()
    {
        if (started_)
            stint_profiler_stop();
    }
    GpuProfiler(const GpuProfiler &) = delete;
    GpuProfiler &operator=(const GpuProfiler &) = delete;

private:
    const bool started_;
};

/* ------------------------------------------------------------------------------------------------------------
 * macros */

namespace stint_detail {

inline const char *text(const char *string)
{
    return string;
}

inline const char *text(const std::string &string)
{
    return string.c_str();
}

/** The arguments that may follow the name in a timer macro. */
struct timer_options {
    timer_options() : threshold_us(UINT64_MAX), set(nullptr) {}
    /* The threshold is of any type, so that -1 causes no warning. */
    template <typename Number>
    explicit timer_options(Number threshold, const StatSet &statSet = globalStat)
        : threshold_us(static_cast<std::uint64_t>(threshold)), set(statSet.handle())
    {
    }
    std::uint64_t threshold_us;
    stint_statset *set;
};

inline const char *checked(const stint_i_site *site, const char *name)
{
    stint_i_check_name(site, name);
    return name;
}

struct dynamic_name {};

/** A scope of stint: it nests and has self time. */
class timer {
public:
    timer(stint_i_site *site, const char *name, const timer_options &options, const char *info = nullptr) noexcept
        : scope_{stint_i_enter(site, name, options.set), site, info, options.threshold_us}
    {
    }
    timer(stint_i_site *site, const char *name, const timer_options &options, dynamic_name) noexcept
        : scope_{stint_i_enter_dynamic(site, name, options.set), site, nullptr, options.threshold_us}
    {
    }
    timer(stint_i_site *site, const char *name, std::uint64_t start_us, const timer_options &options) noexcept
        : scope_{stint_i_enter_since(site, name, options.set, start_us), site, nullptr, options.threshold_us}
    {
    }
    timer(stint_i_site *site, const char *name, std::uint64_t start_us, const timer_options &options,
          dynamic_name) noexcept
        : scope_{stint_i_enter_dynamic_since(site, name, options.set, start_us), site, nullptr, options.threshold_us}
    {
    }
    ~timer() { stint_i_leave_slow_scope(&scope_); }
    timer(const timer &) = delete;
    timer &operator=(const timer &) = delete;

private:
    stint_i_slow_scope scope_;
};

inline std::string join(const std::string &name, const std::string &tag = std::string())
{
    return name + tag;
}

} // namespace stint_detail

} // namespace paddle

#undef REGISTER_TIMER
#undef REGISTER_TIMER_INFO
#undef REGISTER_TIMER_SET
#undef REGISTER_TIMER_DYNAMIC
#undef REGISTER_TIMER_DYNAMIC_SET
#undef FOR_TIMING
#undef REGISTER_GPU_PROFILER
#undef REGISTER_BARRIER_TIMER_SERVER
#undef REGISTER_BARRIER_TIMER_SERVER_SET
#undef REGISTER_BARRIER_DELTA_SERVER_SET
#undef REGISTER_SLOW_NODES_PROBE
#undef CHECK_BARRIER_TIMER

/* STINT_I_PADDLE(F, a, ...) -> F_n(a, ...) with n the number of arguments, 1 to 6. Before C++20, a variadic macro needs
 * at least one argument for its dots. */
#define STINT_I_PADDLE(prefix, ...) STINT_I_CAT(prefix, STINT_I_BARRIER_COUNT(__VA_ARGS__))(__VA_ARGS__)

/* Without NDEBUG, a static timer whose name changes is reported, as in timer.h. */
#ifdef NDEBUG
#define STINT_I_PADDLE_STATIC(uid, name) ::paddle::stint_detail::text(name)
#else
#define STINT_I_PADDLE_STATIC(uid, name)                                                                               \
    ::paddle::stint_detail::checked(&STINT_I_SITE(uid), ::paddle::stint_detail::text(name))
#endif

#define STINT_I_PADDLE_DEFINE(uid, name, ...)                                                                          \
    STINT_I_DEFINE_SITE(uid);                                                                                          \
    const ::paddle::stint_detail::timer STINT_I_VARIABLE(uid)(&STINT_I_SITE(uid), name, __VA_ARGS__);
#define STINT_I_PADDLE_TIMER(uid, name, ...) STINT_I_PADDLE_DEFINE(uid, STINT_I_PADDLE_STATIC(uid, name), __VA_ARGS__)
#define STINT_I_PADDLE_ANY_NAME(uid, name, ...)                                                                        \
    STINT_I_PADDLE_DEFINE(uid, ::paddle::stint_detail::text(name), __VA_ARGS__, ::paddle::stint_detail::dynamic_name())

#define STINT_I_PADDLE_OPTIONS(...) ::paddle::stint_detail::timer_options(__VA_ARGS__)

#if !defined PADDLE_DISABLE_TIMER && STINT_WITH_TIMER

/* REGISTER_TIMER(statName, threshold = -1, statSet = globalStat), threshold in microseconds. */
#define REGISTER_TIMER(...) STINT_I_PADDLE(STINT_I_PADDLE_TIMER_, __VA_ARGS__)
#define STINT_I_PADDLE_TIMER_1(name) STINT_I_PADDLE_TIMER(__COUNTER__, name, STINT_I_PADDLE_OPTIONS())
#define STINT_I_PADDLE_TIMER_2(name, threshold)                                                                        \
    STINT_I_PADDLE_TIMER(__COUNTER__, name, STINT_I_PADDLE_OPTIONS(threshold))
#define STINT_I_PADDLE_TIMER_3(name, threshold, set)                                                                   \
    STINT_I_PADDLE_TIMER(__COUNTER__, name, STINT_I_PADDLE_OPTIONS(threshold, set))

/* REGISTER_TIMER_SET(statName, start, threshold = -1, statSet = globalStat), start from nowInMicroSec(). */
#define REGISTER_TIMER_SET(...) STINT_I_PADDLE(STINT_I_PADDLE_SINCE_, __VA_ARGS__)
#define STINT_I_PADDLE_SINCE_2(name, start) STINT_I_PADDLE_TIMER(__COUNTER__, name, start, STINT_I_PADDLE_OPTIONS())
#define STINT_I_PADDLE_SINCE_3(name, start, threshold)                                                                 \
    STINT_I_PADDLE_TIMER(__COUNTER__, name, start, STINT_I_PADDLE_OPTIONS(threshold))
#define STINT_I_PADDLE_SINCE_4(name, start, threshold, set)                                                            \
    STINT_I_PADDLE_TIMER(__COUNTER__, name, start, STINT_I_PADDLE_OPTIONS(threshold, set))

/* The name may differ at each execution. */
#define REGISTER_TIMER_DYNAMIC(...) STINT_I_PADDLE(STINT_I_PADDLE_DYNAMIC_, __VA_ARGS__)
#define STINT_I_PADDLE_DYNAMIC_1(name) STINT_I_PADDLE_ANY_NAME(__COUNTER__, name, STINT_I_PADDLE_OPTIONS())
#define STINT_I_PADDLE_DYNAMIC_2(name, threshold)                                                                      \
    STINT_I_PADDLE_ANY_NAME(__COUNTER__, name, STINT_I_PADDLE_OPTIONS(threshold))
#define STINT_I_PADDLE_DYNAMIC_3(name, threshold, set)                                                                 \
    STINT_I_PADDLE_ANY_NAME(__COUNTER__, name, STINT_I_PADDLE_OPTIONS(threshold, set))

#define REGISTER_TIMER_DYNAMIC_SET(...) STINT_I_PADDLE(STINT_I_PADDLE_DYNAMIC_SINCE_, __VA_ARGS__)
#define STINT_I_PADDLE_DYNAMIC_SINCE_2(name, start)                                                                    \
    STINT_I_PADDLE_ANY_NAME(__COUNTER__, name, start, STINT_I_PADDLE_OPTIONS())
#define STINT_I_PADDLE_DYNAMIC_SINCE_3(name, start, threshold)                                                         \
    STINT_I_PADDLE_ANY_NAME(__COUNTER__, name, start, STINT_I_PADDLE_OPTIONS(threshold))
#define STINT_I_PADDLE_DYNAMIC_SINCE_4(name, start, threshold, set)                                                    \
    STINT_I_PADDLE_ANY_NAME(__COUNTER__, name, start, STINT_I_PADDLE_OPTIONS(threshold, set))

/* A timer of the global set. If it took ten seconds or more, a line is logged, which contains `info`. */
#define REGISTER_TIMER_INFO(statName, info)                                                                            \
    STINT_I_PADDLE_TIMER(__COUNTER__, statName, STINT_I_PADDLE_OPTIONS(STINT_I_INFO_THRESHOLD_US), info)

#define FOR_TIMING(...) __VA_ARGS__

/* set, statName, numConnThreads, trainerId[, tag] */
#define REGISTER_BARRIER_TIMER_SERVER(...) STINT_I_PADDLE(STINT_I_PADDLE_ARRIVE_, __VA_ARGS__);
/* set, statName, numConnThreads, trainerId, cur[, tag]; cur is a struct timeval */
#define REGISTER_BARRIER_TIMER_SERVER_SET(...) STINT_I_PADDLE(STINT_I_PADDLE_AT_, __VA_ARGS__);
/* set, statName, numConnThreads, trainerId, delta[, tag]; delta is in microseconds */
#define REGISTER_BARRIER_DELTA_SERVER_SET(...) STINT_I_PADDLE(STINT_I_PADDLE_REPORT_, __VA_ARGS__);

#else

#define REGISTER_TIMER(...)
#define REGISTER_TIMER_SET(...)
#define REGISTER_TIMER_DYNAMIC(...)
#define REGISTER_TIMER_DYNAMIC_SET(...)
#define REGISTER_TIMER_INFO(...)
#define FOR_TIMING(...)
#define REGISTER_BARRIER_TIMER_SERVER(...)
#define REGISTER_BARRIER_TIMER_SERVER_SET(...)
#define REGISTER_BARRIER_DELTA_SERVER_SET(...)

#endif

/* set, statName, numConnThreads, trainerId[, tag]; always compiled in */
#define REGISTER_SLOW_NODES_PROBE(...) STINT_I_PADDLE(STINT_I_PADDLE_ARRIVE_, __VA_ARGS__);
/* set, statName, numConnThreads[, tag]; always compiled in; a failed check is logged and does not abort the program */
#define CHECK_BARRIER_TIMER(...) STINT_I_PADDLE(STINT_I_PADDLE_CHECK_, __VA_ARGS__);

#define STINT_I_PADDLE_JOIN(...) ::paddle::stint_detail::join(__VA_ARGS__).c_str()
#define STINT_I_PADDLE_ARRIVE_4(set, name, n, id)                                                                      \
    ::stint_i_barrier_arrive((set).handle(), STINT_I_PADDLE_JOIN(name), n, id, nullptr)
#define STINT_I_PADDLE_ARRIVE_5(set, name, n, id, tag)                                                                 \
    ::stint_i_barrier_arrive((set).handle(), STINT_I_PADDLE_JOIN(name, ::std::string(tag)), n, id, nullptr)
#define STINT_I_PADDLE_AT_5(set, name, n, id, cur)                                                                     \
    ::stint_i_barrier_at((set).handle(), STINT_I_PADDLE_JOIN(name), n, id, cur, nullptr)
#define STINT_I_PADDLE_AT_6(set, name, n, id, cur, tag)                                                                \
    ::stint_i_barrier_at((set).handle(), STINT_I_PADDLE_JOIN(name, ::std::string(tag)), n, id, cur, nullptr)
#define STINT_I_PADDLE_REPORT_5(set, name, n, id, delta)                                                               \
    ::stint_i_barrier_report((set).handle(), STINT_I_PADDLE_JOIN(name), n, id, delta, nullptr)
#define STINT_I_PADDLE_REPORT_6(set, name, n, id, delta, tag)                                                          \
    ::stint_i_barrier_report((set).handle(), STINT_I_PADDLE_JOIN(name, ::std::string(tag)), n, id, delta, nullptr)
#define STINT_I_PADDLE_CHECK_3(set, name, n)                                                                           \
    ::stint_i_barrier_check((set).handle(), STINT_I_PADDLE_JOIN(name), n, nullptr)
#define STINT_I_PADDLE_CHECK_4(set, name, n, tag)                                                                      \
    ::stint_i_barrier_check((set).handle(), STINT_I_PADDLE_JOIN(name, ::std::string(tag)), n, nullptr)

/* REGISTER_GPU_PROFILER(statName, info...): the info is logged as it is written, including quotes. */
#if !defined PADDLE_DISABLE_PROFILER && STINT_WITH_PROFILER
#define REGISTER_GPU_PROFILER(...)                                                                                     \
    STINT_I_PROFILE(#__VA_ARGS__, ::paddle::stint_detail::text(STINT_I_FIRST(__VA_ARGS__)));
#else
#define REGISTER_GPU_PROFILER(...)
#endif

#endif
