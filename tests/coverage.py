"""coverage.py BUILD [GCOV] - which lines and branches of stint's sources ran in what was tested in BUILD, which is a
build of the preset coverage: the sums, and the files with the most lines that did not. A line counts once, whoever
includes or compiles it: some tests have objects of their own of what they test. Where these have other branches for a
line, as where a function is inlined or another optimization is chosen, it has those of which most ran: the branches of
two such ways cannot be told to be the same. What ends by a signal leaves no counts, nor does a library in a process
that ends by _exit, or that executes another program."""
import collections
import json
import os
import subprocess
import sys

build = os.path.abspath(sys.argv[1])
gcov = sys.argv[2] if len(sys.argv) > 2 else "gcov"
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST_FILES = 20


def objects():
    for folder, _, names in os.walk(build):
        notes = [os.path.join(folder, name) for name in names if name.endswith(".gcno")]
        if notes:
            yield notes


def read(notes):
    """Yields a file's name and its lines; without .gcda, no line of an object ran. What tests include of the public
    headers is left out, since each place where a function is inlined would be counted."""
    parts = ("src/", "include/") if notes[0].startswith(os.path.join(build, "src/")) else ("src/",)
    result = subprocess.run([gcov, "--json-format", "--branch-probabilities", "--stdout", *notes], cwd=build,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    for document in filter(None, result.stdout.splitlines()):
        for file in json.loads(document)["files"]:
            name = os.path.relpath(os.path.join(build, file["file"]), root)
            if name.startswith(parts):
                yield name, file["lines"]


lines = collections.defaultdict(collections.Counter)
ways = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
for notes in objects():
    for name, file_lines in read(notes):
        for line in file_lines:
            lines[name][line["line_number"]] += line["count"]
            of_line = ways[name, line["line_number"]]
            for number, branch in enumerate(line["branches"]):
                of_line[len(line["branches"])][number] += branch["count"]


def ran(way):
    return sum(count > 0 for count in way.values())


def share(counts):
    all_of = sum(len(of_file) for of_file in counts.values())
    all_ran = sum(ran(of_file) for of_file in counts.values())
    return f"{100 * all_ran / max(all_of, 1):5.1f} % ({all_ran} of {all_of})"


missed = {name: sum(count == 0 for count in of_file.values()) for name, of_file in lines.items()}
print("lines that did not run")
for name in sorted(missed, key=missed.get, reverse=True)[:MOST_FILES]:
    print(f"{missed[name]:6} of {len(lines[name]):5}  {name}")
print(f"lines:    {share(lines)}")
print(f"branches: {share({line: max(of_line.values(), key=ran) for line, of_line in ways.items() if of_line})}")
