import EventLog
public import Events
public import Trips

/// Two edits of which neither had seen the other, and of which one superseded the other.
public struct Conflict: Sendable, Hashable, Identifiable {
    /// What the two collided in.
    public enum Subject: Sendable, Hashable {
        /// Both wrote this field.
        case field(Path)
        /// One edited what the other deleted.
        case deletion
        /// One put an item into a trip that the other deleted.
        case tripDeletion(Trip.ID)
    }

    /// One of the two edits.
    public struct Side: Sendable, Hashable {
        /// Who wrote it, when, and in which commit.
        public let commit: CommitInfo
        /// What it wrote.
        public let value: FieldRendering
    }

    /// Names the conflict in this store: the superseded edit and where it lost.
    public let id: ID
    public let subject: Subject
    /// What was edited.
    public let entity: EntityReference
    /// The entity's present name, for people; empty if it has none.
    public let name: String
    /// The edit that does not count.
    public let superseded: Side
    /// The edit that counted once the two met.
    public let winner: Side
    /// Whether the winner's value still stands: it may have been written over since, by somebody who saw it.
    public let isOpen: Bool

    /// The name of the field, or of what else it was about.
    public var field: String { superseded.value.name }

    /// Names a conflict in one store: the superseded event's position, its place in its commit, and the path.
    public struct ID: Sendable, Hashable, LosslessStringConvertible {
        let position: Position
        let index: Int
        let path: Path

        init(_ position: Position, _ index: Int, _ path: Path) {
            self.position = position
            self.index = index
            self.path = path
        }

        /// `POSITION.INDEX.FIELD`, or `POSITION.INDEX.FIELD.KEY` with the key of an element in hexadecimal digits.
        public var description: String {
            "\(position).\(index).\(path.field)" + (path.key.isEmpty ? "" : ".\(path.key.hexadecimal)")
        }

        /// From `description`; nil for anything else.
        public init?(_ description: String) {
            let parts = description.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3 || parts.count == 4, let position = UInt64(parts[0]), let index = Int(parts[1]),
                let field = UInt32(parts[2]), let key = [UInt8](hexadecimal: parts.count == 4 ? String(parts[3]) : "")
            else { return nil }
            self.init(Position(position), index, Path(field: field, key: key))
            guard self.description == description else { return nil }
        }
    }
}
