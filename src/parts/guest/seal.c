/* Filters of system calls (seccomp) that end the process for what stint does. What has been recorded is written before
 * such a filter is there, as at the end; from then on stint does nothing in this process. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "guest/guest.h"
#include "runtime/runtime.h"
#include "stint/detail/api.h"

/* ---------------------------------------------------------------------------------------------------------- filters */

/* What the filter, a program for a machine with two registers, works with. */
struct machine {
    const struct seccomp_data *call;
    uint32_t a, x, memory[BPF_MEMWORDS];
};

static uint32_t load_word(const struct seccomp_data *call, uint32_t at)
{
    uint32_t word = 0;
    if (at <= sizeof *call - sizeof word)
        memcpy(&word, (const char *)call + at, sizeof word);
    return word;
}

static uint32_t operand_of(const struct machine *machine, const struct sock_filter *step)
{
    return BPF_SRC(step->code) == BPF_X ? machine->x : step->k;
}

static uint32_t loaded(const struct machine *machine, const struct sock_filter *step)
{
    switch (BPF_MODE(step->code)) {
    case BPF_ABS:
        return load_word(machine->call, step->k);
    case BPF_MEM:
        return machine->memory[step->k % BPF_MEMWORDS];
    case BPF_LEN:
        return sizeof *machine->call;
    default:
        return step->k;
    }
}

static uint32_t calculated(uint32_t a, uint16_t code, uint32_t by)
{
    switch (BPF_OP(code)) {
    case BPF_ADD:
        return a + by;
    case BPF_SUB:
        return a - by;
    case BPF_MUL:
        return a * by;
    case BPF_DIV:
        return by ? a / by : 0;
    case BPF_AND:
        return a & by;
    case BPF_OR:
        return a | by;
    case BPF_XOR:
        return a ^ by;
    case BPF_LSH:
        return by < 32 ? a << by : 0;
    case BPF_RSH:
        return by < 32 ? a >> by : 0;
    default:
        return 0 - a;
    }
}

/* Returns how many steps are left out. */
static uint32_t jump_of(const struct machine *machine, const struct sock_filter *step)
{
    uint32_t a = machine->a, by = operand_of(machine, step);
    switch (BPF_OP(step->code)) {
    case BPF_JEQ:
        return a == by ? step->jt : step->jf;
    case BPF_JGT:
        return a > by ? step->jt : step->jf;
    case BPF_JGE:
        return a >= by ? step->jt : step->jf;
    case BPF_JSET:
        return a & by ? step->jt : step->jf;
    default:
        return step->k;
    }
}

static void execute(struct machine *machine, const struct sock_filter *step)
{
    switch (BPF_CLASS(step->code)) {
    case BPF_LD:
        machine->a = loaded(machine, step);
        break;
    case BPF_LDX:
        machine->x = loaded(machine, step);
        break;
    case BPF_ST:
        machine->memory[step->k % BPF_MEMWORDS] = machine->a;
        break;
    case BPF_STX:
        machine->memory[step->k % BPF_MEMWORDS] = machine->x;
        break;
    case BPF_ALU:
        machine->a = calculated(machine->a, step->code, operand_of(machine, step));
        break;
    default:
        if (BPF_MISCOP(step->code) == BPF_TAX)
            machine->x = machine->a;
        else
            machine->a = machine->x;
    }
}

/* The kernel refuses a filter that jumps beyond its end, or has an end without an answer. */
static uint32_t answer_of(const struct sock_fprog *filter, const struct seccomp_data *call)
{
    struct machine machine = {.call = call};
    for (uint64_t at = 0; at < filter->len; at++) {
        const struct sock_filter *step = &filter->filter[at];
        if (BPF_CLASS(step->code) == BPF_RET)
            return BPF_RVAL(step->code) == BPF_A ? machine.a : step->k;
        if (BPF_CLASS(step->code) == BPF_JMP)
            at += jump_of(&machine, step);
        else
            execute(&machine, step);
    }
    return SECCOMP_RET_ALLOW;
}

#ifdef __x86_64__
enum { ARCHITECTURE = (int)AUDIT_ARCH_X86_64 };
#else
enum { ARCHITECTURE = (int)AUDIT_ARCH_AARCH64 };
#endif

/* A call that is refused does no harm. */
static int is_survived(uint32_t answer)
{
    switch (answer & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW:
    case SECCOMP_RET_LOG:
    case SECCOMP_RET_ERRNO:
        return 1;
    default:
        return 0;
    }
}

/* What stint does while it records, and to write a report to stderr. The rest it does only without a filter. */
static int is_deadly(const struct sock_fprog *filter)
{
    static const struct seccomp_data calls[] = {
        {.nr = SYS_prctl, .args = {PR_GET_SECCOMP}},
        {.nr = SYS_mmap, .args = {0, 4096, 3, 0x22, (uint64_t)-1}},
        {.nr = SYS_munmap},
        {.nr = SYS_madvise},
        {.nr = SYS_getpid},
        {.nr = SYS_gettid},
        {.nr = SYS_rt_sigprocmask},
        {.nr = SYS_rt_sigaction},
        {.nr = SYS_rt_sigreturn},
        {.nr = SYS_sigaltstack},
        {.nr = SYS_futex},
        {.nr = SYS_clock_nanosleep},
        {.nr = SYS_clock_gettime, .args = {CLOCK_THREAD_CPUTIME_ID}},
        {.nr = SYS_fcntl, .args = {STDERR_FILENO}},
        {.nr = SYS_ioctl, .args = {STDERR_FILENO}},
        {.nr = SYS_write, .args = {STDERR_FILENO}},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        struct seccomp_data call = calls[i];
        call.arch = (uint32_t)ARCHITECTURE;
        if (!is_survived(answer_of(filter, &call)))
            return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ calls */

/* The kernel takes a filter of root, and of who has given up gaining more rights. */
static int is_taken(const struct sock_fprog *filter)
{
    return filter && filter->filter && filter->len && filter->len <= BPF_MAXINSNS &&
           (geteuid() == 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
}

static void seal(int is_strict, const struct sock_fprog *filter)
{
    static int s_is_sealed;
    const struct stint_inject_core *used = stint_inject_used();
    int error = errno;
    if (!s_is_sealed && (is_strict || (is_taken(filter) && is_deadly(filter)))) {
        s_is_sealed = 1;
        (void)used->prepare("sampler", NULL);
        if (used->prepare("modules", &(struct stint_rest_offer){STINT_REST_FOR_GOOD}))
            STINT_LOG(STINT_LOG_WARNING, "nothing more is recorded: a filter of system calls will end this process for "
                                         "what stint does");
    }
    errno = error;
}

void stint_guest_filters(long number, long a, long b, const void *c)
{
    if (number == SYS_seccomp)
        seal(a == SECCOMP_SET_MODE_STRICT, a == SECCOMP_SET_MODE_FILTER ? c : NULL);
    else if (number == SYS_prctl && a == PR_SET_SECCOMP)
        seal(b == SECCOMP_MODE_STRICT, b == SECCOMP_MODE_FILTER ? c : NULL);
}

typedef int prctl_fn(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

static prctl_fn *s_prctl;

/* It may be called where the dynamic linker must not be used. */
__attribute__((constructor(101))) static void find_prctl(void)
{
    void *found = dlsym(RTLD_NEXT, "prctl");
    memcpy(&s_prctl, &found, sizeof s_prctl);
}

/* The name is one for the compiler, since the header declares the function without these arguments. */
STINT_API prctl_fn stint_guest_prctl __asm__("prctl");

int stint_guest_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
    if (!s_prctl)
        find_prctl();
    if (option == PR_SET_SECCOMP)
        stint_guest_filters(SYS_prctl, option, (long)a, (const void *)b); // NOLINT(performance-no-int-to-ptr)
    return s_prctl(option, a, b, c, d);
}
