/* Opens recordings of all kinds, also several as one, and says what is missing in them. */
#include "cli/profile.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "ceiling/ceilings.h"
#include "cli/command.h"
#include "cli/files.h"
#include "ctf/ctf.h"
#include "import/import.h"
#include "kineto/kineto.h"
#include "report/line.h"
#include "store/sql.h"
#include "store/store.h"
#include "transform/transform.h"

/* --------------------------------------------------------------------------------------------------------- remarks */

static char s_remarks[4096]; /* lines */

/* Says it of the recording, and keeps it for what is made of it. What does not fit is said only. */
__attribute__((format(printf, 2, 3))) static void remark(const char *path, const char *format, ...)
{
    char words[512];
    size_t used = strlen(s_remarks);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    stint_cli_say("%s: %s", path, words);
    int length = snprintf(s_remarks + used, sizeof s_remarks - used, "%s: %s\n", path, words);
    if (length >= (int)(sizeof s_remarks - used))
        s_remarks[used] = '\0';
}

const char *stint_profile_remarks(void)
{
    return s_remarks;
}

/* ---------------------------------------------------------------------------------------------------- one recording */

static int read_report(struct stint_profile *profile, const char *path, const char *name)
{
    struct stint_import_error error;
    if (stint_import_file(path, &profile->snapshot, &error) == STINT_OK) {
        stint_snapshot_events_begin(&profile->own, profile->snapshot);
        profile->events = &profile->own.source;
        return 0;
    }
    return stint_file_say_wrong(path, name, &error);
}

static int read_store(struct stint_profile *profile, const char *path, const char *name)
{
    char reason[256];
    profile->store = stint_store_open(path, reason, sizeof reason);
    if (!profile->store) {
        stint_cli_say("%s: %s", name, reason);
        return -1;
    }
    profile->snapshot = stint_store_snapshot(profile->store);
    profile->events = stint_store_events(profile->store);
    return 0;
}

/* Takes what was opened, and says what is missing in it. */
static int take_foreign(struct stint_profile *profile, struct stint_foreign *foreign, const char *name,
                        const char *reason)
{
    if (!foreign) {
        stint_cli_say("%s: %s", name, reason);
        return -1;
    }
    uint64_t ambiguous = stint_foreign_ambiguous(foreign);
    if (*stint_foreign_left_out(foreign))
        remark(name, "left out: %s", stint_foreign_left_out(foreign));
    if (*stint_foreign_first_impossible(foreign))
        remark(name, "impossible values are unknown (first: %s)", stint_foreign_first_impossible(foreign));
    if (ambiguous)
        remark(name, "%" PRIu64 " %s may have been launched by several processes, and %s unattributed", ambiguous,
               ambiguous == 1 ? "activity of a device" : "activities of devices", ambiguous == 1 ? "is" : "are");
    profile->foreign = foreign;
    profile->snapshot = stint_foreign_snapshot(foreign);
    profile->events = stint_foreign_events(foreign);
    return 0;
}

static int read_foreign(struct stint_profile *profile, const char *path, const char *name)
{
    char reason[256];
    return take_foreign(profile, stint_foreign_open(path, reason, sizeof reason), name, reason);
}

/* Makes a database that has no name any more when it is written. Returns 0, or -1 after saying why not. */
static int make_nameless(struct stint_sql *sql)
{
    char path[PATH_MAX];
    int file = stint_temporary_file(path, sizeof path);
    if (file < 0) {
        stint_cli_say("cannot create a file in %s (set TMPDIR to use another folder): %s", stint_temporary_folder(),
                      strerror(errno));
        return -1;
    }
    (void)close(file);
    int failed = stint_sql_create(sql, path);
    (void)unlink(path);
    if (failed)
        stint_cli_say("%s: %s", path, sql->reason);
    return failed;
}

/* Converts a trace of torch.profiler. */
static int read_kineto(struct stint_profile *profile, const char *path, const char *name)
{
    struct stint_sql sql;
    struct stint_foreign *foreign = NULL;
    struct stint_kineto_notes notes;
    char reason[256];
    if (make_nameless(&sql))
        return -1;
    if (stint_kineto_convert(path, &sql, &notes, reason, sizeof reason))
        stint_sql_close(&sql);
    else
        foreign = stint_foreign_take(&sql, reason, sizeof reason);
    for (size_t i = 0; foreign && i < notes.count; i++)
        remark(name, "%s", notes.lines[i]);
    return take_foreign(profile, foreign, name, reason);
}

/* Says what is missing, so that nobody takes the numbers for all there was. */
static void say_state(const char *path, const struct stint_ctf *recording)
{
    struct stint_ctf_state state = stint_ctf_state(recording);
    char span[STINT_NUMBER_SIZE], later[STINT_NUMBER_SIZE];
    (void)stint_time_format(span, (double)stint_ctf_snapshot(recording)->process.wall_ns);
    (void)stint_time_format(later, (double)state.later_ns);
    if (state.later_events)
        remark(path,
               "of a program that was killed, or still runs: the report is of its first %s, and lacks %" PRIu64
               " later event%s, up to %s",
               span, state.later_events, state.later_events == 1 ? "" : "s", later);
    else if (!state.has_ended)
        remark(path, "of a program that was killed, or still runs: up to %s", span);
    else if (state.lacks_report)
        remark(path, "the report of the program's end is missing: reports are made of the events alone");
    if (state.overwritten_events)
        remark(path,
               "a ring (STINT_TRACE_RING), in which %" PRIu64
               " earlier %s overwritten, or a part (STINT_TRACE_ROTATE) behind those that have them",
               state.overwritten_events, state.overwritten_events == 1 ? "event was" : "events were");
    if (state.damaged_bytes)
        remark(path, "%" PRIu64 " %s damaged", state.damaged_bytes, state.damaged_bytes == 1 ? "byte is" : "bytes are");
    if (state.empty_files)
        remark(path, "%" PRIu64 " of its files %s empty: what was in there is missing", state.empty_files,
               state.empty_files == 1 ? "is" : "are");
    if (state.missing_events)
        remark(path, "%" PRIu64 " %s missing", state.missing_events,
               state.missing_events == 1 ? "event is" : "events are");
}

static int read_recording(struct stint_profile *profile, const char *path, const char *name, int is_known)
{
    char reason[256];
    struct stint_ctf *recording = stint_ctf_open(path, reason, sizeof reason);
    if (!recording) {
        stint_cli_say("%s: %s", name, reason);
        return -1;
    }
    if (!is_known)
        say_state(name, recording);
    profile->recording = recording;
    profile->snapshot = stint_ctf_snapshot(recording);
    profile->events = stint_ctf_events(recording);
    return 0;
}

/* ----------------------------------------------------------------------------------------------- several recordings */

struct stint_several {
    struct stint_profile *profiles; /* in the order in which they were given */
    struct stint_recorded *parts;
    size_t count;
    struct stint_combined combined;
};

static int say_no_memory(void)
{
    return stint_cli_say_no_memory("to add up the recordings");
}

static void say_alignment(const struct stint_alignment *alignment)
{
    char by[STINT_NUMBER_SIZE], within[STINT_NUMBER_SIZE];
    (void)stint_time_format(by, (double)llabs(alignment->later_ns));
    (void)stint_time_format(within, (double)alignment->within_ns);
    if (alignment->by)
        stint_cli_say("the clock of %.60s is %s by %s against that of %.60s, so that %zu %s end together, to within %s",
                      alignment->host, alignment->later_ns < 0 ? "set forward" : "set back", by, alignment->first,
                      alignment->ends, alignment->by, within);
    else
        stint_cli_say("the clocks of %.60s and %.60s are not aligned: the recordings have no MPI collectives or NCCL "
                      "kernels in common",
                      alignment->host, alignment->first);
}

static void close_several(struct stint_several *several)
{
    stint_combined_free(&several->combined);
    while (several->count)
        stint_profile_close(&several->profiles[--several->count]);
    free(several->profiles);
    free(several->parts);
    free(several);
}

static int read_any(struct stint_profile *profile, const char *path);

static int read_several(struct stint_several *several, const struct stint_place *places, size_t count)
{
    several->profiles = calloc(count, sizeof *several->profiles);
    several->parts = calloc(count, sizeof *several->parts);
    if (!several->profiles || !several->parts)
        return say_no_memory();
    for (; several->count < count; several->count++) {
        const struct stint_place *place = &places[several->count];
        struct stint_profile *profile = &several->profiles[several->count];
        if (place->is_known ? read_recording(profile, place->path, place->path, 1) : read_any(profile, place->path))
            return -1;
        several->parts[several->count] = (struct stint_recorded){profile->snapshot, profile->events};
    }
    return stint_combine(&several->combined, several->parts, count, say_alignment) ? say_no_memory() : 0;
}

int stint_profile_open_places(struct stint_profile *profile, const struct stint_place *places, size_t count)
{
    struct stint_several *several = calloc(1, sizeof *several);
    *profile = (struct stint_profile){0};
    if (!several)
        return say_no_memory();
    if (read_several(several, places, count)) {
        close_several(several);
        return -1;
    }
    profile->several = several;
    profile->snapshot = several->combined.sum;
    profile->events = &several->combined.events.source;
    return 0;
}

static int has_file(const char *folder, const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && access(path, F_OK) == 0;
}

/* Whether it has the file that each recording begins with besides its metadata. */
static int is_damaged_recording(const char *path)
{
    return has_file(path, "definitions");
}

/* Returns the recordings in the folder, in an array of struct stint_place in the arena; fewer without memory. */
static struct stint_array find_recordings(const char *folder, struct stint_arena *arena)
{
    struct stint_array found = {0};
    struct dirent **names = NULL;
    int count = scandir(folder, &names, NULL, versionsort);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        int length = snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        const char *copy = NULL;
        struct stint_place *row;
        int is_shown = names[i]->d_name[0] != '.' && length < (int)sizeof path;
        if (is_shown && stint_ctf_is(path))
            copy = stint_arena_copy(arena, path, (size_t)length);
        else if (is_shown && is_damaged_recording(path))
            remark(path, "left out: its metadata is missing or damaged");
        if (copy && (row = stint_array_add(&found, arena, sizeof *row)))
            *row = (struct stint_place){.path = copy};
        free(names[i]);
    }
    free(names);
    return found;
}

static int read_folder(struct stint_profile *profile, const char *path, const char *name)
{
    struct stint_arena arena = {0};
    struct stint_array found = find_recordings(path, &arena);
    if (!found.count && is_damaged_recording(path))
        stint_cli_say("%s: this recording cannot be read: its file metadata is %s", name,
                      has_file(path, "metadata") ? "damaged" : "missing");
    else if (!found.count)
        stint_cli_say("%s: this folder is not a recording, and contains none", name);
    int failed = found.count ? stint_profile_open_places(profile, found.items, found.count) : -1;
    stint_arena_free(&arena);
    return failed;
}

/* -------------------------------------------------------------------------------------------------------------- any */

/* A database has to have a name, since SQLite does not take a descriptor. */
static int say_no_pipe(const char *name)
{
    stint_cli_say("%s: a database cannot be read from a pipe: name the file, or redirect it, as in stint stats - <FILE",
                  name);
    return -1;
}

static int read_file(struct stint_profile *profile, const char *path, const char *name)
{
    enum stint_file_kind kind = stint_file_kind(path);
    if ((kind == STINT_FILE_STORE || kind == STINT_FILE_FOREIGN) && stint_input_is_kept(path))
        return say_no_pipe(name);
    switch (kind) {
    case STINT_FILE_RECORDING:
        return read_recording(profile, path, name, 0);
    case STINT_FILE_FOLDER:
        return read_folder(profile, path, name);
    case STINT_FILE_ARCHIVE:
        return stint_file_say_archive(name);
    case STINT_FILE_STORE:
        return read_store(profile, path, name);
    case STINT_FILE_FOREIGN:
        return read_foreign(profile, path, name);
    case STINT_FILE_KINETO:
        return read_kineto(profile, path, name);
    default:
        return read_report(profile, path, name);
    }
}

static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? STINT_STDIN_NAME : path;
}

static const char *s_name; /* of the recording that is being opened */

/* Events of a program that was killed are counted again when its recording is opened. */
static struct stint_event_source *watch(struct stint_event_source *events, uint64_t count)
{
    static struct stint_progress s_progress;
    return stint_progress_begin(&s_progress, s_name, events, count);
}

static int read_any(struct stint_profile *profile, const char *path)
{
    *profile = (struct stint_profile){0};
    const char *file = stint_input_path(path);
    s_name = name_of(path);
    stint_ctf_watch(watch);
    return file ? read_file(profile, file, name_of(path)) : -1;
}

/* Returns how many events there are; 0 if that is not known. */
static uint64_t count_events(const struct stint_profile *profile)
{
    uint64_t count = 0;
    if (profile->recording)
        return stint_ctf_state(profile->recording).events;
    for (size_t i = 0; profile->several && i < profile->several->count; i++) {
        uint64_t part = count_events(&profile->several->profiles[i]);
        if (!part)
            return 0;
        count += part;
    }
    return count;
}

static void complete(struct stint_profile *profile, const char *path)
{
    stint_cupti_cost_fill(profile->snapshot);
    if (profile->events)
        profile->events =
            stint_progress_begin(&profile->progress, name_of(path), profile->events, count_events(profile));
}

int stint_profile_open(struct stint_profile *profile, const char *path)
{
    if (read_any(profile, path))
        return -1;
    complete(profile, path);
    return 0;
}

void stint_profile_take(struct stint_profile *profile, struct stint_ctf *recording, const char *path)
{
    *profile = (struct stint_profile){
        .recording = recording,
        .snapshot = stint_ctf_snapshot(recording),
        .events = stint_ctf_events(recording),
    };
    complete(profile, path);
}

void stint_profile_close(struct stint_profile *profile)
{
    if (profile->store)
        stint_store_close(profile->store);
    else if (profile->recording)
        stint_ctf_close(profile->recording);
    else if (profile->several)
        close_several(profile->several);
    else if (profile->foreign)
        stint_foreign_close(profile->foreign);
    else
        stint_snapshot_free(profile->snapshot);
}
