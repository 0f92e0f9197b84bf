/* Finds out what kind of recording a file is, and opens it. */
#include "cli/file_kind.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "ceiling/ceilings.h"
#include "cli/combined.h"
#include "cli/command.h"
#include "cli/files.h"
#include "ctf/ctf.h"
#include "import/read_json.h"
#include "kineto/kineto.h"
#include "report/units.h"
#include "store/foreign.h"
#include "store/sql.h"
#include "store/store.h"

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

/* ------------------------------------------------------------------------------------------------------------ kinds */

#define STDIN_NAME "standard input"

/* Whether a regular file has these bytes there. */
static int has_bytes(const char *path, off_t at, const char *bytes, size_t size)
{
    char found[16];
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return 0;
    ssize_t length = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? pread(file, found, size, at) : 0;
    (void)close(file);
    return length == (ssize_t)size && memcmp(found, bytes, size) == 0;
}

static int is_database(const char *path)
{
    static const char magic[] = "SQLite format 3";
    return has_bytes(path, 0, magic, sizeof magic);
}

static int is_archive(const char *path)
{
    enum { MAGIC_AT = 257 };
    return has_bytes(path, MAGIC_AT, "ustar", 5);
}

static int say_archive(const char *name)
{
    stint_cli_say("%s is an archive of tar: unpack it (tar xf %s), and name the recording that was in it", name,
                  strcmp(name, STDIN_NAME) ? name : "-");
    return -1;
}

/* Nsight Systems' own format, which only Nsight Systems can read. */
static int is_of_nsys(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".nsys-rep") == 0 || strcmp(dot, ".qdrep") == 0);
}

/* Names compression by how a file begins; NULL: none. */
static const char *compression_of(const char *path)
{
    static const struct {
        const char *bytes, *command;
    } kinds[] = {
        {"\x1f\x8b", "gzip -dc"}, {"\x28\xb5\x2f\xfd", "zstd -dc"}, {"\xfd\x37zXZ", "xz -dc"}, {"BZh", "bzip2 -dc"}};
    char head[8] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return NULL;
    ssize_t length = pread(file, head, sizeof head - 1, 0);
    (void)close(file);
    for (size_t i = 0; length > 0 && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(head, kinds[i].bytes, strlen(kinds[i].bytes)) == 0)
            return kinds[i].command;
    return NULL;
}

static int is_empty(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

static int say_what_is_wrong(const char *path, const char *name, const struct stint_import_error *error)
{
    const char *unpack = error->line ? compression_of(path) : NULL;
    if (unpack && (strstr(name, ".tar.") || strstr(name, ".tgz")))
        return say_archive(name);
    if (unpack)
        stint_cli_say("%s is compressed: %s %s | stint stats -", name, unpack,
                      strcmp(name, STDIN_NAME) ? name : "FILE");
    else if (is_empty(path))
        stint_cli_say("%s is empty", name);
    else if (error->line && is_of_nsys(path))
        stint_cli_say("%s cannot be read itself, but its export can: nsys export --type sqlite %s", path, path);
    else if (error->line)
        stint_cli_say("%s, line %zu: %s", name, error->line, error->reason);
    else
        stint_cli_say("%s: %s", name, error->reason);
    return -1;
}

static int read_report(struct stint_profile *profile, const char *path, const char *name)
{
    struct stint_import_error error;
    if (stint_import_file(path, &profile->snapshot, &error) == STINT_OK) {
        stint_snapshot_events_begin(&profile->own, profile->snapshot);
        profile->events = &profile->own.source;
        return 0;
    }
    return say_what_is_wrong(path, name, &error);
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

static int read_foreign(struct stint_profile *profile, const char *path, const char *name)
{
    char reason[256];
    profile->foreign = stint_foreign_open(path, reason, sizeof reason);
    if (!profile->foreign) {
        stint_cli_say("%s: %s", name, reason);
        return -1;
    }
    profile->snapshot = stint_foreign_snapshot(profile->foreign);
    profile->events = stint_foreign_events(profile->foreign);
    return 0;
}

/* Makes a database that has no name any more when it is written. Returns 0, or -1 after saying why not. */
static int make_nameless(struct stint_sql *sql)
{
    char path[PATH_MAX];
    int file = stint_temporary_file(path, sizeof path);
    if (file < 0) {
        stint_cli_say("no file can be made in %s (TMPDIR names another folder): %s", stint_temporary_folder(),
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
    struct stint_kineto_notes notes;
    char reason[256];
    if (make_nameless(&sql))
        return -1;
    if (stint_kineto_convert(path, &sql, &notes, reason, sizeof reason))
        stint_sql_close(&sql);
    else
        profile->foreign = stint_foreign_take(&sql, reason, sizeof reason);
    if (!profile->foreign) {
        stint_cli_say("%s: %s", name, reason);
        return -1;
    }
    if (*notes.cut)
        remark(name, "read up to %s", notes.cut);
    if (*notes.left_out)
        remark(name, "left out: %s", notes.left_out);
    profile->snapshot = stint_foreign_snapshot(profile->foreign);
    profile->events = stint_foreign_events(profile->foreign);
    return 0;
}

/* Says what is missing, so that nobody takes the numbers for all there was. */
static void say_state(const char *path, const struct stint_ctf *recording)
{
    struct stint_ctf_state state = stint_ctf_state(recording);
    char span[STINT_NUMBER_SIZE];
    (void)stint_time_format(span, (double)stint_ctf_snapshot(recording)->process.wall_ns);
    if (!state.has_ended)
        remark(path, "of a program that was killed, or still runs: up to %s", span);
    if (state.overwritten_events)
        remark(path, "a ring (STINT_TRACE_RING), in which %" PRIu64 " earlier events were overwritten",
               state.overwritten_events);
    if (state.damaged_bytes)
        remark(path, "%" PRIu64 " bytes are damaged", state.damaged_bytes);
    if (state.empty_files)
        remark(path, "%" PRIu64 " of its files %s empty: what was in there is missing", state.empty_files,
               state.empty_files == 1 ? "is" : "are");
    if (state.missing_events)
        remark(path, "%" PRIu64 " events are missing", state.missing_events);
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

static int is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Opens recordings, of which there is at least one, as one. */
static int read_places(struct stint_profile *profile, const struct stint_place *places, size_t count)
{
    profile->combined = stint_combined_open(places, count);
    if (!profile->combined)
        return -1;
    profile->snapshot = profile->combined->sum;
    profile->events = &profile->combined->events.source;
    return 0;
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
        if (names[i]->d_name[0] != '.' && length < (int)sizeof path && stint_ctf_is(path))
            copy = stint_arena_copy(arena, path, (size_t)length);
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
    if (!found.count)
        stint_cli_say("%s: this folder is no recording, and has none", name);
    int failed = found.count ? read_places(profile, found.items, found.count) : -1;
    stint_arena_free(&arena);
    return failed;
}

/* -------------------------------------------------------------------------------------------------------------- any */

/* A database has to have a name, since SQLite does not take a descriptor. */
static int read_database(struct stint_profile *profile, const char *path, const char *name)
{
    if (path != name && stint_standard_input_is_pipe()) {
        stint_cli_say("%s: a database cannot come through a pipe: name it, or redirect it, as in stint stats - <FILE",
                      name);
        return -1;
    }
    return stint_store_is(path) ? read_store(profile, path, name) : read_foreign(profile, path, name);
}

static int read_any(struct stint_profile *profile, const char *path, const char *name)
{
    if (stint_ctf_is(path))
        return read_recording(profile, path, name, 0);
    if (is_folder(path))
        return read_folder(profile, path, name);
    if (is_archive(path))
        return say_archive(name);
    if (is_database(path))
        return read_database(profile, path, name);
    if (stint_kineto_is(path))
        return read_kineto(profile, path, name);
    return read_report(profile, path, name);
}

/* ------------------------------------------------------------------------------------------------------------- open */

static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? STDIN_NAME : path;
}

static const char *s_name; /* of the recording that is being opened */

/* Events of a program that was killed are counted again when its recording is opened. */
static struct stint_event_source *watch(struct stint_event_source *events, uint64_t count)
{
    static struct stint_progress s_progress;
    return stint_progress_begin(&s_progress, s_name, events, count);
}

static int open_path(struct stint_profile *profile, const char *path)
{
    *profile = (struct stint_profile){0};
    const char *file = strcmp(path, "-") == 0 ? stint_standard_input() : path;
    s_name = name_of(path);
    stint_ctf_watch(watch);
    return file ? read_any(profile, file, name_of(path)) : -1;
}

/* Returns how many events there are; 0 if that is not known. */
static uint64_t count_events(const struct stint_profile *profile)
{
    uint64_t count = 0;
    if (profile->recording)
        return stint_ctf_state(profile->recording).events;
    for (size_t i = 0; profile->combined && i < profile->combined->count; i++) {
        uint64_t part = count_events(&profile->combined->profiles[i]);
        if (!part)
            return 0;
        count += part;
    }
    return count;
}

int stint_profile_open(struct stint_profile *profile, const char *path)
{
    if (open_path(profile, path))
        return -1;
    stint_cupti_cost_fill(profile->snapshot);
    if (profile->events)
        profile->events =
            stint_progress_begin(&profile->progress, name_of(path), profile->events, count_events(profile));
    return 0;
}

int stint_profile_open_place(struct stint_profile *profile, const struct stint_place *place)
{
    return place->is_known ? read_recording(profile, place->path, place->path, 1) : open_path(profile, place->path);
}

void stint_profile_close(struct stint_profile *profile)
{
    if (profile->store)
        stint_store_close(profile->store);
    else if (profile->recording)
        stint_ctf_close(profile->recording);
    else if (profile->combined)
        stint_combined_close(profile->combined);
    else if (profile->foreign)
        stint_foreign_close(profile->foreign);
    else
        stint_snapshot_free(profile->snapshot);
}
