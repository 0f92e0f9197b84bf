/* Test programs that run themselves. Called with a mode, such a program is a user's program, which runs scopes and ends
 * in some way; called without, it runs itself once per mode, as users run programs, and checks the results.
 *
 *     MODE(ends_well) { STINT_SCOPE("work"); return 3; }
 *
 *     TEST(test_ends_well)
 *     {
 *         const struct result result = run("ends_well", NULL);
 *         assert_exit(&result, 3);
 *         assert_int_equal(stat_number(result.report, "work", "count"), 1);
 *     }
 *
 * A mode's process has no STINT_ variables except STINT_REPORT=json and STINT_OUTPUT=<scratch folder>/report, unless
 * the test says otherwise. It is killed if it takes so long that it must be in a deadlock. */
#ifndef STINT_TESTS_PROCESS_HARNESS_H
#define STINT_TESTS_PROCESS_HARNESS_H

#include <sys/types.h>

#include "stint_test.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which sanitizer this is compiled with. gcc and clang define different macros. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#elif __has_feature(thread_sanitizer)
#define WITH_TSAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define WITH_ASAN 1
#endif
#ifdef __SANITIZE_THREAD__
#define WITH_TSAN 1
#endif
#ifndef WITH_ASAN
#define WITH_ASAN 0
#endif
#ifndef WITH_TSAN
#define WITH_TSAN 0
#endif
#define WITH_SANITIZER (WITH_ASAN || WITH_TSAN)

/* For intentional behaviour that a sanitizer would report. */
#define UNSANITIZED __attribute__((no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))

/* -------------------------------------------------------------------------------------------- in the mode's process */

struct mode {
    const char *name;
    int (*run)(void); /* main returns its result */
};

#define MODE(name)                                                                                                     \
    static int name(void);                                                                                             \
    static const struct mode mode_##name = {#name, name};                                                              \
    static const struct mode *mode_at_##name __attribute__((section("test_modes"), used)) = &mode_##name;              \
    static int name(void)

/* Runs the mode that the first argument names, else the tests: what a program without a test_main of its own does. */
int run_itself(int argc, char **argv);

/* Returns whether this process will run the mode `name`: for code that runs before main. */
int mode_is(const char *name);

/* Runs `count` scopes of that name, all from one call site. */
void scopes(const char *name, unsigned count);

/* Runs `body(argument)` on a thread of its own and waits for its end. */
void on_thread(void *(*body)(void *), void *argument);

/* Returns the whole contents of a file, NUL-terminated, or NULL. The memory is freed with the test's scratch folder, or
 * not at all. */
char *read_file(const char *path);

/* Returns the number of anonymous resident pages of this process: its memory without mapped files. */
long resident_pages(void);

/* ------------------------------------------------------------------------------------------------------ in the test */

/* The result of a process. Texts live until the test ends. */
struct result {
    int status; /* waitpid's */
    pid_t pid;
    const char *out;    /* stdout */
    const char *err;    /* stderr */
    const char *report; /* the contents of the file that STINT_OUTPUT names by default; NULL if there is none */
};

/* A process that has been started. */
struct child {
    pid_t pid;
    const char *out_path;
    const char *err_path;
};

/* Runs the mode and waits for its end. The further arguments, up to NULL, change its environment: "NAME=value" sets,
 * "NAME" alone unsets. */
struct result run(const char *mode, ...) __attribute__((sentinel));

/* The two halves of run. */
struct child begin(const char *mode, ...) __attribute__((sentinel));
struct result finish(const struct child *child);

/* Makes the next process's file descriptor `fd`, 1 or 2, a duplicate of `as`; -1 closes it. Output that is thus not
 * captured is NULL in the result. */
void redirect_next(int fd, int as);

/* Makes the next process run another program, with the mode as its argument. */
void replace_next(const char *program);

/* Makes the next process ignore `signal` from its start, as nohup does. */
void ignore_next(int signal);

/* Waits until the process has written `text` to its stdout. */
void await(const struct child *child, const char *text);

/* Returns the path of a file in the test's scratch folder, which is made before and removed after each test. */
const char *scratch(const char *name);

/* Returns a setting as an environment string that lives until the test ends. */
const char *setting(const char *name, const char *value);

/* Calls visit(path) for every file in the scratch folder whose name begins with `prefix`; returns their number. */
unsigned for_each_scratch(const char *prefix, void (*visit)(const char *path));

/* Fails unless the process returned `code`, or was killed by `signal`. */
void assert_exit(const struct result *result, int code);
void assert_signal(const struct result *result, int signal);

/* Returns how often `part` occurs in `text`. */
unsigned occurrences(const char *text, const char *part);

/* Functions that read reports in JSON. A missing statistic, key or report fails the test. */
int is_json(const char *text);
int has_stat(const char *report, const char *name);
uint64_t stat_number(const char *report, const char *name, const char *key); /* in any set */
uint64_t set_stat_number(const char *report, const char *set, const char *name, const char *key);
uint64_t dropped(const char *report, const char *key);
uint64_t process_number(const char *report, const char *key);

#ifdef __cplusplus
}
#endif

#endif
