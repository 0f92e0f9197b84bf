/* Functions of Python, which are no places in code: the frames of CPython's interpreter are read from the process' own
 * memory, and take the place of the interpreter's own frame in a call chain. Async-signal-safe but for
 * stint_python_look. Nothing is called but what says which state the calling thread has; all memory is copied by the
 * system, so that nothing can fault, and objects have to be of the types that they should be of. */
#ifndef STINT_SAMPLE_PYTHON_H
#define STINT_SAMPLE_PYTHON_H

#include "sample/walk.h"

/* Where a version of CPython has what. Offsets are in bytes. */
struct stint_python_layout {
    unsigned minor; /* of version 3 */
    enum {
        STINT_PYTHON_OWN,    /* each frame has a call of the interpreter's loop of its own */
        STINT_PYTHON_RECORD, /* a frame says whether such a call began with it; the call has a record on the stack */
        STINT_PYTHON_ENTRY   /* a frame with no function, on the stack, is where such a call began */
    } kind;
    uint16_t top; /* in a thread's state: its innermost frame, or the record of its innermost call, */
    uint16_t record_frame, record_previous; /* in which are these, unless both are 0 */
    uint16_t previous, code, mark;          /* in a frame; `mark` is a byte, */
    uint8_t begins;                         /* whose value says that a call began here */
    uint16_t file, name, line;              /* in a function's code */
    uint16_t ascii, compact;                /* sizes of texts' heads */
};

/* Returns NULL for a version that is not known. */
const struct stint_python_layout *stint_python_layout_of(unsigned minor);

/* The one of the process. */
struct stint_interpreter {
    const struct stint_python_layout *layout;
    uint64_t code_type, text_type; /* what objects have as their types */
    uint64_t loop, loop_end;       /* the function in which it runs frames; 0: not known */
};

/* Functions are numbered as modules are, from STINT_PYTHON_FIRST on, which stands for those without room. */
enum { STINT_PYTHON_FIRST = STINT_LOADED_MOST, STINT_PYTHON_FUNCTIONS = STINT_SAMPLER_MODULES - STINT_PYTHON_FIRST };

/* Room to work in, of which each thread has its own. */
enum { STINT_PYTHON_CODES = 8, STINT_PYTHON_CODE = 136, STINT_PYTHON_NAME = 256, STINT_PYTHON_FILE = 512 };

struct stint_python_text {
    uint64_t object;
    uint64_t head[5]; /* references, type, length, hash, kind */
    char bytes[STINT_PYTHON_FILE];
    size_t size;     /* in bytes, */
    unsigned width;  /* of which each character has so many */
    uint64_t begins; /* where they are */
};

struct stint_python_code {
    uint64_t object;
    uint64_t bytes[STINT_PYTHON_CODE / sizeof(uint64_t)];
    struct stint_python_text file, name;
    uint32_t function; /* its number */
};

struct stint_python_frame {
    uint64_t code;
    uint64_t home; /* an address in the interpreter's own frame, on the stack; 0: not known */
    uint32_t function;
};

struct stint_python {
    size_t count;
    struct stint_python_frame frames[STINT_WALK_FRAMES]; /* the innermost first */
    uint16_t begins[STINT_WALK_FRAMES]; /* of the walk's frames: those of `frames` that take their place */
    uint16_t ends[STINT_WALK_FRAMES];
    struct stint_python_code codes[STINT_PYTHON_CODES];
};

/* Looks whether there is a Python in the process. Not for signal handlers; callers take turns. */
void stint_python_look(void);

/* Returns NULL as long as there is none whose version is known. */
const struct stint_interpreter *stint_python_interpreter(void);

/* The calling thread's state; 0: it has none, or there is no interpreter. */
uint64_t stint_python_state(void);

/* Puts the functions of a thread with that state into its walk. `room` is where the thread keeps its room, NULL at
 * first. Returns the walk's end. */
enum stint_walk_end stint_python_merge(struct stint_python **room, struct stint_walk *walk, enum stint_walk_end end,
                                       uint64_t state, const struct stint_interpreter *interpreter);

/* --------------------------------------------------------------------------------------------------- python_names.c */

/* Reserves memory for names. Returns 0, or -1. */
int stint_python_names_start(void);

/* Finds the functions of all frames; one whose code cannot be read ends the list, as do those that it belongs with. */
void stint_python_name(struct stint_python *python, const struct stint_interpreter *interpreter);

/* Returns the function with that number: "/a/main.py:12 step". */
const char *stint_python_function(uint32_t number);

/* The numbers of functions are below this. */
uint32_t stint_python_function_end(void);

#endif
