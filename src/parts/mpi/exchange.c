/* Sends snapshots between ranks by a communicator of its own, so that no message of the program is taken for one of
 * these. Bytes of any length go in pieces, since MPI counts with int. */
#include "mpi/timed_call.h"

#include <stdlib.h>
#include <string.h>

enum { TAG = 7301, PIECE_MOST = 1 << 30 };

int stint_mpi_group_begin(struct stint_mpi_group *group, MPI_Comm comm)
{
    STINT_MPI_REAL(MPI_Comm_dup)
    static __typeof__(&PMPI_Comm_rank) s_rank;
    static __typeof__(&PMPI_Comm_size) s_size;
    void *rank = stint_mpi_find("PMPI_Comm_rank"), *size = stint_mpi_find("PMPI_Comm_size");
    memcpy(&s_rank, &rank, sizeof s_rank);
    memcpy(&s_size, &size, sizeof s_size);
    if (!real || !s_rank || !s_size)
        return MPI_ERR_INTERN;
    int error = real(comm, &group->comm);
    if (!error)
        error = s_rank(group->comm, &group->rank);
    if (!error)
        error = s_size(group->comm, &group->size);
    return error ? error : s_rank(stint_mpi_world(), &group->world_rank);
}

void stint_mpi_group_end(struct stint_mpi_group *group)
{
    STINT_MPI_REAL(MPI_Comm_free)
    if (real)
        (void)real(&group->comm);
}

static int send_bytes(const struct stint_mpi_group *group, int to, const void *bytes, size_t size)
{
    STINT_MPI_REAL(MPI_Send)
    int error = real ? MPI_SUCCESS : MPI_ERR_INTERN;
    for (size_t done = 0, piece; done < size && !error; done += piece) {
        piece = size - done < PIECE_MOST ? size - done : PIECE_MOST;
        error = real((const char *)bytes + done, (int)piece, stint_mpi_byte(), to, TAG, group->comm);
    }
    return error;
}

static int receive_bytes(const struct stint_mpi_group *group, int from, void *bytes, size_t size)
{
    STINT_MPI_REAL(MPI_Recv)
    int error = real ? MPI_SUCCESS : MPI_ERR_INTERN;
    for (size_t done = 0, piece; done < size && !error; done += piece) {
        piece = size - done < PIECE_MOST ? size - done : PIECE_MOST;
        error = real((char *)bytes + done, (int)piece, stint_mpi_byte(), from, TAG, group->comm, MPI_STATUS_IGNORE);
    }
    return error;
}

int stint_mpi_send(const struct stint_mpi_group *group, int to, const struct stint_packed *packed)
{
    uint64_t size = packed->failed ? 0 : packed->size;
    int error = send_bytes(group, to, &size, sizeof size);
    return error ? error : send_bytes(group, to, packed->bytes, (size_t)size);
}

int stint_mpi_receive(const struct stint_mpi_group *group, int from, struct stint_packed *packed)
{
    uint64_t size = 0;
    int error = receive_bytes(group, from, &size, sizeof size);
    if (error || !size)
        return error;
    packed->bytes = malloc((size_t)size);
    if (!packed->bytes)
        return MPI_ERR_NO_MEM; /* the sender waits for ever, so the job has to end */
    packed->size = packed->room = (size_t)size;
    return receive_bytes(group, from, packed->bytes, (size_t)size);
}

int stint_mpi_gather(const struct stint_mpi_group *group, int root, const void *mine, int size, void *all)
{
    STINT_MPI_REAL(MPI_Gather)
    MPI_Datatype byte = stint_mpi_byte();
    return real ? real(mine, size, byte, all, size, byte, root, group->comm) : MPI_ERR_INTERN;
}

/* By hand, as the constants of operations differ between libraries as types do. */
int stint_mpi_least(const struct stint_mpi_group *group, int *number)
{
    STINT_MPI_REAL(MPI_Bcast)
    int error = real ? MPI_SUCCESS : MPI_ERR_INTERN;
    for (int step = 1; step < group->size && !error; step *= 2) {
        int other;
        if (group->rank & step) {
            error = send_bytes(group, group->rank - step, number, sizeof *number);
            break;
        }
        if (group->rank + step < group->size) {
            error = receive_bytes(group, group->rank + step, &other, sizeof other);
            *number = !error && other < *number ? other : *number;
        }
    }
    return error ? error : real(number, (int)sizeof *number, stint_mpi_byte(), 0, group->comm);
}
