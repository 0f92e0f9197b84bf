/* What the program under test runs, and what runs it.
 *
 *     subject SCOPE COUNT [OUTPUT]   runs COUNT scopes, prints OUTPUT, and returns 3; if SCOPE is "printed", prints a
 *                                    table of them, too
 *     subject exec COMMAND...        runs a scope, and then executes the command
 *     subject fork SCOPE COUNT       runs a scope, and COUNT of the other in a child that executes nothing
 *     subject until FILE SCOPE       runs a scope every 10 ms until there is the file
 *     subject retitle FILE SCOPE     the same, after it has written over its environment, as setproctitle() does
 *     subject rest FILE SCOPE        runs a scope 20000 times, and then others every 10 ms until there is the file
 *     subject slow MS                runs 100 times a scope within another one, for 1 ms, and MS from the 50th on
 *     subject thread NAME            runs a scope in a thread that ends, named "NAME ended"
 *     subject crowd SCOPE COUNT      runs COUNT scopes in each of two threads
 *     subject alone SCOPE            runs a scope before and after calls that take a process with one thread
 *     subject drop SCOPE FOLDER      runs a scope, and again in a thread after it has made FOLDER its root and given up
 *                                    what root may do
 *     subject drop-meanwhile NAME    gives it up while another thread begins threads
 *     subject end COMMAND...         runs the command and prints how it ended: "exit 3", "signal 15" */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stint/report.h"
#include "stint/timer.h"

static int tell_end(char **command)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        (void)execv(command[0], command);
        _exit(125);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 1;
    if (WIFSIGNALED(status))
        printf("signal %d\n", WTERMSIG(status));
    else
        printf("exit %d\n", WEXITSTATUS(status));
    return 0;
}

/* The first line says that it runs. */
static int run_until(const char *file, const char *scope)
{
    static const struct timespec moment = {0, 10000000};
    for (int begun = 0; access(file, F_OK); begun++) {
        {
            STINT_SCOPE_DYNAMIC(scope);
            (void)nanosleep(&moment, NULL);
        }
        if (!begun)
            printf("%ld\n", (long)getpid());
        (void)fflush(stdout);
    }
    return 0;
}

static int run_slower(int ms)
{
    for (int i = 0; i < 100; i++) {
        struct timespec moment = {0, (i < 50 ? 1 : ms) * 1000000};
        STINT_SCOPE("iteration");
        STINT_SCOPE("compute");
        (void)nanosleep(&moment, NULL);
    }
    return 0;
}

static int run_and_rest(const char *file, const char *scope)
{
    for (int i = 0; i < 20000; i++) {
        STINT_SCOPE_DYNAMIC(scope);
    }
    return run_until(file, "beat");
}

extern char **environ;

/* The variables live on as copies. */
static int forget_environment(void)
{
    for (char **variable = environ; *variable; variable++) {
        char *copy = strdup(*variable);
        if (!copy)
            return 1;
        memset(*variable, 0, strlen(*variable));
        *variable = copy;
    }
    return 0;
}

static int run_and_execute(char **command)
{
    {
        STINT_SCOPE_DYNAMIC("before exec");
    }
    (void)execv(command[0], command);
    return 1;
}

static void *run_named(void *name)
{
    {
        STINT_SCOPE_DYNAMIC("in a thread");
    }
    char text[16];
    (void)snprintf(text, sizeof text, "%.9s ended", (const char *)name);
    (void)pthread_setname_np(pthread_self(), text);
    return NULL;
}

static int run_in_thread(char *name)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, run_named, name) || pthread_join(thread, NULL);
}

static int run_dropped(char *scope, const char *folder)
{
    {
        STINT_SCOPE_DYNAMIC(scope);
    }
    return chroot(folder) || chdir("/") || setuid(65534) || run_in_thread(scope);
}

static int s_is_dropped;

static void *begin_threads(void *name)
{
    int failed = 0;
    while (!failed && !__atomic_load_n(&s_is_dropped, __ATOMIC_RELAXED))
        failed = run_in_thread(name);
    return NULL;
}

static int run_dropped_meanwhile(char *name)
{
    enum { SOME_US = 25000 };
    pthread_t beginner;
    int failed =
        pthread_create(&beginner, NULL, begin_threads, name) || usleep(SOME_US) || setuid(65534) || usleep(SOME_US);
    __atomic_store_n(&s_is_dropped, 1, __ATOMIC_RELAXED);
    return failed || pthread_join(beginner, NULL);
}

static int s_is_forked;

/* Asked by AddressSanitizer before it looks for leaks. Its allocator's locks may have been held at the fork, by a
 * thread that was starting; the search in the child then never ends. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
    return s_is_forked;
}

static int run_and_fork(const char *scope, int times)
{
    int status;
    {
        STINT_SCOPE_DYNAMIC("parent");
    }
    pid_t child = fork();
    s_is_forked = child == 0;
    for (int i = 0; child == 0 && i < times; i++) {
        STINT_SCOPE_DYNAMIC(scope);
    }
    return child > 0 && waitpid(child, &status, 0) != child;
}

/* Needs no privileges. */
static int run_alone(const char *scope)
{
    for (int i = 0; i < 2; i++) {
        STINT_SCOPE_DYNAMIC(scope);
        if (i == 0 && (unshare(CLONE_VM) || syscall(SYS_unshare, CLONE_VM)))
            return 1;
    }
    return 0;
}

struct many {
    const char *scope;
    int count;
};

static void *run_many(void *argument)
{
    const struct many *many = argument;
    for (int i = 1; i <= many->count; i++) {
        STINT_SCOPE_DYNAMIC(many->scope);
        if (i % 1000 == 0)
            (void)usleep(1000); /* for who writes */
    }
    return NULL;
}

static int run_crowd(const char *scope, int count)
{
    struct many many = {scope, count};
    pthread_t threads[2];
    return pthread_create(&threads[0], NULL, run_many, &many) || pthread_create(&threads[1], NULL, run_many, &many) ||
           pthread_join(threads[0], NULL) || pthread_join(threads[1], NULL);
}

int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    if (strcmp(arguments[1], "exec") == 0)
        return run_and_execute(arguments + 2);
    if (strcmp(arguments[1], "fork") == 0 && count == 4)
        return run_and_fork(arguments[2], atoi(arguments[3]));
    if (strcmp(arguments[1], "end") == 0)
        return tell_end(arguments + 2);
    if (strcmp(arguments[1], "until") == 0 && count == 4)
        return run_until(arguments[2], arguments[3]);
    if (strcmp(arguments[1], "rest") == 0 && count == 4)
        return run_and_rest(arguments[2], arguments[3]);
    if (strcmp(arguments[1], "thread") == 0)
        return run_in_thread(arguments[2]);
    if (strcmp(arguments[1], "alone") == 0)
        return run_alone(arguments[2]);
    if (strcmp(arguments[1], "crowd") == 0 && count == 4)
        return run_crowd(arguments[2], atoi(arguments[3]));
    if (strcmp(arguments[1], "drop-meanwhile") == 0 && count == 3)
        return run_dropped_meanwhile(arguments[2]);
    if (strcmp(arguments[1], "drop") == 0 && count == 4)
        return run_dropped(arguments[2], arguments[3]);
    if (strcmp(arguments[1], "slow") == 0)
        return run_slower(atoi(arguments[2]));
    if (strcmp(arguments[1], "retitle") == 0 && count == 4)
        return forget_environment() || run_until(arguments[2], arguments[3]);
    for (int i = 0; i < atoi(arguments[2]); i++) {
        STINT_SCOPE_DYNAMIC(arguments[1]);
    }
    if (strcmp(arguments[1], "printed") == 0)
        (void)stint_report_print(STINT_FORMAT_TABLE);
    if (count > 3)
        puts(arguments[3]);
    return 3;
}
