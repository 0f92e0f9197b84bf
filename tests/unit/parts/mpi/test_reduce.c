#include "mpi/fake_mpi.h"
#include "stint/mpi.h"
#include "stint/timer.h"
#include "stint_test.h"

TEST_EACH(fake_mpi_reset, NULL)

/* Comes first, since what was found is kept. */
TEST(without_mpi_nothing_is_added)
{
    struct stint_snapshot *sum;
    fake_mpi.missing = "PMPI_Initialized";
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_ERROR_BUSY);
    fake_mpi.missing = "PMPI_Finalized";
    assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_ERROR_BUSY);
    fake_mpi.missing = NULL;
    assert_null(sum);
    assert_int_equal(fake_mpi.calls, 0);
}

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

/* Returns how many calls of MPI the rank makes, each of which fails once. What another rank sends is there before. */
static int fail_each_call(int rank, int size)
{
    struct stint_snapshot *sum;
    for (int works = 0;; works++) {
        (void)fake_mpi_reset(NULL);
        fake_mpi.size = size;
        fake_mpi.rank = 1;
        if (rank == 0)
            assert_int_equal(stint_mpi_reduce(MPI_COMM_WORLD, &sum), STINT_OK);
        fake_mpi.rank = rank;
        fake_mpi.calls = 0;
        fake_mpi.works = works;
        fake_mpi.error = MPI_ERR_OTHER;
        enum stint_status status = stint_mpi_reduce(MPI_COMM_WORLD, &sum);
        if (fake_mpi.calls <= works) {
            assert_int_equal(status, STINT_OK);
            assert_int_equal(sum ? sum->process.ranks : 0, rank == 0 ? (uint32_t)size : 0);
            stint_snapshot_free(sum);
            return works;
        }
        assert_int_equal(status, STINT_ERROR_IO);
        assert_null(sum);
    }
}

/* A communicator, the number of rounds, and a snapshot with its size. */
TEST(whichever_call_fails_there_is_no_sum)
{
    enum { CALLS = 5 };
    assert_int_equal(fail_each_call(1, 2), CALLS);
    assert_int_equal(fail_each_call(0, 2), CALLS);
    assert_int_equal(fail_each_call(2, 3), CALLS); /* no rank is behind it */
}
