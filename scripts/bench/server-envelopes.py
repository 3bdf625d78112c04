#!/usr/bin/env python3
"""Writes Sentry envelopes to send: COUNT of them, from the events in a folder, gzip each behind its length.

Every one has an event id, a time, a user and an address-space slide of its own, as crashes of a release have in the field.
usage: server-envelopes.py FOLDER COUNT OUTPUT [SEED]
"""
import glob, gzip, json, random, re, struct, sys, uuid

folder, count, output = sys.argv[1], int(sys.argv[2]), sys.argv[3]
address = re.compile(rb'"(image_addr|instruction_addr|symbol_addr)":"0x([0-9a-f]+)"')
random.seed(int((sys.argv + ["1"])[4]))
events = []
for path in sorted(glob.glob(folder + "/*.json")):
    event = json.load(open(path))
    event["event_id"], event["timestamp"], event["user"] = "@" * 32, "@time", {"id": "@user"}
    text = json.dumps(event, separators=(",", ":")).encode()
    # Once in pieces: the addresses are every second one.
    pieces, numbers, place = [], [], 0
    for match in address.finditer(text):
        pieces.append(text[place:match.start(2)])
        numbers.append(int(match.group(2), 16))
        place = match.end(2)
    pieces.append(text[place:])
    events.append((pieces, numbers))
total = stored = 0
with open(output, "wb") as file:
    for index in range(count):
        pieces, numbers = events[index % len(events)]
        slide = random.randrange(1 << 16) << 14
        parts = [pieces[0]]
        for number, piece in zip(numbers, pieces[1:]):
            parts.append(b"%x" % (number + slide))
            parts.append(piece)
        name = uuid.UUID(int=random.getrandbits(128)).hex.encode()
        event = b"".join(parts).replace(b"@" * 32, name).replace(b'"@time"', b"%d" % (1763000000 + index))
        event = event.replace(b"@user", b"user-%d" % random.randrange(5000))
        envelope = b'{"event_id":"%s"}\n{"type":"event","length":%d}\n%s\n' % (name, len(event), event)
        body = gzip.compress(envelope, 1)
        total += len(envelope)
        stored += len(body)
        file.write(struct.pack("<I", len(body)) + body)
print(json.dumps({"envelopes": count, "bytes_each": total // count, "sent_each": stored // count}))
