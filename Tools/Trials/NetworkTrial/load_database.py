"""What hubs over a database do beside a hub that keeps its own journals, and beside the database alone: `python3 load_database.py --tool
TRIPSTORE-HUB --load HUB-LOAD`, usually by `Tools/soak load --database`.

Each is measured with the embedded hub and with hubs over a PostgreSQL server of its own, which syncs every commit, on this machine and
one disk: replicas that write one commit after another, and many at once, beside bare INSERTs of as many bytes in as many rows; a large
journal that a new replica fetches; and how long it takes until all replicas of a journal are told of a commit.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from load import Hub, allow_files, run, show, start

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "DatabaseTrial"))
from cluster import Server, programs  # noqa: E402


class Trial:
    def __init__(self, options, folder):
        self.options, self.folder, self.count, self.hubs, self.failures = options, folder, 0, [], []
        self.server = Server(os.path.join(folder, "server"))
        self.database = f"postgresql://tripstore@127.0.0.1:{self.server.port}/postgres"

    def run(self):
        settings = [f"{name} = {self.server.sql(f'SHOW {name}')}"
                    for name in ("server_version", "fsync", "synchronous_commit", "shared_buffers")]
        tell(f"the database has {', '.join(settings)}")
        for part in self.options.parts:
            getattr(self, part)()
        if self.failures:
            sys.exit(f"FAILED: {'; '.join(self.failures)}")

    def place(self, name):
        """A folder of its own."""
        self.count += 1
        return os.path.join(self.folder, f"{name}{self.count}")

    def hub(self, is_embedded=False):
        self.server.sql("CHECKPOINT")
        hub = Hub(self.options.tool, self.place("hub"), self.options.writers, None if is_embedded else self.database,
                  os.path.join(self.folder, "hubs.log"))
        self.hubs.append(hub)
        return hub

    def load(self, command, hub, *arguments, folder=None):
        return [self.options.load, command, "--hub", hub.address, "--pin", hub.pin, "--folder", folder or self.place("replicas"),
                *map(str, arguments)]

    def write(self, hub, *arguments):
        """What writers report, with the hub's processor time for each commit; and rows, bytes of bodies and transactions that it made in
        the database."""
        writers, _ = start(self.load("fleet", hub, "--replicas", self.options.writers, "--journals", self.options.writers,
                                     "--seconds", self.options.seconds, "--remember", *arguments))
        before, busy = self.stored(), hub.metrics()["process_cpu_seconds_total"]
        result = finish(writers)
        result["cpu"] = (hub.metrics()["process_cpu_seconds_total"] - busy) / result["commits"]
        hub.stop()
        return result, [now - then for now, then in zip(self.stored(), before)]

    def stored(self):
        # A hub makes the tables.
        if self.server.sql("SELECT to_regclass('tripstore.entry') IS NULL") == "t":
            return [0, 0, 0]
        row = self.server.sql("SELECT count(*), coalesce(sum(octet_length(body)), 0), count(DISTINCT operation) FROM tripstore.entry")
        return [int(number) for number in row.split("|")]

    def insert(self, rows, size, *arguments):
        self.server.sql("CHECKPOINT")
        return run([self.options.load, "insert", "--database", self.database, "--connections", str(self.options.writers),
                    "--bytes", str(size), "--rows", str(rows), "--seconds", str(self.options.seconds), *arguments])

    def small(self):
        embedded, _ = self.write(self.hub(is_embedded=True), "--write")
        shared, (rows, size, operations) = self.write(self.hub(), "--write")
        bare = self.insert(max(1, round(rows / operations)), round(size / rows))
        tell(f"{self.options.writers} replicas in as many journals write one commit after another")
        tell(f"  embedded hub: {show(embedded, 'commits')}{hub_time(embedded)}")
        tell(f"  hub over the database: {show(shared, 'commits')}{hub_time(shared)}; {size / operations:.0f} bytes in"
             f" {rows / operations:.1f} rows for each")
        tell(f"  bare INSERTs of the same bytes: {show(bare, 'transactions')}")
        tell(f"  rates: hub over the database to bare {shared['rate'] / bare['rate']:.2f}, embedded to bare"
             f" {embedded['rate'] / bare['rate']:.2f}, hub over the database to embedded {shared['rate'] / embedded['rate']:.2f}")

    def bulk(self):
        commits = self.options.bulk
        embedded, _ = self.write(self.hub(is_embedded=True), "--bulk", str(commits))
        shared, (rows, size, operations) = self.write(self.hub(), "--bulk", str(commits))
        bare = self.insert(max(1, round(rows / operations)), round(size / rows), "--rounds")
        # What a transaction of the hub holds, for each commit.
        each = size / shared["commits"]
        bare["rate"] *= size / operations / each
        tell(f"{self.options.writers} replicas in as many journals write {commits} commits at once, and send them together")
        for name, result in (("embedded hub", embedded), ("hub over the database", shared), ("bare INSERTs of the same bytes", bare)):
            tell(f"  {name}: {show(result, 'commits')}; {result['rate'] * each / 1e6:.1f} MB/s{hub_time(result)}")
        tell(f"  a transaction has {size / operations:.0f} bytes in {rows / operations:.1f} rows, {each:.0f} for each commit")
        tell(f"  rates: hub over the database to bare {shared['rate'] / bare['rate']:.2f}, embedded to bare"
             f" {embedded['rate'] / bare['rate']:.2f}, hub over the database to embedded {shared['rate'] / embedded['rate']:.2f}")

    def cold(self):
        commits = max(1, self.options.events // 1000)
        tell(f"a new replica fetches {commits} commits of 1,000 events")
        embedded = self.hub(is_embedded=True)
        self.fetch("embedded hub", embedded, *self.fill("embedded hub", embedded, commits, 1), 0)
        embedded.stop()
        first = self.hub()
        filled = self.fill("hub over the database", first, commits, 2)
        self.fetch("hub over the database with a copy", first, *filled, 0)
        first.stop()
        second = self.hub()
        self.fetch("hub over the database without a copy", second, *filled, 1)
        second.stop()

    def fill(self, name, hub, commits, readers):
        folder = self.place("large")
        filled = run(self.load("fill", hub, "--commits", commits, "--readers", readers, folder=folder))
        tell(f"  {name}, filled: {filled['seconds']:.1f} s, {filled['events'] / filled['seconds']:.0f} events a second,"
             f" {filled['bytes'] / 1e6:.0f} MB")
        return folder, filled["journal"]

    def fetch(self, name, hub, folder, journal, reader):
        try:
            fetched = run(self.load("fetch", hub, "--journal", journal, "--reader", reader, folder=folder))
        except subprocess.CalledProcessError:
            # The others are measured all the same.
            self.failures.append(f"a new replica could not fetch the journal from the {name}")
            return tell(f"  {name}: FAILED")
        tell(f"  {name}: {fetched['events']:.0f} events in {fetched['seconds']:.1f} s, {fetched['rate']:.0f} a second,"
             f" greeted after {fetched['greeting']:.1f} s at attempt {fetched['attempts']:.0f}")

    def subscribers(self):
        count = self.options.subscribers
        tell(f"{count} replicas of one journal are told of {self.options.told} commits, one after another")
        embedded = self.hub(is_embedded=True)
        self.subscribe("embedded hub", self.load("subscribers", embedded))
        embedded.stop()
        first, second = self.hub(), self.hub()
        self.subscribe("two hubs over the database, one of the writer and one of the others",
                       self.load("subscribers", second, "--writer-hub", first.address, "--writer-pin", first.pin))
        first.stop()
        second.stop()

    def subscribe(self, name, command):
        result = run([*command, "--subscribers", str(self.options.subscribers), "--commits", str(self.options.told)])
        tell(f"  {name}: all were told {result['median']:.1f} ms after the acknowledgement in the median,"
             f" {result['slowest']:.1f} ms at the slowest; {result['medianOfAll']:.1f} and {result['slowestOfAll']:.1f} ms after it was"
             " written")

    def close(self):
        for hub in self.hubs:
            hub.kill()
        self.server.kill()


def finish(process):
    """The last object that it prints."""
    lines = process.stdout.read().splitlines()
    if process.wait() != 0 or not lines:
        raise SystemExit(f"{' '.join(process.args)} ended with {process.returncode}")
    return json.loads(lines[-1])


def hub_time(result):
    """The processor time of the hub and, where it was measured, that of the replicas meanwhile: all share the machine's processors."""
    if "cpu" not in result:
        return ""
    own = f", and {result['own'] * 1e6:.1f} of the replicas" if "own" in result else ""
    return f"; {result['cpu'] * 1e6:.1f} µs of processor time of the hub for each{own}"


def tell(words):
    print(words, flush=True)


def main():
    parts = ("small", "bulk", "cold", "subscribers")
    parser = argparse.ArgumentParser(prog="Tools/soak load --database", description=__doc__.split("\n\n")[1])
    parser.add_argument("--tool", required=True, help="the program tripstore-hub")
    parser.add_argument("--load", required=True, help="the program hub-load")
    parser.add_argument("--writers", type=int, default=20, help="replicas that write, each in a journal of its own")
    parser.add_argument("--bulk", type=int, default=1000, help="commits that are sent together")
    parser.add_argument("--events", type=int, default=1_000_000, help="events of the journal that is fetched")
    parser.add_argument("--subscribers", type=int, default=200, help="replicas that are told")
    parser.add_argument("--told", type=int, default=50, help="commits of which they are told")
    parser.add_argument("--seconds", type=float, default=20, help="how long writers write")
    parser.add_argument("--parts", nargs="+", choices=parts, default=parts, metavar="PART", help=f"of {', '.join(parts)}; default: all")
    parser.add_argument("--folder", help="where everything lies, the database's files as well; default: the system's for temporary files")
    options = parser.parse_args()
    if not programs():
        sys.exit("PostgreSQL is not here: apt-get install postgresql.")
    allow_files()
    folder = tempfile.mkdtemp(prefix="tripstore-load-", dir=options.folder)
    # The server runs as a user of its own.
    os.chmod(folder, 0o755)
    trial = None
    try:
        trial = Trial(options, folder)
        trial.run()
    finally:
        if trial:
            trial.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
