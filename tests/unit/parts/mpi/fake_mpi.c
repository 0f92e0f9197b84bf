#include "mpi/fake_mpi.h"

#include <string.h>

#define FAKE __attribute__((visibility("default")))

struct fake_mpi fake_mpi;

static struct {
    char bytes[1 << 20];
    size_t sent, received;
} s_wire;

int fake_mpi_reset(void **state)
{
    fake_mpi = (struct fake_mpi){.size = 1, .is_begun = 1};
    s_wire.sent = s_wire.received = 0;
    return 0;
}

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

void *__wrap_dlsym(void *library, const char *name)
{
    const char *missing = fake_mpi.missing;
    return missing && strncmp(name, missing, strlen(missing)) == 0 ? NULL : __real_dlsym(library, name);
}

static int communicate(void)
{
    return fake_mpi.calls++ < fake_mpi.works ? MPI_SUCCESS : fake_mpi.error;
}

#ifdef OPEN_MPI
/* What MPI_COMM_WORLD, MPI_BYTE and MPI_INT are the addresses of; their types are known to Open MPI alone. */
FAKE char fake_world[512] __asm__("ompi_mpi_comm_world");
FAKE char fake_byte[512] __asm__("ompi_mpi_byte");
FAKE char fake_int[512] __asm__("ompi_mpi_int");
#endif

FAKE int PMPI_Initialized(int *flag)
{
    *flag = fake_mpi.is_begun;
    return MPI_SUCCESS;
}

FAKE int PMPI_Finalized(int *flag)
{
    *flag = fake_mpi.is_ended;
    return MPI_SUCCESS;
}

FAKE int PMPI_Finalize(void)
{
    fake_mpi.is_ended = 1;
    return MPI_SUCCESS;
}

FAKE int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    *made = comm;
    return communicate();
}

FAKE int PMPI_Comm_free(MPI_Comm *comm)
{
    return MPI_SUCCESS;
}

FAKE int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    *rank = fake_mpi.rank;
    return MPI_SUCCESS;
}

FAKE int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    *size = fake_mpi.size;
    return MPI_SUCCESS;
}

FAKE int PMPI_Type_size(MPI_Datatype type, int *size)
{
    *size = 4;
    return MPI_SUCCESS;
}

FAKE int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    memcpy(s_wire.bytes + s_wire.sent, buffer, (size_t)count);
    s_wire.sent += (size_t)count;
    return communicate();
}

FAKE int PMPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    memcpy(buffer, s_wire.bytes + s_wire.received, (size_t)count);
    s_wire.received += (size_t)count;
    return communicate();
}

FAKE int PMPI_Gather(const void *send, int count, MPI_Datatype type, void *receive, int receive_count,
                     MPI_Datatype receive_type, int root, MPI_Comm comm)
{
    if (root == fake_mpi.rank)
        memcpy((char *)receive + fake_mpi.rank * count, send, (size_t)count);
    return communicate();
}

FAKE int PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return communicate();
}

FAKE int PMPI_Barrier(MPI_Comm comm)
{
    return communicate();
}
