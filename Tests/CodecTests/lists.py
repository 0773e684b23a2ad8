"""What lists and totals of trips show: written from *Values* and *The order of lists* of the log format alone."""

import unicodedata

import verify_log as log

TRIP, ORGANIZATION = 1, 5
ITEMS = (2, 3, 4)
NAME, PARENT, START, COST, PAID, STAGE, START_DAY, PAID_AMOUNT = 1, 2, 3, 5, 6, 15, 16, 18
FIRST_DAY, LAST_DAY = 4, 5
# Field 2 of the namespace `tripstore`.
IS_TEMPLATE = (0xBDB40EC836 << 16) + 2
CANCELLED, IN_FULL = 3, 2
LEAST_DAY, GREATEST_DAY = -719162, 2932896
DAY = 86_400_000


def text(value):
    return value.decode(errors="replace")


def number(value):
    found, end = log.varint(value, 0)
    log.need(end == len(value), "further bytes")
    return found


def signed(value):
    return log.zigzag(number(value))


def day(value):
    found = signed(value)
    log.need(LEAST_DAY <= found <= GREATEST_DAY, "a day out of range")
    return found


def enum(value):
    return log.uint32(number(value))


def moment(value):
    found = log.read(value, {1: (log.VARINT, log.zigzag, False), 2: (log.DELIMITED, log.anything, False)})
    return found.get(1, 0)


def money(value):
    found = log.read(value, {1: (log.VARINT, log.zigzag, False), 2: (log.DELIMITED, text, False)})
    return found.get(1, 0), found.get(2, "").encode()


class Entity:
    def __init__(self, reference, registers):
        self.kind, self.id = reference
        self.registers = registers

    @property
    def is_present(self):
        return "created" in self.registers and self.registers.get((0, b""), (None, None))[1] is None

    def get(self, field, decode, default=None):
        """A value; the default if it is cleared, has no bytes or is malformed."""
        value = self.registers.get((field, b""), (None, None))[1]
        if not value:
            return default
        try:
            return decode(value)
        except log.Malformed:
            return default

    @property
    def parent(self):
        value = self.registers.get((PARENT, b""), (None, None))[1]
        is_trip = value is not None and len(value) == 18 and value[:2] == TRIP.to_bytes(2, "big")
        return value[2:] if is_trip else None


def lines(registers):
    present = [one for one in (Entity(*pair) for pair in registers.items()) if one.is_present]
    yield from trips([one for one in present if one.kind == TRIP])
    organizations = [one for one in present if one.kind == ORGANIZATION]
    for one in sorted(organizations, key=lambda one: (key_of(one), one.id)):
        yield f"organization {one.id.hex()}"
    items = {}
    for one in present:
        if one.kind in ITEMS and one.parent is not None:
            items.setdefault(one.parent, []).append(one)
    for one in sorted((one for one in present if one.kind == TRIP), key=lambda one: one.id):
        yield from items_of(one.id, items.get(one.id, []))


def key_of(organization):
    name = organization.get(NAME, text, "").encode()[:200]
    return bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in name) + b"\0"


def trips(found):
    dated, undated, templates = [], [], []
    for trip in found:
        first, last = trip.get(FIRST_DAY, day), trip.get(LAST_DAY, day)
        if trip.get(IS_TEMPLATE, number, 0):
            templates.append((unicodedata.normalize("NFC", trip.get(NAME, text, "")), trip.id))
        elif first is None and last is None:
            undated.append((trip.registers["created"][0], trip.id))
        else:
            dated.append((last if first is None else first, trip.id))
    for words, rows in (("trip", dated), ("undated", undated), ("template", templates)):
        for _, identity in sorted(rows):
            yield f"{words} {identity.hex()}"


def items_of(trip, items):
    for item in sorted(items, key=lambda item: (start(item), item.kind, item.id)):
        yield f"item {trip.hex()} {item.kind} {item.id.hex()}"
    for kind in ITEMS:
        count = sum(item.kind == kind for item in items)
        if count:
            yield f"count {trip.hex()} {kind} {count}"
    sums = {}
    for item in items:
        is_cost = item.get(STAGE, enum, 0) != CANCELLED or item.get(PAID, enum, 0) == IN_FULL
        amount, code = item.get(COST if is_cost else PAID_AMOUNT, money) or (0, b"")
        if code:
            sums[code[:32]] = sums.get(code[:32], 0) + amount
    for code in sorted(sums):
        yield f"sum {trip.hex()} {text(code).encode().hex()} {sums[code]}"


def start(item):
    """Those without any last."""
    instant = item.get(START, moment)
    if instant is None:
        first = item.get(START_DAY, day)
        instant = None if first is None else first * DAY
    return (instant is None, instant or 0)
