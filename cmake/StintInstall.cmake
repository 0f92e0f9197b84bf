# Installation, for find_package(stint) and pkg-config. Components:
#
#   stint_runtime      the libraries that programs are linked to, which are named after the version of their interface
#   stint_development  what a compiler needs, and the manual pages of section 3
#   stint_program      the program stint, its manual pages, and the libraries that programs load on request
#   stint_docs         guides and samples
#   stint_mpi          libstint_mpi, and stint_mpi_development, its header (src/parts/mpi/CMakeLists.txt)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/stint")
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(
    TARGETS stint_headers stint stint_archive stint_static stint_functions
    EXPORT stintTargets
    LIBRARY COMPONENT stint_runtime NAMELINK_COMPONENT stint_development
    ARCHIVE COMPONENT stint_development
    FILE_SET HEADERS COMPONENT stint_development
)
install(
    TARGETS stint_inject stint_inject_osrt
    EXPORT stintTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT stint_program
)
install(
    EXPORT stintTargets
    NAMESPACE stint::
    DESTINATION "${cmake_dir}"
    COMPONENT stint_development
)

# A project that has added stint may export targets that link it, from where they are built, too.
export(EXPORT stintTargets NAMESPACE stint:: FILE "${PROJECT_BINARY_DIR}/cmake/stintTargets.cmake")

configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/stintConfig.cmake.in" "${PROJECT_BINARY_DIR}/cmake/stintConfig.cmake"
    INSTALL_DESTINATION "${cmake_dir}"
    NO_SET_AND_CHECK_MACRO
)
# Until 1.0, sources of programs may have to change for a minor release.
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
else()
    set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/cmake/stintConfigVersion.cmake"
    COMPATIBILITY ${compatibility}
)
install(
    FILES "${PROJECT_BINARY_DIR}/cmake/stintConfig.cmake" "${PROJECT_BINARY_DIR}/cmake/stintConfigVersion.cmake"
    DESTINATION "${cmake_dir}"
    COMPONENT stint_development
)

# stint.pc derives its prefix from its own location, so that an installed tree can be moved. A directory that was given
# as an absolute path is used as it is.
set(STINT_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${pkgconfig_dir}")
    file(RELATIVE_PATH up "/prefix/${pkgconfig_dir}" "/prefix")
    string(REGEX REPLACE "/$" "" STINT_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(dir LIBDIR INCLUDEDIR)
    set(STINT_PC_${dir} "${CMAKE_INSTALL_${dir}}")
    if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
        set(STINT_PC_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
    endif()
endforeach()
list(JOIN STINT_SYSTEM_LIBRARIES " " STINT_PC_SYSTEM_LIBRARIES)
get_target_property(STINT_PC_PARTS stint_static STINT_PARTS) # of libstint.a: all, as for stint::stint_static
list(TRANSFORM STINT_PC_PARTS PREPEND "-Wl,-u,stint_part_")
list(JOIN STINT_PC_PARTS " " STINT_PC_PARTS)
foreach(library stint stint_functions)
    configure_file("${CMAKE_CURRENT_LIST_DIR}/${library}.pc.in" "${PROJECT_BINARY_DIR}/cmake/${library}.pc" @ONLY)
    install(
        FILES "${PROJECT_BINARY_DIR}/cmake/${library}.pc"
        DESTINATION "${pkgconfig_dir}"
        COMPONENT stint_development
    )
endforeach()

# With each of them, because each may be packaged alone.
foreach(component stint_runtime stint_development stint_program stint_docs)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT ${component})
endforeach()
