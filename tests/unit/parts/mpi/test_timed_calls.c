/* Calls of a program, through the wrappers, to the fake. */

#include "mpi/fake_mpi.h"
#include "stint/mpi.h"
#include "stint_test.h"

static const struct stint_stat *stat_of(struct stint_snapshot **snapshot, const char *name)
{
    assert_int_equal(stint_snapshot_take(snapshot), STINT_OK);
    return stint_snapshot_find(*snapshot, STINT_MPI_SET, name);
}

TEST_EACH(fake_mpi_reset, NULL)

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

/* A rank's part has the bytes: four of each element. */
TEST(bytes_are_counted_by_call)
{
    struct stint_snapshot *sum;
    int buffer[10] = {0};
    double bytes = 0;
    assert_int_equal(MPI_Send(buffer, 3, MPI_INT, 0, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    assert_int_equal(MPI_Send(buffer, 2, MPI_INT, 0, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_OK);
    for (size_t i = 0; i < sum->nvtx_value_count; i++)
        bytes += sum->nvtx_values[i].sum;
    assert_true(bytes == 4 * (3 + 2));
    stint_snapshot_free(sum);
}
