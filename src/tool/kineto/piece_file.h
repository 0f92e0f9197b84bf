/* A file that is read from its beginning to its end. What gzip has compressed is unpacked, if zlib was there to build
 * with. */
#ifndef STINT_KINETO_PIECE_FILE_H
#define STINT_KINETO_PIECE_FILE_H

#include <stddef.h>
#include <sys/types.h>

struct stint_piece_file;

/* Returns NULL if it cannot be opened, or is not a regular file: see errno. */
struct stint_piece_file *stint_piece_file_open(const char *path);

/* Returns how many bytes were read; 0 at the end; -1 after a failure, of which *reason says what it was. */
ssize_t stint_piece_file_read(struct stint_piece_file *file, char *to, size_t size, const char **reason);

void stint_piece_file_close(struct stint_piece_file *file);

#endif
