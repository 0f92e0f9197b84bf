/* Names of C++ and Rust functions, by libiberty, which binutils and gdb use.
 *
 * A short name may stand for a text without end, because its parts refer to earlier ones, and libiberty may walk all
 * of it before it writes a byte. So it runs on a thread of its own, whose stack is large enough for any name that it
 * takes, and that is cancelled when a name takes too much of its time. Nothing is lost by that: what is called here
 * allocates no memory, but for Rust's names in Punycode, just before they are written; and that does not take time.
 * Text that grows too long is left by longjmp, for the same reason. */
#include "demangle/demangle.h"

#include <string.h>

#include "cxxabi/cxxabi.h"

#ifdef STINT_HAS_LIBIBERTY
#include <demangle.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

enum {
    LONGEST = 1 << 14,      /* bytes of a name: so deep, libiberty needs 4 MiB of stack */
    LONGEST_TEXT = 1 << 16, /* bytes of what it stands for */
    MOST_MS = 100,          /* of processor time for a name */
    MOST_GIVEN_UP = 10,     /* names; then a file has had its share of time, and others stay mangled */
    PATIENCE_MS = 20,
    STACK_SIZE = 1 << 24
};

static struct {
    pthread_mutex_t lock; /* of a name, from question to answer */
    pthread_t thread;
    sem_t asked, answered;
    int is_running; /* the thread */
    int given_up;   /* names */
    const char *mangled;
    jmp_buf too_long;
    size_t used; /* bytes of the text; 0: there is none */
    char text[LONGEST_TEXT];
} s_demangler = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ------------------------------------------------------------------------------------------------------- its thread */

static void add_piece(const char *piece, size_t length, void *unused)
{
    (void)unused;
    if (length >= LONGEST_TEXT - s_demangler.used)
        longjmp(s_demangler.too_long, 1);
    memcpy(s_demangler.text + s_demangler.used, piece, length);
    s_demangler.used += length;
}

/* The limit of libiberty on recursion would refuse names of C++ of more than 1024 bytes, as templates of CUTLASS have;
 * the length is limited instead, and the stack is large enough. Names of Rust's first scheme are also names of C++, but
 * end in a hash. */
static int read_name(void)
{
    s_demangler.used = 0;
    if (setjmp(s_demangler.too_long))
        return 0;
    if (rust_demangle_callback(s_demangler.mangled, DMGL_PARAMS | DMGL_ANSI, add_piece, NULL))
        return 1;
    s_demangler.used = 0;
    return cplus_demangle_v3_callback(s_demangler.mangled, DMGL_PARAMS | DMGL_ANSI | DMGL_NO_RECURSE_LIMIT, add_piece,
                                      NULL);
}

static void *answer_names(void *unused)
{
    int before;
    for (;;) {
        while (sem_wait(&s_demangler.asked)) {
        }
        (void)pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
        if (!read_name())
            s_demangler.used = 0;
        (void)pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before);
        (void)sem_post(&s_demangler.answered);
    }
    return unused;
}

/* ----------------------------------------------------------------------------------------------------------- asking */

/* The program's signals are for its other threads. */
static int start_thread(void)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes))
        return -1;
    (void)sigfillset(&all);
    (void)sem_init(&s_demangler.asked, 0, 0);
    (void)sem_init(&s_demangler.answered, 0, 0);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    s_demangler.is_running = !pthread_attr_setstacksize(&attributes, STACK_SIZE) &&
                             !pthread_create(&s_demangler.thread, &attributes, answer_names, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return s_demangler.is_running ? 0 : -1;
}

static int64_t ms_used(void)
{
    clockid_t clock;
    struct timespec used = {0};
    if (!pthread_getcpuclockid(s_demangler.thread, &clock))
        (void)clock_gettime(clock, &used);
    return used.tv_sec * INT64_C(1000) + used.tv_nsec / 1000000;
}

static int is_answered_soon(void)
{
    struct timespec until;
    int failed;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    do
        failed = sem_timedwait(&s_demangler.answered, &until);
    while (failed && errno == EINTR);
    return !failed;
}

/* Processor time, so that names do not depend on what else the machine does. */
static void ask(const char *mangled)
{
    int64_t begun = ms_used();
    s_demangler.mangled = mangled;
    (void)sem_post(&s_demangler.asked);
    while (!is_answered_soon())
        if (ms_used() - begun > MOST_MS) {
            (void)pthread_cancel(s_demangler.thread);
            (void)pthread_join(s_demangler.thread, NULL);
            s_demangler.is_running = 0;
            s_demangler.given_up++;
            s_demangler.used = 0;
            return;
        }
}

const char *stint_demangle(struct stint_arena *arena, const char *mangled)
{
    const char *text = NULL;
    if (mangled[0] != '_' || (mangled[1] != 'Z' && mangled[1] != 'R') || strlen(mangled) > LONGEST)
        return NULL;
    (void)pthread_mutex_lock(&s_demangler.lock);
    if (s_demangler.given_up < MOST_GIVEN_UP && (s_demangler.is_running || !start_thread())) {
        ask(mangled);
        if (s_demangler.used)
            text = stint_arena_copy(arena, s_demangler.text, s_demangler.used);
    }
    (void)pthread_mutex_unlock(&s_demangler.lock);
    return text;
}
#else
const char *stint_demangle(struct stint_arena *arena, const char *mangled)
{
    (void)arena;
    (void)mangled;
    return NULL;
}
#endif

/* ---------------------------------------------------------------------------------------------------------- kernels */

const char *stint_kernel_text(struct stint_arena *arena, const char *name)
{
    struct stint_arena work = {0};
    const char *own = stint_static_kernel(name);
    const char *text = stint_demangle(&work, own);
    char *kept = text ? stint_arena_copy(arena, text, strlen(text)) : NULL;
    stint_arena_free(&work);
    if (!kept)
        return name;
    stint_drop_numba_tags(kept);
    return kept;
}

struct kernel_name {
    const char *mangled, *text;
};

const char *stint_kernel_name(struct stint_demangled_names *names, const char *name)
{
    static const struct stint_table_key key = STINT_TABLE_KEY_COPYING(struct kernel_name, mangled);
    struct kernel_name *row;
    if (!stint_is_mangled(stint_static_kernel(name)))
        return name;
    row = stint_table_take(&names->rows, &key, &names->arena, &(struct kernel_name){.mangled = name});
    if (row && !row->text)
        row->text = stint_kernel_text(&names->arena, row->mangled);
    return row ? row->text : name;
}

void stint_demangled_names_free(struct stint_demangled_names *names)
{
    stint_arena_free(&names->arena);
}
