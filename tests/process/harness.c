#include "process/harness.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stint/stint.h"

extern char **environ;

/* -------------------------------------------------------------------------------------------- in the mode's process */

/* Where the linker puts what MODE adds. */
extern const struct mode *__start_test_modes[] __attribute__((weak));
extern const struct mode *__stop_test_modes[] __attribute__((weak));

/* Returns the mode's result, 125 if there is none of that name. */
static int run_mode(const char *name)
{
    for (const struct mode **mode = __start_test_modes; mode != __stop_test_modes; mode++)
        if (!strcmp((*mode)->name, name))
            return (*mode)->run();
    fprintf(stderr, "there is no mode called %s\n", name);
    return 125;
}

int mode_is(const char *name)
{
    const char *mode = getenv("TEST_MODE");
    return mode && !strcmp(mode, name);
}

void scopes(const char *name, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        STINT_SCOPE_DYNAMIC(name);
    }
}

void on_thread(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, argument) || pthread_join(thread, NULL))
        abort();
}

/* Exact, unlike /proc/self/statm, which lags by some pages per processor. */
long resident_pages(void)
{
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long kilobytes = -1;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Anonymous: %ld kB", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return kilobytes < 0 ? -1 : kilobytes * 1024 / sysconf(_SC_PAGESIZE);
}

/* ------------------------------------------------------------------------------------------------------------ texts */

/* Everything that lives until the test ends. */
struct kept {
    struct kept *next;
    char bytes[];
};

static struct kept *s_kept;

static char *keep(size_t size)
{
    struct kept *kept = malloc(sizeof *kept + size);
    if (!kept)
        abort();
    kept->next = s_kept;
    s_kept = kept;
    return kept->bytes;
}

static void drop_kept(void)
{
    while (s_kept) {
        struct kept *next = s_kept->next;
        free(s_kept);
        s_kept = next;
    }
}

/* Reads until the end instead of a given size, because files in /proc have none. */
char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t used = 0, size = 0;
    char *text = NULL;
    if (!file)
        return NULL;
    do {
        char *bigger = keep(size = size ? 4 * size : 8192);
        if (used)
            memcpy(bigger, text, used);
        text = bigger;
        used += fread(text + used, 1, size - 1 - used, file);
    } while (used == size - 1);
    text[used] = '\0';
    fclose(file);
    return text;
}

/* Like strstr, which sanitizers make look at the whole text each time, even if the part comes soon. */
static const char *find(const char *text, const char *part)
{
    const size_t length = strlen(part), most = 4096 + length;
    for (;;) {
        const size_t here = strnlen(text, most);
        const char *found = memmem(text, here, part, length);
        if (found || here < most)
            return found;
        text += here - length; /* the part may begin here and end behind */
    }
}

unsigned occurrences(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *at = text; at && (at = find(at, part)); at += strlen(part))
        ++count;
    return count;
}

/* --------------------------------------------------------------------------------------------------- scratch folder */

static char s_folder[64];

const char *scratch(const char *name)
{
    const size_t size = sizeof s_folder + strlen(name) + 2;
    char *path = keep(size);
    snprintf(path, size, "%s/%s", s_folder, name);
    return path;
}

const char *setting(const char *name, const char *value)
{
    const size_t size = strlen(name) + strlen(value) + 2;
    char *text = keep(size);
    snprintf(text, size, "%s=%s", name, value);
    return text;
}

static int make_scratch(void **state)
{
    strcpy(s_folder, "/tmp/stint-test-XXXXXX");
    return mkdtemp(s_folder) ? 0 : -1;
}

unsigned for_each_scratch(const char *prefix, void (*visit)(const char *path))
{
    DIR *folder = opendir(s_folder);
    unsigned count = 0;
    if (!folder)
        return 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.' || strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        ++count;
        if (visit)
            visit(scratch(entry->d_name));
    }
    closedir(folder);
    return count;
}

static void remove_path(const char *path)
{
    (void)remove(path);
}

static int remove_scratch(void **state)
{
    for_each_scratch("", remove_path);
    drop_kept();
    return rmdir(s_folder);
}

/* -------------------------------------------------------------------------------------------------------- processes */

enum { CAPTURED = -2, CLOSED = -1, PATIENCE_S = 100 };

static int s_redirects[3] = {CAPTURED, CAPTURED, CAPTURED};
static int s_ignored;
static const char *s_program;
static unsigned s_serial;

void redirect_next(int fd, int as)
{
    s_redirects[fd] = as;
}

void replace_next(const char *program)
{
    s_program = program;
}

void ignore_next(int signal)
{
    s_ignored = signal;
}

/* Removes variables that the test itself was started with: stint's, and those that change how reports look. */
static void clean_environment(void)
{
    static const char *const others[] = {"NO_COLOR", "COLUMNS", "TERM", "LD_PRELOAD"};
    char name[256];
    for (char **at = environ; *at;) {
        const size_t length = strcspn(*at, "=");
        if (strncmp(*at, "STINT_", 6) || length >= sizeof name) {
            ++at;
            continue;
        }
        memcpy(name, *at, length);
        name[length] = '\0';
        unsetenv(name);
        at = environ;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        unsetenv(others[i]);
}

/* A sanitizer's own handlers would replace stint's or the default ones. A forked child that leaves its parent's threads
 * behind is not a leak, and signal handlers that format names are what these tests are about. */
static void calm_sanitizers(void)
{
    static const char calm[] = "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0:"
                               "allow_user_segv_handler=1:use_sigaltstack=0:detect_leaks=0:halt_on_error=1:"
                               "abort_on_error=0:exitcode=99:report_thread_leaks=0:report_signal_unsafe=0:"
                               "atexit_sleep_ms=0";
    setenv("ASAN_OPTIONS", calm, 1);
    setenv("TSAN_OPTIONS", calm, 1);
}

static void apply(char *change)
{
    if (strchr(change, '='))
        putenv(change);
    else
        unsetenv(change);
}

static void connect(int fd, int as, const char *path)
{
    if (as == CLOSED) {
        close(fd);
        return;
    }
    const int captured = as == CAPTURED ? open(path, O_RDWR | O_CREAT | O_APPEND, 0666) : -1;
    if (captured >= 0)
        as = captured;
    if (as != fd)
        dup2(as, fd);
    if (captured >= 0 && captured != fd)
        close(captured);
}

/* Returns this program's path; not /proc/self/exe, which would then be its name in reports. */
static const char *self(void)
{
    static char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return path;
}

static void become(const char *mode, char *const *changes, const struct child *child)
{
    const struct rlimit no_core = {0, 0};
    const char *program = s_program ? s_program : self();
    clean_environment();
    if (WITH_SANITIZER)
        calm_sanitizers();
    setenv("TEST_MODE", mode, 1);
    setenv("STINT_REPORT", "json", 1);
    setenv("STINT_OUTPUT", scratch("report"), 1);
    for (; *changes; ++changes)
        apply(*changes);
    setrlimit(RLIMIT_CORE, &no_core);
    setpgid(0, 0);
    if (s_ignored)
        signal(s_ignored, SIG_IGN);
    connect(STDOUT_FILENO, s_redirects[1], child->out_path);
    connect(STDERR_FILENO, s_redirects[2], child->err_path);
    execl(program, program, mode, (char *)NULL);
    _exit(126);
}

static const char *capture_path(int fd)
{
    char name[32];
    if (s_redirects[fd] != CAPTURED)
        return NULL;
    snprintf(name, sizeof name, "%s.%u", fd == 1 ? ".out" : ".err", s_serial);
    return scratch(name + 1);
}

static struct child begin_list(const char *mode, va_list arguments)
{
    struct child child = {0};
    char *changes[32];
    size_t count = 0;
    while (count < 31 && (changes[count] = va_arg(arguments, char *)))
        ++count;
    changes[count] = NULL;
    ++s_serial;
    child.out_path = capture_path(1);
    child.err_path = capture_path(2);
    fflush(NULL);
    child.pid = fork();
    if (!child.pid)
        become(mode, changes, &child);
    assert_true(child.pid > 0);
    s_redirects[1] = s_redirects[2] = CAPTURED;
    s_ignored = 0;
    s_program = NULL;
    return child;
}

struct child begin(const char *mode, ...)
{
    va_list arguments;
    va_start(arguments, mode);
    struct child child = begin_list(mode, arguments);
    va_end(arguments);
    return child;
}

static void sleep_ms(long ms)
{
    const struct timespec moment = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&moment, NULL);
}

/* Returns waitpid's status; kills the process if it does not end. */
static int wait_for(pid_t pid)
{
    int status;
    for (int i = 0; i < PATIENCE_S * 200; ++i) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            return status;
        sleep_ms(5);
    }
    kill(-pid, SIGKILL); /* with its children, which it may be waiting for */
    waitpid(pid, &status, 0);
    fail_msg("the process hangs");
    return status;
}

struct result finish(const struct child *child)
{
    struct result result = {.pid = child->pid};
    result.status = wait_for(child->pid);
    result.out = child->out_path ? read_file(child->out_path) : NULL;
    result.err = child->err_path ? read_file(child->err_path) : NULL;
    result.report = read_file(scratch("report"));
    return result;
}

struct result run(const char *mode, ...)
{
    va_list arguments;
    va_start(arguments, mode);
    struct child child = begin_list(mode, arguments);
    va_end(arguments);
    return finish(&child);
}

void await(const struct child *child, const char *text)
{
    for (int i = 0; i < PATIENCE_S * 500; ++i) {
        const char *out = read_file(child->out_path);
        if (out && strstr(out, text))
            return;
        sleep_ms(2);
    }
    kill(-child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
    fail_msg("the process does not say %s", text);
}

void assert_exit(const struct result *result, int code)
{
    if (!WIFEXITED(result->status) || WEXITSTATUS(result->status) != code)
        fail_msg("wait status %#x instead of exit code %d; stderr: %.2000s", (unsigned)result->status, code,
                 result->err ? result->err : "");
}

void assert_signal(const struct result *result, int signal)
{
    if (!WIFSIGNALED(result->status) || WTERMSIG(result->status) != signal)
        fail_msg("wait status %#x instead of signal %d; stderr: %.2000s", (unsigned)result->status, signal,
                 result->err ? result->err : "");
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

static const char *skip_value(const char *at);

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        ++at;
    return at;
}

/* Each skip_ function returns the end of what it skips, or NULL if that is malformed. */
static const char *skip_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    for (; *at != '"'; ++at) {
        if ((unsigned char)*at < 0x20) /* also at the terminator */
            return NULL;
        if (*at == '\\' && !strchr("\"\\/bfnrtu", *++at))
            return NULL;
    }
    return at + 1;
}

static const char *skip_member(const char *at)
{
    at = skip_string(at);
    at = at ? skip_blanks(at) : NULL;
    return at && *at == ':' ? skip_value(at + 1) : NULL;
}

static const char *skip_list(const char *at, char end, const char *(*skip_one)(const char *))
{
    at = skip_blanks(at + 1);
    if (*at == end)
        return at + 1;
    while ((at = skip_one(at)) && *(at = skip_blanks(at)) == ',')
        at = skip_blanks(at + 1);
    return at && *at == end ? at + 1 : NULL;
}

static const char *skip_number(const char *at)
{
    if (*at == '-')
        ++at;
    if (!isdigit((unsigned char)*at))
        return NULL;
    while (isdigit((unsigned char)*at) || (*at && strchr("+-.eE", *at)))
        ++at;
    return at;
}

static const char *skip_value(const char *at)
{
    static const char *const words[] = {"true", "false", "null"};
    at = skip_blanks(at);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (!strncmp(at, words[i], strlen(words[i])))
            return at + strlen(words[i]);
    switch (*at) {
    case '{':
        return skip_list(at, '}', skip_member);
    case '[':
        return skip_list(at, ']', skip_value);
    case '"':
        return skip_string(at);
    default:
        return skip_number(at);
    }
}

int is_json(const char *text)
{
    const char *end = text && *text ? skip_value(text) : NULL;
    return end && !*skip_blanks(end);
}

/* Returns where the statistic's line in the report continues after the name; every statistic has a line of its own.
 * `set` may be NULL: any set. Names are escaped as in JSON. */
static const char *find_stat(const char *report, const char *set, const char *name)
{
    const size_t size = strlen(name) + (set ? strlen(set) : 0) + 32;
    char *part = keep(size);
    const char *stats;
    if (!report)
        fail_msg("there is no report");
    stats = find(report, "\n\"stats\":");
    if (!stats)
        fail_msg("not a report: %.200s", report);
    if (set)
        snprintf(part, size, "{\"set\":\"%s\",\"name\":\"%s\",", set, name);
    else
        snprintf(part, size, ",\"name\":\"%s\",", name);
    return stats ? find(stats, part) : NULL;
}

int has_stat(const char *report, const char *name)
{
    return find_stat(report, NULL, name) != NULL;
}

/* Returns the number of `key` after `at`, on the same line. */
static uint64_t number_behind(const char *at, const char *key)
{
    char part[64];
    snprintf(part, sizeof part, "\"%s\":", key);
    const char *found = at ? find(at, part) : NULL;
    if (!found || memchr(at, '\n', (size_t)(found - at)))
        fail_msg("the report has no %s here: %.200s", key, at ? at : "");
    return found ? strtoull(found + strlen(part), NULL, 10) : 0;
}

uint64_t set_stat_number(const char *report, const char *set, const char *name, const char *key)
{
    const char *stat = find_stat(report, set, name);
    if (!stat)
        fail_msg("the report has no statistic %s: %.2000s", name, report);
    return number_behind(stat, key);
}

uint64_t stat_number(const char *report, const char *name, const char *key)
{
    return set_stat_number(report, NULL, name, key);
}

static uint64_t section_number(const char *report, const char *section, const char *key)
{
    const char *at = report ? find(report, section) : NULL;
    if (!at)
        fail_msg("there is no report, or it has no %s", section);
    return number_behind(at, key);
}

uint64_t dropped(const char *report, const char *key)
{
    return section_number(report, "\"dropped\":", key);
}

uint64_t process_number(const char *report, const char *key)
{
    return section_number(report, "\"process\":", key);
}

/* ------------------------------------------------------------------------------------------------------------- main */

int run_itself(int argc, char **argv)
{
    if (argc > 1)
        return run_mode(argv[1]);
    return test_run(make_scratch, remove_scratch);
}

__attribute__((weak)) int test_main(int argc, char **argv)
{
    return run_itself(argc, argv);
}
