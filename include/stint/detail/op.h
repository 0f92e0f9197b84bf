/* stint/detail/op.h - what the macros of op.h expand to. Implementation detail.
 *
 * An operation is a scope with room for what the macro says. The room is filled only where somebody wants to know:
 * while a recording is made, or a tool listens to NVTX. */
#ifndef STINT_DETAIL_OP_H
#define STINT_DETAIL_OP_H

#include <stddef.h>
#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/record.h"
#include "stint/detail/scope.h"
#include "stint/detail/unevaluated.h"

STINT_EXTERN_C_BEGIN

enum { STINT_I_DIMENSIONS = 6, STINT_I_OP_BYTES = 632 };

/* Values beside those of enum stint_element. */
enum { STINT_I_NONE = 0, STINT_I_NUMBERS = 64, STINT_I_NO_MORE = 65 };

struct stint_i_operand {
    int32_t element;
    uint32_t count;
    int64_t dimensions[STINT_I_DIMENSIONS];
};

/* A running operation. */
struct stint_i_op {
    struct stint_i_node *node;
    uint32_t length; /* of the bytes; 0: nobody wants them */
    unsigned char bytes[STINT_I_OP_BYTES];
};

/* Whether somebody wants to know what operations are. */
extern STINT_API uint32_t stint_i_op_wanted;

STINT_API struct stint_i_node *stint_i_op_begin(struct stint_i_op *op, struct stint_i_site *site, const char *kind,
                                                int pass, const char *layer, uint64_t sequence,
                                                const struct stint_i_operand *operands, size_t count);
STINT_API void stint_i_op_end(struct stint_i_op *op);

STINT_I_UNSEEN static inline struct stint_i_operand
stint_i_make_operand(int element, unsigned count, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f)
{
    const struct stint_i_operand operand = {element, count, {a, b, c, d, e, f}};

    return operand;
}

STINT_I_UNSEEN STINT_I_INLINE void stint_i_op_leave(struct stint_i_op *op)
{
    if (STINT_I_UNLIKELY(op->length != 0))
        stint_i_op_end(op);
    else
        stint_i_leave(op->node);
}

/* Never defined and never called: where timers are compiled out, the macros check the types of their arguments against
 * it. */
int stint_i_accept_op(const char *kind, int pass, const char *layer, uint64_t sequence,
                      const struct stint_i_operand *operands);

STINT_EXTERN_C_END

/* STINT_I_OPERAND(element, a, b) -> stint_i_make_operand(element, 2, a, b, 0, 0, 0, 0), with each number converted. */
#define STINT_I_OPERAND_N(a, b, c, d, e, f, n, ...) n
#define STINT_I_OPERAND_COUNT(...) STINT_I_OPERAND_N(__VA_ARGS__, 6u, 5u, 4u, 3u, 2u, 1u, 0u)
#define STINT_I_OPERAND_6(element, n, a, b, c, d, e, f, ...)                                                           \
    stint_i_make_operand(element, n, STINT_I_CAST(int64_t, a), STINT_I_CAST(int64_t, b), STINT_I_CAST(int64_t, c),     \
                         STINT_I_CAST(int64_t, d), STINT_I_CAST(int64_t, e), STINT_I_CAST(int64_t, f))
#define STINT_I_OPERAND(element, ...)                                                                                  \
    STINT_I_OPERAND_6(element, STINT_I_OPERAND_COUNT(__VA_ARGS__), __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define STINT_I_NO_OPERAND stint_i_make_operand(STINT_I_NO_MORE, 0, 0, 0, 0, 0, 0, 0)

#ifdef __cplusplus

namespace stint {
namespace detail {

/* Its room is not initialized, since it is hardly ever used. */
class op {
public:
    STINT_I_UNSEEN op() noexcept { op_.length = 0; }
    STINT_I_UNSEEN ~op() { stint_i_op_leave(&op_); }
    op(const op &) = delete;
    op &operator=(const op &) = delete;
    STINT_I_UNSEEN struct stint_i_op *get() noexcept { return &op_; }

private:
    struct stint_i_op op_;
};

template <size_t count>
STINT_I_UNSEEN inline struct stint_i_node *begin_op(struct stint_i_op *op, struct stint_i_site *site, const char *kind,
                                                    int pass, const char *layer, uint64_t sequence,
                                                    const struct stint_i_operand (&operands)[count]) noexcept
{
    return stint_i_op_begin(op, site, kind, pass, layer, sequence, operands, count);
}

template <size_t count>
int accept_op(const char *kind, int pass, const char *layer, uint64_t sequence,
              const struct stint_i_operand (&operands)[count]);

} // namespace detail
} // namespace stint

#define STINT_I_DEFINE_OP(uid) ::stint::detail::op STINT_I_VARIABLE(uid)
#define STINT_I_OP_OF(uid) STINT_I_VARIABLE(uid).get()
#define STINT_I_OP_BEGIN(op, site, kind, pass, layer, sequence, ...)                                                   \
    ::stint::detail::begin_op(op, site, kind, pass, layer, sequence, {__VA_ARGS__})
#define STINT_I_ACCEPT_OP(kind, pass, layer, sequence, ...)                                                            \
    ::stint::detail::accept_op(kind, pass, layer, sequence, {__VA_ARGS__})

#else

#define STINT_I_DEFINE_OP(uid) struct stint_i_op STINT_I_VARIABLE(uid) __attribute__((__cleanup__(stint_i_op_leave)))
#define STINT_I_OP_OF(uid) (&STINT_I_VARIABLE(uid))
#define STINT_I_OPERANDS(...) ((const struct stint_i_operand[]){__VA_ARGS__})
#define STINT_I_OP_BEGIN(op, site, kind, pass, layer, sequence, ...)                                                   \
    stint_i_op_begin(op, site, kind, pass, layer, sequence, STINT_I_OPERANDS(__VA_ARGS__),                             \
                     sizeof STINT_I_OPERANDS(__VA_ARGS__) / sizeof(struct stint_i_operand))
#define STINT_I_ACCEPT_OP(kind, pass, layer, sequence, ...)                                                            \
    stint_i_accept_op(kind, pass, layer, sequence, STINT_I_OPERANDS(__VA_ARGS__))

#endif

#if STINT_WITH_TIMER

/* The last declaration begins the scope. */
#define STINT_I_OP(uid, kind, pass, layer, sequence, ...)                                                              \
    STINT_I_DEFINE_SITE(uid);                                                                                          \
    STINT_I_DEFINE_OP(uid);                                                                                            \
    struct stint_i_node *const STINT_I_CAT(stint_node_, uid) __attribute__((__unused__)) = STINT_I_OP_OF(uid)->node =  \
        STINT_I_UNLIKELY(STINT_I_LOAD(&stint_i_op_wanted) != 0)                                                        \
            ? STINT_I_OP_BEGIN(STINT_I_OP_OF(uid), &STINT_I_SITE(uid), kind, pass, layer, sequence, __VA_ARGS__)       \
            : (STINT_I_OP_OF(uid)->length = 0, STINT_I_ENTER(&STINT_I_SITE(uid), kind, STINT_I_NULL))

#else

#define STINT_I_OP(uid, kind, pass, layer, sequence, ...)                                                              \
    STINT_I_CHECKED(uid, STINT_I_ACCEPT_OP(kind, pass, layer, sequence, __VA_ARGS__))

#endif

#endif
