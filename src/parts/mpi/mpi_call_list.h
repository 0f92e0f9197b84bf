/* The calls of MPI that are timed.
 *
 *     CALL(MPI_Name, parameters, arguments, bytes)         bytes: what this rank gives or takes
 *     ROUND(MPI_Name, parameters, arguments, bytes, comm)  a collective call that ends when all ranks have arrived
 *
 * BYTES(count, type) are those of a buffer, OF(buffer, count, type) the same unless the buffer is MPI_IN_PLACE,
 * whose type may be anything, and SUM(buffer, counts, type, comm) those of one buffer for each rank. */
#ifndef STINT_MPI_MPI_CALL_LIST_H
#define STINT_MPI_MPI_CALL_LIST_H

/* clang-format off */
#define STINT_MPI_CALLS(CALL, ROUND) \
    ROUND(MPI_Barrier, (MPI_Comm comm), (comm), 0, comm) \
    ROUND(MPI_Allreduce, (const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), \
          (send, receive, count, type, op, comm), BYTES(count, type), comm) \
    ROUND(MPI_Allgather, (const void *send, int count, MPI_Datatype type, void *receive, int receive_count, \
          MPI_Datatype receive_type, MPI_Comm comm), \
          (send, count, type, receive, receive_count, receive_type, comm), OF(send, count, type), comm) \
    ROUND(MPI_Allgatherv, (const void *send, int count, MPI_Datatype type, void *receive, const int receive_counts[], \
          const int places[], MPI_Datatype receive_type, MPI_Comm comm), \
          (send, count, type, receive, receive_counts, places, receive_type, comm), OF(send, count, type), comm) \
    ROUND(MPI_Alltoall, (const void *send, int count, MPI_Datatype type, void *receive, int receive_count, \
          MPI_Datatype receive_type, MPI_Comm comm), \
          (send, count, type, receive, receive_count, receive_type, comm), OF(send, count, type), comm) \
    ROUND(MPI_Alltoallv, (const void *send, const int counts[], const int places[], MPI_Datatype type, void *receive, \
          const int receive_counts[], const int receive_places[], MPI_Datatype receive_type, MPI_Comm comm), \
          (send, counts, places, type, receive, receive_counts, receive_places, receive_type, comm), \
          SUM(send, counts, type, comm), comm) \
    ROUND(MPI_Reduce_scatter, (const void *send, void *receive, const int counts[], MPI_Datatype type, MPI_Op op, \
          MPI_Comm comm), (send, receive, counts, type, op, comm), SUM(NULL, counts, type, comm), comm) \
    ROUND(MPI_Reduce_scatter_block, (const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, \
          MPI_Comm comm), (send, receive, count, type, op, comm), BYTES(count, type), comm) \
    CALL(MPI_Bcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm), \
         (buffer, count, type, root, comm), BYTES(count, type)) \
    CALL(MPI_Reduce, (const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, int root, \
         MPI_Comm comm), (send, receive, count, type, op, root, comm), BYTES(count, type)) \
    CALL(MPI_Scan, (const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), \
         (send, receive, count, type, op, comm), BYTES(count, type)) \
    CALL(MPI_Exscan, (const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), \
         (send, receive, count, type, op, comm), BYTES(count, type)) \
    CALL(MPI_Gather, (const void *send, int count, MPI_Datatype type, void *receive, int receive_count, \
         MPI_Datatype receive_type, int root, MPI_Comm comm), \
         (send, count, type, receive, receive_count, receive_type, root, comm), OF(send, count, type)) \
    CALL(MPI_Gatherv, (const void *send, int count, MPI_Datatype type, void *receive, const int receive_counts[], \
         const int places[], MPI_Datatype receive_type, int root, MPI_Comm comm), \
         (send, count, type, receive, receive_counts, places, receive_type, root, comm), OF(send, count, type)) \
    CALL(MPI_Scatter, (const void *send, int send_count, MPI_Datatype send_type, void *receive, int count, \
         MPI_Datatype type, int root, MPI_Comm comm), \
         (send, send_count, send_type, receive, count, type, root, comm), OF(receive, count, type)) \
    CALL(MPI_Scatterv, (const void *send, const int send_counts[], const int places[], MPI_Datatype send_type, \
         void *receive, int count, MPI_Datatype type, int root, MPI_Comm comm), \
         (send, send_counts, places, send_type, receive, count, type, root, comm), OF(receive, count, type)) \
    CALL(MPI_Send, (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), \
         (buffer, count, type, to, tag, comm), BYTES(count, type)) \
    CALL(MPI_Ssend, (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), \
         (buffer, count, type, to, tag, comm), BYTES(count, type)) \
    CALL(MPI_Bsend, (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), \
         (buffer, count, type, to, tag, comm), BYTES(count, type)) \
    CALL(MPI_Rsend, (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), \
         (buffer, count, type, to, tag, comm), BYTES(count, type)) \
    CALL(MPI_Recv, (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, \
         MPI_Status *status), (buffer, count, type, from, tag, comm, status), BYTES(count, type)) \
    CALL(MPI_Isend, (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
         MPI_Request *request), (buffer, count, type, to, tag, comm, request), BYTES(count, type)) \
    CALL(MPI_Irecv, (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, \
         MPI_Request *request), (buffer, count, type, from, tag, comm, request), BYTES(count, type)) \
    CALL(MPI_Sendrecv, (const void *send, int count, MPI_Datatype type, int to, int tag, void *receive, \
         int receive_count, MPI_Datatype receive_type, int from, int receive_tag, MPI_Comm comm, MPI_Status *status), \
         (send, count, type, to, tag, receive, receive_count, receive_type, from, receive_tag, comm, status), \
         BYTES(count, type)) \
    CALL(MPI_Sendrecv_replace, (void *buffer, int count, MPI_Datatype type, int to, int tag, int from, \
         int receive_tag, MPI_Comm comm, MPI_Status *status), \
         (buffer, count, type, to, tag, from, receive_tag, comm, status), BYTES(count, type)) \
    CALL(MPI_Probe, (int from, int tag, MPI_Comm comm, MPI_Status *status), (from, tag, comm, status), 0) \
    CALL(MPI_Wait, (MPI_Request *request, MPI_Status *status), (request, status), 0) \
    CALL(MPI_Waitall, (int count, MPI_Request requests[], MPI_Status *statuses), (count, requests, statuses), 0) \
    CALL(MPI_Waitany, (int count, MPI_Request requests[], int *which, MPI_Status *status), \
         (count, requests, which, status), 0) \
    CALL(MPI_Waitsome, (int count, MPI_Request requests[], int *done, int which[], MPI_Status *statuses), \
         (count, requests, done, which, statuses), 0) \
    CALL(MPI_Win_fence, (int assertion, MPI_Win window), (assertion, window), 0) \
    CALL(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made), 0) \
    CALL(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made), 0)

/* FORTRAN(name, MPI_Name, number of arguments, place of the communicator or -1), for those that are called a lot. */
#define STINT_MPI_FORTRAN_CALLS(FORTRAN) \
    FORTRAN(mpi_barrier_, MPI_Barrier, 2, 0) \
    FORTRAN(mpi_allreduce_, MPI_Allreduce, 7, 5) \
    FORTRAN(mpi_allgather_, MPI_Allgather, 8, 6) \
    FORTRAN(mpi_allgatherv_, MPI_Allgatherv, 9, 7) \
    FORTRAN(mpi_alltoall_, MPI_Alltoall, 8, 6) \
    FORTRAN(mpi_alltoallv_, MPI_Alltoallv, 10, 8) \
    FORTRAN(mpi_bcast_, MPI_Bcast, 6, -1) \
    FORTRAN(mpi_reduce_, MPI_Reduce, 8, -1) \
    FORTRAN(mpi_scan_, MPI_Scan, 7, -1) \
    FORTRAN(mpi_gather_, MPI_Gather, 9, -1) \
    FORTRAN(mpi_gatherv_, MPI_Gatherv, 10, -1) \
    FORTRAN(mpi_scatter_, MPI_Scatter, 9, -1) \
    FORTRAN(mpi_scatterv_, MPI_Scatterv, 10, -1) \
    FORTRAN(mpi_send_, MPI_Send, 7, -1) \
    FORTRAN(mpi_ssend_, MPI_Ssend, 7, -1) \
    FORTRAN(mpi_recv_, MPI_Recv, 8, -1) \
    FORTRAN(mpi_isend_, MPI_Isend, 8, -1) \
    FORTRAN(mpi_irecv_, MPI_Irecv, 8, -1) \
    FORTRAN(mpi_sendrecv_, MPI_Sendrecv, 13, -1) \
    FORTRAN(mpi_wait_, MPI_Wait, 3, -1) \
    FORTRAN(mpi_waitall_, MPI_Waitall, 4, -1) \
    FORTRAN(mpi_waitany_, MPI_Waitany, 5, -1)
/* clang-format on */

#endif
