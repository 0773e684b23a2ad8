public import EventLog
public import Events
public import Foundation
import ProjectionEngine
public import Trips

/// The target of an undo.
public enum UndoTarget: Sendable, Hashable {
    /// One commit.
    case commit(Position)
    /// The part of an author's newest commit that was not undone already; the commit is no undo itself, and may be of any device. Nil for
    /// the newest that this replica wrote in the name of the author that the store was opened with.
    ///
    /// A commit of which nothing can be reverted, for all of it was overwritten since, is passed over: an earlier one is undone.
    case last(by: String? = nil)
    /// The part of an author's newest piece of work that was not undone already: one commit, or all commits of the author that share its
    /// correlation, such as those of an import. Nil as for `last(by:)`, and what is overwritten is passed over as there.
    case lastWork(by: String? = nil)
    /// Every edit of an entity, and of what was ever under it, after a position.
    case entity(EntityReference, since: Position)
    /// Every commit of one unit of work, such as an import.
    case correlation(UUID)
}

/// A change that was reverted, or would be.
public struct UndoneChange: Sendable, Hashable {
    public let entity: EntityReference
    /// The entity's present name, for people; empty if it has none.
    public let name: String
    /// The verb of the reversal: a field is edited, or the whole entity is deleted or restored.
    public let verb: Verb
    /// The value before the undo; nil if it is no field.
    public let old: FieldRendering?
    /// The restored value; nil if it is no field.
    public let new: FieldRendering?
}

/// A change that is kept, and why.
public struct KeptChange: Sendable, Hashable {
    /// Why a change is kept.
    public enum Reason: Sendable, Hashable {
        /// It was written again since.
        case changedSince(CommitInfo)
        /// The change is an undoing, and another replica, which did not know of it, undid the same: that stands.
        case undoneElsewhere(CommitInfo)
        /// The undone commit created the entity, and another commit wrote to it since.
        case inUse(CommitInfo)
        /// The undone commit created the entity, and so many of other commits belong to it.
        case hasChildren(Int)
        /// The entity is deleted, so its fields stay.
        case deleted
        /// The parent, or an ancestor, is missing.
        case parentMissing(EntityReference)
        /// The resulting values would be invalid together.
        case invalid(String)
    }

    public let entity: EntityReference
    /// The entity's present name, for people; empty if it has none.
    public let name: String
    /// The name of the field; nil for the whole entity.
    public let field: String?
    public let reason: Reason
}

extension KeptChange.Reason: CustomStringConvertible {
    public var description: String { words(in: nil) }

    /// In words, with the names that a store knows.
    package func words(in known: KnownSchema?) -> String {
        switch self {
        case .changedSince(let commit): "changed since by \(commit.writer) at position \(commit.position)"
        case .undoneElsewhere(let commit):
            "undone by \(commit.writer) at position \(commit.position) as well, which stands"
        case .inUse(let commit): "in use: \(commit.writer) wrote to it at position \(commit.position)"
        case .hasChildren(let count):
            count == 1 ? "something else belongs to it" : "\(count) others belong to it"
        case .deleted: "it is deleted"
        case .parentMissing(let parent): "the \(parent.words(in: known)), to which it belongs, is not there"
        case .invalid(let message): message
        }
    }
}

extension CommitInfo {
    /// The author in a word.
    var writer: String { author.isEmpty ? "replica \(replica.description.prefix(8))" : author }
}

/// The result of an undo.
public struct UndoReport: Sendable {
    /// The undone commits, from the oldest to the newest.
    public let commits: [Position]
    /// The reverted changes.
    public let changes: [UndoneChange]
    /// The changes that are kept, because they were overwritten since or for another reason.
    public let kept: [KeptChange]
    /// The commits that reverted them; empty for a dry run, or if nothing could be reverted. More than one only if one
    /// would be too large.
    public let receipts: [Receipt]
}

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
