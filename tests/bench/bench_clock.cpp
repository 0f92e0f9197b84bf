/* How true the times of scopes are: what a body takes in a loop without scopes, and what a scope around it says. The
 * bodies are those that a clock gets wrong which the processor may read before the work is done: loads that miss the
 * caches, and short chains of instructions. Each body needs the result of the one before, so that in a loop they do not
 * overlap either.
 *
 *     bench_clock [--json] [--rounds N]
 *
 * Loop and scope take turns; the result is the median over the rounds, since noise comes from the memory that a
 * machine's processes share, and a minimum would be a matter of luck. Run it with STINT_CLOCK=fast to see the
 * difference. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench.h"
#include "stint/stint.h"

namespace {

enum { LINES = 1 << 22, KEYS = 500000 };

struct alignas(64) line {
    uint32_t next;
};

std::vector<line> g_lines;                    /* one cycle through all, in random order: every step is a miss */
std::unordered_map<uint64_t, uint64_t> g_map; /* from each key to the one that is looked up next */

void fill()
{
    std::mt19937_64 random(1);
    std::vector<uint32_t> order(LINES);
    std::vector<uint64_t> keys(KEYS);
    for (uint32_t i = 0; i < LINES; i++)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    g_lines.resize(LINES);
    for (uint32_t i = 0; i < LINES; i++)
        g_lines[order[i]].next = order[(i + 1) % LINES];
    for (uint64_t &key : keys)
        key = random();
    for (size_t i = 0; i < keys.size(); i++)
        g_map.emplace(keys[i], 0);
    std::shuffle(keys.begin(), keys.end(), random);
    for (size_t i = 0; i < keys.size(); i++)
        g_map[keys[i]] = keys[(i + 1) % keys.size()];
}

template <int STEPS> uint64_t misses(uint64_t at)
{
    for (int i = 0; i < STEPS; i++)
        at = g_lines[at].next;
    return at;
}

/* Multiplications that wait for each other: three cycles each. */
template <int STEPS> uint64_t chain(uint64_t value)
{
    for (int i = 0; i < STEPS; i++)
#if defined(__aarch64__)
        __asm__ volatile("mul %0, %0, %0" : "+r"(value));
#else
        __asm__ volatile("imul %0, %0" : "+r"(value));
#endif
    return value;
}

uint64_t find(uint64_t key)
{
    return g_map.find(key)->second;
}

uint64_t nothing(uint64_t value)
{
    return value;
}

struct body {
    const char *name;
    uint64_t (*loop)(uint64_t value, int count);
    uint64_t (*scopes)(uint64_t value, int count);
    int count;
    uint64_t first;
};

template <uint64_t (*BODY)(uint64_t)> uint64_t loop(uint64_t value, int count)
{
    for (int i = 0; i < count; i++)
        value = BODY(value);
    return value;
}

template <uint64_t (*BODY)(uint64_t)> uint64_t scopes(uint64_t value, int count)
{
    for (int i = 0; i < count; i++) {
        STINT_SCOPE("body");
        value = BODY(value);
    }
    return value;
}

uint64_t g_keep;

double time_loop(const body &body)
{
    const uint64_t begin = bench_now_ns();
    g_keep += body.loop(body.first, body.count);
    return double(bench_now_ns() - begin) / body.count;
}

/* The statistic's mean, in ns. */
double time_scopes(const body &body)
{
    struct stint_snapshot *snapshot;
    double mean = 0;
    stint_reset(STINT_RESET_ALL);
    g_keep += body.scopes(body.first, body.count);
    if (stint_snapshot_take(&snapshot))
        return 0;
    for (size_t i = 0; i < snapshot->stat_count; i++)
        if (snapshot->stats[i].numbers.count)
            mean = double(snapshot->stats[i].numbers.total_ns) / double(snapshot->stats[i].numbers.count);
    stint_snapshot_free(snapshot);
    return mean;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

#define BODY(name, function, count, first)                                                                             \
    {                                                                                                                  \
        name, loop<function>, scopes<function>, count, first                                                           \
    }

int main(int argc, char **argv)
{
    struct bench bench = {"bench_clock", nullptr, 0, 0, 0, 0};
    if (bench_options(&bench, argc, argv))
        return 2;
    setenv("STINT_REPORT", "off", 0);
    fill();
    const body bodies[] = {
        BODY("12 cache misses", misses<12>, 20000, 0), BODY("4 cache misses", misses<4>, 50000, 0),
        BODY("1 cache miss", misses<1>, 100000, 0),    BODY("chain of 40 ns", chain<40>, 200000, 3),
        BODY("chain of 20 ns", chain<20>, 200000, 3),  BODY("unordered_map::find", find, 50000, g_map.begin()->first),
        BODY("nothing", nothing, 200000, 3),
    };

    if (!bench.json)
        printf("%-22s %10s %10s %10s   medians of %d rounds, ns\n", "", "loop", "scope", "off by", bench.rounds);
    for (const body &body : bodies) {
        std::vector<double> by_loop, by_scope, off;
        for (int round = 0; round < bench.rounds; round++) {
            by_loop.push_back(time_loop(body));
            by_scope.push_back(time_scopes(body));
            off.push_back(by_scope.back() - by_loop.back());
        }
        printf(bench.json ? "{\"body\":\"%s\",\"loop_ns\":%.2f,\"scope_ns\":%.2f,\"off_by_ns\":%.2f}\n"
                          : "%-22s %10.2f %10.2f %+10.2f\n",
               body.name, median(by_loop), median(by_scope), median(off));
    }
    return g_keep == 42;
}
