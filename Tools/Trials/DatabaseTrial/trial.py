"""Devices, hubs and their database: `python3 trial.py --tool TRIPSTORE-HUB`, usually by `Tools/soak database`.

Devices write and stay in sync through a balancer, which leads each connection to any of the hubs. Meanwhile the primary is killed with
SIGKILL and started again, its synchronous standby is promoted, hubs are killed, the network between hubs and database is cut for longer
than every time-out, the primary's disk is full, and the database is restored from a backup as it was at an earlier time. After each fault
every entry that was committed before it must be there, but for the restored database, and every commit that a hub has acknowledged to a
device until then. In the end all devices must hold the same, every write once, and the database must verify.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from cluster import Cluster, Proxy, free_port, programs


class Failure(Exception):
    """What is not as it must be."""


class Tool:
    def __init__(self, path, folder):
        self.path = path
        self.environment = dict(os.environ, XDG_STATE_HOME=os.path.join(folder, "state"))

    def run(self, *arguments, may_fail=False):
        """What a command prints, as JSON."""
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True, env=self.environment, timeout=300)
        if done.returncode != 0 and not may_fail:
            raise Failure(f"{' '.join(arguments)} ended with {done.returncode}: {(done.stderr or done.stdout).strip()}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def succeeds(self, *arguments):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True, env=self.environment, timeout=300)
        return done.returncode == 0

    def start(self, *arguments, log):
        return subprocess.Popen([self.path, *arguments], stdout=log, stderr=subprocess.STDOUT, env=self.environment)


class Hub:
    def __init__(self, number, tool, database, folder):
        self.tool, self.database, self.folder, self.port = tool, database, folder, free_port()
        self.log = open(os.path.join(folder, f"hub{number}.log"), "a+")
        self.start()

    def start(self):
        at = self.log.seek(0, os.SEEK_END)
        self.process = self.tool.start(
            "serve", "--database", self.database, "--begin", "anyone", "--self-signed", "--scratch", os.path.join(self.folder, "hubs"),
            "--json", "--listen", f"127.0.0.1:{self.port}", log=self.log)
        self.pin = wait_for(lambda: self.printed(at), 60, "the hub listens")["pin"]

    def end_of_log(self):
        return self.log.seek(0, os.SEEK_END)

    def says(self, words, at):
        """Whether its log has some words after a place."""
        self.log.seek(at)
        return words in self.log.read()

    def printed(self, at):
        self.log.seek(at)
        return next((json.loads(line) for line in self.log if line.startswith("{") and line.endswith("}\n")), None)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Device:
    def __init__(self, name, tool, folder, address, pin):
        self.tool, self.name, self.address, self.pin = tool, name, address, pin
        self.store = os.path.join(folder, name.replace(" ", ""))
        self.log = open(self.store + ".log", "a+")
        self.names, self.process, self.lock = [], None, threading.Lock()

    def run(self, *arguments, may_fail=False):
        return self.tool.run(*arguments, "--store", self.store, "--json", may_fail=may_fail)

    def sync(self, may_fail=False):
        return self.run("sync", self.address, "--pin", self.pin, may_fail=may_fail)

    def syncs(self):
        return self.tool.succeeds("sync", self.address, "--pin", self.pin, "--store", self.store, "--json")

    def stay(self):
        self.process = self.tool.start(
            "sync", self.address, "--pin", self.pin, "--stay", "--store", self.store, "--json", log=self.log)

    def write(self):
        with self.lock:
            name = f"Trip {len(self.names)} of {self.name}"
            self.run("add", "trip", "--name", name)
            self.names.append(name)

    def status(self):
        return self.run("status")[0]

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)


class Writer(threading.Thread):
    """Writes on a device and exchanges, again and again, and notes what was acknowledged to it."""

    def __init__(self, device):
        super().__init__(daemon=True)
        self.device, self.is_over, self.failure = device, False, None
        # The newest commit of the device that a hub has acknowledged, and how often one has.
        self.acknowledged, self.exchanges = 0, 0
        status = device.status()
        self.journal, self.replica = status["journal"].lower(), status["replica"]

    def run(self):
        try:
            while not self.is_over:
                self.device.write()
                status = self.device.status()
                # An exchange that ends well has sent what the device held before.
                if self.device.syncs():
                    self.acknowledged = status["frontier"][self.replica]
                    self.exchanges += 1
        except Exception as failure:
            self.failure = failure

    def stop(self):
        self.is_over = True
        self.join()
        if self.failure:
            raise Failure(f"{self.device.name}: {self.failure}")


def wait_for(condition, seconds, what):
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise Failure(f"after {seconds} s it was not so: {what}")
        time.sleep(0.2)


class Trial:
    FAULTS = ("primary killed", "hub killed", "standby promoted", "disk full", "network cut", "set back")

    def __init__(self, options, folder):
        self.options, self.folder, self.random = options, folder, random.Random(options.seed)
        self.tool = Tool(options.tool, folder)
        self.hubs, self.devices, self.writers, self.counts = [], [], [], {}
        self.cluster = Cluster(folder)
        self.database_proxy = Proxy(lambda: self.cluster.primary.port)
        self.database = f"postgresql://tripstore@127.0.0.1:{self.database_proxy.port}/postgres"
        self.balancer = Proxy(lambda: self.random.choice(self.hubs).port)

    def run(self):
        self.hubs = [Hub(number, self.tool, self.database, self.folder) for number in range(self.options.hubs)]
        address = f"https://127.0.0.1:{self.balancer.port}"
        for journal in range(self.options.journals):
            self.join([Device(f"device {journal}.{number}", self.tool, self.folder, address, self.hubs[0].pin)
                       for number in range(self.options.devices)])
        tell(f"{len(self.devices)} devices are members of {self.options.journals} journals, and write through {len(self.hubs)} hubs")
        self.writers = [Writer(device) for device in self.devices[:: self.options.devices]]
        for writer in self.writers:
            writer.start()
        for number in range(self.options.rounds):
            self.disturb(number)
        for writer in self.writers:
            writer.stop()
        self.settle()

    def join(self, devices):
        first, *others = devices
        first.run("init", "--name", first.name)
        # A journal begins with its first commit.
        first.write()
        first.sync()
        code = first.run("invite", "--uses", str(len(devices)))[0]["code"]
        first.stay()
        for device in others:
            device.tool.run("join", code, "--store", device.store, "--name", device.name, "--json")
            device.sync(may_fail=True)
            device.stay()
        for device in others:
            wait_for(lambda: device.status()["standing"] == "write", 120, f"{device.name} is a member")
        self.devices += devices

    def committed(self):
        """Every entry that is committed, which a client may know of."""
        rows = self.cluster.primary.sql("SELECT journal, entry, operation FROM tripstore.entry WHERE set_aside IS NULL")
        return set(rows.splitlines())

    def check_acknowledged(self):
        """Compares what was acknowledged to writers with the rows. Returns how many commits that are."""
        # What is acknowledged after this was not before the rows are read.
        acknowledged = {(writer.journal, writer.replica): writer.acknowledged for writer in self.writers}
        rows = self.cluster.primary.sql(
            "SELECT journal, replica, first_sequence, commits FROM tripstore.entry WHERE kind = 1 AND set_aside IS NULL")
        held = {}
        for row in rows.splitlines():
            journal, replica, first, commits = row.split("|")
            numbers = range(int(first), int(first) + int(commits))
            held.setdefault((journal, replica.replace("-", "")), set()).update(numbers)
        for (journal, replica), last in acknowledged.items():
            lost = set(range(1, last + 1)) - held.get((journal, replica), set())
            if lost:
                raise Failure(f"commits {sorted(lost)[:5]} of {replica} were acknowledged, and no row has them")
        return sum(acknowledged.values())

    def fill_disk(self):
        """Fills the primary's disk until a hub says so, and makes room again."""
        primary, starts = self.cluster.primary, [hub.end_of_log() for hub in self.hubs]
        primary.fill()

        def is_said():
            self.random.choice(self.devices).write()
            # The server ends if its log has no room.
            return primary.process.poll() is not None or any(hub.says("53100", at) for hub, at in zip(self.hubs, starts))

        try:
            wait_for(is_said, 120, "a hub says that the database has no room")
        finally:
            primary.make_room()
        if primary.process.poll() is not None:
            tell("the server ended, as it does without room for its log, and is started again")
            primary.start()
        before = [writer.exchanges for writer in self.writers]
        wait_for(lambda: all(writer.exchanges > count for writer, count in zip(self.writers, before)), 120,
                 "hubs go on once there is room")

    def set_back(self):
        """Restores an older backup, up to a time when less was committed; devices bring back what came later."""
        self.cluster.back_up()
        self.write(2)
        until = self.cluster.archived()
        self.write(2)
        # No hub heals before it is known what is missing.
        self.database_proxy.is_cut = True
        later = self.committed()
        self.cluster.restore(until)
        missing = len(later - self.committed())
        if not missing:
            raise Failure("the restored database lacks nothing that was committed later")
        self.cluster.add_standby()
        self.database_proxy.drop()
        self.database_proxy.is_cut = False

        def is_healed():
            try:
                return self.check_acknowledged()
            except Failure:
                return None

        acknowledged = wait_for(is_healed, self.options.patience, "devices have brought back what was acknowledged to them")
        tell(f"the database was set back by {missing} entries; all {acknowledged} commits that were acknowledged are there again")

    def write(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.random.choice(self.devices).write()

    def disturb(self, number):
        faults = self.options.only or self.FAULTS
        fault = faults[number % len(faults)]
        self.write(2)
        before = self.committed()
        if fault == "primary killed":
            self.cluster.primary.kill()
            self.random.choice(self.devices).write()
            self.cluster.primary.start()
        elif fault == "standby promoted":
            self.cluster.fail_over()
            self.database_proxy.drop()
            self.random.choice(self.devices).write()
            self.cluster.add_standby()
        elif fault == "hub killed":
            hub = self.random.choice(self.hubs)
            hub.kill()
            self.random.choice(self.devices).write()
            hub.start()
        elif fault == "disk full":
            if not self.cluster.primary.has_disk:
                return tell(f"round {number + 1}: {fault}; skipped, because nothing can be mounted here")
            self.fill_disk()
        elif fault == "set back":
            self.set_back()
            before = self.committed()
        else:
            self.database_proxy.is_cut = True
            end = time.monotonic() + self.options.outage
            while time.monotonic() < end:
                self.random.choice(self.devices).write()
                time.sleep(0.5)
            self.database_proxy.is_cut = False
        lost = before - self.committed()
        if lost:
            raise Failure(f"{len(lost)} entries that were committed are lost after: {fault}")
        acknowledged = self.check_acknowledged()
        self.counts[fault] = self.counts.get(fault, 0) + 1
        tell(f"round {number + 1}: {fault}; {len(before)} entries are all there, and {acknowledged} commits that were acknowledged to writers")

    def settle(self):
        """All devices of a journal hold the same, and everything that was written, once."""
        start = time.monotonic()
        journals = {}
        for device in self.devices:
            journals.setdefault(device.status()["journal"], []).append(device)
        for devices in journals.values():
            wait_for(lambda: len({device.status()["frontierText"] for device in devices}) == 1, self.options.patience,
                     "all devices of a journal hold the same")
        tell(f"all hold the same after {time.monotonic() - start:.0f} s")
        total = 0
        for journal, devices in journals.items():
            expected = sorted(name for device in devices for name in device.names)
            total += len(expected)
            for device in devices:
                device.stop()
                rows = device.run("list", "trips", "--columns", "name", "--limit", "100000")
                found = sorted(row["values"]["name"] for row in rows)
                if found != expected:
                    lost, twice = set(expected) - set(found), len(found) - len(set(found))
                    raise Failure(f"{device.name} lacks {sorted(lost)[:5]}, and has {twice} twice")
                self.tool.run("audit", "verify", "--store", device.store)
            self.tool.run("audit", "verify", "--database", self.database, "--journal", journal)
        tell(f"{total} trips are on each device of their journal and in the database, once; " + ", ".join(
            f"{count} × {fault}" for fault, count in self.counts.items()))

    def close(self):
        for writer in self.writers:
            writer.is_over = True
        for running in self.devices + self.hubs:
            if running.process and running.process.poll() is None:
                running.process.kill()
                running.process.wait()
        self.cluster.close()


def tell(words):
    print(words, flush=True)


def main():
    parser = argparse.ArgumentParser(prog="Tools/soak database", description=__doc__.split("\n\n")[1])
    parser.add_argument("--tool", required=True, help="the program tripstore-hub")
    parser.add_argument("--hubs", type=int, default=3)
    parser.add_argument("--journals", type=int, default=2)
    parser.add_argument("--devices", type=int, default=3, help="of each journal")
    parser.add_argument("--only", action="append", choices=Trial.FAULTS, help="no other faults than this; may be repeated")
    parser.add_argument("--rounds", type=int, default=10, help="how many faults there are")
    parser.add_argument("--outage", type=float, default=40, help="how long the network is cut, in seconds; hubs give up after 15")
    parser.add_argument("--patience", type=float, default=300, help="how long devices may take to be equal, in seconds")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not programs():
        sys.exit("PostgreSQL is not here: apt-get install postgresql.")
    folder = tempfile.mkdtemp(prefix="tripstore-database-")
    os.chmod(folder, 0o755)
    tell(f"seed {options.seed}, in {folder}")
    trial = Trial(options, folder)
    try:
        trial.run()
    except Failure as failure:
        sys.exit(f"FAILED: {failure} (in {folder})")
    finally:
        trial.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
