# Run by cpack for the target package_source: packs what is committed, and nothing else. Its bytes depend on the commit
# and on gzip alone, and not on the time, the user, the folder, or git's settings.
#
#   CPACK_STINT_SOURCE, CPACK_PACKAGE_VERSION, CPACK_PACKAGE_DIRECTORY
set(name "stint-${CPACK_PACKAGE_VERSION}")
set(archive "${CPACK_PACKAGE_DIRECTORY}/${name}.tar")
set(ENV{GIT_ATTR_NOSYSTEM} 1)
execute_process(
    COMMAND
        git -c core.autocrlf=false -c core.attributesFile=/dev/null -c tar.umask=0022 archive --format=tar
        "--prefix=${name}/" "--output=${archive}" HEAD
    WORKING_DIRECTORY "${CPACK_STINT_SOURCE}"
    COMMAND_ERROR_IS_FATAL ANY
)
execute_process(COMMAND gzip -9 -n -f "${archive}" COMMAND_ERROR_IS_FATAL ANY)
