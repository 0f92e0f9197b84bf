# Checks one stage's folder; run as a script, see StintStage.cmake.
#
#   FOLDER    src/<stage>
#   SOURCES   the files its CMakeLists.txt compiles
#   MAY_USE   the stages whose headers it may include: itself and those it uses
#   ON_TOP    true for a library on top of libstint: it may include every public header
cmake_minimum_required(VERSION 3.25)

# Public headers that belong to a stage, like its own headers. Any stage may include the others.
set(owner_detail/record.h record)
set(owner_detail/scope.h record)
set(owner_timer.h record)
set(owner_report.h report)

file(GLOB files RELATIVE "${FOLDER}" "${FOLDER}/*.c" "${FOLDER}/*.h")
foreach(file IN LISTS files)
    if(file MATCHES "\\.c$" AND NOT file IN_LIST SOURCES)
        message(SEND_ERROR "${FOLDER}/${file} is not listed in CMakeLists.txt")
    endif()
    file(STRINGS "${FOLDER}/${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]+\"")
    foreach(include IN LISTS includes)
        if(NOT include MATCHES "\"([a-z_]+)/([^\"]+)\"")
            message(SEND_ERROR "${FOLDER}/${file}: ${include}: name the stage: \"stage/header.h\"")
            continue()
        endif()
        set(stage "${CMAKE_MATCH_1}")
        if(stage STREQUAL "stint")
            if(ON_TOP OR NOT DEFINED "owner_${CMAKE_MATCH_2}")
                continue()
            endif()
            set(stage "${owner_${CMAKE_MATCH_2}}")
        endif()
        if(NOT stage IN_LIST MAY_USE)
            message(SEND_ERROR "${FOLDER}/${file}: ${include}: this stage may use: ${MAY_USE}")
        endif()
    endforeach()
endforeach()
