/* Reads which reports are wanted, from options or the environment, and writes them one after the other to the screen or
 * a file. */
#include "cli/results.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "base/whole_file.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/options.h"
#include "model/event.h"
#include "nsys/nsys.h"
#include "report/summary.h"
#include "store/store.h"

/* ---------------------------------------------------------------------------------------------------------- reports */

enum { MOST_NAMES = 64, WORD_SIZE = PATH_MAX };

int stint_print_is_old_csv(const char *word, char *now, size_t size)
{
    static const char ending[] = "-csv";
    struct stint_report_form form;
    int length = snprintf(now, size, "%s", word), name = length - (int)(sizeof ending - 1);
    if (length >= (int)size || name <= 0 || strcasecmp(now + name, ending) != 0)
        return 0;
    now[name] = ':';
    return stint_report_form_read(&form, now, (size_t)length) == 0;
}

static int say_unknown_report(const char *origin, const char *word)
{
    const char *names[MOST_NAMES];
    char now[WORD_SIZE];
    size_t count = 0;
    while (count < MOST_NAMES && (names[count] = stint_report_name_at(count)))
        count++;
    const char *close = stint_print_is_old_csv(word, now, sizeof now) ? now : stint_suggest(word, names, count);
    stint_cli_say("%s: there is no report \"%.60s\"%s%s%s", origin, word, close ? "; did you mean \"" : "",
                  close ? close : "", close ? "\"?" : ": stint stats --list lists them");
    return -1;
}

static int ends_in_csv(const char *word)
{
    size_t length = strlen(word);
    return length > 4 && strcasecmp(word + length - 4, ":csv") == 0;
}

/* Takes ":base" or ":mangled" out of the word. */
static enum stint_kernel_names take_kernels(char *word)
{
    static const char *const names[] = {[STINT_KERNELS_BASE] = ":base", [STINT_KERNELS_MANGLED] = ":mangled"};
    for (char *at = word; (at = strchr(at, ':')); at++)
        for (int kernels = STINT_KERNELS_BASE; kernels <= STINT_KERNELS_MANGLED; kernels++) {
            size_t length = strlen(names[kernels]);
            if (strncasecmp(at, names[kernels], length) != 0 || (at[length] && at[length] != ':'))
                continue;
            memmove(at, at + length, strlen(at + length) + 1);
            return (enum stint_kernel_names)kernels;
        }
    return STINT_KERNELS_PLAIN;
}

static int read_plain(struct stint_report_form *form, const char *origin, const char *word, int csv)
{
    char with_csv[WORD_SIZE + 5];
    (void)snprintf(with_csv, sizeof with_csv, "%s%s", word, csv && !ends_in_csv(word) ? ":csv" : "");
    if (stint_report_form_read(form, with_csv, strlen(with_csv)) == 0)
        return 0;
    (void)snprintf(with_csv, sizeof with_csv, "%.*s", (int)(strlen(word) - (ends_in_csv(word) ? 4 : 0)), word);
    if (stint_report_form_read(form, with_csv, strlen(with_csv)))
        return say_unknown_report(origin, word);
    stint_cli_say("%s: the report \"%s\" cannot be printed as CSV", origin, with_csv);
    return -1;
}

/* A file of SQL is known by its ending; its name lives as long as the process. */
static int is_script(const char *word)
{
    size_t length = strlen(word) - (ends_in_csv(word) ? 4 : 0);
    return length > 4 && strncmp(word + length - 4, ".sql", 4) == 0;
}

static int read_script(struct stint_report_form *form, const char *origin, const char *word, int csv)
{
    char *path = strdup(word);
    if (path && ends_in_csv(word))
        path[strlen(word) - 4] = '\0';
    *form = (struct stint_report_form){.report = STINT_REPORT_NSYS, .csv = csv || ends_in_csv(word), .script = path};
    if (path && access(path, R_OK) == 0)
        return 0;
    stint_cli_say("%s: %s: %s", origin, path ? path : word, strerror(errno));
    free(path);
    return -1;
}

static int read_word(struct stint_report_form *form, const char *origin, char *word, int csv)
{
    enum stint_kernel_names kernels = take_kernels(word);
    if (is_script(word)) {
        if (read_script(form, origin, word, csv))
            return -1;
        form->kernels = kernels;
        return 0;
    }
    if (read_plain(form, origin, word, csv))
        return -1;
    form->kernels = kernels;
    if (!kernels || stint_nsys_has_kernels(form->report))
        return 0;
    stint_cli_say("%s: the report \"%s\" has no names of kernels: :base and :mangled do not apply", origin, word);
    return -1;
}

int stint_print_choose(struct stint_print *print, const char *origin, const char *list, int csv)
{
    char word[WORD_SIZE];
    print->count = 0;
    if (strcasecmp(list, "off") == 0)
        return 0;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (print->count == STINT_PRINT_MOST) {
            stint_cli_say("%s: more than %d reports", origin, STINT_PRINT_MOST);
            return -1;
        }
        if (read_word(&print->forms[print->count++], origin, word, csv))
            return -1;
        at += length;
        if (!*at)
            return 0;
    }
}

void stint_print_usual(struct stint_print *print)
{
    print->count = 1;
    print->forms[0] = (struct stint_report_form){.report = STINT_REPORT_SUMMARY};
}

int stint_print_ask(struct stint_print *print, const char *report, const char *format)
{
    const char *usual = stint_env_text("STINT_REPORT");
    if (report && format && strcmp(format, "json") == 0) {
        stint_cli_say("--format json prints everything: leave out --report");
        return -1;
    }
    if (report)
        return stint_print_choose(print, "--report", report, format && strcmp(format, "csv") == 0);
    if (format)
        return stint_print_choose(print, "--format", format, 0);
    if (!usual || stint_print_choose(print, "STINT_REPORT", usual, 0))
        stint_print_usual(print);
    return 0;
}

/* Whether it is read by programs, so that no blank line may be inserted. */
static int is_for_programs(const struct stint_report_form *form)
{
    return form->csv || form->report == STINT_REPORT_CSV || form->report == STINT_REPORT_JSON ||
           form->report == STINT_REPORT_PROMETHEUS || form->report == STINT_REPORT_OPENMETRICS;
}

int stint_print_check(const struct stint_print *print, const char *file_option)
{
    int own = stint_path_has_pid(print->path);
    for (size_t i = 0; print->per_process && !own && i < print->count; i++) {
        if (!is_for_programs(&print->forms[i]))
            continue;
        stint_cli_say("--per-process: in CSV and JSON each process needs a file of its own: %s NAME.%%p", file_option);
        return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------ where to go */

int stint_print_to(struct stint_print *print, const char *origin, const char *pattern)
{
    if (stint_path_prepare(print->path, sizeof print->path, pattern) == STINT_OK)
        return 0;
    stint_cli_say("%s=%.256s is not understood: expected a path with %%p, %%i, %%h, %%r, %%q{NAME} or %%%%", origin,
                  pattern);
    print->path[0] = '\0';
    return -1;
}

/* Returns 0, or an errno value. */
static int try_path(char *path)
{
    struct stat status;
    char *slash = strrchr(path, '/');
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return EISDIR;
    if (access(path, W_OK) == 0)
        return 0;
    if (errno != ENOENT)
        return errno;
    (void)strcpy(slash ? slash + 1 : path, "."); /* its folder */
    return access(path, W_OK | X_OK) ? errno : 0;
}

int stint_print_try(struct stint_print *print, const char *origin)
{
    char path[PATH_MAX];
    int error = !print->path[0]                                              ? 0
                : stint_print_path(path, sizeof path - 1, print->path, NULL) ? ENAMETOOLONG
                                                                             : try_path(path);
    if (!error)
        return 0;
    stint_cli_say("%s: %s cannot be written: %s", origin, print->path, strerror(error));
    print->path[0] = '\0';
    return -1;
}

int stint_print_path(char *out, size_t size, const char *prepared, const struct stint_process *process)
{
    size_t used = 0;
    for (const char *at = prepared; *at; at++) {
        char piece[48] = {*at, '\0'};
        if (*at == '%' && *++at != '%')
            (void)snprintf(piece, sizeof piece, *at == 'p' ? "%lld" : "%lld.%llu",
                           process ? (long long)process->pid : 0,
                           process ? (unsigned long long)process->start_unix_ns : 0);
        if (used + strlen(piece) >= size)
            return -1;
        memcpy(out + used, piece, strlen(piece) + 1);
        used += strlen(piece);
    }
    return 0;
}

int stint_print_open(const char *path, int flags)
{
    if (!stint_whole_file_is_planted(path))
        return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
    errno = EACCES;
    return -1;
}

/* All reports go to one file, one after the other, unless each process has its own. A report on several processes
 * has no process id. Returns the descriptor, or -1. */
static int open_output(struct stint_print *print, const struct stint_snapshot *snapshot, int together)
{
    char path[PATH_MAX];
    int own = print->path[0] && stint_path_has_pid(print->path);
    if (own)
        print->begun = 0;
    if (!print->path[0] || (own && together))
        return print->to_stdout ? STDOUT_FILENO : STDERR_FILENO;
    if (stint_print_path(path, sizeof path, print->path, &snapshot->process)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return stint_print_open(path, print->begun ? O_APPEND : O_TRUNC);
}

int stint_print_open_behind(struct stint_print *print)
{
    static const struct stint_snapshot none;
    int begun = print->begun, file = open_output(print, &none, 1);
    if (file >= 0 && begun && !print->ends_blank)
        (void)stint_write_fd(&file, "\n", 1);
    print->begun = 1;
    print->ends_blank = 0;
    return file;
}

struct stint_layout stint_print_screen(int file)
{
    struct stint_layout layout = {0};
    struct winsize size;
    const char *term = stint_env_text("TERM");
    if (!isatty(file))
        return layout;
    layout.color = !stint_env_text("NO_COLOR") && term && strcmp(term, "dumb") != 0;
    layout.columns = (unsigned)stint_env_number("COLUMNS", 0, 0, 100000);
    if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col)
        layout.columns = size.ws_col;
    return layout;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static enum stint_status write_all(struct stint_print *print, const struct stint_snapshot *snapshot,
                                   const struct stint_report_events *events, int file)
{
    struct stint_layout screen = stint_print_screen(file);
    struct stint_layout layout = stint_select_layout(&print->select, &screen);
    enum stint_status status = STINT_OK;
    for (size_t i = 0; i < print->count && !status; i++) {
        struct stint_report_form form = print->forms[i];
        form.events = events;
        if (print->begun && !print->ends_blank && !is_for_programs(&form))
            (void)stint_write_fd(&file, "\n", 1);
        status = stint_report_form_write(snapshot, &form, &layout, stint_write_fd, &file);
        print->begun = 1;
        print->ends_blank = stint_report_form_ends_blank(&form);
    }
    return status;
}

/* What went wrong: with the file that the events come from, with the one that is written, or in general. */
static const char *reason_of(enum stint_status status, const struct stint_report_events *events)
{
    if (*stint_nsys_reason())
        return stint_nsys_reason();
    if (status != STINT_ERROR_IO)
        return stint_status_string(status);
    return events && events->source->reason[0] ? events->source->reason : strerror(errno);
}

/* Each report in SQL makes a database of the events, if they are in none yet: several have one made before them, at the
 * path, which is "" if there is none. */
static void make_database(const struct stint_print *print, const struct stint_report_events *events, char *path,
                          size_t size)
{
    char reason[160];
    size_t count = 0;
    *path = '\0';
    for (size_t i = 0; i < print->count; i++)
        count += print->forms[i].report >= STINT_REPORT_NSYS;
    if (count < 2 || !events || events->database || events->snapshot->gpu_event_count)
        return;
    int file = stint_temporary_file(path, size);
    int failed = file < 0 || stint_store_write(path, events->snapshot, events->source, NULL, reason, sizeof reason);
    if (file >= 0)
        (void)close(file);
    if (failed && file >= 0)
        (void)unlink(path);
    if (failed)
        *path = '\0';
}

static enum stint_status write_with_database(struct stint_print *print, const struct stint_snapshot *snapshot,
                                             const struct stint_report_events *events, int file)
{
    char path[PATH_MAX];
    struct stint_report_events stored = events ? *events : (struct stint_report_events){.source = NULL};
    make_database(print, events, path, sizeof path);
    if (*path)
        stored.database = path;
    enum stint_status status = write_all(print, snapshot, events ? &stored : NULL, file);
    if (*path)
        (void)unlink(path);
    return status;
}

/* CSV has no place for what is missing in its sums. */
static void say_losses(const struct stint_print *print, const struct stint_snapshot *snapshot, int file)
{
    for (size_t i = 0; i < print->count; i++)
        if (!print->forms[i].csv && print->forms[i].report != STINT_REPORT_CSV)
            return;
    for (size_t i = 0; i < STINT_LOSSES && file != STDERR_FILENO && !print->select.quiet; i++) {
        struct stint_loss loss = stint_loss_at(&snapshot->dropped, i);
        if (loss.count)
            stint_cli_say("dropped: %" PRIu64 " %s%s%s (%s)", loss.count, loss.noun, loss.plural, loss.rest,
                          loss.remedy);
    }
}

static int print_kept(struct stint_print *print, const struct stint_snapshot *snapshot,
                      const struct stint_report_events *events, int together)
{
    if (!print->count)
        return 0;
    int file = open_output(print, snapshot, together);
    enum stint_status status = file < 0 ? STINT_ERROR_IO : write_with_database(print, snapshot, events, file);
    if (status == STINT_ERROR_IO)
        stint_cli_end_if_unread(file, errno);
    if (status)
        stint_cli_say("the report cannot be written: %s", reason_of(status, events));
    else
        say_losses(print, snapshot, file);
    if (status == STINT_ERROR_IO && (file < 0 || file > STDERR_FILENO)) /* nothing is lost */
        (void)write_all(print, snapshot, events, STDERR_FILENO);
    if (file > STDERR_FILENO)
        (void)close(file);
    return status ? -1 : 0;
}

int stint_print(struct stint_print *print, const struct stint_snapshot *snapshot,
                const struct stint_report_events *events, int together)
{
    const struct stint_snapshot *kept = stint_select_apply(&print->select, snapshot);
    struct stint_filter_events filtered;
    struct stint_report_events kept_events;
    if (events && kept != snapshot) {
        stint_filter_events_begin(&filtered, events->source, &print->select.filter);
        kept_events = (struct stint_report_events){.source = &filtered.source, .snapshot = events->snapshot};
        events = &kept_events;
    }
    int result = print_kept(print, kept, events, together);
    if (kept != snapshot)
        stint_snapshot_free((struct stint_snapshot *)kept);
    return result;
}
