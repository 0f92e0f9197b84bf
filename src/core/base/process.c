/* Reads from /proc and the environment who this process is: command, host, rank, and what its threads are called and
 * have used. Reads variables of the environment as texts, switches, numbers and choices: a
 * wrong value is never silent, and never fatal. Marks threads while they work for the library itself. */
#include "base/process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"

static int filters(void)
{
    int mode = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
    return mode > 0 || (mode < 0 && errno != EINVAL); /* EINVAL: the kernel has none */
}

static enum { NOT_KNOWN, NOT_FILTERED, FILTERED } s_start; /* how the process began */
int stint_process_is_sealed;

int stint_process_is_confined(void)
{
    int is_filtered = __atomic_load_n(&s_start, __ATOMIC_RELAXED) == FILTERED;
    int error = errno, confined = stint_process_is_sealed || (!is_filtered && filters());
    errno = error;
    return confined;
}

static size_t read_unasked(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = -1;
    if (fd >= 0) {
        length = read(fd, out, size - 1);
        close(fd);
    }
    out[length > 0 ? length : 0] = '\0';
    return length > 0 ? (size_t)length : 0;
}

static size_t read_file(const char *path, char *out, size_t size)
{
    *out = '\0';
    return stint_process_is_confined() ? 0 : read_unasked(path, out, size);
}

void stint_process_command(char *out, size_t size)
{
    size_t length = read_file("/proc/self/cmdline", out, size); /* also an emulator's program, not the emulator */

    if (!length) /* the main thread has ended */
        length = read_file("/proc/thread-self/cmdline", out, size);
    while (length && !out[length - 1])
        length--;
    for (size_t i = 0; i < length; i++)
        if (!out[i])
            out[i] = ' ';
    if (!length)
        (void)snprintf(out, size, "%s", program_invocation_name);
}

void stint_process_host(char *out, size_t size)
{
    if (gethostname(out, size) && errno != ENAMETOOLONG)
        out[0] = '\0';
    out[size - 1] = '\0';
}

const char *stint_process_rank(void)
{
    static const char names[][21] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",         "MV2_COMM_WORLD_RANK",
                                     "SLURM_PROCID",         "RANK",      "PADDLE_TRAINER_ID"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (stint_env_text(names[i]))
            return stint_env_text(names[i]);
    return NULL;
}

void stint_process_thread_name(char *out, size_t size, int64_t tid)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/task/%lld/comm", (long long)tid);
    read_file(path, out, size);
    out[strcspn(out, "\n")] = '\0';
}

/* Returns the number after `key` in the text, 0 if it is not there. */
static uint64_t number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* "State:\tS (sleeping)" */
static void read_state(char *out, size_t size, const char *text)
{
    const char *at = strstr(text, "State:\t");
    const char *begin = at ? strchr(at, '(') : NULL;
    size_t length = begin ? strcspn(begin + 1, ")\n") : 0;
    if (length < size)
        memcpy(out, begin ? begin + 1 : "", length);
}

/* The number of a thread's CPU clock is made of its id: clock_getcpuclockid does so for processes. */
static uint64_t cpu_ns_of(int64_t tid)
{
    enum { OF_THREAD = 4, PRECISE = 2 };
    struct timespec time = {0};
    (void)clock_gettime((clockid_t)(~(uint32_t)tid << 3 | OF_THREAD | PRECISE), &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

struct stint_thread_usage stint_process_thread_usage(int64_t tid)
{
    struct stint_thread_usage usage = {.cpu_ns = stint_process_is_sealed ? 0 : cpu_ns_of(tid)};
    char path[64], text[4096];
    (void)snprintf(path, sizeof path, "/proc/self/task/%lld/status", (long long)tid);
    read_file(path, text, sizeof text);
    read_state(usage.state, sizeof usage.state, text);
    usage.waits = number_after(text, "\nvoluntary_ctxt_switches:");
    usage.preempted = number_after(text, "\nnonvoluntary_ctxt_switches:");
    return usage;
}

const char *stint_env_text(const char *name)
{
    const char *text = secure_getenv(name);
    return text && *text ? text : NULL;
}

size_t stint_env_choice(const char *name, const char *words, size_t otherwise)
{
    const char *text = stint_env_text(name), *all = words, *using = words;
    size_t length;
    if (!text)
        return otherwise;
    for (size_t i = 0; *words; i++, words += length + (words[length] == '|')) {
        length = strcspn(words, "|");
        if (strncasecmp(text, words, length) == 0 && !text[length])
            return i;
        if (i == otherwise)
            using = words;
    }
    STINT_LOG(STINT_LOG_WARNING, "%s=%.64s is not understood: expected %s; using %.*s", name, text, all,
              (int)strcspn(using, "|"), using);
    return otherwise;
}

int stint_env_switch(const char *name, int otherwise)
{
    return (int)(stint_env_choice(name, "off|on|0|1|false|true|no|yes", (size_t) !!otherwise) & 1);
}

uint64_t stint_env_number(const char *name, uint64_t otherwise, uint64_t least, uint64_t most)
{
    const char *text = stint_env_text(name);
    char *end = NULL;
    if (!text)
        return otherwise;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end && !errno && number >= least && number <= most)
        return number;
    STINT_LOG(STINT_LOG_WARNING, "%s=%.64s is not understood: expected a number from %llu to %llu; using %llu", name,
              text, (unsigned long long)least, (unsigned long long)most, (unsigned long long)otherwise);
    return otherwise;
}

/* A filter that the process has from its start, from who executed it, may end it for what no loader does: this reads a
 * file, as loaders do. Another library's thread may ask before this one's constructor does, or while it does. */
int stint_process_was_confined(void)
{
    char text[4096];
    if (__atomic_load_n(&s_start, __ATOMIC_RELAXED) == NOT_KNOWN) {
        int error = errno;
        read_unasked("/proc/self/status", text, sizeof text);
        int is_filtered = number_after(text, "\nSeccomp:\t") != 0;
        __atomic_store_n(&s_start, is_filtered ? FILTERED : NOT_FILTERED, __ATOMIC_RELAXED);
        errno = error;
    }
    return __atomic_load_n(&s_start, __ATOMIC_RELAXED) == FILTERED;
}

static unsigned char *s_marks;
static pid_t s_marked[STINT_MARKS];

void stint_process_mark(enum stint_mark mark)
{
    static unsigned char s_unwiped[STINT_MARKS];
    if (!s_marks)
        s_marks = mmap(NULL, STINT_MARKS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mark == STINT_LOADED) {
        (void)stint_process_was_confined();
        (void)stint_process_namespace(); /* later it would change what dlerror(3) tells */
    }
    if (s_marks == MAP_FAILED)
        s_marks = s_unwiped;
    else
        (void)madvise(s_marks, STINT_MARKS, MADV_WIPEONFORK);
    s_marks[mark] = 1;
    s_marked[mark] = getpid();
}

/* Whether this is a child that shares the memory of a process 1, and is the first of its namespace, too. The C library
 * gives the kernel a list of robust mutexes for each thread and each child of fork(2). */
static int is_another_first(void)
{
    void *list = &list;
    size_t size;
    return syscall(SYS_get_robust_list, 0, &list, &size) == 0 && !list;
}

int stint_process_is(enum stint_mark mark)
{
    pid_t self = stint_process_is_sealed ? 0 : getpid();
    return s_marks && s_marks[mark] && s_marked[mark] == self && (self != 1 || !is_another_first());
}

STINT_I_THREAD_LOCAL int stint_is_own_work __attribute__((tls_model("initial-exec")));

enum { TRIES = 100, PAUSE_NS = 1000000 };

int stint_lock_for(pthread_mutex_t *lock, int emergency)
{
    struct timespec pause = {0, PAUSE_NS};
    if (!emergency)
        return !pthread_mutex_lock(lock);
    for (int i = 0; i < TRIES; i++) {
        if (!pthread_mutex_trylock(lock))
            return 1;
        nanosleep(&pause, NULL);
    }
    return 0;
}

#ifdef __GLIBC__
/* A program that is linked with -static has neither function. */
#pragma weak dladdr1
#pragma weak dlinfo

long stint_process_namespace(void)
{
    static int s_is_known;
    static Lmid_t s_id = LM_ID_BASE;
    Dl_info info;
    struct link_map *map;
    if (__atomic_load_n(&s_is_known, __ATOMIC_ACQUIRE))
        return s_id;
    if (dladdr1 && dlinfo && dladdr1(&s_start, &info, (void **)&map, RTLD_DL_LINKMAP))
        (void)dlinfo(map, RTLD_DI_LMID, &s_id);
    __atomic_store_n(&s_is_known, 1, __ATOMIC_RELEASE);
    return s_id;
}
#else
long stint_process_namespace(void)
{
    return 0; /* other libraries have no dlmopen */
}
#endif

/* ---------------------------------------------------------------------------------------------------------- signals */

int stint_signal_stack(const stack_t *stack, stack_t *before)
{
    return stint_process_is_sealed ? -1 : (int)syscall(SYS_sigaltstack, stack, before);
}
