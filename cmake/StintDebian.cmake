# Run by cpack on what it is about to pack: the files that Debian's policy asks for, and does not want elsewhere. Every
# package gets its copyright and its changelog, manual pages are compressed, and libraries are found without a path of
# their own, since they are where the dynamic linker searches.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()
file(READ "${CPACK_STINT_CHANGES}" changes)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, if it is set

# stint_gzip(<file>...) - the same bytes at any time.
function(stint_gzip)
    foreach(file IN LISTS ARGN)
        execute_process(COMMAND gzip -9 -n -f "${file}" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr")
    string(TOUPPER "${component}" upper)
    set(package "${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
    set(documents "${root}/share/doc/${package}")

    file(REMOVE "${root}/share/doc/stint/LICENSE") # copyright refers to Debian's copy
    file(
        WRITE "${documents}/copyright"
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: stint

Files: *
Copyright: 2026 the contributors to stint
License: Apache-2.0
 On Debian systems, the text of the licence is in
 /usr/share/common-licenses/Apache-2.0.
"
    )
    file(
        WRITE "${documents}/changelog.Debian"
        "stint (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Packages made by cpack of stint ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
"
    )
    file(WRITE "${documents}/changelog" "${changes}")
    file(REMOVE "${documents}/CHANGELOG.md")
    file(GLOB pages "${root}/share/man/*/*.[1-9]")
    stint_gzip(${pages} "${documents}/changelog" "${documents}/changelog.Debian")

    if(component STREQUAL "stint_program")
        file(
            WRITE "${root}/share/lintian/overrides/${package}"
            "# Loaded by their paths, and never linked.
${package}: sharedobject-in-library-directory-missing-soname *
"
        )
    endif()

    file(GLOB_RECURSE libraries "${root}/*.so.*")
    foreach(library IN LISTS libraries)
        file(RPATH_REMOVE FILE "${library}")
    endforeach()
endforeach()
