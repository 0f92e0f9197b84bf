/* Standard input as a file: `-` in place of a recording's name. */
#ifndef STINT_CLI_STANDARD_INPUT_H
#define STINT_CLI_STANDARD_INPUT_H

/* Returns a path of what is on standard input, which can be opened any number of times. What comes through a pipe is
 * kept in a file without a name, in TMPDIR or /tmp, until the program ends. Returns NULL after saying why it cannot be
 * read. */
const char *stint_standard_input(void);

/* Whether it came through a pipe: then it has no name. */
int stint_standard_input_is_pipe(void);

#endif
