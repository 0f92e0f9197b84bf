/* Turns what a run's processes left in a folder into what --store asks for: a recording, a folder of several, or a
 * database of one or of all. Processes that were killed, or still run, are part of every step. */
#include "cli/recording.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "cli/command.h"
#include "cli/profile.h"
#include "cli/results.h"
#include "ctf/ctf.h"
#include "ctf_writer/ctf_format.h"
#include "ctf_writer/ctf_output.h"
#include "ctf_writer/ctf_writer.h"
#include "model/event.h"

/* Whether the name is that of a file of another kind, which stint export makes. */
static int is_of_other_kind(const char *pattern)
{
    static const char kinds[] = ".collapsed .csv .folded .gz .html .json .pb .pdf .pftrace .pprof .svg .txt ";
    const char *ending = strrchr(pattern, '.'), *found = ending ? strstr(kinds, ending) : NULL;
    return found && found[strlen(ending)] == ' ';
}

int stint_stores_read(struct stint_stores *stores, const char *pattern)
{
    if (is_of_other_kind(pattern)) {
        stint_cli_say("--store %.256s: a recording is a database, NAME.db, or a folder, NAME.stint; stint export makes "
                      "other files of it",
                      pattern);
        return -1;
    }
    if (*pattern && stint_path_prepare(stores->path, sizeof stores->path, pattern) == STINT_OK)
        return 0;
    stint_cli_say("--store %.256s: expected a path with %%p, %%i, %%h, %%r, %%q{NAME} or %%%%", pattern);
    return -1;
}

/* Whether something is there that is neither a file nor a folder. */
static int is_device(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

int stint_stores_begin(struct stint_stores *stores)
{
    char path[PATH_MAX];
    errno = ENAMETOOLONG;
    if (stint_print_path(path, sizeof path - sizeof ".XXXXXX", stores->path, NULL) == 0) {
        if (is_device(path)) {
            stint_cli_say("%s cannot be written: it is not a regular file", path);
            return -1;
        }
        (void)strcat(path, ".XXXXXX");
        if (mkdtemp(path) && realpath(path, stores->folder.path))
            return 0;
    }
    stint_cli_say("%s cannot be written: %s", stores->path, strerror(errno));
    return -1;
}

void stint_stores_end(const struct stint_stores *stores)
{
    if (stores->folder.path[0] && !stores->is_kept)
        stint_folder_remove(&stores->folder);
}

/* ------------------------------------------------------------------------------------------------------------ names */

/* Several recordings of processes with one id have marks such as "4711.exec1" and "4711.2". Returns 0, or -1 if it is
 * too long. */
static int name_of(const struct stint_stores *stores, int is_first, const char *mark,
                   const struct stint_process *process, char *out, size_t size)
{
    if (stint_print_path(out, size, stores->path, process))
        return -1;
    if (stint_path_has_pid(stores->path))
        mark = strchr(mark, '.') ? strchr(mark, '.') + 1 : NULL;
    else if (is_first)
        mark = NULL;
    return mark ? stint_path_put_mark(out, size, mark) : 0;
}

static int say_where(const char *path, int quiet)
{
    if (!quiet)
        stint_cli_say("the recording is in %s", path);
    return 0;
}

/* --------------------------------------------------------------------------------------------------- from processes */

/* A recording in the folder. */
struct found {
    const char *name;             /* "4711.1764200000123456789.stint", "4711.1764200000123456789.exec1.stint" */
    char mark[64];                /* "4711", "4711.exec1" */
    struct stint_process process; /* its id, and when it began */
    int is_cut;
};

static size_t mark_length(const char *name)
{
    size_t length = strlen(name), ending = sizeof STINT_CTF_ENDING - 1;
    return length > ending && strcmp(name + length - ending, STINT_CTF_ENDING) == 0 ? length - ending : 0;
}

static int is_gone(const struct stint_folder *folder, const char *name)
{
    return folder->is_over || (kill((pid_t)strtol(name, NULL, 10), 0) != 0 && errno == ESRCH);
}

static void path_of(const struct stint_folder *folder, const char *name, char *out, size_t size)
{
    (void)snprintf(out, size, "%s/%s", folder->path, name);
}

/* Opens a recording in the folder. Returns NULL if its process still writes it, or it cannot be read, which is said
 * unless `quiet`. */
static struct stint_ctf *open_recording(const struct stint_folder *folder, const char *name, int quiet)
{
    char reason[256], path[2 * PATH_MAX];
    path_of(folder, name, path, sizeof path);
    struct stint_ctf *recording = stint_ctf_open(path, reason, sizeof reason);
    if (!recording && !quiet)
        stint_cli_say("the recording of a process cannot be read: %s: %s", name, reason);
    else if (recording && (stint_ctf_state(recording).has_ended || is_gone(folder, name)))
        return recording;
    stint_ctf_close(recording);
    return NULL;
}

static int has_reported(const struct stint_ctf *recording, const struct stint_results *results)
{
    const struct stint_process *process = &stint_ctf_snapshot(recording)->process;
    return stint_results_have(results, process->pid, process->start_unix_ns);
}

/* Leaves the time out of "4711.1764200000123456789.copy2", which only makes it unlike all others. */
static void write_mark(struct found *found)
{
    enum { MARK_MOST = 32 };
    static const char digits[] = "0123456789";
    const char *name = found->name;
    size_t pid = strspn(name, digits), time = name[pid] == '.' ? strspn(name + pid + 1, digits) : 0;
    const char *rest = name + pid + (time ? 1 + time : 0);
    (void)snprintf(found->mark, MARK_MOST + 1, "%.*s%.*s", (int)pid, name, (int)(name + mark_length(name) - rest),
                   rest);
}

static void add_recording(struct stint_array *all, struct stint_arena *arena, const struct stint_folder *folder,
                          const char *name, const struct stint_results *results)
{
    struct stint_ctf *recording = open_recording(folder, name, 0);
    struct found found = {.name = stint_arena_copy(arena, name, strlen(name))}, *row;
    if (!recording)
        return;
    found.process.pid = strtoll(name, NULL, 10);
    found.process.start_unix_ns = stint_ctf_snapshot(recording)->process.start_unix_ns;
    found.is_cut = stint_ctf_state(recording).is_cut ||
                   (!stint_ctf_state(recording).has_ended && has_reported(recording, results));
    stint_ctf_close(recording);
    row = found.name ? stint_array_add(all, arena, sizeof *row) : NULL;
    if (!row)
        return;
    for (; row != all->items && row[-1].process.start_unix_ns > found.process.start_unix_ns; row--)
        row[0] = row[-1];
    write_mark(&found);
    *row = found;
}

/* Puts a number behind a mark that earlier ones have, too. Those are still without theirs. */
static void tell_apart(struct found *all, size_t at)
{
    size_t same = 1, length = strlen(all[at].mark);
    for (size_t i = 0; i < at; i++)
        same += strcmp(all[at].mark, all[i].mark) == 0;
    if (same > 1)
        (void)snprintf(all[at].mark + length, sizeof all->mark - length, ".%zu", same);
}

static void find_recordings(struct stint_array *all, struct stint_arena *arena, const struct stint_folder *folder,
                            const struct stint_results *results)
{
    DIR *directory = opendir(folder->path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (mark_length(entry->d_name))
            add_recording(all, arena, folder, entry->d_name, results);
    (void)closedir(directory);
    for (size_t i = all->count; i-- > 0;)
        tell_apart(all->items, i);
}

static void recover(const struct stint_folder *folder, const char *name, struct stint_results *results,
                    const struct stint_launch *launch, int quiet)
{
    long pid = strtol(name, NULL, 10);
    struct stint_ctf *recording = open_recording(folder, name, 1); /* it will be opened again */
    if (!recording)
        return;
    struct stint_ctf_state state = stint_ctf_state(recording);
    if ((!state.has_ended || state.is_cut) && !has_reported(recording, results)) {
        int has_exited = state.is_cut || (pid == launch->pid && WIFEXITED(launch->status));
        if (!quiet)
            stint_cli_say(
                has_exited
                    ? "process %ld could not write its report: this report is made from the events that it recorded"
                    : "process %ld was killed: its report covers what it had recorded until then",
                pid);
        struct stint_result *row = stint_results_add(results, stint_ctf_take_snapshot(recording), NULL);
        if (row)
            row->is_recovered = 1;
    }
    stint_ctf_close(recording);
}

void stint_stores_recover(const struct stint_stores *stores, struct stint_results *results,
                          const struct stint_launch *launch, int quiet)
{
    DIR *directory = opendir(stores->folder.path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (mark_length(entry->d_name) && is_gone(&stores->folder, entry->d_name))
            recover(&stores->folder, entry->d_name, results, launch, quiet);
    (void)closedir(directory);
}

static int convert_events(const char *to, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                          uint64_t count, char *reason, size_t size)
{
    struct stint_progress progress;
    int failed =
        stint_named_store_write(to, snapshot, stint_progress_begin(&progress, to, events, count), 1, reason, size);
    stint_progress_hide();
    return failed;
}

/* Makes a database of a recording. */
static int convert(const char *from, const char *to, char *reason, size_t size)
{
    struct stint_ctf *recording = stint_ctf_open(from, reason, size);
    if (!recording)
        return -1;
    int failed = convert_events(to, stint_ctf_snapshot(recording), stint_ctf_events(recording),
                                stint_ctf_state(recording).events, reason, size);
    stint_ctf_close(recording);
    return failed;
}

/* Makes a database of several. */
static int convert_all(const struct stint_array *places, const char *to, char *reason, size_t size)
{
    struct stint_profile profile;
    (void)snprintf(reason, size, "its recordings cannot be combined");
    if (stint_profile_open_places(&profile, places->items, places->count))
        return -1;
    int failed = convert_events(to, profile.snapshot, profile.events, 0, reason, size);
    stint_profile_close(&profile);
    return failed;
}

/* Removes a recording, or a folder that has only recordings. */
static void remove_recordings(const char *path)
{
    DIR *directory = stint_ctf_is(path) ? NULL : opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char inner[2 * PATH_MAX];
        (void)snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (mark_length(entry->d_name))
            stint_ctf_remove(inner);
    }
    if (directory) {
        (void)closedir(directory);
        (void)rmdir(path);
    }
    stint_ctf_remove(path);
}

int stint_stores_name(const struct stint_stores *stores, char *out, size_t size)
{
    return stint_print_path(out, size, stores->path, NULL);
}

void stint_stores_remove(const char *path)
{
    remove_recordings(path);
    (void)unlink(path);
}

static int say_error(char *reason, size_t size)
{
    (void)snprintf(reason, size, "%s", strerror(errno));
    return -1;
}

static int move(const char *from, const char *to, char *reason, size_t size)
{
    remove_recordings(to);
    return rename(from, to) == 0 ? 0 : say_error(reason, size);
}

/* What could not be moved stays in the folder. */
static int keep(struct stint_stores *stores, const char *path)
{
    stores->is_kept = 1;
    stint_cli_say("what was recorded is kept in %s", path);
    return -1;
}

/* Gives a recording its name, or makes of it what the name asks for. Until then it is beside it, where it stays if this
 * fails or is interrupted. */
static int deliver(struct stint_stores *stores, const char *from, const char *to, char *reason, size_t size)
{
    char kept[PATH_MAX + sizeof STINT_CTF_ENDING];
    int is_wanted = stint_ctf_is_wanted(to);
    (void)snprintf(kept, sizeof kept, "%s%s", to, is_wanted ? "" : STINT_CTF_ENDING);
    if (move(from, kept, reason, size))
        return keep(stores, from);
    if (is_wanted)
        return 0;
    if (convert(kept, to, reason, size)) {
        stint_cli_say("the recording is kept: stint export %s -o %s", kept, to);
        return -1;
    }
    stint_ctf_remove(kept);
    return 0;
}

/* Moves the recordings into a folder that is made for them, and adds their new places. */
static int move_all(const struct stint_stores *stores, const struct stint_array *all, const char *to,
                    struct stint_array *places, struct stint_arena *arena, char *reason, size_t size)
{
    remove_recordings(to);
    if (mkdir(to, 0700))
        return say_error(reason, size);
    for (size_t i = 0; i < all->count; i++) {
        char from[2 * PATH_MAX], path[2 * PATH_MAX];
        const struct found *found = (const struct found *)all->items + i;
        path_of(&stores->folder, found->name, from, sizeof from);
        int length = snprintf(path, sizeof path, "%s/%s" STINT_CTF_ENDING, to, found->mark);
        if (move(from, path, reason, size))
            return -1;
        const char *copy = stint_arena_copy(arena, path, (size_t)length);
        struct stint_place *place = copy ? stint_array_add(places, arena, sizeof *place) : NULL;
        errno = ENOMEM;
        if (!place)
            return say_error(reason, size);
        *place = (struct stint_place){.path = copy, .is_known = 1};
    }
    return 0;
}

/* The same for recordings of several processes, which are kept in a folder that is read as one. */
static int deliver_all(struct stint_stores *stores, const struct stint_array *all, const char *to, char *reason,
                       size_t size)
{
    char kept[PATH_MAX + sizeof STINT_CTF_ENDING];
    struct stint_arena arena = {0};
    struct stint_array places = {0};
    int is_wanted = stint_ctf_is_wanted(to);
    (void)snprintf(kept, sizeof kept, "%s%s", to, is_wanted ? "" : STINT_CTF_ENDING);
    int failed = move_all(stores, all, kept, &places, &arena, reason, size);
    if (failed) {
        (void)keep(stores, stores->folder.path);
    } else if (!is_wanted) {
        failed = convert_all(&places, to, reason, size);
        if (failed)
            stint_cli_say("the recordings are kept: stint export %s -o %s", kept, to);
        else
            remove_recordings(kept);
    }
    stint_arena_free(&arena);
    return failed;
}

static int say_delivered(const struct stint_stores *stores, int failed, const char *to, const char *reason, int is_cut,
                         int quiet)
{
    if (failed)
        stint_cli_say("%s cannot be written: %s", to[0] ? to : stores->path, reason);
    else if (is_cut)
        stint_cli_say("%s is incomplete: some of what was recorded could not be written; see above", to);
    else
        return say_where(to, quiet);
    return -1;
}

static int take(struct stint_stores *stores, const struct found *found, int is_first, int quiet)
{
    char from[2 * PATH_MAX], to[PATH_MAX] = "", reason[256] = "its name is too long";
    path_of(&stores->folder, found->name, from, sizeof from);
    int failed = name_of(stores, is_first, found->mark, &found->process, to, sizeof to) ||
                 deliver(stores, from, to, reason, sizeof reason);
    return say_delivered(stores, failed, to, reason, found->is_cut, quiet);
}

static int take_together(struct stint_stores *stores, const struct stint_array *all, int quiet)
{
    char to[PATH_MAX] = "", reason[256] = "its name is too long";
    int is_cut = 0;
    for (size_t i = 0; i < all->count; i++)
        is_cut |= ((const struct found *)all->items)[i].is_cut;
    int failed = name_of(stores, 1, "", NULL, to, sizeof to) || deliver_all(stores, all, to, reason, sizeof reason);
    return say_delivered(stores, failed, to, reason, is_cut, quiet);
}

/* ----------------------------------------------------------------------------------------------------- from reports */

static int write_snapshot(const char *path, const struct stint_snapshot *snapshot, char *reason, size_t size)
{
    struct stint_snapshot_events events;
    stint_snapshot_events_begin(&events, snapshot);
    return stint_named_store_write(path, snapshot, &events.source, 1, reason, size);
}

static int keep_snapshot(const struct stint_stores *stores, const struct stint_results *results, size_t at, int quiet)
{
    char path[PATH_MAX], mark[48], reason[256] = "its name is too long";
    const struct stint_snapshot *snapshot = stint_results_at(results, at);
    size_t same = 1;
    for (size_t i = 0; i < at; i++)
        same += stint_results_at(results, i)->process.pid == snapshot->process.pid;
    (void)snprintf(mark, sizeof mark, same > 1 ? "%lld.%zu" : "%lld", (long long)snapshot->process.pid, same);
    if (name_of(stores, at == 0, mark, &snapshot->process, path, sizeof path) == 0 &&
        write_snapshot(path, snapshot, reason, sizeof reason) == 0)
        return say_where(path, quiet);
    stint_cli_say("%s cannot be written: %s", path, reason);
    return -1;
}

int stint_stores_take(struct stint_stores *stores, const struct stint_results *results, int quiet)
{
    struct stint_arena arena = {0};
    struct stint_array all = {0};
    int failed = 0;
    find_recordings(&all, &arena, &stores->folder, results);
    int are_together = all.count > 1 && !stint_path_has_pid(stores->path);
    if (are_together)
        failed = take_together(stores, &all, quiet);
    for (size_t i = 0; i < all.count && !are_together; i++)
        failed |= take(stores, (const struct found *)all.items + i, i == 0, quiet);
    for (size_t i = 0; !all.count && i < results->all.count; i++)
        failed |= keep_snapshot(stores, results, i, quiet);
    stint_arena_free(&arena);
    return failed;
}

int stint_stores_take_process(struct stint_stores *stores, const struct stint_snapshot *snapshot, const char *path,
                              char *reason, size_t size)
{
    char from[2 * PATH_MAX], name[64];
    (void)snprintf(name, sizeof name, "%lld.%llu" STINT_CTF_ENDING, (long long)snapshot->process.pid,
                   (unsigned long long)snapshot->process.start_unix_ns);
    path_of(&stores->folder, name, from, sizeof from);
    if (!stint_ctf_is(from))
        return write_snapshot(path, snapshot, reason, size);
    struct stint_ctf *recording = stint_ctf_open(from, reason, size);
    int is_cut = recording && stint_ctf_state(recording).is_cut;
    stint_ctf_close(recording);
    return !recording || deliver(stores, from, path, reason, size) ? -1 : is_cut;
}
