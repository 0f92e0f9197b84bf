/* From STINT_REPORT and STINT_OUTPUT to reports in their places: reads names and paths early, since a signal handler
 * must not read the environment, and writes what was asked for to stderr or a file. */
#include "runtime/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "base/whole_file.h"
#include "record/part.h"
#include "report/report.h"
#include "report/row_order.h"

enum { MOST_REPORTS = 32 };

/* The reports to write, one after the other. If there are none, nothing is written. */
struct stint_reports {
    size_t count;
    struct stint_report_form form[MOST_REPORTS];
};

/* Read from the environment at start, because a signal handler must not call getenv. */
static struct {
    struct stint_reports reports;
    unsigned columns; /* COLUMNS; 0: unset */
    unsigned top;     /* STINT_TOP, as a layout has it */
    int plain;        /* NO_COLOR, or a terminal that does not support escape sequences */
    int forked;
    int is_apart;          /* in a pid namespace that this process, or one of those it was forked from, began */
    int is_taken;          /* another such process has a file where this one's would be */
    int has_checkpoint;    /* the file is of this process, and older than its end */
    char path[PATH_MAX];   /* prepared; "" is stderr */
    struct stat stream;    /* what /dev/stdout or the like then led to; st_ino 0: the path is no such link */
    char beside[PATH_MAX]; /* prepared: where the report goes if the program has made something else of its stderr */
} s_output;

static struct stint_reports reports_of(enum stint_format format)
{
    return (struct stint_reports){.count = 1, .form = {stint_report_form_of(format)}};
}

/* Reads names separated by commas, or "off". Returns 0, or -1 for any other text. */
static int read_reports(struct stint_reports *reports, const char *text)
{
    reports->count = 0;
    if (strcasecmp(text, "off") == 0)
        return 0;
    for (;; text++) {
        size_t length = strcspn(text, ",");
        if (reports->count == MOST_REPORTS || stint_report_form_read(&reports->form[reports->count], text, length))
            return -1;
        reports->count++;
        text += length;
        if (!*text)
            return 0;
    }
}

/* Whether only the program stint writes it. */
static int is_of_program(const struct stint_report_form *form)
{
    return form->report >= STINT_REPORT_NSYS && form->report < STINT_REPORT_COUNT;
}

/* Loads the module if some of the reports need it. It is not loaded later, because a signal handler may have to write
 * them. */
static int load(const struct stint_reports *reports, int may_log)
{
    for (size_t i = 0; i < reports->count; i++)
        if (!stint_report_form_is_core(&reports->form[i]) && !is_of_program(&reports->form[i]))
            return stint_report_load_others ? stint_report_load_others(may_log) : -1;
    return 0;
}

/* Runs before main, when no thread of the program loads anything. */
__attribute__((constructor)) static void load_early(void)
{
    struct stint_reports reports;
    const char *text = stint_env_text("STINT_REPORT");
    if (text && read_reports(&reports, text) == 0)
        (void)load(&reports, 0);
}

static int is_of_module(const struct stint_report_form *form)
{
    return !stint_report_form_is_core(form);
}

static int is_for_machines(const struct stint_report_form *form)
{
    return form->report == STINT_REPORT_JSON;
}

/* Puts one table in the place of reports that cannot be written, or not there. */
static void put_table(struct stint_reports *reports, int (*is_replaced)(const struct stint_report_form *form))
{
    struct stint_reports kept = {0};
    int has_table = 0;
    for (size_t i = 0; i < reports->count; i++) {
        struct stint_report_form form = reports->form[i];
        if (is_replaced(&form))
            form = (struct stint_report_form){.report = STINT_REPORT_TABLE};
        if (form.report != STINT_REPORT_TABLE || !has_table)
            kept.form[kept.count++] = form;
        has_table |= form.report == STINT_REPORT_TABLE;
    }
    *reports = kept;
}

/* Says once how reports are printed that programs do not write. */
static void replace_of_program(struct stint_reports *reports)
{
    size_t at = 0;
    while (at < reports->count && !is_of_program(&reports->form[at]))
        at++;
    if (at == reports->count)
        return;
    STINT_LOG(STINT_LOG_WARNING,
              "STINT_REPORT: %s needs a recording: stint stats FILE --report %s; the table is printed instead",
              stint_report_name_at(reports->form[at].report), stint_report_name_at(reports->form[at].report));
    put_table(reports, is_of_program);
}

static void choose_reports(const char *text)
{
    if (text && read_reports(&s_output.reports, text) == 0) {
        replace_of_program(&s_output.reports);
        if (load(&s_output.reports, 1)) {
            if (!stint_report_load_others && stint_missing_part_tell)
                stint_missing_part_tell("STINT_REPORT", "modules");
            put_table(&s_output.reports, is_of_module);
        }
        return;
    }
    s_output.reports = reports_of(STINT_FORMAT_TABLE);
    if (!text)
        return;
    char list[1024] = "";
    const char *name;
    for (size_t i = 0; (name = stint_report_name_at(i)); i++) {
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", i ? "|" : "", name);
    }
    STINT_LOG(STINT_LOG_WARNING,
              "STINT_REPORT=%.256s is not understood: expected off, or one or more, separated by commas, of %s, with "
              ":csv behind a name as CSV; using table",
              text, list);
}

static unsigned read_top(void)
{
    uint64_t top = stint_env_number("STINT_TOP", UINT32_MAX, 0, UINT32_MAX - 1);
    if (top == UINT32_MAX)
        return 0;
    return top ? (unsigned)top : STINT_TOP_ALL;
}

void stint_output_start(void)
{
    const char *pattern = stint_env_text("STINT_OUTPUT");
    const char *term = stint_env_text("TERM");
    choose_reports(stint_env_text("STINT_REPORT"));
    if (isatty(STDERR_FILENO))
        s_output.columns = (unsigned)stint_env_number("COLUMNS", 0, 0, 100000);
    stint_rest_is_by_environment();
    s_output.top = read_top();
    s_output.plain = stint_env_text("NO_COLOR") || !term || strcmp(term, "dumb") == 0;
    if (pattern && stint_copies_prepare(s_output.path, sizeof s_output.path, pattern)) {
        STINT_LOG(STINT_LOG_WARNING,
                  "STINT_OUTPUT=%.256s is not understood: expected a path with %%p, %%i, %%h, %%r, %%q{NAME} or %%%%; "
                  "reports go to stderr",
                  pattern);
        s_output.path[0] = '\0';
    }
    if (strncmp(s_output.path, "/dev/", 5) == 0 || strncmp(s_output.path, "/proc/", 6) == 0)
        (void)stat(s_output.path, &s_output.stream);
    (void)stint_copies_prepare(s_output.beside, sizeof s_output.beside, "stint.%p.txt");
    s_output.is_apart = getpid() == 1;
}

void stint_output_after_fork(void)
{
    s_output.forked = 1;
    s_output.is_apart |= getpid() == 1;
    s_output.has_checkpoint = 0;
}

int stint_output_wanted(void)
{
    return s_output.reports.count != 0;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

/* Paddle's lines carry log prefixes wherever they go. */
static enum stint_status write_one(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                   const struct stint_layout *layout, int fd)
{
    struct stint_prefixer prefixer = {fd, 0};
    if (form->report == STINT_REPORT_PADDLE)
        return stint_report_form_write(snapshot, form, layout, stint_prefixer_write, &prefixer);
    return stint_report_form_write(snapshot, form, layout, stint_write_fd, &fd);
}

/* Writes the reports, separated by blank lines. */
static enum stint_status write_to_fd(const struct stint_snapshot *snapshot, const struct stint_reports *reports,
                                     const struct stint_layout *layout, int fd)
{
    enum stint_status status = STINT_OK;
    for (size_t i = 0; i < reports->count && !status; i++) {
        if (i && !stint_report_form_ends_blank(&reports->form[i - 1]) && stint_write_fd(&fd, "\n", 1))
            return STINT_ERROR_IO;
        status = write_one(snapshot, &reports->form[i], layout, fd);
    }
    return status;
}

static struct stint_layout layout_of(int fd)
{
    struct stint_layout layout = {.top = s_output.top};
    struct winsize size;
    if (!isatty(fd))
        return layout;
    layout.color = !s_output.plain;
    layout.columns = s_output.columns;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
        layout.columns = size.ws_col;
    return layout;
}

static enum stint_status write_stderr(const struct stint_snapshot *snapshot, const struct stint_reports *reports)
{
    int fd = stint_log_stderr();
    struct stint_layout layout = layout_of(fd);
    if (fd >= 0)
        return write_to_fd(snapshot, reports, &layout, fd);
    errno = EBADF;
    return STINT_ERROR_IO;
}

enum stint_status stint_output_stderr(const struct stint_snapshot *snapshot, enum stint_format format)
{
    struct stint_reports reports = reports_of(format);
    return write_stderr(snapshot, &reports);
}

/* ------------------------------------------------------------------------------------------------------------ files */

int stint_output_is_file(void)
{
    return s_output.path[0] &&
           !stint_whole_file_is_special(s_output.path); /* no special file has a pattern in its name */
}

/* What collects metrics from files is another user. */
static int are_metrics(const struct stint_reports *reports)
{
    return reports->count && reports->form[0].report == STINT_REPORT_PROMETHEUS;
}

/* Whether a descriptor's number is the program's data by now. */
static int leads_elsewhere(const char *path)
{
    struct stat now;
    return s_output.stream.st_ino && strcmp(path, s_output.path) == 0 && !stat(path, &now) &&
           (now.st_dev != s_output.stream.st_dev || now.st_ino != s_output.stream.st_ino);
}

static stint_spare_fn *s_spare;

static enum stint_status write_path(const struct stint_snapshot *snapshot, const struct stint_reports *reports,
                                    const char *path, int is_checkpoint)
{
    struct stint_layout layout = {.top = s_output.top};
    struct stint_whole_file file;
    enum stint_status status = STINT_ERROR_IO;
    int before = stint_own_work_begin();
    int error = leads_elsewhere(path) ? ESTALE : stint_whole_file_open(&file, path, STINT_FILE_AT_ONCE);
    if (!error) {
        file.is_durable = is_checkpoint;
        file.is_shared = are_metrics(reports);
        status = write_to_fd(snapshot, reports, &layout, file.fd);
        error = stint_whole_file_close(&file, status != STINT_OK);
    }
    if (error && s_spare && (file.fd = s_spare(path)) >= 0) {
        status = write_to_fd(snapshot, reports, &layout, file.fd);
        error = status ? errno : 0;
    }
    stint_own_work_end(before);
    if (error)
        STINT_LOG(STINT_LOG_ERROR, "cannot write the report to %s: %s", path, strerror(error));
    return error && !status ? STINT_ERROR_IO : status;
}

/* Finishes a prepared path. In a forked child, a name without %p gets the process id appended; where processes of other
 * namespaces have the same id, the time of its start, too, as in a program that is process 1, like that of a file which
 * is there. */
static enum stint_status finish_path(char *path, size_t size, const char *prepared)
{
    enum stint_status status = stint_path_finish(path, size, prepared);
    size_t length = strlen(path);
    int kind = stint_path_has_pid(prepared);
    s_output.is_taken |= s_output.is_apart && kind && !s_output.has_checkpoint && access(path, F_OK) == 0;
    int is_own = !(s_output.forked | s_output.is_taken) || kind == 'i' || (kind && !s_output.is_apart);
    if (status || is_own || stint_whole_file_is_special(path))
        return status;
    return stint_path_finish(path + length, size - length, s_output.is_apart ? ".%i" : ".%p");
}

int stint_output_lend(stint_spare_fn *spare, char *path, size_t size)
{
    s_spare = spare;
    return stint_output_is_file() && s_output.reports.count && !finish_path(path, size, s_output.path) ? 0 : -1;
}

enum stint_status stint_output_file(const struct stint_snapshot *snapshot, enum stint_format format,
                                    const char *pattern)
{
    struct stint_reports reports = reports_of(format);
    char prepared[PATH_MAX], path[PATH_MAX];
    if (stint_path_prepare(prepared, sizeof prepared, pattern) || stint_path_finish(path, sizeof path, prepared))
        return STINT_ERROR_INVALID_ARGUMENT;
    return write_path(snapshot, &reports, path, 0);
}

enum { MOST_EXECS = 9999 };

/* Appends ".exec1.json", or the same with the first free number. A checkpoint has nothing that this report has not: it
 * would be counted twice. */
static enum stint_status append_exec(char *path, size_t size)
{
    size_t length = strlen(path);
    if (s_output.has_checkpoint)
        (void)unlink(path);

    if (stint_whole_file_is_special(path))
        return STINT_OK;
    for (int number = 1; number <= MOST_EXECS; number++) {
        int added = snprintf(path + length, size - length, ".exec%d.json", number);
        if (added < 0 || (size_t)added >= size - length)
            return STINT_ERROR_INVALID_ARGUMENT;
        if (access(path, F_OK))
            return STINT_OK;
    }
    return STINT_ERROR_IO;
}

/* If a pipe is full, there is room for a line in a larger one. */
static void say_where(const char *path)
{
    int fd = stint_log_stderr();
    int size = fcntl(fd, F_GETPIPE_SZ);
    if (size > 0)
        (void)fcntl(fd, F_SETPIPE_SZ, 2 * size);
    STINT_LOG(STINT_LOG_WARNING, "standard error cannot be written, or nobody reads it: the report is in %s", path);
}

static int write_final(const struct stint_snapshot *snapshot, int before_exec)
{
    char path[PATH_MAX];
    struct stint_reports reports = s_output.reports;
    if (!reports.count)
        return 0;
    if (s_output.path[0]) {
        if (!finish_path(path, sizeof path, s_output.path) && (!before_exec || !append_exec(path, sizeof path)) &&
            !write_path(snapshot, &reports, path, 0))
            return 0;
        if (stint_path_has_pid(s_output.path) == 'i' && !stint_process_is_confined())
            (void)close(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)); /* says that there was a report */
        put_table(&reports, is_for_machines);
    }
    if (write_stderr(snapshot, &reports) && stint_log_stderr_is_lost() &&
        !finish_path(path, sizeof path, s_output.beside) && !write_path(snapshot, &reports, path, 0))
        say_where(path);
    return s_output.path[0] ? -1 : 0;
}

int stint_output_final(const struct stint_snapshot *snapshot)
{
    return write_final(snapshot, 0);
}

void stint_output_checkpoint(const struct stint_snapshot *snapshot)
{
    char path[PATH_MAX];
    if (!finish_path(path, sizeof path, s_output.path) && !write_path(snapshot, &s_output.reports, path, 1))
        s_output.has_checkpoint = 1;
}

int stint_output_before_exec(const struct stint_snapshot *snapshot)
{
    return write_final(snapshot, 1);
}
