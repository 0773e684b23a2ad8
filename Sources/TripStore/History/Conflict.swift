import EventLog
public import Events
public import Trips

/// Two edits of which neither had seen the other, and of which one superseded the other.
public struct Conflict: Sendable, Hashable, Identifiable {
    /// What the two collided in.
    public enum Subject: Sendable, Hashable {
        /// Both wrote this field.
        case field(FieldPath)
        /// One edited what the other deleted.
        case deletion
        /// One put an item into a trip that the other deleted.
        case tripDeletion(Trip.ID)
    }

    /// One of the two edits.
    public struct Side: Sendable, Hashable {
        /// Who wrote it, when, and in which commit.
        public let commit: CommitInfo
        /// Its place among the events of the commit.
        public let event: Int
        /// What it wrote.
        public let value: FieldRendering
    }

    /// Names the conflict, in every store alike: the superseded edit and where it lost.
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

    /// Names a conflict, in every store alike: the superseded write, by its commit, its event and what it wrote.
    public struct ID: Sendable, Hashable, LosslessStringConvertible {
        /// What the write was about.
        enum Place: Sendable, Hashable {
            case field(FieldPath)
            case deletion
            case tripDeletion
        }

        /// The hash of the commit.
        let commit: Digest
        /// The event's place in it.
        let event: Int
        let place: Place

        init(_ commit: Digest, _ event: Int, _ place: Place) {
            self.commit = commit
            self.event = event
            self.place = place
        }

        /// `HASH.EVENT-FIELD`: the commit's hash as 64 hexadecimal digits, the number of the event, and that of the field, followed
        /// by a dot and the key in hexadecimal digits if it is of an element; `deleted` or `trip` in the place of the field
        /// if what was edited was deleted, or the trip of an item.
        public var description: String { "\(commit).\(suffix)" }

        /// The same with the first 12 digits of the hash, for people.
        public var short: String { "\("\(commit)".prefix(12)).\(suffix)" }

        private var suffix: String {
            switch place {
            case .field(let path): "\(event)-\(path.field)\(path.key.isEmpty ? "" : ".\(path.key.hexadecimal)")"
            case .deletion: "\(event)-deleted"
            case .tripDeletion: "\(event)-trip"
            }
        }

        /// From `description`; nil for anything else.
        public init?(_ description: String) {
            guard let (hash, event, place) = Self.parts(of: description), let commit = Digest(String(hash)) else {
                return nil
            }
            self.init(commit, event, place)
            // Signs and zeros in front would be read as well.
            guard self.description == description else { return nil }
        }

        /// Whether a text may be the name of a conflict: a description, of whose hash the first four digits or more are there.
        public static func mayBeName(_ text: String) -> Bool {
            guard let parts = parts(of: text) else { return false }
            return (4...64).contains(parts.hash.utf8.count) && parts.hash.allSatisfy(\.isHexDigit)
        }

        /// What a name says, of whose hash there may be but the first digits; nil if it is none.
        static func parts(of text: String) -> (hash: Substring, event: Int, place: Place)? {
            let halves = text.split(separator: "-", omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            let commit = halves[0].split(separator: ".", omittingEmptySubsequences: false)
            guard commit.count == 2, let event = Int(commit[1]), event >= 0 else { return nil }
            switch halves[1] {
            case "deleted": return (commit[0], event, .deletion)
            case "trip": return (commit[0], event, .tripDeletion)
            default:
                return path(halves[1].split(separator: ".", omittingEmptySubsequences: false)).map { path in
                    (commit[0], event, .field(path))
                }
            }
        }

        private static func path(_ parts: [Substring]) -> FieldPath? {
            guard let field = parts.first.flatMap({ UInt32($0) }), parts.count <= 2,
                let key = [UInt8](hexadecimal: parts.count == 2 ? String(parts[1]) : "")
            else { return nil }
            return FieldPath(field: field, key: key)
        }
    }
}
