"""What agendas and totals must be, by Python's zoneinfo: a model that the tests compare the library with.

Reads {"days": [first, last], "plans": [...]}, {"days": ..., "export": path} or {"days": ..., "shown": [...]} from standard input and prints
the entries, the findings that need no distances, the totals, and what travellers owe. A plan has the days of a trip, its items, those who
travel and the budgets; instants are milliseconds with the name of a zone. What is shown is what the tool prints of trips, as JSON.
"""
import datetime
import decimal
import functools
import json
import re
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


def people(item):
    """Who takes part; nobody for all who travel."""
    return set(item.get("participants", []))


def share_people(one, other):
    return not people(one) or not people(other) or bool(people(one) & people(other))


PLACELESS = {"UTC", "Etc/UTC", "GMT", "Etc/GMT"}


def real(item):
    return item["stage"] not in ("idea", "cancelled")


def length(item):
    """How many hours an item takes; 0 while that is open."""
    start, end = start_of(item), end_of(item)
    if start and end:
        return (end[0] - start[0]) // 3_600_000
    first = clock(*start).date() if start else date(item["startDay"])
    last = clock(*end).date() if end else date(item["endDay"])
    return (last - first).days * 24 if first and last else 0


def is_had(item):
    """Whether one only has it: a car for a day, or what is called so."""
    if item["kind"] == "lodging":
        return False
    name, category = (re.findall("[a-z]+", text.lower()) for text in (item.get("name", ""), item["category"]))
    if "rental" in category or item.get("mode") == "car" and length(item) >= 24:
        return True
    return "rental" in name and length(item) >= 12


class Traveller:
    """Those who take part in an item: where they are seen, as (instant, kind, departure, id, zone)."""

    def __init__(self, items, item=None):
        self.seen = []
        for other in items:
            if not real(other) or other["kind"] == "activity" or is_had(other):
                continue
            if item is not None and not share_people(item, other):
                continue
            start, end = start_of(other), end_of(other)
            departed = start[0] if start else -(1 << 63)
            if other["kind"] == "lodging":
                if start and start[1] not in PLACELESS:
                    self.seen.append((start[0], 1, departed, other["id"], start[1]))
                continue
            if end:
                self.seen.append((end[0], 0, departed, other["id"], None if end[1] in PLACELESS else end[1]))
            if start and start[1] not in PLACELESS and (not end or end[0] > start[0]):
                self.seen.append((start[0], 2, departed, other["id"], start[1]))
        self.seen.sort(key=lambda sighting: sighting[:4])

    def known(self, instant):
        """Where they are by the last sighting; None where nobody knows."""
        before = [sighting for sighting in self.seen if sighting[0] <= instant]
        return before[-1][4] if before else None

    def next(self, instant):
        """Where they get next, unless they arrive there."""
        after = [sighting for sighting in self.seen if sighting[0] > instant]
        return after[0][4] if after and after[0][1] != 0 else None

    def zone(self, instant, own):
        return self.known(instant) or own

    def moment(self, moment, item):
        instant, own = moment
        if own in PLACELESS:
            return (instant, self.known(instant) or self.next(instant) or own)
        if item["kind"] != "activity" or self.next(instant) == own:
            return (instant, own)
        return (instant, self.known(instant) or own)


def on_day(moment, text):
    return moment if moment and (not text or clock(*moment).date() == date(text)) else None


def start_of(item):
    return item["start"] or on_day(item.get("checkIn"), item["startDay"])


def end_of(item):
    start, end = start_of(item), item["end"] or on_day(item.get("checkOut"), item["endDay"])
    return start if start and end and end[0] < start[0] else end


class Placed:
    """An item with its days."""

    def __init__(self, item, traveller):
        self.item, self.traveller = item, traveller
        self.begins = self.ends = None
        start, end = start_of(item), end_of(item)
        start_day, end_day = date(item["startDay"]), date(item["endDay"])
        if start:
            self.begins = traveller.moment(start, item)
        if end:
            self.ends = traveller.moment(end, item)
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
    taking_place = [item for item in placed if real(item.item)]

    def found(problem, items, days):
        if days[0] <= last and days[1] >= first:
            yield [problem, items, days[0].isoformat(), days[1].isoformat()]

    for item in taking_place:
        ends = [day for day in (item.first, item.last) if day]
        if ends and (begin and min(ends) < begin or end and max(ends) > end):
            yield from found("outsideOfTrip", [item.item["id"]], (min(ends), max(ends)))
    busy = [item for item in taking_place if item.item["kind"] != "lodging" and item.begins and not is_had(item.item)]
    timed = []
    for item in busy:
        journey = item.item["kind"] == "transportation"
        ends = item.ends or (item.begins if journey else None)
        if ends and (journey or item.begins[0] < ends[0]):
            timed.append((item.begins[0], ends[0], item.item["id"], item, ends))
    timed.sort(key=lambda entry: entry[:3])
    for index, one in enumerate(timed):
        for other in timed[index + 1:]:
            if one[1] <= other[0] or not share_people(one[3].item, other[3].item):
                continue
            items = [one[2], other[2]]
            start = clock(*other[3].begins).date()
            if one[3].item["kind"] == other[3].item["kind"] == "transportation":
                yield from found("missedConnection", items, (start, start))
            else:
                until = clock(*(one[4] if one[1] < other[1] else other[4])).date()
                yield from found("overlap", items, (min(start, until), max(start, until)))
    stays = sorted((item for item in taking_place if item.nights()), key=lambda item: (item.first, item.last, item.item["id"]))
    for index, one in enumerate(stays):
        for other in stays[index + 1:]:
            if one.last > other.first and share_people(one.item, other.item):
                yield from found(
                    "overlap", [one.item["id"], other.item["id"]], (other.first, min(one.last, other.last) - DAY))
    if not begin or not end:
        return
    covered = set()
    for item in taking_place:
        kind = item.item["kind"]
        if kind == "lodging" and item.first and not item.last:
            covered.add(item.first)
        elif kind != "activity" and not is_had(item.item) and item.first and item.last:
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


def divided(amount, weights):
    """By the largest remainders; units that are left over to those that come first."""
    total = sum(weights)
    parts = [divmod(abs(amount) * weight, total) for weight in weights]
    rest = abs(amount) - sum(part for part, _ in parts)
    order = sorted(range(len(weights)), key=lambda index: (-parts[index][1], index))
    extra = set(order[:rest])
    return [(part + (index in extra)) * (1 if amount >= 0 else -1) for index, (part, _) in enumerate(parts)]


def costs(item):
    """What counts of an item's cost, and what is paid."""
    paid = item["cost"] if item["paid"] == "inFull" else item["paidAmount"]
    return paid if item["stage"] == "cancelled" else item["cost"], paid


def by_currency(counted, paid):
    amounts = {}
    if counted:
        amounts[counted[1]] = [counted[0], 0]
    if paid:
        amounts.setdefault(paid[1], [0, 0])[1] = paid[0]
    return amounts


def shares(item, travellers, amount):
    """What each owes of an amount, and what nobody owes."""
    cost, currency = amount
    names = sorted(people(item) or travellers)
    values = item.get("shares", {})
    if not names:
        return {}, cost
    if item.get("split") == "amounts":
        owed = {name: values[name][0] for name in names if values.get(name, [0, None])[1] == currency}
        rest = cost - sum(owed.values())
        if rest == 0 or (rest > 0) == (cost > 0) and cost != 0:
            others = [name for name in names if name not in owed]
            if rest == 0 or not others:
                return {**{name: 0 for name in others}, **owed}, rest
            return {**owed, **dict(zip(others, divided(rest, [1] * len(others))))}, 0
        # More than the cost, which is divided as they are.
        weights = [max(0, owed.get(name, 0) * (cost > 0) - owed.get(name, 0) * (cost < 0)) for name in names]
        if not sum(weights):
            return {name: 0 for name in names}, cost
        return dict(zip(names, divided(cost, weights))), 0
    weights = [1] * len(names)
    if item.get("split") == "parts":
        weights = [max(0, values.get(name, 1)) for name in names]
    return dict(zip(names, divided(cost, weights if sum(weights) else [1] * len(names)))), 0


def paid_shares(item, travellers):
    """What each owes of what is paid, in proportion to what each owes of what counts."""
    counted, paid = costs(item)
    if not counted or counted == paid:
        return shares(item, travellers, paid)[0]
    owed, rest = shares(item, travellers, counted)
    names = sorted(owed)
    weights = [max(0, part * (counted[0] > 0) - part * (counted[0] < 0)) for part in [owed[name] for name in names] + [rest]]
    if not sum(weights):
        return shares(item, travellers, paid)[0]
    return dict(zip(names, divided(paid[0], weights)))


def settled(balances):
    """Who pays whom: opposite balances first, then who owes most pays whom most is owed."""
    payments = []
    for currency in sorted({currency for currency, _ in balances}):
        open_ = {name: paid - share for (code, name), (paid, share) in balances.items() if code == currency}
        debtors = sorted((balance, name) for name, balance in open_.items() if balance < 0)
        creditors = sorted((-balance, name) for name, balance in open_.items() if balance > 0)
        waiting = []
        for balance, debtor in debtors:
            match = next((entry for entry in creditors if entry[0] == balance), None)
            if match:
                creditors.remove(match)
                payments.append([currency, debtor, match[1], -balance])
            else:
                waiting.append((balance, debtor))
        creditors = [[-amount, name] for amount, name in creditors]
        for balance, debtor in waiting:
            left = -balance
            while left and creditors:
                amount = min(left, creditors[0][0])
                payments.append([currency, debtor, creditors[0][1], amount])
                left -= amount
                creditors[0][0] -= amount
                if not creditors[0][0]:
                    creditors.pop(0)
    return sorted(payments)


def money(plans):
    """By traveller, what each has paid and owes, who pays whom, and what budgets allow."""
    travellers, balances, budgets = Sums(), {}, []
    for plan in plans:
        for item in plan["items"]:
            counted, paid = costs(item)
            if not by_currency(counted, paid):
                continue
            owed, rest = shares(item, plan.get("travellers", []), counted) if counted else ({}, 0)
            parts = {name: [[share, counted[1]], None] for name, share in owed.items()}
            if counted and (rest or not owed):
                parts[""] = [[rest, counted[1]], None]
            payer = item.get("payer")
            if paid:
                parts.setdefault(payer or "", [None, None])[1] = paid
            for name, (share, part) in parts.items():
                for currency, amounts in by_currency(share, part).items():
                    travellers.add(name, currency, *amounts)
            if payer and paid:
                for name, share in paid_shares(item, plan.get("travellers", [])).items():
                    balances.setdefault((paid[1], name), [0, 0])[1] += share
                    balances.setdefault((paid[1], payer), [0, 0])[0] += share
        sums = {}
        for category, (amount, currency) in plan.get("budgets", []):
            key = (category.lower(), currency)
            sums[key] = sums.get(key, 0) + amount
        for (category, currency), amount in sums.items():
            planned = spent = 0
            for item in plan["items"]:
                counted, paid = costs(item)
                if not counted or counted[1] != currency or category not in ("", item["kind"], item["category"].lower()):
                    continue
                planned += counted[0]
                if item["paid"] == "inFull" or item["stage"] == "cancelled":
                    spent += counted[0]
                elif paid and paid[1] == currency:
                    bounds = sorted((0, counted[0]))
                    spent += max(bounds[0], min(bounds[1], paid[0]))
            budgets.append([category, currency, amount, planned, spent])
    return {
        "travellers": travellers.plain(), "payments": settled(balances), "budgets": sorted(budgets),
        "balances": sorted([currency, name, paid, share] for (currency, name), (paid, share) in balances.items()),
    }


def totals(groups):
    sums = {name: Sums() for name in ("all", "day", "kind", "category", "paid")}
    for placed in groups:
        for entry in placed:
            item = entry.item
            amounts = by_currency(*costs(item))
            nights = entry.nights()
            days = nights if len(nights) > 1 else [entry.first or entry.last]
            for currency, (cost, paid) in amounts.items():
                for name, key in (
                    ("all", ""), ("kind", item["kind"]), ("category", item["category"].lower()), ("paid", item["paid"])
                ):
                    sums[name].add(key, currency, cost, paid)
                parts = zip(divided(cost, [1] * len(days)), divided(paid, [1] * len(days)))
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


def plan_of_shown(object):
    """Of what the tool shows of a trip: what costs money, without its times."""
    def amount(money):
        return [money["minor"], money["currency"]] if money else None

    def item(record):
        amounts = {name: amount(money) for name, money in record["amounts"].items()}
        return {
            **{name: record[name] for name in ("id", "kind", "stage", "category", "participants", "payer", "split")},
            "start": None, "end": None, "startDay": record["startDay"], "endDay": record["endDay"],
            "cost": amount(record["cost"]), "paid": record["paid"], "paidAmount": amount(record["paidAmount"]),
            "shares": amounts if record["split"] == "amounts" else record["parts"],
        }

    return {
        "trip": {"first": object["trip"]["startDate"], "last": object["trip"]["endDate"]},
        "items": [item(record) for record in object["items"]], "travellers": object["trip"]["travellers"],
        "budgets": [[budget["category"], amount(budget["budgeted"])] for budget in object["budgets"]],
    }


def main():
    request = json.load(sys.stdin)
    first, last = (date(day) for day in request["days"])
    if "export" in request:
        plans = list(plans_of_export(request["export"]))
    elif "shown" in request:
        plans = [plan_of_shown(object) for object in request["shown"]]
    else:
        plans = request["plans"]
    shown, problems, groups = [], [], []
    for plan in plans:
        traveller = Traveller(plan["items"])
        has_groups = any(people(item) for item in plan["items"])
        placed = [Placed(item, Traveller(plan["items"], item) if has_groups else traveller) for item in plan["items"]]
        groups.append(placed)
        shown += entries(placed, first, last)
        problems += findings(plan, placed, traveller, first, last)
    json.dump(
        {"entries": sorted(shown), "findings": sorted(problems), "totals": totals(groups), "money": money(plans)}, sys.stdout)


main()
