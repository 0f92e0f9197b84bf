/* Included in each source of the program stint when the shares of lines and branches that tests run are measured
 * (coverage.sh): a process that ends by _exit writes its counts, too. The library has an _exit of its own. */
#ifndef STINT_TESTS_COVERAGE_H
#define STINT_TESTS_COVERAGE_H

#include <unistd.h>

#ifdef __cplusplus
extern "C"
#endif
    void
    __gcov_dump(void);

__attribute__((noreturn)) static inline void exit_with_counts(int code)
{
    __gcov_dump();
    _exit(code);
}

#define _exit exit_with_counts

#endif
