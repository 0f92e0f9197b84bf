/* nccl FILE - one rank of a program that uses NCCL without a framework: rank 0 of RANK passes its id on in FILE. Rank 1
 * is slow on purpose: it sleeps before every second all-reduce, so that the other rank's kernels wait for it. */
#include <cuda_runtime_api.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 40, COUNT = 1 << 20, SLEEP_US = 3000, TRIES = 6000, TRY_US = 5000 };

static int has_failed(const char *what, int failed)
{
    if (failed)
        (void)fprintf(stderr, "%s failed: %d\n", what, failed);
    return failed;
}

/* The id is complete when the file has its name. */
static int write_id(const ncclUniqueId *id, const char *path)
{
    char part[4096];
    (void)snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "wb");
    if (!file || fwrite(id, sizeof *id, 1, file) != 1 || fclose(file) != 0)
        return -1;
    return rename(part, path);
}

static int read_id(ncclUniqueId *id, const char *path)
{
    for (int i = 0; i < TRIES; i++) {
        FILE *file = fopen(path, "rb");
        if (file) {
            size_t read = fread(id, sizeof *id, 1, file);
            (void)fclose(file);
            return read == 1 ? 0 : -1;
        }
        (void)usleep(TRY_US);
    }
    return -1;
}

static int run(ncclComm_t comm, int rank)
{
    cudaStream_t stream;
    float *numbers, sum = 0;
    int failed = has_failed("cudaMalloc", cudaMalloc((void **)&numbers, COUNT * sizeof *numbers)) ||
                 has_failed("cudaMemset", cudaMemset(numbers, 0, COUNT * sizeof *numbers)) ||
                 has_failed("cudaStreamCreate", cudaStreamCreate(&stream));
    for (int i = 0; i < ROUNDS && !failed; i++) {
        if (rank == 1 && i % 2)
            (void)usleep(SLEEP_US);
        failed =
            has_failed("ncclAllReduce", ncclAllReduce(numbers, numbers, COUNT, ncclFloat, ncclSum, comm, stream)) ||
            has_failed("cudaStreamSynchronize", cudaStreamSynchronize(stream));
    }
    failed = failed || has_failed("cudaMemcpy", cudaMemcpy(&sum, numbers, sizeof sum, cudaMemcpyDeviceToHost));
    if (!failed)
        (void)printf("rank %d: %d rounds, %g\n", rank, ROUNDS, (double)sum);
    return failed;
}

int main(int count, char **arguments)
{
    const char *number = getenv("RANK");
    int rank = number && strcmp(number, "1") == 0;
    ncclUniqueId id;
    ncclComm_t comm;
    if (count != 2 || has_failed("cudaSetDevice", cudaSetDevice(rank)))
        return 1;
    if (rank == 0 && has_failed("ncclGetUniqueId", ncclGetUniqueId(&id)))
        return 1;
    if (has_failed("the id", rank == 0 ? write_id(&id, arguments[1]) : read_id(&id, arguments[1])) ||
        has_failed("ncclCommInitRank", ncclCommInitRank(&comm, 2, id, rank)))
        return 1;
    return run(comm, rank) || has_failed("ncclCommDestroy", ncclCommDestroy(comm));
}
