# Packages of Debian's, made by `cpack -G DEB -D CPACK_PACKAGE_CONTACT="Name <address>"` in the build's folder, one for
# each component of installation: the library, named after its soname; libstint-dev; stint; stint-doc; and, if there is
# an MPI, the library for it, named after its soname, and libstint-mpi-dev.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stint)
set(CPACK_PACKAGE_VENDOR stint)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL stint_runtime stint_development stint_program stint_docs)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}") # libstint, which others need
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each has one of its own
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/StintDebian.cmake")
set(CPACK_STINT_CHANGES "${PROJECT_SOURCE_DIR}/CHANGELOG.md")

set(library libstint${STINT_ABI})
set(same_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

# stint_add_package(<component> <name> <section> <description>)
macro(stint_add_package component name section description)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${description}")
endmacro()

stint_add_package(
    stint_runtime ${library} libs
    "scoped timers and profiles for C, C++ and CUDA programs - library
stint measures what scopes of a program, its functions and its work on GPUs
take, and prints a table at the end.
This package has the libraries that programs link."
)
set(CPACK_DEBIAN_STINT_RUNTIME_PACKAGE_RECOMMENDS "stint ${same_version}")

# stint_has_libraries(<component> <name>...) - what other packages' programs that link these libraries depend on, and how
# the dynamic linker learns of them.
macro(stint_has_libraries component)
    string(TOUPPER ${component} upper)
    set(control "${PROJECT_BINARY_DIR}/packages/${component}")
    set(shlibs "")
    foreach(name IN ITEMS ${ARGN})
        string(APPEND shlibs "${name} ${STINT_ABI} ${CPACK_DEBIAN_${upper}_PACKAGE_NAME} (>= ${PROJECT_VERSION})\n")
    endforeach()
    file(CONFIGURE OUTPUT "${control}/shlibs" CONTENT "${shlibs}")
    file(CONFIGURE OUTPUT "${control}/triggers" CONTENT "activate-noawait ldconfig\n")
    set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA "${control}/shlibs" "${control}/triggers")
endmacro()
stint_has_libraries(stint_runtime libstint libstint_functions)

stint_add_package(
    stint_development libstint-dev libdevel
    "scoped timers and profiles for C, C++ and CUDA programs - development
stint measures what scopes of a program, its functions and its work on GPUs
take, and prints a table at the end.
This package has the headers, the static library, manual pages of the
functions, and what CMake and pkg-config need."
)
set(CPACK_DEBIAN_STINT_DEVELOPMENT_PACKAGE_DEPENDS "${library} ${same_version}, stint ${same_version}")

# It loads libdw and libmicrohttpd only when it needs them.
stint_add_package(
    stint_program stint devel
    "profiler of programs for CPUs and GPUs
stint prints what took the time in a program, which need not be recompiled:
functions, scopes, NVTX ranges, kernels, copies, and calls of CUDA.
This package has the program, and the libraries that it has other programs
load, or that they load when they write recordings and reports of other tools."
)
set(CPACK_DEBIAN_STINT_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_STINT_PROGRAM_PACKAGE_RECOMMENDS "libdw1 | libdw1t64, libmicrohttpd12 | libmicrohttpd12t64")

stint_add_package(
    stint_docs stint-doc doc
    "scoped timers and profiles for C, C++ and CUDA programs - guides
stint measures what scopes of a program, its functions and its work on GPUs
take, and prints a table at the end.
This package has the guides, and the samples to which they refer."
)
set(CPACK_DEBIAN_STINT_DOCS_PACKAGE_ARCHITECTURE all)

if(STINT_MPI)
    set(mpi "MPICH, or another MPI with its binary interface")
    if(STINT_MPI_IS_OPEN)
        set(mpi "Open MPI")
    endif()
    list(APPEND CPACK_COMPONENTS_ALL stint_mpi stint_mpi_development)
    stint_add_package(
        stint_mpi libstint-mpi${STINT_ABI} libs
        "one report for all ranks of an MPI program - library
stint measures what scopes of a program, its functions and its work on GPUs
take, and prints a table at the end.
This package has the library that adds up the ranks of programs that use
${mpi}."
    )
    # stint run loads it into programs that it was not linked to.
    set(CPACK_DEBIAN_STINT_MPI_PACKAGE_DEPENDS "${library} ${same_version}")
    stint_has_libraries(stint_mpi libstint_mpi)
    stint_add_package(
        stint_mpi_development libstint-mpi-dev libdevel
        "one report for all ranks of an MPI program - development
stint measures what scopes of a program, its functions and its work on GPUs
take, and prints a table at the end.
This package has the header stint/mpi.h, and what CMake needs, for programs
that use ${mpi}."
    )
    set(CPACK_DEBIAN_STINT_MPI_DEVELOPMENT_PACKAGE_DEPENDS
        "libstint-mpi${STINT_ABI} ${same_version}, libstint-dev ${same_version}"
    )
endif()

# package_source: stint-VERSION.tar.gz.
set(CPACK_SOURCE_GENERATOR External)
set(CPACK_EXTERNAL_PACKAGE_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/StintSource.cmake")
set(CPACK_STINT_SOURCE "${PROJECT_SOURCE_DIR}")

include(CPack)
