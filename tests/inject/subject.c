/* The programs that stint is injected into; the argument selects what this one does. By default it knows nothing of
 * stint; with WITH_STINT it has scopes, and is linked with stint, shared or static. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu_mock/mock.h"
#include "inject/nvtx_client.h"

#ifdef WITH_STINT
#include "stint/stint.h"
#define SCOPE(name) STINT_SCOPE(name)
#else
#define SCOPE(name) (void)0
#endif

static const char *s_self;

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "line %d: not %s\n", __LINE__, #condition);                                                \
            exit(100);                                                                                                 \
        }                                                                                                              \
    } while (0)

/* Runs three steps of two ranges each, within a scope. */
static void steps(void)
{
    SCOPE("scope");

    for (int i = 0; i < 3; ++i) {
        REQUIRE(nvtx_push("step") == 0);
        REQUIRE(nvtx_push("inner") == 1);
        REQUIRE(nvtx_pop() == 1);
        REQUIRE(nvtx_pop() == 0);
    }
}

static int nothing(void)
{
    return 0;
}

static int scope_alone(void)
{
    {
        SCOPE("scope");
    }
    _exit(4);
}

static int nvtx(void)
{
    steps();
    return 0;
}

/* Like a program that finds no tool. */
static int untracked(void)
{
    REQUIRE(nvtx_push("step") == -2);
    REQUIRE(nvtx_pop() == -2);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- ends */

static int exits(void)
{
    steps();
    exit(3);
}

static int exits_fast(void)
{
    steps();
    _exit(4);
}

static int exits_faster(void)
{
    steps();
    _Exit(5);
}

static int exits_quickly(void)
{
    steps();
    quick_exit(6);
}

/* Makes sure that SIGINT is not ignored, as it is in a shell's background jobs. */
static int raises(int number)
{
    signal(number, SIG_DFL);
    steps();
    raise(number);
    return 0;
}

static int terminated(void)
{
    return raises(SIGTERM);
}

static int interrupted(void)
{
    return raises(SIGINT);
}

static int aborts(void)
{
    steps();
    abort();
}

static int crashes(void)
{
    static volatile int *volatile s_nowhere;
    steps();
    return *s_nowhere;
}

/* -------------------------------------------------------------------------------------------------------- processes */

static int forks(void)
{
    int status = 1;
    steps();
    pid_t child = fork();
    if (child == 0) {
        REQUIRE(nvtx_push("in the child") == 0);
        REQUIRE(nvtx_pop() == 0);
        return 0;
    }
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}

static int becomes_another(void)
{
    execl(s_self, s_self, "nvtx", (char *)NULL);
    return 1;
}

static int become(const char *way)
{
    char *const arguments[] = {(char *)s_self, (char *)"nvtx", NULL};
    char *const slash = strrchr(s_self, '/');
    const int file = open(s_self, O_RDONLY | O_CLOEXEC);
    REQUIRE(slash && file >= 0);
    if (!strcmp(way, "execve"))
        return execve(s_self, arguments, environ);
    if (!strcmp(way, "execv"))
        return execv(s_self, arguments);
    if (!strcmp(way, "execl"))
        return execl(s_self, s_self, "nvtx", (char *)NULL);
    if (!strcmp(way, "execle"))
        return execle(s_self, s_self, "nvtx", (char *)NULL, environ);
    if (!strcmp(way, "fexecve"))
        return fexecve(file, arguments, environ);
    if (!strcmp(way, "execveat"))
        return execveat(AT_FDCWD, s_self, arguments, environ, 0);
    *slash = '\0';
    REQUIRE(setenv("PATH", s_self, 1) == 0); /* only a name, so PATH is searched */
    if (!strcmp(way, "execvp"))
        return execvp(slash + 1, arguments);
    if (!strcmp(way, "execvpe"))
        return execvpe(slash + 1, arguments, environ);
    return execlp(slash + 1, s_self, "nvtx", (char *)NULL);
}

static int becomes_after_steps(void)
{
    steps();
    return become(getenv("WAY"));
}

/* A missing file, and a file that is not a program. */
static int fails_to_become(void)
{
    steps();
    REQUIRE(execl("/nowhere/at/all", "all", (char *)NULL) == -1);
    REQUIRE(execlp("no such program", "all", (char *)NULL) == -1);
    REQUIRE(execl("/dev/null", "null", (char *)NULL) == -1);
    steps();
    return 0;
}

/* The child shares its parent's memory, in which steps were recorded. */
static int vforks(void)
{
    int status = 1;
    steps();
    pid_t child = vfork();
    if (child == 0) {
        execl(s_self, s_self, "nothing", (char *)NULL);
        _exit(1);
    }
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}

static int has_a_shell(void)
{
    char command[4096];
    snprintf(command, sizeof command, "'%s' nvtx & wait $!", s_self);
    return system(command);
}

/* Forks twice and detaches from the terminal in between; the test waits for the grandchild's last output. */
static int becomes_a_daemon(void)
{
    const pid_t child = fork();
    if (child) {
        int status = 1;
        REQUIRE(waitpid(child, &status, 0) == child && status == 0);
        return 0;
    }
    setsid();
    if (fork())
        _exit(0);
    steps();
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- CUDA */

static const struct mock_kernel s_kernel = {"kernel", 2000};

static void launch(void)
{
    SCOPE("scope");

    for (int i = 0; i < 3; ++i) {
        (void)nvtx_push("step");
        (void)cudaLaunchKernel(&s_kernel, (struct mock_dim){1, 1, 1}, (struct mock_dim){32, 1, 1}, NULL, 0, NULL);
        (void)nvtx_pop();
    }
}

static int cuda(void)
{
    REQUIRE(cuInit(0) == 0);
    launch();
    REQUIRE(cudaDeviceSynchronize() == 0);
    return 0;
}

/* Three times, a device reads 64 MiB of managed memory that the host wrote, and the host reads them again, in pieces of
 * one and three MiB. */
static int cuda_managed(void)
{
    enum { HTOD = 1, DTOH, HOST_FAULT, DEVICE_FAULTS, THRASHING }; /* CUPTI's counters */
    enum { PASSES = 3, PIECES = 32, MIB = 1 << 20 };
    REQUIRE(cuInit(0) == 0);
    launch();
    for (uint64_t i = 0; i < PASSES * PIECES; ++i) {
        const uint64_t address = UINT64_C(0x7f0000000000) + i % PIECES * 2 * MIB, bytes = i % 2 ? 3 * MIB : MIB;
        mock_unified_memory(DEVICE_FAULTS, address, 4);
        mock_unified_memory(HTOD, address, bytes);
        mock_unified_memory(HOST_FAULT, address, 1);
        mock_unified_memory(DTOH, address, bytes);
    }
    mock_unified_memory(THRASHING, UINT64_C(0x7f0000000000), 4096);
    REQUIRE(cudaDeviceSynchronize() == 0);
    return 0;
}

/* Launches as PyTorch and XLA do, whose ranges carry data in their texts. */
static int cuda_annotated(void)
{
    char text[128];
    REQUIRE(cuInit(0) == 0);
    for (int i = 0; i < 3; ++i) {
        snprintf(text, sizeof text, "aten::mm, seq = %d, op_id = %d, sizes = [[2, 3], [3, 4]]", i, 10 + i);
        (void)nvtx_push("XlaModule:#hlo_module=jit_step,program_id=7#");
        (void)nvtx_push(text);
        (void)cudaLaunchKernel(&s_kernel, (struct mock_dim){1, 1, 1}, (struct mock_dim){32, 1, 1}, NULL, 0, NULL);
        (void)nvtx_pop();
        (void)nvtx_pop();
    }
    REQUIRE(cudaDeviceSynchronize() == 0);
    return 0;
}

/* Has no cuInit of its own, and thus not the driver's exit handler: launched work has to be waited for. */
static int cuda_left_behind(void)
{
    launch();
    _exit(7);
}

static int cuda_unused(void)
{
    return cuInit(0);
}

/* Returns whether the path of any loaded object contains this word. */
static int is_loaded(const char *word)
{
    char line[4096];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        found |= strstr(line, word) != NULL;
    if (maps)
        fclose(maps);
    return found;
}

static int without_cupti(void)
{
    steps();
    return is_loaded("libcupti") ? 1 : 0;
}

/* ----------------------------------------------------------------------------------------------------- more of NVTX */

/* Calls every function of the client; return values depend on the tool. Handles of tests/inject/other.c are
 * recognisable: payloads may contain handles, and the tool has to get its own. */
static int every(void)
{
    const void *domain = nvtx_domain("domain");
    const void *text = nvtx_text(domain, "registered");
    uint64_t range = nvtx_begin("across");
    uint64_t range_in = nvtx_begin_in(domain, text);
    nvtx_sync();
    nvtx_mark(domain && !memcmp(domain, "other", 5) ? "the other's handle" : "no handle of the other's");
    (void)nvtx_push("outer");
    (void)nvtx_push_in(domain, text);
    nvtx_mark("mark");
    nvtx_mark_in(domain, text);
    (void)nvtx_pop_in(domain);
    (void)nvtx_pop();
    nvtx_end(range);
    nvtx_end_in(domain, range_in);
    return 0;
}

static void *many_steps(void *unused)
{
    for (int i = 0; i < 1000; ++i) {
        (void)nvtx_push("step");
        (void)nvtx_pop();
    }
    return unused;
}

/* The threads meet at the first call. */
static int threads(void)
{
    pthread_t thread[8];
    for (int i = 0; i < 8; ++i)
        REQUIRE(pthread_create(&thread[i], NULL, many_steps, NULL) == 0);
    for (int i = 0; i < 8; ++i)
        REQUIRE(pthread_join(thread[i], NULL) == 0);
    return 0;
}

/* Calls a library, named by PLUGIN, that has its own stint and NVTX; it is loaded before or after NVTX is first
 * used. */
static void call_plugin(void)
{
    const char *path = getenv("PLUGIN");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *found = library ? dlsym(library, "plugin_run") : NULL;
    void (*run)(void);
    REQUIRE(found != NULL);
    memcpy(&run, &found, sizeof run);
    run();
}

static int plugin_first(void)
{
    call_plugin();
    steps();
    return 0;
}

static int plugin_last(void)
{
    steps();
    call_plugin();
    return 0;
}

/* As Python's multiprocessing: a forked worker ends by _exit. */
static int plugin_in_worker(void)
{
    int status;
    call_plugin();
    pid_t worker = fork();
    if (worker == 0) {
        call_plugin();
        call_plugin();
        _exit(0);
    }
    REQUIRE(waitpid(worker, &status, 0) == worker && status == 0);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- main */

#define MODE(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }

static const struct {
    const char *name;
    int (*run)(void);
} s_modes[] = {
    MODE(nothing),
    MODE(scope_alone),
    MODE(nvtx),
    MODE(untracked),
    MODE(exits),
    MODE(exits_fast),
    MODE(exits_faster),
    MODE(exits_quickly),
    MODE(terminated),
    MODE(interrupted),
    MODE(aborts),
    MODE(crashes),
    MODE(forks),
    MODE(becomes_another),
    MODE(has_a_shell),
    MODE(becomes_a_daemon),
    MODE(cuda),
    MODE(cuda_annotated),
    MODE(cuda_managed),
    MODE(cuda_left_behind),
    MODE(cuda_unused),
    MODE(without_cupti),
    MODE(becomes_after_steps),
    MODE(fails_to_become),
    MODE(vforks),
    MODE(every),
    MODE(threads),
    MODE(plugin_first),
    MODE(plugin_last),
    MODE(plugin_in_worker),
};

int main(int count, char **arguments)
{
    s_self = arguments[0];
    for (size_t i = 0; count > 1 && i < sizeof s_modes / sizeof *s_modes; ++i)
        if (!strcmp(arguments[1], s_modes[i].name))
            return s_modes[i].run();
    return 125;
}
