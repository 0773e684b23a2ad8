import Foundation
import TripStore

/// The part of the log that a report shows, as numbers that index tables, so that a page of many thousand events stays
/// small and loads fast. The script `report-data.js` reads this format.
struct ReportLog {
    /// The number of a missing value or clock.
    private static let nothing = -1

    private(set) var tables: ReportTables
    /// A commit is its position, replica, sequence, milliseconds, counter, author, hash, note, wall clock, and the
    /// number of its events, which follow. An event is its verb, entity and number of changes, which follow. A change
    /// is its field, old and new value.
    private(set) var rows: [Int] = []
    /// Of each conflict that nobody has resolved: the superseded event's number, the change's in it (-1 for all of it, where it edited
    /// what was deleted), and the position, replica, milliseconds, author and value of what superseded it.
    private(set) var conflicts: [Int] = []
    /// Where an event lies.
    private struct Place {
        /// Its number among all events.
        let number: Int
        /// Where its changes begin in `rows`.
        let changes: Int
        let count: Int
    }

    /// By the commit's position and the event's index in it.
    private var places: [Position: [Int: Place]] = [:]
    private(set) var commits = 0
    private(set) var events = 0

    init(only trip: UUID?) { tables = ReportTables(only: trip) }

    /// Reads the newest commits that pass a reversed filter, from a position back to another, which is not included.
    mutating func gather(
        from store: TripStore, _ filter: AuditFilter, after start: Position, upTo position: Position, limit: Int
    ) throws {
        var last = position.next
        while commits < limit {
            // Each read is bounded; only numbers and new texts of it stay.
            let batch = try store.audit(filter, limit: min(limit - commits, 256), beyond: last)
            guard let oldest = batch.last?.position else { break }
            last = oldest
            for commit in batch where commit.position > start { add(commit) }
            if oldest <= start { break }
            Console.current.progress?("\(commits) commits")
        }
        Console.current.progress?("")
        for conflict in try store.conflicts(under: filter.root) { note(conflict) }
        try tables.complete(from: store)
    }

    private mutating func add(_ commit: AuditedCommit) {
        let replica = tables.number(of: commit.replica)
        if let device = commit.introducedDevice { tables.name(replica, device: device) }
        rows += [
            Int(clamping: commit.position.rawValue), replica, Int(clamping: commit.sequence.rawValue),
            Int(clamping: commit.written.milliseconds), Int(commit.written.counter),
            tables.number(of: commit.author), tables.number(of: String(commit.hash.description.prefix(12))),
            tables.number(of: note(commit)),
            commit.wallClock.map { Int(clamping: $0) } ?? Self.nothing, commit.events.count,
        ]
        for event in commit.events { add(event, at: commit.position) }
        commits += 1
    }

    private mutating func note(_ conflict: Conflict) {
        guard let place = places[conflict.superseded.commit.position]?[conflict.superseded.event] else { return }
        var change = Self.nothing
        if case .field = conflict.subject {
            let field = tables.number(of: conflict.field)
            let value = tables.number(of: conflict.superseded.value.text)
            // Elements of one field may have one name.
            let found = (0..<place.count).first {
                rows[place.changes + 3 * $0] == field && rows[place.changes + 3 * $0 + 2] == value
            }
            guard let found else { return }
            change = found
        }
        let winner = conflict.winner
        conflicts += [
            place.number, change, Int(clamping: winner.commit.position.rawValue),
            tables.number(of: winner.commit.replica), Int(clamping: winner.commit.written.milliseconds),
            tables.number(of: winner.commit.author), tables.number(of: winner.value.text),
        ]
    }

    /// The note on a commit beside its events.
    private func note(_ commit: AuditedCommit) -> String {
        let words = commit.events.isEmpty ? AuditText.withoutEvents(commit) : ""
        if commit.counts { return words }
        return words.isEmpty ? "does not count" : "\(words); does not count"
    }

    private mutating func add(_ event: AuditedEvent, at position: Position) {
        let entity = tables.number(of: event.entity)
        tables.name(entity, event.name)
        rows += [tables.number(of: event.verb.name), entity, event.changes.count]
        places[position, default: [:]][event.index] = Place(
            number: events, changes: rows.count, count: event.changes.count)
        for change in event.changes {
            rows += [
                tables.number(of: change.field), change.old.map { tables.number(of: $0.text) } ?? Self.nothing,
                tables.number(of: change.new.text),
            ]
            tables.note(change, of: entity)
        }
        events += 1
    }
}
