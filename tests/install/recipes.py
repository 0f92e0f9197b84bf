"""recipes.py SOURCE WORK CMAKE - the recipes of cmake/packages, read with stand-ins for what other package managers give
them: they have the version of include/stint/version.h, and CMake configures what they package with the variables that
they set, and knows all of them."""
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import types

source, work, cmake = sys.argv[1:]
packages = os.path.join(source, "cmake", "packages")


def version_of_stint():
    with open(os.path.join(source, "include", "stint", "version.h")) as header:
        return ".".join(re.findall(r"^#define STINT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header.read(), re.M))


def configure(name, folder, definitions):
    build = os.path.join(work, name + "_build")
    shutil.rmtree(build, ignore_errors=True)
    result = subprocess.run([cmake, "-S", folder, "-B", build, *definitions], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    if result.returncode or "not used by the project" in result.stdout:
        sys.exit(f"{name}: {' '.join(definitions)}:\n{result.stdout}")
    print(f"{name}: {' '.join(definitions)}")


def load(path, **modules):
    for module, names in modules.items():
        parts = module.split("__")
        for end in range(1, len(parts) + 1):
            sys.modules.setdefault(".".join(parts[:end]), types.ModuleType(".".join(parts[:end])))
        vars(sys.modules[".".join(parts)]).update(names)
    space = {"__name__": "recipe"}
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), space)
    return space


class Scope:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


def spack():
    said = {"version": [], "variant": []}

    class Package:
        def define(self, name, value):
            return f"-D{name}={'ON' if value else 'OFF'}"

        def define_from_variant(self, name, variant):
            defaults = {arguments[0]: options["default"] for arguments, options in said["variant"]}
            return self.define(name, defaults[variant])

    def directive(name):
        return lambda *arguments, **options: said.setdefault(name, []).append((arguments, options)) or Scope()

    # As in Spack 1.0 and later; Spack 0.23 has CMakePackage in spack.package.
    names = {name: directive(name) for name in ("license", "version", "variant", "depends_on", "conflicts", "when")}
    recipe = load(os.path.join(packages, "spack", "stint", "package.py"), spack__package={"__all__": [*names], **names},
                  spack_repo__builtin__build_systems__cmake={"CMakePackage": Package})
    configure("spack", source, recipe["Stint"]().cmake_args())
    return said["version"][0][0][0]


def conan():
    root = os.path.join(work, "conan_source")
    shutil.rmtree(root, ignore_errors=True)

    def copy(_, pattern, src, dst):
        listed = subprocess.run(["git", "-C", src, "ls-files", "-co", "--exclude-standard"], stdout=subprocess.PIPE,
                                text=True, check=True).stdout.splitlines()
        for name in fnmatch.filter(listed, pattern):
            os.makedirs(os.path.dirname(os.path.join(dst, name)), exist_ok=True)
            shutil.copy(os.path.join(src, name), os.path.join(dst, name))

    class Toolchain:
        def __init__(self, recipe):
            self.cache_variables = recipe.variables = {}

        def generate(self):
            pass

    path = os.path.join(packages, "conan", "conanfile.py")
    recipe = load(path, conan={"ConanFile": object}, conan__errors={"ConanInvalidConfiguration": Exception},
                  conan__tools__files={"copy": copy},
                  conan__tools__cmake={"CMake": object, "CMakeToolchain": Toolchain})["StintConan"]()
    assert set(recipe.options) == set(recipe.default_options)
    recipe.recipe_folder, recipe.export_sources_folder = os.path.dirname(path), root
    recipe.options = types.SimpleNamespace(**recipe.default_options)
    recipe.export_sources()
    recipe.generate()
    configure("conan", root, [f"-D{name}={'ON' if value else 'OFF'}" for name, value in recipe.variables.items()])
    return recipe.version


STAND_INS = """
function(vcpkg_check_features out options list feature option)
    set(options "-D${option}=OFF" PARENT_SCOPE)
endfunction()
function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 given "" "SOURCE_PATH" "OPTIONS")
    message("${given_SOURCE_PATH};${given_OPTIONS}")
endfunction()
foreach(name IN ITEMS vcpkg_cmake_install vcpkg_cmake_config_fixup vcpkg_fixup_pkgconfig vcpkg_install_copyright)
    cmake_language(EVAL CODE "function(${name})\nendfunction()")
endforeach()
include("${PORT}")
"""


def vcpkg():
    port = os.path.join(packages, "vcpkg", "stint")
    script = os.path.join(work, "vcpkg.cmake")
    with open(script, "w") as file:
        file.write(STAND_INS)
    said = subprocess.run([cmake, f"-DPORT={port}/portfile.cmake", f"-DCURRENT_PACKAGES_DIR={work}/vcpkg", "-P", script],
                          stderr=subprocess.PIPE, text=True, check=True).stderr.strip().split(";")
    assert os.path.samefile(said[0], source), said
    configure("vcpkg", said[0], said[1:])
    with open(os.path.join(port, "vcpkg.json")) as file:
        return json.load(file)["version"]


os.makedirs(work, exist_ok=True)
wanted = version_of_stint()
for manager in (spack, conan, vcpkg):
    version = manager()
    if version != wanted:
        sys.exit(f"{manager.__name__}: the version is {version}, and stint's is {wanted}")
