import Foundation
import TripStore

/// A part of the log on one page, as numbers that index tables, so that it stays small and loads fast. The script `report-data.js` reads
/// this format.
struct ReportLog {
    /// The number of a missing value or clock.
    private static let nothing = -1

    /// The events of a commit, and the changes of the next one, that another part shows already.
    struct Offset {
        var event = 0
        var change = 0
    }

    private(set) var tables: ReportTables
    private let erasures: NamedErasures
    /// A commit is its position, replica, sequence, milliseconds, counter, author, hash, note, wall clock, and the
    /// number of its events, which follow. An event is its verb, entity and number of changes, which follow. A change
    /// is its field, old and new value.
    private(set) var rows: [Int] = []
    /// Of each conflict that nobody has resolved: the superseded event's number, the change's in it (-1 for all of it, where it edited
    /// what was deleted), and the position, replica, milliseconds, author and value of what superseded it.
    private(set) var conflicts: [Int] = []
    /// How often the events are about each entity.
    private(set) var eventsOf: [Int: Int] = [:]
    private(set) var commits = 0
    private(set) var events = 0
    /// The positions of the commits; nil without any.
    private(set) var positions: ClosedRange<UInt64>?
    /// Their times in milliseconds since 1970.
    private(set) var times: ClosedRange<Int64>?
    /// The bytes of the numbers as text.
    private var numberBytes = 0

    /// About the bytes that it takes on a page.
    var size: Int { numberBytes + tables.size }

    init(only trip: UUID?, _ erasures: NamedErasures) { (tables, self.erasures) = (ReportTables(only: trip), erasures) }

    /// Adds a commit, without what the offset says, as long as a size is not reached. Returns false where it ended, at the offset, before the
    /// commit did. Something is added each time.
    mutating func add(
        _ commit: AuditedCommit, from offset: inout Offset, _ conflicts: ReportConflicts, upTo most: Int
    ) -> Bool {
        let replica = tables.number(of: commit.replica)
        if let device = commit.introducedDevice { tables.name(replica, device: device) }
        add([
            Int(clamping: commit.position.rawValue), replica, Int(clamping: commit.sequence.rawValue),
            Int(clamping: commit.written.milliseconds), Int(commit.written.counter),
            tables.number(of: commit.author), tables.number(of: String(commit.hash.description.prefix(12))),
            tables.number(of: note(commit)),
            commit.wallClock.map { Int(clamping: $0) } ?? Self.nothing, 0,
        ])
        commits += 1
        let (position, time) = (commit.position.rawValue, Int64(clamping: commit.written.milliseconds))
        positions = positions.map { min($0.lowerBound, position)...max($0.upperBound, position) } ?? position...position
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        let (countAt, first) = (rows.count - 1, offset.event)
        for event in commit.events.dropFirst(first) {
            if size >= most, offset.event > first { return false }
            rows[countAt] += 1
            guard add(event, from: &offset, conflicts[commit.position, event.index], upTo: most) else { return false }
            offset = Offset(event: offset.event + 1)
        }
        return true
    }

    private mutating func add(
        _ event: AuditedEvent, from offset: inout Offset, _ beaten: [Conflict], upTo most: Int
    ) -> Bool {
        let entity = tables.number(of: event.entity)
        tables.name(entity, event.name)
        add([tables.number(of: event.verb.name), entity, 0])
        let (countAt, first) = (rows.count - 1, offset.change)
        for change in event.changes.dropFirst(first) {
            if size >= most, offset.change > first { break }
            add([
                tables.number(of: change.field), change.old.map { tables.number(of: $0.text) } ?? Self.nothing,
                tables.number(of: change.new.text),
            ])
            rows[countAt] += 1
            offset.change += 1
            tables.note(change, of: entity)
        }
        for conflict in beaten { note(conflict, changesAt: countAt + 1, count: rows[countAt], isFirst: first == 0) }
        events += 1
        eventsOf[entity, default: 0] += 1
        return offset.change == event.changes.count
    }

    /// Notes a conflict of the event that was added last.
    private mutating func note(_ conflict: Conflict, changesAt start: Int, count: Int, isFirst: Bool) {
        var change = Self.nothing
        if case .field = conflict.subject {
            let field = tables.number(of: conflict.field)
            let value = tables.number(of: conflict.superseded.value.text)
            // Elements of one field may have one name.
            let found = (0..<count).first { rows[start + 3 * $0] == field && rows[start + 3 * $0 + 2] == value }
            guard let found else { return }
            change = found
        } else if !isFirst {
            return
        }
        let winner = conflict.winner
        let row = [
            events, change, Int(clamping: winner.commit.position.rawValue),
            tables.number(of: winner.commit.replica), Int(clamping: winner.commit.written.milliseconds),
            tables.number(of: winner.commit.author), tables.number(of: winner.value.text),
        ]
        conflicts += row
        numberBytes += row.reduce(0) { $0 + Self.size(of: $1) }
    }

    /// Looks up what the part references but does not contain. `devices` are the names of devices that are known already.
    mutating func complete(from store: TripStore, devices: inout [ReplicaID: String]) throws {
        try tables.complete(from: store, devices: &devices)
    }

    /// The note on a commit beside its events.
    private func note(_ commit: AuditedCommit) -> String {
        let words =
            commit.events.isEmpty
            ? AuditText.withoutEvents(commit, erasures) : erasures.words(of: commit).joined(separator: "; ")
        if commit.counts { return words }
        return words.isEmpty ? "does not count" : "\(words); does not count"
    }

    private mutating func add(_ numbers: [Int]) {
        rows += numbers
        numberBytes += numbers.reduce(0) { $0 + Self.size(of: $1) }
    }

    /// The characters of a number and of the comma behind it.
    private static func size(of number: Int) -> Int {
        var (rest, size) = (number.magnitude, number < 0 ? 3 : 2)
        while rest >= 10 { (rest, size) = (rest / 10, size + 1) }
        return size
    }
}

/// The open conflicts of a report, by the events that were superseded.
struct ReportConflicts {
    private var found: [Position: [Int: [Conflict]]] = [:]

    init(_ conflicts: some Sequence<Conflict>) {
        for conflict in conflicts {
            let side = conflict.superseded
            found[side.commit.position, default: [:]][side.event, default: []].append(conflict)
        }
    }

    subscript(position: Position, event: Int) -> [Conflict] { found[position]?[event] ?? [] }
}
