import EventLog
import Events
import Foundation
import ProjectionEngine
import TripProjections
import Trips

/// The events that are to be undone.
struct UndoSelection {
    /// An event among all of an entity.
    struct EventID: Hashable {
        let stamp: Stamp
        let index: Int
    }

    /// From the oldest to the newest.
    private(set) var commits: [Position] = []
    /// The newest of them.
    private(set) var newest: Digest = .zero
    private(set) var events: [EntityReference: Set<EventID>] = [:]

    mutating func add(_ commit: StoredCommit, _ includes: (EntityReference) -> Bool = { _ in true }) {
        var isSelected = false
        commit.forEachEvent { event, index in
            guard includes(event.entity) else { return }
            isSelected = true
            events[event.entity, default: []].insert(EventID(stamp: commit.stamp, index: index))
        }
        guard isSelected else { return }
        commits.append(commit.position)
        if commits.max() == commit.position { newest = commit.hash }
    }
}

/// Finds what a target names. Used within one read of log and views.
struct UndoFinder: ~Copyable {
    private let views: ViewSnapshot
    private let log: LogSnapshot

    init(_ views: consuming ViewSnapshot, _ log: consuming LogSnapshot) {
        self.views = views
        self.log = log
    }

    /// The events that a target names.
    ///
    /// Throws `TripStoreError` (`.unknownPosition`, `.unknownEntity`, `.nothingToUndo`).
    func selection(_ target: UndoTarget) throws -> UndoSelection {
        var selection = UndoSelection()
        switch target {
        case .commit(let position): selection.add(try commit(at: position))
        case .last(let author): selection.add(try commit(at: try lastUndoable(by: author)))
        case .trip(let trip, let since): try select(trip, since, &selection)
        case .correlation(let correlation):
            try log.forEachCommit(after: .start) { commit in
                if try commit.view.payload?.authorship().correlation == correlation { selection.add(commit) }
                return true
            }
        }
        guard !selection.events.isEmpty else { throw Self.nothing(target) }
        return selection
    }

    private func commit(at position: Position) throws -> StoredCommit {
        guard let commit = try log.commit(at: position) else {
            throw TripStoreError(
                .unknownPosition,
                "There is no commit at position \(position): the log goes from 1 to \(try log.lastPosition()).")
        }
        return commit
    }

    private func select(_ trip: Trip.ID, _ since: Position, _ selection: inout UndoSelection) throws {
        guard try views.record(of: trip.reference) != nil else { throw TripStoreError.unknown(trip.reference) }
        let last = try log.lastPosition()
        guard since <= last else {
            throw TripStoreError(
                .unknownPosition, "There is no commit at position \(since): the log ends at \(last).")
        }
        let parts = Set([trip.reference] + (try ItemsEverByTrip.items(of: trip, in: views)))
        try log.forEachCommit(after: since) { commit in
            selection.add(commit) { parts.contains($0) }
            return true
        }
    }

    private static func nothing(_ target: UndoTarget) -> TripStoreError {
        let message =
            switch target {
            case .commit(let position): "The commit at position \(position) has no events that could be undone."
            case .last(let author): nothing(by: author, "undone")
            case .trip(let trip, let since): "The trip \(trip) was not edited after position \(since)."
            case .correlation(let correlation): "No commit has the correlation \(correlation.uuidString)."
            }
        return TripStoreError(.nothingToUndo, message)
    }

    private static func nothing(by author: String, _ what: String) -> String {
        author.isEmpty
            ? "There is no commit in nobody's name that could be \(what). Name the author."
            : "There is no commit in the name of '\(author)' that could be \(what)."
    }

    // MARK: What was undone already

    private func lastUndoable(by author: String) throws -> Position {
        var undone: Set<[UInt8]> = []
        var found: Position?
        try forEachCommitBackwards { commit, authorship in
            let isUndone = undone.contains { commit.hash.bytes.starts(with: $0) }
            if let mark = UndoMark(authorship.causation) {
                // An undoing that was itself undone leaves its commit as it was.
                if !isUndone { undone.insert(mark.subject) }
            } else if !isUndone, authorship.author == author, commit.hasEvents {
                found = commit.position
            }
            return found == nil
        }
        guard let found else { throw TripStoreError(.nothingToUndo, Self.nothing(by: author, "undone")) }
        return found
    }

    /// The events of the newest undoing in an author's name that stands.
    func lastUndoing(by author: String) throws -> UndoSelection {
        var undone: Set<[UInt8]> = []
        var correlation: UUID?
        var selection = UndoSelection()
        try forEachCommitBackwards { commit, authorship in
            if let correlation {
                // Undoing something large takes several commits.
                if authorship.correlation == correlation { selection.add(commit) }
                return UndoMark(authorship.causation)?.action == .undo && authorship.correlation == correlation
            }
            guard let mark = UndoMark(authorship.causation) else { return true }
            if undone.contains(where: { commit.hash.bytes.starts(with: $0) }) { return true }
            if mark.action == .undo, authorship.author == author {
                correlation = authorship.correlation
                selection.add(commit)
                return correlation != nil
            }
            undone.insert(mark.subject)
            return true
        }
        guard !selection.events.isEmpty else {
            throw TripStoreError(.nothingToUndo, Self.nothing(by: author, "done again: none is an undoing that stands"))
        }
        return selection
    }

    private func forEachCommitBackwards(
        _ body: (StoredCommit, (author: String, causation: UUID?, correlation: UUID?)) throws -> Bool
    ) throws {
        try log.forEachCommitBackwards(before: Position(.max)) { commit in
            guard let authorship = try? commit.view.payload?.authorship() else { return true }
            return try body(commit, authorship)
        }
    }
}

extension StoredCommit {
    /// Whether it says anything beyond who its replica is.
    fileprivate var hasEvents: Bool {
        var found = false
        forEachEvent { _, _ in found = true }
        return found
    }
}
