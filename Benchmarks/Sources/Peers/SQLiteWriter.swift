public import BenchmarkData
public import Foundation
import GRDB
import RandomQuestions
public import TripStore

/// Writes events and the rows that follow from them, inside a transaction.
public struct SQLiteWriter: ~Copyable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// A trip and its items, with the bytes of the event that creates each.
    public func create(_ plan: TripPlan, _ events: some Sequence<Data>, at time: Int64) throws {
        var events = events.makeIterator()
        try event(.created, plan.trip.reference, events.next(), time)
        try insert(plan.trip, time)
        for item in plan.items {
            try event(.created, item.reference, events.next(), time)
            try insert(item, time)
        }
    }

    /// An edit, with the bytes of its event.
    public func edit(_ edit: PlannedEdit, _ bytes: Data?, at time: Int64) throws {
        try event(.edited, edit.entity, bytes, time)
        let id = edit.entity.id
        switch edit.value {
        case .tripName(let name):
            try run("UPDATE trips SET name = ?, updated_at = ? WHERE id = ?", [name, time, id])
        case .tripNotes(let notes):
            try run("UPDATE trips SET notes = ?, updated_at = ? WHERE id = ?", [notes, time, id])
        case .itemNotes(let notes):
            try run("UPDATE items SET notes = ?, updated_at = ? WHERE id = ?", [notes, time, id])
        case .itemTimes(let start, let end):
            try run(
                "UPDATE items SET start_at = ?, start_zone = ?, end_at = ?, end_zone = ?, updated_at = ? WHERE id = ?",
                [start.milliseconds, start.zone, end.milliseconds, end.zone, time, id])
        case .itemCost(let cost):
            try run(
                "UPDATE items SET cost = ?, currency = ?, updated_at = ? WHERE id = ?",
                [cost.minorUnits, cost.currency.code, time, id])
        case .itemPaid(let paid):
            try run("UPDATE items SET paid = ?, updated_at = ? WHERE id = ?", [paid.number, time, id])
        case .itemReservation(let code):
            try run("UPDATE items SET reservation = ?, updated_at = ? WHERE id = ?", [code, time, id])
        }
    }

    /// An organization, with the bytes of its event.
    public func create(_ organization: Organization, _ bytes: Data?, at time: Int64) throws {
        try event(.created, organization.reference, bytes, time)
        try run(
            "INSERT INTO organizations VALUES (?, ?, ?, ?, ?, ?)",
            [
                organization.id.uuid, organization.name, organization.phone, organization.email, organization.website,
                organization.logoURL,
            ])
    }

    private func event(_ verb: Verb, _ entity: EntityReference, _ bytes: Data?, _ time: Int64) throws {
        try run(
            "INSERT INTO events (at, author, kind, entity, verb, change) VALUES (?, ?, ?, ?, ?, ?)",
            [time, "ana", Int64(entity.kind.rawValue), entity.id, Int64(verb.number), bytes ?? Data()])
    }

    private func insert(_ trip: Trip, _ time: Int64) throws {
        try run(
            "INSERT INTO trips VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                trip.id.uuid, trip.name, trip.destination, trip.notes, trip.startDay?.daysSince1970,
                trip.endDay?.daysSince1970, trip.isProtected, time, time,
            ])
    }

    private func insert(_ item: TripItem, _ time: Int64) throws {
        switch item {
        case .activity(let item): try insert(item, 0, time)
        case .lodging(let item): try insert(item, 0, time)
        case .transportation(let item): try insert(item, item.mode.number, time)
        }
    }

    private func insert<Kind>(_ item: Item<Kind>, _ mode: UInt32, _ time: Int64) throws {
        let address = item.address
        try run(
            "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                item.id.uuid, Int64(item.reference.kind.rawValue), item.trip?.uuid, item.name, item.start?.milliseconds,
                item.start?.zone, item.end?.milliseconds, item.end?.zone, item.cost?.minorUnits,
                item.cost?.currency.code, item.paid.number, item.reservation, item.notes, item.customLocationName,
                item.hidesLocation, address?.street, address?.city, address?.state, address?.country,
                address?.postalCode, address?.coordinates?.latitude, address?.coordinates?.longitude,
                address?.formatted, item.organization?.uuid, mode, time, time,
            ])
    }

    private func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws {
        let statement = try database.cachedStatement(sql: sql)
        statement.setUncheckedArguments(StatementArguments(arguments))
        try statement.execute()
    }
}
