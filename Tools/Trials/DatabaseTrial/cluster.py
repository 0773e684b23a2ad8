"""A PostgreSQL primary with a synchronous standby, each in a folder and on a port of its own, and a proxy in front of whichever is the
primary, which can be cut."""

import errno
import glob
import os
import selectors
import shutil
import signal
import socket
import subprocess
import threading
import time


def programs():
    """The folder of the newest PostgreSQL's programs."""
    found = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    path = max(found, key=lambda p: int(p.split("/")[4])) if found else shutil.which("initdb")
    return path and os.path.dirname(path)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def mount_disk(folder, size):
    """Puts a disk of its own under a folder, in memory. Returns whether that is possible here."""
    try:
        return subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True).returncode == 0
    except OSError:
        return False


class Server:
    """One PostgreSQL server."""

    DISK = "1g"

    def __init__(self, folder, archive=None, copy_of=None, backup=None, until=None):
        """An empty one, a standby of a running one, or one that is restored from a backup as it was at a time. Without an archive it is
        for measuring: it archives nothing, and lies on the disk of its folder and not on a small one of its own."""
        self.folder, self.port, self.process = folder, free_port(), None
        os.makedirs(folder)
        self.has_disk = archive is not None and mount_disk(folder, self.DISK)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        data = os.path.join(folder, "data")
        if copy_of:
            self.program("pg_basebackup", "-h", copy_of.folder, "-p", str(copy_of.port), "-U", "tripstore", "-D", data,
                         "-X", "stream", "-c", "fast", "-R")
        elif backup:
            self.program("cp", "-a", backup, data)
            self.program("touch", os.path.join(data, "recovery.signal"))
        else:
            self.program("initdb", "-D", data, "-U", "tripstore", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions")
        # What the server had that it is a copy of.
        self.program("sed", "-Ei", "/^(include|restore_command|recovery_target)/d", os.path.join(data, "postgresql.auto.conf"))
        settings = {
            "listen_addresses": "'127.0.0.1'", "port": self.port, "unix_socket_directories": f"'{folder}'",
            "max_connections": 100, "shared_buffers": "'64MB'", "log_min_messages": "fatal", "wal_keep_size": "'128MB'",
            "max_wal_size": "'256MB'",
            "cluster_name": f"'standby{self.port}'", "synchronous_standby_names": "''",
        }
        if archive is not None:
            settings |= {"archive_mode": "on",
                         "archive_command": f"'cp %p {archive}/%f.part && mv {archive}/%f.part {archive}/%f'"}
        if until:
            settings |= {"restore_command": f"'cp {archive}/%f %p'", "recovery_target_time": f"'{until}'",
                         "recovery_target_action": "'promote'"}
        with open(os.path.join(folder, "settings.conf"), "w") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())
        with open(os.path.join(data, "postgresql.auto.conf"), "a") as file:
            file.write(f"\ninclude '{folder}/settings.conf'\n")
        self.start()

    def program(self, name, *arguments, check=True):
        path = os.path.join(programs(), name)
        command = [path if os.path.exists(path) else name, *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/")
        if check and done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stderr or done.stdout}")
        return done.stdout.strip()

    def start(self):
        # Beside the folder, whose disk may be full.
        log = open(self.folder + ".log", "a")
        command = [os.path.join(programs(), "postgres"), "-D", os.path.join(self.folder, "data")]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", start_new_session=True)
        for _ in range(600):
            if "accepting" in self.program("pg_isready", "-h", self.folder, "-p", str(self.port), check=False):
                return
            time.sleep(0.1)
        raise RuntimeError(f"the server in {self.folder} did not start")

    def kill(self):
        """All of its processes, at once."""
        if self.process and self.process.poll() is None:
            children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
            for process in [self.process.pid, *map(int, children)]:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.process.wait()

    def fill(self):
        """Leaves no room on the server's disk."""
        with open(os.path.join(self.folder, "ballast"), "ab", buffering=0) as file:
            for size in (1 << 20, 4096):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise

    def make_room(self):
        os.remove(os.path.join(self.folder, "ballast"))

    def remove(self):
        if self.has_disk:
            subprocess.run(["umount", "-l", self.folder], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, text):
        return self.program("psql", "-h", self.folder, "-p", str(self.port), "-U", "tripstore", "-d", "postgres", "-AtXq",
                            "-v", "ON_ERROR_STOP=1", "-c", text)


class Cluster:
    """A primary whose commits wait for a standby."""

    def __init__(self, folder):
        self.folder, self.count = folder, 0
        self.archive, self.backup = os.path.join(folder, "archive"), None
        os.makedirs(self.archive)
        if os.geteuid() == 0:
            shutil.chown(self.archive, "postgres", "postgres")
        self.primary = self.make()
        self.standby = None
        self.add_standby()

    def make(self, copy_of=None, **arguments):
        self.count += 1
        return Server(os.path.join(self.folder, f"server{self.count}"), self.archive, copy_of, **arguments)

    def add_standby(self):
        self.standby = self.make(self.primary)
        self.primary.sql(f"ALTER SYSTEM SET synchronous_standby_names = '\"standby{self.standby.port}\"'")
        self.primary.sql("SELECT pg_reload_conf()")
        for _ in range(300):
            if self.primary.sql("SELECT sync_state FROM pg_stat_replication") == "sync":
                return
            time.sleep(0.1)
        raise RuntimeError("the standby did not become synchronous")

    def fail_over(self):
        """The primary is lost for good, and its standby takes over, which gets a standby of its own."""
        lost = self.primary
        lost.kill()
        self.standby.sql("SELECT pg_promote(true, 60)")
        self.primary = self.standby
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.primary.sql("SELECT pg_reload_conf()")
        lost.remove()

    def back_up(self):
        """A base backup in a folder of the archive."""
        self.backup = os.path.join(self.archive, f"backup{self.count}")
        self.primary.program("pg_basebackup", "-h", self.primary.folder, "-p", str(self.primary.port), "-U", "tripstore", "-D",
                             self.backup, "-X", "none", "-c", "fast")

    def archived(self):
        """The database's time, once the log up to it is in the archive."""
        now = self.primary.sql("SELECT now()")
        # A commit behind the time, for the recovery to stop at.
        self.primary.sql("SELECT txid_current()")
        segment = self.primary.sql("SELECT pg_walfile_name(pg_switch_wal())")
        for _ in range(300):
            if os.path.exists(os.path.join(self.archive, segment)):
                return now
            time.sleep(0.1)
        raise RuntimeError(f"the log {segment} was not archived")

    def restore(self, until):
        """Both servers are lost, and the backup takes their place as it was at a time."""
        for server in (self.primary, self.standby):
            server.kill()
            server.remove()
        self.standby = None
        self.primary = self.make(backup=self.backup, until=until)
        for _ in range(600):
            if self.primary.sql("SELECT pg_is_in_recovery()") == "f":
                return
            time.sleep(0.1)
        raise RuntimeError("the restored server did not end its recovery")

    def close(self):
        for server in (self.primary, self.standby):
            if server:
                server.kill()
                server.remove()


class Proxy:
    """Carries TCP connections to where `target` says, until it is cut: then nothing arrives any more, and nothing is refused."""

    def __init__(self, target):
        self.target, self.is_cut, self.pairs = target, False, []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def carry(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self.target()), 5)
        except OSError:
            client.close()
            return
        self.pairs.append((client, server))
        selector = selectors.DefaultSelector()
        selector.register(client, selectors.EVENT_READ, server)
        selector.register(server, selectors.EVENT_READ, client)
        try:
            while True:
                for key, _ in selector.select(0.5):
                    if self.is_cut:
                        time.sleep(0.2)
                        continue
                    data = key.fileobj.recv(65536)
                    if not data:
                        return
                    key.data.sendall(data)
        except (OSError, ValueError):
            pass
        finally:
            client.close()
            server.close()

    def drop(self):
        """Ends all connections."""
        pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
