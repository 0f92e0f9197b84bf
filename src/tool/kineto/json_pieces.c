/* Cuts a large JSON file, which may be packed by gzip, into members, and shows a list in it piece by piece, which fit
 * into memory. */
#include "kineto/kineto.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef STINT_HAS_ZLIB
#include <zlib.h>
#endif

enum { MOST_AT_ONCE = 1 << 24 };

/* Returns a descriptor, or -1. A device or a pipe might never end. */
static int open_regular(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        return file;
    if (file >= 0) {
        (void)close(file);
        errno = EINVAL;
    }
    return -1;
}

static size_t at_most(size_t size)
{
    return size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
}

#ifdef STINT_HAS_ZLIB

/* A trace becomes 20 to 40 times as small. What becomes so much smaller is made to fill a disk. */
enum { RATIO_MOST = 200, RATIO_FROM = 1 << 26 };

struct stint_piece_file {
    gzFile zipped; /* reads other files as they are */
    uint64_t read; /* bytes, as they were before they were compressed */
};

struct stint_piece_file *stint_piece_file_open(const char *path)
{
    int descriptor = open_regular(path);
    struct stint_piece_file *file = descriptor >= 0 ? calloc(1, sizeof *file) : NULL;
    if (file && (file->zipped = gzdopen(descriptor, "rb"))) {
        (void)gzbuffer(file->zipped, 1 << 18);
        return file;
    }
    if (descriptor >= 0)
        (void)close(descriptor);
    free(file);
    return NULL;
}

ssize_t stint_piece_file_read(struct stint_piece_file *file, char *to, size_t size, const char **reason)
{
    int code = Z_OK, length = gzread(file->zipped, to, (unsigned)at_most(size));
    (void)gzerror(file->zipped, &code);
    *reason = code == Z_ERRNO       ? strerror(errno)
              : code == Z_BUF_ERROR ? "the compressed file ends here, and the rest is missing"
              : code == Z_MEM_ERROR ? "there is not enough memory"
                                    : "what follows is no valid compressed data";
    if (length > 0)
        file->read += (uint64_t)length;
    if (!gzdirect(file->zipped) && file->read > RATIO_FROM &&
        file->read / RATIO_MOST > (uint64_t)gzoffset(file->zipped)) {
        *reason = "it is compressed to less than a 200th, as no trace is";
        return -1;
    }
    return length > 0 || code == Z_OK ? length : -1;
}

void stint_piece_file_close(struct stint_piece_file *file)
{
    if (file)
        (void)gzclose_r(file->zipped);
    free(file);
}

#else

struct stint_piece_file {
    int descriptor;
};

struct stint_piece_file *stint_piece_file_open(const char *path)
{
    int descriptor = open_regular(path);
    struct stint_piece_file *file = descriptor >= 0 ? calloc(1, sizeof *file) : NULL;
    if (file)
        file->descriptor = descriptor;
    else if (descriptor >= 0)
        (void)close(descriptor);
    return file;
}

ssize_t stint_piece_file_read(struct stint_piece_file *file, char *to, size_t size, const char **reason)
{
    ssize_t length;
    do
        length = read(file->descriptor, to, at_most(size));
    while (length < 0 && errno == EINTR);
    *reason = strerror(errno);
    return length;
}

void stint_piece_file_close(struct stint_piece_file *file)
{
    if (file)
        (void)close(file->descriptor);
    free(file);
}

#endif

/* ----------------------------------------------------------------------------------------------------------- pieces */

/* The buffer grows up to the larger size, which a single element may have. */
#define FIRST_SIZE ((size_t)1 << 20)
#define MOST_SIZE ((size_t)1 << 26)

enum state { BEGIN, MEMBERS, ELEMENTS, END, DONE };

__attribute__((format(printf, 2, 3))) static int fail(struct stint_json_pieces *pieces, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(pieces->reason, sizeof pieces->reason, format, arguments);
    va_end(arguments);
    pieces->state = DONE;
    return -1;
}

/* ----------------------------------------------------------------------------------------------------------- buffer */

static int make_room(struct stint_json_pieces *pieces)
{
    memmove(pieces->buffer, pieces->buffer + pieces->at, pieces->used - pieces->at);
    pieces->used -= pieces->at;
    pieces->at = 0;
    if (pieces->used + 2 < pieces->size)
        return 0;
    if (pieces->size >= MOST_SIZE)
        return fail(pieces, "a value is longer than %zu MiB", MOST_SIZE >> 20);
    char *larger = realloc(pieces->buffer, 2 * pieces->size);
    if (!larger)
        return fail(pieces, "there is not enough memory");
    pieces->buffer = larger;
    pieces->size *= 2;
    return 0;
}

/* Reads more behind what is there, which may move. Returns 1; 0 at the end of the file; -1 after a failure. */
static int read_more(struct stint_json_pieces *pieces)
{
    const char *reason = "";
    if (pieces->is_over)
        return 0;
    if (make_room(pieces))
        return -1;
    ssize_t length =
        stint_piece_file_read(pieces->file, pieces->buffer + pieces->used, pieces->size - 2 - pieces->used, &reason);
    if (length < 0)
        return fail(pieces, "%s", reason);
    pieces->used += (size_t)length;
    pieces->buffer[pieces->used] = '\0';
    pieces->is_over = length == 0;
    return length > 0;
}

static int is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Returns the next character that is not white space; NUL at the end of the file, and after a failure. */
static char peek(struct stint_json_pieces *pieces)
{
    for (;;) {
        for (; pieces->at < pieces->used && is_space(pieces->buffer[pieces->at]); pieces->at++)
            pieces->line += pieces->buffer[pieces->at] == '\n';
        if (pieces->at < pieces->used)
            return pieces->buffer[pieces->at];
        if (read_more(pieces) <= 0)
            return '\0';
    }
}

/* A NUL is put behind the value of a member, over what is there. */
static void restore(struct stint_json_pieces *pieces)
{
    if (pieces->end)
        *pieces->end = pieces->under;
    pieces->end = NULL;
}

/* Passes over the next `length` bytes. */
static void pass(struct stint_json_pieces *pieces, size_t length)
{
    for (size_t i = 0; i < length; i++)
        pieces->line += pieces->buffer[pieces->at + i] == '\n';
    pieces->at += length;
}

/* Shows the next `length` bytes. */
static int show(const struct stint_json_pieces *pieces, struct stint_json_piece *piece, size_t length)
{
    *piece = (struct stint_json_piece){.text = pieces->buffer + pieces->at,
                                       .length = length,
                                       .line = pieces->line,
                                       .key = pieces->key,
                                       .is_elements = pieces->state == ELEMENTS,
                                       .is_last = pieces->is_over};
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------- scan */

/* How far the text from `at` on has been looked at. */
struct scan {
    size_t length;
    size_t depth;
    int is_text;
    int is_escaped;
};

static void scan_in_text(struct scan *scan, char c)
{
    if (scan->is_escaped)
        scan->is_escaped = 0;
    else if (c == '\\')
        scan->is_escaped = 1;
    else if (c == '"')
        scan->is_text = 0;
}

/* Goes through what there is of a list, from its bracket on, or of a text. Returns 1 if it ends before scan->length. */
static int scan_value(struct scan *scan, const char *text, size_t length)
{
    while (scan->length < length) {
        char c = text[scan->length++];
        if (scan->is_text)
            scan_in_text(scan, c);
        else if (c == '"')
            scan->is_text = 1;
        else if (c == '{' || c == '[')
            scan->depth++;
        else if ((c == '}' || c == ']') && scan->depth)
            scan->depth--;
        if (!scan->depth && !scan->is_text)
            return 1;
    }
    return 0;
}

/* As scan_value, for a number or a word. */
static int scan_word(struct scan *scan, const char *text, size_t length)
{
    for (; scan->length < length; scan->length++)
        if (strchr(",}]", text[scan->length]) || is_space(text[scan->length]))
            return 1;
    return 0;
}

/* Finds the end of the value that begins at `at`. Returns its length; 0 after a failure. */
static size_t value_length(struct stint_json_pieces *pieces)
{
    struct scan scan = {0};
    char first = peek(pieces);
    for (;;) {
        const char *text = pieces->buffer + pieces->at;
        size_t there = pieces->used - pieces->at;
        int is_list = first == '"' || first == '{' || first == '[';
        if (is_list ? scan_value(&scan, text, there) : scan_word(&scan, text, there))
            return scan.length;
        int more = read_more(pieces);
        if (more <= 0) {
            if (!more)
                (void)fail(pieces, "the value that begins here does not end");
            return 0;
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------- members */

static int fail_at_member(struct stint_json_pieces *pieces, const char *reason)
{
    int is_cut = pieces->is_over && pieces->at == pieces->used;
    return fail(pieces, "%s", is_cut ? "the file ends here, within the object: the rest is missing" : reason);
}

/* Reads a key, which is cut to the size of pieces->key: those that matter are short. */
static int read_key(struct stint_json_pieces *pieces)
{
    if (peek(pieces) != '"')
        return fail_at_member(pieces, "expected a member's name");
    size_t length = value_length(pieces);
    if (!length)
        return -1;
    (void)snprintf(pieces->key, sizeof pieces->key, "%.*s", (int)(length - 2 < 99 ? length - 2 : 99),
                   pieces->buffer + pieces->at + 1);
    pieces->at += length;
    if (peek(pieces) != ':')
        return fail(pieces, "expected ':'");
    pieces->at++;
    return 0;
}

static int end_whole(struct stint_json_pieces *pieces)
{
    pieces->state = DONE;
    if (peek(pieces) || pieces->at < pieces->used)
        return fail(pieces, "its JSON ends here: what follows is not read");
    return *pieces->reason ? -1 : 0;
}

/* Begins with the object, or with a list that stands for it. Returns as next_member does, or 1 at a list. */
static int begin_whole(struct stint_json_pieces *pieces)
{
    (void)peek(pieces);
    pieces->at += stint_mark_length(pieces->buffer + pieces->at, pieces->used - pieces->at);
    char c = peek(pieces);
    if (c != '{' && c != '[')
        return fail(pieces, "expected an object");
    pieces->at++;
    pieces->is_bare = c == '[';
    pieces->state = c == '[' ? ELEMENTS : MEMBERS;
    if (c == '[' || peek(pieces) != '}')
        return c == '[' || read_key(pieces) == 0 ? 1 : -1;
    pieces->at++;
    return end_whole(pieces);
}

/* Goes to the next member. Returns 0 if there is none. */
static int next_member(struct stint_json_pieces *pieces)
{
    char c = peek(pieces);
    if (c != '}' && c != ',')
        return fail_at_member(pieces, "expected ','");
    pieces->at++;
    if (c == '}')
        return end_whole(pieces);
    return read_key(pieces) ? -1 : 1;
}

/* --------------------------------------------------------------------------------------------------------- elements */

/* Shows what is in memory of the list, and more than the last time. A list that is the whole file need not be closed.
 */
static int show_elements(struct stint_json_pieces *pieces, struct stint_json_piece *piece)
{
    if (pieces->is_over) {
        pieces->state = DONE;
        if (pieces->is_bare && !peek(pieces) && pieces->at == pieces->used)
            return 0;
        return fail(pieces, "the file ends here, within the list: the rest is missing");
    }
    return read_more(pieces) < 0 ? -1 : show(pieces, piece, pieces->used - pieces->at);
}

void stint_json_pieces_take(struct stint_json_pieces *pieces, size_t length, int has_ended)
{
    pass(pieces, length);
    if (has_ended)
        pieces->state = pieces->is_bare ? END : MEMBERS;
}

/* ------------------------------------------------------------------------------------------------------------- next */

int stint_json_pieces_next(struct stint_json_pieces *pieces, struct stint_json_piece *piece)
{
    restore(pieces);
    if (pieces->state == DONE)
        return *pieces->reason ? -1 : 0;
    if (pieces->state == END)
        return end_whole(pieces);
    if (pieces->state == ELEMENTS)
        return show_elements(pieces, piece);
    int has_member = pieces->state == BEGIN ? begin_whole(pieces) : next_member(pieces);
    if (has_member <= 0)
        return has_member;
    if (pieces->state == MEMBERS && peek(pieces) == '[' && strcmp(pieces->key, pieces->array) == 0) {
        pieces->at++;
        pieces->state = ELEMENTS;
    }
    if (pieces->state == ELEMENTS)
        return show(pieces, piece, pieces->used - pieces->at);
    size_t length = value_length(pieces);
    if (!length)
        return -1;
    (void)show(pieces, piece, length);
    pass(pieces, length);
    pieces->end = piece->text + length;
    pieces->under = *pieces->end;
    *pieces->end = '\0';
    return 1;
}

int stint_json_pieces_open(struct stint_json_pieces *pieces, const char *path, const char *array)
{
    *pieces = (struct stint_json_pieces){.array = array, .size = FIRST_SIZE, .line = 1};
    pieces->file = stint_piece_file_open(path);
    if (!pieces->file)
        return fail(pieces, "%s", strerror(errno));
    pieces->buffer = malloc(pieces->size);
    return pieces->buffer ? 0 : fail(pieces, "there is not enough memory");
}

void stint_json_pieces_close(struct stint_json_pieces *pieces)
{
    stint_piece_file_close(pieces->file);
    free(pieces->buffer);
    *pieces = (struct stint_json_pieces){0};
}
