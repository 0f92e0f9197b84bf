/* Filters of system calls: src/parts/guest/seal.c. Each of these programs allows all calls if it comes to the number
 * that is expected, and else kills: the kernel is asked, too. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/guest.h"
#include "runtime/runtime.h"
#include "stint_test.h"

/* What the filter would end is done before. */
static int s_prepared;

static int prepare(const char *part, const void *offer)
{
    s_prepared++;
    return part && offer;
}

static int exchange_handler(stint_sigaction_fn *real, int number, const struct sigaction *action,
                            struct sigaction *before)
{
    return real(number, action, before);
}

const struct stint_inject_core *stint_inject_used(void)
{
    static const struct stint_inject_core core = {.prepare = prepare, .exchange_handler = exchange_handler};
    return &core;
}

enum { STEPS = 6 };

#define LOAD(number) BPF_STMT(BPF_LD | BPF_IMM, number)
#define LOAD_X(number) BPF_STMT(BPF_LDX | BPF_IMM, number)
#define DO(operation, number) BPF_STMT(BPF_ALU | BPF_K | (operation), number)
#define DO_X(operation) BPF_STMT(BPF_ALU | BPF_X | (operation), 0)
#define JUMP(condition, number) BPF_JUMP(BPF_JMP | BPF_K | (condition), number, 0, 1)
#define SKIP BPF_STMT(BPF_JMP | BPF_JA, 1)

static const struct {
    uint32_t number; /* that is expected */
    size_t count;
    struct sock_filter steps[STEPS];
} s_rows[] = {
    {12, 2, {LOAD(7), DO(BPF_ADD, 5)}},
    {2, 2, {LOAD(7), DO(BPF_SUB, 5)}},
    {35, 2, {LOAD(7), DO(BPF_MUL, 5)}},
    {3, 2, {LOAD(17), DO(BPF_DIV, 5)}},
    {4, 2, {LOAD(6), DO(BPF_AND, 12)}},
    {14, 2, {LOAD(6), DO(BPF_OR, 12)}},
    {10, 2, {LOAD(6), DO(BPF_XOR, 12)}},
    {48, 2, {LOAD(6), DO(BPF_LSH, 3)}},
    {6, 2, {LOAD(50), DO(BPF_RSH, 3)}},
    {UINT32_MAX, 2, {LOAD(1), DO(BPF_NEG, 0)}},
    {9, 3, {LOAD(4), LOAD_X(5), DO_X(BPF_ADD)}},
    {8, 3, {LOAD(8), BPF_STMT(BPF_MISC | BPF_TAX, 0), BPF_STMT(BPF_MISC | BPF_TXA, 0)}},
    {3, 4, {LOAD(3), BPF_STMT(BPF_ST, 2), LOAD(1), BPF_STMT(BPF_LD | BPF_MEM, 2)}},
    {6, 5, {LOAD_X(6), BPF_STMT(BPF_STX, 1), LOAD(1), BPF_STMT(BPF_LDX | BPF_MEM, 1), BPF_STMT(BPF_MISC | BPF_TXA, 0)}},
    {sizeof(struct seccomp_data), 1, {BPF_STMT(BPF_LD | BPF_LEN, 0)}},
    {0, 2, {BPF_STMT(BPF_LD | BPF_ABS, offsetof(struct seccomp_data, nr)), DO(BPF_AND, 0)}},
    {1, 5, {LOAD(5), JUMP(BPF_JGT, 4), SKIP, LOAD(0), DO(BPF_AND, 1)}},
    {0, 4, {LOAD(4), JUMP(BPF_JGT, 4), SKIP, LOAD(0)}},
    {4, 4, {LOAD(4), JUMP(BPF_JGE, 4), SKIP, LOAD(0)}},
    {0, 4, {LOAD(4), JUMP(BPF_JGE, 5), SKIP, LOAD(0)}},
    {5, 4, {LOAD(5), JUMP(BPF_JSET, 4), SKIP, LOAD(0)}},
    {0, 4, {LOAD(5), JUMP(BPF_JSET, 2), SKIP, LOAD(0)}},
    {7, 4, {LOAD(7), JUMP(BPF_JEQ, 7), SKIP, LOAD(0)}},
};

static struct sock_fprog filter_of(size_t row, struct sock_filter *steps, uint32_t number)
{
    size_t count = s_rows[row].count;
    memcpy(steps, s_rows[row].steps, sizeof s_rows[row].steps);
    steps[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 1, 0);
    steps[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    steps[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    return (struct sock_fprog){(unsigned short)count, steps};
}

/* Returns what a process that has the filter returns: 1 if there are no filters here; -1 if it is killed. */
static int kernel_says(const struct sock_fprog *filter)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        (void)syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        long refused = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter);
        (void)syscall(SYS_exit_group, refused && errno != EINVAL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(filters_are_computed_as_the_kernel_does)
{
    struct sock_filter steps[STEPS + 3];
    assert_int_equal(syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    for (size_t i = 0; i < TEST_COUNT(s_rows); i++) {
        struct sock_fprog filter = filter_of(i, steps, s_rows[i].number);
        if (kernel_says(&filter) < 0)
            fail_msg("the kernel does not come to %u in row %zu", s_rows[i].number, i);
        stint_guest_filters(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
        if (s_prepared)
            fail_msg("%u is not what row %zu comes to", s_rows[i].number, i);
    }
}

TEST(what_is_no_filter_is_left_alone)
{
    struct sock_fprog empty = {0};
    stint_guest_filters(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &empty);
    stint_guest_filters(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, NULL);
    stint_guest_filters(SYS_prctl, PR_SET_NAME, 0, NULL);
    stint_guest_filters(SYS_getpid, 0, 0, NULL);
    assert_int_equal(s_prepared, 0);
}

TEST(before_a_filter_that_kills_stint_ends_once)
{
    struct sock_filter steps[STEPS + 3];
    struct sock_fprog filter = filter_of(0, steps, s_rows[0].number + 1);
    for (int i = 0; i < 2; i++) {
        stint_guest_filters(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
        assert_int_equal(s_prepared, 2); /* samples, and the rest */
    }
}
