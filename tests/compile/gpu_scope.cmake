# Tests gpu_scope.h like call_sites.c, refused.c and off.c test timers. CUDA's headers are not used, because none is
# needed.
foreach(way IN LISTS ways)
    foreach(timer 0 1)
        foreach(debug NDEBUG DEBUG)
            stint_add_compile_test(
                compile.gpu_scope_sites.${way}.${timer}.${debug}
                ${way} ${${way}} -O2 -DSTINT_WITH_TIMER=${timer} -D${debug} ${includes}
                -c "${CMAKE_CURRENT_SOURCE_DIR}/gpu_scope_sites.c"
                -o "${CMAKE_CURRENT_BINARY_DIR}/gpu_scope_sites.${way}.${timer}.${debug}.o"
            )
        endforeach()
    endforeach()
    stint_add_compile_test(
        compile.gpu_scope_sites.${way}.per_thread
        ${way} ${${way}} -O2 -DSTINT_WITH_TIMER=1 -DCUDA_API_PER_THREAD_DEFAULT_STREAM ${includes}
        -c "${CMAKE_CURRENT_SOURCE_DIR}/gpu_scope_sites.c"
        -o "${CMAKE_CURRENT_BINARY_DIR}/gpu_scope_sites.${way}.per_thread.o"
    )
endforeach()

foreach(way c_gcc c_clang cxx17_gcc cxx17_clang)
    foreach(timer 0 1)
        stint_add_compile_test(
            compile.gpu_scope_refused.${way}.${timer} ${way} sh "${CMAKE_CURRENT_SOURCE_DIR}/refused.sh"
            "${CMAKE_CURRENT_SOURCE_DIR}/gpu_scope_refused.c" ${${way}} -DSTINT_WITH_TIMER=${timer} ${includes}
        )
    endforeach()
    stint_add_compile_test(
        compile.gpu_scope_off.${way} ${way} sh "${CMAKE_CURRENT_SOURCE_DIR}/off.sh"
        "${CMAKE_CURRENT_SOURCE_DIR}/gpu_scope_off.c" "${CMAKE_CURRENT_BINARY_DIR}/gpu_scope_off.${way}"
        ${${way}} -O2 ${includes}
    )
endforeach()

# Also linked with both libraries, and run.
foreach(library shared static)
    add_executable(gpu_scope_sites_${library} gpu_scope_sites.c)
    target_link_libraries(gpu_scope_sites_${library} PRIVATE stint_warnings stint::stint_${library})
    add_test(NAME compile.gpu_scope_sites.run.${library} COMMAND gpu_scope_sites_${library})
    stint_set_test(compile.gpu_scope_sites.run.${library} LABELS compile)
endforeach()
