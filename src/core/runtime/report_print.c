/* The public functions that print. */
#include <string.h>

#include "report/report.h"
#include "runtime/runtime.h"
#include "stint/detail/paddle.h"

enum stint_status stint_report_print(enum stint_format format)
{
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_snapshot_take(&snapshot);
    if (status)
        return status;
    status = stint_output_stderr(snapshot, format);
    if (!status)
        stint_exit_note_print(snapshot);
    stint_snapshot_free(snapshot);
    return status;
}

enum stint_status stint_report_save(enum stint_format format, const char *path)
{
    struct stint_snapshot *snapshot;
    if (!path || !*path)
        return STINT_ERROR_INVALID_ARGUMENT;
    enum stint_status status = stint_snapshot_take(&snapshot);
    if (status)
        return status;
    status = stint_output_file(snapshot, format, path);
    if (!status)
        stint_exit_note_print(snapshot);
    stint_snapshot_free(snapshot);
    return status;
}

static void write_all(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    (void)set;
    (void)name;
    stint_report_paddle(text, snapshot, NULL);
}

enum stint_status stint_print_all_status(void)
{
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_snapshot_take(&snapshot);
    if (status)
        return status;
    status = stint_report_log(write_all, snapshot, NULL, NULL);
    stint_exit_note_print(snapshot);
    stint_snapshot_free(snapshot);
    return status;
}

enum stint_status stint_statset_print(struct stint_statset *set, const char *name)
{
    struct stint_snapshot *snapshot;
    enum stint_status status = name ? stint_statset_require(set, name) : STINT_OK;
    if (!status)
        status = stint_snapshot_take(&snapshot);
    if (status)
        return status;
    status = stint_report_log(stint_report_paddle_set, snapshot, stint_statset_name(set), name);
    stint_snapshot_free(snapshot);
    return status;
}

/* Notes a full print if no other set has anything to print. */
static void note_print_of(const struct stint_snapshot *snapshot, const char *set)
{
    for (size_t i = 0; i < snapshot->stat_count; i++)
        if (strcmp(snapshot->stats[i].set, set) != 0)
            return;
    for (size_t i = 0; i < snapshot->barrier_count; i++)
        if (snapshot->barriers[i].rounds && strcmp(snapshot->barriers[i].set, set) != 0)
            return;
    stint_exit_note_print(snapshot);
}

enum stint_status stint_i_paddle_print_all(struct stint_statset *set)
{
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_snapshot_take(&snapshot);
    if (status)
        return status;
    status = stint_report_log(stint_report_paddle_one, snapshot, stint_statset_name(set), NULL);
    note_print_of(snapshot, stint_statset_name(set));
    stint_snapshot_free(snapshot);
    return status;
}
