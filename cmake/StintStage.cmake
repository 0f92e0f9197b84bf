# Stages: the folders of src/core, src/parts and src/tool, each an OBJECT library, and what each may use (CONTRIBUTING.md has the table).
#
#   stint_add_stage(
#       NAME <stage> SOURCES <file>... [SMALL <file>...|ALL [FAST <file>...]] [UNITY]
#       [USES <stage>...] [LIBRARIES <library>...]
#   )
#
# adds the object library stint_stage_<stage>, compiled and linked with these libraries from elsewhere. It is built
# only if another target uses it. SMALL files, which run only rarely, are optimised for size rather than speed; of ALL,
# the FAST ones are not. UNITY: nothing static in one source has the name of something in another, so that a project that
# adds stint can compile them as one, in less time. In builds with all tests and without sanitizers, they are compiled
# in this way, too, and USES is enforced twice:
#
#   - the module stint_reach_<stage>, which is exactly the stage and what it may use, has to link completely, so that a
#     call to any other stage is an undefined reference in the default build;
#   - the test stage.<stage> checks its #include lines, and reports sources that SOURCES does not list.
#
#   stint_stage_objects(<out> <stage>...)
#
# sets <out> to the objects of these stages and of all that they use.

function(stint_add_stage)
    cmake_parse_arguments(PARSE_ARGV 0 stage "UNITY" "NAME" "SOURCES;SMALL;FAST;USES;LIBRARIES")
    set(target stint_stage_${stage_NAME})

    add_library(${target} OBJECT EXCLUDE_FROM_ALL ${stage_SOURCES})
    target_link_libraries(${target} PRIVATE stint_flags stint_headers ${stage_LIBRARIES})
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections) # a library takes only what it needs
    # Libraries' calls are bound as they are loaded (-z now), and need no stubs for that.
    target_compile_options(${target} PRIVATE $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-fno-plt>)
    if("${stage_SMALL}" STREQUAL "ALL")
        set(stage_SMALL ${stage_SOURCES})
        if(stage_FAST)
            list(REMOVE_ITEM stage_SMALL ${stage_FAST})
        endif()
    endif()
    if(stage_UNITY AND NOT PROJECT_IS_TOP_LEVEL)
        # Batches of 0 files have no limit. Sources with options of their own would stay out.
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
        if(STINT_OPTIMISED AND "${stage_SMALL}" STREQUAL "${stage_SOURCES}")
            target_compile_options(${target} PRIVATE ${STINT_SMALL})
        endif()
    elseif(STINT_OPTIMISED)
        set_source_files_properties(${stage_SMALL} PROPERTIES COMPILE_OPTIONS ${STINT_SMALL})
    endif()

    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}")
    set(reach ${stage_NAME})
    foreach(used IN LISTS stage_USES)
        get_target_property(used_folder stint_stage_${used} STINT_FOLDER)
        if(folder MATCHES "^core/" AND NOT used_folder MATCHES "^core/")
            message(FATAL_ERROR "src/${folder} uses ${used}: the core knows no part by its name (record/part.h)")
        endif()
        if(folder MATCHES "^parts/" AND used_folder MATCHES "^tool/")
            message(FATAL_ERROR "src/${folder} uses ${used}: a program that links stint has nothing of src/tool")
        endif()
        get_target_property(used_reach stint_stage_${used} STINT_REACH)
        list(APPEND reach ${used_reach})
    endforeach()
    list(REMOVE_DUPLICATES reach)
    set_target_properties(${target} PROPERTIES STINT_REACH "${reach}" STINT_FOLDER "${folder}")
    set_property(GLOBAL APPEND PROPERTY STINT_STAGES ${stage_NAME})

    if(STINT_BUILD_TESTS AND STINT_TESTS STREQUAL "all" AND NOT STINT_SANITIZE)
        stint_stage_objects(objects ${stage_NAME})
        add_library(stint_reach_${stage_NAME} MODULE ${objects})
        target_link_libraries(stint_reach_${stage_NAME} PRIVATE ${stage_LIBRARIES} stint_demangle_libraries ${STINT_SYSTEM_LIBRARIES})
        target_link_options(stint_reach_${stage_NAME} PRIVATE ${STINT_LINK_COMPLETE} ${STINT_LINK_TEST})
        set_target_properties(
            stint_reach_${stage_NAME} PROPERTIES LINKER_LANGUAGE C LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/src"
        )

        add_test(
            NAME stage.${stage_NAME}
            COMMAND
                ${CMAKE_COMMAND} "-DFOLDER=${CMAKE_CURRENT_SOURCE_DIR}" "-DSOURCES=${stage_SOURCES}"
                "-DMAY_USE=${stage_NAME};${stage_USES}" -P "${PROJECT_SOURCE_DIR}/cmake/StintCheckStage.cmake"
        )
        if(stage_UNITY AND NOT STINT_COVERAGE) # which would count what these objects do not run
            set(as_one)
            foreach(source IN LISTS stage_SOURCES)
                get_source_file_property(left_out ${source} HEADER_FILE_ONLY)
                if(NOT left_out)
                    string(APPEND as_one "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${source}\"\n")
                endif()
            endforeach()
            file(CONFIGURE OUTPUT unity.c CONTENT "${as_one}" @ONLY)
            add_library(stint_unity_${stage_NAME} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/unity.c")
            target_link_libraries(stint_unity_${stage_NAME} PRIVATE stint_flags stint_headers ${stage_LIBRARIES})
            target_compile_options(stint_unity_${stage_NAME} PRIVATE -O0)
        endif()
    endif()
endfunction()

function(stint_stage_objects out)
    set(stages)
    foreach(stage IN LISTS ARGN)
        get_target_property(reach stint_stage_${stage} STINT_REACH)
        list(APPEND stages ${reach})
    endforeach()
    list(REMOVE_DUPLICATES stages)
    list(TRANSFORM stages REPLACE "(.+)" "$<TARGET_OBJECTS:stint_stage_\\1>")
    set(${out} "${stages}" PARENT_SCOPE)
endfunction()
