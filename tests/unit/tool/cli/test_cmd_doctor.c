/* What can be recorded here. */
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "captured_output.h"
#include "cli/probe.h"
#include "stint_test.h"

TEST(mistakes_in_options_are_told)
{
    static const struct captured_case cases[] = {
        {"doctor --help", 0, "Usage: stint doctor", ""},
        {"doctor --mesure", 2, "", "did you mean --measure?"},
    };
    CAPTURED_CHECK(stint_cli_doctor, cases);
}

TEST(a_program_is_looked_at)
{
    static const struct captured_case cases[] = {
        {"doctor no-such-program-anywhere", 1, "NO  program    no-such-program-anywhere: No such file", ""},
        {"doctor sh", 1, "ok  program    /", ""},
    };
    CAPTURED_CHECK(stint_cli_doctor, cases);
}

/* --------------------------------------------------------------------------------------------------- other machines */

/* The machine, if there is one; otherwise this one. */
static struct machine {
    const char *version, *params, *clock; /* what is in files of the kernel; NULL: there is no such file */
    int refuses;                          /* who may use the device */
    uid_t user;
    int ended; /* how the trial did */
    const char *inject;
    struct stint_probe probe;
} * s_machine;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);
uid_t __real_geteuid(void);
uid_t __wrap_geteuid(void);
int __real_stint_probe(struct stint_probe *probe, const char *library);
int __wrap_stint_probe(struct stint_probe *probe, const char *library);
struct stint_located __real_stint_locate_inject(void);
struct stint_located __wrap_stint_locate_inject(void);

static int file_of(const char *text)
{
    int file = text ? memfd_create("text", 0) : -1;
    errno = ENOENT;
    if (file >= 0 && (write(file, text, strlen(text)) < 0 || lseek(file, 0, SEEK_SET)))
        abort();
    return file;
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (s_machine && strcmp(path, "/proc/driver/nvidia/version") == 0)
        return file_of(s_machine->version);
    if (s_machine && strcmp(path, "/proc/driver/nvidia/params") == 0)
        return file_of(s_machine->params);
    if (s_machine && strstr(path, "current_clocksource"))
        return file_of(s_machine->clock);
    return __real_open(path, flags, mode);
}

int __wrap_access(const char *path, int mode)
{
    if (!s_machine || strcmp(path, "/dev/nvidiactl") != 0)
        return __real_access(path, mode);
    errno = EACCES;
    return s_machine->refuses ? -1 : 0;
}

uid_t __wrap_geteuid(void)
{
    return s_machine ? s_machine->user : __real_geteuid();
}

int __wrap_stint_probe(struct stint_probe *probe, const char *library)
{
    if (!s_machine)
        return __real_stint_probe(probe, library);
    *probe = s_machine->probe;
    return s_machine->ended;
}

struct stint_located __wrap_stint_locate_inject(void)
{
    struct stint_located located;
    if (!s_machine)
        return __real_stint_locate_inject();
    (void)snprintf(located.path, sizeof located.path, "%s", s_machine->inject);
    return located;
}

/* What is told of that machine, which is as good as it can be but for this. */
static int examine(struct machine *machine)
{
    s_machine = machine;
    int code = captured_call(stint_cli_doctor, "doctor");
    s_machine = NULL;
    return code;
}

static struct machine good(void)
{
    return (struct machine){.version = "NVRM version:  NVIDIA UNIX 580.1\nGCC version: 12\n",
                            .params = "EnableMSI: 1\nRmProfilingAdminOnly: 0\n",
                            .clock = "tsc\n",
                            .user = 1000,
                            .inject = "/lib/libstint_inject.so",
                            .probe = {.driver_version = 13010,
                                      .devices = 2,
                                      .device = "GPU X",
                                      .cupti = "/lib/libcupti.so.13",
                                      .cupti_version = 28}};
}

#define TOLD(text) assert_non_null(strstr(captured_output.out, text))

TEST(a_machine_where_all_is_well_has_no_remedies)
{
    struct machine machine = good();
    assert_int_equal(examine(&machine), STINT_CLI_OK);
    TOLD("ok  module     NVIDIA UNIX 580.1\n");
    TOLD("ok  driver     CUDA 13.1, 2 devices: GPU X\n");
    TOLD("ok  CUPTI      version 28, /lib/libcupti.so.13\n");
    TOLD("ok  permission every user may profile\n");
    TOLD("ok  recording  CUPTI can collect GPU work\n");
    TOLD("ok  clock      the kernel keeps time by the processor's counter (tsc)\n");
    TOLD("\nGPU work will be recorded.\n");
    assert_null(strstr(captured_output.out, "NO  "));
}

TEST(each_thing_that_is_wrong_is_told)
{
    struct machine machine = good();
    machine.version = "unknown";
    machine.refuses = 1;
    machine.params = "RmProfilingAdminOnly: 1\n";
    machine.clock = "hpet\n";
    machine.probe.cupti_version = 0;
    machine.probe.devices = 1;
    assert_int_equal(examine(&machine), STINT_CLI_OK);
    TOLD("NO  module     /dev/nvidiactl: Permission denied\n");
    TOLD("--  permission only administrators may profile (RmProfilingAdminOnly is 1)\n");
    TOLD("--  clock      the kernel keeps time by hpet, not by the processor's counter\n");
    TOLD("ok  CUPTI      /lib/libcupti.so.13\n");
    TOLD(", 1 device: GPU X\n");
    machine.refuses = 0;
    machine.user = 0;
    machine.clock = NULL;
    assert_int_equal(examine(&machine), STINT_CLI_OK);
    TOLD("ok  module     unknown\n");
    TOLD("ok  permission root may profile\n");
    assert_null(strstr(captured_output.out, "clock"));
    machine.params = NULL;
    machine.clock = "arch_sys_counter\n";
    assert_int_equal(examine(&machine), STINT_CLI_OK);
    TOLD("(arch_sys_counter)\n");
    assert_null(strstr(captured_output.out, "permission"));
}

TEST(what_keeps_stint_from_recording_has_an_exit_code)
{
    struct machine machine = good();
    machine.probe.devices = 0;
    machine.probe.status = STINT_ERROR_UNAVAILABLE;
    (void)strcpy(machine.probe.reason, "CUPTI is in use");
    assert_int_equal(examine(&machine), STINT_CLI_NO);
    TOLD("NO  driver     libcuda.so.1 finds no device\n");
    TOLD("NO  recording  CUPTI is in use\n");
    TOLD("\nGPU work will not be recorded.\n");
    machine = good();
    machine.ended = 11;
    assert_int_equal(examine(&machine), STINT_CLI_NO);
    TOLD("Segmentation fault\n");
    assert_null(strstr(captured_output.out, "driver"));
    machine = good();
    (void)strcpy(machine.probe.library, "libstint.so: too old");
    assert_int_equal(examine(&machine), STINT_CLI_NO);
    TOLD("NO  recording  libstint cannot be loaded: libstint.so: too old\n");
    machine = good();
    machine.inject = "/my libs/libstint_inject.so";
    assert_int_equal(examine(&machine), STINT_CLI_OK);
    TOLD("--  injection  /my libs/libstint_inject.so cannot be preloaded\n");
}
