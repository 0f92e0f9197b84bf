# A recipe for Spack. stint is not in Spack's repository: `spack repo add` a repository whose packages/ has this folder,
# and build a clone by `spack dev-build stint@0.1.0` in it, which needs no address.
#
# The test install.recipes calls this file with a stand-in for Spack, compares the version with stint's and the options
# with CMake's, and has CMake configure with what it returns. A Spack 0.23.0.dev0 of October 2024 resolved stint~program
# and stint+mpi, and `spack dev-build --until cmake` configured stint~program. Spack has not built it, and Spack 1 has
# not run it.
from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass  # Spack before 1.0 has CMakePackage in spack.package.


class Stint(CMakePackage):
    """Scoped timers and profiles for C, C++ and CUDA programs: a library, and a profiler that needs no recompiling."""

    license("Apache-2.0")

    version("0.1.0")

    variant("program", default=True, description="Build the program stint")
    variant("mpi", default=False, description="Build libstint_mpi, for the MPI of the specification")
    variant("profiler", default=False, description="Compile the GPU profiler macros in by default")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("mpi", when="+mpi")
    with when("+program"):
        depends_on("pkgconfig", type="build")
        depends_on("sqlite@3.31:")
        depends_on("zlib-api")
        depends_on("elfutils")
        depends_on("libiberty+pic")
        depends_on("libmicrohttpd")

    conflicts("platform=darwin", msg="stint runs on Linux")
    conflicts("platform=windows", msg="stint runs on Linux")

    def cmake_args(self):
        return [
            self.define_from_variant("STINT_BUILD_CLI", "program"),
            self.define_from_variant("STINT_MPI", "mpi"),
            self.define_from_variant("WITH_PROFILER", "profiler"),
            self.define("STINT_BUILD_DOCS", False),
            self.define("STINT_BUILD_SAMPLES", False),
            self.define("STINT_BUILD_TESTS", False),
            self.define("STINT_WERROR", False),
        ]
