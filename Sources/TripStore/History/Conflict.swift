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

    /// Names a conflict in one store: the two events by their positions and their places in their commits, and the path.
    public struct ID: Sendable, Hashable, LosslessStringConvertible {
        struct Event: Sendable, Hashable, CustomStringConvertible {
            let position: Position
            let index: Int

            var description: String { "\(position).\(index)" }
        }

        let superseded: Event
        let path: Path
        let winner: Event

        init(_ superseded: Event, _ path: Path, _ winner: Event) {
            self.superseded = superseded
            self.path = path
            self.winner = winner
        }

        /// `POSITION.INDEX-FIELD-POSITION.INDEX` of the superseded and the winning event; the field is followed by a dot
        /// and the key in hexadecimal digits if it is of an element.
        public var description: String {
            "\(superseded)-\(path.field)\(path.key.isEmpty ? "" : ".\(path.key.hexadecimal)")-\(winner)"
        }

        /// From `description`; nil for anything else.
        public init?(_ description: String) {
            let parts = description.split(separator: "-", omittingEmptySubsequences: false).map { part in
                part.split(separator: ".", omittingEmptySubsequences: false)
            }
            guard parts.count == 3, let superseded = Self.event(parts[0]), let winner = Self.event(parts[2]),
                let path = Self.path(parts[1])
            else { return nil }
            self.init(superseded, path, winner)
            // Signs and zeros in front would be read as well.
            guard self.description == description else { return nil }
        }

        private static func event(_ parts: [Substring]) -> Event? {
            guard parts.count == 2, let position = UInt64(parts[0]), let index = Int(parts[1]) else { return nil }
            return Event(position: Position(position), index: index)
        }

        private static func path(_ parts: [Substring]) -> Path? {
            guard let field = parts.first.flatMap({ UInt32($0) }), parts.count <= 2,
                let key = [UInt8](hexadecimal: parts.count == 2 ? String(parts[1]) : "")
            else { return nil }
            return Path(field: field, key: key)
        }
    }
}
