# annotate.h with every compiler, with NVTX and compiled out, tested like the timers.
#
# NVTX's folder is given with -I, not -isystem, because the header itself has to suppress NVTX's warnings.
set(nvtx_1 "-I${STINT_NVTX_INCLUDE_DIR}" -DEXPECTED=1)
set(nvtx_0 "-I${STINT_NVTX_INCLUDE_DIR}" -DSTINT_WITH_NVTX=0 -DEXPECTED=0)
set(nvtx_disabled "-I${STINT_NVTX_INCLUDE_DIR}" -DNVTX_DISABLE -DEXPECTED=0)
set(nvtx_missing) # or found where the compiler looks by itself

# If the header is missing, tests that need it are skipped as if the compiler were missing.
set(no_header NOTFOUND)
if(NOT STINT_NVTX_INCLUDE_DIR)
    set(nvtx_0 -DSTINT_WITH_NVTX=0 -DEXPECTED=0)
    set(nvtx_disabled -DNVTX_DISABLE -DEXPECTED=0)
endif()

# The cross compiler has headers of its own, but not CUDA's. Without optimisation, compilers recognise fewer constants.
foreach(way IN LISTS ways)
    if(way STREQUAL "c_aarch64")
        continue()
    endif()
    set(levels O2)
    if(way MATCHES "^c_")
        set(levels O0 O2)
    endif()
    foreach(configuration 1 0 disabled missing)
        set(runs ${way})
        if(configuration STREQUAL "1" AND NOT STINT_NVTX_INCLUDE_DIR)
            set(runs no_header)
        endif()
        foreach(level IN LISTS levels)
            stint_add_compile_test(
                compile.annotate.${way}.${configuration}.${level}
                ${runs} ${${way}} -${level} ${nvtx_${configuration}} ${includes}
                -c "${CMAKE_CURRENT_SOURCE_DIR}/annotate.c"
                -o "${CMAKE_CURRENT_BINARY_DIR}/annotate.${way}.${configuration}.${level}.o"
            )
        endforeach()
    endforeach()
endforeach()

foreach(way c_gcc c_clang cxx17_gcc cxx17_clang)
    string(REGEX REPLACE ".*${way}[.]([01]).*" "\\1" configuration "${pairs}")
    set(runs ${way})
    if(configuration STREQUAL "1" AND NOT STINT_NVTX_INCLUDE_DIR)
        set(runs no_header)
    endif()
    stint_add_compile_test(
        compile.annotate_refused.${way}.${configuration} ${runs} sh "${CMAKE_CURRENT_SOURCE_DIR}/refused.sh"
        "${CMAKE_CURRENT_SOURCE_DIR}/annotate_refused.c" ${${way}} ${nvtx_${configuration}} ${includes}
    )

    # Compiled out, a call site leaves nothing behind.
    stint_add_compile_test(
        compile.annotate_off.${way} ${way} sh "${CMAKE_CURRENT_SOURCE_DIR}/annotate_off.sh"
        "${CMAKE_CURRENT_SOURCE_DIR}/annotate_off.c" "${CMAKE_CURRENT_BINARY_DIR}/annotate_off.${way}" ${${way}} -O2
        ${includes} "-I${STINT_NVTX_INCLUDE_DIR}"
    )
endforeach()
