import EventLog
import Events
import Foundation
import ProjectionEngine
import TripProjections
import Trips

/// The events to undo.
struct UndoSelection {
    /// An event among all of an entity.
    struct EventID: Hashable {
        /// Its commit's.
        let hash: Digest
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
            events[event.entity, default: []].insert(EventID(hash: commit.hash, index: index))
        }
        guard isSelected else { return }
        if commit.position > commits.last ?? .start {
            commits.append(commit.position)
            newest = commit.hash
        } else {
            commits.insert(commit.position, at: commits.firstIndex { $0 > commit.position } ?? commits.count)
        }
    }
}
