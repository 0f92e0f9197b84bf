"""metrics.py COMMAND ARGUMENT... - looks at metrics without any of stint's code.

    get ADDRESS [SECONDS [PATH [HOST]]]  prints what there is at ADDRESS, HOST:PORT or the path of a socket
    port PID                  prints the port that the process listens at
    free N                    prints N ports that are free
    steady ADDRESS TIMES      fails if a counter falls from one answer to the next
    value FILE NAME LABEL=VALUE...   prints the sum of the samples with that name and these labels
    parse FILE                has Prometheus' client for Python read OpenMetrics, if it is there
    names DASHBOARD FILE...   fails if a query of the dashboard names a metric that none of the files has
    expressions DASHBOARD     prints its queries
    query PORT EXPRESSION     prints the number that a Prometheus answers with; "none" if there is none
"""
import json
import os
import re
import socket
import sys
import urllib.parse
import urllib.request

SAMPLE = re.compile(r'^([a-z_]+)(?:\{(.*)\})? (\S+)$')
LABEL = re.compile(r'([a-z]+)="((?:[^"\\]|\\.)*)"')


def get(address, seconds=10, path='/metrics', host='localhost'):
    if '/' in address:
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(float(seconds))
        client.connect(address)
    else:
        machine, port = address.rsplit(':', 1)
        client = socket.create_connection((machine, int(port)), float(seconds))
    client.sendall(('GET %s HTTP/1.1\r\nHost: %s\r\n\r\n' % (path, host)).encode())
    answer = b''
    while True:
        part = client.recv(65536)
        if not part:
            break
        answer += part
    head, body = answer.decode().split('\r\n\r\n', 1)
    return head, body


def samples(text):
    for line in text.split('\n'):
        if line and not line.startswith('#'):
            name, labels, value = SAMPLE.match(line).groups()
            yield name, dict(LABEL.findall(labels or '')), float(value)


def port_of(pid):
    links = [os.readlink(entry.path) for entry in os.scandir('/proc/%s/fd' % pid) if os.path.islink(entry.path)]
    for table in 'tcp', 'tcp6':
        for line in open('/proc/net/' + table).readlines()[1:]:
            words = line.split()
            if words[3] == '0A' and 'socket:[%s]' % words[9] in links:
                return int(words[1].split(':')[1], 16)
    sys.exit('the process listens at no port')


def free(count):
    sockets = [socket.socket() for _ in range(int(count))]
    for each in sockets:
        each.bind(('127.0.0.1', 0))
    return [each.getsockname()[1] for each in sockets]


def steady(address, times):
    before, counters, grown = {}, 0, 0
    for _ in range(int(times)):
        for name, labels, value in samples(get(address)[1]):
            if not name.endswith(('_total', '_bucket', '_sum', '_count')):
                continue
            key = (name, tuple(sorted(labels.items())))
            if value < before.get(key, 0):
                sys.exit('%s fell from %r to %r' % (key, before[key], value))
            grown += value > before.get(key, value)
            counters += 1
            before[key] = value
    if not counters or not grown:
        sys.exit('no counter was seen to grow')


def value(path, name, *labels):
    wanted = dict(label.split('=', 1) for label in labels)
    found = [number for other, has, number in samples(open(path, newline='\n').read())
             if other == name and all(has.get(key) == text for key, text in wanted.items())]
    if not found:
        return 'none'
    total = sum(found)
    return int(total) if total == int(total) else total


def parse(path):
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    except ImportError:
        return
    families = list(text_string_to_metric_families(open(path, newline='\n').read()))
    if not families:
        sys.exit('no metrics')


def expressions(dashboard):
    def walk(node):
        if isinstance(node, dict):
            for key, inner in node.items():
                if key in ('expr', 'query') and isinstance(inner, str):
                    yield inner
                else:
                    yield from walk(inner)
        elif isinstance(node, list):
            for inner in node:
                yield from walk(inner)
    return list(walk(json.load(open(dashboard))))


def names(dashboard, *files):
    known = {name for path in files for name, _, _ in samples(open(path, newline='\n').read())}
    asked = expressions(dashboard)
    if len(asked) < 5:
        sys.exit('the dashboard has no queries')
    for expression in asked:
        for name in re.findall(r'\bstint_[a-z_]+', expression):
            if name not in known:
                sys.exit('%s: there is no metric %s' % (expression, name))


def query(port, expression):
    url = 'http://127.0.0.1:%s/api/v1/query?%s' % (port, urllib.parse.urlencode({'query': expression}))
    result = json.load(urllib.request.urlopen(url, timeout=10))['data']['result']
    return result[0]['value'][1] if result else 'none'


def main():
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == 'get':
        head, body = get(*arguments)
        print(head.split('\r\n')[0], file=sys.stderr)
        sys.stdout.write(body)
    elif command == 'port':
        print(port_of(*arguments))
    elif command == 'free':
        print(*free(*arguments))
    elif command == 'steady':
        steady(*arguments)
    elif command == 'value':
        print(value(*arguments))
    elif command == 'parse':
        parse(*arguments)
    elif command == 'names':
        names(*arguments)
    elif command == 'expressions':
        print('\n'.join(expressions(*arguments)))
    elif command == 'query':
        print(query(*arguments))
    else:
        sys.exit(__doc__)


main()
