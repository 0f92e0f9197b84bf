/* The entry points. All use the same stint: the one that the program has loaded itself, or else this one. All stints in
 * the process are asked for their versions, so that the library records into the program's own. */
#include "inject/inject.h"
#include "guest/guest.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/process.h"
#include "model/sampler.h"
#include "modules/module.h"
#include "nvtx/handler.h"
#include "runtime/runtime.h"
#include "stint/detail/api.h"

/* CUDA's driver and NVTX find the functions by these names; the driver calls the first one within cuInit. */
STINT_API int InitializeInjection(void);
STINT_API int InitializeInjectionNvtx2(stint_nvtx_get_table_fn *get_table);
STINT_API int InitializeInjectionNvtxExtension(struct stint_nvtx_module *module);

/* ------------------------------------------------------------------------------------------------------ which stint */

/* NULL: not decided yet. */
static const struct stint_inject_core *s_core;

static void choose(void *context, uint32_t version, const struct stint_inject_core *core)
{
    const struct stint_inject_core **found = context;
    if (version == STINT_INJECT_VERSION && core != &stint_i_inject && !*found)
        *found = core;
}

/* Returns the functions of the first other stint that is loaded and has the same version, or NULL. Not for signal
 * handlers. */
static const struct stint_inject_core *find_loaded(void)
{
    const struct stint_inject_core *found = NULL;
    stint_copies_visit(choose, &found);
    return found;
}

/* A preloaded _exit takes precedence over that of the stint that the program is linked with. */
static const struct stint_inject_core *look_for_one(void)
{
    const struct stint_inject_core *found = find_loaded();
    if (found) {
        __atomic_store_n(&s_core, found, __ATOMIC_RELEASE);
        stint_exit_also(found->report);
    }
    return found;
}

const struct stint_inject_core *stint_inject_core(void)
{
    const struct stint_inject_core *decided = __atomic_load_n(&s_core, __ATOMIC_ACQUIRE);
    if (!decided)
        decided = look_for_one();
    if (!decided) {
        __atomic_store_n(&s_core, &stint_i_inject, __ATOMIC_RELEASE);
        decided = &stint_i_inject;
    }
    return decided;
}

/* Called before this library's constructor, too, by those of others. */
const struct stint_inject_core *stint_inject_used(void)
{
    const struct stint_inject_core *used = __atomic_load_n(&s_core, __ATOMIC_ACQUIRE);
    if (!used && !stint_runtime_is_injected)
        used = look_for_one();
    return used ? used : &stint_i_inject;
}

static void report_before_exec(void)
{
    const struct stint_inject_core *used = __atomic_load_n(&s_core, __ATOMIC_ACQUIRE);
    if (used)
        used->before_exec();
}

/* ----------------------------------------------------------------------------------------------------- entry points */

int InitializeInjection(void)
{
    stint_chain_cuda(InitializeInjection);
    (void)stint_inject_core()->attach("gpu", NULL);
    return 1; /* CUDA must not fail, whatever happened above */
}

/* When this stint starts, it looks for a tool as any program does, and finds this library. It must not pass its timers
 * on to itself. */
static int is_mine(const struct stint_inject_core *used)
{
    return used == &stint_i_inject && used->is_starting();
}

static int offer_table(stint_nvtx_get_table_fn *get_table)
{
    return stint_inject_core()->attach("nvtx", &(struct stint_nvtx_offer){.get_table = get_table});
}

static int offer_module(struct stint_nvtx_module *module)
{
    return stint_inject_core()->attach("nvtx", &(struct stint_nvtx_offer){.module = module});
}

int InitializeInjectionNvtx2(stint_nvtx_get_table_fn *get_table)
{
    const struct stint_inject_core *used = stint_inject_core();
    return is_mine(used) ? 0 : stint_chain_nvtx(InitializeInjectionNvtx2, offer_table, get_table);
}

int InitializeInjectionNvtxExtension(struct stint_nvtx_module *module)
{
    const struct stint_inject_core *used = stint_inject_core();
    return is_mine(used) ? 0 : stint_chain_nvtx_extension(InitializeInjectionNvtxExtension, offer_module, module);
}

/* ----------------------------------------------------------------------------------------------------- system calls */

typedef long syscall_fn(long number, long a, long b, long c, long d, long e, long f);

static syscall_fn *s_syscall;

static syscall_fn *find_syscall(void)
{
    void *found = dlsym(RTLD_NEXT, "syscall");
    memcpy(&s_syscall, &found, sizeof s_syscall);
    return s_syscall;
}

int stint_inject_is_refused(long number)
{
    return number == SYS_unshare || number == SYS_setns;
}

long stint_inject_call_alone(long number, long a, long b)
{
    return number == SYS_unshare ? unshare((int)a) : setns((int)a, (int)b);
}

/* libstint_inject_osrt.so has another. The name is one for the compiler, since the header declares the function without
 * these arguments. */
STINT_API __attribute__((weak)) syscall_fn stint_inject_syscall __asm__("syscall");

long stint_inject_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    syscall_fn *real = STINT_I_LIKELY(s_syscall != NULL) ? s_syscall : find_syscall();
    stint_guest_filters(number, a, b, (const void *)c); // NOLINT(performance-no-int-to-ptr)
    return stint_inject_is_refused(number) ? stint_inject_call_alone(number, a, b) : real(number, a, b, c, d, e, f);
}

/* ----------------------------------------------------------------------------------------------------------- loaded */

/* If this library is preloaded and no injection variable is set, it is meant for both CUDA and NVTX. */
static void name_itself(void)
{
    static const char *const variables[] = {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"};
    const char *preloaded = stint_env_text("LD_PRELOAD");
    const char *gpu = stint_env_text("STINT_GPU");
    Dl_info info;
    if (!preloaded || (gpu && strcmp(gpu, "off") == 0) || getenv(variables[0]) || getenv(variables[1]) ||
        !dladdr((const void *)&s_core, &info) || !strstr(preloaded, "libstint_inject"))
        return;
    (void)setenv(variables[0], info.dli_fname, 0);
    (void)setenv(variables[1], info.dli_fname, 0);
}

/* Without being asked, shells are not sampled: each of the many processes that they fork would take longer, for what
 * shells do themselves, which is little. */
static int is_sampled(void)
{
    static const char *const shells[] = {"sh", "bash", "dash", "zsh", "ksh", "mksh", "fish", "busybox"};
    const char *how = stint_module_samples_wanted();
    for (size_t i = 0; how && i < sizeof shells / sizeof *shells; i++)
        if (strcmp(how, STINT_SAMPLER_ALONE) == 0 && strcmp(program_invocation_short_name, shells[i]) == 0)
            return 0;
    return how != NULL;
}

/* Runs before other constructors, which may start what is looked for here. This library may be preloaded into
 * everything that a script runs, so this must be fast. */
__attribute__((constructor(102))) static void on_load(void)
{
    stint_runtime_is_injected = 1;
    (void)find_syscall();
    (void)look_for_one();
    name_itself();
    if (is_sampled() && stint_inject_core() == &stint_i_inject)
        (void)stint_runtime_start(); /* else the program's own stint starts itself */
    stint_exec_start(report_before_exec);
}
