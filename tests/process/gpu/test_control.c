/* When a program is recorded: controlled by its own calls, by time, by iteration, or by request. */
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/gpu/launches.h"
#include "stint/profiler.h"

static void nap(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Waits until recording has been switched on, or off. */
static int becomes(int enabled)
{
    for (int i = 0; i < 1000 && stint_enabled() != enabled; ++i)
        nap(10);
    return stint_enabled() == enabled;
}

static void assert_not_there(const struct result *result, const char *name)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"name\":\"%s\"", name);
    assert_int_equal(occurrences(result->report, quoted), 0);
}

/* ------------------------------------------------------------------------------------------ the program's own calls */

/* Starts its profiler twice, launching forward while it is stopped and backward while it is started. */
MODE(profiles_itself)
{
    launch_in("before", &forward, 2);
    for (int i = 0; i < 2; ++i) {
        (void)cudaProfilerStart();
        launch_in("inside", &backward, 3);
        (void)cudaProfilerStop();
        launch_in("after", &forward, 1);
    }
    (void)cudaDeviceSynchronize();
    REQUIRE(charges_add_up());
    REQUIRE(seen_charge(STINT_GPU_UNATTRIBUTED).count == 0 && seen_charge(STINT_GPU_NO_SCOPE).count == 0);
    return 0;
}

static void assert_inside_alone(const struct result *result)
{
    assert_good(result);
    assert_int_equal(stat_number(result->report, "inside", "count"), 2);
    assert_int_equal(activity_number(result->report, "backward", "count"), 6);
    assert_int_equal(use_number(result->report, "inside", "kernels"), 6);
    assert_not_there(result, "before");
    assert_not_there(result, "after");
    assert_not_there(result, "forward");
}

TEST(test_from_start_off_records_between_start_and_stop)
{
    const struct result result = run("profiles_itself", WITH_CUPTI, "STINT_GPU=on", "STINT_FROM_START=off", NULL);
    assert_inside_alone(&result);
    assert_int_equal(set_stat_number(result.report, STINT_API_SET, "cuLaunchKernel", "count"), 6);
    assert_not_there(&result, "cudaProfilerStart");
    assert_not_there(&result, "cudaProfilerStop");
    assert_not_there(&result, "cudaDeviceSynchronize");
}

TEST(test_from_start_off_needs_no_calls_of_the_api_to_be_recorded)
{
    const struct result result = run("profiles_itself", WITH_CUPTI, "STINT_GPU=kernels", "STINT_FROM_START=off", NULL);
    assert_inside_alone(&result);
}

TEST(test_from_start_on_leaves_the_profilers_calls_aside)
{
    const struct result result = run("profiles_itself", WITH_CUPTI, "STINT_GPU=kernels", "STINT_FROM_START=on", NULL);
    assert_int_equal(stat_number(result.report, "after", "count"), 2);
    assert_int_equal(stat_number(result.report, "before", "count"), 1);
}

MODE(never_starts)
{
    launch_in("before", &forward, 2);
    (void)cudaDeviceSynchronize();
    return 0;
}

TEST(test_program_that_never_starts_its_profiler_has_no_report)
{
    const struct result result = run("never_starts", WITH_CUPTI, "STINT_GPU=on", "STINT_FROM_START=off", NULL);
    assert_good(&result);
    assert_null(result.report);
}

/* The work takes 50 ms, of which the profiler sees only the beginning. */
MODE(leaves_work_behind)
{
    static const struct mock_kernel slow = {"slow", 50000000};
    (void)cudaProfilerStart();
    launch_in("inside", &slow, 1);
    (void)cudaProfilerStop();
    (void)cudaDeviceSynchronize();
    REQUIRE(charges_add_up());
    return 0;
}

TEST(test_work_counts_that_was_launched_in_time_and_ended_late)
{
    const struct result result = run("leaves_work_behind", WITH_CUPTI, "STINT_GPU=on", "STINT_FROM_START=off", NULL);
    assert_good(&result);
    assert_int_equal(activity_number(result.report, "slow", "count"), 1);
    assert_int_equal(use_number(result.report, "inside", "kernel_ns"), 50000000);
}

/* Without a collector, CUPTI reports nothing. */
MODE(profiles_by_stint)
{
    scopes("before", 2);
    (void)stint_profiler_start("mine", "");
    scopes("inside", 3);
    (void)stint_profiler_stop();
    scopes("after", 4);
    return 0;
}

/* A library that was configured without the profiler has functions that do nothing. */
static void skip_without_profiler(void)
{
#if !STINT_WITH_PROFILER
    skip();
#endif
}

TEST(test_stints_own_profiler_functions_start_it_too)
{
    skip_without_profiler();

    const struct result result = run("profiles_by_stint", "STINT_FROM_START=off", NULL);

    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "inside", "count"), 3);
    assert_not_there(&result, "before");
    assert_not_there(&result, "after");
}

/* ------------------------------------------------------------------------------------------------------- iterations */

MODE(steps)
{
    for (int i = 0; i < 10; ++i) {
        (void)stint_profiler_step();
        scopes("step", 1);
    }
    return 0;
}

TEST(test_window_of_iterations_is_all_that_is_recorded)
{
    const struct result result = run("steps", "STINT_WINDOW=2:3", NULL);
#if STINT_WITH_PROFILER
    assert_int_equal(stat_number(result.report, "step", "count"), 3);
#else
    assert_int_equal(occurrences(result.err, "STINT_WINDOW is ignored"), 1);
    assert_int_equal(stat_number(result.report, "step", "count"), 10);
#endif
}

MODE(activates)
{
    for (int i = 0; i < 4; ++i) {
        (void)stint_profiler_start("iteration", "");
        scopes("step", 1);
        (void)stint_profiler_stop();
        scopes("between", 1);
    }
    return 0;
}

TEST(test_activations_are_iterations)
{
    skip_without_profiler();

    const struct result result = run("activates", "STINT_WINDOW=1:2", NULL);

    assert_int_equal(stat_number(result.report, "step", "count"), 2);
    assert_not_there(&result, "between");
}

/* ------------------------------------------------------------------------------------------------------------- time */

MODE(waits_for_begin)
{
    scopes("early", 1);
    REQUIRE(becomes(1));
    scopes("late", 1);
    return 0;
}

TEST(test_delay_holds_recording_back)
{
    const struct result result = run("waits_for_begin", "STINT_DELAY=0.3", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "late", "count"), 1);
    assert_not_there(&result, "early");
}

MODE(waits_for_end)
{
    scopes("early", 1);
    REQUIRE(becomes(0));
    scopes("late", 1);
    return 0;
}

TEST(test_duration_ends_recording)
{
    const struct result result = run("waits_for_end", "STINT_DURATION=0.3", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "early", "count"), 1);
    assert_not_there(&result, "late");
}

MODE(waits_for_both)
{
    scopes("early", 1);
    REQUIRE(becomes(1));
    scopes("middle", 1);
    REQUIRE(becomes(0));
    scopes("late", 1);
    return 0;
}

TEST(test_duration_begins_when_the_delay_ends)
{
    const struct result result = run("waits_for_both", "STINT_DELAY=0.4", "STINT_DURATION=0.3", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "middle", "count"), 1);
    assert_not_there(&result, "early");
    assert_not_there(&result, "late");
}

MODE(is_on)
{
    scopes("scope", 1);
    return 0;
}

TEST(test_time_that_is_none_is_told_and_left_aside)
{
    static const char *const wrong[] = {"STINT_DELAY=soon", "STINT_DELAY=1,5", "STINT_DELAY=.", "STINT_DELAY=-1",
                                        "STINT_DELAY=99999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const struct result result = run("is_on", wrong[i], NULL);
        assert_int_equal(stat_number(result.report, "scope", "count"), 1);
        assert_int_equal(occurrences(result.err, "is not understood: expected seconds"), 1);
    }
}

static int threads_of_this_process(void)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)getpid());
    return stat(path, &status) ? -1 : (int)status.st_nlink - 2;
}

/* Returns whether there is a thread of that name; waits until it has the name. */
static int has_thread(const char *name)
{
    char command[128];
    snprintf(command, sizeof command, "grep -qx %s /proc/%ld/task/*/comm", name, (long)getpid());
    return system(command) == 0;
}

MODE(has_control)
{
    scopes("scope", 1);
    for (int i = 0; i < 20 && !has_thread("stint-control"); ++i)
        nap(10);
    return has_thread("stint-control");
}

TEST(test_without_anything_to_control_there_is_no_thread)
{
    const struct result without = run("has_control", NULL);
    const struct result with = run("has_control", "STINT_DURATION=100", NULL);
    assert_exit(&without, 0);
    assert_exit(&with, 1);
}

/* ------------------------------------------------------------------------------------------------------------- fork */

/* The parent's recording time is over when it forks. */
MODE(forks_when_over)
{
    int status = 1;
    scopes("parent", 1);
    REQUIRE(becomes(0));
    pid_t child = fork();
    if (!child) {
        REQUIRE(threads_of_this_process() == 1);
        REQUIRE(becomes(1));
        scopes("child", 1);
        REQUIRE(becomes(0));
        scopes("too late", 1);
        return 0;
    }
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}

static unsigned s_children;

static void look_for_child(const char *path)
{
    const char *const report = read_file(path);
    s_children += occurrences(report, "\"name\":\"child\"");
    assert_int_equal(occurrences(report, "too late"), 0);
}

TEST(test_child_has_time_of_its_own_and_a_thread_when_it_records)
{
    if (WITH_TSAN)
        skip(); /* it does not let the child of a threaded process create threads */
    struct result result = run("forks_when_over", "STINT_DURATION=0.3", NULL);
    assert_exit(&result, 0);
    s_children = 0;
    assert_int_equal(for_each_scratch("report", look_for_child), 2);
    assert_true(s_children > 0);
}

/* --------------------------------------------------------------------------------------------------------- requests */

/* Writes the path of this process's socket, "" if there is none yet. */
static void find_socket(char *path, size_t size)
{
    char pattern[PATH_MAX];
    glob_t found;
    path[0] = '\0';
    snprintf(pattern, sizeof pattern, "%s/%ld.*.sock", getenv("STINT_CONTROL"), (long)getpid());
    if (!glob(pattern, 0, NULL, &found))
        snprintf(path, size, "%s", found.gl_pathv[0]);
    globfree(&found);
}

/* Sends a line to this process's own socket. Returns the answer, "" if there is none. */
static const char *ask(const char *request)
{
    static char s_answer[1 << 20];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t used = 0;
    int fd = -1;
    for (int i = 0; i < 500; ++i) {
        find_socket(address.sun_path, sizeof address.sun_path);
        fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (!connect(fd, (struct sockaddr *)(void *)&address, sizeof address))
            break;
        close(fd);
        fd = -1;
        nap(10);
    }
    if (fd < 0 || write(fd, request, strlen(request)) < 0)
        return "";
    for (ssize_t got; (got = read(fd, s_answer + used, sizeof s_answer - 1 - used)) > 0;)
        used += (size_t)got;
    close(fd);
    s_answer[used] = '\0';
    return s_answer;
}

/* Connects to the own socket. */
static int connect_here(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    find_socket(address.sun_path, sizeof address.sun_path);
    return connect(fd, (struct sockaddr *)(void *)&address, sizeof address) ? -1 : fd;
}

/* The second client reads slowly, as the first writes. The third is served nevertheless. */
MODE(is_asked_byte_by_byte)
{
    char name[32], bytes[256];
    for (int i = 0; i < 4000; i++) {
        snprintf(name, sizeof name, "scope %d", i);
        scopes(name, 1);
    }
    REQUIRE(!strcmp(ask("on\n"), "ok\n"));
    int writer = connect_here(), reader = connect_here();
    REQUIRE(write(writer, "o", 1) == 1);
    REQUIRE(write(reader, "json\n", 5) == 5);
    for (int i = 0; i < 70; i++) {
        (void)send(writer, "o", 1, MSG_NOSIGNAL);
        (void)recv(reader, bytes, sizeof bytes, MSG_DONTWAIT);
        nap(100);
    }
    int third = connect_here();
    struct timeval patience = {1, 0};
    REQUIRE(!setsockopt(third, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience));
    REQUIRE(write(third, "off\n", 4) == 4 && read(third, bytes, 3) == 3);
    return 0;
}

/* Returns a folder for sockets that only its owner can enter; in /tmp, because paths of sockets have to be short. */
static const char *sockets(mode_t mode)
{
    static char s_folder[64], s_variable[96];
    snprintf(s_folder, sizeof s_folder, "/tmp/stint-test-XXXXXX");
    assert_non_null(mkdtemp(s_folder));
    assert_int_equal(chmod(s_folder, mode), 0);
    snprintf(s_variable, sizeof s_variable, "STINT_CONTROL=%s", s_folder);
    return s_variable;
}

/* Fails unless the folder is empty. */
static void remove_sockets(const char *variable)
{
    assert_int_equal(rmdir(strchr(variable, '=') + 1), 0);
}

TEST(test_clients_that_take_their_time)
{
    const char *variable = sockets(0700);
    const struct result result = run("is_asked_byte_by_byte", variable, NULL);
    assert_exit(&result, 0);
    remove_sockets(variable);
}

MODE(is_switched)
{
    scopes("first", 1);
    REQUIRE(!strcmp(ask("off\n"), "ok\n"));
    scopes("second", 1);
    REQUIRE(!strcmp(ask("on\n"), "ok\n"));
    scopes("third", 1);
    return 0;
}

TEST(test_requests_switch_recording)
{
    const char *variable = sockets(0700);
    const struct result result = run("is_switched", variable, NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "first", "count"), 1);
    assert_not_there(&result, "second");
    assert_int_equal(stat_number(result.report, "third", "count"), 1);
    remove_sockets(variable);
}

MODE(is_switched_on)
{
    scopes("first", 1);
    REQUIRE(!strcmp(ask("on\n"), "ok\n"));
    scopes("second", 1);
    return 0;
}

TEST(test_request_goes_before_whatever_held_recording_back)
{
    const char *variable = sockets(0700);
    const struct result result = run("is_switched_on", variable, "STINT_FROM_START=off", "STINT_DELAY=1000",
                                     "STINT_WINDOW=nothing", "STINT_ENABLE=off", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "second", "count"), 1);
    assert_not_there(&result, "first");
    remove_sockets(variable);
}

MODE(is_asked)
{
    struct stat status;
    char path[128];
    scopes("scope", 5);
    const char *answer = ask("json\n");
    REQUIRE(!strncmp(answer, "ok\n", 3));
    REQUIRE(is_json(answer + 3) && stat_number(answer + 3, "scope", "count") == 5);
    REQUIRE(!strcmp(ask("nonsense\n"), "error: expected a line: on, off, print, json or dump\n"));
    REQUIRE(!strcmp(ask("dump\n"), "error: it writes no trace: STINT_TRACE is not set\n"));
    REQUIRE(!strncmp(ask("a line that is longer than any request\n"), "error: expected a line", 22));
    REQUIRE(!strcmp(ask("print\n"), "ok\n"));
    REQUIRE(!stat(getenv("STINT_OUTPUT"), &status));
    find_socket(path, sizeof path);
    REQUIRE(!stat(path, &status) && (status.st_mode & 0777) == 0600);
    return 0;
}

TEST(test_requests_are_answered)
{
    const char *variable = sockets(0700);
    const struct result result = run("is_asked", variable, NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "scope", "count"), 5);
    remove_sockets(variable);
}

MODE(is_killed)
{
    scopes("scope", 1);
    (void)ask("on\n");
    raise(SIGTERM);
    return 0;
}

TEST(test_socket_is_removed_when_a_signal_ends_the_process)
{
    const char *variable = sockets(0700);
    const struct result result = run("is_killed", variable, NULL);
    assert_signal(&result, SIGTERM);
    remove_sockets(variable);
}

/* Returns whether a client that connects to the socket reaches this listener. */
static int can_be_reached(int listener)
{
    struct sockaddr_un address;
    socklen_t size = sizeof address;
    const int client = socket(AF_UNIX, SOCK_STREAM, 0);
    if (getsockname(listener, (struct sockaddr *)(void *)&address, &size) ||
        connect(client, (struct sockaddr *)(void *)&address, size))
        return 0;
    nap(20);
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK) >= 0;
}

/* Afterwards, the descriptor of stint's socket belongs to the program; the end of the duration makes stint look at it
 * again. */
MODE(closes_all)
{
    enum { FIRST = 3, LAST = 8 };

    scopes("scope", 1);
    REQUIRE(*ask("nothing\n"));
    for (int fd = FIRST; fd < 64; ++fd)
        (void)close(fd);
    for (int fd = FIRST; fd <= LAST; ++fd) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        REQUIRE(socket(AF_UNIX, SOCK_STREAM, 0) == fd);
        REQUIRE(!bind(fd, (struct sockaddr *)(void *)&address, sizeof(sa_family_t)) && !listen(fd, 1));
    }
    REQUIRE(becomes(0));
    nap(20);
    for (int fd = FIRST; fd <= LAST; ++fd) {
        REQUIRE(!fcntl(fd, F_SETFL, O_NONBLOCK));
        REQUIRE(can_be_reached(fd));
    }
    return 0;
}

TEST(test_program_may_close_the_socket)
{
    if (WITH_TSAN)
        skip(); /* ThreadSanitizer reports a race, rightly: the program closes descriptors that are not its own */

    const char *variable = sockets(0700);
    const struct result result = run("closes_all", variable, "STINT_DURATION=0.3", NULL);

    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "scope", "count"), 1);
    remove_sockets(variable);
}

MODE(waits_a_while)
{
    scopes("scope", 1);
    nap(200);
    return 0;
}

TEST(test_folder_that_others_may_enter_is_not_used)
{
    const char *variable = sockets(0711);
    const struct result result = run("waits_a_while", variable, NULL);
    assert_int_equal(occurrences(result.err, "requests will not be received"), 1);
    assert_int_equal(stat_number(result.report, "scope", "count"), 1);
    remove_sockets(variable);
}

TEST(test_folder_that_is_missing_is_told)
{
    const struct result result = run("is_on", "STINT_CONTROL=/nowhere", NULL);
    assert_int_equal(occurrences(result.err, "STINT_CONTROL=/nowhere: No such file"), 1);
    assert_int_equal(stat_number(result.report, "scope", "count"), 1);
}
