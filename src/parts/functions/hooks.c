/* The hooks that functions compiled with -finstrument-functions call when they begin and end. The functions become
 * scopes.
 *
 * For a known function, a hook only looks it up, notes the activation, and does what a scope does. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "functions/activation.h"
#include "functions/function.h"
#include "stint/detail/record.h"

#define HOOK STINT_API __attribute__((no_instrument_function))

HOOK void __cyg_profile_func_enter(void *function, void *call_site);
HOOK void __cyg_profile_func_exit(void *function, void *call_site);

/* -------------------------------------------------------------------------------------- what interrupts the program */

/* Takes the place of the innermost activation during longer work of this library, so that functions called in it, such
 * as an instrumented malloc, are not recorded: the program did not call them. */
static struct stint_activation s_busy = {.frame = STINT_NO_FRAME};

struct interruption {
    sigset_t signals;
    int cancel_state;
    int error;
    struct stint_activation *top;
};

/* Blocks signals, because a handler may call functions that are not known yet, and would wait for the lock that its own
 * thread holds; and cancellation, because it would leave the lock locked. */
static void block(struct interruption *interruption)
{
    sigset_t all;
    interruption->error = errno;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &interruption->signals);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &interruption->cancel_state);
}

static void unblock(const struct interruption *interruption)
{
    pthread_setcancelstate(interruption->cancel_state, NULL);
    pthread_sigmask(SIG_SETMASK, &interruption->signals, NULL);
    errno = interruption->error;
}

static void begin_work(struct interruption *interruption)
{
    block(interruption);
    interruption->top = stint_tl_activation;
    stint_tl_activation = &s_busy;
}

static void end_work(const struct interruption *interruption)
{
    stint_tl_activation = interruption->top;
    unblock(interruption);
}

/* What tells the frame of a hook. It makes the hook have no frame pointer, unlike __builtin_frame_address. */
#define FRAME ((uintptr_t)__builtin_dwarf_cfa())

/* Where a hook was called. */
struct place {
    uintptr_t call_site; /* the return address of the function */
    uintptr_t frame;     /* of the hook */
    uintptr_t from;      /* the return address of the hook */
};

/* ------------------------------------------------------------------------------------------------------------ enter */

/* Like a scope, but preserves errno, which the program may read. */
static struct stint_i_node *enter(struct stint_function *function)
{
    int error = errno;
    struct stint_i_node *node = stint_i_enter(&function->site, function->name, NULL);
    errno = error;
    return node;
}

/* Counts an activation for which there is no memory as a scope that never ended. */
static void lose(struct stint_function *function)
{
    static struct stint_function s_unknown = {.site = {"", "", 0, 0}, .name = "(unknown function)"};
    stint_i_abandon(enter(function ? function : &s_unknown));
}

__attribute__((noinline)) static struct stint_function *learn(uintptr_t address)
{
    struct interruption interruption;
    if (stint_tl_activation == &s_busy)
        return NULL;
    begin_work(&interruption);
    struct stint_function *function = stint_function_learn(address);
    end_work(&interruption);
    if (!function)
        lose(NULL);
    return function;
}

__attribute__((noinline)) static struct stint_activation *make_room(struct stint_function *function)
{
    struct interruption interruption;
    if (stint_tl_activation == &s_busy)
        return NULL;
    block(&interruption);
    struct stint_activation *room = stint_activation_more();
    unblock(&interruption);
    if (!room)
        lose(function);
    return room;
}

/* Drops the activations from the innermost down to `last`, which ended without calling the hook. */
static void drop_to(const struct stint_activation *last)
{
    struct stint_activation *top;
    do {
        top = stint_tl_activation;
        top->frame = STINT_NO_FRAME;
        stint_tl_activation = top->below;
        stint_i_abandon(top->node);
    } while (top != last);
}

/* While a handler runs on an alternate signal stack, its frames say nothing about the functions that it interrupted. */
static int on_signal_stack(void)
{
    stack_t stack;
    return syscall(SYS_sigaltstack, NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK);
}

/* A function is entered at `frame`. As stacks grow downwards, activations with lower frames have ended. An activation
 * with the same frame is the same function, entered again, or has ended if its return address differs; otherwise the
 * new function was inlined into it. */
__attribute__((noinline)) static void drop_ended(uintptr_t frame, uintptr_t call_site, uintptr_t from)
{
    int error = errno;
    const struct stint_activation *last = NULL, *at = stint_tl_activation;
    if (at->frame == frame || !on_signal_stack())
        for (; at->frame < frame; at = at->below)
            last = at;
    for (; at->frame == frame; at = at->below)
        if (at->from == from || at->call_site != call_site)
            last = at;
    if (last)
        drop_to(last);
    errno = error;
}

/* Whether drop_ended has something to do, above the function into which this one was inlined. */
static inline int has_ended(const struct stint_activation *top, const struct place *place)
{
    for (; top->frame == place->frame; top = top->below)
        if (top->from == place->from || top->call_site != place->call_site)
            return 1;
    return top->frame < place->frame;
}

/* Notes an activation above the innermost one, not yet recorded. The pointer is set first, so that handlers use the
 * entries above; the frame is set last, so that they do not take this activation for one that has ended. */
static inline void note(struct stint_activation *mine, uintptr_t function, const struct place *place)
{
    stint_tl_activation = mine;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    mine->node = NULL;
    mine->function = function;
    mine->call_site = place->call_site;
    mine->from = place->from;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    mine->frame = place->frame;
}

static inline void remove_top(struct stint_activation *top)
{
    top->frame = STINT_NO_FRAME;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    stint_tl_activation = top->below;
}

/* Counts a call that is left out, for the innermost scope around it, too: what the hooks cost is in that one's time. */
static inline void count_left_out(struct stint_tally *tally, enum stint_function_kind kind)
{
    struct stint_i_node *around = stint_i_self->current;
    stint_tally_count(tally, kind);
    if (STINT_I_LIKELY(around != NULL))
        STINT_I_ADD(&around->passed, 1u);
}

/* Counts a call that is left out: the thread's first, or one within a call of the same function. That one was recorded,
 * so this one is noted: otherwise its end would be taken for that one's. */
__attribute__((noinline)) static void pass_over(uintptr_t function, uintptr_t call_site, uintptr_t frame,
                                                uintptr_t from, enum stint_function_kind kind)
{
    struct stint_activation *top = stint_tl_activation, *mine = top->above;
    struct interruption interruption;
    if (!mine && !make_room(stint_function_find(function)))
        return;
    if (!stint_tl_tally) {
        block(&interruption);
        stint_tally_begin();
        unblock(&interruption);
    }
    if (stint_tl_tally && STINT_I_LOAD(&stint_i_state))
        count_left_out(stint_tl_tally, kind);
    if (top->below && top->function == function)
        note(top->above, function, &(struct place){call_site, frame, from});
}

/* A function that is not known yet, or one that does not fit on top of the list as it is. */
__attribute__((noinline)) static void enter_unusual(uintptr_t function, uintptr_t call_site, uintptr_t frame,
                                                    uintptr_t from)
{
    struct stint_function *known = stint_function_find(function);
    if (!known)
        known = learn(function);
    if (!known)
        return;
    enum stint_function_kind kind = STINT_I_LOAD(&known->kind);
    if (kind != STINT_FUNCTION_RECORDED) {
        pass_over(function, call_site, frame, from, kind);
        return;
    }
    if (stint_tl_activation->frame <= frame)
        drop_ended(frame, call_site, from);
    struct stint_activation *mine = stint_tl_activation->above;
    if (!mine)
        mine = make_room(known);
    if (mine) {
        note(mine, function, &(struct place){call_site, frame, from});
        mine->node = enter(known);
        if (!mine->node && !mine->below->below && !STINT_I_LOAD(&stint_i_state))
            remove_top(mine);
    }
}

__attribute__((noinline)) static void enter_slow(struct stint_function *function, struct stint_activation *mine)
{
    mine->node = enter(function);
}

/* A function that is recorded, as far as is known. */
__attribute__((noinline)) static void enter_recorded(uintptr_t function, uintptr_t call_site, uintptr_t frame,
                                                     uintptr_t from)
{
    struct place place = {call_site, frame, from};
    struct stint_activation *top = stint_tl_activation, *mine = top->above;
    uint32_t state = STINT_I_LOAD(&stint_i_state);
    struct stint_function *known = stint_function_find(function);
    if (STINT_I_UNLIKELY(!known || !mine || STINT_I_LOAD(&known->kind) != STINT_FUNCTION_RECORDED ||
                         has_ended(top, &place))) {
        enter_unusual(function, call_site, frame, from);
        return;
    }
    note(mine, function, &place);
    struct stint_i_tree *tree = stint_i_self;
    uint32_t id = __atomic_load_n(&known->site.id, __ATOMIC_ACQUIRE);
    struct stint_i_node *node = stint_i_begin_or_leave_out(tree, state, id);
    if (STINT_I_LIKELY(node != NULL)) {
        mine->node = node;
        return;
    }
    if (state)
        enter_slow(known, mine);
}

/* While recording is off, a function is noted, so that its end is not taken for that of another; not even looked up. */
__attribute__((noinline)) static void enter_off(uintptr_t function, uintptr_t call_site, uintptr_t frame,
                                                uintptr_t from)
{
    struct place place = {call_site, frame, from};
    struct stint_activation *top = stint_tl_activation, *mine = top->above;
    if (STINT_I_UNLIKELY(!mine || has_ended(top, &place)))
        enter_unusual(function, call_site, frame, from);
    else if (top->function == function || !stint_left_out_find(function))
        note(mine, function, &place);
}

/* What is called last needs no registers to be saved, so that functions that are left out, and all while recording is
 * off, take a few instructions. While it is off and no activation is noted, none has to be. */
void __cyg_profile_func_enter(void *function, void *call_site)
{
    uintptr_t address = (uintptr_t)function, frame = FRAME, from = (uintptr_t)__builtin_return_address(0);
    const struct stint_activation *top = stint_tl_activation;
    if (STINT_I_UNLIKELY(!STINT_I_LOAD(&stint_i_state))) {
        if (top->below)
            enter_off(address, (uintptr_t)call_site, frame, from);
        return;
    }
    const struct stint_left_out *left_out = stint_left_out_find(address);
    if (!left_out) {
        enter_recorded(address, (uintptr_t)call_site, frame, from);
        return;
    }
    struct stint_tally *tally = stint_tl_tally;
    if (STINT_I_UNLIKELY(!tally || top->function == address))
        pass_over(address, (uintptr_t)call_site, frame, from, left_out->kind);
    else
        count_left_out(tally, left_out->kind);
}

/* ------------------------------------------------------------------------------------------------------------- exit */

__attribute__((noinline)) static void judge(uintptr_t function, const struct stint_i_node *node)
{
    struct interruption interruption;
    if (stint_tl_activation == &s_busy)
        return;
    begin_work(&interruption);
    stint_tiny_judge(function, node);
    end_work(&interruption);
}

/* Removes an activation that has ended, after which the function may have to be judged. */
static inline void finish(struct stint_activation *top)
{
    uintptr_t function = top->function;
    const struct stint_i_node *node = top->node;
    remove_top(top);
    if (STINT_I_UNLIKELY(STINT_I_LOAD(&stint_function_judging)) && stint_tiny_is_due(node))
        judge(function, node);
}

__attribute__((noinline)) static void end_slow(struct stint_activation *top, uint64_t now)
{
    (void)stint_i_leave_slow(top->node, now);
    finish(top);
}

/* Whether this is the activation that ends. The stack pointer is where it was when the function began, or lower
 * (alloca), so activations that began at a lower address have ended without calling the hook; unless the function has
 * released its frame and jumps to the hook. */
static inline int is_ending(const struct stint_activation *activation, uintptr_t function, const struct place *place)
{
    return activation->function == function &&
           (activation->frame >= place->frame ||
            (place->from == place->call_site && activation->call_site == place->call_site));
}

/* The function that ends is not the innermost activation. */
__attribute__((noinline)) static void end_unusual(uintptr_t function, const struct place *place)
{
    const struct stint_function *known = stint_function_find(function);
    if (!known || STINT_I_LOAD(&known->kind) != STINT_FUNCTION_RECORDED)
        return;
    int error = errno;
    struct stint_activation *at = stint_tl_activation;
    while (at->below && !is_ending(at, function, place))
        at = at->below;
    if (at->below) {
        if (at != stint_tl_activation) {
            const struct stint_activation *last = stint_tl_activation;
            while (last->below != at)
                last = last->below;
            drop_to(last);
        }
        (void)stint_i_leave(at->node);
        remove_top(at);
    }
    errno = error;
}

/* What stint_i_leave does, but slow paths are called last. */
static inline void end(struct stint_activation *top)
{
    struct stint_i_node *node = top->node;
    if (STINT_I_LIKELY(node != NULL)) {
        struct stint_i_tree *tree = stint_i_self;
        uint32_t state = STINT_I_LOAD(&stint_i_state);
        if (STINT_I_UNLIKELY(!tree->plain) && stint_i_end_left_out(tree, node)) {
            remove_top(top);
            return;
        }
        if (STINT_I_UNLIKELY(state & STINT_I_SLOW)) {
            end_slow(top, 0);
            return;
        }
        uint64_t now = stint_i_end_ticks(tree);
        uint64_t span = now - STINT_I_LOAD(&node->start);
        if (STINT_I_UNLIKELY(tree->current != node || tree->state != state || span > (uint64_t)INT64_MAX ||
                             !stint_i_end(tree, node, span))) {
            end_slow(top, now);
            return;
        }
        finish(top);
        return;
    }
    remove_top(top);
}

__attribute__((noinline)) static void end_recorded(uintptr_t function, uintptr_t call_site, uintptr_t frame,
                                                   uintptr_t from)
{
    struct place place = {call_site, frame, from};
    struct stint_activation *top = stint_tl_activation;
    if (STINT_I_LIKELY(is_ending(top, function, &place)))
        end(top);
    else
        end_unusual(function, &place);
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
    uintptr_t address = (uintptr_t)function, frame = FRAME, from = (uintptr_t)__builtin_return_address(0);
    const struct stint_activation *top = stint_tl_activation;
    if (top->below && (top->function == address || !stint_left_out_find(address)))
        end_recorded(address, (uintptr_t)call_site, frame, from);
}

/* -------------------------------------------------------------------------------------------------- process, loader */

static struct interruption s_fork;

static void before_fork(void)
{
    struct interruption interruption;
    block(&interruption);
    stint_function_before_fork();
    s_fork = interruption; /* while the lock is held, since other threads may fork, too */
}

static void after_fork(int is_child)
{
    struct interruption interruption = s_fork;
    stint_function_after_fork();
    if (is_child)
        stint_tally_after_fork();
    unblock(&interruption);
}

static void after_fork_in_parent(void)
{
    after_fork(0);
}

static void after_fork_in_child(void)
{
    after_fork(1);
}

__attribute__((constructor)) static void start(void)
{
    (void)stint_activation_start();
    (void)pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    stint_hook_cost_start();
}

/* Takes the place of libc's function, because another library may be loaded where this one was, and its functions must
 * not get the old names. */
STINT_API int dlclose(void *handle)
{
    static int (*s_dlclose)(void *);
    int (*real)(void *) = __atomic_load_n(&s_dlclose, __ATOMIC_RELAXED);
    struct interruption interruption;
    if (!real) {
        void *address = dlsym(RTLD_NEXT, "dlclose");
        __builtin_memcpy(&real, &address, sizeof address);
        __atomic_store_n(&s_dlclose, real, __ATOMIC_RELAXED);
    }
    int result = real ? real(handle) : -1;
    begin_work(&interruption);
    stint_function_forget_unloaded();
    end_work(&interruption);
    return result;
}
