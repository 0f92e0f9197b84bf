// Measures what it costs to launch an empty kernel: bare, with CUPTI alone, with stint, and between two CUDA events.
//
//     bench_launch [--json] [--rounds N] [--launches N]
//
// A process that has used CUPTI stays slower until it ends, so every measurement has a process of its own: the program
// starts itself again, in each round once for each mode, so that a noisy moment affects all of them, and in the reverse
// order every other round. A result is the median over the rounds; a difference is the median of the differences within
// each round. Each process launches N kernels and then waits for them, several times; the time from the first launch to
// the end of the wait, divided by N, is the cost for a program that launches all the time. The times called short are
// those of 1000 launches alone, without the wait; this number fits into the queue to the device.
//
// Also prints what is expected. Exits with 1 if a limit is exceeded, with 77 if there is no device.
#include <algorithm>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "consumer.h"
#include "gpu_test.h"
#include "stint/stint.h"

namespace {

const int short_launches = 1000, short_batches = 20, long_batches = 5;

__global__ void empty() {}

uint64_t now_ns()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// -------------------------------------------------------------------------------------------------------------- launching

void launch(int count)
{
    for (int i = 0; i < count; ++i)
        empty<<<1, 1>>>();
}

void launch_in_scopes(int count)
{
    for (int i = 0; i < count; ++i) {
        STINT_SCOPE("launch");
        empty<<<1, 1>>>();
    }
}

void launch_between_events(int count)
{
    static std::vector<cudaEvent_t> events;
    if (events.empty()) {
        events.resize(128);
        for (cudaEvent_t &event : events)
            CHECK(cudaEventCreate(&event));
    }
    for (int i = 0; i < count; ++i) {
        const size_t pair = static_cast<size_t>(i) * 2 % events.size();
        cudaEventRecord(events[pair]);
        empty<<<1, 1>>>();
        cudaEventRecord(events[pair + 1]);
    }
}

// ------------------------------------------------------------------------------------------------------------------ modes

void start_nothing() {}

void start_consumer(const std::vector<CUpti_ActivityKind> &kinds)
{
    if (!consumer::start(kinds))
        std::exit(EXIT_FAILURE);
}

void start_cupti_kernel()
{
    start_consumer({CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL});
}

// The record kinds that stint collects.
void start_cupti_full()
{
    start_consumer({CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
                    CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                    CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_OVERHEAD});
}

void start_stint_kernel()
{
    start_collecting(STINT_GPU_ACTIVITIES);
}

void start_stint_full()
{
    start_collecting(STINT_GPU_EVERYTHING);
}

// A fast result is worthless if records are missing. These functions report what is wrong.
bool verify_nothing(uint64_t)
{
    return true;
}

bool verify_consumer(uint64_t launched)
{
    const uint64_t bytes = consumer::received(), least = launched * 64;
    return expect_least("bytes of records", bytes, least);
}

bool verify_kernels(uint64_t launched)
{
    const snapshot taken;
    return expect("kernels", taken.count(STINT_GPU_KERNEL), launched) && expect("lost records", taken.lost(), 0);
}

bool verify_scopes(uint64_t launched)
{
    return verify_kernels(launched) && expect("kernels of the scope", snapshot().self("launch").kernels, launched);
}

struct mode {
    const char *name;
    void (*start)();
    void (*launch)(int count);
    bool (*verify)(uint64_t launched);
};

const mode modes[] = {
    {"plain", start_nothing, launch, verify_nothing},
    {"cupti_kernel", start_cupti_kernel, launch, verify_consumer},
    {"cupti_full", start_cupti_full, launch, verify_consumer},
    {"stint_kernel", start_stint_kernel, launch, verify_kernels},
    {"stint_scoped", start_stint_kernel, launch_in_scopes, verify_scopes},
    {"stint_full", start_stint_full, launch_in_scopes, verify_scopes},
    {"events", start_nothing, launch_between_events, verify_nothing},
};

const size_t mode_count = sizeof modes / sizeof modes[0];

// ---------------------------------------------------------------------------------------------- a process for one of them

// Time per launch.
double time_batch(const mode &m, int launches, bool wait)
{
    const uint64_t begin = now_ns();
    m.launch(launches);
    if (wait)
        CHECK(cudaDeviceSynchronize());
    uint64_t end = now_ns();
    CHECK(cudaDeviceSynchronize());
    return static_cast<double>(end - begin) / launches;
}

// Writes two numbers to stdout.
int measure(const mode &m, int launches)
{
    std::vector<double> together, alone;
    uint64_t launched = static_cast<uint64_t>(launches);
    require_device();
    m.start();
    time_batch(m, launches, true); // warms up
    for (int i = 0; i < long_batches; ++i)
        together.push_back(time_batch(m, launches, true));
    for (int i = 0; i < short_batches; ++i)
        alone.push_back(time_batch(m, short_launches, false));
    CHECK(cudaGetLastError());

    launched += static_cast<uint64_t>(launches) * long_batches + short_launches * short_batches;
    if (!m.verify(launched))
        return EXIT_FAILURE;
    std::printf("%f %f\n", median(together), median(alone));
    return EXIT_SUCCESS;
}

// ---------------------------------------------------------------------------------------------------- the one for them all

struct sample {
    double ns;
    double short_ns;
};

void become(const mode &m, int launches, int output)
{
    const std::string count = std::to_string(launches);
    dup2(output, STDOUT_FILENO);
    execl("/proc/self/exe", "bench_launch", "--mode", m.name, "--launches", count.c_str(), nullptr);
    std::perror("/proc/self/exe");
    _exit(EXIT_FAILURE);
}

// If the child fails, the program ends with the same code.
sample run(const mode &m, int launches)
{
    int ends[2], status = 0;
    sample result = {0, 0};
    pid_t child;
    if (pipe(ends) || (child = fork()) < 0) {
        std::perror("bench_launch");
        std::exit(EXIT_FAILURE);
    }
    if (child == 0)
        become(m, launches, ends[1]);
    close(ends[1]);
    FILE *input = fdopen(ends[0], "r");
    const int numbers = std::fscanf(input, "%lf %lf", &result.ns, &result.short_ns);

    std::fclose(input);
    waitpid(child, &status, 0);
    if (numbers == 2 && status == 0)
        return result;
    std::fprintf(stderr, "bench_launch: the process for %s %s %d\n", m.name,
                 WIFSIGNALED(status) ? "died of signal" : "ended with code",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    std::exit(WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
}

using results = std::map<std::string, std::vector<double>>; // by key

results run_rounds(int rounds, int launches)
{
    results all;
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < mode_count; ++i) {
            const mode &m = modes[round % 2 ? mode_count - 1 - i : i];
            const sample one = run(m, launches);

            all[m.name + std::string("_ns")].push_back(one.ns);
            all[m.name + std::string("_short_ns")].push_back(one.short_ns);
        }
    }
    return all;
}

// ----------------------------------------------------------------------------------------------------------------- output

struct limit {
    const char *what;
    double ns;
    double limit_ns;

    bool good() const { return ns <= limit_ns; }
};

std::vector<limit> limits_of(results &all)
{
    const auto beyond = [&](const char *key, const char *other) {
        std::vector<double> differences;
        for (size_t round = 0; round < all[key].size(); ++round)
            differences.push_back(all[key][round] - all[other][round]);
        return median(differences);
    };
    const double plain = median(all["plain_ns"]);

    return {
        {"stint_kernel - cupti_kernel, at most 5 % of plain", beyond("stint_kernel_ns", "cupti_kernel_ns"), plain / 20},
        {"stint_full - cupti_full, at most 5 % of plain", beyond("stint_full_ns", "cupti_full_ns"), plain / 20},
        {"stint_scoped - cupti_kernel, at most 10 % of plain", beyond("stint_scoped_ns", "cupti_kernel_ns"),
         plain / 10},
        {"stint_scoped - plain, less than events - plain", beyond("stint_scoped_ns", "plain_ns"),
         beyond("events_ns", "plain_ns")},
    };
}

void print_json(results &all, const std::vector<limit> &limits, int rounds, int launches)
{
    const char *separator = "";
    std::printf("{\n");
    for (const char *kind : {"_ns", "_short_ns"})
        for (const mode &m : modes)
            std::printf("  \"%s%s\": %.1f,\n", m.name, kind, median(all[m.name + std::string(kind)]));
    std::printf("  \"rounds\": %d,\n  \"launches\": %d,\n  \"min\": {", rounds, launches);
    for (const mode &m : modes) {
        const std::vector<double> &values = all[m.name + std::string("_ns")];

        std::printf("%s\"%s_ns\": %.1f", separator, m.name, *std::min_element(values.begin(), values.end()));
        separator = ", ";
    }
    std::printf("},\n  \"limits\": [");
    separator = "\n";
    for (const limit &l : limits) {
        std::printf("%s    {\"what\": \"%s\", \"ns\": %.1f, \"limit_ns\": %.1f, \"good\": %s}", separator, l.what, l.ns,
                    l.limit_ns, l.good() ? "true" : "false");
        separator = ",\n";
    }
    std::printf("\n  ]\n}\n");
}

void print_table(results &all, const std::vector<limit> &limits, int rounds, int launches)
{
    const double plain = median(all["plain_ns"]);
    std::printf("%-14s %9s %9s %9s %9s   ns per launch, %d rounds of %d\n", "", "min", "median", "- plain", "short",
                rounds, launches);
    for (const mode &m : modes) {
        const std::vector<double> &values = all[m.name + std::string("_ns")];

        std::printf("%-14s %9.1f %9.1f %9.1f %9.1f\n", m.name, *std::min_element(values.begin(), values.end()),
                    median(values), median(values) - plain, median(all[m.name + std::string("_short_ns")]));
    }
    for (const limit &l : limits)
        std::printf("%s %s: %.1f of %.1f ns\n", l.good() ? "PASS" : "FAIL", l.what, l.ns, l.limit_ns);
}

const mode *find_mode(const char *name)
{
    for (const mode &m : modes)
        if (!std::strcmp(m.name, name))
            return &m;
    return nullptr;
}

// Returns the number after an option; 0 unless it is between `low` and a million.
int number(const char *text, int low)
{
    char *end;
    const long value = std::strtol(text, &end, 10);
    return *end == '\0' && value >= low && value <= 1000000 ? static_cast<int>(value) : 0;
}

} // namespace

int main(int argc, char **argv)
{
    int rounds = 15, launches = 20000;
    const mode *child = nullptr;
    bool json = false;
    for (int i = 1; i < argc; ++i) {
        const bool more = i + 1 < argc;
        if (!std::strcmp(argv[i], "--json")) {
            json = true;
        } else if (more && !std::strcmp(argv[i], "--rounds") && number(argv[i + 1], 7)) {
            rounds = number(argv[++i], 7);
        } else if (more && !std::strcmp(argv[i], "--launches") && number(argv[i + 1], 20000)) {
            launches = number(argv[++i], 20000);
        } else if (more && !std::strcmp(argv[i], "--mode") && find_mode(argv[i + 1])) {
            child = find_mode(argv[++i]);
        } else {
            std::fprintf(stderr, "usage: bench_launch [--json] [--rounds N] [--launches N]   at least 7 and 20000\n");
            return 2;
        }
    }
    setenv("STINT_REPORT", "off", 1);
    unsetenv("STINT_GPU");
    if (child)
        return measure(*child, launches);

    results all = run_rounds(rounds, launches);
    const std::vector<limit> limits = limits_of(all);

    (json ? print_json : print_table)(all, limits, rounds, launches);
    return std::all_of(limits.begin(), limits.end(), [](const limit &l) { return l.good(); }) ? EXIT_SUCCESS
                                                                                              : EXIT_FAILURE;
}
