/* The frames of CPython's interpreter, from a thread's state on, and where they belong in the chain of its own
 * functions. What versions have where is known of 3.9 to 3.13. */
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sample/python.h"

/* In the order of the struct's members. */
static const struct stint_python_layout s_layouts[] = {
    {9, STINT_PYTHON_OWN, 24, 0, 0, 24, 32, 0, 0, 104, 112, 40, 48, 72},
    {10, STINT_PYTHON_OWN, 24, 0, 0, 24, 32, 0, 0, 104, 112, 40, 48, 72},
    {11, STINT_PYTHON_RECORD, 56, 8, 16, 48, 32, 68, 1, 112, 128, 72, 48, 72},
    {12, STINT_PYTHON_ENTRY, 56, 0, 8, 8, 0, 70, 3, 112, 128, 68, 40, 56},
    {13, STINT_PYTHON_ENTRY, 72, 0, 0, 8, 0, 70, 3, 112, 128, 68, 40, 56},
};

const struct stint_python_layout *stint_python_layout_of(unsigned minor)
{
    for (size_t i = 0; i < sizeof s_layouts / sizeof *s_layouts; i++)
        if (s_layouts[i].minor == minor)
            return &s_layouts[i];
    return NULL;
}

/* ----------------------------------------------------------------------------------------------- which Python it is */

#define VERSION "Py_GetVersion"

static struct {
    struct stint_interpreter interpreter;
    void *(*state)(void);
    uint64_t salt; /* of the set of modules that was looked at */
    int is_found;
    int is_known; /* it is of a version that is known */
} s_python;

/* A library that was loaded for other libraries' use only. It stays loaded from then on. */
static void *open_library(const struct stint_loaded_set *set)
{
    for (size_t i = 0; set && i < set->count; i++) {
        const char *name = stint_loaded_module(set->modules[i].module)->name;
        void *library = strstr(name, "/libpython3.") ? dlopen(name, RTLD_NOW | RTLD_NOLOAD) : NULL;
        if (library && dlsym(library, VERSION))
            return library;
        if (library)
            (void)dlclose(library);
    }
    return NULL;
}

static unsigned minor_of(void *library)
{
    const char *(*version)(void) = NULL;
    void *function = dlsym(library, VERSION);
    const unsigned long *number = dlsym(library, "Py_Version"); /* since 3.11 */
    if (number)
        return *number >> 24 == 3 ? *number >> 16 & 0xff : 0;
    memcpy(&version, &function, sizeof version);
    return strncmp(version(), "3.", 2) == 0 ? (unsigned)strtoul(version() + 2, NULL, 10) : 0;
}

static void find_loop(struct stint_interpreter *interpreter, void *library)
{
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    void *loop = dlsym(library, "_PyEval_EvalFrameDefault");
    if (loop && dladdr1(loop, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol) {
        interpreter->loop = (uintptr_t)loop;
        interpreter->loop_end = interpreter->loop + symbol->st_size;
    }
}

/* Returns whether it can be used. */
static int use_library(void *library)
{
    void *state = dlsym(library, "PyGILState_GetThisThreadState");
    struct stint_interpreter *interpreter = &s_python.interpreter;
    *interpreter = (struct stint_interpreter){.layout = stint_python_layout_of(minor_of(library)),
                                              .code_type = (uintptr_t)dlsym(library, "PyCode_Type"),
                                              .text_type = (uintptr_t)dlsym(library, "PyUnicode_Type")};
    memcpy(&s_python.state, &state, sizeof state);
    find_loop(interpreter, library);
    return interpreter->layout && interpreter->code_type && interpreter->text_type && state &&
           !stint_python_names_start();
}

void stint_python_look(void)
{
    unsigned turn;
    const struct stint_loaded_set *set = stint_loaded_enter(&turn);
    if (!s_python.is_found && set && set->salt != s_python.salt) {
        void *library = dlsym(RTLD_DEFAULT, VERSION) ? RTLD_DEFAULT : open_library(set);
        s_python.salt = set->salt;
        s_python.is_found = dlsym(library, VERSION) != NULL;
        if (s_python.is_found)
            __atomic_store_n(&s_python.is_known, use_library(library), __ATOMIC_RELEASE);
        (void)dlerror(); /* the program is not to find one of these */
    }
    stint_loaded_leave(turn);
}

const struct stint_interpreter *stint_python_interpreter(void)
{
    return __atomic_load_n(&s_python.is_known, __ATOMIC_ACQUIRE) ? &s_python.interpreter : NULL;
}

uint64_t stint_python_state(void)
{
    return stint_python_interpreter() ? (uintptr_t)s_python.state() : 0;
}

/* ---------------------------------------------------------------------------------------------------------- frames */

static int read_byte(struct stint_walk *walk, uint64_t address, uint8_t *byte)
{
    uint64_t word, at = address % sizeof word;
    if (stint_walk_read(walk, address - at, &word))
        return -1;
    *byte = (uint8_t)(word >> 8 * at);
    return 0;
}

/* A call of the interpreter's loop, and the frames that it runs. */
struct call {
    size_t first; /* its innermost frame */
    uint64_t record;
};

/* The frames since the last such end belong to a call that is there on the stack; 0: it is not known where. */
static void end_call(struct stint_python *python, struct call *call, uint64_t home)
{
    for (; call->first < python->count; call->first++)
        python->frames[call->first].home = home;
}

/* Looks at a frame. Returns 0, or -1 if it cannot be read. */
static int see_frame(struct stint_python *python, struct stint_walk *walk, const struct stint_python_layout *layout,
                     uint64_t frame, struct call *call)
{
    uint64_t code;
    uint8_t mark = 0;
    if (stint_walk_read(walk, frame + layout->code, &code) ||
        (layout->mark && read_byte(walk, frame + layout->mark, &mark)))
        return -1;
    int begins = layout->kind == STINT_PYTHON_OWN || mark == layout->begins;
    if (layout->kind == STINT_PYTHON_ENTRY && begins) {
        end_call(python, call, frame);
        return 0;
    }
    if (python->count < STINT_WALK_FRAMES)
        python->frames[python->count++] = (struct stint_python_frame){.code = code};
    if (!begins)
        return 0;
    end_call(python, call, call->record);
    return call->record ? stint_walk_read(walk, call->record + layout->record_previous, &call->record) : 0;
}

/* Notes the frames of a thread; of calls whose place is not known, none. Returns whether these are all. */
static int find_frames(struct stint_python *python, struct stint_walk *walk, const struct stint_python_layout *layout,
                       uint64_t state)
{
    enum { MOST_SEEN = 1 << 13 };
    struct call call = {0, 0};
    uint64_t frame = 0;
    python->count = 0;
    if (stint_walk_read(walk, state + layout->top, &frame))
        return 0;
    if (layout->record_previous) {
        call.record = frame;
        if (stint_walk_read(walk, call.record + layout->record_frame, &frame))
            return 0;
    }
    for (size_t seen = 0; frame && seen < MOST_SEEN; seen++)
        if (see_frame(python, walk, layout, frame, &call) || stint_walk_read(walk, frame + layout->previous, &frame))
            break;
    int is_whole = !frame && python->count < STINT_WALK_FRAMES;
    python->count = call.first;
    return is_whole;
}

/* ----------------------------------------------------------------------------------------------------------- chains */

static int is_loop(const struct stint_interpreter *interpreter, const struct stint_walk_frame *frame)
{
    return frame->address >= interpreter->loop && frame->address < interpreter->loop_end;
}

/* Returns the end of the frames that the call in a place has run, of which the first is `at`; `at` if it runs none. */
static size_t end_of_call(const struct stint_python *python, const struct stint_walk *walk,
                          const struct stint_interpreter *interpreter, size_t place, size_t at)
{
    uint64_t home = at < python->count ? python->frames[at].home : 0, sp = walk->frames[place].sp;
    uint64_t above = place + 1 < walk->count ? walk->frames[place + 1].sp : UINT64_MAX;
    if (at == python->count || (home ? home < sp || home >= above : !is_loop(interpreter, &walk->frames[place])))
        return at;
    if (!home)
        return at + 1;
    while (at < python->count && python->frames[at].home == home)
        at++;
    return at;
}

/* Notes which frames are those of each place. */
static void place_frames(struct stint_python *python, const struct stint_walk *walk,
                         const struct stint_interpreter *interpreter, size_t without)
{
    size_t at = 0;
    for (size_t i = 0; i < walk->count; i++) {
        while (at < python->count && python->frames[at].home && python->frames[at].home < walk->frames[i].sp)
            at++; /* its call is not in the walk */
        size_t end = end_of_call(python, walk, interpreter, i, at);
        int is_without = end > at && !python->frames[at].home && without;
        without -= (size_t)is_without;
        python->begins[i] = (uint16_t)at;
        python->ends[i] = (uint16_t)(at = is_without ? at : end);
    }
}

/* From the outermost on: nothing is overwritten before it has been moved. Returns whether all were kept. */
static int merge_frames(const struct stint_python *python, struct stint_walk *walk)
{
    size_t count = 0;
    for (size_t i = 0; i < walk->count; i++)
        count += python->ends[i] > python->begins[i] ? (size_t)(python->ends[i] - python->begins[i]) : 1;
    size_t at = count;
    for (size_t i = walk->count; i--;) {
        struct stint_walk_frame own = walk->frames[i];
        if (python->ends[i] == python->begins[i] && --at < STINT_WALK_FRAMES)
            walk->frames[at] = own;
        for (size_t k = python->ends[i]; k-- > python->begins[i];)
            if (--at < STINT_WALK_FRAMES)
                walk->frames[at] = (struct stint_walk_frame){.module = python->frames[k].function, .sp = own.sp};
    }
    walk->count = count < STINT_WALK_FRAMES ? count : STINT_WALK_FRAMES;
    return count <= STINT_WALK_FRAMES;
}

/* The memory stays with the thread's task, and the next thread that has it. */
static struct stint_python *room_of(struct stint_python **room)
{
    if (!*room) {
        void *memory =
            mmap(NULL, sizeof **room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        *room = memory == MAP_FAILED ? NULL : memory;
    }
    return *room;
}

/* Where each frame has a call of its own, the innermost ones may not have one yet, or belong to another interpreter. */
static size_t count_without(const struct stint_python *python, const struct stint_walk *walk,
                            const struct stint_interpreter *interpreter)
{
    size_t loops = 0;
    for (size_t i = 0; i < walk->count; i++)
        loops += (size_t)is_loop(interpreter, &walk->frames[i]);
    return loops > python->count ? loops - python->count : 0;
}

enum stint_walk_end stint_python_merge(struct stint_python **room, struct stint_walk *walk, enum stint_walk_end end,
                                       uint64_t state, const struct stint_interpreter *interpreter)
{
    struct stint_python *python = state && interpreter ? room_of(room) : NULL;
    if (!python)
        return end;
    int is_whole = find_frames(python, walk, interpreter->layout, state) && end == STINT_WALK_WHOLE;
    size_t without = is_whole ? count_without(python, walk, interpreter) : 0;
    stint_python_name(python, interpreter);
    place_frames(python, walk, interpreter, without);
    return merge_frames(python, walk) ? end : STINT_WALK_DEEP;
}
