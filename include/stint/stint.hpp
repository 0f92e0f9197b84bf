/* stint/stint.hpp - stint for C++17: stint.h, and classes that own what C code frees by hand.
 *
 *     #include <stint/stint.hpp>
 *
 *     void serve(const request &r)
 *     {
 *         REGISTER_TIMER("serve");                     // the macros are the same in C and C++
 *         stint::scope timer("serve/" + r.kind());     // a name made at run time
 *         ...
 *     }
 *
 *     const stint::snapshot now;
 *     for (const stint_stat &row : now.stats())
 *         std::cout << row.name << ' ' << row.numbers.total_ns << '\n';
 */
#ifndef STINT_STINT_HPP
#define STINT_STINT_HPP

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "stint/stint.h"

namespace stint {

namespace detail {

/* Programs without exceptions end where memory lacks, as by their operator new. */
[[noreturn]] inline void lack_memory()
{
#if defined(__cpp_exceptions)
    throw std::bad_alloc();
#else
    std::abort();
#endif
}

} // namespace detail

/** Times its own lifetime under a name made at run time: STINT_SCOPE_DYNAMIC as an object. It must be destroyed on the
 *  thread that constructed it, and scopes must end in the reverse order of their beginnings, so keep it on the stack.
 *  It records even where STINT_WITH_TIMER is 0. */
class scope {
public:
    /** @param name as for STINT_SCOPE_DYNAMIC. @param set nullptr for the global set. */
    STINT_I_UNSEEN explicit scope(const char *name, stint_statset *set = nullptr) noexcept
        : node_(stint_i_enter_dynamic(nullptr, name, set))
    {
    }
    STINT_I_UNSEEN explicit scope(const std::string &name, stint_statset *set = nullptr) noexcept
        : scope(name.c_str(), set)
    {
    }
    STINT_I_UNSEEN ~scope() { stint_i_leave(node_); }
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;

private:
    stint_i_node *node_;
};

/** An array of a snapshot's rows, to be iterated. Valid as long as the snapshot. */
template <typename Row> class rows {
public:
    rows(const Row *first, std::size_t count) noexcept : first_(first), count_(count) {}
    const Row *begin() const noexcept { return first_; }
    const Row *end() const noexcept { return first_ + count_; }
    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    const Row &operator[](std::size_t index) const noexcept { return first_[index]; }

private:
    const Row *first_;
    std::size_t count_;
};

/** Owns a snapshot. Movable, not copyable. The rows live as long as the snapshot. Where @throws std::bad_alloc is
 *  written, a program that is compiled without exceptions ends. */
class snapshot {
public:
    /** Takes a snapshot. @throws std::bad_alloc without memory, or in a signal handler that interrupted stint. */
    snapshot() : handle_(take()) {}
    /** Takes ownership of `handle`, which must not be nullptr. */
    explicit snapshot(stint_snapshot *handle) noexcept : handle_(handle) {}

    const stint_snapshot *get() const noexcept { return handle_.get(); }
    const stint_snapshot *operator->() const noexcept { return handle_.get(); }

    /* Deleted for temporaries, whose rows would be freed before they are read. */
    rows<stint_stat> stats() const &noexcept { return {handle_->stats, handle_->stat_count}; }
    rows<stint_context> contexts() const &noexcept { return {handle_->contexts, handle_->context_count}; }
    rows<stint_thread> threads() const &noexcept { return {handle_->threads, handle_->thread_count}; }
    rows<stint_thread_stat> thread_stats() const &noexcept
    {
        return {handle_->thread_stats, handle_->thread_stat_count};
    }
    rows<stint_stat> stats() const && = delete;
    rows<stint_context> contexts() const && = delete;
    rows<stint_thread> threads() const && = delete;
    rows<stint_thread_stat> thread_stats() const && = delete;

    /** Returns the statistic `name` of `set` (nullptr: the global set), or nullptr if there is none. */
    const stint_stat *find(const char *name, const char *set = nullptr) const noexcept
    {
        return stint_snapshot_find(get(), set, name);
    }

    /** Returns the sum of two snapshots (stint_snapshot_merge). @throws std::bad_alloc if there is no memory. */
    snapshot merged_with(const snapshot &other) const
    {
        stint_snapshot *merged = nullptr;

        if (stint_snapshot_merge(get(), other.get(), &merged) != STINT_OK)
            detail::lack_memory();
        return snapshot(merged);
    }

private:
    struct free_it {
        void operator()(stint_snapshot *handle) const noexcept { stint_snapshot_free(handle); }
    };

    static stint_snapshot *take()
    {
        stint_snapshot *taken = nullptr;

        if (stint_snapshot_take(&taken) != STINT_OK)
            detail::lack_memory();
        return taken;
    }

    std::unique_ptr<stint_snapshot, free_it> handle_;
};

} // namespace stint

#endif
