"""What a hub needs for many replicas: `python3 load.py --tool TRIPSTORE-HUB --load HUB-LOAD`, usually by `Tools/soak load`.

A hub runs as a process of its own, on this machine. First many replicas are connected to it and hold still: its memory for each, and the
processor time that it takes, are read off its metrics. Then fewer write at once: each waits for the hub after each commit, and fetches
what the others of its journal have written meanwhile; beside that, the same transport that only echoes, and as many durable commits
without a network.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import tempfile
import time
import urllib.request


class Hub:
    def __init__(self, tool, folder, journals, database=None, log=None):
        """One that keeps its journals in a folder, or one over a database. What it logs goes to a file, if one is named."""
        place = ["--database", database, "--scratch", folder] if database else ["--hub", folder]
        self.process = subprocess.Popen(
            [tool, "serve", *place, "--begin", "anyone", "--self-signed", "--listen", "127.0.0.1:0",
             "--metrics", "127.0.0.1:0", "--open-journals", str(journals + 10), "--json"],
            stdout=subprocess.PIPE, stderr=open(log, "a") if log else None, text=True)
        served = json.loads(self.process.stdout.readline())
        self.address, self.pin, self.page = served["address"], served["pin"], served["metrics"]

    def metrics(self):
        with urllib.request.urlopen(self.page, timeout=60) as page:
            lines = [line.rsplit(" ", 1) for line in page.read().decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, value in lines}

    def stop(self):
        self.process.terminate()
        return self.process.wait(60)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def start(command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return process, json.loads(process.stdout.readline())


def run(command):
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1])


def idle(options, folder):
    hub = Hub(options.tool, os.path.join(folder, "idle-hub"), options.journals)
    before = hub.metrics()
    replicas, connected = start([
        options.load, "fleet", "--hub", hub.address, "--pin", hub.pin, "--folder", os.path.join(folder, "idle"),
        "--replicas", str(options.idle), "--journals", str(options.journals), "--seconds", str(options.seconds + 10)])
    print(f"{connected['connected']:.0f} replicas of {options.journals} journals connected in {connected['seconds']:.1f} s")
    time.sleep(5)
    quiet = hub.metrics()
    time.sleep(options.seconds)
    after = hub.metrics()
    memory = after["process_resident_memory_bytes"] - before["process_resident_memory_bytes"]
    cpu = (after["process_cpu_seconds_total"] - quiet["process_cpu_seconds_total"]) / options.seconds * 100
    print(f"  {after['tripstore_hub_sessions']:.0f} sessions, {after['process_resident_memory_bytes'] / 1e6:.0f} MB in all,"
          f" {memory / options.idle / 1e3:.0f} kB for each, {cpu:.1f} % of one processor while they hold still")
    replicas.wait()
    if hub.stop() != 0:
        raise SystemExit("the hub did not end in order")


def write(options, folder):
    hub = Hub(options.tool, os.path.join(folder, "hub"), options.writing_journals)
    replicas, _ = start([
        options.load, "fleet", "--hub", hub.address, "--pin", hub.pin, "--folder", os.path.join(folder, "writers"),
        "--replicas", str(options.writers), "--journals", str(options.writing_journals), "--seconds", str(options.seconds),
        "--write", "--remember"])
    before = hub.metrics()
    result = json.loads(replicas.stdout.readline())
    after = hub.metrics()
    cpu = after["process_cpu_seconds_total"] - before["process_cpu_seconds_total"]
    print(f"{options.writers} replicas of {options.writing_journals} journals write, and fetch what others do: {show(result, 'commits')},"
          f" {cpu / options.seconds * 100:.0f} % of one processor for the hub,"
          f" {after['process_resident_memory_bytes'] / 1e6:.0f} MB")
    replicas.wait()
    hub.stop()
    server, echo = start([options.load, "echo-server"])
    echoed = run([options.load, "echo", "--hub", echo["hub"], "--pin", echo["pin"], "--connections", str(options.writers),
                  "--seconds", str(options.seconds)])
    server.kill()
    print(f"the transport alone, as an echo: {show(echoed, 'messages')}")
    disk = run([options.load, "disk", "--folder", os.path.join(folder, "disk"), "--journals", str(options.writing_journals),
                "--writers", str(options.writers), "--seconds", str(options.seconds)])
    print(f"durable commits without a network: {show(disk, 'commits')}")
    print(f"the hub stores {result['rate'] / echoed['rate']:.2f} commits for an echo, and {result['rate'] / disk['rate']:.2f}"
          " for one that only waits for the disk")


def show(result, what):
    return (f"{result['rate']:.0f} {what} a second, {result['median']:.1f} ms in the median,"
            f" {result['p99']:.0f} ms for the slowest hundredth")


def allow_files():
    """Each replica has some files, and a connection."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main():
    parser = argparse.ArgumentParser(prog="Tools/soak load", description=__doc__.split("\n\n")[1])
    parser.add_argument("--tool", required=True, help="the program tripstore-hub")
    parser.add_argument("--load", required=True, help="the program hub-load")
    parser.add_argument("--idle", type=int, default=1000, help="replicas that hold still")
    parser.add_argument("--journals", type=int, default=100, help="their journals")
    parser.add_argument("--writers", type=int, default=200, help="replicas that write")
    parser.add_argument("--writing-journals", type=int, default=20, help="their journals")
    parser.add_argument("--seconds", type=float, default=20, help="how long each is measured")
    options = parser.parse_args()
    allow_files()
    folder = tempfile.mkdtemp(prefix="tripstore-load-")
    try:
        idle(options, folder)
        write(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
