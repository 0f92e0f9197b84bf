# Man pages, from Markdown; and the guides, with the samples that they refer to.
include(GNUInstallDirs)
install(
    DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/samples"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}"
    COMPONENT stint_docs
    PATTERN "*.awk" EXCLUDE
)
install(
    FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}"
    COMPONENT stint_docs
)

find_program(STINT_PANDOC pandoc)
mark_as_advanced(STINT_PANDOC)
if(NOT STINT_PANDOC)
    message(STATUS "No man pages: pandoc is not installed")
    return()
endif()

# stint_reports_markdown(<out> <file>) - sets <out> to a list with an item for each row of report_list.h.
function(stint_reports_markdown out file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(REPLACE ";" "<semicolon>" text "${text}") # a semicolon would end an element of a list
    string(REGEX MATCHALL "\n    (CORE|PROF|TEXT|NSYS)\\([^\n]*\"\\)" rows "${text}")
    set(items "")
    foreach(row IN LISTS rows)
        string(REGEX MATCH "\"([^\"]+)\".*\"([^\"]+)\"" matched "${row}")
        set(name "${CMAKE_MATCH_1}")
        set(help "${CMAKE_MATCH_2}")
        if(row MATCHES "NSYS\\(")
            string(APPEND help ", as **nsys stats** prints it")
        endif()
        string(APPEND items "    - **${name}**: ${help}\n")
    endforeach()
    string(REPLACE "<semicolon>" ";" items "${items}")
    string(REPLACE "--" "\\--" items "${items}")
    set(${out} "${items}" PARENT_SCOPE)
endfunction()

stint_reports_markdown(reports "${PROJECT_SOURCE_DIR}/src/core/report/report_list.h")

file(GLOB pages CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/docs/man" "${PROJECT_SOURCE_DIR}/docs/man/*.[1-9].md")
list(TRANSFORM pages REPLACE "\\.md$" "")
foreach(page IN LISTS pages)
    set(written "${PROJECT_SOURCE_DIR}/docs/man/${page}.md")
    set(source "${PROJECT_BINARY_DIR}/man/${page}.md")
    set(output "${PROJECT_BINARY_DIR}/man/${page}")
    string(REGEX MATCH "[0-9]$" section "${page}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${written}")
    file(READ "${written}" text)
    string(REPLACE "@REPORTS@\n" "${reports}" text "${text}")
    file(CONFIGURE OUTPUT "${source}" CONTENT "${text}" @ONLY)
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
    set(component stint_program)
    if(section EQUAL 3)
        set(component stint_development)
    endif()
    install(FILES "${output}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}" COMPONENT ${component})
endforeach()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/man")
add_custom_target(stint_man ALL DEPENDS ${outputs})

# man REGISTER_TIMER shows stint(3): each macro and function in its synopsis is a page that refers to it.
file(READ "${PROJECT_SOURCE_DIR}/docs/man/stint.3.md" text)
string(REGEX REPLACE "\n# DESCRIPTION.*" "" text "${text}")
string(REGEX MATCHALL "(stint_|print|set|[A-Z]+_)[A-Za-z0-9_]+\\(" names "${text}")
list(TRANSFORM names REPLACE "\\($" "")
list(REMOVE_DUPLICATES names)
foreach(name IN LISTS names)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/man/alias/${name}.3" CONTENT ".so man3/stint.3\n")
    list(APPEND aliases "${PROJECT_BINARY_DIR}/man/alias/${name}.3")
endforeach()
install(FILES ${aliases} DESTINATION "${CMAKE_INSTALL_MANDIR}/man3" COMPONENT stint_development)
