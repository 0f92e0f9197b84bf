/* Where reports are written, and in which format: STINT_REPORT, STINT_OUTPUT, and stderr in every state. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

MODE(works)
{
    STINT_SCOPE("outer");

    scopes("work", 3);
    return 3;
}

/* A program that was started without stderr: a file of its own gets that descriptor. */
MODE(writes_a_file)
{
    if (getenv("TEST_EARLY"))
        scopes("work", 3);
    int fd = open(getenv("TEST_PATH"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd != STDERR_FILENO)
        return 1;
    scopes("work", 3);
    return write(fd, "data\n", 5) != 5;
}

/* Descriptor 2 becomes a file of the program: of its data, or a journal. */
MODE(replaces_stderr)
{
    const int flags = getenv("TEST_JOURNAL") ? O_WRONLY | O_CREAT | O_APPEND : O_RDWR | O_CREAT | O_TRUNC;
    if (chdir(getenv("TEST_FOLDER")))
        return 1;
    scopes("work", 3);
    close(STDERR_FILENO);
    if (open(getenv("TEST_PATH"), flags, 0666) != STDERR_FILENO)
        return 1;
    scopes("work", 3);
    return write(STDERR_FILENO, "data\n", 5) != 5;
}

/* Its report is longer than a pipe. */
MODE(has_many_names)
{
    if (chdir(getenv("TEST_FOLDER")))
        return 1;
    for (int i = 0; i < 1000; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "a scope with a rather long name, number %d", i);
        REGISTER_TIMER_DYNAMIC(name);
    }
    return 3;
}

/* Forbids itself what it does not do, as sandboxed programs do, in the way of TEST_ACTION. */
MODE(confines_itself)
{
    static const unsigned numbers[] = {
        SYS_openat, SYS_socket, SYS_clone,  SYS_clone3, SYS_renameat2, SYS_unlinkat, SYS_mkdirat, SYS_ppoll,
#ifdef SYS_open
        SYS_open,   SYS_rename, SYS_unlink, SYS_mkdir,  SYS_poll,
#endif
    };
    enum { NUMBERS = sizeof numbers / sizeof numbers[0] };
    struct sock_filter filter[2 * NUMBERS + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    for (size_t i = 0; i < NUMBERS; i++) {
        filter[2 * i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, numbers[i], 0, 1);
        filter[2 * i + 2] =
            (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, (unsigned)strtoul(getenv("TEST_ACTION"), NULL, 0));
    }
    filter[2 * NUMBERS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    if (!getenv("TEST_LATE"))
        scopes("work", 3);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){2 * NUMBERS + 2, filter}))
        return 1;
    scopes("work", 3);
    return 3;
}

/* Forbids what stint may ask the kernel, but no loader does, to the program that it executes. */
MODE(executes_confined)
{
    struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 1),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){sizeof filter / sizeof filter[0], filter}))
        return 1;
    (void)execl("/proc/self/exe", "confined", "moves", (char *)NULL);
    return 2;
}

MODE(moves)
{
    if (chdir(getenv("TEST_PATH")))
        return 1;
    scopes("work", 3);
    return chdir("elsewhere") ? 1 : 3;
}

MODE(limits_file_size)
{
    const struct rlimit none = {0, 0};
    scopes("work", 3);
    if (!getenv("TEST_DEFAULT"))
        signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    return 3;
}

MODE(has_no_more_files)
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

MODE(saves_often)
{
    save_often(SAVES);
    return 0;
}

static void *save_there(void *argument)
{
    save_often(SAVES);
    return argument;
}

MODE(saves_from_threads)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, save_there, NULL);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}

MODE(saves_badly)
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

MODE(crashes)
{
    STINT_SCOPE("outer");
    scopes("work", 3);
    raise(SIGSEGV);
    return 1;
}

MODE(prints_as_nvprof)
{
    scopes("work", 3);
    return stint_report_print(STINT_FORMAT_NVPROF_CSV) || stint_report_print(STINT_FORMAT_NVPROF);
}

/* ---------------------------------------------------------------------------------------------------------- formats */

#define TO_STDERR "STINT_OUTPUT="

TEST(test_formats)
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

TEST(test_off)
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

TEST(test_nonsense_format)
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

TEST(reports_of_the_module_survive_a_crash)
{
    struct result result = run("crashes", "STINT_REPORT=threads", TO_STDERR, NULL);
    assert_true(occurrences(result.err, "Thread") >= 1);
}

TEST(reports_of_the_program_are_named_and_the_table_is_printed)
{
    struct result result = run("works", "STINT_REPORT=nvtx_sum,cuda_api_sum:csv", TO_STDERR, NULL);
    assert_int_equal(occurrences(result.err, "stint stats FILE --report nvtx_sum; "), 1);
    assert_int_equal(occurrences(result.err, "Time(%)"), 1);
}

TEST(without_the_module_one_line_says_so_and_the_table_is_printed)
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

TEST(calls_that_print_load_the_module)
{
    struct result result = run("prints_as_nvprof", "STINT_REPORT=off", TO_STDERR, NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "No kernels were profiled."), 2);
    result = run("prints_as_nvprof", "STINT_REPORT=off", "STINT_MODULE=/nowhere.so", TO_STDERR, NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "the table is printed instead: /nowhere.so"), 1);
    assert_int_equal(occurrences(result.err, "Time(%)"), 2);
}

TEST(a_module_of_another_stint_is_refused)
{
    struct result result = run("works", "STINT_REPORT=nvprof", "STINT_MODULE=" OTHER_MODULE, TO_STDERR, NULL);
    assert_int_equal(occurrences(result.err, "is of another version"), 1);
    assert_int_equal(occurrences(result.err, "Time(%)"), 1);
}

/* ------------------------------------------------------------------------------------------------------------ files */

TEST(test_patterns)
{
    char host[256], expected[512];
    gethostname(host, sizeof host);
    struct result result = run("works", setting("STINT_OUTPUT", scratch("%p-%h-%r-%q{TEST_A}-%q{TEST_NONE}-%%-%%p")),
                               "TEST_A=a%pb", "RANK=7", NULL);
    assert_exit(&result, 3);
    assert_string_equal(result.err, "");
    snprintf(expected, sizeof expected, "%d-%s-7-a%%pb--%%-%%p", (int)result.pid, host);
    assert_int_equal(stat_number(read_file(scratch(expected)), "work", "count"), 3);
}

TEST(test_ranks)
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
TEST(test_unknown_patterns)
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

TEST(test_long_path)
{
    char name[6000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memcpy(name, "STINT_OUTPUT=", 13);
    struct result result = run("works", name, NULL);
    assert_exit(&result, 3);
    assert_non_null(strstr(result.err, "\n{"));
    assert_true(is_json(strstr(result.err, "\n{")));
    assert_int_equal(occurrences(result.err, "STINT_OUTPUT="), 1);
}

/* JSON, which is for programs, is not what a person gets to read for want of a file. */
static void assert_table_of_work(const char *text)
{
    assert_non_null(strstr(text, " work"));
    assert_null(strstr(text, "\"format\""));
}

static void assert_falls_back(const char *mode, const char *path, const char *reason)
{
    const struct result result = run(mode, setting("STINT_OUTPUT", path), NULL);
    assert_exit(&result, 3);
    assert_int_equal(occurrences(result.err, "cannot write the report to"), 1);
    assert_int_equal(occurrences(result.err, path), 1);
    assert_int_equal(occurrences(result.err, reason), 1);
    assert_table_of_work(result.err);
}

/* Root may write where others may not, but even root cannot write to a missing folder. */
TEST(test_unwritable)
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
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    redirect_next(STDERR_FILENO, ends[1]);
    struct result result = run("limits_file_size", setting("STINT_OUTPUT", scratch("full")), default_action, NULL);
    close(ends[1]);
    ssize_t length = read(ends[0], text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    assert_exit(&result, 3);
    return text;
}

/* On a full disk, neither a partial report nor a temporary file is left. */
TEST(test_full_disk)
{
    const char *text = run_limited(NULL);
    assert_int_equal(occurrences(text, "cannot write the report to"), 1);
    assert_int_equal(occurrences(text, "File too large"), 1);
    assert_table_of_work(text);
    assert_int_equal(for_each_scratch("full", NULL), 0);
}

/* The signal that comes with the limit must not change the end of a program that had already ended normally. */
TEST(test_file_size_signal)
{
    if (TEST_UNDER_GCOV)
        skip();
    assert_int_equal(occurrences(run_limited("TEST_DEFAULT=1"), "File too large"), 1);
    assert_int_equal(for_each_scratch("full", NULL), 0);
}

/* The program ends as it does without stint, whatever happens to who does what it does not: it is refused, killed, or
 * gets a signal. */
TEST(a_sandbox_has_no_violations)
{
    static const unsigned actions[] = {SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_TRAP};
    char action[32];
    if (TEST_UNDER_GCOV)
        skip();
    for (int i = 0; i < 3; i++) {
        (void)snprintf(action, sizeof action, "TEST_ACTION=%u", actions[i]);
        struct result result = run("confines_itself", TO_STDERR, action, "STINT_REPORT=table", NULL);
        assert_exit(&result, 3);
        assert_table_of_work(result.err);
        result = run("confines_itself", TO_STDERR, action, "STINT_REPORT=table", "TEST_LATE=1", NULL);
        assert_exit(&result, 3);
        assert_table_of_work(result.err);
        result = run("confines_itself", setting("STINT_OUTPUT", scratch("confined")), action, NULL);
        assert_exit(&result, 3);
        assert_table_of_work(result.err);
        assert_int_equal(occurrences(result.err, "cannot write the report to"), 1);
        assert_int_equal(for_each_scratch("confined", NULL), 0);
    }
}

TEST(a_sandbox_that_a_program_begins_in_has_no_violations)
{
    struct result result =
        run("executes_confined", setting("TEST_PATH", scratch("")), setting("STINT_CONTROL", scratch("")), NULL);
    assert_exit(&result, 1);
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
}

TEST(test_no_descriptors)
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

TEST(test_replaces_file)
{
    const char *path = scratch("report");
    FILE *old;
    char text[16] = "";
    write_file(path, "old");
    old = fopen(path, "r");
    struct result result = run("works", NULL);
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
    struct result result = finish(&child);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(torn, 0);
    assert_true(seen > 2);
    assert_int_equal(for_each_scratch("saved", NULL), 1); /* no temporary file */
    assert_int_equal(occurrences(read_file(path), ",\"name\":\"name "), SAVES);
}

TEST(test_readers_see_whole_files)
{
    watch("saves_often");
}

TEST(test_savers_do_not_mix)
{
    watch("saves_from_threads");
}

TEST(test_bad_saves)
{
    const struct result result = run("saves_badly", setting("TEST_PATH", scratch("bad")), NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "/nowhere/at/all"), 1);
    assert_int_equal(stat_number(result.report, "work", "count"), 3); /* nothing was printed in full */
    assert_int_equal(for_each_scratch("bad", NULL), 0);
}

/* ---------------------------------------------------------------------------------------------------- special files */

TEST(test_null_device)
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

TEST(test_fifo)
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
TEST(test_fifo_without_reader)
{
    const char *path = make_fifo();
    assert_falls_back("works", path, "No such device");
    assert_fifo(path);
}

/* A folder like any other, although its path begins with /dev. */
TEST(test_shared_memory_folder)
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
TEST(test_link_to_file)
{
    struct stat status;
    write_file(scratch("real"), "old");
    assert_int_equal(symlink("real", scratch("link")), 0);
    struct result result = run("works", setting("STINT_OUTPUT", scratch("link")), NULL);
    assert_exit(&result, 3);
    assert_int_equal(lstat(scratch("link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(is_json(read_file(scratch("real"))));
}

/* A relative path is relative to the folder in which the program began. */
TEST(test_relative_path)
{
    assert_int_equal(mkdir(scratch("elsewhere"), 0777), 0);
    struct result result = run("moves", "STINT_OUTPUT=relative", setting("TEST_PATH", scratch("")), NULL);
    assert_exit(&result, 3);
    assert_true(is_json(read_file(scratch("relative"))));
}

/* If the stream goes to a file, /dev/stdout and /dev/stderr are links, which are followed and not replaced. */
TEST(test_link_to_stream)
{
    const char *path = scratch("link");
    struct stat status;
    assert_int_equal(symlink("/proc/self/fd/1", path), 0);
    struct result result = run("works", setting("STINT_OUTPUT", path), NULL);
    assert_exit(&result, 3);
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(is_json(result.out));
}

/* ----------------------------------------------------------------------------------------------------------- stderr */

TEST(test_closed_stderr)
{
    redirect_next(STDERR_FILENO, -1);
    struct result result = run("works", TO_STDERR, NULL);
    assert_exit(&result, 3);
    redirect_next(STDERR_FILENO, -1);
    result = run("works", "STINT_OUTPUT=/nowhere/at/all", "STINT_CLOCK=sundial", NULL);
    assert_exit(&result, 3);
}

/* The descriptor that stderr had now belongs to another file, to which stint must not write. */
TEST(test_file_in_place_of_stderr)
{
    const char *path = scratch("data");
    redirect_next(STDERR_FILENO, -1);
    struct result result = run("writes_a_file", TO_STDERR, "TEST_EARLY=1", setting("TEST_PATH", path), NULL);
    assert_exit(&result, 0);
    assert_string_equal(read_file(path), "data\n");
    redirect_next(STDERR_FILENO, -1);
    result = run("writes_a_file", TO_STDERR, setting("TEST_PATH", path), NULL);
    assert_exit(&result, 0);
    assert_string_equal(read_file(path), "data\n");
}

/* The report goes to a file of its own, also if it was to go to the descriptor by its name. */
TEST(test_replaced_stderr)
{
    static const char *const ways[][2] = {
        {TO_STDERR, "TEST_JOURNAL="}, {TO_STDERR, "TEST_JOURNAL=1"}, {"STINT_OUTPUT=/dev/stderr", "TEST_JOURNAL=1"}};
    const char *path = scratch("data");
    for (int i = 0; i < 3; i++) {
        struct result result = run("replaces_stderr", ways[i][0], ways[i][1], setting("TEST_PATH", path),
                                   setting("TEST_FOLDER", scratch("")), NULL);
        assert_exit(&result, 0);
        assert_string_equal(read_file(path), "data\n");
        assert_int_equal(for_each_scratch("stint.", NULL), i + 1);
        unlink(path);
    }
}

/* Who starts a program may wait for its end before reading what it wrote. */
TEST(a_pipe_that_nobody_reads_is_not_waited_for)
{
    static char text[1 << 18];
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    redirect_next(STDERR_FILENO, ends[1]);
    struct result result = run("has_many_names", TO_STDERR, setting("TEST_FOLDER", scratch("")), NULL);
    close(ends[1]);
    assert_exit(&result, 3);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
        length += (size_t)got;
    text[length] = '\0';
    close(ends[0]);
    char *line = strstr(text, "the report is in "), *path = line ? strchr(line, '/') : NULL;
    assert_non_null(path);
    path[strcspn(path, "\n")] = '\0';
    assert_true(is_json(read_file(path)));
}

TEST(test_full_stderr)
{
    const int full = open("/dev/full", O_WRONLY);
    redirect_next(STDERR_FILENO, full);
    struct result result = run("works", TO_STDERR, NULL);
    assert_exit(&result, 3);
    close(full);
}

/* The reader has gone before anything is written: SIGPIPE is not raised, whether it would kill or is blocked. */
TEST(test_broken_stderr)
{
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    redirect_next(STDERR_FILENO, ends[1]);
    struct result result = run("works", TO_STDERR, NULL);
    assert_exit(&result, 3);
    redirect_next(STDERR_FILENO, ends[1]);
    result = run("works", TO_STDERR, "STINT_SIGNALS=off", "STINT_REPORT=paddle", NULL);
    assert_exit(&result, 3);
    close(ends[1]);
}
