#!/usr/bin/env python3
"""Kills the tool while it attaches, exchanges and collects files, and then looks at what is left:

    python3 Tools/Trials/AttachmentTrial/trial.py --tool .build/release/tripstore --rounds 200 --seed 1

Two stores exchange through a folder and through bundles. In each round one of them attaches a file of a random size, or deletes or
discards an attachment, then both exchange; a process is killed at a random moment in most rounds. In the end, after exchanges that are
not killed, both must name the same attachments, have the bytes of each that is not discarded as they were attached, and have no others
but those of deleted attachments; nothing may be left half written.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time


class Trial:
    def __init__(self, arguments):
        self.tool = os.path.abspath(arguments.tool)
        self.random = random.Random(arguments.seed)
        self.rounds = arguments.rounds
        self.largest = arguments.largest
        self.folder = tempfile.mkdtemp(prefix="attachment-trial-")
        self.environment = dict(os.environ, HOME=self.folder, XDG_STATE_HOME=self.folder + "/state")
        self.hashes = {}
        self.kills = 0

    def command(self, store, *words, kill=False):
        """Runs the tool; with `kill` it may be killed on the way. Returns what it printed, or None if it was killed."""
        environment = dict(self.environment, TRIPSTORE=f"{self.folder}/{store}")
        process = subprocess.Popen(
            [self.tool, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        if kill and self.random.random() < 0.7:
            try:
                process.wait(self.random.random() * self.random.choice([0.05, 0.3, 1.0]))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                self.kills += 1
                return None
        out, error = process.communicate(timeout=600)
        if process.returncode not in (0, 1):
            sys.exit(f"tripstore {' '.join(words)} of {store} failed with {process.returncode}: {error}")
        return out

    def attachments(self, store):
        return [json.loads(line) for line in self.command(store, "attachments", "--json").splitlines()]

    def make_file(self, number):
        size = self.random.choice([0, 10, 100_000, self.random.randrange(self.largest), self.largest])
        path = f"{self.folder}/file-{number}"
        with open(path, "wb") as file:
            file.write(self.random.randbytes(size))
        with open(path, "rb") as file:
            self.hashes[os.path.basename(path)] = hashlib.sha256(file.read()).hexdigest()
        return path

    def exchange(self, kill):
        one, other = self.random.sample(["a", "b"], 2)
        if self.random.random() < 0.3:
            bundle = f"{self.folder}/bundle"
            if self.command(one, "bundle", "write", bundle, "--attachments", "--force", kill=kill) is not None:
                self.command(other, "bundle", "read", bundle, kill=kill)
        else:
            self.command(one, "sync", f"{self.folder}/{other}", kill=kill)

    def run(self):
        self.command("a", "init")
        self.command("a", "add", "trip", "--name", "Lisbon")
        self.command("a", "clone", f"{self.folder}/a", f"{self.folder}/b")
        # The first exchange brings the request to be a member there, and the grant back.
        self.command("b", "sync", f"{self.folder}/a")
        for number in range(self.rounds):
            store = self.random.choice(["a", "b"])
            what = self.random.random()
            if what < 0.7:
                self.command(store, "attach", "Lisbon", self.make_file(number), kill=True)
            else:
                here = [one for one in self.attachments(store) if one["state"] == "here"]
                if here:
                    one = self.random.choice(here)["attachment"]
                    words = ["discard", one, "--yes"] if what < 0.85 else ["delete", one]
                    self.command(store, *words, kill=True)
            self.exchange(kill=True)
        for one, other in [("a", "b"), ("b", "a"), ("a", "b")]:
            self.command(one, "sync", f"{self.folder}/{other}")
        self.check()
        print(f"{self.rounds} rounds, {self.kills} kills, {len(self.attachments('a'))} attachments: all as they should be")
        shutil.rmtree(self.folder)

    def check(self):
        lists = [self.attachments(store) for store in ("a", "b")]
        named = [{one["attachment"]: one["content"] for one in found} for found in lists]
        assert named[0] == named[1], "the stores name other attachments"
        for store, found in zip("ab", lists):
            for one in found:
                if one["state"] == "discarded":
                    continue
                assert one["state"] == "here", f"{store}: {one}"
                with open(one["file"], "rb") as file:
                    assert hashlib.sha256(file.read()).hexdigest() == self.hashes[one["name"]], f"{store}: {one}"
            # Opening for writing removes what is half written.
            self.command(store, "edit", "Lisbon", "--notes", f"{time.time()}")
            left = [name for name in os.listdir(f"{self.folder}/{store}/attachments/incoming") if name.endswith(".new")]
            assert not left, f"{store}: half written files {left}"
            self.command(store, "audit", "verify")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=".build/debug/tripstore")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--largest", type=int, default=20_000_000, help="bytes of the largest file")
    parser.add_argument("--seed", type=int, default=1)
    Trial(parser.parse_args()).run()


if __name__ == "__main__":
    main()
