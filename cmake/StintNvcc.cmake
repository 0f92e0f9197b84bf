# STINT_NVCC - the CUDA compiler, for tests of host code; false if there is none, or if it does not accept the
# host compiler that it finds (each release supports compilers only up to some version).
if(NOT DEFINED STINT_NVCC)
    find_program(STINT_NVCC nvcc HINTS "${CUDAToolkit_BIN_DIR}")
    mark_as_advanced(STINT_NVCC)
    if(STINT_NVCC)
        file(WRITE "${PROJECT_BINARY_DIR}/nvcc/works.cu" "#include <cstdio>\nint main() { return 0; }\n")
        execute_process(
            COMMAND ${STINT_NVCC} works.cu -o works
            WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/nvcc"
            RESULT_VARIABLE result
            OUTPUT_QUIET
            ERROR_VARIABLE error
        )
        if(NOT result EQUAL 0)
            message(STATUS "Not testing with ${STINT_NVCC}, which does not work here: ${error}")
            set_property(CACHE STINT_NVCC PROPERTY VALUE "STINT_NVCC-NOTFOUND")
        endif()
    endif()
endif()

# Where there is none yet, check_language(CUDA) would configure a project of its own.
if(STINT_NVCC)
    set(CMAKE_CUDA_COMPILER "${STINT_NVCC}" CACHE FILEPATH "The CUDA compiler")
endif()
