public import EventLog
public import Events
public import Foundation
public import Trips

/// What is to be undone.
public enum UndoTarget: Sendable, Hashable {
    /// One commit.
    case commit(Position)
    /// What was not undone already of the newest commit in some author's name that has something left, and is no undoing
    /// itself; nil for the author that the store was opened with.
    case last(by: String? = nil)
    /// The same of the newest piece of work: of one commit, or of all in the author's name that share its correlation, as those of an
    /// import do.
    case lastWork(by: String? = nil)
    /// Every edit of a trip, and of the items that were ever in it, after a position.
    case trip(Trip.ID, since: Position)
    /// Every commit of one piece of work, such as an import.
    case correlation(UUID)
}

/// Something that was put back, or would be.
public struct UndoneChange: Sendable, Hashable {
    public let entity: EntityReference
    /// The entity's present name, for people; empty if it has none.
    public let name: String
    /// What happens to it: a field is edited, or the whole is deleted or restored.
    public let verb: Verb
    /// The value before the undoing; nil for what is no field.
    public let old: FieldRendering?
    /// The value that is put back; nil for what is no field.
    public let new: FieldRendering?
}

/// Something that stays as it is, and why.
public struct KeptChange: Sendable, Hashable {
    /// Why something stays.
    public enum Reason: Sendable, Hashable {
        /// Somebody wrote it since.
        case changedSince(CommitInfo)
        /// The entity was created by what is undone, and somebody else wrote to it since.
        case inUse(CommitInfo)
        /// The trip was created by what is undone, and has items that were not.
        case hasItems(Int)
        /// The entity is deleted, so its fields stay.
        case deleted
        /// The trip that the item would be in is not there.
        case tripMissing(Trip.ID)
        /// The values that would come together are not valid.
        case invalid(String)
    }

    public let entity: EntityReference
    /// The entity's present name, for people; empty if it has none.
    public let name: String
    /// The name of the field; nil if it is about the whole entity.
    public let field: String?
    public let reason: Reason
}

extension KeptChange.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .changedSince(let commit): "changed since by \(commit.writer) at position \(commit.position)"
        case .inUse(let commit): "in use: \(commit.writer) wrote to it at position \(commit.position)"
        case .hasItems(let count): "it has \(count) \(count == 1 ? "item" : "items") that came otherwise"
        case .deleted: "it is deleted"
        case .tripMissing(let trip): "its trip \(trip) is not there"
        case .invalid(let message): message
        }
    }
}

extension CommitInfo {
    /// Who wrote it, in a word.
    var writer: String { author.isEmpty ? "replica \(replica.description.prefix(8))" : author }
}

/// What undoing something comes to.
public struct UndoReport: Sendable {
    /// The commits that are undone, from the oldest to the newest.
    public let commits: [Position]
    /// What is put back.
    public let changes: [UndoneChange]
    /// What stays as it is, because somebody changed it since or for another reason.
    public let kept: [KeptChange]
    /// The commits by which it was put back; none for a dry run, or if nothing could be. More than one only where one
    /// would be too large.
    public let receipts: [Receipt]
}
