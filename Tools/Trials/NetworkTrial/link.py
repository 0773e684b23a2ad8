"""A network of network namespaces: one for a hub, and one for each device, each joined to the hub's by a link of its own.

A link is two TUN devices, whose packets this process carries from one to the other, after a delay and with losses. So it needs
no support of the kernel for that (netem), and each link can be cut: both ways, or one. Runs as root, on Linux.
"""

import ctypes
import fcntl
import heapq
import os
import random
import selectors
import struct
import subprocess
import threading
import time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
CLONE_NEWNET = 0x40000000
LARGEST_PACKET = 65536

libc = ctypes.CDLL(None, use_errno=True)


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


def enter(path):
    with open(path, "rb") as namespace:
        if libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"setns {path}")


def tun(namespace, name):
    """A TUN device in a namespace; the descriptor is used from here."""
    mine = "/proc/thread-self/ns/net"
    with open(mine, "rb") as here:
        enter(f"/var/run/netns/{namespace}")
        try:
            descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
            fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
        finally:
            libc.setns(here.fileno(), CLONE_NEWNET)
    return descriptor


class Link:
    """The hub's end has the address 10.91.N.1, and the device's 10.91.N.2."""

    def __init__(self, network, number):
        self.number, self.namespace = number, f"{network.prefix}{number}"
        self.hub_address, self.address = f"10.91.{number}.1", f"10.91.{number}.2"
        ip("netns", "add", self.namespace)
        ends = ((network.hub, f"d{number}", self.hub_address), (self.namespace, "hub", self.address))
        self.ends = [tun(namespace, name) for namespace, name, _ in ends]
        for namespace, name, address in ends:
            ip("-n", namespace, "addr", "add", f"{address}/30", "dev", name)
            ip("-n", namespace, "link", "set", name, "mtu", "1400", "up")
        ip("-n", self.namespace, "link", "set", "lo", "up")
        # Whether packets pass to the hub, and to the device.
        self.passes = [True, True]

    def cut(self):
        self.passes = [False, False]

    def half_open(self):
        """What the device sends is lost, what the hub sends arrives."""
        self.passes = [False, True]

    def mend(self):
        self.passes = [True, True]


class Network:
    def __init__(self, devices, delay, loss, seed):
        self.prefix, self.delay, self.loss = f"tripstore{os.getpid()}-", delay, loss
        self.hub = f"{self.prefix}hub"
        self.random = random.Random(seed)
        self.carried = self.lost = 0
        ip("netns", "add", self.hub)
        self.links = []
        try:
            ip("-n", self.hub, "link", "set", "lo", "up")
            for number in range(1, devices + 1):
                self.links.append(Link(self, number))
        except BaseException:
            self.close()
            raise
        self.is_closed = False
        self.thread = threading.Thread(target=self.carry, daemon=True)
        self.thread.start()

    def carry(self):
        """Carries packets until the network is closed."""
        selector, waiting, count = selectors.DefaultSelector(), [], 0
        for link in self.links:
            hub, device = link.ends
            selector.register(hub, selectors.EVENT_READ, (link, device, 1))
            selector.register(device, selectors.EVENT_READ, (link, hub, 0))
        while not self.is_closed:
            wait = max(0, waiting[0][0] - time.monotonic()) if waiting else 0.1
            for key, _ in selector.select(min(wait, 0.1)):
                link, target, direction = key.data
                for packet in packets(key.fd):
                    if not link.passes[direction] or self.random.random() < self.loss:
                        self.lost += 1
                        continue
                    count += 1
                    heapq.heappush(waiting, (time.monotonic() + self.delay, count, target, link, direction, packet))
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, target, link, direction, packet = heapq.heappop(waiting)
                if not link.passes[direction]:
                    self.lost += 1
                    continue
                self.carried += 1
                try:
                    os.write(target, packet)
                except OSError:
                    # A full queue, or a device that is down: as a network does.
                    self.lost += 1

    def inside(self, namespace, command):
        """A command as it is run in a namespace."""
        return ["ip", "netns", "exec", namespace, *command]

    def close(self):
        self.is_closed = True
        if hasattr(self, "thread"):
            self.thread.join()
        for link in self.links:
            for end in link.ends:
                os.close(end)
        listed = subprocess.run(["ip", "netns", "list"], check=True, capture_output=True, text=True).stdout
        for namespace in (line.split()[0] for line in listed.splitlines()):
            if namespace.startswith(self.prefix):
                ip("netns", "del", namespace)


def packets(descriptor):
    while True:
        try:
            yield os.read(descriptor, LARGEST_PACKET)
        except OSError:
            return
