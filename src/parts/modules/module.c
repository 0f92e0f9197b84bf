/* Finds and loads the libraries of stint that a program needs only when it asks for what they do. */
#include "modules/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/process.h"
#include "report/report.h"

static const char s_here; /* an address in the library */

/* Opens a module where it is installed: in the directory of the library or of the program that contains the library,
 * or in the directory lib beside that one. */
static void *open_in(const char *beside, const char *name)
{
    Dl_info self;
    char path[PATH_MAX];
    const char *slash = dladdr(&s_here, &self) ? strrchr(self.dli_fname, '/') : NULL;
    if (!slash || snprintf(path, sizeof path, "%.*s%s%s", (int)(slash - self.dli_fname) + 1, self.dli_fname, beside,
                           name) >= (int)sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_module(const char *name)
{
    void *module = open_in("", name);
    if (!module)
        module = open_in("../lib/", name);
    return module ? module : dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void *find(void *module, const char *function, char *reason, size_t size, const char *remedy)
{
    void *address = module ? dlsym(module, function) : NULL;
    if (address)
        return address;
    const char *error = dlerror();
    (void)snprintf(reason, size, "%s; install it beside stint's library%s", error ? error : "it cannot be loaded",
                   remedy);
    return NULL;
}

void *stint_module_find(const char *function, char *reason, size_t size)
{
    const char *named = stint_env_text("STINT_MODULE");
    return find(named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : open_module("libstint_module.so"), function, reason,
                size, ", or set STINT_MODULE to its path");
}

void *stint_module_find_sampler(const char *function, char *reason, size_t size)
{
    return find(open_module("libstint_sample.so"), function, reason, size, "");
}

const char *stint_module_samples_wanted(void)
{
    const char *how = stint_env_text("STINT_SAMPLE");
    return how && strcmp(how, "off") != 0 ? how : NULL;
}

/* Reports that libstint_module.so writes: loads it, and passes snapshots on to it. */

static stint_module_write_fn *s_write;
static char s_reason[512];

static void load(void)
{
    stint_module_reports_fn *reports;
    void *function = stint_module_find(STINT_MODULE_REPORTS, s_reason, sizeof s_reason);
    if (!function)
        return;
    memcpy(&reports, &function, sizeof reports);
    s_write = reports(STINT_MODULE_REPORTS_VERSION);
    if (!s_write)
        (void)snprintf(s_reason, sizeof s_reason,
                       "libstint_module.so is of another version; install this library's, or set STINT_MODULE to "
                       "its path");
}

static void tell(void)
{
    static int s_told;
    if (!__atomic_exchange_n(&s_told, 1, __ATOMIC_RELAXED))
        STINT_LOG(STINT_LOG_WARNING,
                  "reports that libstint_module.so writes are not available, the table is printed instead: %s",
                  s_reason);
}

int stint_report_load_others(int may_log)
{
    static pthread_once_t s_once = PTHREAD_ONCE_INIT;
    pthread_once(&s_once, load);
    if (!s_write && may_log)
        tell();
    return s_write ? 0 : -1;
}

enum stint_status stint_report_write_other(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                           const struct stint_layout *layout, stint_write_fn *write, void *context)
{
    static const struct stint_report_form table = {.report = STINT_REPORT_TABLE};
    if (stint_report_load_others(1) == 0)
        return s_write(snapshot, form, layout, write, context);
    return stint_report_form_write(snapshot, &table, layout, write, context);
}
