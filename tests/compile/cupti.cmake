# Checks stint's declarations of CUPTI's ABI against NVIDIA's headers if they are installed: beside CUDA's, or in
# extras/CUPTI.
find_path(
    STINT_CUPTI_INCLUDE_DIR cupti.h
    HINTS ${CUDAToolkit_INCLUDE_DIRS}
    PATHS /usr/local/cuda/include /usr/local/cuda
    PATH_SUFFIXES extras/CUPTI/include ../extras/CUPTI/include
    DOC "Where cupti.h is"
)
mark_as_advanced(STINT_CUPTI_INCLUDE_DIR)

foreach(way c_gcc c_clang)
    if(STINT_CUPTI_INCLUDE_DIR)
        list(TRANSFORM CUDAToolkit_INCLUDE_DIRS PREPEND "-isystem" OUTPUT_VARIABLE cuda_includes)
        stint_add_compile_test(
            compile.cupti_abi.${way} ${way} ${${way}} ${includes} "-I${PROJECT_SOURCE_DIR}/src/parts"
            "-isystem${STINT_CUPTI_INCLUDE_DIR}" ${cuda_includes} -fsyntax-only "${CMAKE_CURRENT_SOURCE_DIR}/cupti_abi.c"
        )
    else()
        add_test(NAME compile.cupti_abi.${way} COMMAND sh -c "exit ${STINT_TEST_SKIPPED}")
        stint_set_test(compile.cupti_abi.${way} LABELS compile)
    endif()
endforeach()

# The range profiler's headers need C++.
foreach(way cxx17_gcc cxx17_clang)
    if(STINT_CUPTI_INCLUDE_DIR)
        stint_add_compile_test(
            compile.range_abi.${way} ${way} ${${way}} ${includes} "-I${PROJECT_SOURCE_DIR}/src/parts"
            "-isystem${STINT_CUPTI_INCLUDE_DIR}" ${cuda_includes} -fsyntax-only "${CMAKE_CURRENT_SOURCE_DIR}/range_abi.cpp"
        )
    else()
        add_test(NAME compile.range_abi.${way} COMMAND sh -c "exit ${STINT_TEST_SKIPPED}")
        stint_set_test(compile.range_abi.${way} LABELS compile)
    endif()
endforeach()
