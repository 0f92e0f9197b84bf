/* What the program prints, for tests of its commands and options. */
#ifndef STINT_TESTS_CAPTURED_OUTPUT_H
#define STINT_TESTS_CAPTURED_OUTPUT_H

struct captured_output {
    char out[32768]; /* to standard output */
    char err[8192];  /* to standard error */
};

extern struct captured_output captured_output;

/* From the first call to the second, what is printed is kept instead. */
void captured_output_begin(void);
void captured_output_end(void);

/* Calls a command, or what reads its options, with a command line: words that are separated by blanks, the command's
 * name first. Keeps what it prints. Returns what it returns. */
int captured_call(int (*command)(int count, char **arguments), const char *line);

#endif
