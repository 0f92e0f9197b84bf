/* Clocks of several hosts on one timeline. */
#ifndef STINT_CLI_ALIGN_H
#define STINT_CLI_ALIGN_H

#include <stddef.h>

#include "cli/file_kind.h"

/* Recordings of one host have its clock in common. Those of others are aligned with the first one's host by what ends
 * on all ranks at about the same time: collective calls of MPI, or kernels of NCCL, which have to be the same in the
 * same order. Moves the beginnings of these recordings, and says by how much, and how well the ends then agree; or that
 * clocks are taken as they are. Recordings without events stay as they are. */
void stint_align(struct stint_profile *const *profiles, size_t count);

#endif
