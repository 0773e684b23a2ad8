import EventLog
import Events
import Foundation

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
