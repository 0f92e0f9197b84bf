# A port for vcpkg with the library: `vcpkg install stint --overlay-ports=cmake/packages/vcpkg` builds the clone that this
# file is in.
#
# The test install.recipes runs it with stand-ins for vcpkg's functions, compares the version with stint's and the options
# with CMake's, and has CMake configure with what it passes. vcpkg of August 2026 built and installed it for the triplet
# x64-linux-release, and a program found it by find_package, linked it and ran. No other triplet was tried.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES profiler WITH_PROFILER)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${options}
        -DSTINT_BUILD_CLI=OFF
        -DSTINT_BUILD_DOCS=OFF
        -DSTINT_BUILD_SAMPLES=OFF
        -DSTINT_BUILD_TESTS=OFF
        -DSTINT_MPI=OFF
        -DSTINT_WERROR=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/stint)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
