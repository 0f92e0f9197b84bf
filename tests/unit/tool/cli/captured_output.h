/* What the program prints, for tests of its commands and options. */
#ifndef STINT_TESTS_CAPTURED_OUTPUT_H
#define STINT_TESTS_CAPTURED_OUTPUT_H

#include <stddef.h>

struct captured_output {
    char out[32768]; /* to standard output */
    char err[8192];  /* to standard error */
};

extern struct captured_output captured_output;

/* From the first call to the second, what is printed is kept instead. */
void captured_output_begin(void);
void captured_output_end(void);

typedef int captured_command(int count, char **arguments);

/* Calls a command, or what reads its options, with a command line: words that are separated by blanks, the command's
 * name first. Keeps what it prints. Returns what it returns. */
int captured_call(captured_command *command, const char *line);

/* The same in a process of its own, whose exit code what it returns is, and whose standard input is empty. */
int captured_run(captured_command *command, const char *line);

struct captured_case {
    const char *line;
    int code;
    const char *out, *err; /* parts of what is printed; "": nothing is; NULL: anything */
};

/* Runs each, and fails if it ends or prints otherwise. In a line, GOLDEN/ is the folder tests/golden. */
void captured_check(captured_command *command, const struct captured_case *cases, size_t count);

#define CAPTURED_CHECK(command, cases) captured_check(command, cases, sizeof(cases) / sizeof(cases)[0])

#endif
