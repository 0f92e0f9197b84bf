/* A terminal that is written over, and the keys that are pressed at it. */
#ifndef STINT_CLI_TERMINAL_H
#define STINT_CLI_TERMINAL_H

#include <stddef.h>

/* Keys that are no characters. */
enum stint_key {
    STINT_KEY_NONE = 0,      /* none was pressed in time */
    STINT_KEY_END = -1,      /* a signal asks to end, or the terminal is gone */
    STINT_KEY_CHANGED = 256, /* the size has changed */
    STINT_KEY_UP,
    STINT_KEY_DOWN,
    STINT_KEY_PAGE_UP,
    STINT_KEY_PAGE_DOWN,
    STINT_KEY_HOME,
    STINT_KEY_OTHER
};

/* Takes over the terminal that standard input and output are. Returns 0, or -1 if they are none. What it showed before
 * comes back at the end. */
int stint_terminal_begin(void);
void stint_terminal_end(void);

/* Sets how many lines and columns there are. */
void stint_terminal_size(size_t *lines, size_t *columns);

/* Shows the first lines of the text that have room. */
void stint_terminal_show(const char *text, size_t length);

/* Waits for a key, at most so long. */
int stint_terminal_key(int limit_ms);

#endif
