# How this project's own sources are compiled. None of this affects users of the library.
#
#   stint_warnings   an interface target: the warnings, for samples and everything else that represents a user's code
#   stint_flags      these, and what only the library's own sources see: src/ and GNU extensions of libc
#
# Sanitizers and coverage apply to everything, since instrumented and plain objects do not mix well in a program.

add_library(stint_warnings INTERFACE)
# Not for nvcc, which has other options and adds code of its own that would cause warnings.
target_compile_options(
    stint_warnings
    INTERFACE
        "$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;$<$<BOOL:${STINT_WERROR}>:-Werror>>"
)
add_library(stint_flags INTERFACE)
target_link_libraries(stint_flags INTERFACE stint_warnings)
foreach(group "" /core /parts /tool)
    target_include_directories(stint_flags INTERFACE "${PROJECT_SOURCE_DIR}/src${group}")
endforeach()
target_compile_definitions(stint_flags INTERFACE _GNU_SOURCE)
# A square root is one instruction, unless errno has to be set. A call to sqrt() would be the only reason for programs
# that stint is preloaded into to load libm.
target_compile_options(stint_flags INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:-fno-math-errno>")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_UNITY_BUILD OFF) # sources have static names of their own, unless stint_add_stage says otherwise

# One set of objects makes the shared library, the static one and the tests.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)

if(STINT_SANITIZE)
    add_compile_options(-fsanitize=${STINT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${STINT_SANITIZE})
endif()
if(STINT_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()

# Every symbol must resolve when a library is linked, not when a user's program starts. clang alone leaves its
# sanitizers' symbols to the program.
set(STINT_LINK_COMPLETE "-Wl,-z,defs")
if(STINT_SANITIZE AND CMAKE_C_COMPILER_ID MATCHES "Clang")
    set(STINT_LINK_COMPLETE "")
endif()

# nodelete: call sites, callbacks and exit handlers point into a library, so dlclose() must not unmap it. noseparate-code:
# code and constants share pages, which makes a library a page smaller, and a mapping fewer to load. spare-dynamic-tags:
# room for the end of that section alone, not for what other tools might add.
include(CheckLinkerFlag)
if(PROJECT_IS_TOP_LEVEL) # another project need not wait for this
    check_linker_flag(C "-Wl,-z,noseparate-code" STINT_HAVE_NOSEPARATE_CODE)
    check_linker_flag(C "-Wl,--spare-dynamic-tags=1" STINT_HAVE_SPARE_DYNAMIC_TAGS)
    check_linker_flag(C "-Wl,--no-ld-generated-unwind-info" STINT_HAVE_NO_UNWIND_INFO)
endif()
set(STINT_LINK_LIBRARY
    ${STINT_LINK_COMPLETE} -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,--gc-sections
    $<$<BOOL:${STINT_HAVE_NOSEPARATE_CODE}>:-Wl,-z,noseparate-code>
    $<$<BOOL:${STINT_HAVE_SPARE_DYNAMIC_TAGS}>:-Wl,--spare-dynamic-tags=1>
    $<$<BOOL:${STINT_HAVE_NO_UNWIND_INFO}>:-Wl,--no-ld-generated-unwind-info>
)

# Whether the compiler optimises.
set(STINT_OPTIMISED FALSE)
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
if(CMAKE_CONFIGURATION_TYPES OR "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}" MATCHES "-O([1-3sz]|fast)")
    set(STINT_OPTIMISED TRUE)
endif()

# How files that rarely run are compiled: as few bytes, or, in a project that adds stint and waits for it, fast.
include(CheckCCompilerFlag)
if(PROJECT_IS_TOP_LEVEL)
    check_c_compiler_flag(-Oz STINT_HAVE_OZ) # gcc has it from 12 on
    set(STINT_SMALL -Os)
    if(STINT_HAVE_OZ)
        set(STINT_SMALL -Oz)
    endif()
else()
    set(STINT_SMALL -O1)
endif()

# libstint.so is optimised as a whole, which makes it a fifteenth smaller: most of its functions have one caller, often in
# another file. Whatever else contains its objects, such as tests and libstint.a, takes the machine code that they have.
# If link-time optimisation is asked for, by a project that adds stint, too, that project's own objects have it: members
# of libstint.a are machine code, for each linker. A build without optimisation has none of this, nor has one with
# CMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF.
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fno-lto>")
set(STINT_WHOLE_COMPILE)
set(STINT_WHOLE_LINK)
set(STINT_PARTS_LINK)
if(PROJECT_IS_TOP_LEVEL AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT STINT_SANITIZE AND NOT STINT_COVERAGE
   AND STINT_OPTIMISED AND NOT (DEFINED CMAKE_INTERPROCEDURAL_OPTIMIZATION AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION))
    include(CheckIPOSupported)
    check_ipo_supported(RESULT STINT_HAVE_LTO LANGUAGES C)
    if(STINT_HAVE_LTO)
        # Aligning what is fast, and moving what is unlikely elsewhere, made no scope faster: 1 % of the bytes.
        set(STINT_WHOLE_COMPILE
            -flto -ffat-lto-objects -falign-functions=1 -falign-jumps=1 -falign-loops=1 -fno-reorder-blocks-and-partition
        )
        set(STINT_WHOLE_LINK -flto -flto-partition=one -fipa-pta -fno-ipa-sra) # the last two save half a kilobyte
        set(STINT_PARTS_LINK -fno-lto)
        add_link_options($<HOST_LINK:${STINT_PARTS_LINK}>)
    endif()
endif()

# Tests are many programs, which gold links in half the time. What is installed is linked as the compiler does it.
if(STINT_BUILD_TESTS)
    check_linker_flag(C "-fuse-ld=gold" STINT_HAVE_GOLD)
endif()
set(STINT_LINK_TEST $<$<BOOL:${STINT_HAVE_GOLD}>:-fuse-ld=gold>)

# All that the library needs besides libc. These are names rather than packages, so that users need not find packages;
# with -l, because a project may have a target m.
set(STINT_SYSTEM_LIBRARIES -lpthread -ldl -lm)
