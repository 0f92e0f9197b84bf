/* Writes a database with the names of sampled functions, which are looked up here. */
#include "cli/named_store.h"

#include "cli/command.h"
#include "cpu/cpu_profile.h"
#include "store/write_store.h"

int stint_named_store_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                            int quiet, char *reason, size_t size)
{
    struct stint_symbols *symbols = stint_symbols_begin();
    struct stint_function_names names = stint_cpu_names(symbols);
    int failed = stint_store_write(path, snapshot, events, &names, reason, size);
    if (symbols && !quiet && *stint_symbols_remark(symbols))
        stint_cli_say("%s", stint_symbols_remark(symbols));
    stint_symbols_end(symbols);
    return failed;
}
