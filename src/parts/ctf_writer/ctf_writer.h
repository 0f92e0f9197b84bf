/* Writes a recording while a program runs. */
#ifndef STINT_CTF_WRITER_CTF_WRITER_H
#define STINT_CTF_WRITER_CTF_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ctf_writer/ctf_format.h"
#include "ctf_writer/ctf_output.h"
#include "model/event_writer.h"
#include "support/keyed_table.h"

/* Whether a trace of this name is to be a recording. */
int stint_ctf_is_wanted(const char *path);

/* Makes the folder `path`; an earlier recording there is removed. Returns NULL on failure: `reason`, of `size` bytes,
 * says why. What a write that fails contained is lost, and counted in the writer's `lost`; the next one may succeed. */
struct stint_event_writer *stint_ctf_writer_open(const char *path, const struct stint_event_process *process,
                                                 char *reason, size_t size);

/* ----------------------------------------------------------------------------------------------------- ctf_pieces.c */

/* Recordings that are made of one that is still written: dumps, and pieces that are put aside. */

/* What is written. */
struct stint_ctf_live {
    const char *path;
    const unsigned char *uuid;
    struct stint_array *threads; /* struct stint_ctf_output */
    struct stint_ctf_output *devices, *samples, *definitions;
};

/* How many there were. Zero it to begin. */
struct stint_ctf_pieces {
    uint64_t dumps, parts;
    uint64_t bytes, ns; /* where the present part begins */
};

/* Makes a recording of what there is, or of the last of it in a ring of time, with the newest report. All has to be
 * written. Readers see it complete or not at all; it is called "run.dump3.stint" if the path is "run.stint", and is in
 * the folder that STINT_DUMP_FOLDER names, or in that of the path. `out`, with room for PATH_MAX, receives its path.
 * Returns 0, or -1: errno says why. */
int stint_ctf_pieces_dump(struct stint_ctf_pieces *pieces, const struct stint_ctf_live *live,
                          const struct stint_ctf_limits *limits, char *out);

/* Whether STINT_TRACE_ROTATE wants the next part to begin: so many bytes have been written, and the time is that. */
int stint_ctf_pieces_is_due(const struct stint_ctf_pieces *pieces, const struct stint_ctf_limits *limits,
                            uint64_t bytes, uint64_t ns);

/* Makes a recording "run.part3.stint", as above, of what there is, which is then gone from this one, and removes the
 * oldest part if there are too many. */
int stint_ctf_pieces_next(struct stint_ctf_pieces *pieces, const struct stint_ctf_live *live,
                          const struct stint_ctf_limits *limits, uint64_t bytes, uint64_t ns);

/* How many events there are in the streams that have files with events from `since_ns` on, those before included. */
uint64_t stint_ctf_piece_events(const struct stint_ctf_live *live, uint64_t since_ns);

/* When the last event ended. */
uint64_t stint_ctf_piece_end(const struct stint_ctf_live *live);

/* -------------------------------------------------------------------------------------------------- instance_text.c */

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

/* Operations: activations whose texts are taken apart (ctf_writer/ctf_writer.h), so that what they have in common is
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
