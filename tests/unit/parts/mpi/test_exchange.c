#include "mpi/timed_call.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/fake_mpi.h"
#include "stint_test.h"

static struct stint_mpi_group begin_as(int rank, int size)
{
    struct stint_mpi_group group;
    fake_mpi.rank = rank;
    fake_mpi.size = size;
    assert_int_equal(stint_mpi_group_begin(&group, MPI_COMM_WORLD), 0);
    assert_int_equal(group.rank, rank);
    assert_int_equal(group.size, size);
    assert_int_equal(group.world_rank, rank);
    return group;
}

TEST_EACH(fake_mpi_reset, NULL)

/* Comes first, since what was found is kept. */
TEST(without_mpi_nothing_is_exchanged)
{
    struct stint_mpi_group group = {.size = 2};
    struct stint_packed packed = {.size = 0};
    int number = 1, all[2];
    fake_mpi.missing = "";
    assert_int_equal(stint_mpi_group_begin(&group, MPI_COMM_WORLD), MPI_ERR_INTERN);
    assert_int_equal(stint_mpi_send(&group, 1, &packed), MPI_ERR_INTERN);
    assert_int_equal(stint_mpi_receive(&group, 1, &packed), MPI_ERR_INTERN);
    assert_int_equal(stint_mpi_least(&group, &number), MPI_ERR_INTERN);
    assert_int_equal(stint_mpi_gather(&group, 0, &number, sizeof number, all), MPI_ERR_INTERN);
    stint_mpi_group_end(&group);
    fake_mpi.missing = "PMPI_Comm_rank";
    assert_int_equal(stint_mpi_group_begin(&group, MPI_COMM_WORLD), MPI_ERR_INTERN);
    fake_mpi.missing = "PMPI_Comm_size";
    assert_int_equal(stint_mpi_group_begin(&group, MPI_COMM_WORLD), MPI_ERR_INTERN);
    assert_int_equal(fake_mpi.calls, 0);
}

TEST(bytes_arrive_as_they_were_sent)
{
    unsigned char bytes[] = "a snapshot, packed";
    struct stint_packed sent = {.bytes = bytes, .size = sizeof bytes}, received = {.size = 0};
    struct stint_mpi_group group = begin_as(1, 2);
    assert_int_equal(stint_mpi_send(&group, 0, &sent), 0);
    group = begin_as(0, 2);
    assert_int_equal(stint_mpi_receive(&group, 1, &received), 0);
    assert_int_equal(received.size, sizeof bytes);
    assert_memory_equal(received.bytes, bytes, sizeof bytes);
    stint_packed_free(&received);
    stint_mpi_group_end(&group);
}

TEST(what_could_not_be_packed_arrives_as_nothing)
{
    struct stint_packed sent = {.size = 100, .failed = 1}, received = {.size = 0};
    struct stint_mpi_group group = begin_as(1, 2);
    assert_int_equal(stint_mpi_send(&group, 0, &sent), 0);
    assert_int_equal(stint_mpi_receive(&group, 1, &received), 0);
    assert_int_equal(received.size, 0);
    assert_null(received.bytes);
}

TEST(the_least_number_is_that_of_any_rank)
{
    int mine = 3;
    struct stint_mpi_group group = begin_as(1, 2);
    assert_int_equal(stint_mpi_least(&group, &mine), 0);
    mine = 7;
    group = begin_as(0, 2);
    assert_int_equal(stint_mpi_least(&group, &mine), 0);
    assert_int_equal(mine, 3);
}

TEST(errors_of_mpi_are_passed_on)
{
    struct stint_mpi_group group = begin_as(0, 2);
    struct stint_packed packed = {.size = 0};
    int number = 1, all[2];
    fake_mpi.error = MPI_ERR_OTHER;
    assert_int_equal(stint_mpi_send(&group, 1, &packed), MPI_ERR_OTHER);
    assert_int_equal(stint_mpi_receive(&group, 1, &packed), MPI_ERR_OTHER);
    assert_int_equal(stint_mpi_least(&group, &number), MPI_ERR_OTHER);
    assert_int_equal(stint_mpi_gather(&group, 0, &number, sizeof number, all), MPI_ERR_OTHER);
    assert_int_equal(stint_mpi_group_begin(&group, MPI_COMM_WORLD), MPI_ERR_OTHER);
}
