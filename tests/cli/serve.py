"""serve.py STINT JSON - what `stint report FILE --serve` answers, to those who ask well and those who do not.

FILE is the report JSON with a command so long that its page does not fit in a socket.
"""

import json
import re
import signal
import socket
import subprocess
import sys
import time

PATIENCE_S = 10  # how long the server waits for a browser that does nothing

with open(sys.argv[2], encoding="utf-8") as golden, open("long.json", "w", encoding="utf-8") as long:
    report = json.load(golden)
    report["process"]["command"] += " --option" * 700000
    json.dump(report, long)
server = subprocess.Popen([sys.argv[1], "report", "long.json", "--serve"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
ADDRESS = server.stdout.readline().strip()
PORT, TOKEN = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", ADDRESS).groups()
PORT, FOLDER = int(PORT), f"/{TOKEN}/"


def same(what, actual, expected):
    if actual != expected:
        server.kill()
        sys.exit(f"{what} is {actual!r}, not {expected!r}")


def connect(window=None):
    client = socket.socket()
    if window:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    client.settimeout(30)
    client.connect(("127.0.0.1", PORT))
    return client


def head(path, method="GET", version="HTTP/1.1", **headers):
    lines = {"Host": f"127.0.0.1:{PORT}", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return "\r\n".join([f"{method} {path} {version}", *(f"{name}: {value}" for name, value in lines.items()), "", ""])


def read_all(client):
    parts = []
    while part := client.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def ask(*words, **headers):
    """The status of the answer, its head and its body."""
    with connect() as client:
        client.sendall(head(*words, **headers).encode())
        begin, _, body = read_all(client).partition(b"\r\n\r\n")
    return int(begin.split()[1]), begin.decode(), body


def status(*words, **headers):
    return ask(*words, **headers)[0]


def only_this_machine_is_listened_to():
    with open("/proc/net/tcp", encoding="ascii") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
    same("addresses at its port", [at for at in listening if at.endswith(f":{PORT:04X}")], [f"0100007F:{PORT:04X}"])


def the_page_and_parts_are_complete():
    code, begin, page = ask(FOLDER)
    same("the status", code, 200)
    same("the page's length", len(page), int(re.search(r"Content-Length: (\d+)", begin)[1]))
    same("its last line", page.splitlines()[-1], b"</html>")
    same("whether it may ask for parts", b"connect-src 'self'" in page, True)
    same("whether others may read it", "access-control-allow-origin" in begin.lower(), False)
    for rule in ["frame-ancestors 'none'", "no-store", "nosniff", "no-referrer"]:
        same(f"whether it says {rule}", rule in begin, True)
    part = json.loads(ask(f"{FOLDER}part?from=0&to=999999999999999999")[2])
    whole = json.loads(re.search(rb'<script id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
    same("events of all parts", part["timeline"]["events"], whole["timeline"]["events"])


def parts_are_cut_when_asked_to():
    for begin, end in [(9200000, 10200000), (5000000, 5003456), (10310000, 11530000), (1, 4999999), (0, 10**10)]:
        expected = {}
        for event in report["gpu_events"]:
            start, stop = event["start_ns"], event["end_ns"]
            inside = min(stop, end) - max(start, begin)
            if inside > 0 or (start == stop and begin <= start < end):
                count, total = expected.get(event["name"], (0, 0))
                expected[event["name"]] = (count + 1, total + inside)
        part = json.loads(ask(f"{FOLDER}part?from={begin}&to={end}&cut=1")[2])
        rows, sums = part["timeline"]["what"], {}
        cells = [column if isinstance(column, list) else [column] * rows["rows"]
                 for column in (rows["name"], rows["count"], rows["total"])]
        for name, count, total in zip(*cells):
            before = sums.get(part["strings"][name], (0, 0))
            sums[part["strings"][name]] = (before[0] + count, before[1] + total)
        same(f"what happened from {begin} to {end}", sums, expected)


def strangers_are_refused():
    same("without the token", status("/"), 403)
    same("with another", status("/" + "0" * 32 + "/"), 403)
    same("with a part of it", status(f"/{TOKEN[:31]}/"), 403)
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.2", ""]:
        same(f"by the name '{host}'", status(FOLDER, Host=host), 403)
    for host in [f"localhost:{PORT}", "127.0.0.1", f"[::1]:{PORT}"]:
        same(f"by the name {host}", status(FOLDER, Host=host), 200)
    same("from another site", status(FOLDER, Origin="http://evil.example"), 403)
    same("from a page without a site", status(FOLDER, Origin="null"), 403)
    same("from a link of another site", status(FOLDER, Sec_Fetch_Site="cross-site"), 403)


def nothing_else_is_there():
    for path in ["../", "..%2f", "%2e%2e/", "/etc/passwd", "../../../etc/passwd", "part", "index.html", "//"]:
        same(path, status(FOLDER + path), 404)
    for path in ["/etc/passwd", "/../etc/passwd", f"/../{TOKEN}/"]:
        same(path, status(path), 403)
    for query in ["", "from=1", "from=5&to=5", "from=9&to=1", "from=-1&to=5", "from=a&to=b", "from=1&to=" + "9" * 30]:
        same(query, status(f"{FOLDER}part?{query}"), 400)


def only_questions_are_answered():
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "HEAD", "CONNECT", "TRACE"]:
        same(method, status(FOLDER, method), 405)
    same("HTTP/1.0", status(FOLDER, "GET", "HTTP/1.0"), 505)
    same("two hosts", status(FOLDER, Host="127.0.0.1\r\nHost: evil.example"), 400)
    same("a long address", status(FOLDER + "a" * 300), 414)
    same("a long head", status(FOLDER, X="a" * 17000), 431)


def nobody_waits_for_others():
    page = ask(FOLDER)[2]
    begin = time.monotonic()
    lazy = [connect(window=4096) for _ in range(8)]
    for client in lazy:
        client.sendall(head(FOLDER).encode())
    halves = [connect() for _ in range(20)]  # more than it keeps
    for client in halves:
        client.sendall(f"GET {FOLDER} HTTP".encode())
    same("the status", status(FOLDER), 200)
    same("whether it came at once", time.monotonic() - begin < PATIENCE_S / 2, True)
    late = connect(window=4096)
    late.sendall(head(FOLDER).encode())
    time.sleep(0.3)
    same("whether a slow reader gets all of it", read_all(late).endswith(page[-1000:]), True)
    for client in [late, *lazy, *halves]:
        client.close()


def it_ends_when_it_is_told():
    with connect(window=4096) as lazy:
        lazy.sendall(head(FOLDER).encode())
        time.sleep(0.1)
        server.send_signal(signal.SIGINT)
        same("the exit status", server.wait(PATIENCE_S / 2), 0)


for promise in [only_this_machine_is_listened_to, the_page_and_parts_are_complete, parts_are_cut_when_asked_to,
                strangers_are_refused, nothing_else_is_there, only_questions_are_answered,
                nobody_waits_for_others, it_ends_when_it_is_told]:
    start = time.monotonic()
    promise()
    print(f"done: {promise.__name__} ({time.monotonic() - start:.1f} s)")
