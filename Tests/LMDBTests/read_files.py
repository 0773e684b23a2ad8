"""Reads the files of an LMDB environment on a machine with words of 8 bytes, least significant first: written from
WriteAheadFile.md alone. `python3 read_files.py structure FILE…` prints for each data file "intact" or the kind of its first
fault; `python3 read_files.py ahead FILE…` prints for each write-ahead file what its header says, and how many frames follow."""

import struct
import sys

META, BRANCH, LEAF, OVERFLOW = 8, 1, 2, 4
MAGIC, VERSION = 0xBEEFC0DE, 1
NO_PAGE = (1 << 64) - 1
TRANSACTION_LIMIT = NO_PAGE >> 2
LARGEST_MAP = 1 << 47
MOST_UNWRITTEN = 1 << 22
LONGEST_KEY = 511
DEEPEST = 32
META_SIZE = 152
BLOCK = 4096
AHEAD_MAGIC, AHEAD_VERSION = b"lmdb-wal", 2


class Fault(Exception):
    """A kind of fault."""


def need(is_right, kind):
    if not is_right:
        raise Fault(kind)


class Tree:
    def __init__(self, data):
        values = struct.unpack("<IHHQQQQQ", data)
        self.padding, self.flags, self.depth = values[:3]
        self.branches, self.leaves, self.overflows, self.rows, self.root = values[3:]
        self.is_empty = self.root == NO_PAGE


class Meta:
    def __init__(self, data):
        need(len(data) == META_SIZE, "metaPage")
        self.flags, = struct.unpack_from("<H", data, 10)
        self.magic, self.version, _, self.map = struct.unpack_from("<IIQQ", data, 16)
        self.free, self.main = Tree(data[40:88]), Tree(data[88:136])
        self.last, self.transaction = struct.unpack_from("<QQ", data, 136)
        self.page = self.free.padding
        need(self.flags & META and self.magic == MAGIC and self.version == VERSION, "metaPage")
        need(self.page in [512 << power for power in range(7)], "metaPage")


class Structure:
    def __init__(self, data):
        self.data = data
        first = Meta(data[:META_SIZE])
        second = Meta(data[first.page : first.page + META_SIZE])
        need(first.page == second.page, "metaPage")
        self.meta, number = (second, 1) if first.transaction < second.transaction else (first, 0)
        self.page, self.pages = first.page, len(data) // first.page
        self.check_meta(number)
        self.used = {0, 1}

    def check_meta(self, number):
        meta = self.meta
        need(meta.transaction == 0 or meta.transaction & 1 == number, "metaPage")
        need(meta.transaction < TRANSACTION_LIMIT and meta.map <= LARGEST_MAP, "metaPage")
        need(1 <= meta.last < meta.map // self.page and meta.last < self.pages + MOST_UNWRITTEN, "metaPage")
        for tree in (meta.free, meta.main):
            need(tree.is_empty or 2 <= tree.root < self.pages and tree.root <= meta.last, "metaPage")
        need(meta.free.flags & ~0x4000 == 8 and meta.main.flags == 0, "metaPage")

    def check(self):
        self.walk(self.meta.free, "free")
        self.walk(self.meta.main, "main")
        for number in range(self.meta.last + 1):
            need(number in self.used or number < self.pages, "fileTooShort")
        need(len(self.used) == self.meta.last + 1, "lostPages")

    def walk(self, tree, role):
        need(role != "named" or tree.flags == 0, "tableFlags")
        counts = [0, 0, 0, 0]
        if tree.is_empty:
            need(tree.depth == 0, "treeDepth")
        else:
            need(1 <= tree.depth <= DEEPEST, "treeDepth")
            self.visit(tree.root, 1, None, None, tree, role, counts)
        need(counts == [tree.branches, tree.leaves, tree.overflows, tree.rows], "treeCounts")

    def claim(self, number):
        need(2 <= number <= self.meta.last and number < self.pages, "pageOutOfRange")
        need(number not in self.used, "pageUsedTwice")
        self.used.add(number)

    def header(self, number, flags):
        at = number * self.page
        own, _, found = struct.unpack_from("<QHH", self.data, at)
        need(own == number, "pageHeader")
        both = {found, flags} <= {BRANCH, LEAF}
        need(found == flags, "treeDepth" if both else "pageHeader")

    def visit(self, number, level, lower, upper, tree, role, counts):
        self.claim(number)
        is_leaf = level == tree.depth
        self.header(number, LEAF if is_leaf else BRANCH)
        page = self.data[number * self.page : (number + 1) * self.page]
        nodes = rows_of(page, is_leaf)
        need(len(nodes) >= (1 if is_leaf or role == "free" else 2), "pageLayout")
        self.check_keys([key for key, _, _, _ in nodes[0 if is_leaf else 1 :]], lower, upper, role)
        counts[1 if is_leaf else 0] += 1
        for index, (key, flags, payload, at) in enumerate(nodes):
            if is_leaf:
                counts[3] += 1
                self.row(key, flags, payload, number * self.page + at, role, counts)
                continue
            begin = key if index else lower
            end = nodes[index + 1][0] if index + 1 < len(nodes) else upper
            self.visit(payload, level + 1, begin, end, tree, role, counts)

    def check_keys(self, keys, lower, upper, role):
        if role == "free":
            need(all(len(key) == 8 for key in keys), "keySize")
            keys = [key[::-1] for key in keys]
            lower, upper = (end and end[::-1] for end in (lower, upper))
        need(all(one < two for one, two in zip(keys, keys[1:])), "keyOrder")
        need(not keys or lower is None or keys[0] >= lower, "keyOrder")
        need(not keys or upper is None or keys[-1] < upper, "keyOrder")

    def row(self, key, flags, payload, at, role, counts):
        if flags == 1:
            start, = struct.unpack_from("<Q", self.data, at)
            counts[2] += self.value(start, payload)
            at = start * self.page + 16
        if flags == 2:
            need(role == "main", "rowFlags")
            self.walk(Tree(self.data[at : at + 48]), "named")
        if role == "free":
            need(1 <= int.from_bytes(key, "little") <= self.meta.transaction, "freeListRow")
            self.free_pages(at, payload)

    def value(self, start, size):
        self.claim(start)
        self.header(start, OVERFLOW)
        pages, = struct.unpack_from("<I", self.data, start * self.page + 12)
        need(pages >= 1 and start + pages <= min(self.meta.last + 1, self.pages), "pageOutOfRange")
        need(16 + size <= pages * self.page, "valueSize")
        for number in range(start + 1, start + pages):
            self.claim(number)
        return pages

    def free_pages(self, at, size):
        need(size >= 8, "freeListRow")
        count, = struct.unpack_from("<Q", self.data, at)
        need(count <= size // 8 - 1, "freeListRow")
        previous = NO_PAGE
        for number in struct.unpack_from(f"<{count}Q", self.data, at + 8):
            need(2 <= number <= self.meta.last and number < previous, "freeListRow")
            need(number not in self.used, "pageUsedTwice")
            self.used.add(number)
            previous = number


def rows_of(page, is_leaf):
    """Key, flags, length of the value or number of the page, and offset of the value of each row."""
    lower, upper = struct.unpack_from("<HH", page, 12)
    need(lower % 2 == 0 and 16 <= lower <= upper <= len(page), "pageLayout")
    found, room = [], 0
    for pointer in range(16, lower, 2):
        offset, = struct.unpack_from("<H", page, pointer)
        need(offset % 2 == 0 and upper <= offset and offset + 8 <= len(page), "pageLayout")
        low, flags, size = struct.unpack_from("<IHH", page, offset)
        payload = low if is_leaf else flags << 32 | low
        need((1 if is_leaf or found else 0) <= size <= LONGEST_KEY, "keySize")
        end = at = offset + 8 + size
        if is_leaf:
            need(flags in (0, 1, 2), "rowFlags")
            need(flags != 2 or payload == 48, "valueSize")
            end += payload if flags == 0 else 8 if flags == 1 else 48
        need(end <= len(page), "valueSize")
        room += end - offset + 1 & ~1
        found.append((page[offset + 8 : at], flags, payload, at))
    need(room == len(page) - upper, "pageLayout")
    return found


def structure(data):
    try:
        Structure(data).check()
        return "intact"
    except Fault as fault:
        return str(fault)


# The write-ahead file


def checksum(data, seed=0):
    first, second = seed & 0xFFFFFFFF, seed >> 32
    data += bytes(-len(data) % 8)
    for one, two in struct.iter_unpack("<II", data):
        first = first + one + second & 0xFFFFFFFF
        second = second + two + first & 0xFFFFFFFF
    return second << 32 | first


def ahead(data):
    block = bytearray(data[:BLOCK])
    if len(block) < BLOCK or block[:8] != AHEAD_MAGIC:
        return "not intact"
    version, state, generation, salt, _, kept = struct.unpack_from("<IIQQII", block, 8)
    if version != AHEAD_VERSION:
        return "other version"
    if block[12] == 2:
        block[12] = 1
    if checksum(bytes(block[:4088])) != int.from_bytes(block[4088:], "little"):
        return "not intact"
    if state == 0:
        return "off"
    if kept != META_SIZE:
        return "other version"
    transaction = max(struct.unpack_from("<Q", block, 40 + page * kept + 144)[0] for page in range(2))
    if transaction >= TRANSACTION_LIMIT:
        return "not intact"
    return f"{'on' if state == 1 else 'failed'} {len(frames(data[BLOCK:], generation, transaction, salt))}"


def frames(data, generation, transaction, seed):
    found, at = [], 0
    while at + 32 <= len(data):
        head = struct.unpack_from("<QQIIQ", data, at)
        changes = data[at + 32 : at + 32 + head[2]]
        seed = checksum(changes, checksum(data[at : at + 24], seed))
        fits = head[:2] == (generation, transaction + len(found) + 1) and len(changes) == head[2]
        if not fits or seed != head[4]:
            break
        found.append(changes)
        at += (32 + head[2] + BLOCK - 1) // BLOCK * BLOCK
    return found


if __name__ == "__main__":
    read = {"structure": structure, "ahead": ahead}[sys.argv[1]]
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            print(read(file.read()))
