# stint_read_version(<header> <version> <abi>) - sets the version, "0.1.0", and the number of the binary interface, "1",
# from version.h, the only place that states them. They are independent: a release raises the version; the number is
# raised, and with it the soname, by a release with which programs that are compiled already would not run.
function(stint_read_version header version abi)
    foreach(name VERSION_MAJOR VERSION_MINOR VERSION_PATCH ABI)
        file(STRINGS "${header}" line REGEX "^#define STINT_${name} +[0-9]+$")
        if(NOT line MATCHES "([0-9]+)$")
            message(FATAL_ERROR "${header} does not define STINT_${name} as a number")
        endif()
        set(${name} "${CMAKE_MATCH_1}")
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
    set(${version} "${VERSION_MAJOR}.${VERSION_MINOR}.${VERSION_PATCH}" PARENT_SCOPE)
    set(${abi} "${ABI}" PARENT_SCOPE)
endfunction()
