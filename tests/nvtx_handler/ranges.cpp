// NVTX from C++: ranges of blocks, of functions and across threads, in the program's own domains.
#include <nvtx3/nvtx3.hpp>
#include <thread>
#include <vector>

namespace {

struct library {
    static constexpr char const *name{"library"};
};

struct step_message {
    static constexpr char const *message{"step"};
};

void library_function()
{
    NVTX3_FUNC_RANGE_IN(library);
    nvtx3::mark_in<library>("inside");
}

void work(int steps)
{
    for (int i = 0; i < steps; ++i) {
        const nvtx3::scoped_range step{nvtx3::registered_string_in<nvtx3::domain::global>::get<step_message>(),
                                       nvtx3::payload{i}};
        const nvtx3::scoped_range_in<library> inner{"inner"};
        library_function();
    }
}

} // namespace

int main()
{
    enum { THREADS = 4, STEPS = 1000 };
    std::vector<std::thread> threads;
    std::vector<nvtx3::unique_range> across;

    for (int i = 0; i < THREADS; ++i)
        across.emplace_back("across threads");
    for (int i = 0; i < THREADS; ++i) {
        threads.emplace_back([&across, i] {
            work(STEPS);
            nvtx3::unique_range ended{std::move(across[static_cast<std::size_t>(i)])};
        });
    }
    for (auto &thread : threads)
        thread.join();
    return 0;
}
