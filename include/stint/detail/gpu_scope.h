/* stint/detail/gpu_scope.h - what the macro of gpu_scope.h expands to. Implementation detail.
 *
 * Like the scope of a timer, a GPU scope is two declarations: the static call site, and a variable that ends the scope
 * when it goes out of scope itself. */
#ifndef STINT_DETAIL_GPU_SCOPE_H
#define STINT_DETAIL_GPU_SCOPE_H

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/record.h"
#include "stint/detail/scope.h"
#include "stint/detail/unevaluated.h"

STINT_EXTERN_C_BEGIN

struct stint_span;

/* A scope that is to be ended; if node is NULL, there is nothing to end. */
struct stint_i_gpu_scope {
    struct stint_i_node *node;
    struct stint_span *span; /* NULL: not measured on the GPU */
};

STINT_API void stint_i_gpu_begin(struct stint_i_gpu_scope *scope, struct stint_i_site *site, const char *name,
                                 void *stream);
STINT_API void stint_i_gpu_end(struct stint_i_gpu_scope *scope);

STINT_I_UNSEEN static inline struct stint_i_gpu_scope stint_i_gpu_enter(struct stint_i_site *site, const char *name,
                                                                        void *stream)
{
    struct stint_i_gpu_scope scope = {STINT_I_NULL, STINT_I_NULL};

    if (STINT_I_LIKELY(STINT_I_LOAD(&stint_i_state) != 0)) {
        if (!__builtin_constant_p(name))
            stint_i_check_name(site, name);
        stint_i_gpu_begin(&scope, site, name, stream);
    }
    return scope;
}

STINT_I_UNSEEN static inline void stint_i_gpu_leave(struct stint_i_gpu_scope *scope)
{
    if (scope->node)
        stint_i_gpu_end(scope);
}

/* Never defined and never called: where timers are compiled out, the macro checks the types of its arguments against
 * it. */
int stint_i_accept_gpu(const char *name, void *stream);

STINT_EXTERN_C_END

/* In a file compiled for per-thread default streams, stream 0 is the thread's own default stream: there CUDA's headers
 * rename its functions. The driver's handle for that stream is 2. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define STINT_I_PER_THREAD_STREAM 1
#else
#define STINT_I_PER_THREAD_STREAM 0
#endif

STINT_I_UNSEEN static inline void *stint_i_stream(void *stream, int per_thread)
{
#ifdef __cplusplus
    return per_thread && !stream ? reinterpret_cast<void *>(STINT_I_CAST(uintptr_t, 2)) : stream;
#else
    return per_thread && !stream ? (void *)(uintptr_t)2 : stream;
#endif
}

#if STINT_WITH_TIMER

#ifdef __cplusplus

namespace stint {
namespace detail {

class gpu_scope {
public:
    STINT_I_UNSEEN gpu_scope(struct stint_i_site *site, const char *name, void *stream) noexcept
        : scope_(stint_i_gpu_enter(site, name, stream))
    {
    }
    STINT_I_UNSEEN ~gpu_scope() { stint_i_gpu_leave(&scope_); }
    gpu_scope(const gpu_scope &) = delete;
    gpu_scope &operator=(const gpu_scope &) = delete;

private:
    struct stint_i_gpu_scope scope_;
};

} // namespace detail
} // namespace stint

#define STINT_I_DEFINE_GPU_SCOPE(uid, ...)                                                                             \
    const ::stint::detail::gpu_scope STINT_I_VARIABLE(uid)(&STINT_I_SITE(uid), __VA_ARGS__)

#else

#define STINT_I_DEFINE_GPU_SCOPE(uid, ...)                                                                             \
    struct stint_i_gpu_scope STINT_I_VARIABLE(uid) STINT_I_CLEANUP(stint_i_gpu_leave) =                                \
        stint_i_gpu_enter(&STINT_I_SITE(uid), __VA_ARGS__)

#endif

#define STINT_I_GPU_SCOPE_(uid, name, stream)                                                                          \
    STINT_I_DEFINE_SITE(uid);                                                                                          \
    STINT_I_DEFINE_GPU_SCOPE(uid, name, stint_i_stream(stream, STINT_I_PER_THREAD_STREAM))
#define STINT_I_GPU_SCOPE(name, stream) STINT_I_GPU_SCOPE_(__COUNTER__, name, stream)

#else

#define STINT_I_GPU_SCOPE(name, stream) STINT_I_UNEVALUATED(stint_i_accept_gpu(name, stream))

#endif

#endif
