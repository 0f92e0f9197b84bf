# Man pages, from Markdown.
find_program(STINT_PANDOC pandoc)
mark_as_advanced(STINT_PANDOC)
if(NOT STINT_PANDOC)
    message(STATUS "No man pages: pandoc is not installed")
    return()
endif()

include(GNUInstallDirs)
set(pages stint.1 stint-run.1 stint-nvprof.1 stint-attach.1 stint-export.1 stint-stats.1 stint-diff.1 stint-merge.1 stint-report.1 stint.3 stint.7)
foreach(page IN LISTS pages)
    set(source "${PROJECT_SOURCE_DIR}/docs/man/${page}.md")
    set(output "${PROJECT_BINARY_DIR}/man/${page}")
    string(REGEX MATCH "[0-9]$" section "${page}")
    add_custom_command(
        OUTPUT "${output}"
        COMMAND
            ${STINT_PANDOC} --standalone --to=man "--metadata=footer:stint ${PROJECT_VERSION}" "--output=${output}"
            "${source}"
        DEPENDS "${source}"
        COMMENT "Writing the man page ${page}"
        VERBATIM
    )
    list(APPEND outputs "${output}")
    install(FILES "${output}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}" COMPONENT stint_docs)
endforeach()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/man")
add_custom_target(stint_man ALL DEPENDS ${outputs})
