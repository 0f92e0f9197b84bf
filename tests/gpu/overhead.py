"""overhead.py SECONDS FILE STINT PROGRAM - compares what recording costs with what the footer says of it.

Runs PROGRAM, which is programs.cu, without stint and in each mode, in turns, the opposite order in every other round.
Times are the CPU time of all processes. FILE is for reports. Exits with 1 if a footer is more than a fifth off where one
thread launches. Where several do, each waits for the others in CUPTI, which nobody measures.
"""
import json
import os
import statistics
import subprocess
import sys
import time

MODES = {"--gpu kernels": ["--gpu", "kernels"], "stint run": [], "--api all": ["--api", "all"]}
CASES = {"launches, 1 thread": ["threads", "1", "300000"], "launches, 4 threads": ["threads", "4", "75000"]}
JUDGED = "launches, 1 thread"
LEAST_ROUNDS = 3
LIMIT = 0.2


def run(command):
    """Returns the CPU time of the command and of what it ran, in ms."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} failed with {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1e3


def run_mode(mode, program, stint, path):
    """Returns the CPU time, and what the report says of overhead, in ms."""
    if not mode:
        return run(program), 0
    spent = run([stint, "run", *MODES[mode], "--quiet", "--format", "json", "--log-file", path, "--", *program])
    with open(path, encoding="utf-8") as file:
        return spent, json.load(file)["overhead"]["total_ns"] / 1e6


def compare(case, rounds):
    """Prints a line for each mode. Returns whether all its footers were right."""
    right = True
    plain = statistics.median(each[None][0] for each in rounds)
    for mode in MODES:
        spent = statistics.median(each[mode][0] for each in rounds)
        added = statistics.median(each[mode][0] - each[None][0] for each in rounds)
        said = statistics.median(each[mode][1] for each in rounds)
        right = right and abs(said / added - 1) <= LIMIT
        print(f"| {case} | {mode} | {plain:.0f} ms | {spent:.0f} ms | {added:.0f} ms | {100 * added / spent:.1f} % | "
              f"{said:.0f} ms | {100 * said / spent:.1f} % |")
    return right


def main():
    seconds, path, stint, program = float(sys.argv[1]), *sys.argv[2:5]
    right = True
    print("| | | plain | recorded | overhead | | footer says | |\n|---|---|---|---|---|---|---|---|")
    for case, arguments in CASES.items():
        rounds = []
        end = time.monotonic() + seconds / len(CASES)
        while len(rounds) < LEAST_ROUNDS or time.monotonic() < end:
            modes = [None, *MODES]
            modes = modes if len(rounds) % 2 else reversed(modes)
            rounds.append({mode: run_mode(mode, [program, *arguments], stint, path) for mode in modes})
        is_right = compare(f"{case}, {len(rounds)} rounds", rounds)
        right = right and (is_right or case != JUDGED)
    raise SystemExit(0 if right else 1)


if __name__ == "__main__":
    main()
