#include "mpi/fake_mpi.h"
#include "stint/mpi.h"
#include "stint/timer.h"
#include "stint_test.h"

TEST_EACH(fake_mpi_reset, NULL)

TEST(one_rank_is_its_own_sum)
{
    struct stint_snapshot *sum;
    for (int i = 0; i < 5; i++) {
        STINT_SCOPE("step");
    }
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_OK);
    assert_non_null(sum);
    assert_int_equal(sum->process.ranks, 1);
    assert_int_equal(stint_snapshot_find(sum, NULL, "step")->numbers.count, 5);
    stint_snapshot_free(sum);
}

TEST(the_sum_of_two_ranks_is_on_the_first)
{
    struct stint_snapshot *sum;
    fake_mpi.size = 2;
    fake_mpi.rank = 1;
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_OK);
    assert_null(sum);
    fake_mpi.rank = 0;
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_OK);
    assert_int_equal(sum->process.ranks, 2);
    assert_int_equal(stint_snapshot_find(sum, NULL, "step")->numbers.count, 10);
    stint_snapshot_free(sum);
}

TEST(outside_of_mpi_nothing_is_added)
{
    struct stint_snapshot *sum;
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, NULL), STINT_ERROR_INVALID_ARGUMENT);
    fake_mpi.is_begun = 0;
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_ERROR_BUSY);
    fake_mpi.is_begun = fake_mpi.is_ended = 1;
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_ERROR_BUSY);
    assert_null(sum);
    assert_int_equal(fake_mpi.calls, 0);
}

TEST(an_error_of_mpi_is_one_of_input_and_output)
{
    struct stint_snapshot *sum;
    fake_mpi.error = MPI_ERR_OTHER;
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_ERROR_IO);
    assert_null(sum);
}
