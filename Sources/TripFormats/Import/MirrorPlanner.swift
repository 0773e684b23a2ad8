import Foundation
import TripStore

/// What a file that is mirrored holds.
struct MirroredTrips: Sendable {
    /// Its trips that the store has too.
    let trips: [Trip.ID]
    /// Everything that it holds, in whatever state.
    let seen: KnownHashes
    /// Whether it holds trips or items that cannot be read, and whose ids may be any.
    let hasUnreadable: Bool
}

/// Finds what the trips of a file have in the store, and the file lacks. Used on one thread, once everything that the file says is
/// stored.
struct MirrorPlanner {
    /// How many items are looked up in one go.
    private static let itemsAtOnce = 256

    private let mirrored: MirroredTrips
    private var sender: ImportSender
    private var waiting: [ImportRecord] = []

    init(_ mirrored: MirroredTrips, _ sender: ImportSender) {
        self.mirrored = mirrored
        self.sender = sender
    }

    mutating func run() throws {
        for trip in mirrored.trips {
            try sender.checkOpen()
            for item in try sender.store.items(of: trip) where !isSeen(item) {
                if try !mayBeUnread(item) { waiting.append(.lacking(item.reference, from: trip)) }
            }
            if waiting.count >= Self.itemsAtOnce { try planWaiting() }
        }
        try planWaiting()
        try sender.send()
    }

    private mutating func planWaiting() throws {
        let state = try ImportState(waiting.map(\.entity), sender.basis, in: sender.store)
        for (record, decision) in zip(waiting, try state.decide(waiting)) {
            try sender.add(record, decision, at: state.position)
            try sender.sendIfFull()
        }
        waiting = []
    }

    /// Whether the file holds an item, maybe as one of another kind.
    private func isSeen(_ item: TripItem) -> Bool {
        mirrored.seen.contains(item.reference) || item.forms?.all.contains { mirrored.seen.contains($0) } == true
    }

    /// Whether the file may hold an item that was not found in it: because it was moved here, and may be in the file in a trip that
    /// cannot be read.
    private func mayBeUnread(_ item: TripItem) throws -> Bool {
        guard mirrored.hasUnreadable, try wasMoved(item) else { return false }
        sender.tally.warn(
            "The \(item.kind.words) \(item.id) is not deleted: it was moved from another trip, and the file "
                + "has records that cannot be read.")
        return true
    }

    private func wasMoved(_ item: TripItem) throws -> Bool {
        try sender.store.history(of: item.reference).contains(where: \.event.moves)
    }
}

extension AuditedEvent {
    /// Whether it moved an item from one trip to another.
    fileprivate var moves: Bool { verb == .edited && changes.contains { $0.field == Activity.fieldName(of: \.trip) } }
}
