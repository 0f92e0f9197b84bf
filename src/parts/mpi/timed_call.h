/* What every timed call of MPI does around the real one. */
#ifndef STINT_MPI_TIMED_CALL_H
#define STINT_MPI_TIMED_CALL_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi/mpi_call_list.h"
#include "ranks/ranks.h"
#include "stat/builder.h"
#include "stint/snapshot.h"
#include "stint/statset.h"
#include "stint/status.h"
#include "stint/timer.h"

/* The functions of the MPI library that the program uses. They are looked up by name, so that this library can be
 * preloaded into programs without MPI, and into those that load MPI later. */

/* Returns the function or object of that name, or NULL if there is none. */
void *stint_mpi_find(const char *name);

/* Returns what "mpi_barrier_" of Fortran does: "pmpi_barrier_". That of MPICH's "mpi_barrier_f08_" is
 * "pmpir_barrier_f08_". */
void *stint_mpi_find_fortran(const char *name);

/* Whether the program's MPI is the one that this library was built for. */
int stint_mpi_is_known(void);

/* MPI_COMM_WORLD and MPI_BYTE. */
MPI_Comm stint_mpi_world(void);
MPI_Datatype stint_mpi_byte(void);

/* The same, which keeps what it found. */
void *stint_mpi_find_once(void **kept, const char *name);

/* Declares the pointer `real` to the function PMPI_…, which is looked up once. */
#define STINT_MPI_REAL(name)                                                                                           \
    static void *s_found;                                                                                              \
    void *found = stint_mpi_find_once(&s_found, "P" #name);                                                            \
    __typeof__(&P##name) real;                                                                                         \
    memcpy(&real, &found, sizeof real);

/* ----------------------------------------------------------------------------------------------------- timed_call.c */

#define STINT_MPI_NUMBER(name, ...) STINT_MPI_CALL_##name,
enum stint_mpi_call_number { STINT_MPI_CALLS(STINT_MPI_NUMBER, STINT_MPI_NUMBER) STINT_MPI_CALL_COUNT };

/* What STINT_MPI asks for. */
enum { STINT_MPI_TIMERS = 1, STINT_MPI_REPORT = 2 };
int stint_mpi_wanted(void);

/* Begins a call. Returns 0 if it is not timed: timers are off, or it is made by another one, as those from Fortran
 * are in some libraries. Then stint_mpi_call_end must not be called. */
int stint_mpi_call_begin(void);

/* Times the rest of the block as a scope of the calls' set. As functions, since some eighty calls have one. */
#define STINT_MPI_SCOPE(name)                                                                                          \
    static struct stint_i_site s_site = {__FILE__, __func__, __LINE__, 0};                                             \
    struct stint_i_node *scope STINT_I_CLEANUP(stint_mpi_leave) = stint_mpi_enter(&s_site, name)

struct stint_i_node *stint_mpi_enter(struct stint_i_site *site, const char *name);
void stint_mpi_leave(struct stint_i_node **scope);

/* Ends a call. */
void stint_mpi_call_end(enum stint_mpi_call_number call, uint64_t bytes);

/* The times of a collective call, which is in every rank's list of rounds if it is over all ranks. */
uint64_t stint_mpi_round_begin(void);
void stint_mpi_round_end(MPI_Comm comm, uint64_t arrived_ns);

/* Adds to a rank's part: bytes by call. */
struct stint_builder;
void stint_mpi_call_add_bytes(struct stint_builder *builder);

/* ------------------------------------------------------------------------------------------------------- exchange.c */

/* Messages between ranks. Each function is 0, or an error of MPI. */

/* A communicator of this library's own, with the ranks of another one. */
struct stint_mpi_group {
    MPI_Comm comm;
    int rank;
    int size;
    int world_rank; /* of this process in MPI_COMM_WORLD */
};

/* Begins and ends it. Collective. */
int stint_mpi_group_begin(struct stint_mpi_group *group, MPI_Comm comm);
void stint_mpi_group_end(struct stint_mpi_group *group);

/* Sends bytes, or receives as many as were sent, into empty ones. Without memory for them, there are none. */
int stint_mpi_send(const struct stint_mpi_group *group, int to, const struct stint_packed *packed);
int stint_mpi_receive(const struct stint_mpi_group *group, int from, struct stint_packed *packed);

/* Gathers so many bytes of each rank on one of them. Collective. */
int stint_mpi_gather(const struct stint_mpi_group *group, int root, const void *mine, int size, void *all);

/* The least of a number on all ranks. Collective. */
int stint_mpi_least(const struct stint_mpi_group *group, int *number);

/* ---------------------------------------------------------------------------------------------------------- notes.c */

/* The history of this process (ranks/ranks.h), and its rounds: collective calls over all ranks. Both have a fixed
 * size, whatever the length of the run. */

/* Takes a note of all statistics if it is time for one. */
void stint_mpi_note(void);

/* Takes a last note, of this snapshot, and returns the history, which no other thread uses until it is released. */
const struct stint_history *stint_mpi_history_take(const struct stint_snapshot *snapshot);
void stint_mpi_history_release(void);

enum { STINT_MPI_ROUNDS = 128 };

/* One of the rounds that are kept: all ranks keep the same. */
struct stint_mpi_round {
    uint64_t wait_ns; /* from the rank's arrival until it went on */
    uint64_t work_ns; /* from the end of its round before until it arrived */
};

/* Copies the rounds, STINT_MPI_ROUNDS at most, and returns how many they are. */
size_t stint_mpi_rounds(struct stint_mpi_round *rounds);

/* Where sums and parts are written. */

/* Writes the report called `name` to the file named by a pattern, which appears complete or not at all. Returns 0,
 * or -1 after logging why not; `variable` is where the pattern comes from. */
int stint_mpi_save(const struct stint_snapshot *snapshot, const char *variable, const char *pattern, const char *name);

#endif
