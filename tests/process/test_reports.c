/* Where reports are written, and in which format: STINT_REPORT, STINT_OUTPUT, and stderr in every state. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

static int works(void)
{
    STINT_SCOPE("outer");

    scopes("work", 3);
    return 3;
}

/* A program that was started without stderr: a file of its own gets that descriptor. */
static int writes_a_file(void)
{
    int fd;
    if (getenv("TEST_EARLY"))
        scopes("work", 3);
    fd = open(getenv("TEST_PATH"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd != STDERR_FILENO)
        return 1;
    scopes("work", 3);
    return write(fd, "data\n", 5) != 5;
}

/* Descriptor 2 becomes a file of the program: of its data, or of its log. */
static int replaces_stderr(void)
{
    const int flags = getenv("TEST_LOG") ? O_WRONLY | O_CREAT | O_APPEND : O_RDWR | O_CREAT | O_TRUNC;
    if (chdir(getenv("TEST_FOLDER")))
        return 1;
    scopes("work", 3);
    close(STDERR_FILENO);
    if (open(getenv("TEST_PATH"), flags, 0666) != STDERR_FILENO)
        return 1;
    scopes("work", 3);
    return write(STDERR_FILENO, "data\n", 5) != 5;
}

static int moves(void)
{
    if (chdir(getenv("TEST_PATH")))
        return 1;
    scopes("work", 3);
    return chdir("elsewhere") ? 1 : 3;
}

static int limits_file_size(void)
{
    const struct rlimit none = {0, 0};
    scopes("work", 3);
    if (!getenv("TEST_DEFAULT"))
        signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    return 3;
}

static int has_no_more_files(void)
{
    const struct rlimit few = {3, 3};
    scopes("work", 3);
    setrlimit(RLIMIT_NOFILE, &few);
    return 3;
}

static void save_often(int times)
{
    char name[32];
    for (int i = 0; i < times; ++i) {
        snprintf(name, sizeof name, "name %d", i);
        scopes(name, 1);
        if (stint_report_save(STINT_FORMAT_JSON, getenv("TEST_PATH")))
            exit(1);
    }
}

enum { SAVES = WITH_TSAN ? 30 : 150 };

static int saves_often(void)
{
    save_often(SAVES);
    return 0;
}

static void *save_there(void *argument)
{
    save_often(SAVES);
    return argument;
}

static int saves_from_threads(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, save_there, NULL);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}

static int saves_badly(void)
{
    int failed = 0;
    scopes("work", 3);
    failed += stint_report_save(STINT_FORMAT_JSON, NULL) != STINT_ERROR_INVALID_ARGUMENT;
    failed += stint_report_save(STINT_FORMAT_JSON, "") != STINT_ERROR_INVALID_ARGUMENT;
    failed += stint_report_save(STINT_FORMAT_JSON, "%") != STINT_ERROR_INVALID_ARGUMENT;
    failed += stint_report_save(STINT_FORMAT_JSON, "%x") != STINT_ERROR_INVALID_ARGUMENT;
    failed += stint_report_save((enum stint_format)99, getenv("TEST_PATH")) != STINT_ERROR_INVALID_ARGUMENT;
    failed += stint_report_save(STINT_FORMAT_JSON, "/nowhere/at/all") != STINT_ERROR_IO;
    failed += stint_report_print((enum stint_format) - 1) != STINT_ERROR_INVALID_ARGUMENT;
    return failed;
}

static int crashes(void)
{
    STINT_SCOPE("outer");
    scopes("work", 3);
    raise(SIGSEGV);
    return 1;
}

static int prints_as_nvprof(void)
{
    scopes("work", 3);
    return stint_report_print(STINT_FORMAT_NVPROF_CSV) || stint_report_print(STINT_FORMAT_NVPROF);
}

static const struct mode s_modes[] = {
    {"crashes", crashes},
    {"prints_as_nvprof", prints_as_nvprof},
    {"works", works},
    {"writes_a_file", writes_a_file},
    {"replaces_stderr", replaces_stderr},
    {"moves", moves},
    {"limits_file_size", limits_file_size},
    {"has_no_more_files", has_no_more_files},
    {"saves_often", saves_often},
    {"saves_from_threads", saves_from_threads},
    {"saves_badly", saves_badly},
    {NULL, NULL},
};

/* ---------------------------------------------------------------------------------------------------------- formats */

#define TO_STDERR "STINT_OUTPUT="

/* Returns a setting as an environment string that lives until the test ends. */
static const char *setting(const char *name, const char *value)
{
    char text[512];
    snprintf(text, sizeof text, "%s=%s", name, value);
    /* scratch() keeps texts; the folder in front is skipped. */
    return strstr(scratch(text), text);
}

static void test_formats(void **state)
{
    static const struct {
        const char *setting, *shows;
    } formats[] = {
        {"STINT_REPORT=table", "Time(%)"},     {"STINT_REPORT=TABLE", "Time(%)"},
        {"STINT_REPORT=tree", "outer"},        {"STINT_REPORT=paddle", "Stat=outer"},
        {"STINT_REPORT=csv", "outer"},         {"STINT_REPORT=json", "\"format\":\"stint-report\""},
        {"STINT_REPORT=", "Time(%)"},          {"STINT_REPORT", "Time(%)"},
        {"STINT_REPORT=Json", "stint-report"}, {"STINT_REPORT=nvprof", "Profiling result"},
    };

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        struct result result = run("works", formats[i].setting, TO_STDERR, NULL);
        assert_exit(&result, 3);
        assert_string_equal(result.out, "");
        assert_true(occurrences(result.err, formats[i].shows) >= 1);

        result = run("works", formats[i].setting, NULL); /* the same to a file */
        assert_exit(&result, 3);
        assert_string_equal(result.err, "");
        assert_true(occurrences(result.report, formats[i].shows) >= 1);
        assert_null(strchr(result.report, '\033'));
        remove(scratch("report"));
    }
}

static void test_off(void **state)
{
    struct result result = run("works", "STINT_REPORT=off", NULL);
    assert_exit(&result, 3);
    assert_string_equal(result.err, "");
    assert_null(result.report);
    result = run("works", "STINT_ENABLE=off", NULL);
    assert_exit(&result, 3);
    assert_string_equal(result.err, "");
    assert_null(result.report);
}

static void test_nonsense_format(void **state)
{
    static const char *const settings[] = {"STINT_REPORT=tables",     "STINT_REPORT= table",    "STINT_REPORT=0",
                                           "STINT_REPORT=table,",     "STINT_REPORT=%n%s",      "STINT_REPORT=,",
                                           "STINT_REPORT=table,off",  "STINT_REPORT=tree:csv",  "STINT_REPORT=:csv",
                                           "STINT_REPORT=nvtx_sum:x", "STINT_REPORT=table json"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; ++i) {
        const struct result result = run("works", settings[i], NULL);
        assert_exit(&result, 3);
        assert_int_equal(occurrences(result.err, "\n"), 1);
        assert_int_equal(occurrences(result.err, settings[i]), 1);
        assert_int_equal(occurrences(result.err, "expected off, or one or more, separated by commas, of table|tree|"),
                         1);
        assert_int_equal(occurrences(result.err, "|osrt_sum, with :csv behind a name as CSV; using table"), 1);
        assert_int_equal(occurrences(result.report, "Time(%)"), 1);
    }
}

/* ----------------------------------------------------------------------------------------------------------- module */

static void reports_of_the_module_survive_a_crash(void **state)
{
    struct result result = run("crashes", "STINT_REPORT=threads", TO_STDERR, NULL);
    assert_true(occurrences(result.err, "Thread") >= 1);
}

static void reports_of_the_program_are_named_and_the_table_is_printed(void **state)
{
    struct result result = run("works", "STINT_REPORT=nvtx_sum,cuda_api_sum:csv", TO_STDERR, NULL);
    assert_int_equal(occurrences(result.err, "stint stats FILE --report nvtx_sum, where FILE is"), 1);
    assert_int_equal(occurrences(result.err, "Time(%)"), 1);
}

static void without_the_module_one_line_says_so_and_the_table_is_printed(void **state)
{
    static const char *const reports[] = {"nvprof", "threads", "threads,nvprof:csv", "table,nvprof"};
    static const char *const modes[] = {"works", "crashes"};
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++)
        for (size_t j = 0; j < sizeof modes / sizeof modes[0]; j++) {
            struct result result =
                run(modes[j], setting("STINT_REPORT", reports[i]), "STINT_MODULE=/nowhere.so", TO_STDERR, NULL);
            assert_int_equal(occurrences(result.err, "the table is printed instead: /nowhere.so"), 1);
            assert_int_equal(occurrences(result.err, "set STINT_MODULE to its path\n"), 1);
            assert_int_equal(occurrences(result.err, "Time(%)"), 1);
        }
    struct result result = run("works", "STINT_REPORT=json,nvprof", "STINT_MODULE=/nowhere.so", TO_STDERR, NULL);
    assert_int_equal(occurrences(result.err, "stint-report"), 1);
    assert_int_equal(occurrences(result.err, "Time(%)"), 1);
}

static void calls_that_print_load_the_module(void **state)
{
    struct result result = run("prints_as_nvprof", "STINT_REPORT=off", TO_STDERR, NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "No kernels were profiled."), 2);
    result = run("prints_as_nvprof", "STINT_REPORT=off", "STINT_MODULE=/nowhere.so", TO_STDERR, NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "the table is printed instead: /nowhere.so"), 1);
    assert_int_equal(occurrences(result.err, "Time(%)"), 2);
}

static void a_module_of_another_stint_is_refused(void **state)
{
    struct result result = run("works", "STINT_REPORT=nvprof", "STINT_MODULE=" OTHER_MODULE, TO_STDERR, NULL);
    assert_int_equal(occurrences(result.err, "has another version than this library"), 1);
    assert_int_equal(occurrences(result.err, "Time(%)"), 1);
}

/* ------------------------------------------------------------------------------------------------------------ files */

static void test_patterns(void **state)
{
    char host[256], expected[512];
    struct result result;
    gethostname(host, sizeof host);
    result = run("works", setting("STINT_OUTPUT", scratch("%p-%h-%r-%q{TEST_A}-%q{TEST_NONE}-%%-%%p")), "TEST_A=a%pb",
                 "RANK=7", NULL);
    assert_exit(&result, 3);
    assert_string_equal(result.err, "");
    snprintf(expected, sizeof expected, "%d-%s-7-a%%pb--%%-%%p", (int)result.pid, host);
    assert_int_equal(stat_number(read_file(scratch(expected)), "work", "count"), 3);
}

static void test_ranks(void **state)
{
    static const char *const launchers[] = {"OMPI_COMM_WORLD_RANK=1", "PMIX_RANK=2",    "PMI_RANK=3",
                                            "MV2_COMM_WORLD_RANK=4",  "SLURM_PROCID=5", "RANK=6"};
    char name[32];
    for (int i = 0; i < 6; ++i) {
        run("works", setting("STINT_OUTPUT", scratch("r%r")), launchers[i], NULL);
        snprintf(name, sizeof name, "r%d", i + 1);
        assert_non_null(read_file(scratch(name)));
    }
    run("works", setting("STINT_OUTPUT", scratch("r%r")), NULL);
    assert_non_null(read_file(scratch("r0")));
}

/* One line says what is wrong, and the report is on stderr. */
static void test_unknown_patterns(void **state)
{
    static const char *const patterns[] = {"x%", "x%d", "%s", "x%q", "x%q{", "x%q{}", "x%q{A", "x% p", "x%P"};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; ++i) {
        const struct result result = run("works", setting("STINT_OUTPUT", scratch(patterns[i])), NULL);
        const char *json = strstr(result.err, "\n{");
        assert_exit(&result, 3);
        assert_non_null(json);
        assert_true(is_json(json));
        assert_int_equal(stat_number(json, "work", "count"), 3);
        assert_int_equal(occurrences(result.err, "STINT_OUTPUT="), 1);
        assert_int_equal(occurrences(result.err, patterns[i]), 1);
        assert_int_equal(occurrences(result.err, "expected a path with"), 1);
    }
}

static void test_long_path(void **state)
{
    char name[6000];
    struct result result;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memcpy(name, "STINT_OUTPUT=", 13);
    result = run("works", name, NULL);
    assert_exit(&result, 3);
    assert_non_null(strstr(result.err, "\n{"));
    assert_true(is_json(strstr(result.err, "\n{")));
    assert_int_equal(occurrences(result.err, "STINT_OUTPUT="), 1);
}

static void assert_falls_back(const char *mode, const char *path, const char *reason)
{
    const struct result result = run(mode, setting("STINT_OUTPUT", path), NULL);
    const char *json = strstr(result.err, "\n{");
    assert_exit(&result, 3);
    assert_int_equal(occurrences(result.err, "cannot write the report to"), 1);
    assert_int_equal(occurrences(result.err, path), 1 + (json ? occurrences(json, path) : 0));
    assert_int_equal(occurrences(result.err, reason), 1);
    assert_non_null(json);
    assert_true(is_json(json));
}

/* Root may write where others may not, but even root cannot write to a missing folder. */
static void test_unwritable(void **state)
{
    assert_falls_back("works", scratch("no/such/folder"), "No such file or directory");
    assert_int_equal(mkdir(scratch("folder"), 0777), 0);
    assert_falls_back("works", scratch("folder"), "directory");
    assert_falls_back("works", "/proc/no-such-file", "No such file or directory");
    assert_falls_back("works", "/dev/full", "No space left on device");
    if (geteuid() != 0) {
        assert_int_equal(chmod(scratch("folder"), 0555), 0);
        assert_falls_back("works", scratch("folder/report"), "Permission denied");
    }
}

/* Runs a process with a limit of 0 on the size of files, hence with a pipe for stderr, and returns what was written to
 * the pipe. */
static const char *run_limited(const char *default_action)
{
    static char text[65536];
    struct result result;
    ssize_t length;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    redirect_next(STDERR_FILENO, ends[1]);
    result = run("limits_file_size", setting("STINT_OUTPUT", scratch("full")), default_action, NULL);
    close(ends[1]);
    length = read(ends[0], text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    assert_exit(&result, 3);
    return text;
}

/* On a full disk, neither a partial report nor a temporary file is left. */
static void test_full_disk(void **state)
{
    const char *text = run_limited(NULL);
    assert_int_equal(occurrences(text, "cannot write the report to"), 1);
    assert_int_equal(occurrences(text, "File too large"), 1);
    assert_true(is_json(strstr(text, "\n{")));
    assert_int_equal(for_each_scratch("full", NULL), 0);
}

/* The signal that comes with the limit must not change the end of a program that had already ended normally. */
static void test_file_size_signal(void **state)
{
    assert_int_equal(occurrences(run_limited("TEST_DEFAULT=1"), "File too large"), 1);
    assert_int_equal(for_each_scratch("full", NULL), 0);
}

static void test_no_descriptors(void **state)
{
    assert_falls_back("has_no_more_files", scratch("none"), "Too many open files");
}

/* -------------------------------------------------------------------------------------------------------- replacing */

static ino_t inode(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_ino;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_replaces_file(void **state)
{
    const char *path = scratch("report");
    struct result result;
    FILE *old;
    char text[16] = "";
    write_file(path, "old");
    old = fopen(path, "r");
    result = run("works", NULL);
    assert_exit(&result, 3);
    assert_true(is_json(result.report));
    assert_non_null(fgets(text, sizeof text, old)); /* a reader of the old file can go on reading */
    assert_string_equal(text, "old");
    fclose(old);
    assert_int_equal(for_each_scratch("report", NULL), 1); /* no temporary file */
}

static int is_running(const struct child *child)
{
    siginfo_t info = {0};
    return !waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == 0;
}

/* Reads the path continually while the mode saves to it: every file that appears is complete. */
static void watch(const char *mode)
{
    const char *path = scratch("saved");
    const struct child child = begin(mode, setting("TEST_PATH", path), NULL);
    unsigned seen = 0, torn = 0;
    struct result result;
    struct stat status;
    ino_t last = 0;
    while (is_running(&child)) {
        const char *text = read_file(path);
        torn += text && !is_json(text);
        if (!stat(path, &status) && status.st_ino != last) {
            last = status.st_ino;
            ++seen;
        }
    }
    result = finish(&child);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(torn, 0);
    assert_true(seen > 2);
    assert_int_equal(for_each_scratch("saved", NULL), 1); /* no temporary file */
    assert_int_equal(occurrences(read_file(path), ",\"name\":\"name "), SAVES);
}

static void test_readers_see_whole_files(void **state)
{
    watch("saves_often");
}

static void test_savers_do_not_mix(void **state)
{
    watch("saves_from_threads");
}

static void test_bad_saves(void **state)
{
    const struct result result = run("saves_badly", setting("TEST_PATH", scratch("bad")), NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "/nowhere/at/all"), 1);
    assert_int_equal(stat_number(result.report, "work", "count"), 3); /* nothing was printed in full */
    assert_int_equal(for_each_scratch("bad", NULL), 0);
}

/* ---------------------------------------------------------------------------------------------------- special files */

static void test_null_device(void **state)
{
    const ino_t before = inode("/dev/null");
    const struct result result = run("works", "STINT_OUTPUT=/dev/null", NULL);
    assert_exit(&result, 3);
    assert_string_equal(result.err, "");
    assert_int_equal(inode("/dev/null"), before);
}

static const char *make_fifo(void)
{
    const char *path = scratch("fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    return path;
}

static void assert_fifo(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
}

static void test_fifo(void **state)
{
    static char text[65536]; /* the capacity of a pipe */
    const char *path = make_fifo();
    const int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const struct result result = run("works", setting("STINT_OUTPUT", path), NULL);
    const ssize_t length = read(reader, text, sizeof text - 1);
    close(reader);
    assert_exit(&result, 3);
    assert_true(length > 0);
    text[length] = '\0';
    assert_true(is_json(text));
    assert_fifo(path);
}

/* There is no reader: the program does not wait for one. */
static void test_fifo_without_reader(void **state)
{
    const char *path = make_fifo();
    assert_falls_back("works", path, "No such device");
    assert_fifo(path);
}

/* A folder like any other, although its path begins with /dev. */
static void test_shared_memory_folder(void **state)
{
    const char *first, *second;
    char path[64];
    if (access("/dev/shm", W_OK))
        skip();
    snprintf(path, sizeof path, "/dev/shm/stint-test-%d", (int)getpid());
    run("works", setting("STINT_OUTPUT", path), NULL);
    first = read_file(path);
    run("works", setting("STINT_OUTPUT", path), NULL);
    second = read_file(path);
    remove(path);
    assert_true(is_json(first));
    assert_true(is_json(second));
}

/* A link belongs to the user: the file that it points to is replaced, wherever it is. */
static void test_link_to_file(void **state)
{
    struct result result;
    struct stat status;
    write_file(scratch("real"), "old");
    assert_int_equal(symlink("real", scratch("link")), 0);
    result = run("works", setting("STINT_OUTPUT", scratch("link")), NULL);
    assert_exit(&result, 3);
    assert_int_equal(lstat(scratch("link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(is_json(read_file(scratch("real"))));
}

/* A relative path is relative to the folder in which the program began. */
static void test_relative_path(void **state)
{
    struct result result;
    assert_int_equal(mkdir(scratch("elsewhere"), 0777), 0);
    result = run("moves", "STINT_OUTPUT=relative", setting("TEST_PATH", scratch("")), NULL);
    assert_exit(&result, 3);
    assert_true(is_json(read_file(scratch("relative"))));
}

/* If the stream goes to a file, /dev/stdout and /dev/stderr are links, which are followed and not replaced. */
static void test_link_to_stream(void **state)
{
    const char *path = scratch("link");
    struct result result;
    struct stat status;
    assert_int_equal(symlink("/proc/self/fd/1", path), 0);
    result = run("works", setting("STINT_OUTPUT", path), NULL);
    assert_exit(&result, 3);
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(is_json(result.out));
}

/* ----------------------------------------------------------------------------------------------------------- stderr */

static void test_closed_stderr(void **state)
{
    struct result result;
    redirect_next(STDERR_FILENO, -1);
    result = run("works", TO_STDERR, NULL);
    assert_exit(&result, 3);
    redirect_next(STDERR_FILENO, -1);
    result = run("works", "STINT_OUTPUT=/nowhere/at/all", "STINT_CLOCK=sundial", NULL);
    assert_exit(&result, 3);
}

/* The descriptor that stderr had now belongs to another file, to which stint must not write. */
static void test_file_in_place_of_stderr(void **state)
{
    const char *path = scratch("data");
    struct result result;
    redirect_next(STDERR_FILENO, -1);
    result = run("writes_a_file", TO_STDERR, "TEST_EARLY=1", setting("TEST_PATH", path), NULL);
    assert_exit(&result, 0);
    assert_string_equal(read_file(path), "data\n");
    redirect_next(STDERR_FILENO, -1);
    result = run("writes_a_file", TO_STDERR, setting("TEST_PATH", path), NULL);
    assert_exit(&result, 0);
    assert_string_equal(read_file(path), "data\n");
}

/* The report goes to a file of its own, unless the program writes a log where its stderr was. */
static void test_replaced_stderr(void **state)
{
    const char *path = scratch("data");
    struct result result =
        run("replaces_stderr", TO_STDERR, setting("TEST_PATH", path), setting("TEST_FOLDER", scratch("")), NULL);
    assert_exit(&result, 0);
    assert_string_equal(read_file(path), "data\n");
    assert_int_equal(for_each_scratch("stint.", NULL), 1);
    unlink(path);
    result = run("replaces_stderr", TO_STDERR, "TEST_LOG=1", setting("TEST_PATH", path),
                 setting("TEST_FOLDER", scratch("")), NULL);
    assert_exit(&result, 0);
    assert_non_null(strstr(read_file(path), "\"format\":\"stint-report\""));
    assert_int_equal(for_each_scratch("stint.", NULL), 1);
}

static void test_full_stderr(void **state)
{
    const int full = open("/dev/full", O_WRONLY);
    struct result result;
    redirect_next(STDERR_FILENO, full);
    result = run("works", TO_STDERR, NULL);
    assert_exit(&result, 3);
    close(full);
}

/* The reader has gone before anything is written: SIGPIPE is not raised, whether it would kill or is blocked. */
static void test_broken_stderr(void **state)
{
    struct result result;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    redirect_next(STDERR_FILENO, ends[1]);
    result = run("works", TO_STDERR, NULL);
    assert_exit(&result, 3);
    redirect_next(STDERR_FILENO, ends[1]);
    result = run("works", TO_STDERR, "STINT_SIGNALS=off", "STINT_REPORT=paddle", NULL);
    assert_exit(&result, 3);
    close(ends[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        process_test(test_formats),
        process_test(test_off),
        process_test(test_nonsense_format),
        process_test(reports_of_the_module_survive_a_crash),
        process_test(reports_of_the_program_are_named_and_the_table_is_printed),
        process_test(without_the_module_one_line_says_so_and_the_table_is_printed),
        process_test(calls_that_print_load_the_module),
        process_test(a_module_of_another_stint_is_refused),
        process_test(test_patterns),
        process_test(test_ranks),
        process_test(test_unknown_patterns),
        process_test(test_long_path),
        process_test(test_unwritable),
        process_test(test_full_disk),
        process_test(test_file_size_signal),
        process_test(test_no_descriptors),
        process_test(test_replaces_file),
        process_test(test_readers_see_whole_files),
        process_test(test_savers_do_not_mix),
        process_test(test_bad_saves),
        process_test(test_null_device),
        process_test(test_fifo),
        process_test(test_fifo_without_reader),
        process_test(test_shared_memory_folder),
        process_test(test_link_to_file),
        process_test(test_relative_path),
        process_test(test_link_to_stream),
        process_test(test_closed_stderr),
        process_test(test_file_in_place_of_stderr),
        process_test(test_replaced_stderr),
        process_test(test_full_stderr),
        process_test(test_broken_stderr),
    };
    if (argc > 1)
        return run_mode(s_modes, argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
