# Checks one stage's folder; run as a script, see StintStage.cmake.
#
#   FOLDER    src/<stage>
#   SOURCES   the files its CMakeLists.txt compiles
#   MAY_USE   the stages whose headers it may include: itself and those it uses
cmake_minimum_required(VERSION 3.25)

file(GLOB files RELATIVE "${FOLDER}" "${FOLDER}/*.c" "${FOLDER}/*.h")
foreach(file IN LISTS files)
    if(file MATCHES "\\.c$" AND NOT file IN_LIST SOURCES)
        message(SEND_ERROR "${FOLDER}/${file} is not listed in CMakeLists.txt")
    endif()
    file(STRINGS "${FOLDER}/${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]+\"")
    foreach(include IN LISTS includes)
        if(NOT include MATCHES "\"([a-z_]+)/[^\"]+\"")
            message(SEND_ERROR "${FOLDER}/${file}: ${include}: name the stage: \"stage/header.h\"")
        elseif(NOT CMAKE_MATCH_1 IN_LIST MAY_USE AND NOT CMAKE_MATCH_1 STREQUAL "stint")
            message(SEND_ERROR "${FOLDER}/${file}: ${include}: this stage may use: ${MAY_USE}")
        endif()
    endforeach()
endforeach()
