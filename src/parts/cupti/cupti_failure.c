/* What a result of CUPTI means for the user, in a sentence that says what to do. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/cupti_library.h"

/* Returns 0 or 1, or -1 if the driver does not tell. */
static int admins_only(void)
{
    static const char key[] = "RmProfilingAdminOnly: ";
    char text[8192];
    int file = open("/proc/driver/nvidia/params", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    if (length <= 0)
        return -1;
    text[length] = '\0';
    const char *at = strstr(text, key);
    return at ? at[sizeof key - 1] != '0' : -1;
}

static void say_permission(char *reason, size_t size)
{
    static const char now[][24] = {"; its value is unknown", "; it is 0 now", "; it is 1 now"};
    (void)snprintf(
        reason, size,
        "the NVIDIA driver lets only administrators profile: run as root or with CAP_SYS_ADMIN (a container: "
        "--cap-add=SYS_ADMIN), or load its module with NVreg_RestrictProfilingToAdminUsers=0 "
        "(RmProfilingAdminOnly in /proc/driver/nvidia/params%s)",
        now[admins_only() + 1]);
}

/* CUPTI says "<not provided>" about a subscriber that gave no name. */
static void say_taken(char *reason, size_t size, const char *other)
{
    int named = other && *other && *other != '<';
    (void)snprintf(
        reason, size,
        "CUPTI is in use by another profiler or debugger%s%.100s%s: it serves only one at a time; end the other, or "
        "leave the GPU to it with STINT_GPU=off",
        named ? " (" : "", named ? other : "", named ? ")" : "");
}

/* Returns the status, and what to say; NULL: what a function above says, or CUPTI's own text. */
static enum stint_status meaning_of(int result, const char **sentence)
{
    enum stint_status status = STINT_ERROR_UNAVAILABLE;
    *sentence = NULL;
    switch (result) {
    case STINT_CUPTI_OUT_OF_MEMORY:
        *sentence = "CUPTI ran out of memory";
        status = STINT_ERROR_NO_MEMORY;
        break;
    case STINT_CUPTI_NOT_INITIALIZED:
        *sentence =
            "CUPTI finds no driver it can work with: there is no GPU, or the driver is older than CUPTI; update "
            "it, or name an older CUPTI in STINT_CUPTI_PATH";
        break;
    case STINT_CUPTI_DISABLED:
    case STINT_CUPTI_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
        status = STINT_ERROR_TAKEN;
        break;
    case STINT_CUPTI_HARDWARE_BUSY:
        *sentence = "another process is profiling this GPU (perhaps a monitor such as DCGM): pause it";
        status = STINT_ERROR_TAKEN;
        break;
    case STINT_CUPTI_INSUFFICIENT_PRIVILEGES:
        status = STINT_ERROR_PERMISSION;
        break;
    case STINT_CUPTI_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        *sentence = "the hypervisor does not let this virtual machine profile its GPU: its administrator can enable "
                    "profiling for the vGPU";
        status = STINT_ERROR_PERMISSION;
        break;
    case STINT_CUPTI_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        *sentence = "CUPTI does not support this virtual GPU";
        break;
    case STINT_CUPTI_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
        *sentence = "CUPTI does not work in confidential computing mode: switch it to its devtools mode";
        break;
    case STINT_CUPTI_CMP_DEVICE_NOT_SUPPORTED:
        *sentence = "CUPTI does not support mining processors";
        break;
    case STINT_CUPTI_MIG_DEVICE_NOT_SUPPORTED:
        *sentence = "this CUPTI does not support this MIG device: use one whose compute instance is all of its GPU "
                    "instance, a whole GPU, or a newer CUPTI (STINT_CUPTI_PATH)";
        break;
    case STINT_CUPTI_SLI_DEVICE_NOT_SUPPORTED:
        *sentence = "CUPTI does not support devices in SLI mode";
        break;
    case STINT_CUPTI_WSL_DEVICE_NOT_SUPPORTED:
        *sentence = "this CUPTI does not support devices in WSL";
        break;
    case STINT_CUPTI_NOT_SUPPORTED:
        *sentence = "CUPTI does not support this system or device";
        break;
    case STINT_CUPTI_LEGACY_PROFILER_NOT_SUPPORTED:
        *sentence = "this CUPTI does not support the device";
        break;
    default:
        status = STINT_ERROR_CUDA;
    }
    return status;
}

/* Of the driver's errors, those that lost devices have; others are told by their number. */
static void say_device(char *reason, size_t size, int result)
{
    static const struct {
        int result;
        char what[40];
    } errors[] = {{46, ", it is unavailable"},  {214, ", its memory has an uncorrectable error"},
                  {220, ", NVLink has failed"}, {700, ", an illegal access to memory"},
                  {719, ", a kernel failed"},   {999, ", as a GPU that fell off the bus does"}};
    const char *what = "";
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].result == result)
            what = errors[i].what;
    (void)snprintf(
        reason, size,
        "a GPU failed while the program ran (error %d of CUDA%s): what it did until then is kept, the rest is "
        "missing; dmesg has the driver's messages (NVRM: Xid)",
        result, what);
}

static void say_failed(char *reason, size_t size, const struct stint_cupti *cupti, int result, const char *function)
{
    const char *string = NULL;
    if (cupti->get_result_string(result, &string) || !string)
        string = "an error without a name";
    (void)snprintf(reason, size, "%s failed: %.200s (%d)", function, string, result);
}

enum stint_status stint_cupti_failure(const struct stint_cupti *cupti, int result, const char *function,
                                      const char *other, char *reason, size_t size)
{
    /* CUPTI before 11.0 returned this to a second subscriber; tools that stand in for CUPTI still do. */
    int taken = result == STINT_CUPTI_MAX_LIMIT_REACHED && strncmp(function, "cuptiSubscribe", 14) == 0;
    const char *sentence;
    if (!function) {
        say_device(reason, size, result);
        return STINT_ERROR_CUDA;
    }
    enum stint_status status =
        meaning_of(taken ? (int)STINT_CUPTI_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED : result, &sentence);
    if (sentence)
        (void)snprintf(reason, size, "%s", sentence);
    else if (status == STINT_ERROR_TAKEN)
        say_taken(reason, size, other);
    else if (status == STINT_ERROR_PERMISSION)
        say_permission(reason, size);
    else
        say_failed(reason, size, cupti, result, function);
    return status;
}
