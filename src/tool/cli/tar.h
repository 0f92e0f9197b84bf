/* Finds the files in an archive of tar, as `tar c run.stint` makes it, without unpacking them. */
#ifndef STINT_CLI_TAR_H
#define STINT_CLI_TAR_H

#include "base/array.h"
#include "ctf/ctf_input.h"

struct stint_tar_file {
    const char *folder; /* "run.stint", "job/4711.stint"; "" for none */
    struct stint_ctf_input input;
};

/* Zero it to begin. */
struct stint_tar {
    struct stint_arena arena;
    struct stint_array files; /* struct stint_tar_file, by folder and name. Of files of one name it has the last */
    int is_cut;               /* 1: the end is missing */
    char reason[160];
};

/* Whether a file may be an archive, judged by its beginning. */
int stint_tar_is(const char *path);

/* Reads the archive, a regular file. Returns 0, or -1: `reason` says why. */
int stint_tar_read(struct stint_tar *tar, const char *path);

void stint_tar_free(struct stint_tar *tar);

#endif
