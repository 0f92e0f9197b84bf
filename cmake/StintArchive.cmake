# Makes the names local that only one member of libstint.a uses; run as a script, see src/core/CMakeLists.txt.
#
#   MEMBERS    object files; each gets the suffix .o in place of .joined.o
#   READELF, OBJCOPY
#
# Names that are hidden, but that another member needs, stay global, and begin with stint_. So do stint_part_*, by which
# a linker is told to take a part.
cmake_minimum_required(VERSION 3.25)

# stint_names(<out> <file> <pattern>) - sets <out> to the names of the symbols whose line matches.
function(stint_names out file pattern)
    execute_process(COMMAND "${READELF}" -sW "${file}" OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "(GLOBAL|WEAK) +${pattern} +[A-Za-z_][^ \n]*\n" lines "${text}")
    list(TRANSFORM lines REPLACE ".* ([^ \n]+)\n" "\\1")
    set(${out} "${lines}" PARENT_SCOPE)
endfunction()

set(needed "")
foreach(member IN LISTS MEMBERS)
    stint_names(names "${member}" "[A-Z]+ +UND")
    list(APPEND needed ${names})
endforeach()
foreach(member IN LISTS MEMBERS)
    stint_names(names "${member}" "HIDDEN +[0-9]+")
    list(FILTER names EXCLUDE REGEX "^stint_part_")
    list(REMOVE_ITEM names ${needed})
    list(JOIN names "\n" lines)
    file(WRITE "${member}.local" "${lines}\n")
    string(REGEX REPLACE "\\.joined\\.o$" ".o" output "${member}")
    execute_process(
        COMMAND "${OBJCOPY}" "--localize-symbols=${member}.local" "--remove-section=.gnu.lto_*" "${member}" "${output}"
        COMMAND_ERROR_IS_FATAL ANY
    )
endforeach()
