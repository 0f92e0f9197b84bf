/* stint doctor - checks what stint run needs; prints one line each, and what to do if something does not work. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "base/text.h"
#include "ceiling/ceilings.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/probe.h"

static const struct stint_option s_options[] = {
    {"measure", 0, NULL,
     "also measure the peak throughput of the GPU and the cost of CUPTI, and keep both for later reports", NULL,
     stint_option_flag, 0},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "+",
    .usage = "Usage: stint doctor [OPTIONS] [PROGRAM]\n"
             "\n"
             "Checks what stint run can record on this machine, and whether it can record\n"
             "PROGRAM. Prints a line for each check, and below a problem what to do. Exits\n"
             "with 0 if GPU work will be recorded, with 1 if not.\n",
    .options = s_options,
};

/* ------------------------------------------------------------------------------------------------------------ lines */

enum finding { FINE, LESS, BAD };

enum { COLUMN = 15 }; /* where texts begin */

/* Prints what was found, and below it the remedy, if there is any. */
__attribute__((format(printf, 4, 5))) static void tell(enum finding finding, const char *what, const char *remedy,
                                                       const char *format, ...)
{
    static const char *const words[] = {"ok", "--", "NO"};
    char line[8192], shown[8192];
    size_t taken, end = 0;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (const char *at = line; *at && end + STINT_ESCAPE_SIZE < sizeof shown; at += taken) {
        size_t length = stint_escape_terminal(shown + end, at, &taken);
        if (!length)
            memcpy(shown + end, at, length = taken);
        end += length;
    }
    shown[end] = '\0';
    (void)printf("%s  %-10s ", words[finding], what);
    stint_put_folded(shown, COLUMN, COLUMN);
    if (remedy && *remedy) {
        (void)printf("%*s", COLUMN, "");
        stint_put_folded(remedy, COLUMN, COLUMN);
    }
}

/* Reads the beginning of a file, NUL-terminated. Returns its length, -1 if it cannot be read. */
static ssize_t read_begin(const char *path, char *out, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t length = file < 0 ? -1 : read(file, out, size - 1);
    if (file >= 0)
        (void)close(file);
    out[length < 0 ? 0 : length] = '\0';
    return length;
}

/* ---------------------------------------------------------------------------------------------------------- program */

/* Returns whether it can be recorded. */
static int check_program(const char *name)
{
    struct stint_obstacle obstacle;
    int is_there = stint_obstacle_find(&obstacle, name) == 0;
    if (!is_there)
        tell(BAD, "program", "", "%s: %s", name, strerror(errno));
    else if (obstacle.what)
        tell(BAD, "program", obstacle.remedy, "%s %s", obstacle.path, obstacle.what);
    else
        tell(FINE, "program", obstacle.advice, "%s%s%s", obstacle.is_script ? name : obstacle.path,
             obstacle.is_script ? ", a script that is run by " : "", obstacle.is_script ? obstacle.path : "");
    return is_there && !obstacle.what;
}

static void check_samples(int can_be_recorded)
{
    if (!can_be_recorded)
        tell(LESS, "samples", "", "not taken, because the program cannot be recorded");
    else if (!stint_locate("libstint_sample.so").path[0])
        tell(LESS, "samples", "install it beside stint's library", "libstint_sample.so was not found");
    else
        tell(FINE, "samples", "",
             "stint run shows which functions use the CPU; --sample also those of processes that the program starts");
}

/* -------------------------------------------------------------------------------------------------------------- GPU */

static void check_module(void)
{
    char text[4096];
    if (read_begin("/proc/driver/nvidia/version", text, sizeof text) <= 0) {
        tell(BAD, "module", "install NVIDIA's driver; in a container, start it with access to the GPU (--gpus all)",
             "the kernel has no NVIDIA module loaded");
        return;
    }
    text[strcspn(text, "\n")] = '\0';
    const char *version = strchr(text, ':');
    version = version ? version + 1 + strspn(version + 1, " ") : text;
    if (access("/dev/nvidiactl", R_OK | W_OK))
        tell(BAD, "module", "in a container, start it with access to the GPU (--gpus all)", "/dev/nvidiactl: %s",
             strerror(errno));
    else
        tell(FINE, "module", "", "%s", version);
}

static void check_driver(const struct stint_probe *probe)
{
    if (probe->no_driver[0])
        tell(BAD, "driver", "install NVIDIA's driver, or put the folder of libcuda.so.1 into LD_LIBRARY_PATH", "%s",
             probe->no_driver);
    else if (!probe->devices)
        tell(BAD, "driver", "check CUDA_VISIBLE_DEVICES and nvidia-smi", "libcuda.so.1 finds no device");
    else
        tell(FINE, "driver", "", "CUDA %d.%d, %d device%s: %s", probe->driver_version / 1000,
             probe->driver_version % 1000 / 10, probe->devices, probe->devices == 1 ? "" : "s", probe->device);
}

static void check_cupti(const struct stint_probe *probe)
{
    if (!probe->cupti[0])
        tell(LESS, "CUPTI", "", "not opened");
    else if (probe->cupti_version)
        tell(FINE, "CUPTI", "", "version %u, %s", probe->cupti_version, probe->cupti);
    else
        tell(FINE, "CUPTI", "", "%s", probe->cupti);
}

/* Activity records need no permission; hardware counters do. */
static void check_permission(void)
{
    static const char key[] = "RmProfilingAdminOnly: ";
    char text[8192];
    const char *at = read_begin("/proc/driver/nvidia/params", text, sizeof text) > 0 ? strstr(text, key) : NULL;
    if (!at)
        return;
    if (at[sizeof key - 1] == '0' || geteuid() == 0)
        tell(FINE, "permission", "", "%s", geteuid() == 0 ? "root may profile" : "every user may profile");
    else
        tell(LESS, "permission",
             "hardware counters need root, CAP_SYS_ADMIN, or NVreg_RestrictProfilingToAdminUsers=0 for the module",
             "only administrators may profile (RmProfilingAdminOnly is 1)");
}

/* Returns whether GPU work can be recorded. */
static int check_gpu(struct stint_probe *probe, const char *library)
{
    check_module();
    int ended = stint_probe(probe, library);
    if (ended) {
        char reason[128];
        stint_trial_reason(ended, reason, sizeof reason);
        tell(BAD, "recording", "see whether other CUDA programs work; dmesg may say more", "%s", reason);
        return 0;
    }
    check_driver(probe);
    check_cupti(probe);
    check_permission();
    if (probe->library[0])
        tell(BAD, "recording", "", "libstint cannot be loaded: %s", probe->library);
    else if (probe->status)
        tell(BAD, "recording", "", "%s", probe->reason);
    else
        tell(FINE, "recording", "", "CUPTI can collect GPU work");
    return !probe->library[0] && !probe->status;
}

/* ----------------------------------------------------------------------------------------------------- surroundings */

/* Another tool's library in a variable that stint run needs. */
static void check_variable(const char *variable, const char *what, const char *library)
{
    const char *value = stint_env_text(variable);
    if (!value || strcmp(value, library) == 0)
        tell(FINE, what, "", "%s is free", variable);
    else if (access(value, R_OK))
        tell(LESS, what, "unset it", "%s names %s: %s", variable, value, strerror(errno));
    else
        tell(FINE, what, "", "%s names %s, which is called as well", variable, value);
}

static void check_tools(void)
{
    static const char *const variables[] = {"NSYS_PROFILING_SESSION_ID", "NV_NSIGHT_INJECTION_PORT_BASE",
                                            "NV_NSIGHT_INJECTION_TRANSPORT_TYPE", "NVPROF_ID"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        if (stint_env_text(variables[i])) {
            tell(BAD, "profilers", "run without it: CUPTI serves only one profiler at a time",
                 "%s is set: another profiler is active", variables[i]);
            return;
        }
    tell(FINE, "profilers", "", "no other profiler is active");
}

/* Returns its path, "" if it is not there. */
static struct stint_located check_library(void)
{
    struct stint_located inject = stint_locate_inject();
    if (!inject.path[0])
        tell(BAD, "injection", "install it, or name it in STINT_INJECT_LIBRARY",
             "libstint_inject.so was not found beside stint");
    else if (strpbrk(inject.path, " :"))
        tell(LESS, "injection", "install stint in a folder without blanks and colons", "%s cannot be preloaded",
             inject.path);
    else
        tell(FINE, "injection", "", "%s", inject.path);
    return inject;
}

static void check_clock(void)
{
    char text[64];
    if (read_begin("/sys/devices/system/clocksource/clocksource0/current_clocksource", text, sizeof text) <= 0)
        return;
    text[strcspn(text, "\n")] = '\0';
    if (strcmp(text, "tsc") == 0 || strcmp(text, "arch_sys_counter") == 0)
        tell(FINE, "clock", "", "the kernel keeps time by the processor's counter (%s)", text);
    else
        tell(LESS, "clock", "scopes cost more; booting with clocksource=tsc may help",
             "the kernel keeps time by %s, not by the processor's counter", text);
}

/* ---------------------------------------------------------------------------------------------------------- measure */

static void put_line(const struct stint_ceilings *ceilings, const char *what, enum stint_ceiling first,
                     enum stint_ceiling last, double unit, const char *unit_name)
{
    const char *before = "";
    (void)printf("ok  %-10s ", what);
    for (unsigned i = first; i <= last; i++) {
        const char *word = stint_ceiling_word((enum stint_ceiling)i);
        if (!(ceilings->per_s[i] > 0))
            continue;
        word += strncmp(word, "tensor_", 7) == 0 ? 7 : 0;
        (void)printf("%s%s %.*f", before, word, unit < 1e12 ? 0 : 1, ceilings->per_s[i] / unit);
        before = ", ";
    }
    (void)printf("%s%s\n", *before ? " " : "", *before ? unit_name : "not measured: the driver rejected the kernel");
}

/* Where there is no CUPTI, doctor has said so. */
static void add_cupti(struct stint_ceilings *ceilings, const char *cupti)
{
    struct stint_cupti_cost cost;
    char reason[128];
    if (!*cupti)
        return;
    if (stint_probe_cupti(&cost, cupti, reason, sizeof reason)) {
        (void)printf("--  %-10s its cost could not be measured: %s\n", "CUPTI", reason);
        return;
    }
    ceilings->per_s[STINT_CEILING_CUPTI_KERNELS] = 1e9 / cost.kernel_ns;
    ceilings->per_s[STINT_CEILING_CUPTI_CALLS] = 1e9 / cost.call_ns;
    (void)printf("ok  %-10s costs %.2f us per kernel, %.0f ns per other call\n", "CUPTI", cost.kernel_ns / 1e3,
                 cost.call_ns);
}

/* Measures what the first device can do at most, and what the CUPTI at that path takes, if that is not "", prints it,
 * and keeps it for later reports. Returns whether it was measured and kept. */
static int measure(const char *cupti)
{
    struct stint_ceilings ceilings = {.driver = 0};
    char reason[256], path[PATH_MAX];
    add_cupti(&ceilings, cupti);
    if (stint_ceilings_measure(&ceilings, reason, sizeof reason)) {
        (void)printf("NO  %-10s %s\n", "measuring", reason);
        return 0;
    }
    put_line(&ceilings, "memory", STINT_CEILING_COPY, STINT_CEILING_L2, 1e9, "GB/s");
    put_line(&ceilings, "computing", STINT_CEILING_FP64, STINT_CEILING_BF16, 1e12, "TFLOP/s");
    put_line(&ceilings, "tensor", STINT_CEILING_TENSOR_FP64, STINT_CEILING_TENSOR_BF16, 1e12, "TFLOP/s");
    int error = stint_ceilings_write(&ceilings);
    if (error)
        (void)printf("NO  %-10s %s\n", "kept", strerror(error));
    else if (stint_ceiling_path(path, sizeof path) == 0)
        (void)printf("ok  %-10s for %s in %s\n", "kept", ceilings.device, path);
    return !error;
}

/* ----------------------------------------------------------------------------------------------------------- doctor */

static int examine(const char *program, int measures)
{
    int ready = !program || check_program(program);
    check_samples(ready);
    struct stint_located inject = check_library(), library = stint_locate("libstint.so." STINT_CLI_SO_VERSION);
    check_variable("NVTX_INJECTION64_PATH", "NVTX", inject.path);
    check_variable("CUDA_INJECTION64_PATH", "CUDA", inject.path);
    struct stint_probe probe;
    check_tools();
    check_clock();
    ready = check_gpu(&probe, library.path) && ready && inject.path[0];
    int measured = !measures || measure(probe.cupti);
    (void)puts(ready ? "\nGPU work will be recorded." : "\nGPU work will not be recorded.");
    return ready && measured ? STINT_CLI_OK : STINT_CLI_NO;
}

int stint_cli_doctor(int count, char **arguments)
{
    int measures = 0, code = stint_options_read(count, arguments, &s_syntax, &measures);
    if (code >= 0)
        return code;
    return examine(arguments[optind], measures);
}
