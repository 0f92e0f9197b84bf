/* The public functions that print. */
#include "base/log.h"
#include "record/registry.h"
#include "report/report.h"
#include "runtime/exit.h"
#include "runtime/lines.h"
#include "runtime/output.h"
#include "runtime/start.h"

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
    enum stint_status status;

    if (!path || !*path)
        return STINT_ERROR_INVALID_ARGUMENT;
    status = stint_snapshot_take(&snapshot);
    if (status)
        return status;
    status = stint_output_file(snapshot, format, path);
    if (!status)
        stint_exit_note_print(snapshot);
    stint_snapshot_free(snapshot);
    return status;
}

/* Sends what `write` writes to the log, line by line. */
static enum stint_status log_lines(void (*write)(struct stint_text *text, const struct stint_snapshot *snapshot,
                                                 const char *set, const char *name),
                                   const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    struct stint_liner liner = {{0}, NULL, 0, 0};
    struct stint_text text;
    enum stint_status status;

    stint_text_begin(&text, stint_liner_write, &liner);
    write(&text, snapshot, set, name);
    status = stint_text_end(&text);
    stint_arena_free(&liner.arena);
    return status ? STINT_ERROR_NO_MEMORY : STINT_OK;
}

static void write_all(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    (void)set;
    (void)name;
    stint_report_paddle(text, snapshot);
}

enum stint_status stint_print_all_status(void)
{
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_snapshot_take(&snapshot);

    if (status)
        return status;
    status = log_lines(write_all, snapshot, NULL, NULL);
    stint_exit_note_print(snapshot);
    stint_snapshot_free(snapshot);
    return status;
}

static int is_known(struct stint_statset *set, const char *name)
{
    const struct stint_name key = stint_registry_name(set, name);
    int known;

    stint_registry_lock();
    known = stint_registry_find(&key) != 0;
    stint_registry_unlock();
    return known;
}

enum stint_status stint_statset_print(struct stint_statset *set, const char *name)
{
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_snapshot_take(&snapshot);

    if (status)
        return status;
    if (name && !is_known(set, name)) {
        STINT_LOG(STINT_LOG_ERROR, "%s is not registed in %s", name, stint_statset_name(set));
        status = STINT_ERROR_NOT_FOUND;
    } else {
        status = log_lines(stint_report_paddle_set, snapshot, stint_statset_name(set), name);
    }
    stint_snapshot_free(snapshot);
    return status;
}
