# Tests op.h like call_sites.c, refused.c and off.c test timers.
foreach(way IN LISTS ways)
    foreach(timer 0 1)
        stint_add_compile_test(
            compile.op_sites.${way}.${timer}
            ${way} ${${way}} -O2 -DSTINT_WITH_TIMER=${timer} ${includes}
            -c "${CMAKE_CURRENT_SOURCE_DIR}/op_sites.c" -o "${CMAKE_CURRENT_BINARY_DIR}/op_sites.${way}.${timer}.o"
        )
    endforeach()
endforeach()

foreach(way c_gcc c_clang cxx17_gcc cxx17_clang)
    foreach(timer 0 1)
        stint_add_compile_test(
            compile.op_refused.${way}.${timer} ${way} sh "${CMAKE_CURRENT_SOURCE_DIR}/refused.sh"
            "${CMAKE_CURRENT_SOURCE_DIR}/op_refused.c" ${${way}} -DSTINT_WITH_TIMER=${timer} ${includes}
        )
    endforeach()
    stint_add_compile_test(
        compile.op_off.${way} ${way} sh "${CMAKE_CURRENT_SOURCE_DIR}/off.sh"
        "${CMAKE_CURRENT_SOURCE_DIR}/op_off.c" "${CMAKE_CURRENT_BINARY_DIR}/op_off.${way}" ${${way}} -O2 ${includes}
    )
endforeach()

# Also linked with both libraries, and run.
foreach(library shared static)
    add_executable(op_sites_${library} op_sites.c)
    target_link_libraries(op_sites_${library} PRIVATE stint_warnings stint::stint_${library})
    add_test(NAME compile.op_sites.run.${library} COMMAND op_sites_${library})
    stint_set_test(compile.op_sites.run.${library} LABELS compile)
endforeach()
