/* Finds the CUPTI that suits the program: the one it has loaded, else one beside its CUDA runtime, in a toolkit or a
 * Python package, of the version that fits the driver. Whatever fails becomes a sentence that tells the user what to
 * do. */
#include "model/cupti_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/process.h"

/* Receives a sentence for the user. */
struct reason {
    char *text;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static void say(struct reason reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason.text, reason.size, format, arguments);
    va_end(arguments);
}

/* ------------------------------------------------------------------------------------------------------ other tools */

/* Variables that profilers set in the environment of the programs they run. A program that subscribes to CUPTI beside
 * them fails, or makes them fail. */
static const struct {
    char variable[36]; /* here and below no pointers, each of which would cost a relocation */
    char tool[16];
} s_tools[] = {
    {"NSYS_PROFILING_SESSION_ID", "Nsight Systems"},
    {"NV_NSIGHT_INJECTION_PORT_BASE", "Nsight Compute"},
    {"NV_NSIGHT_INJECTION_TRANSPORT_TYPE", "Nsight Compute"},
    {"NVPROF_ID", "nvprof"},
};

static const char *tool_around(void)
{
    for (size_t i = 0; i < sizeof s_tools / sizeof s_tools[0]; i++)
        if (stint_env_text(s_tools[i].variable))
            return s_tools[i].tool;
    return NULL;
}

/* -------------------------------------------------------------------------------------------------------- functions */

static const struct {
    char name[44];
    uint16_t at; /* of the pointer, in struct stint_cupti */
    uint8_t optional;
} s_functions[] = {
    {"cuptiSubscribe", offsetof(struct stint_cupti, subscribe), 0},
    {"cuptiSubscribe_v2", offsetof(struct stint_cupti, subscribe_v2), 1},
    {"cuptiUnsubscribe", offsetof(struct stint_cupti, unsubscribe), 0},
    {"cuptiEnableCallback", offsetof(struct stint_cupti, enable_callback), 0},
    {"cuptiEnableDomain", offsetof(struct stint_cupti, enable_domain), 0},
    {"cuptiActivityEnable", offsetof(struct stint_cupti, activity_enable), 0},
    {"cuptiActivityDisable", offsetof(struct stint_cupti, activity_disable), 0},
    {"cuptiActivityRegisterCallbacks", offsetof(struct stint_cupti, activity_register_callbacks), 0},
    {"cuptiActivityFlushAll", offsetof(struct stint_cupti, activity_flush_all), 0},
    {"cuptiActivityFlushPeriod", offsetof(struct stint_cupti, activity_flush_period), 1},
    {"cuptiActivityGetNextRecord", offsetof(struct stint_cupti, activity_get_next_record), 0},
    {"cuptiActivityGetNumDroppedRecords", offsetof(struct stint_cupti, activity_get_num_dropped_records), 0},
    {"cuptiActivitySetAttribute", offsetof(struct stint_cupti, activity_set_attribute), 0},
    {"cuptiActivityConfigureUnifiedMemoryCounter",
     offsetof(struct stint_cupti, activity_configure_unified_memory_counter), 0},
    {"cuptiGetTimestamp", offsetof(struct stint_cupti, get_timestamp), 0},
    {"cuptiGetStreamIdEx", offsetof(struct stint_cupti, get_stream_id), 1},
    {"cuptiGetGraphNodeId", offsetof(struct stint_cupti, get_graph_node_id), 1},
    {"cuptiGetVersion", offsetof(struct stint_cupti, get_version), 0},
    {"cuptiGetResultString", offsetof(struct stint_cupti, get_result_string), 0},
    {"cuptiGetCallbackName", offsetof(struct stint_cupti, get_callback_name), 0},
};

/* In 13.2 cuptiSubscribe_v2 joined a generation of functions that must not be combined with those listed above. */
enum { FIRST_OF_SECOND_GENERATION = 130200 };

/* Returns NULL, or the name of a function that the library lacks. */
static const char *look_up(struct stint_cupti *cupti)
{
    for (size_t i = 0; i < sizeof s_functions / sizeof s_functions[0]; i++) {
        void *found = dlsym(cupti->library, s_functions[i].name);
        if (!found && !s_functions[i].optional)
            return s_functions[i].name;
        memcpy((char *)cupti + s_functions[i].at, &found, sizeof found);
    }
    return NULL;
}

static void name_of(void *library, char *out, size_t size, const char *otherwise)
{
    struct link_map *map = NULL;
    snprintf(out, size, "%s", dlinfo(library, RTLD_DI_LINKMAP, &map) || !map->l_name[0] ? otherwise : map->l_name);
}

/* Returns 0, or -1 with the reason. */
static int use(struct stint_cupti *cupti, void *library, const char *file, struct reason reason)
{
    char name[PATH_MAX];
    *cupti = (struct stint_cupti){.library = library};
    name_of(library, name, sizeof name, file);
    const char *missing = look_up(cupti);
    if (missing)
        say(reason, "%.300s has no function %s: it is not a CUPTI that stint can use; name another in STINT_CUPTI_PATH",
            name, missing);
    else if (cupti->get_version(&cupti->version) || cupti->version < STINT_CUPTI_OLDEST_VERSION)
        say(reason, "%.300s is too old (version %u): stint needs CUPTI 11.0 or later; name one in STINT_CUPTI_PATH",
            name, (unsigned)cupti->version);
    else {
        if (cupti->version >= FIRST_OF_SECOND_GENERATION)
            cupti->subscribe_v2 = NULL;
        return 0;
    }
    return -1;
}

/* -------------------------------------------------------------------------------------------------- what is loaded */

struct loaded {
    const char *begins;
    const char *file; /* within the path: the file's name */
    char path[PATH_MAX];
};

static int see(struct dl_phdr_info *info, size_t size, void *context)
{
    struct loaded *loaded = context;
    (void)size;
    snprintf(loaded->path, sizeof loaded->path, "%s", info->dlpi_name);
    const char *slash = strrchr(loaded->path, '/');
    loaded->file = slash ? slash + 1 : loaded->path;
    return strncmp(loaded->file, loaded->begins, strlen(loaded->begins)) == 0;
}

/* Finds a library that the program has loaded, from any folder. Returns whether there is one. */
static int find_loaded(struct loaded *loaded, const char *begins)
{
    loaded->begins = begins;
    return dl_iterate_phdr(see, loaded);
}

/* ----------------------------------------------------------------------------------------------------------- places */

/* CUDA's major versions whose CUPTI is looked for. ANY: any version, as development packages name it. */
enum { ANY = -1, MINOR_OF_11 = 8 };

static const signed char s_majors[] = {13, 12, 11, ANY};

/* Writes the name of CUPTI's file in the folder. Only those of CUDA 11 have a minor version in their names. Returns the
 * length. */
static int name_file(char *out, size_t size, const char *folder, int major, int minor)
{
    const char *slash = *folder ? "/" : "";
    if (major == ANY)
        return snprintf(out, size, "%s%slibcupti.so", folder, slash);
    if (major == 11)
        return snprintf(out, size, "%s%slibcupti.so.11.%d", folder, slash, minor);
    return snprintf(out, size, "%s%slibcupti.so.%d", folder, slash, major);
}

/* Where a toolkit has its libraries; the last three if it serves several architectures. */
static const char s_in_toolkit[][32] = {
    "extras/CUPTI/lib64",        "lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
    "targets/aarch64-linux/lib",
};

/* Folders relative to that of the CUDA runtime: the same folder, its toolkit, and the neighboring Python package. */
static const char s_from_runtime[][32] = {".", "../extras/CUPTI/lib64", "../../cuda_cupti/lib"};

struct search {
    struct stint_cupti *cupti;
    int major;
    char runtime[PATH_MAX]; /* the folder of the loaded CUDA runtime; "": none */
    struct reason reason;
    int found_bad; /* a file was opened that cannot be used; the reason is about the first such file */
};

static int try_file(struct search *search, const char *file)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    char other[STINT_REASON_SIZE];
    struct reason reason = search->reason;
    if (!library)
        return -1;
    if (search->found_bad)
        reason = (struct reason){other, sizeof other};
    if (!use(search->cupti, library, file, reason))
        return 0;
    search->found_bad = 1;
    return -1;
}

/* "" stands for the places where the dynamic linker looks. */
static int try_folder(struct search *search, const char *folder)
{
    char file[PATH_MAX];
    for (int minor = search->major == 11 ? MINOR_OF_11 : 0; minor >= 0; minor--)
        if (name_file(file, sizeof file, folder, search->major, minor) < (int)sizeof file && !try_file(search, file))
            return 0;
    return -1;
}

static int try_below(struct search *search, const char *folder, const char (*places)[32], size_t count)
{
    char place[PATH_MAX];
    if (!folder || !*folder)
        return -1;
    for (size_t i = 0; i < count; i++) {
        int length = snprintf(place, sizeof place, "%s/%s", folder, places[i]);
        if (length < (int)sizeof place && !try_folder(search, place))
            return 0;
    }
    return -1;
}

static int try_toolkit(struct search *search, const char *folder)
{
    return try_below(search, folder, s_in_toolkit, sizeof s_in_toolkit / sizeof s_in_toolkit[0]);
}

static int try_everywhere(struct search *search)
{
    char toolkit[32] = "";
    if (search->major != ANY)
        (void)snprintf(toolkit, sizeof toolkit, "/usr/local/cuda-%d", search->major);
    return try_below(search, search->runtime, s_from_runtime, sizeof s_from_runtime / sizeof s_from_runtime[0]) &&
                   try_folder(search, "") && try_toolkit(search, stint_env_text("CUDA_HOME")) &&
                   try_toolkit(search, stint_env_text("CUDA_PATH")) && try_toolkit(search, "/usr/local/cuda") &&
                   try_toolkit(search, toolkit)
               ? -1
               : 0;
}

/* Tries `preferred`, if there is such a version, then the others, newest first. */
static int try_versions(struct search *search, int (*in)(struct search *search), int preferred)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < sizeof s_majors / sizeof s_majors[0]; i++) {
            search->major = s_majors[i];
            if ((s_majors[i] == preferred) == !pass && !in(search))
                return 0;
        }
    return -1;
}

/* ----------------------------------------------------------------------------------------------------------- search */

/* The version that suits the program: that of its CUDA runtime, or the newest that the driver supports, since a CUPTI
 * newer than the driver does not work. 0 if neither is known. */
static int fitting_version(struct search *search, void *driver)
{
    static const char runtime[] = "libcudart.so.";
    int (*driver_version)(int *version);
    void *found = dlsym(driver, "cuDriverGetVersion");
    struct loaded loaded;
    int version = 0;
    if (find_loaded(&loaded, runtime)) {
        snprintf(search->runtime, sizeof search->runtime, "%.*s", (int)(loaded.file - loaded.path), loaded.path);
        return atoi(loaded.file + sizeof runtime - 1);
    }
    memcpy(&driver_version, &found, sizeof found);
    return found && !driver_version(&version) ? version / 1000 : 0;
}

/* Tries what STINT_CUPTI_PATH names, and nothing else. */
static int try_named_folder(struct search *search)
{
    return try_folder(search, stint_env_text("STINT_CUPTI_PATH"));
}

static int open_named(struct search *search, const char *path, int preferred)
{
    char why[STINT_REASON_SIZE / 2] = "";
    if (!try_file(search, path))
        return 0;
    const char *error = dlerror();
    if (error)
        snprintf(why, sizeof why, "%s", error);
    if (!search->found_bad && !try_versions(search, try_named_folder, preferred))
        return 0;
    if (!search->found_bad)
        say(search->reason, "STINT_CUPTI_PATH=%.200s is neither CUPTI's library nor a folder that has it: %s", path,
            why);
    return -1;
}

/* Tries the CUPTI that the program has loaded, and nothing else: two in one process disturb each other. */
static int open_loaded(struct search *search)
{
    struct loaded loaded;
    return find_loaded(&loaded, "libcupti.so") ? try_file(search, loaded.path) : -1;
}

static int open_found(struct search *search, int preferred)
{
    if (!open_loaded(search))
        return 0;
    if (!search->found_bad && !try_versions(search, try_everywhere, preferred))
        return 0;
    if (!search->found_bad)
        say(search->reason, "CUPTI was not found: install the CUDA toolkit's libcupti, or name it, or its folder, in "
                            "STINT_CUPTI_PATH");
    return -1;
}

/* CUDA uses the devices that are listed before the first invalid one. The driver is not asked, because that would
 * initialize it, which must not happen in a process that forks before its children use CUDA. */
static int hides_devices(const char *visible)
{
    return visible && (!*visible || *visible == '-');
}

static enum stint_status open_cupti(struct stint_cupti *cupti, char *reason, size_t size)
{
    struct search search = {.cupti = cupti, .reason = {reason, size}};
    const char *tool = tool_around();
    const char *path = stint_env_text("STINT_CUPTI_PATH");
    if (tool) {
        say(search.reason, "%s runs this program and uses CUPTI: run the program without it, or use its report", tool);
        return STINT_ERROR_TAKEN;
    }
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver) {
        say(search.reason, "there is no NVIDIA driver: %s", dlerror());
        return STINT_ERROR_UNAVAILABLE;
    }
    if (hides_devices(getenv("CUDA_VISIBLE_DEVICES"))) {
        say(search.reason, "there is no GPU: CUDA_VISIBLE_DEVICES hides them all; unset it, or name one");
        return STINT_ERROR_UNAVAILABLE;
    }
    int preferred = fitting_version(&search, driver);
    if (path ? open_named(&search, path, preferred) : open_found(&search, preferred))
        return STINT_ERROR_UNAVAILABLE;
    return STINT_OK;
}

const struct stint_cupti_finder stint_cupti_finder = {open_cupti, stint_cupti_failure};
