/* The texts of operations, of which each is different and nearly all of it is the same:
 *
 *     aten::mm, seq = 54, op_id = 783, sizes = [[64, 16], [16, 10]], input_op_ids = [(780,0), (0,-1)]
 *
 * What a recording keeps of each time is its numbers. What follows them is kept once for all times, with the numbers of
 * the operations that made the inputs counted back from the operation's own:
 *
 *     , sizes = [[64, 16], [16, 10]], input_op_ids = [(+3,0), (0,-1)]
 *
 * A dictionary of pyprof.init() is data as a whole. The text that is put together again has the same bytes. Texts come
 * from programs: any bytes are allowed. */
#ifndef STINT_CTF_WRITER_INSTANCE_TEXT_H
#define STINT_CTF_WRITER_INSTANCE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "ctf_writer/ctf_format.h"
#include "support/keyed_table.h"

/* Texts that are longer are not taken apart. */
enum { STINT_INSTANCE_TEXT = 1 << 15 };

struct stint_instance {
    int has_seq;
    uint64_t seq;
    uint64_t op_id; /* 0: none */
    size_t length;  /* of the data */
    const char *data;
};

/* What a text is taken apart in. */
struct stint_instance_room {
    char data[STINT_INSTANCE_TEXT];
    char again[STINT_INSTANCE_TEXT];
};

/* Takes a text apart whose name is known; the data is in the room. Returns 0 if the text is not that of an
 * operation, or if it could not be put together again. */
int stint_instance_split(struct stint_instance *instance, struct stint_instance_room *room, const char *name,
                         const char *text);

/* Puts the text together. Returns its length; 0 if `size` is too small. */
size_t stint_instance_join(char *text, size_t size, const char *name, const struct stint_instance *instance);

/* The data of all instances, each once. There is a limit, so that a program whose shapes are always new does not take
 * more and more memory. Zero it to begin. */
struct stint_instance_table {
    struct stint_table rows; /* struct stint_piece */
    struct stint_arena arena;
    size_t bytes;
};

enum { STINT_INSTANCE_MOST = 1 << 18, STINT_INSTANCE_MOST_BYTES = 1 << 26 };

/* Returns the data's number, from 1 on; 0 if it is not there and there is no room for it. `is_new` says whether it
 * was not there before. */
uint32_t stint_instance_number(struct stint_instance_table *table, const struct stint_instance *instance, int *is_new);

/* Operations: activations whose texts are taken apart (ctf_writer/instance_text.h), so that what they have in common is
 * in a recording once. */

/* What a writer knows of them. Zero it to begin; free the table's arena at the end. */
struct stint_ctf_operations {
    struct stint_instance_table table;
    struct stint_instance_room room;
};

/* Fills in the row of the event, and in `data` what has to be defined before it; its id is 0 if there is nothing.
 * Returns 0 if the event is not that of an operation, or if there is no room for its data. */
int stint_ctf_operation_of(struct stint_ctf_operations *operations, const struct stint_event *event,
                           struct stint_ctf_operation *row, struct stint_ctf_data *data);

#endif
