# Packages of Debian's, made by `cpack -G DEB -D CPACK_PACKAGE_CONTACT="Name <address>"` in the build's folder, one for
# each component of installation: the library, named after its soname; libstint-dev; stint; stint-doc. The library of
# MPI is in none, because it is built for one MPI.
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
set(CPACK_DEBIAN_STINT_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_STINT_RUNTIME_PACKAGE_RECOMMENDS "stint ${same_version}")
# What other packages' programs that link these libraries depend on, and how the dynamic linker learns of them.
set(control "${PROJECT_BINARY_DIR}/packages")
set(needs "${STINT_ABI} ${library} (>= ${PROJECT_VERSION})\n")
file(CONFIGURE OUTPUT "${control}/shlibs" CONTENT "libstint ${needs}libstint_functions ${needs}")
file(CONFIGURE OUTPUT "${control}/triggers" CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_STINT_RUNTIME_PACKAGE_CONTROL_EXTRA "${control}/shlibs" "${control}/triggers")

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

# package_source: stint-VERSION.tar.gz.
set(CPACK_SOURCE_GENERATOR External)
set(CPACK_EXTERNAL_PACKAGE_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/StintSource.cmake")
set(CPACK_STINT_SOURCE "${PROJECT_SOURCE_DIR}")

include(CPack)
