/* Frames of an interrupted thread: src/parts/sample/walk.c, loaded.c and cfi.c, against the C library's backtrace(). */
#include "sample/walk.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "stint_test.h"

enum { MOST = 600 };

static struct stint_walk s_walk;
static enum stint_walk_end s_end;
static void *s_expected[MOST];
static int s_expected_count;
static volatile int s_sink;

/* What the handler itself adds to backtrace() comes first. */
static void look(int number, siginfo_t *info, void *context)
{
    unsigned turn;
    const struct stint_loaded_set *set = stint_loaded_enter(&turn);
    s_end = stint_walk(&s_walk, set, context);
    stint_loaded_leave(turn);
    s_expected_count = backtrace(s_expected, MOST);
}

__attribute__((noinline)) static void nested(unsigned depth, void (*last)(void))
{
    if (depth)
        nested(depth - 1, last);
    else
        last();
    s_sink++;
}

static void raise_it(void)
{
    raise(SIGUSR2);
}

/* Frames that need a formula: the stack is aligned anew, and a register remembers where it was. */
__attribute__((noinline)) static void aligned(void)
{
    _Alignas(64) volatile char room[128];
    volatile char *more = __builtin_alloca((size_t)(s_sink & 1) + 100);
    room[0] = more[0] = 1;
    nested(3, raise_it);
    s_sink += room[0] + more[0];
}

static int start(void **state)
{
    struct sigaction action = {.sa_sigaction = look, .sa_flags = SA_SIGINFO};
    (void)backtrace(s_expected, MOST); /* loads libgcc */
    stint_loaded_refresh();
    return sigaction(SIGUSR2, &action, NULL);
}

/* The addresses of callers are those of the calls; of backtrace(), where calls return to. */
static void assert_as_expected(void)
{
    int first = 0;
    while (first < s_expected_count && (uintptr_t)s_expected[first] != s_walk.frames[0].address)
        first++;
    assert_true(first < s_expected_count);
    assert_int_equal(s_walk.count, s_expected_count - first);
    for (size_t i = 1; i < s_walk.count; i++)
        assert_int_equal(s_walk.frames[i].address + 1, (uintptr_t)s_expected[(size_t)first + i]);
}

TEST_ONCE(start, NULL)

/* After "push %rbp; push %rbx; sub $24, %rsp", or what does the same on another processor. */
static struct stint_cfi_row simple(void)
{
    struct stint_cfi_row row = {.frame = {.kind = STINT_CFI_VALUE, .offset = 48}, .reg = STINT_CFI_SP};
    row.rules[STINT_CFI_RETURN] = (struct stint_cfi_rule){.kind = STINT_CFI_AT, .offset = -8};
    row.rules[STINT_CFI_FP] = (struct stint_cfi_rule){.kind = STINT_CFI_AT, .offset = -16};
    row.rules[stint_short_registers[0]] = (struct stint_cfi_rule){.kind = STINT_CFI_AT, .offset = -24};
    return row;
}

/* The first of all, since the first touch of a page is a fault. */
TEST(few_rows_take_few_pages_and_many_have_room)
{
    enum { FEW = 40, MANY = 1000 };
    struct stint_cfi_row row = simple();
    struct stint_short_row brief;
    struct rusage before, after;
    size_t found = 0;
    assert_int_equal(getrusage(RUSAGE_THREAD, &before), 0);
    for (uint64_t i = 0; i < FEW; i++) {
        assert_int_equal(stint_row_cache_find(3, 0x6000 + i, &brief), 0);
        assert_int_equal(stint_row_cache_put(3, 0x6000 + i, &row, &brief), 1);
    }
    assert_int_equal(getrusage(RUSAGE_THREAD, &after), 0);
    if (!TEST_SANITIZED) /* they have memory of their own beside */
        assert_in_range(after.ru_minflt - before.ru_minflt, 0, 10);
    for (uint64_t i = 0; i < MANY; i++)
        (void)stint_row_cache_put(4, 0x6000 + i, &row, &brief);
    for (uint64_t i = 0; i < MANY; i++)
        found += (size_t)stint_row_cache_find(4, 0x6000 + i, &brief);
    assert_in_range(found, MANY * 3 / 4, MANY);
}

TEST(frames_are_those_of_backtrace)
{
    nested(30, raise_it);
    assert_int_equal(s_end, STINT_WALK_WHOLE);
    assert_true(s_walk.count > 32);
    assert_as_expected();
}

TEST(so_are_those_with_a_realigned_stack)
{
    nested(2, aligned);
    assert_int_equal(s_end, STINT_WALK_WHOLE);
    assert_as_expected();
}

static int compare(const void *a, const void *b)
{
    if (s_sink++ % 50 == 7)
        raise_it();
    return *(const int *)a - *(const int *)b;
}

TEST(so_are_those_below_the_c_library)
{
    int numbers[40];
    for (int i = 0; i < 40; i++)
        numbers[i] = i * 7 % 40;
    qsort(numbers, 40, sizeof numbers[0], compare);
    assert_int_equal(s_end, STINT_WALK_WHOLE);
    assert_as_expected();
}

static void on_signal(int number)
{
    nested(2, raise_it);
}

static size_t is_expected(uint64_t address)
{
    for (int i = 0; i < s_expected_count; i++)
        if ((uintptr_t)s_expected[i] == address)
            return 1;
    return 0;
}

/* Of a function that a handler interrupted the address is exact. */
TEST(frames_go_on_below_a_handler)
{
    size_t exact = 0;
#ifdef __SANITIZE_THREAD__
    skip(); /* it calls handlers later, as functions */
#endif
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    assert_int_equal(s_end, STINT_WALK_WHOLE);
    for (size_t i = 0; i < s_walk.count; i++)
        exact += is_expected(s_walk.frames[i].address);
    assert_int_equal(exact, 2);
}

static void *in_thread(void *unused)
{
    nested(4, raise_it);
    return unused;
}

TEST(frames_of_a_thread_end_where_it_began)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, in_thread, NULL), 0);
    pthread_join(thread, NULL);
    assert_int_equal(s_end, STINT_WALK_WHOLE);
    assert_as_expected();
}

TEST(deep_chain_keeps_its_inner_part)
{
    nested(1000, raise_it);
    assert_int_equal(s_end, STINT_WALK_DEEP);
    assert_int_equal(s_walk.count, STINT_WALK_FRAMES);
}

/* Registers as they may be, of a thread that has nothing on its stack. */
static void walk_from(uint64_t pc, uint64_t stack, uint64_t pointer)
{
    ucontext_t context = {0};
    unsigned turn;

#ifdef __x86_64__
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
    context.uc_mcontext.gregs[REG_RSP] = (greg_t)stack;
    context.uc_mcontext.gregs[REG_RBP] = (greg_t)pointer;
#else
    context.uc_mcontext.pc = pc;
    context.uc_mcontext.sp = stack;
    context.uc_mcontext.regs[29] = pointer;
#endif
    s_end = stint_walk(&s_walk, stint_loaded_enter(&turn), &context);
    stint_loaded_leave(turn);
}

TEST(stack_that_is_not_there_is_not_read)
{
    static const uint64_t wrong[] = {0, 1, 8, 0xFFF8, UINT64_MAX, UINT64_MAX - 7, UINT64_C(0x8000000000000000)};
    char *page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page + 4096, 4096, PROT_NONE);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        walk_from((uintptr_t)raise_it + 4, wrong[i], wrong[i]);
        assert_int_equal(s_walk.count, 1);
        walk_from(wrong[i], wrong[i], (uintptr_t)page);
        assert_true(s_end != STINT_WALK_DEEP);
    }
#ifdef __x86_64__
    *(uint64_t *)(void *)(page + 4096 - 8) = 1; /* where the caller is, if raise_it has pushed nothing there */
    walk_from((uintptr_t)raise_it + 4, (uintptr_t)page + 4096 - 8, (uintptr_t)page + 4096 - 8);
    assert_int_equal(s_end, STINT_WALK_CUT);
#endif
    munmap(page, 3 * 4096);
}

/* A chain of frame pointers that leads to itself ends. */
TEST(circle_of_frames_ends)
{
    uint64_t frames[8];
    for (size_t i = 0; i < 8; i += 2) {
        frames[i] = (uintptr_t)&frames[(i + 2) % 8];
        frames[i + 1] = 0x1000;
    }
    walk_from(0x1000, (uintptr_t)frames, (uintptr_t)frames);
    assert_int_equal(s_end, STINT_WALK_CUT);
    assert_true(s_walk.count <= 8);
}

/* As a just-in-time compiler makes it, called by code that uses the frame pointer for something else. */
TEST(code_in_no_module_has_its_caller)
{
    uint64_t stack[64] = {0};
    stack[8] = 1; /* the caller's register */
    stack[9] = (uintptr_t)raise_it + 4;
    walk_from(0x1000, (uintptr_t)&stack[4], (uintptr_t)&stack[8]);
    assert_true(s_walk.count >= 2);
    assert_int_equal(s_walk.frames[0].module, STINT_LOADED_NOWHERE);
    assert_int_equal(s_walk.frames[1].address, (uintptr_t)raise_it + 3);
}

TEST(modules_have_paths_and_ranges)
{
    unsigned turn;
    const struct stint_loaded_set *set = stint_loaded_enter(&turn);
    const struct stint_loaded *own = stint_loaded_find(set, (uintptr_t)raise_it);
    const struct stint_loaded *libc = stint_loaded_find(set, (uintptr_t)dlsym(RTLD_DEFAULT, "gnu_get_libc_version"));
    assert_non_null(own);
    assert_non_null(libc);
    assert_null(stint_loaded_find(set, 8));
    assert_non_null(strstr(stint_loaded_module(own->module)->path, "test_sample_walk"));
    assert_non_null(strstr(stint_loaded_module(libc->module)->path, "libc"));
    assert_int_equal(strlen(stint_loaded_module(libc->module)->build_id), 40);
    stint_loaded_leave(turn);
}

TEST(simple_row_is_found_again)
{
    struct stint_cfi_row row = simple();
    struct stint_short_row brief, found;
    assert_int_equal(stint_row_cache_put(1, 0x4000, &row, &brief), 1);
    assert_int_equal(stint_row_cache_find(1, 0x4000, &found), 1);
    assert_int_equal(found.offset, 48);
    assert_int_equal(found.reg, STINT_CFI_SP);
    for (size_t i = 0; i < STINT_SHORT_REGISTERS; i++)
        assert_int_equal(found.saved[i], stint_short_registers[i] == STINT_CFI_FP ? 2 : i == 0 ? 3 : 0);
}

TEST(row_of_other_modules_is_not_found)
{
    struct stint_cfi_row row = simple();
    struct stint_short_row brief;
    assert_int_equal(stint_row_cache_put(1, 0x5000, &row, &brief), 1);
    assert_int_equal(stint_row_cache_find(2, 0x5000, &brief), 0);
    assert_int_equal(stint_row_cache_find(1, 0x5001, &brief), 0);
}

TEST(row_that_says_more_is_not_kept)
{
    struct stint_cfi_row far = simple(), formula = simple(), other = simple(), elsewhere = simple();
    struct stint_short_row brief;
    far.rules[stint_short_registers[0]].offset = -8 * 300;
    formula.frame.kind = STINT_CFI_VALUE_FORMULA;
    other.rules[0] = (struct stint_cfi_rule){.kind = STINT_CFI_AT, .offset = -32};
    elsewhere.rules[STINT_CFI_RETURN].offset = 0;
    assert_int_equal(stint_row_cache_put(5, 1, &far, &brief), 0);
    assert_int_equal(stint_row_cache_put(1, 2, &formula, &brief), 0);
    assert_int_equal(stint_row_cache_put(1, 3, &other, &brief), 0);
    assert_int_equal(stint_row_cache_put(1, 4, &elsewhere, &brief), 0);
    assert_int_equal(stint_row_cache_find(5, 1, &brief), 0);
}
