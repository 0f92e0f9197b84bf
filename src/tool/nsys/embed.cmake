# Makes the reports a C source: cmake -DFILES=a.sql;b.sql -DOUTPUT=scripts.c -P embed.cmake
#
# A line ".read FILE" stands for that file, as in the program sqlite3.
set(code "#include \"nsys/nsys.h\"\n")
set(rows)
foreach(file IN LISTS FILES)
    get_filename_component(folder "${file}" DIRECTORY)
    get_filename_component(name "${file}" NAME_WE)
    file(READ "${file}" text)
    while(text MATCHES "\n\\.read ([a-z_]+\\.sql)\n")
        file(READ "${folder}/${CMAKE_MATCH_1}" part)
        string(REPLACE "\n.read ${CMAKE_MATCH_1}\n" "\n${part}" text "${text}")
    endwhile()
    string(HEX "${text}" bytes)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND code "\nstatic const unsigned char sql_${name}[] = {${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", (const char *)sql_${name}},\n")
endforeach()
file(WRITE "${OUTPUT}" "${code}\nconst struct stint_nsys_script stint_nsys_scripts[] = {\n${rows}    {NULL, NULL}};\n")
