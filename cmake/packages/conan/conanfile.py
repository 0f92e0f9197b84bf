# A recipe for Conan 2 with the library; `conan create cmake/packages/conan` in a clone exports its sources.
#
# The test install.recipes calls this file with a stand-in for Conan, compares the version with stint's and the options
# with CMake's, and has CMake configure with what it sets. Conan 2.9.0-dev created the shared package, and a program
# found it by find_package, linked it and ran. The static one was not tried.
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy


class StintConan(ConanFile):
    name = "stint"
    version = "0.1.0"
    license = "Apache-2.0"
    description = "Scoped timers and profiles for C, C++ and CUDA programs"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "profiler": [True, False]}
    default_options = {"shared": True, "profiler": False}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def configure(self):
        self.settings.rm_safe("compiler.cppstd")
        self.settings.rm_safe("compiler.libcxx")

    def validate(self):
        if self.settings.os != "Linux" or self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration("stint runs on Linux, on x86-64 and aarch64")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["BUILD_SHARED_LIBS"] = bool(self.options.shared)
        toolchain.cache_variables["WITH_PROFILER"] = bool(self.options.profiler)
        for part in ("CLI", "DOCS", "SAMPLES", "TESTS"):
            toolchain.cache_variables[f"STINT_BUILD_{part}"] = False
        toolchain.cache_variables["STINT_MPI"] = False
        toolchain.cache_variables["STINT_WERROR"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # stint's own stintConfig.cmake knows which parts a static program takes.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "stint")]
        self.cpp_info.libs = ["stint"]
        self.cpp_info.system_libs = ["pthread", "dl", "m"]
