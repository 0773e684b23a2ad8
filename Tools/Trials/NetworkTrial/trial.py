"""Devices and a hub on a bad network: `python3 trial.py --tool TRIPSTORE-HUB`, usually by `Tools/soak network`.

Each device has a namespace of its own, whose link to the hub's delays and loses packets. While the devices write and stay in sync, links
are cut for longer than any time-out, half-open (what the device sends is lost, what the hub sends arrives), or taken down, and the hub is
killed. In the end all must hold the same, and every write that was acknowledged, once.
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
import time

from link import Network, ip

PORT = 4433


class Failure(Exception):
    """What is not as it must be."""


class Tool:
    def __init__(self, path, folder):
        self.path = path
        self.environment = dict(os.environ, XDG_STATE_HOME=os.path.join(folder, "state"))

    def run(self, *arguments, inside=None, may_fail=False):
        """What a command prints, as JSON."""
        command = [*(inside or []), self.path, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment, timeout=300)
        if done.returncode != 0 and not may_fail:
            raise Failure(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def start(self, *arguments, inside, log):
        return subprocess.Popen(
            [*inside, self.path, *arguments], stdout=log, stderr=subprocess.STDOUT, env=self.environment)


class Hub:
    def __init__(self, tool, network, folder):
        self.tool, self.network, self.folder = tool, network, os.path.join(folder, "hub")
        self.log = open(os.path.join(folder, "hub.log"), "a+")
        self.start()

    def start(self):
        at = self.log.seek(0, os.SEEK_END)
        self.process = self.tool.start(
            "serve", "--hub", self.folder, "--begin", "anyone", "--self-signed", "--json", "--listen", f"0.0.0.0:{PORT}",
            inside=self.network.inside(self.network.hub, []), log=self.log)
        self.pin = wait_for(lambda: self.printed(at), 60, "the hub listens")["pin"]

    def printed(self, at):
        self.log.seek(at)
        return next((json.loads(line) for line in self.log if line.startswith("{") and line.endswith("}\n")), None)

    def kill(self):
        # `ip netns exec` replaces itself with the program.
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(60) != 0:
            raise Failure(f"the hub ended with {self.process.returncode}")
        self.log.close()


class Device:
    def __init__(self, tool, network, link, folder, hub):
        self.tool, self.network, self.link, self.hub = tool, network, link, hub
        self.name, self.store = f"device {link.number}", os.path.join(folder, f"device{link.number}")
        self.inside = network.inside(link.namespace, [])
        self.log = open(os.path.join(folder, f"device{link.number}.log"), "a+")
        self.address = f"https://{link.hub_address}:{PORT}"
        self.names, self.process = [], None

    def run(self, *arguments, may_fail=False):
        return self.tool.run(*arguments, "--store", self.store, "--json", may_fail=may_fail)

    def sync(self, may_fail=False):
        arguments = ("sync", self.address, "--pin", self.hub.pin, "--store", self.store, "--json")
        return self.tool.run(*arguments, inside=self.inside, may_fail=may_fail)

    def stay(self):
        self.process = self.tool.start(
            "sync", self.address, "--pin", self.hub.pin, "--stay", "--store", self.store, "--json",
            inside=self.inside, log=self.log)

    def write(self):
        name = f"Trip {len(self.names)} of {self.name}"
        # Beside the process that stays in sync. Once it returns it is acknowledged.
        self.run("add", "trip", "--name", name)
        self.names.append(name)

    def status(self):
        return self.run("status")[0]

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)
        self.log.close()


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
    def __init__(self, options, folder, network):
        self.options, self.network, self.random = options, network, random.Random(options.seed)
        self.tool, self.folder, self.hub, self.devices = Tool(options.tool, folder), folder, None, []

    def run(self):
        self.hub = Hub(self.tool, self.network, self.folder)
        self.devices = [Device(self.tool, self.network, link, self.folder, self.hub) for link in self.network.links]
        self.join()
        tell(f"{len(self.devices)} devices are members")
        for round_number in range(1, self.options.rounds + 1):
            self.disturb(round_number)
        self.settle()

    def join(self):
        first, *others = self.devices
        first.run("init", "--name", first.name)
        # A journal begins with its first commit.
        first.write()
        first.sync()
        code = first.run("invite", "--uses", str(len(self.devices)))[0]["code"]
        first.stay()
        for device in others:
            device.tool.run("join", code, "--store", device.store, "--name", device.name, "--json")
            device.sync(may_fail=True)
            device.stay()
        for device in others:
            wait_for(lambda: device.status()["standing"] == "write", 120, f"{device.name} is a member")

    def disturb(self, number):
        """Writes everywhere, while each of some links has a fault of its own."""
        faults = ["cut", "half-open", "down", "hub killed"]
        self.random.shuffle(faults)
        chosen = dict(zip(self.random.sample(self.devices, len(self.devices) - 1), faults))
        tell(f"round {number}: " + ", ".join(f"{device.name} {fault}" for device, fault in chosen.items()))
        end = time.monotonic() + self.options.outage
        for device, fault in chosen.items():
            self.begin(device, fault)
        while time.monotonic() < end:
            self.random.choice(self.devices).write()
            time.sleep(self.random.random())
        for device, fault in chosen.items():
            self.end(device, fault)
        for _ in range(3):
            self.random.choice(self.devices).write()

    def begin(self, device, fault):
        if fault == "cut":
            device.link.cut()
        elif fault == "half-open":
            device.link.half_open()
        elif fault == "down":
            ip("-n", device.link.namespace, "link", "set", "hub", "down")
        else:
            self.hub.kill()
            self.hub.start()

    def end(self, device, fault):
        device.link.mend()
        if fault == "down":
            ip("-n", device.link.namespace, "link", "set", "hub", "up")

    def settle(self):
        """All hold the same, and everything that was acknowledged, once."""
        start = time.monotonic()
        frontiers = lambda: {device.status()["frontierText"] for device in self.devices}
        wait_for(lambda: len(frontiers()) == 1, self.options.patience, "all devices hold the same")
        tell(f"all hold the same after {time.monotonic() - start:.0f} s")
        expected = sorted(name for device in self.devices for name in device.names)
        for device in self.devices:
            device.stop()
            found = sorted(row["values"]["name"] for row in device.run("list", "trips", "--columns", "name", "--limit", "100000"))
            if found != expected:
                lost, twice = set(expected) - set(found), len(found) - len(set(found))
                raise Failure(f"{device.name} lacks {sorted(lost)[:5]}, and has {twice} twice")
            self.tool.run("audit", "verify", "--store", device.store)
        journal = self.devices[0].status()["journal"]
        self.hub.stop()
        self.tool.run("audit", "verify", "--store", os.path.join(self.hub.folder, journal))
        tell(f"{len(expected)} acknowledged trips are on each of {len(self.devices)} devices, once")

    def close(self):
        for running in self.devices + [self.hub]:
            process = running and running.process
            if process and process.poll() is None:
                process.kill()
                process.wait()


def tell(words):
    print(words, flush=True)


def main():
    parser = argparse.ArgumentParser(prog="Tools/soak network", description=__doc__.split("\n\n")[1])
    parser.add_argument("--tool", required=True, help="the program tripstore-hub")
    parser.add_argument("--devices", type=int, default=4, help="from 2 to 200; 4 by default")
    parser.add_argument("--rounds", type=int, default=3, help="how often links fail")
    parser.add_argument("--delay", type=float, default=200, help="of each packet, in milliseconds")
    parser.add_argument("--loss", type=float, default=2, help="of packets, in percent")
    parser.add_argument("--outage", type=float, default=90, help="how long links fail, in seconds; sessions end after 60")
    parser.add_argument("--patience", type=float, default=300, help="how long devices may take to be equal, in seconds")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        sys.exit("Network namespaces are Linux's, and root's: run it there, as root.")
    if not shutil.which("ip") or not os.path.exists("/dev/net/tun"):
        sys.exit("The program 'ip' (package iproute2) and /dev/net/tun are needed.")
    if not 2 <= options.devices <= 200:
        parser.error(f"{options.devices} devices: from 2 to 200.")
    folder = tempfile.mkdtemp(prefix="tripstore-network-")
    tell(f"seed {options.seed}, {options.delay:g} ms, {options.loss:g} % lost, in {folder}")
    network = Network(options.devices, options.delay / 1000, options.loss / 100, options.seed)
    trial = Trial(options, folder, network)
    try:
        trial.run()
        tell(f"{network.carried} packets were carried, {network.lost} lost")
    except Failure as failure:
        sys.exit(f"FAILED: {failure} (in {folder})")
    finally:
        trial.close()
        network.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
