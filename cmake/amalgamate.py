"""Makes stint.h and stint.c, which a program can be compiled with instead of being linked with a library:

    amalgamate.py SOURCE CONFIG_FOLDER OUT_FOLDER

SOURCE is stint's source, CONFIG_FOLDER has the generated stint/config.h and stint/version.h. Headers are written out where
they are included first. Names that several files use for things of their own, and macros, are valid in their file only."""
import collections
import os
import re
import sys

SOURCE, CONFIG, OUT = sys.argv[1:]
STAGES = ["core/base", "core/stat", "core/record", "core/report", "core/runtime", "parts/missing", "parts/barrier",
          "parts/model/barrier_rows.c", "parts/model/barrier_table.c"]
FOLDERS = [SOURCE + "/include", CONFIG] + [SOURCE + "/src/" + part for part in ("core", "parts")]

HEAD = """\
/* stint.c - timers, sets of statistics, the tree of scopes, barriers, and reports, in one file. A program that includes
 * stint.h is compiled with it, as C11, without anything else of stint:
 *
 *     cc main.c stint.c -lpthread -ldl -lm
 *
 * GPUs, NVTX, recordings, samples and checkpoints need the library. Made of stint's sources by cmake/amalgamate.py; each
 * of them is below with its name. The licence is that of stint. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "stint.h"

/* What a compiler sees here and not in the separate files: names that others have for something else, functions of headers
 * that none of these files uses, and bounds that it cannot follow through inlined functions. */
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overread"
#endif
"""

INCLUDE = re.compile(r'^#include "(.*)"')
COMMENT = re.compile(r"/\*.*?\*/", re.S)
ATTRIBUTE = re.compile(r"__attribute__\(\(.*?\)\)")
OWN = re.compile(r"^(?:static|_Thread_local)\b[^=({;]*?(?:\(\*)?(\w+)\s*(?:\)\(|\[[^=]*)?[=(;]|^(?:struct|union|enum) (\w+)(?: \{|$)")


def read(path):
    with open(path) as file:
        return file.read()


class Headers:
    """Headers, each written out once, where it is included first."""

    def __init__(self):
        self.seen, self.lines = set(), []

    def take(self, path):
        """Returns the lines of a file without those that include a header of stint's, which is added."""
        lines = []
        for line in read(path).splitlines():
            found = INCLUDE.match(line)
            if found:
                self.add(path, found.group(1))
            else:
                lines.append(line)
        return lines

    def add(self, path, name):
        header = next((each for each in (os.path.join(folder, name) for folder in FOLDERS) if os.path.exists(each)), None)
        if not header:
            sys.exit("%s: there is no %s" % (path, name))
        if header not in self.seen:
            self.seen.add(header)
            self.lines += self.take(header)


def own_names(text):
    """What a file declares for itself at its outermost level: functions, variables, types and constants; and macros."""
    text = ATTRIBUTE.sub("", COMMENT.sub("", text))
    macros = set(re.findall(r"^#define\s+(\w+)", text, re.M))
    names, depth, is_enum = set(), 0, False
    for line in text.splitlines():
        if depth == 0:
            is_enum = line.startswith("enum")
            names.update(OWN.findall(line))
        if is_enum:
            names.update(re.findall(r"(?:^|[{,])\s*([A-Z]\w+)", line))
        depth += line.count("{") - line.count("}")
        if depth == 0:
            names.update(re.findall(r"^\} (\w+)", line))
    return {name for each in names for name in ([each] if isinstance(each, str) else each)} - {"", "void"}, macros


def sources_of(stage):
    if stage.endswith(".c"):
        return [stage]
    return [os.path.join(stage, name) for name in sorted(os.listdir(stage)) if name.endswith(".c")]


def write(name, lines):
    with open(os.path.join(OUT, name), "w") as file:
        file.write("\n".join(lines) + "\n")


def main():
    os.makedirs(OUT, exist_ok=True)
    files = [path for stage in STAGES for path in sources_of("%s/src/%s" % (SOURCE, stage))]
    own = {path: own_names(read(path)) for path in files}
    users = collections.Counter(name for names, _ in own.values() for name in names)
    headers = Headers()
    headers.add(SOURCE, "stint/stint.h")
    write("stint.h", ["/* stint.h - see stint.c. Made of stint's headers by cmake/amalgamate.py. */"] + headers.lines)
    headers.lines, bodies = [], []
    for path in files:
        names, macros = own[path]
        base = re.sub(r"\W", "_", os.path.basename(path)[:-2])
        members = set(re.findall(r"(?:->|\.)(\w+)", read(path)))  # those of structs in headers keep their names
        shared = sorted(name for name in names - members if users[name] > 1)
        bodies.append("\n/* %s */\n" % os.path.relpath(path, SOURCE))
        bodies += ["#define %s %s_%s" % (name, name, base) for name in shared]
        bodies += headers.take(path)
        bodies += ["#undef %s" % name for name in shared + sorted(macros)]
    write("stint.c", HEAD.splitlines() + headers.lines + bodies)


main()
