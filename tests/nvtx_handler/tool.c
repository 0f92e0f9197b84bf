/* stint as an NVTX tool, in a library of its own: what NVTX passes on goes to the handler (nvtx/handler.h). What
 * reports do not show yet - values, names, errors - is written to the file that HANDLER_LOG names when the process
 * ends. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nvtx/handler.h"
#include "nvtx/payload.h"
#include "nvtx/string.h"
#include "record/registry.h"
#include "runtime/runtime.h"
#include "stint/config.h"

STINT_API int InitializeInjectionNvtx2(stint_nvtx_get_table_fn *get_table);
STINT_API int InitializeInjectionNvtxExtension(struct stint_nvtx_module *module);

/* Starting stint looks for a tool, which is this one: such a recursive call is refused. */
static _Thread_local int tl_starting;

static int start(void)
{
    if (tl_starting)
        return -1;
    tl_starting = 1;
    int failed = stint_runtime_start() != STINT_OK;
    tl_starting = 0;
    return failed ? -1 : 0;
}

int InitializeInjectionNvtx2(stint_nvtx_get_table_fn *get_table)
{
    return start() ? 0 : stint_nvtx_attach(get_table);
}

int InitializeInjectionNvtxExtension(struct stint_nvtx_module *module)
{
    return start() ? 0 : stint_nvtx_attach_extension(module);
}

/* -------------------------------------------------------------------------------------------------------------- log */

static void write_values(FILE *log)
{
    struct stint_nvtx_value row;
    int found;
    for (size_t i = 0; (found = stint_nvtx_value_at(i, &row)) >= 0; ++i)
        if (found)
            fprintf(log, "value [%s] [%s] [%s] count=%llu sum=%g min=%g max=%g\n", row.set, row.name, row.field,
                    (unsigned long long)row.count, row.sum, row.min, row.max);
}

static void write_names(FILE *log)
{
    const uint64_t self = (uint64_t)syscall(SYS_gettid);
    struct stint_nvtx_name row;
    int found;
    for (size_t i = 0; (found = stint_nvtx_name_at(i, &row)) >= 0; ++i) {
        if (!found)
            continue;
        fprintf(log, "name what=%d [%s] ", (int)row.what, row.domain);
        if (row.what == STINT_NVTX_THREAD && row.handle == self)
            fprintf(log, "self");
        else
            fprintf(log, "%llu", (unsigned long long)row.handle);
        fprintf(log, " [%s]\n", row.name);
    }
}

__attribute__((destructor)) static void write_log(void)
{
    const char *path = getenv("HANDLER_LOG");
    FILE *log = path ? fopen(path, "w") : NULL;
    const struct stint_nvtx_info info = stint_nvtx_info();
    if (!log)
        return;
    write_values(log);
    write_names(log);
    fprintf(log, "info images=%llu open=%llu rest=%llu missing=%llu deferred=%llu unknown=%llu mismatched=%llu\n",
            (unsigned long long)info.images, (unsigned long long)info.open, (unsigned long long)info.rest,
            (unsigned long long)info.missing, (unsigned long long)stint_dropped.nvtx_events,
            (unsigned long long)stint_dropped.nvtx_unknown, (unsigned long long)stint_dropped.mismatched);
    fclose(log);
}
