#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/fake_mpi.h"
#include "stint/mpi.h"
#include "stint_test.h"

static char s_folder[64], s_path[96], s_text[1 << 16];

static int begin(void **state)
{
    strcpy(s_folder, "/tmp/stint_begin_end_XXXXXX");
    if (!mkdtemp(s_folder))
        return -1;
    (void)snprintf(s_path, sizeof s_path, "%s/sum.json", s_folder);
    return fake_mpi_reset(state) || setenv("STINT_MPI_OUTPUT", s_path, 1);
}

static int end(void **state)
{
    (void)unlink(s_path);
    (void)unsetenv("STINT_MPI_MARK");
    return rmdir(s_folder);
}

/* Returns how much the file has; -1: there is none. */
static ssize_t read_output(void)
{
    int file = open(s_path, O_RDONLY);
    ssize_t length = file < 0 ? -1 : read(file, s_text, sizeof s_text - 1);
    if (file >= 0)
        (void)close(file);
    s_text[length > 0 ? length : 0] = '\0';
    return length;
}

TEST_EACH(begin, end)

TEST(the_sum_is_written_where_the_environment_says)
{
    assert_int_equal(stint_mpi_report(MPI_COMM_WORLD), STINT_OK);
    assert_true(read_output() > 0);
    assert_non_null(strstr(s_text, "\"format\":\"stint-report\""));
}

TEST(a_path_that_cannot_be_written_is_an_error)
{
    (void)setenv("STINT_MPI_OUTPUT", "/none/at/all.json", 1);
    assert_int_equal(stint_mpi_report(MPI_COMM_WORLD), STINT_ERROR_IO);
    (void)setenv("STINT_MPI_OUTPUT", "/tmp/%z", 1);
    assert_int_equal(stint_mpi_report(MPI_COMM_WORLD), STINT_ERROR_IO);
}

/* Another rank than the first writes nothing, but leaves a mark if `stint run` asks for it. */
TEST(other_ranks_leave_a_mark)
{
    fake_mpi.size = 2;
    fake_mpi.rank = 1;
    assert_int_equal(stint_mpi_report(MPI_COMM_WORLD), STINT_OK);
    assert_int_equal(read_output(), -1);
    (void)setenv("STINT_MPI_MARK", "1", 1);
    assert_int_equal(stint_mpi_report(MPI_COMM_WORLD), STINT_OK);
    assert_int_equal(read_output(), 0);
}

TEST(the_end_of_mpi_brings_the_report_once)
{
    assert_int_equal(MPI_Finalize(), MPI_SUCCESS);
    assert_true(fake_mpi.is_ended);
    assert_true(read_output() > 0);
    (void)unlink(s_path);
    fake_mpi.is_ended = 0;
    assert_int_equal(MPI_Finalize(), MPI_SUCCESS);
    assert_int_equal(read_output(), -1);
}
