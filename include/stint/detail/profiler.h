/* stint/detail/profiler.h - what the macros of profiler.h expand to. Implementation detail.
 *
 * Like the scope of a timer, a profiler's scope is two declarations: the static call site, and a variable that ends the
 * activation when it goes out of scope. */
#ifndef STINT_DETAIL_PROFILER_H
#define STINT_DETAIL_PROFILER_H

#include <stddef.h>
#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/unevaluated.h"

STINT_EXTERN_C_BEGIN

struct stint_i_profile_site {
    const char *file;
    const char *arguments; /* all arguments of the macro as they are written; all but the first are the info */
    uint32_t line;
};

/* Returns the argument for stint_i_profile_end: 1 if an activation has begun, otherwise 0. */
STINT_API int stint_i_profile_begin(const struct stint_i_profile_site *site, const char *name);
STINT_API void stint_i_profile_end(int begun);

/* A program's own CUDA runtime. The dynamic linker cannot find it if it is linked statically. All four functions return
 * a cudaError_t as an int; `peek` and `clear` are cudaPeekAtLastError and cudaGetLastError. */
struct stint_i_cuda_runtime {
    int (*start)(void);
    int (*stop)(void);
    int (*peek)(void);
    int (*clear)(void);
};

STINT_API void stint_i_cuda_offer(const struct stint_i_cuda_runtime *runtime);
STINT_API void stint_i_cuda_withdraw(const struct stint_i_cuda_runtime *runtime);

static inline void stint_i_clean_profile(const int *begun)
{
    stint_i_profile_end(*begun);
}

/* Never defined and never called: where compiled out, the macros check the types of their arguments against it. */
int stint_i_accept_profile(const char *name);

STINT_EXTERN_C_END

#define STINT_I_FIRST_(first, ...) first
#define STINT_I_FIRST(...) STINT_I_FIRST_(__VA_ARGS__, )

#if STINT_WITH_PROFILER

#define STINT_I_PROFILE_SITE(uid) STINT_I_CAT(stint_profile_site_, uid)
#define STINT_I_PROFILE_VARIABLE(uid) STINT_I_CAT(stint_profile_, uid)

#ifdef __cplusplus

namespace stint {
namespace detail {

class profile {
public:
    explicit profile(int begun) noexcept : begun_(begun) {}
    ~profile() { stint_i_profile_end(begun_); }
    profile(const profile &) = delete;
    profile &operator=(const profile &) = delete;

private:
    int begun_;
};

} // namespace detail
} // namespace stint

#define STINT_I_DEFINE_PROFILE(uid, begun) const ::stint::detail::profile STINT_I_PROFILE_VARIABLE(uid)(begun)

#else

#define STINT_I_DEFINE_PROFILE(uid, begun)                                                                             \
    const int STINT_I_PROFILE_VARIABLE(uid) STINT_I_CLEANUP(stint_i_clean_profile) = begun

#endif

#define STINT_I_PROFILE_(uid, arguments, name)                                                                         \
    static const struct stint_i_profile_site STINT_I_PROFILE_SITE(uid) = {__FILE__, arguments, __LINE__};              \
    STINT_I_DEFINE_PROFILE(uid, stint_i_profile_begin(&STINT_I_PROFILE_SITE(uid), name))
#define STINT_I_PROFILE(arguments, name) STINT_I_PROFILE_(__COUNTER__, arguments, name)

#ifdef __CUDACC__

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

namespace stint {
namespace detail {

/* Hands over the runtime that this file is linked with, for the time from before main until the object is unloaded. */
class cuda_runtime {
public:
    cuda_runtime() noexcept { stint_i_cuda_offer(&runtime_); }
    ~cuda_runtime() { stint_i_cuda_withdraw(&runtime_); }
    cuda_runtime(const cuda_runtime &) = delete;
    cuda_runtime &operator=(const cuda_runtime &) = delete;

private:
    static int start() { return static_cast<int>(cudaProfilerStart()); }
    static int stop() { return static_cast<int>(cudaProfilerStop()); }
    static int peek() { return static_cast<int>(cudaPeekAtLastError()); }
    static int clear() { return static_cast<int>(cudaGetLastError()); }

    struct stint_i_cuda_runtime runtime_ = {start, stop, peek, clear};
};

static const cuda_runtime s_cuda_runtime;

} // namespace detail
} // namespace stint

#endif

#else

#define STINT_I_PROFILE(arguments, name) STINT_I_UNEVALUATED(stint_i_accept_profile(name))

#endif

#endif
