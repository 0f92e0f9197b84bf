/* stint/adopt.h - work that one thread hands to another, below the scope that hands it over.
 *
 *     struct task { void (*run)(void *); void *argument; struct stint_token token; };
 *
 *     void submit(struct task *task)
 *     {
 *         REGISTER_TIMER("forward");
 *         task->token = stint_token_take();     // "forward", and the scopes around it
 *         put_into_queue(task);
 *         wait_for(task);
 *     }
 *
 *     void worker(struct task *task)            // on another thread
 *     {
 *         STINT_ADOPT(task->token);             // to the end of this block
 *         REGISTER_TIMER("task");               // is "forward" > "(other threads)" > "task" in the tree
 *         task->run(task->argument);            // its launches are in the GPU columns of "forward"
 *     }
 *
 * Without it, scopes of a worker are at the root of the tree, and what it launches outside of scopes is "(no scope)".
 * Adopted work is in a context of its own, which is called "(other threads)" (STINT_ADOPTED) and counts the blocks that
 * adopted something, and their time. So it is told apart from what the scope's own thread did, and its time, which
 * passes at the same time as the scope's, is no part of the scope's total or self time: several workers together may
 * take longer than the scope that waits for them. GPU work is part of the scope's, as that of scopes within it is.
 *
 * Adoption is for threads on which no scope runs. Where one runs, work belongs to it, and STINT_ADOPT does nothing; nor
 * does it if the token was taken where no scope ran.
 *
 * Without a token, stint adopts the backward passes of PyTorch, and other threads' work if STINT_ADOPT in the
 * environment asks for it (stint(7)).
 *
 * Threads: a token may be taken, copied and used on any thread, by several threads at a time, and as often as you like.
 * Lifetime: a token names a calling context, not one execution of it. It stays valid until the process ends, also when
 * the scope, or the thread that took it, has ended, after a reset, and in a forked child. What adopts must end on the
 * thread on which it began.
 *
 * Cost: taking a token takes two loads, and a lock the first time in a calling context of a thread. Adopting takes two
 * clock reads, and one look-up for each scope around it; the first time of a context on a thread allocates. Switched
 * off at run time, a function call; compiled out (STINT_WITH_TIMER=0), STINT_ADOPT takes no instruction: its argument
 * is type-checked but not evaluated.
 */
#ifndef STINT_ADOPT_H
#define STINT_ADOPT_H

#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/record.h"
#include "stint/detail/unevaluated.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

/** A calling context. Plain data; all zero stands for none. */
struct stint_token {
    uint32_t context;
};

/** Work that is being adopted. Plain data, to be used on one thread. */
struct stint_adoption {
    struct stint_i_node *node;
};

/** Returns the innermost scope that runs on the calling thread, as a token; none if no scope runs, if it is of a
 *  calling context beyond the limit of STINT_MAX_NODES, or in a signal handler that interrupted stint. Threads: any. */
STINT_API struct stint_token stint_token_take(void);

/** Begins to adopt: until stint_adopt_end, the calling thread's work belongs to the token's scope. STINT_ADOPT does
 *  both.
 *
 *  @return STINT_OK, also if nothing is adopted because the token is none, a scope runs on this thread already, or
 *          recording is off.
 *          STINT_ERROR_INVALID_ARGUMENT: adoption is NULL, or the token was never taken.
 *          STINT_ERROR_LIMIT, STINT_ERROR_NO_MEMORY: there is no room for the thread or the context; counted as
 *          dropped.
 *          STINT_ERROR_BUSY: the caller is a signal handler that interrupted stint. */
STINT_API enum stint_status stint_adopt_begin(struct stint_adoption *adoption, struct stint_token token);

/** Ends it. Scopes that still run within it are popped, and counted as abandoned.
 *
 *  @return STINT_OK, also if nothing was adopted.
 *          STINT_ERROR_INVALID_ARGUMENT: adoption is NULL.
 *          STINT_ERROR_NOT_STARTED: it does not run on this thread; counted as mismatched. */
STINT_API enum stint_status stint_adopt_end(struct stint_adoption *adoption);

/* Implementation detail, like everything that begins with stint_i_. */
STINT_I_UNSEEN static inline struct stint_adoption stint_i_adopt(struct stint_token token)
{
    struct stint_adoption adoption = {STINT_I_NULL};

    (void)stint_adopt_begin(&adoption, token);
    return adoption;
}

STINT_I_UNSEEN static inline void stint_i_clean_adoption(struct stint_adoption *adoption)
{
    (void)stint_adopt_end(adoption);
}

int stint_i_accept_token(struct stint_token token); /* never defined and never called */

STINT_EXTERN_C_END

#ifdef __cplusplus
namespace stint {

/** STINT_ADOPT as an object; it records even where STINT_WITH_TIMER is 0. Keep it on the stack. */
class adoption {
public:
    STINT_I_UNSEEN explicit adoption(struct stint_token token) noexcept : adoption_(stint_i_adopt(token)) {}
    STINT_I_UNSEEN ~adoption() { stint_i_clean_adoption(&adoption_); }
    adoption(const adoption &) = delete;
    adoption &operator=(const adoption &) = delete;

private:
    struct stint_adoption adoption_;
};

} // namespace stint

#define STINT_I_DEFINE_ADOPTION(uid)                                                                                   \
    const ::stint::adoption STINT_I_CAT(stint_adoption_, uid)(STINT_I_CAT(stint_token_, uid))
#else
#define STINT_I_DEFINE_ADOPTION(uid)                                                                                   \
    struct stint_adoption STINT_I_CAT(stint_adoption_, uid) STINT_I_CLEANUP(stint_i_clean_adoption) =                  \
        stint_i_adopt(STINT_I_CAT(stint_token_, uid))
#endif

/* Two declarations, so that an `if` without braces does not compile. */
#define STINT_I_ADOPT(uid, token)                                                                                      \
    const struct stint_token STINT_I_CAT(stint_token_, uid) = token;                                                   \
    STINT_I_DEFINE_ADOPTION(uid)

/** STINT_ADOPT(token) - adopts for the rest of the enclosing block, however it is left. A declaration, as scopes are:
 *  the block may contain several, of which the outermost counts. `token` is a struct stint_token. */
#if STINT_WITH_TIMER
#define STINT_ADOPT(token) STINT_I_ADOPT(__COUNTER__, token)
#else
#define STINT_ADOPT(token) STINT_I_UNEVALUATED(stint_i_accept_token(token))
#endif

#endif
