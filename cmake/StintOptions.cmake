# Options. They choose what the macros expand to (through stint/config.h) and what is built beside the library; they
# never change which symbols the library has.

option(WITH_TIMER "Compile the timer macros in, unless a target defines STINT_WITH_TIMER itself" ON)

find_package(CUDAToolkit QUIET)
option(WITH_PROFILER "Compile the GPU profiler macros in, unless a target defines STINT_WITH_PROFILER itself"
       ${CUDAToolkit_FOUND})

if(PROJECT_IS_TOP_LEVEL OR STINT_MPI)
    find_package(MPI QUIET COMPONENTS C)
endif()
option(STINT_MPI "Build libstint_mpi, for programs that use the MPI that was found" ${MPI_C_FOUND})
if(STINT_MPI AND NOT MPI_C_FOUND)
    message(FATAL_ERROR "No MPI was found: install one, such as libopenmpi-dev or libmpich-dev, or configure with -DSTINT_MPI=OFF")
endif()

option(STINT_BUILD_TESTS "Build the tests and benchmarks (needs cmocka)" ${PROJECT_IS_TOP_LEVEL})
option(STINT_BUILD_SAMPLES "Build the samples" ${PROJECT_IS_TOP_LEVEL})
option(STINT_BUILD_CLI "Build the stint program" ${PROJECT_IS_TOP_LEVEL})
option(STINT_BUILD_DOCS "Build and install the man pages (needs pandoc; skipped without it)" ${PROJECT_IS_TOP_LEVEL})
option(STINT_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})

set(STINT_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=: address,undefined or thread; empty: none")
option(STINT_COVERAGE "Instrument for gcov" OFF)

# all; unit: tests of functions, and parsers; threads: tests with more than one thread, for ThreadSanitizer; options: tests
# of what the macros expand to by default, and of what a library does without the GPU profiler and the program. Anything
# else is a pattern of names.
set(STINT_TESTS all CACHE STRING "Which tests to build: all, unit, threads, options, or those whose names match this")
set(STINT_TESTS_WITHOUT "" CACHE STRING "Labels of tests not to build after all, such as unit")

if(PROJECT_IS_TOP_LEVEL)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
    endif()
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
    set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON) # for clang-tidy
endif()

# The values for config.h.in are plain 0 or 1, so that they can be used in #if and as values.
foreach(name TIMER PROFILER)
    if(WITH_${name})
        set(STINT_CONFIG_${name} 1)
    else()
        set(STINT_CONFIG_${name} 0)
    endif()
endforeach()
