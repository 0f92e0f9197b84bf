/* stint/detail/scope.h - what the macros of timer.h expand to. Implementation detail.
 *
 * A scope macro is two declarations: the static call site, and a variable that leaves the scope when it goes out of
 * scope itself. Both names contain __COUNTER__, so that one block or even one line may have several scopes. Two
 * declarations cannot follow an `if` without braces: C rejects the first, and in C++ the first is not visible to the
 * second. */
#ifndef STINT_DETAIL_SCOPE_H
#define STINT_DETAIL_SCOPE_H

#include "stint/config.h"
#include "stint/detail/record.h"
#include "stint/detail/unevaluated.h"

#define STINT_I_NEVER UINT64_MAX
#define STINT_I_INFO_THRESHOLD_US UINT64_C(10000000)

/* A scope that may log a slow line at its end. */
struct stint_i_slow_scope {
    struct stint_i_node *node;
    const struct stint_i_site *site;
    const char *info;
    uint64_t threshold_us;
};

STINT_EXTERN_C_BEGIN

STINT_API struct stint_i_node *stint_i_enter_since(struct stint_i_site *site, const char *name,
                                                   struct stint_statset *set, uint64_t start_us);
STINT_API struct stint_i_node *stint_i_enter_dynamic(struct stint_i_site *site, const char *name,
                                                     struct stint_statset *set);
STINT_API struct stint_i_node *stint_i_enter_dynamic_since(struct stint_i_site *site, const char *name,
                                                           struct stint_statset *set, uint64_t start_us);
STINT_API void stint_i_check_name(const struct stint_i_site *site, const char *name);
STINT_API void stint_i_report_slow(const struct stint_i_slow_scope *scope, uint32_t id, uint64_t span);

/* Checks whether the name of a static site has changed, unless it is `fixed`. */
STINT_I_UNSEEN STINT_I_INLINE struct stint_i_node *stint_i_enter_checked(struct stint_i_site *site, const char *name,
                                                                         struct stint_statset *set, int fixed)
{
    if (!fixed && STINT_I_LOAD(&stint_i_state) != 0)
        stint_i_check_name(site, name);
    return stint_i_enter_thinned(site, name, set);
}

STINT_I_UNSEEN static inline struct stint_i_node *stint_i_enter_since_checked(struct stint_i_site *site,
                                                                              const char *name,
                                                                              struct stint_statset *set,
                                                                              uint64_t start_us, int fixed)
{
    if (!fixed && STINT_I_LOAD(&stint_i_state) != 0)
        stint_i_check_name(site, name);
    return stint_i_enter_since(site, name, set, start_us);
}

/* Passes only a copy to stint_i_report_slow, so that the scope itself may stay in registers. */
STINT_I_UNSEEN STINT_I_INLINE void stint_i_leave_slow_scope(const struct stint_i_slow_scope *scope)
{
    struct stint_i_node *node = scope->node;

    STINT_I_FORGET(node);
    if (node) {
        const uint32_t id = node->id;
        const uint64_t span = stint_i_leave_node(node);

        /* 2^40 us are 12 days. With a longer threshold the product might overflow, and no scope takes that long. */
        if (scope->threshold_us < (UINT64_C(1) << 40) &&
            STINT_I_UNLIKELY(span >= scope->threshold_us * STINT_I_LOAD(&stint_i_ticks_per_us))) {
            const struct stint_i_slow_scope slow = *scope;

            stint_i_report_slow(&slow, id, span);
        }
    }
}

STINT_I_UNSEEN STINT_I_INLINE void stint_i_clean_scope(struct stint_i_node **node)
{
    stint_i_leave(*node);
}

STINT_I_UNSEEN STINT_I_INLINE void stint_i_clean_slow_scope(struct stint_i_slow_scope *scope)
{
    stint_i_leave_slow_scope(scope);
}

/* Never defined and never called: where timers are compiled out, the macros check the types of their arguments against
 * these. */
int stint_i_accept(const char *name, uint64_t threshold_us, struct stint_statset *set);
int stint_i_accept_since(const char *name, uint64_t start_us, uint64_t threshold_us, struct stint_statset *set);
int stint_i_accept_info(const char *name, const char *info);

STINT_EXTERN_C_END

/* Compilers see that a name is constant only where the literal itself is written, not in a function that receives
 * it. */
#define STINT_I_ENTER(site, name, set) stint_i_enter_checked(site, name, set, __builtin_constant_p(name))
#define STINT_I_ENTER_SINCE(site, name, set, start_us)                                                                 \
    stint_i_enter_since_checked(site, name, set, start_us, __builtin_constant_p(name))

#define STINT_I_SITE(uid) STINT_I_CAT(stint_site_, uid)
#define STINT_I_VARIABLE(uid) STINT_I_CAT(stint_scope_, uid)
#define STINT_I_DEFINE_SITE(uid) static struct stint_i_site STINT_I_SITE(uid) = {__FILE__, __func__, __LINE__, 0}

#ifdef __cplusplus

namespace stint {
namespace detail {

class scope {
public:
    STINT_I_UNSEEN explicit scope(struct stint_i_node *node) noexcept : node_(node) {}
    STINT_I_UNSEEN ~scope() { stint_i_leave(node_); }
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;

private:
    struct stint_i_node *node_;
};

class slow_scope {
public:
    STINT_I_UNSEEN slow_scope(struct stint_i_node *node, const struct stint_i_site *site, const char *info,
                              uint64_t threshold_us) noexcept
        : scope_{node, site, info, threshold_us}
    {
    }
    STINT_I_UNSEEN ~slow_scope() { stint_i_leave_slow_scope(&scope_); }
    slow_scope(const slow_scope &) = delete;
    slow_scope &operator=(const slow_scope &) = delete;

private:
    struct stint_i_slow_scope scope_;
};

} // namespace detail
} // namespace stint

#define STINT_I_DEFINE_SCOPE(uid, node) const ::stint::detail::scope STINT_I_VARIABLE(uid)(node)
#define STINT_I_DEFINE_SLOW_SCOPE(uid, node, info, threshold_us)                                                       \
    const ::stint::detail::slow_scope STINT_I_VARIABLE(uid)(node, &STINT_I_SITE(uid), info, threshold_us)

#else

#define STINT_I_DEFINE_SCOPE(uid, node)                                                                                \
    struct stint_i_node *STINT_I_VARIABLE(uid) STINT_I_CLEANUP(stint_i_clean_scope) = node
#define STINT_I_DEFINE_SLOW_SCOPE(uid, node, info, threshold_us)                                                       \
    struct stint_i_slow_scope STINT_I_VARIABLE(uid)                                                                    \
        STINT_I_CLEANUP(stint_i_clean_slow_scope) = {node, &STINT_I_SITE(uid), info, threshold_us}

#endif

/* enter(&site, ...) begins the scope, with the remaining arguments of the macro. */
#define STINT_I_PLAIN_SCOPE(uid, enter, ...)                                                                           \
    STINT_I_DEFINE_SITE(uid);                                                                                          \
    STINT_I_DEFINE_SCOPE(uid, enter(&STINT_I_SITE(uid), __VA_ARGS__))
#define STINT_I_SLOW_SCOPE(uid, info, threshold_us, enter, ...)                                                        \
    STINT_I_DEFINE_SITE(uid);                                                                                          \
    STINT_I_DEFINE_SLOW_SCOPE(uid, enter(&STINT_I_SITE(uid), __VA_ARGS__), info, threshold_us)

/* STINT_I_SELECT(F, a, ...) -> F_n(a, ...) with n the number of arguments, 1 to 4. */
#define STINT_I_COUNT_(a, b, c, d, n, ...) n
#define STINT_I_COUNT(...) STINT_I_COUNT_(__VA_ARGS__, 4, 3, 2, 1, 0)
#define STINT_I_SELECT(prefix, ...) STINT_I_CAT(prefix, STINT_I_COUNT(__VA_ARGS__))(__VA_ARGS__)

#define STINT_I_SCOPE_2(name, threshold_us) STINT_I_SCOPE_3(name, threshold_us, STINT_I_NULL)
#define STINT_I_DYNAMIC_2(name, threshold_us) STINT_I_DYNAMIC_3(name, threshold_us, STINT_I_NULL)
#define STINT_I_SINCE_2(name, start_us) STINT_I_SINCE_4(name, start_us, STINT_I_NEVER, STINT_I_NULL)
#define STINT_I_SINCE_3(name, start_us, threshold_us) STINT_I_SINCE_4(name, start_us, threshold_us, STINT_I_NULL)
#define STINT_I_DYNAMIC_SINCE_2(name, start_us) STINT_I_DYNAMIC_SINCE_4(name, start_us, STINT_I_NEVER, STINT_I_NULL)
#define STINT_I_DYNAMIC_SINCE_3(name, start_us, threshold_us)                                                          \
    STINT_I_DYNAMIC_SINCE_4(name, start_us, threshold_us, STINT_I_NULL)

#if STINT_WITH_TIMER

#define STINT_I_SCOPE_1(name) STINT_I_PLAIN_SCOPE(__COUNTER__, STINT_I_ENTER, name, STINT_I_NULL)
#define STINT_I_SCOPE_3(name, threshold_us, set)                                                                       \
    STINT_I_SLOW_SCOPE(__COUNTER__, STINT_I_NULL, threshold_us, STINT_I_ENTER, name, set)
#define STINT_I_INFO(name, info)                                                                                       \
    STINT_I_SLOW_SCOPE(__COUNTER__, info, STINT_I_INFO_THRESHOLD_US, STINT_I_ENTER, name, STINT_I_NULL)
#define STINT_I_SINCE_4(name, start_us, threshold_us, set)                                                             \
    STINT_I_SLOW_SCOPE(__COUNTER__, STINT_I_NULL, threshold_us, STINT_I_ENTER_SINCE, name, set, start_us)
#define STINT_I_DYNAMIC_1(name) STINT_I_PLAIN_SCOPE(__COUNTER__, stint_i_enter_dynamic, name, STINT_I_NULL)
#define STINT_I_DYNAMIC_3(name, threshold_us, set)                                                                     \
    STINT_I_SLOW_SCOPE(__COUNTER__, STINT_I_NULL, threshold_us, stint_i_enter_dynamic, name, set)
#define STINT_I_DYNAMIC_SINCE_4(name, start_us, threshold_us, set)                                                     \
    STINT_I_SLOW_SCOPE(__COUNTER__, STINT_I_NULL, threshold_us, stint_i_enter_dynamic_since, name, set, start_us)

#else

#define STINT_I_SCOPE_1(name) STINT_I_SCOPE_3(name, STINT_I_NEVER, STINT_I_NULL)
#define STINT_I_SCOPE_3(name, threshold_us, set) STINT_I_UNEVALUATED(stint_i_accept(name, threshold_us, set))
#define STINT_I_INFO(name, info) STINT_I_UNEVALUATED(stint_i_accept_info(name, info))
#define STINT_I_SINCE_4(name, start_us, threshold_us, set)                                                             \
    STINT_I_UNEVALUATED(stint_i_accept_since(name, start_us, threshold_us, set))
#define STINT_I_DYNAMIC_1(name) STINT_I_SCOPE_1(name)
#define STINT_I_DYNAMIC_3(name, threshold_us, set) STINT_I_SCOPE_3(name, threshold_us, set)
#define STINT_I_DYNAMIC_SINCE_4(name, start_us, threshold_us, set) STINT_I_SINCE_4(name, start_us, threshold_us, set)

#endif

#endif
