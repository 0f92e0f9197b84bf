#include "mpi/timed_call.h"

#include <stdlib.h>

#include "mpi/fake_mpi.h"
#include "stint_test.h"

TEST_ONCE(fake_mpi_reset, NULL)

TEST(functions_are_found_by_name)
{
    assert_ptr_equal(stint_mpi_find("PMPI_Barrier"), (void *)(uintptr_t)PMPI_Barrier);
    assert_null(stint_mpi_find("PMPI_No_such_call"));
    assert_null(stint_mpi_find_fortran("mpi_no_such_call_"));
    assert_true(stint_mpi_is_known());
}

TEST(calls_within_a_call_are_not_timed)
{
    assert_true(stint_mpi_call_begin());
    assert_false(stint_mpi_call_begin());
    stint_mpi_call_end(STINT_MPI_CALL_MPI_Bcast, 100);
    assert_true(stint_mpi_call_begin());
    stint_mpi_call_end(STINT_MPI_CALL_MPI_Bcast, 20);
}
