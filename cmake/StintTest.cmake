# Tests, benchmarks and samples.
#
#   stint_add_test(
#       NAME <stage.file>        ctest's name; the program is test_<stage>_<file>
#       [PROGRAM <name>]         the program is test_<name>, which has the tests of all sources that name it, and whose
#                                first one says what it links
#       [SOURCES <file>...]      default: <folder of the stage below src>/test_<file>.c
#       [STAGES <stage>...]      default: <stage>; links their objects and those of all they use, with hidden symbols
#       [LIBRARY shared|static]  instead of STAGES: links the finished library, as a user does
#       [WRAP <symbol>...]       calls from other files to symbol() reach the test's __wrap_symbol()
#       [LIBRARIES <name>...]    further libraries, or object libraries that several tests share
#       [LABELS <label>...] [ENV <NAME=value>...] [TIMEOUT <seconds>]
#   )
#
#   stint_add_test_helper(<name> <file>...)
#
# adds the object library test_<name>, for LIBRARIES, of files that several tests share.
#
# A test gets the label `threads` automatically if its sources start a thread, and `unit` if it is linked with the objects
# of stages. A build has the tests that STINT_TESTS and STINT_TESTS_WITHOUT name (cmake/StintOptions.cmake); the targets of
# the others exist, but are not built by default.
#
# The label `thorough` is for tests that cost much and tell little that others do not, such as the same with one more
# compiler: `sh tests/run.sh --all` runs them, and `sh tests/run.sh` does not.
#
# Tests are written with cmocka, and compiled with stint_test_flags (tests/CMakeLists.txt). Exit code 77 means skipped.

set(STINT_TEST_TIMEOUT 180) # seconds; sanitizers make a test about ten times slower, other load as much again
if(STINT_COVERAGE)
    set(STINT_TEST_TIMEOUT 600) # gcov's counters are shared by all threads, and written by each of many processes
endif()
set(STINT_TEST_SKIPPED 77)

# stint_set_test(<test>... [LABELS <label>...] [ENV <NAME=value>...] [TIMEOUT <seconds>]) - sets what every test
# has. Those that may take longest begin first, so that none of them is left over when all others have ended.
function(stint_set_test)
    cmake_parse_arguments(PARSE_ARGV 0 test "" "TIMEOUT" "LABELS;ENV")
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT ${STINT_TEST_TIMEOUT})
    endif()
    set_tests_properties(
        ${test_UNPARSED_ARGUMENTS}
        PROPERTIES
            SKIP_RETURN_CODE ${STINT_TEST_SKIPPED} TIMEOUT ${test_TIMEOUT} COST ${test_TIMEOUT} LABELS "${test_LABELS}"
            ENVIRONMENT "${test_ENV}"
    )
endfunction()

# stint_wants_test(<out> <name> <label>...) - whether this build has a test of that name, with these labels.
function(stint_wants_test out name)
    set(${out} FALSE PARENT_SCOPE)
    if(STINT_TESTS STREQUAL "all" OR STINT_TESTS IN_LIST ARGN OR name MATCHES "${STINT_TESTS}")
        set(${out} TRUE PARENT_SCOPE)
    endif()
    foreach(label IN LISTS STINT_TESTS_WITHOUT)
        if(label IN_LIST ARGN)
            set(${out} FALSE PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# stint_thread_label(<out> <file>...) - `threads` if one of these starts a thread, otherwise nothing.
function(stint_thread_label out)
    set(${out} "" PARENT_SCOPE)
    foreach(source IN LISTS ARGN)
        get_filename_component(path "${source}" ABSOLUTE)
        set(lines)
        if(EXISTS "${path}") # generated sources start no threads
            file(STRINGS "${path}" lines REGEX "pthread_create|std::thread|(in|on)_thread\\(")
        endif()
        if(lines)
            set(${out} threads PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

function(stint_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;PROGRAM;LIBRARY;TIMEOUT" "SOURCES;STAGES;WRAP;LIBRARIES;LABELS;ENV")
    string(REPLACE "." "_" target "test_${test_NAME}")
    string(REGEX MATCH "^([^.]+)\\.(.+)$" matched "${test_NAME}")
    if(NOT test_SOURCES)
        set(file ${CMAKE_MATCH_2})
        get_target_property(folder stint_stage_${CMAKE_MATCH_1} STINT_FOLDER)
        set(test_SOURCES ${folder}/test_${file}.c)
    endif()
    if(NOT test_STAGES)
        string(REGEX REPLACE "[.].*" "" test_STAGES "${test_NAME}")
    endif()

    stint_thread_label(threads ${test_SOURCES})
    list(APPEND test_LABELS ${threads})
    if(NOT test_LIBRARY)
        list(APPEND test_LABELS unit)
    endif()
    stint_wants_test(wanted ${test_NAME} ${test_LABELS})
    set(command ${target})
    if(test_PROGRAM)
        if(NOT wanted)
            return()
        endif()
        set(target test_${test_PROGRAM})
        string(REGEX REPLACE "^(.*/)?test_(.*)[.]c$" "\\2" file "${test_SOURCES}")
        set(command ${target} ${file})
    endif()
    if(NOT TARGET ${target})
        stint_add_test_program()
    else()
        target_sources(${target} PRIVATE ${test_SOURCES})
    endif()

    # The static library consists of the same objects as the shared one: with sanitizers, one of them is enough.
    if(NOT wanted OR (STINT_SANITIZE AND test_LIBRARY STREQUAL "static"))
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
        return()
    endif()
    add_test(NAME ${test_NAME} COMMAND ${command})
    if(test_TIMEOUT)
        list(PREPEND test_TIMEOUT TIMEOUT)
    endif()
    stint_set_test(${test_NAME} LABELS ${test_LABELS} ENV ${test_ENV} ${test_TIMEOUT})
endfunction()

# stint_add_test_program() - what stint_add_test, whose variables it reads, builds.
function(stint_add_test_program)
    add_executable(${target} ${test_SOURCES})
    list(TRANSFORM test_WRAP PREPEND "-Wl,--wrap=")
    target_link_options(${target} PRIVATE ${test_WRAP})
    target_link_libraries(${target} PRIVATE stint_test_flags test_run ${test_LIBRARIES})

    if(test_LIBRARY)
        target_link_libraries(${target} PRIVATE stint::stint_${test_LIBRARY})
    else()
        stint_stage_objects(objects ${test_STAGES})
        target_sources(${target} PRIVATE ${objects})
        target_link_libraries(${target} PRIVATE stint_headers stint_demangle_libraries ${STINT_SYSTEM_LIBRARIES})
    endif()
endfunction()

function(stint_add_test_helper name)
    add_library(test_${name} OBJECT EXCLUDE_FROM_ALL ${ARGN})
    target_link_libraries(test_${name} PRIVATE stint_test_flags)
endfunction()

# stint_add_bench(NAME <name> SOURCES <file>...) - build/<preset>/tests/bench/<name>, against the shared library.
function(stint_add_bench)
    cmake_parse_arguments(PARSE_ARGV 0 bench "" "NAME" "SOURCES")
    add_executable(${bench_NAME} ${bench_SOURCES})
    target_compile_definitions(${bench_NAME} PRIVATE STINT_WITH_TIMER=1)
    target_link_libraries(${bench_NAME} PRIVATE stint_flags stint::stint_shared ${STINT_SYSTEM_LIBRARIES})
endfunction()

# stint_add_sample(NAME <name> SOURCES <file>... | FOLDER <folder> [EMBED] [EXPECT <regex>...]) - bin/<name>, from sources
# or from a folder that is also a project of its own. Adds the test sample.<name>, which expects exit code 0 and, if timers
# are compiled in, output that matches every EXPECT; with EMBED also sample.<name>.gcc and .clang, which compile it with
# stint.h and stint.c.
function(stint_add_sample)
    cmake_parse_arguments(PARSE_ARGV 0 sample "EMBED" "NAME;FOLDER" "SOURCES;EXPECT")
    if(sample_FOLDER)
        file(GLOB sample_SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/${sample_FOLDER}/*.c*")
        add_subdirectory(${sample_FOLDER})
    else()
        add_executable(${sample_NAME} ${sample_SOURCES})
        target_link_libraries(${sample_NAME} PRIVATE stint::stint ${STINT_SYSTEM_LIBRARIES})
    endif()
    target_link_libraries(${sample_NAME} PRIVATE stint_warnings)

    stint_thread_label(threads ${sample_SOURCES})
    stint_wants_test(wanted sample.${sample_NAME} sample options ${threads})
    if(NOT wanted)
        set_target_properties(${sample_NAME} PROPERTIES EXCLUDE_FROM_ALL ON)
        return()
    endif()
    if(NOT WITH_TIMER)
        set(sample_EXPECT)
    endif()
    add_test(
        NAME sample.${sample_NAME}
        COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/expect.sh" ${sample_EXPECT} -- $<TARGET_FILE:${sample_NAME}>
    )
    stint_set_test(sample.${sample_NAME} LABELS sample)
    if(sample_EMBED)
        stint_embed_sample()
    endif()
endfunction()

# stint_embed_sample() - for stint_add_sample, whose variables it reads. tests/compile, if it is there, says how.
function(stint_embed_sample)
    set(folder "${PROJECT_BINARY_DIR}/amalgamation")
    get_filename_component(language "${sample_SOURCES}" EXT)
    set(thorough_clang thorough)
    foreach(compiler gcc clang)
        get_property(command GLOBAL PROPERTY STINT_EMBED_${compiler}${language})
        set(test sample.${sample_NAME}.${compiler})
        if(command)
            add_test(
                NAME ${test}
                COMMAND
                    sh "${PROJECT_SOURCE_DIR}/cmake/expect.sh" ${sample_EXPECT} -- sh -c
                    [["$@" -o "$0" -lpthread -ldl -lm && exec "$0"]] "${folder}/${sample_NAME}.${compiler}" ${command}
                    "-I${folder}/include" ${sample_SOURCES} -x none "${folder}/${compiler}.o"
            )
            stint_set_test(${test} LABELS sample ${thorough_${compiler}})
            set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED amalgamation.${compiler})
        endif()
    endforeach()
endfunction()
