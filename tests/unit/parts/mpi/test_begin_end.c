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

/* Names end with f08_ where a program has `use mpi_f08`. */
static int s_begun, s_finalized;

#define FAKE __attribute__((visibility("default")))
#define FORTRAN(name, counter)                                                                                         \
    void name(void *, void *, void *);                                                                                 \
    FAKE void p##name(void);                                                                                           \
    void p##name(void)                                                                                                 \
    {                                                                                                                  \
        counter++;                                                                                                     \
    }

FORTRAN(mpi_init_, s_begun)
FORTRAN(mpi_init_thread_, s_begun)
FORTRAN(mpi_finalize_, s_finalized)
FORTRAN(mpi_init_f08_, s_begun)
FORTRAN(mpi_init_thread_f08_, s_begun)
FORTRAN(mpi_finalize_f08_, s_finalized)

FAKE int PMPI_Init(int *count, char ***arguments)
{
    s_begun++;
    return fake_mpi.error;
}

FAKE int PMPI_Init_thread(int *count, char ***arguments, int required, int *provided)
{
    s_begun++;
    return fake_mpi.error;
}

static void init_all(int error)
{
    int provided;
    MPI_Fint any = 0;
    assert_int_equal(MPI_Init(NULL, NULL), error);
    assert_int_equal(MPI_Init_thread(NULL, NULL, 0, &provided), error);
    mpi_init_(&any, NULL, NULL);
    mpi_init_thread_(&any, &any, &any);
    mpi_init_f08_(&any, NULL, NULL);
    mpi_init_thread_f08_(&any, &any, &any);
}

TEST_EACH(begin, end)

/* Comes first, since what was found is kept. */
TEST(without_mpi_nothing_begins)
{
    fake_mpi.missing = "";
    init_all(MPI_ERR_INTERN);
    assert_int_equal(MPI_Finalize(), MPI_ERR_INTERN);
    assert_int_equal(s_begun, 0);
}

/* A library may make one call in another. */
TEST(every_beginning_reaches_mpi_and_one_is_a_scope)
{
    struct stint_snapshot *snapshot;
    init_all(MPI_SUCCESS);
    fake_mpi.error = MPI_ERR_OTHER;
    init_all(MPI_ERR_OTHER);
    assert_int_equal(s_begun, 2 * 6);
    assert_int_equal(stint_snapshot_take(&snapshot), STINT_OK);
    assert_int_equal(stint_snapshot_find(snapshot, STINT_MPI_SET, "MPI_Init")->numbers.count, 1);
    stint_snapshot_free(snapshot);
}

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
    (void)setenv("STINT_MPI_OUTPUT", "%z", 1);
    assert_int_equal(stint_mpi_report(MPI_COMM_WORLD), STINT_ERROR_IO);
    (void)setenv("STINT_MPI_OUTPUT", "/dev/full", 1);
    assert_int_equal(stint_mpi_report(MPI_COMM_WORLD), STINT_ERROR_IO);
}

TEST(a_report_that_does_not_exist_is_an_error)
{
    *strrchr(s_path, '.') = '\0'; /* what ends with .json has all */
    (void)setenv("STINT_MPI_OUTPUT", s_path, 1);
    (void)setenv("STINT_MPI_REPORT", "none", 1);
    assert_int_equal(stint_mpi_report(MPI_COMM_WORLD), STINT_ERROR_IO);
    (void)unsetenv("STINT_MPI_OUTPUT");
    assert_int_equal(stint_mpi_report(MPI_COMM_WORLD), STINT_ERROR_INVALID_ARGUMENT);
    (void)unsetenv("STINT_MPI_REPORT");
    assert_int_equal(read_output(), -1);
}

TEST(an_error_of_mpi_is_the_reports)
{
    fake_mpi.error = MPI_ERR_OTHER;
    assert_int_equal(stint_mpi_report(MPI_COMM_WORLD), STINT_ERROR_IO);
    assert_int_equal(read_output(), -1);
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
    mpi_finalize_(NULL, NULL, NULL);
    mpi_finalize_f08_(NULL, NULL, NULL);
    assert_int_equal(s_finalized, 2);
    fake_mpi.missing = "";
    mpi_finalize_(NULL, NULL, NULL);
    mpi_finalize_f08_(NULL, NULL, NULL);
    assert_int_equal(s_finalized, 2);
    assert_int_equal(read_output(), -1);
}
