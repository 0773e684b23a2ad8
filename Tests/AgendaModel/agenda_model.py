"""What agendas and totals must be, by Python's zoneinfo: a model that the tests compare the library with.

Reads {"days": [first, last], "plans": [...]} or {"days": ..., "export": path} from standard input and prints the entries, the findings that
need no distances, and the totals. A plan has the days of a trip and its items; instants are milliseconds with the name of a zone.
"""
import datetime
import decimal
import functools
import json
import sys
import zoneinfo

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
DAY = datetime.timedelta(days=1)


def clock(instant, zone):
    """The local time of an instant, without a zone."""
    moment = EPOCH + datetime.timedelta(milliseconds=instant)
    return moment.astimezone(zoneinfo.ZoneInfo(zone)).replace(tzinfo=None)


def date(text):
    return datetime.date.fromisoformat(text) if text else None


@functools.lru_cache(maxsize=None)
def has_day(day, zone):
    """Whether a clock of the zone ever shows the day: looked at every ten minutes of four days."""
    noon = int((datetime.datetime(day.year, day.month, day.day, 12, tzinfo=datetime.timezone.utc) - EPOCH).total_seconds() * 1000)
    return any(clock(noon + step * 600_000, zone).date() == day for step in range(-288, 289))


def noon_of(day):
    return int((datetime.datetime(day.year, day.month, day.day, 12, tzinfo=datetime.timezone.utc) - EPOCH).total_seconds() * 1000)


class Traveller:
    def __init__(self, items):
        self.arrivals = sorted(
            (end_of(item)[0], item["start"][0] if item["start"] else -(1 << 63), item["id"], end_of(item)[1])
            for item in items
            if item["kind"] == "transportation" and item["stage"] not in ("idea", "cancelled") and end_of(item))

    def zone(self, instant, own):
        found = own
        for arrival, _, _, zone in self.arrivals:
            if arrival <= instant:
                found = zone
        return found


def end_of(item):
    start, end = item["start"], item["end"]
    return start if start and end and end[0] < start[0] else end


class Placed:
    """An item with its days."""

    def __init__(self, item, traveller):
        self.item, self.traveller = item, traveller
        self.begins = self.ends = None
        start, end = item["start"], end_of(item)
        start_day, end_day = date(item["startDay"]), date(item["endDay"])
        if start:
            self.begins = (start[0], traveller.zone(start[0], start[1]))
        if end:
            own = item["kind"] == "transportation"
            self.ends = (end[0], end[1] if own else traveller.zone(end[0], end[1]))
        self.first = clock(*self.begins).date() if self.begins else start_day
        self.last = end_day
        if self.last and self.first:
            self.last = max(self.last, self.first)
        if self.ends:
            instant = self.ends[0]
            if item["kind"] == "activity" and not (start and start[0] >= instant):
                instant -= 1
            self.last = clock(instant, self.ends[1]).date()
            if not start and self.first:
                self.last = max(self.last, self.first)

    def zone_between(self, day):
        if not self.begins and not self.ends:
            return None
        instant = noon_of(day)
        if self.begins:
            instant = max(instant, self.begins[0])
        if self.ends and self.item["kind"] == "transportation":
            instant = min(instant, self.ends[0] - 1)
        return self.traveller.zone(instant, (self.begins or self.ends)[1])

    def days(self):
        """Each day with the role on it."""
        if self.first is None and self.last is None:
            return {}
        if self.first is None:
            return {self.last: "ends"}
        if self.last is None:
            return {self.first: "starts"}
        if self.first == self.last:
            return {self.first: "whole"}
        days = {self.first: "starts", self.last: "ends"}
        day = self.first + DAY
        while day < self.last:
            zone = self.zone_between(day)
            if zone is None or has_day(day, zone):
                days[day] = "continues"
            day += DAY
        return days

    def nights(self):
        """The days that its nights follow."""
        if self.item["kind"] != "lodging" or not self.first or not self.last or self.first >= self.last:
            return []
        return sorted(day for day in self.days() if day < self.last)


def entries(placed, first, last):
    for item in placed:
        nights = item.nights()
        for day, role in item.days().items():
            if not first <= day <= last:
                continue
            zone = item.zone_between(day)
            if day == item.first and item.begins:
                zone = item.begins[1]
            elif day == item.last and item.ends:
                zone = item.ends[1]
            yield [
                day.isoformat(), item.item["id"], role,
                clock(*item.begins).isoformat(timespec="seconds") if item.begins else "",
                clock(*item.ends).isoformat(timespec="seconds") if item.ends else "", zone or "",
                nights.index(day) + 1 if day in nights else 0, len(nights),
            ]


def findings(plan, placed, traveller, first, last):
    trip = plan["trip"]
    if trip is None:
        return
    begin, end = date(trip["first"]), date(trip["last"])
    if begin and end:
        end = max(begin, end)
    real = [item for item in placed if item.item["stage"] not in ("idea", "cancelled")]

    def found(problem, items, days):
        if days[0] <= last and days[1] >= first:
            yield [problem, items, days[0].isoformat(), days[1].isoformat()]

    for item in real:
        ends = [day for day in (item.first, item.last) if day]
        if ends and (begin and min(ends) < begin or end and max(ends) > end):
            yield from found("outsideOfTrip", [item.item["id"]], (min(ends), max(ends)))
    busy = [item for item in real if item.item["kind"] != "lodging" and item.begins]
    timed = []
    for item in busy:
        journey = item.item["kind"] == "transportation"
        ends = item.ends or (item.begins if journey else None)
        if ends and (journey or item.begins[0] < ends[0]):
            timed.append((item.begins[0], ends[0], item.item["id"], item, ends))
    timed.sort(key=lambda entry: entry[:3])
    for index, one in enumerate(timed):
        for other in timed[index + 1:]:
            if one[1] <= other[0]:
                continue
            items = [one[2], other[2]]
            start = clock(*other[3].begins).date()
            if one[3].item["kind"] == other[3].item["kind"] == "transportation":
                yield from found("missedConnection", items, (start, start))
            else:
                until = clock(*(one[4] if one[1] < other[1] else other[4])).date()
                yield from found("overlap", items, (min(start, until), max(start, until)))
    stays = sorted((item for item in real if item.nights()), key=lambda item: (item.first, item.last, item.item["id"]))
    for index, one in enumerate(stays):
        for other in stays[index + 1:]:
            if one.last > other.first:
                yield from found(
                    "overlap", [one.item["id"], other.item["id"]], (other.first, min(one.last, other.last) - DAY))
    if not begin or not end:
        return
    covered = set()
    for item in real:
        kind = item.item["kind"]
        if kind == "lodging" and item.first and not item.last:
            covered.add(item.first)
        elif kind != "activity" and item.first and item.last:
            day = item.first
            while day < item.last:
                covered.add(day)
                day += DAY
    run, day = [], begin
    while day <= end:
        zone = traveller.zone(noon_of(day), None)
        if day < end and day not in covered and (zone is None or has_day(day, zone)):
            run.append(day)
        elif run:
            yield from found("noBed", [], (run[0], run[-1]))
            run = []
        day += DAY


class Sums(dict):
    def add(self, key, currency, cost, paid):
        count, costs, sums = self.setdefault(key, {}).get(currency, (0, 0, 0))
        self[key][currency] = (count + 1, costs + cost, sums + paid)

    def plain(self):
        return {key: {currency: list(sum) for currency, sum in sums.items()} for key, sums in self.items()}


def divided(amount, count):
    quotient, rest = divmod(abs(amount), count)
    return [(quotient + (index < rest)) * (1 if amount >= 0 else -1) for index in range(count)]


def totals(groups):
    sums = {name: Sums() for name in ("all", "day", "kind", "category", "paid")}
    for placed in groups:
        for entry in placed:
            item = entry.item
            whole, part = item["cost"], item["paidAmount"]
            paid = whole if item["paid"] == "inFull" else part
            counted = paid if item["stage"] == "cancelled" else whole
            amounts = {}
            if counted:
                amounts[counted[1]] = [counted[0], 0]
            if paid:
                amounts.setdefault(paid[1], [0, 0])[1] = paid[0]
            nights = entry.nights()
            days = nights if len(nights) > 1 else [entry.first or entry.last]
            for currency, (cost, paid) in amounts.items():
                for name, key in (
                    ("all", ""), ("kind", item["kind"]), ("category", item["category"].lower()), ("paid", item["paid"])
                ):
                    sums[name].add(key, currency, cost, paid)
                parts = zip(divided(cost, len(days)), divided(paid, len(days)))
                for day, (cost, paid) in zip(days, parts):
                    sums["day"].add(day.isoformat() if day else "", currency, cost, paid)
    return {name: found.plain() for name, found in sums.items()}


def plans_of_export(path):
    with open(path, encoding="utf-8") as file:
        export = json.load(file, parse_float=decimal.Decimal)

    def moment(record, end):
        text = record.get(end)
        if not text:
            return None
        instant = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        return [int((instant - EPOCH) / datetime.timedelta(milliseconds=1)), record[f"{end}TZId"]]

    def item(kind, record):
        cost = decimal.Decimal(record.get("cost", 0))
        paid = {"infull": "inFull", "deposit": "deposit"}.get(str(record.get("paid")).lower(), "none")
        return {
            "id": record["id"].upper(), "kind": kind, "stage": "planned", "start": moment(record, "start"),
            "end": moment(record, "end"), "startDay": None, "endDay": None,
            "cost": [int(cost * 100), "USD"] if cost else None, "paid": paid, "paidAmount": None, "category": "",
        }

    for trip in export["trips"]:
        items = [
            item(kind, record)
            for kind, key in (
                ("transportation", "embeddedTransportation"), ("lodging", "embeddedLodging"),
                ("activity", "embeddedActivities"))
            for record in trip.get(key, [])
        ]
        first = trip["startDate"][:10] if trip.get("hasStartDate") else None
        last = trip["endDate"][:10] if trip.get("hasEndDate") else None
        yield {"trip": {"first": first, "last": last}, "items": items}


def main():
    request = json.load(sys.stdin)
    first, last = (date(day) for day in request["days"])
    plans = list(plans_of_export(request["export"])) if "export" in request else request["plans"]
    shown, problems, groups = [], [], []
    for plan in plans:
        traveller = Traveller(plan["items"])
        placed = [Placed(item, traveller) for item in plan["items"]]
        groups.append(placed)
        shown += entries(placed, first, last)
        problems += findings(plan, placed, traveller, first, last)
    json.dump({"entries": sorted(shown), "findings": sorted(problems), "totals": totals(groups)}, sys.stdout)


main()
