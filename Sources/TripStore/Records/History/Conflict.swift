import EventLog
public import Events
import Foundation
public import Trips

/// Two edits of which neither author had seen the other, and of which one superseded the other.
public struct Conflict: Sendable, Hashable, Identifiable {
    /// The subject of the conflict.
    public enum Subject: Sendable, Hashable {
        /// Both wrote this field.
        case field(FieldPath)
        /// One edited an entity that the other deleted.
        case deletion
        /// One put an entity under a parent that the other deleted.
        case parentDeletion(EntityReference)
    }

    /// One of the two edits.
    public struct Side: Sendable, Hashable {
        /// The commit that wrote it.
        public let commit: CommitInfo
        /// Its index among the events of the commit.
        package let event: Int
        /// The value that it wrote.
        public let value: FieldRendering
        /// The bytes of that value; nil if it cleared the field, or deleted something.
        package let bytes: [UInt8]?

        /// The value that it wrote, as one of a type; nil if it is none.
        public func value<Value: OwnFieldValue>(as type: Value.Type) -> Value? {
            bytes.flatMap { $0.withUnsafeBytes(Value.coding.decode) }
        }
    }

    /// The conflict's name, the same in every store: the superseded edit and its path.
    public let id: ID
    public let subject: Subject
    /// The edited entity.
    public let entity: EntityReference
    /// The entity's present name, for people; empty if it has none.
    public let name: String
    /// The edit that does not count.
    public let superseded: Side
    /// The edit that counted when the two met.
    public let winner: Side
    /// Whether the winner's value is still current: it may have been overwritten since, by an author who saw it.
    public let isOpen: Bool

    /// The name of the field, or of the other subject.
    public var field: String { superseded.value.name }

    /// The name of a conflict, the same in every store: the superseded write, by its commit, its event and its path.
    public struct ID: Sendable, Hashable, LosslessStringConvertible {
        /// The subject of the write.
        enum Place: Sendable, Hashable {
            case field(FieldPath)
            case deletion
            case parentDeletion
        }

        /// The hash of the commit.
        let commit: Digest
        /// The event's index in it.
        let event: Int
        let place: Place

        init(_ commit: Digest, _ event: Int, _ place: Place) {
            self.commit = commit
            self.event = event
            self.place = place
        }

        /// `HASH.EVENT-FIELD`: the commit's hash as 64 hexadecimal digits, the index of the event, and the number of
        /// the field, followed by a dot and the key in hexadecimal digits if it has one; `deleted` or `parent` instead of
        /// the field if the edited entity, or its parent, was deleted.
        public var description: String { "\(commit).\(suffix)" }

        /// The id with the first 12 digits of the hash, for people.
        package var short: String { "\("\(commit)".prefix(12)).\(suffix)" }

        private var suffix: String {
            switch place {
            case .field(let path): "\(event)-\(path.field)\(path.key.isEmpty ? "" : ".\(path.key.hexadecimal)")"
            case .deletion: "\(event)-deleted"
            case .parentDeletion: "\(event)-parent"
            }
        }

        /// From `description`; nil for anything else.
        public init?(_ description: String) {
            guard let (hash, event, place) = Self.parts(of: description), let commit = Digest(String(hash)) else {
                return nil
            }
            self.init(commit, event, place)
            // Leading signs and zeros would be accepted otherwise.
            guard self.description == description else { return nil }
        }

        /// Whether a text may be the name of a conflict: a description with at least the first four digits of the hash.
        package static func mayBeName(_ text: String) -> Bool {
            guard let parts = parts(of: text) else { return false }
            return (4...64).contains(parts.hash.utf8.count) && parts.hash.allSatisfy(\.isHexDigit)
        }

        /// The parts of a name, which may have only the first digits of the hash; nil if it is no name.
        static func parts(of text: String) -> (hash: Substring, event: Int, place: Place)? {
            let halves = text.split(separator: "-", omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            let commit = halves[0].split(separator: ".", omittingEmptySubsequences: false)
            guard commit.count == 2, let event = Int(commit[1]), event >= 0 else { return nil }
            switch halves[1] {
            case "deleted": return (commit[0], event, .deletion)
            case "parent": return (commit[0], event, .parentDeletion)
            default:
                return path(halves[1].split(separator: ".", omittingEmptySubsequences: false)).map { path in
                    (commit[0], event, .field(path))
                }
            }
        }

        private static func path(_ parts: [Substring]) -> FieldPath? {
            guard let field = parts.first.flatMap({ UInt64($0) }), parts.count <= 2,
                let key = [UInt8](hexadecimal: parts.count == 2 ? String(parts[1]) : "")
            else { return nil }
            return FieldPath(field: field, key: key)
        }
    }
}

/// A way to resolve a conflict.
public enum ConflictResolution: Sendable, Hashable {
    /// One of the two edits.
    case taking(TripStore.ConflictSide)
    /// The bytes of another value, as the log has them; nil clears the field. See `writing(_:)`.
    case bytes([UInt8]?)
    /// It stays open, for people.
    case leaving

    /// A value that is neither of the two. A value without bytes, as empty text, clears a field; as an element of a collection it is there.
    public static func writing<Value: OwnFieldValue>(_ value: Value) -> ConflictResolution {
        .bytes(Value.coding.encode(value))
    }
}

/// Says of a commit that a handler wrote it to resolve a conflict, and which: its causation. It is the same on every replica.
///
/// `LogFormat.md` specifies it: "What a handler of conflicts wrote".
struct ConflictMark: Hashable {
    private static let name = Array("CNFL".utf8)
    private static let digestSize = 12

    private let conflict: [UInt8]

    init(of conflict: Conflict.ID) {
        var digest = DigestBuilder()
        digest.add(Array("\(conflict)".utf8))
        self.conflict = Array(digest.finish().bytes.prefix(Self.digestSize))
    }

    /// Nil if it is any other causation.
    init?(_ causation: UUID?) {
        guard let bytes = causation?.bytes, bytes.starts(with: Self.name) else { return nil }
        conflict = Array(bytes.suffix(Self.digestSize))
    }

    var causation: UUID { (Self.name + conflict).withUnsafeBytes { $0.uuid() } }
}
