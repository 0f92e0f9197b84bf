#include "mpi/fake_mpi.h"
#include "mpi/timed_call.h"
#include "stint_test.h"

static struct stint_mpi_round s_rounds[STINT_MPI_ROUNDS];

TEST_ONCE(fake_mpi_reset, NULL)

TEST(only_rounds_of_all_ranks_are_kept)
{
    int other;
    stint_mpi_round_end((MPI_Comm)(void *)&other, stint_mpi_round_begin());
    assert_int_equal(stint_mpi_rounds(s_rounds), 0);
    stint_mpi_round_end(MPI_COMM_WORLD, stint_mpi_round_begin());
    assert_int_equal(stint_mpi_rounds(s_rounds), 1);
    assert_int_equal(s_rounds[0].work_ns, 0); /* before the first there was none */
}

TEST(waiting_and_working_are_told_apart)
{
    uint64_t arrived_ns = stint_mpi_round_begin();
    stint_mpi_round_end(MPI_COMM_WORLD, arrived_ns - 1000000000);
    stint_mpi_round_end(MPI_COMM_WORLD, stint_mpi_round_begin() + 1000000);
    assert_int_equal(stint_mpi_rounds(s_rounds), 3);
    assert_true(s_rounds[1].wait_ns >= 1000000000);
    assert_true(s_rounds[2].work_ns >= 1000000);
}

/* However long the run, rounds are spread over it. */
TEST(there_is_always_room_for_another)
{
    for (int i = 0; i < 10 * STINT_MPI_ROUNDS; i++)
        stint_mpi_round_end(MPI_COMM_WORLD, stint_mpi_round_begin());
    size_t count = stint_mpi_rounds(s_rounds);
    assert_in_range(count, STINT_MPI_ROUNDS / 2, STINT_MPI_ROUNDS);
}

TEST(the_history_has_a_last_note)
{
    struct stint_snapshot *snapshot;
    assert_int_equal(stint_snapshot_take(&snapshot), STINT_OK);
    stint_mpi_note();
    assert_non_null(stint_mpi_history_take(snapshot));
    stint_mpi_history_release();
    stint_snapshot_free(snapshot);
}
