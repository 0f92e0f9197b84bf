/* Names of Python's functions, copied while their code lives: file, line and name of a code object, as one text each. A
 * code object may be another one at every sample, so they are read anew; equal texts are kept once, in a table without
 * locks. */
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "sample/python.h"

/* ---------------------------------------------------------------------------------------------------------- reading */

/* A copy that is asked for. */
struct copy {
    uint64_t from;
    void *to;
    size_t size; /* 0: it could not be made */
};

/* Has the system make them, as many at once as it can: one call costs as much as several copies. */
static void make_copies(struct copy *copies, size_t count)
{
    enum { MOST = 2 * STINT_PYTHON_CODES };
    struct iovec to[MOST], from[MOST];
    for (size_t i = 0; i < count; i++) {
        to[i] = (struct iovec){copies[i].to, copies[i].size};
        from[i] = (struct iovec){(void *)(uintptr_t)copies[i].from, copies[i].size};
    }
    for (size_t at = 0; at < count; at++) {
        ssize_t made = process_vm_readv(getpid(), to + at, count - at, from + at, count - at, 0);
        for (; at < count && made >= (ssize_t)copies[at].size; at++)
            made -= (ssize_t)copies[at].size;
        if (at < count)
            copies[at].size = 0;
    }
}

static uint64_t word_of(const struct stint_python_code *code, uint16_t offset)
{
    return code->bytes[offset / sizeof(uint64_t)];
}

static void read_codes(struct stint_python *python, size_t count, const struct stint_interpreter *interpreter)
{
    struct copy copies[STINT_PYTHON_CODES];
    for (size_t i = 0; i < count; i++)
        copies[i] = (struct copy){python->codes[i].object, python->codes[i].bytes, sizeof python->codes[i].bytes};
    make_copies(copies, count);
    for (size_t i = 0; i < count; i++)
        if (!copies[i].size || python->codes[i].bytes[1] != interpreter->code_type)
            python->codes[i].object = 0;
}

/* ------------------------------------------------------------------------------------------------------------ texts */

enum { TYPE = 1, LENGTH = 2, KIND = 4 };

/* Finds where a text's characters are: of long ones, the end of a file's name, and the beginning of a function's. */
static int measure_text(struct stint_python_text *text, size_t most, int is_file,
                        const struct stint_interpreter *interpreter)
{
    enum { IS_COMPACT = 0x20, IS_ASCII = 0x40, LONGEST = 1 << 20 };
    uint64_t state = text->head[KIND], length = text->head[LENGTH];
    text->width = state >> 2 & 7;
    if (text->head[TYPE] != interpreter->text_type || !(state & IS_COMPACT) || length > LONGEST ||
        (text->width != 1 && text->width != 2 && text->width != 4))
        return -1;
    text->begins = text->object + (state & IS_ASCII ? interpreter->layout->ascii : interpreter->layout->compact);
    text->size = length * text->width;
    if (text->size > most && is_file)
        text->begins += text->size - most;
    text->size = text->size > most ? most : text->size;
    return 0;
}

static void read_texts(struct stint_python *python, size_t count, const struct stint_interpreter *interpreter)
{
    struct copy copies[2 * STINT_PYTHON_CODES];
    for (size_t i = 0; i < count; i++) {
        struct stint_python_code *code = &python->codes[i];
        code->file.object = word_of(code, interpreter->layout->file);
        code->name.object = word_of(code, interpreter->layout->name);
        copies[2 * i] = (struct copy){code->file.object, code->file.head, sizeof code->file.head};
        copies[2 * i + 1] = (struct copy){code->name.object, code->name.head, sizeof code->name.head};
    }
    make_copies(copies, 2 * count);
    for (size_t i = 0; i < count; i++) {
        struct stint_python_code *code = &python->codes[i];
        if (!copies[2 * i].size || !copies[2 * i + 1].size ||
            measure_text(&code->file, STINT_PYTHON_FILE, 1, interpreter) ||
            measure_text(&code->name, STINT_PYTHON_NAME, 0, interpreter))
            code->object = code->file.size = code->name.size = 0;
        copies[2 * i] = (struct copy){code->file.begins, code->file.bytes, code->file.size};
        copies[2 * i + 1] = (struct copy){code->name.begins, code->name.bytes, code->name.size};
    }
    make_copies(copies, 2 * count);
    for (size_t i = 0; i < count; i++)
        if (copies[2 * i].size != python->codes[i].file.size || copies[2 * i + 1].size != python->codes[i].name.size)
            python->codes[i].object = 0;
}

/* Writes the text as UTF-8, and returns how many bytes that took: three for each of its own at most. */
static size_t put_text(char *out, const struct stint_python_text *text)
{
    size_t used = 0;
    for (size_t i = 0; i < text->size; i += text->width) {
        uint32_t code = 0;
        memcpy(&code, text->bytes + i, text->width); /* the lowest byte is first on all machines that this runs on */
        used += stint_utf8_write(out + used, code);
    }
    return used;
}

/* Writes a number in decimal digits, and returns how many. */
static size_t put_number(char *out, uint32_t number)
{
    char digits[10];
    size_t count = 0, used = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count)
        out[used++] = digits[--count];
    return used;
}

/* ------------------------------------------------------------------------------------------------------------ table */

enum { TEXTS = 1 << 23, SLOTS = 2 * STINT_PYTHON_FUNCTIONS, MOST_TRIES = 64 };

static struct {
    char *texts;      /* one after the other */
    uint64_t used;    /* bytes, may exceed TEXTS */
    uint32_t *slots;  /* numbers of functions by hash; 0: free */
    uint32_t *begins; /* of functions' texts, by number */
    uint32_t count;   /* of functions, without number 0; may exceed the limit */
} s_names;

int stint_python_names_start(void)
{
    size_t size = TEXTS + (SLOTS + (size_t)STINT_PYTHON_FUNCTIONS) * sizeof(uint32_t);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    s_names.slots = memory;
    s_names.begins = s_names.slots + SLOTS;
    s_names.texts = (char *)(s_names.begins + STINT_PYTHON_FUNCTIONS);
    return 0;
}

static uint32_t add_text(const char *text, size_t length)
{
    if (__atomic_load_n(&s_names.count, __ATOMIC_RELAXED) + 1 >= STINT_PYTHON_FUNCTIONS ||
        __atomic_load_n(&s_names.used, __ATOMIC_RELAXED) + length + 1 > TEXTS)
        return 0;
    uint64_t at = __atomic_fetch_add(&s_names.used, length + 1, __ATOMIC_RELAXED);
    uint32_t number = __atomic_add_fetch(&s_names.count, 1, __ATOMIC_RELAXED);
    if (number >= STINT_PYTHON_FUNCTIONS || at + length + 1 > TEXTS)
        return 0;
    memcpy(s_names.texts + at, text, length + 1);
    s_names.begins[number] = (uint32_t)at;
    return number;
}

/* Returns the number of the text, added if it is new; 0: there is no room. Two threads may add the same one at the same
 * time; then one of both is never used. */
static uint32_t number_of(const char *text, size_t length)
{
    uint64_t hash = stint_hash(text, length, 0);
    uint32_t added = 0;
    for (uint64_t i = 0; i < MOST_TRIES; i++) {
        uint32_t *slot = &s_names.slots[(hash + i) % SLOTS];
        uint32_t there = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
        if (!there && !added && !(added = add_text(text, length)))
            return 0;
        if (!there && __atomic_compare_exchange_n(slot, &there, added, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return added;
        if (strcmp(s_names.texts + s_names.begins[there], text) == 0)
            return there;
    }
    return 0;
}

const char *stint_python_function(uint32_t number)
{
    uint32_t function = number - STINT_PYTHON_FIRST;
    return function ? s_names.texts + s_names.begins[function] : "(more functions of Python than are kept)";
}

uint32_t stint_python_function_end(void)
{
    uint32_t count = __atomic_load_n(&s_names.count, __ATOMIC_ACQUIRE);
    return STINT_PYTHON_FIRST + (count < STINT_PYTHON_FUNCTIONS ? count + 1 : STINT_PYTHON_FUNCTIONS);
}

static uint32_t function_of(const struct stint_python_code *code, const struct stint_python_layout *layout)
{
    char text[3 * (STINT_PYTHON_FILE + STINT_PYTHON_NAME) + 16];
    size_t used = put_text(text, &code->file);
    uint32_t line = (uint32_t)(word_of(code, layout->line) >> 8 * (layout->line % sizeof(uint64_t)));
    text[used++] = ':';
    used += put_number(text + used, line);
    text[used++] = ' ';
    used += put_text(text + used, &code->name);
    text[used] = '\0';
    return STINT_PYTHON_FIRST + number_of(text, strlen(text));
}

/* ----------------------------------------------------------------------------------------------------------- frames */

/* Notes the codes of frames from `first` on, each once, and in each frame which one it has. Returns the first frame
 * that there was no room for. */
static size_t gather(struct stint_python *python, size_t first, size_t *count)
{
    for (*count = 0; first < python->count; first++) {
        struct stint_python_frame *frame = &python->frames[first];
        uint32_t at = 0;
        while (at < *count && python->codes[at].object != frame->code)
            at++;
        if (at == STINT_PYTHON_CODES)
            break;
        if (at == *count)
            python->codes[(*count)++].object = frame->code;
        frame->function = at;
    }
    return first;
}

/* Leaves out the frame and what is further out, and what is further in but of the same call. */
static void end_at(struct stint_python *python, size_t end)
{
    while (end && python->frames[end - 1].home == python->frames[end].home && python->frames[end].home)
        end--;
    python->count = end;
}

void stint_python_name(struct stint_python *python, const struct stint_interpreter *interpreter)
{
    size_t count, end;
    for (size_t first = 0; first < python->count; first = end) {
        end = gather(python, first, &count);
        read_codes(python, count, interpreter);
        read_texts(python, count, interpreter);
        for (size_t i = 0; i < count; i++)
            python->codes[i].function =
                python->codes[i].object ? function_of(&python->codes[i], interpreter->layout) : 0;
        for (; first < end; first++) {
            uint32_t function = python->codes[python->frames[first].function].function;
            if (!function) {
                end_at(python, first);
                return;
            }
            python->frames[first].function = function;
        }
    }
}
