"""Times how long a kill switch takes to reach all streams of a server that runs already.

flag-streams.py SERVER.JSON STREAMS [CHANGES]: SERVER.JSON has `url`, `app_key` and `token`, as `mpaas serve --json` prints
them. The server needs room for so many connections: `--limit connections=NUMBER`, an eighth more than STREAMS. The time is
from the moment before the change is sent to the moment at which a stream has it, on the clock of the wall.
"""

import json
import resource
import select
import socket
import sys
import time
import urllib.parse
import urllib.request


def change(server, enabled):
    event = {
        "type": "feature-updated",
        "feature": {"name": "stop", "type": "kill-switch", "enabled": enabled},
    }
    request = urllib.request.Request(
        f"{server['url']}/api/v1/flags/changes",
        json.dumps({"events": [event]}).encode(),
        {"Authorization": f"Bearer {server['token']}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["version"]


def open_streams(server, count):
    address = urllib.parse.urlsplit(server["url"])
    head = (
        f"GET /unleash/api/client/streaming HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Authorization: {server['app_key']}\r\nAccept: text/event-stream\r\n\r\n"
    ).encode()
    streams = {}
    poll = select.epoll()
    for _ in range(count):
        stream = socket.create_connection((address.hostname, address.port), timeout=60)
        stream.sendall(head)
        stream.setblocking(False)
        streams[stream.fileno()] = stream
        poll.register(stream.fileno(), select.EPOLLIN)
    return streams, poll


def wait(streams, poll, mark, limit):
    """The moments at which streams got a mark; streams that ended are left out."""
    moments, ends, rest = {}, set(), {}
    deadline = time.monotonic() + limit
    while len(moments) + len(ends) < len(streams) and time.monotonic() < deadline:
        for number, _ in poll.poll(1):
            try:
                data = streams[number].recv(1 << 16)
            except BlockingIOError:
                continue
            if not data:
                ends.add(number)
                poll.unregister(number)
                continue
            text = rest.get(number, b"") + data
            rest[number] = text[-len(mark) :]
            if mark in text:
                moments.setdefault(number, time.monotonic())
    return moments


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        server = json.loads(file.readline())
    count, changes = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 6
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if count + 100 > most:
        sys.exit(f"{count} streams need more descriptors than this machine allows: {most}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    change(server, True)
    streams, poll = open_streams(server, count)
    opened = wait(streams, poll, b"unleash-connected", 120)
    print(f"| {count} streams, {len(opened)} open | p50 s | p99 s | last s | reached |")
    print("| --- | ---: | ---: | ---: | ---: |")
    enabled = True
    for number in range(changes):
        enabled = not enabled
        start = time.monotonic()
        version = change(server, enabled)
        told = sorted(moment - start for moment in wait(streams, poll, f"id: {version}\n".encode(), 30).values())
        if told:
            half, most_of = told[len(told) // 2], told[max(len(told) * 99 // 100 - 1, 0)]
            print(f"| change {number + 1} | {half:.3f} | {most_of:.3f} | {told[-1]:.3f} | {len(told)} |", flush=True)


main()
