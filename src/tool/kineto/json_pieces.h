/* Cuts a file with one JSON object, which may be larger than memory and compressed by gzip, into pieces that
 * import/reader.h can read: the members of the object and, of one of them, an array, some elements at a time. Here only
 * the beginning and end of each is found; the reader says whether it is well-formed. */
#ifndef STINT_KINETO_JSON_PIECES_H
#define STINT_KINETO_JSON_PIECES_H

#include <stddef.h>
#include <sys/types.h>

struct stint_piece_file;

struct stint_json_piece {
    char *text; /* NUL-terminated; valid until the next piece is asked for */
    size_t length;
    size_t line;     /* of the file, in which it begins */
    const char *key; /* of the member, as in the file */
    int is_elements; /* 1: [ … ] with some elements of the array; more may follow. 0: the value of another member */
};

struct stint_json_pieces {
    struct stint_piece_file *file;
    const char *array; /* the member that is cut into elements */
    char *buffer;      /* what has been read and not yet been handed out, and a NUL */
    size_t size, used, at;
    size_t line; /* of `at` */
    char *end;   /* of the last piece: there was `under`; NULL: nothing to put back */
    char under[2];
    char key[100];
    int state;
    int is_over; /* the file has been read to its end */
    char reason[160];
};

/* Opens the file. Returns 0, or -1 with the cause in `reason`. Close it in either case. */
int stint_json_pieces_open(struct stint_json_pieces *pieces, const char *path, const char *array);

/* Returns 1 and the next piece; 0 after the last one; -1 with the cause in `reason`, and the line in `line`. A file
 * that was cut ends with -1, after everything that is complete in it. */
int stint_json_pieces_next(struct stint_json_pieces *pieces, struct stint_json_piece *piece);

void stint_json_pieces_close(struct stint_json_pieces *pieces);

/* ------------------------------------------------------------------------------------------------------------- file */

/* A file that is read from its beginning to its end. What gzip has compressed is unpacked, if zlib was there to build
 * with. */
struct stint_piece_file;

/* Returns NULL if it cannot be opened, or is not a regular file: see errno. */
struct stint_piece_file *stint_piece_file_open(const char *path);

/* Returns how many bytes were read; 0 at the end; -1 after a failure, of which *reason says what it was. */
ssize_t stint_piece_file_read(struct stint_piece_file *file, char *to, size_t size, const char **reason);

void stint_piece_file_close(struct stint_piece_file *file);

#endif
