# Tests counters.h like call_sites.c and off.c test timers.
foreach(way IN LISTS ways)
    foreach(profiler 0 1)
        stint_add_compile_test(
            compile.counters_sites.${way}.${profiler}
            ${way} ${${way}} -O2 -DSTINT_WITH_PROFILER=${profiler} ${includes}
            -c "${CMAKE_CURRENT_SOURCE_DIR}/counters_sites.c"
            -o "${CMAKE_CURRENT_BINARY_DIR}/counters_sites.${way}.${profiler}.o"
        )
    endforeach()
endforeach()
foreach(way c_gcc cxx17_clang)
    stint_add_compile_test(
        compile.counters_off.${way} ${way} sh "${CMAKE_CURRENT_SOURCE_DIR}/off.sh"
        "${CMAKE_CURRENT_SOURCE_DIR}/counters_off.c" "${CMAKE_CURRENT_BINARY_DIR}/counters_off.${way}"
        ${${way}} -O2 -DSTINT_WITH_PROFILER=0 ${includes}
    )
endforeach()

# Also linked with both libraries, and run: without a GPU, nothing must fail.
foreach(library shared static)
    add_executable(counters_sites_${library} counters_sites.c)
    target_compile_definitions(counters_sites_${library} PRIVATE STINT_WITH_PROFILER=1)
    target_link_libraries(counters_sites_${library} PRIVATE stint_warnings stint::stint_${library})
    add_test(NAME compile.counters_sites.run.${library} COMMAND counters_sites_${library})
    stint_set_test(compile.counters_sites.run.${library} LABELS compile)
endforeach()
