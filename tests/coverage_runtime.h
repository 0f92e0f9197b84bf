/* Included in the core's runtime when the shares of lines and branches that tests run are measured (coverage.sh): where
 * it lets a process end, or another program have it, no destructor writes the counts of its library. */
#ifndef STINT_TESTS_COVERAGE_RUNTIME_H
#define STINT_TESTS_COVERAGE_RUNTIME_H

#include <sys/syscall.h>
#include <unistd.h>

#include "record/part.h"

void __gcov_dump(void);
void __gcov_reset(void);

/* The process may go on, as the parent of a child that has its memory does. Not where a signal ends it, which may have
 * interrupted what writing counts needs. */
static inline void write_counts(int is_end)
{
    if (is_end) {
        __gcov_dump();
        __gcov_reset();
    }
}

#define syscall(number, ...) (write_counts((number) == SYS_exit_group), syscall(number, __VA_ARGS__))
#define stint_parts_at(when) (stint_parts_at(when), write_counts((when) == STINT_BEFORE_EXEC))

#endif
