"""The servers and databases that measurements of the console start, and the requests that they send."""

import datetime
import glob
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import urllib.parse
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The events of one app, and their symbols.
PROBE = f"{os.environ.get('MPAAS_FIXTURES', ROOT.parent / 'shared/fixtures')}/crash/crashprobe/release-arm64"
TICKS = os.sysconf("SC_CLK_TCK")
# PostgreSQL does not run as root.
UNPRIVILEGED = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []


def program(product, chosen, is_built):
    """The file of a program: the chosen one, or that of a release build, which is made where `is_built` is false."""
    if chosen:
        return chosen
    if not is_built:
        subprocess.run(["make", "release", f"PRODUCT={product}"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return f"{ROOT}/.build/release/{product}"


def cpu(processes):
    """Seconds of processes, and of their children that have ended."""
    ticks = 0
    for process in processes:
        try:
            with open(f"/proc/{process}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except FileNotFoundError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / TICKS


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat().replace("+00:00", "Z")


class Postgres:
    """A server of PostgreSQL in a folder of its own, on a socket there; it waits for the disk as it does by default."""

    def __init__(self, folder):
        self.folder = f"{folder}/postgres"
        os.mkdir(self.folder)
        if UNPRIVILEGED:
            os.chmod(folder, 0o711)
            shutil.chown(self.folder, 65534, 65534)
        homes = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        self.programs = {name: shutil.which(name) or f"{homes[-1]}/{name}" for name in ("initdb", "postgres", "psql")}
        subprocess.run(
            UNPRIVILEGED
            + [self.programs["initdb"], "-D", f"{self.folder}/data", "-U", "postgres", "-E", "UTF8", "--locale=C", "-A", "trust"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder)
        self.process = subprocess.Popen(
            UNPRIVILEGED + [self.programs["postgres"], "-D", f"{self.folder}/data", "-k", self.folder, "-c", "listen_addresses="],
            cwd=self.folder, stderr=subprocess.DEVNULL)
        while subprocess.run(self.psql("SELECT 1"), capture_output=True).returncode != 0:
            time.sleep(0.1)
        subprocess.run(self.psql("CREATE DATABASE console"), check=True, stdout=subprocess.DEVNULL)
        self.address = f"postgres://postgres@/console?host={urllib.parse.quote(self.folder, safe='')}"

    def psql(self, sql, database="postgres"):
        return [self.programs["psql"], "-X", "-A", "-t", "-h", self.folder, "-U", "postgres", "-d", database, "-c", sql]

    def number(self, query):
        return int(subprocess.run(self.psql(query, "console"), check=True, capture_output=True, text=True).stdout or 0)

    def count(self, table):
        return self.number(f"SELECT count(*) FROM {table}")

    def stored(self):
        """Bytes of tables and indexes; the write-ahead log is used again."""
        return int(subprocess.run(
            self.psql("SELECT pg_database_size('console')"), check=True, capture_output=True, text=True).stdout)

    def cpu(self):
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return cpu([self.process.pid, *children])

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


class SQLite:
    """The database in the data folder of the console."""

    address = None

    def __init__(self, folder):
        self.file = f"{folder}/data/mpaas.sqlite"

    def number(self, query):
        return sqlite3.connect(f"file:{self.file}?mode=ro", uri=True).execute(query).fetchone()[0]

    def count(self, table):
        return self.number(f"SELECT count(*) FROM {table}")

    def stored(self):
        return 0

    def cpu(self):
        return 0.0

    def end(self):
        pass


DATABASES = {"sqlite": SQLite, "postgres": Postgres}


class Console:
    """A server of the console on a folder, with limits that no measurement meets."""

    def __init__(self, binary, folder, database=None, symbols=(), days=0):
        self.data = f"{folder}/data"
        limits = {"upload": 2 << 30, "report": 20 << 20, "decompressed": 100 << 20, "ratio": 100, "idle": 30,
                  "leastRate": 1024, "disk": 0, "days": days, "rate": 1_000_000, "waiting": 10_000, "connections": 2048, "inFlight": 256 << 20,
                  "inFlightEach": 256 << 20, "tasks": 5, "expiry": 24}
        configuration = {"data": self.data, "listen": "127.0.0.1:0", "symbols": list(symbols), "json": True, "language": "en",
                         "quiet": False, "approvals": 0, "makesToken": True, "needsDeviceSecrets": False,
                         "allowsPrivateWebhooks": False, "limits": limits}
        if database:
            configuration["database"] = database
        begin = time.monotonic()
        self.process = subprocess.Popen(
            [binary, "--configuration", json.dumps(configuration)], stdout=subprocess.PIPE, text=True)
        self.ready = json.loads(self.process.stdout.readline())
        self.start = time.monotonic() - begin
        self.port = int(self.ready["url"].rsplit(":", 1)[1])

    def cpu(self):
        return cpu([self.process.pid])

    def memory(self, key):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith(key))

    def stored(self):
        """Bytes in the data folder, but for the write-ahead log, which is used again and does not grow with what is stored."""
        files = (os.path.join(at, name) for at, _, names in os.walk(self.data) for name in names
                 if not name.endswith(("-wal", "-shm")))
        return sum(os.path.getsize(file) for file in files)

    def get(self, path):
        """Milliseconds of an answer, and its body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        begin = time.perf_counter()
        connection.request("GET", path, headers={"Authorization": "Bearer " + self.ready["token"]})
        answer = connection.getresponse()
        body = answer.read()
        took = (time.perf_counter() - begin) * 1000
        assert answer.status == 200, (path, answer.status, body[:200])
        return took, body

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def posts(bench, console, database, bodies, *more, encoding="identity"):
    """Sends the envelopes of a file; tells what they took, with CPU milliseconds of the console and of the database for each."""
    before, theirs = console.cpu(), database.cpu()
    output = subprocess.run(
        [bench, "posts", "--url", f"{console.ready['url']}/api/1/envelope/", "--bodies", bodies, "--header",
         f"X-Sentry-Auth:Sentry sentry_key={console.ready['app_key']}", f"Content-Encoding:{encoding}",
         "Content-Type:application/x-sentry-envelope", *map(str, more)],
        check=True, capture_output=True, text=True)
    result = json.loads(output.stdout)
    result["cpu_ms"] = (console.cpu() - before) * 1000 / max(result["requests"], 1)
    result["database_cpu_ms"] = (database.cpu() - theirs) * 1000 / max(result["requests"], 1)
    return result


def envelope(kind, value, now):
    item = json.dumps(value)
    body = f'{{"sent_at":"{moment(now)}"}}\n{{"type":"{kind}","length":{len(item.encode())}}}\n{item}\n'.encode()
    return len(body).to_bytes(4, "little") + body


def sessions(path, count):
    """Envelopes of one session each, as SDKs send them: begun, and half of them ended or crashed later; says how many begin."""
    chance, now, begun, all_sessions = random.Random(1), time.time(), [], 0
    with open(path, "wb") as file:
        for _ in range(count):
            if begun and chance.random() < 0.5:
                session = begun.pop(chance.randrange(len(begun)))
                session = session | {"init": False, "status": "crashed" if chance.random() < 0.02 else "exited"}
            else:
                all_sessions += 1
                session = {
                    "sid": str(uuid.UUID(int=chance.getrandbits(128))), "did": f"device-{chance.randrange(200_000)}",
                    "init": True, "started": moment(now - chance.randrange(3600)), "status": "ok", "errors": 0,
                    "attrs": {"release": f"shop@8.{chance.randrange(8)}.0+400", "environment": "production"}}
                begun.append(session)
            file.write(envelope("session", session, now))
    return all_sessions
