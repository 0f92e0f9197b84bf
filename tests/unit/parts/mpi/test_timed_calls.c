/* Calls of a program, through the wrappers, to the fake. */

#include "mpi/fake_mpi.h"
#include "mpi/mpi_call_list.h"
#include "stint/mpi.h"
#include "stint/statset.h"
#include "stint_test.h"

static const struct stint_stat *stat_of(struct stint_snapshot **snapshot, const char *name)
{
    assert_int_equal(stint_snapshot_take(snapshot), STINT_OK);
    return stint_snapshot_find(*snapshot, STINT_MPI_SET, name);
}

TEST_EACH(fake_mpi_reset, NULL)

/* ------------------------------------------------------------------------------------------------------- every call */

static int s_is_nested, s_within; /* MPI makes the call once more within it */

#define FAKE(name, parameters, arguments, ...)                                                                         \
    __attribute__((weak, visibility("default"))) int P##name parameters                                                \
    {                                                                                                                  \
        if (s_is_nested && !s_within++) {                                                                              \
            int result = name arguments;                                                                               \
            s_within = 0;                                                                                              \
            return result;                                                                                             \
        }                                                                                                              \
        fake_mpi.calls++;                                                                                              \
        return fake_mpi.error;                                                                                         \
    }

STINT_MPI_CALLS(FAKE, FAKE)

#define NAME(name, ...) #name,
static const char *const s_names[] = {STINT_MPI_CALLS(NAME, NAME)};

enum { OTHER = 1 }; /* a rank */

/* Returns how many of the calls succeed. The send buffer of collective calls may be MPI_IN_PLACE. */
static int call_all(const void *send)
{
    const int counts[] = {1}, places[] = {0};
    int buffer[4] = {0}, other[4] = {0}, number;
    const MPI_Comm comm = MPI_COMM_WORLD;
    const MPI_Datatype type = MPI_INT;
    const MPI_Op op = (MPI_Op)0;
    MPI_Comm made;
    MPI_Request request;
    MPI_Status status;
    int errors[] = {
        MPI_Barrier(comm),
        MPI_Allreduce(send, other, 1, type, op, comm),
        MPI_Allgather(send, 1, type, other, 1, type, comm),
        MPI_Allgatherv(send, 1, type, other, counts, places, type, comm),
        MPI_Alltoall(send, 1, type, other, 1, type, comm),
        MPI_Alltoallv(send, counts, places, type, other, counts, places, type, comm),
        MPI_Reduce_scatter(send, other, counts, type, op, comm),
        MPI_Reduce_scatter_block(send, other, 1, type, op, comm),
        MPI_Bcast(buffer, 1, type, 0, comm),
        MPI_Reduce(send, other, 1, type, op, 0, comm),
        MPI_Scan(send, other, 1, type, op, comm),
        MPI_Exscan(send, other, 1, type, op, comm),
        MPI_Gather(send, 1, type, other, 1, type, OTHER, comm),
        MPI_Gatherv(send, 1, type, other, counts, places, type, 0, comm),
        MPI_Scatter(buffer, 1, type, (void *)send, 1, type, 0, comm),
        MPI_Scatterv(buffer, counts, places, type, (void *)send, 1, type, 0, comm),
        MPI_Send(buffer, 1, type, OTHER, 0, comm),
        MPI_Ssend(buffer, 1, type, OTHER, 0, comm),
        MPI_Bsend(buffer, 1, type, OTHER, 0, comm),
        MPI_Rsend(buffer, 1, type, OTHER, 0, comm),
        MPI_Recv(buffer, 1, type, OTHER, 0, comm, &status),
        MPI_Isend(buffer, 1, type, OTHER, 0, comm, &request),
        MPI_Irecv(buffer, 1, type, OTHER, 0, comm, &request),
        MPI_Sendrecv(buffer, 1, type, OTHER, 0, other, 1, type, OTHER, 0, comm, &status),
        MPI_Sendrecv_replace(buffer, 1, type, OTHER, 0, OTHER, 0, comm, &status),
        MPI_Probe(OTHER, 0, comm, &status),
        MPI_Wait(&request, &status),
        MPI_Waitall(1, &request, &status),
        MPI_Waitany(1, &request, &number, &status),
        MPI_Waitsome(1, &request, &number, other, &status),
        MPI_Win_fence(0, (MPI_Win)0),
        MPI_Comm_dup(comm, &made),
        MPI_Comm_split(comm, 0, 0, &made),
    };
    int succeeded = 0;
    for (size_t i = 0; i < TEST_COUNT(errors); i++)
        succeeded += errors[i] == MPI_SUCCESS;
    return succeeded;
}

enum { CALLS = TEST_COUNT(s_names) };

/* Comes first, since what was found is kept. */
TEST(without_mpi_calls_fail)
{
    int buffer[4] = {0};
    fake_mpi.missing = "";
    assert_int_equal(call_all(buffer), 0);
    fake_mpi.missing = NULL;
    assert_int_equal(fake_mpi.calls, 0);
}

/* All are counted once, whatever MPI calls within them. */
static void assert_scopes(uint64_t count)
{
    struct stint_snapshot *snapshot;
    for (int i = 0; i < CALLS; i++) {
        assert_int_equal(stat_of(&snapshot, s_names[i])->numbers.count, count);
        stint_snapshot_free(snapshot);
    }
}

TEST(every_call_reaches_mpi_and_is_a_scope)
{
    int buffer[4] = {0};
    stint_statset_reset(stint_statset_get(STINT_MPI_SET), STINT_RESET_ALL);
    assert_int_equal(call_all(buffer), CALLS);
    assert_int_equal(fake_mpi.calls, CALLS);
    assert_int_equal(call_all(MPI_IN_PLACE), CALLS);
    assert_scopes(2);
    fake_mpi.error = MPI_ERR_OTHER;
    assert_int_equal(call_all(buffer), 0);
    assert_scopes(3);
}

TEST(calls_within_calls_are_not_counted)
{
    int buffer[4] = {0};
    stint_statset_reset(stint_statset_get(STINT_MPI_SET), STINT_RESET_ALL);
    s_is_nested = 1;
    assert_int_equal(call_all(buffer), CALLS);
    s_is_nested = 0;
    assert_int_equal(fake_mpi.calls, CALLS);
    assert_scopes(1);
}

/* ---------------------------------------------------------------------------------------------------------- Fortran */

/* Takes no argument of those it gets, and may make the call once more. */
#define FAKE_FORTRAN(prefix, name, wrapper)                                                                            \
    void wrapper(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,       \
                 void *);                                                                                              \
    __attribute__((visibility("default"))) void prefix##name(void);                                                    \
    void prefix##name(void)                                                                                            \
    {                                                                                                                  \
        if (s_is_nested && !s_within++) {                                                                              \
            call_fortran(wrapper);                                                                                     \
            s_within = 0;                                                                                              \
        } else {                                                                                                       \
            fake_mpi.calls++;                                                                                          \
        }                                                                                                              \
    }
#define OLD(name, ...) FAKE_FORTRAN(p, name, name)
#define NEW(name, ...) FAKE_FORTRAN(p, name##f08_, name##f08_)

typedef void fortran_fn(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *);

/* With the most arguments that one of them has, of which each takes what it knows. */
static void call_fortran(fortran_fn *call)
{
    static MPI_Fint s_number;
    void *any = &s_number;
    call(any, any, any, any, any, any, any, any, any, any, any, any, any);
}

STINT_MPI_FORTRAN_CALLS(OLD)
STINT_MPI_FORTRAN_CALLS(NEW)

#define OLD_CALL(name, ...) name,
#define NEW_CALL(name, ...) name##f08_,
static fortran_fn *const s_fortran[] = {STINT_MPI_FORTRAN_CALLS(OLD_CALL) STINT_MPI_FORTRAN_CALLS(NEW_CALL)};

#define CALLED(name, c_name, ...) #c_name,
static const char *const s_called[] = {STINT_MPI_FORTRAN_CALLS(CALLED) STINT_MPI_FORTRAN_CALLS(CALLED)};

/* One call in all, whatever MPI calls within it. */
TEST(calls_from_fortran_are_scopes_as_those_from_c_are)
{
    struct stint_snapshot *snapshot;
    for (size_t i = 0; i < TEST_COUNT(s_fortran); i++) {
        fake_mpi.missing = "";
        call_fortran(s_fortran[i]);
        assert_int_equal(fake_mpi.calls, 0);
        fake_mpi.missing = NULL;
        stint_statset_reset(stint_statset_get(STINT_MPI_SET), STINT_RESET_ALL);
        for (s_is_nested = 0; s_is_nested < 2; s_is_nested++) {
            call_fortran(s_fortran[i]);
            assert_int_equal(fake_mpi.calls, 1);
            assert_int_equal(stat_of(&snapshot, s_called[i])->numbers.count, 1 + s_is_nested);
            stint_snapshot_free(snapshot);
            fake_mpi.calls = 0;
        }
        s_is_nested = 0;
    }
}

/* --------------------------------------------------------------------------------------------------------- one call */

TEST(a_call_is_a_scope_and_returns_what_mpi_does)
{
    struct stint_snapshot *snapshot;
    assert_int_equal(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    assert_int_equal(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    fake_mpi.error = MPI_ERR_OTHER;
    assert_int_equal(MPI_Barrier(MPI_COMM_WORLD), MPI_ERR_OTHER);
    assert_int_equal(fake_mpi.calls, 3);
    assert_int_equal(stat_of(&snapshot, "MPI_Barrier")->numbers.count, 3);
    stint_snapshot_free(snapshot);
}

static double bytes_so_far(void)
{
    struct stint_snapshot *sum;
    double bytes = 0;
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_OK);
    for (size_t i = 0; i < sum->nvtx_value_count; i++)
        bytes += sum->nvtx_values[i].sum;
    stint_snapshot_free(sum);
    return bytes;
}

/* A rank's part has the bytes: four of each element. */
TEST(bytes_are_counted_by_call)
{
    int buffer[10] = {0};
    double before = bytes_so_far();
    assert_int_equal(MPI_Send(buffer, 3, MPI_INT, 0, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    assert_int_equal(MPI_Send(buffer, 2, MPI_INT, 0, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    assert_true(bytes_so_far() - before == 4 * (3 + 2));
}
