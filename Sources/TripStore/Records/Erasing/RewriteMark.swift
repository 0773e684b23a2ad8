import Events
import Foundation

/// Marks a commit that writes anew what an erasure leaves of events: its causation. It is no work that anybody did, so
/// that undoing an author's last work does not undo it.
///
/// A UUID of version 8 (RFC 9562): `anew` in ASCII, then zeros around the bits of version and variant.
enum RewriteMark {
    static let causation: UUID = {
        var bytes = Array("anew".utf8) + [UInt8](repeating: 0, count: 12)
        (bytes[6], bytes[8]) = (0x80, 0x80)
        return bytes.withUnsafeBytes { $0.uuid() }
    }()
}

extension CommitInfo {
    /// Whether the commit writes anew what an erasure left of others.
    package var isWrittenAnew: Bool { causation == RewriteMark.causation }
}

extension Authorship {
    /// Of a commit that writes anew what is left of another: of the same author, and of the same work, so that undoing
    /// that work undoes it too.
    init(rewriting commit: CommitInfo) {
        self.init(author: commit.author, causation: RewriteMark.causation, correlation: commit.correlation)
    }
}
