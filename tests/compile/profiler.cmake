# Tests profiler.h like call_sites.c, refused.c and off.c test timers.
foreach(way IN LISTS ways)
    foreach(profiler 0 1)
        stint_add_compile_test(
            compile.profiler_sites.${way}.${profiler}
            ${way} ${${way}} -O2 -DSTINT_WITH_PROFILER=${profiler} ${includes}
            -c "${CMAKE_CURRENT_SOURCE_DIR}/profiler_sites.c"
            -o "${CMAKE_CURRENT_BINARY_DIR}/profiler_sites.${way}.${profiler}.o"
        )
    endforeach()
endforeach()

foreach(way c_gcc c_clang cxx17_gcc cxx17_clang)
    foreach(profiler 0 1)
        stint_add_compile_test(
            compile.profiler_refused.${way}.${profiler} ${way} sh "${CMAKE_CURRENT_SOURCE_DIR}/refused.sh"
            "${CMAKE_CURRENT_SOURCE_DIR}/profiler_refused.c" ${${way}} -DSTINT_WITH_PROFILER=${profiler} ${includes}
        )
    endforeach()
    stint_add_compile_test(
        compile.profiler_off.${way} ${way} sh "${CMAKE_CURRENT_SOURCE_DIR}/off.sh"
        "${CMAKE_CURRENT_SOURCE_DIR}/profiler_off.c" "${CMAKE_CURRENT_BINARY_DIR}/profiler_off.${way}"
        ${${way}} -O2 -DSTINT_WITH_PROFILER=0 ${includes}
    )
endforeach()

# Also linked with both libraries, and run: without a GPU, nothing must fail.
foreach(library shared static)
    add_executable(profiler_sites_${library} profiler_sites.c)
    target_compile_definitions(profiler_sites_${library} PRIVATE STINT_WITH_PROFILER=1)
    target_link_libraries(profiler_sites_${library} PRIVATE stint_warnings stint::stint_${library})
    add_test(NAME compile.profiler_sites.run.${library} COMMAND profiler_sites_${library})
    stint_set_test(compile.profiler_sites.run.${library} LABELS compile)
endforeach()

# A static and a shared cudart have to be found even if there is neither a driver nor a GPU.
if(WITH_PROFILER)
    foreach(cudart static shared)
        stint_add_compile_test(
            compile.profiler_nvcc.${cudart} cuda_nvcc sh "${CMAKE_CURRENT_SOURCE_DIR}/profiler_nvcc.sh" ${cudart}
            "${CMAKE_CURRENT_SOURCE_DIR}/profiler_sites.c" $<TARGET_FILE:stint_archive>
            "${CMAKE_CURRENT_BINARY_DIR}/profiler_nvcc.${cudart}" ${cuda_nvcc} -DSTINT_WITH_PROFILER=1 ${includes}
        )
    endforeach()
endif()
