/* Libraries that are installed beside the program. */
#include "cli/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stint_test.h"
#include "store/scratch.h"

TEST_ONCE(scratch_make, scratch_remove)

TEST(variables_name_other_libraries)
{
    char path[PATH_MAX];
    FILE *file = fopen("mine.so", "w");
    assert_non_null(file);
    (void)fclose(file);
    assert_non_null(realpath("mine.so", path));
    assert_int_equal(setenv("STINT_INJECT_LIBRARY", "mine.so", 1), 0);
    assert_string_equal(stint_locate_inject().path, path);
    assert_int_equal(setenv("STINT_INJECT_LIBRARY", "none.so", 1), 0);
    assert_string_equal(stint_locate_inject().path, "");
    assert_int_equal(unsetenv("STINT_INJECT_LIBRARY"), 0);
}

TEST(what_is_not_beside_the_program_is_not_found)
{
    assert_string_equal(stint_locate_python().path, ""); /* there is no share beside this test */
}

TEST(launchers_are_known_by_their_names)
{
    assert_true(stint_is_mpi_launcher("mpirun"));
    assert_true(stint_is_mpi_launcher("/usr/bin/mpiexec.hydra"));
    assert_true(stint_is_mpi_launcher("bin/srun"));
    assert_false(stint_is_mpi_launcher("mpirunner"));
    assert_false(stint_is_mpi_launcher("mpirun/a.out"));
    assert_false(stint_is_mpi_launcher(""));
}

/* Ranks are added up only under a launcher of MPI, and with a library that its path lets be preloaded. */
TEST(mpi_is_for_ranks_of_a_launcher)
{
    static const char *const launchers[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                            "SLURM_PROCID"};
    FILE *file = fopen("mpi.so", "w");
    assert_non_null(file);
    (void)fclose(file);
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
        assert_int_equal(unsetenv(launchers[i]), 0);
    assert_int_equal(setenv("STINT_MPI_LIBRARY", "mpi.so", 1), 0);
    assert_string_equal(stint_locate_mpi("a.out").path, "");
    assert_non_null(strstr(stint_locate_mpi("mpirun").path, "/mpi.so"));
    assert_int_equal(setenv("SLURM_PROCID", "0", 1), 0);
    assert_non_null(strstr(stint_locate_mpi("a.out").path, "/mpi.so"));
    assert_int_equal(setenv("STINT_MPI", "off", 1), 0);
    assert_string_equal(stint_locate_mpi("a.out").path, "");
    assert_int_equal(unsetenv("STINT_MPI"), 0);
    assert_int_equal(rename("mpi.so", "m pi.so"), 0);
    assert_int_equal(setenv("STINT_MPI_LIBRARY", "m pi.so", 1), 0);
    assert_string_equal(stint_locate_mpi("a.out").path, "");
}
