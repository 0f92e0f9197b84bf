/* Included in each source of the program stint, and of unit tests, when the shares of lines and branches that tests run
 * are measured (coverage.sh): a process that ends by _exit, or executes another program, writes its counts, too. The
 * library has functions of its own of these names. */
#ifndef STINT_TESTS_COVERAGE_H
#define STINT_TESTS_COVERAGE_H

#include <unistd.h>

#ifdef __cplusplus
extern "C"
#endif
    void
    __gcov_dump(void);
#ifdef __cplusplus
extern "C"
#endif
    void
    __gcov_reset(void);

__attribute__((noreturn)) static inline void exit_with_counts(int code)
{
    __gcov_dump();
    _exit(code);
}

/* It may fail: what comes then is counted anew. */
static inline int execute_with_counts(const char *file, char *const *arguments)
{
    __gcov_dump();
    __gcov_reset();
    return execvp(file, arguments);
}

#define _exit exit_with_counts
#define execvp execute_with_counts

#endif
