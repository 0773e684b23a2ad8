import Events
import Foundation

/// Marks a commit that writes anew what an erasure leaves of events: its causation. It is no work that anybody did, so
/// that undoing an author's last work does not undo it.
///
/// A UUID of version 8 (RFC 9562): `anew` in ASCII, then zeros around the bits of version and variant, and at last
/// whether an import wrote the events: what it left is the import's.
enum RewriteMark {
    private static let head = Array("anew".utf8) + [0, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0]

    /// The mark of what is left of a commit with a causation.
    static func causation(of former: UUID?) -> UUID {
        let part = ImportMark(former).flatMap { ImportMark.Part.allCases.firstIndex(of: $0.part) }
        return (head + [part.map { UInt8($0 + 1) } ?? 0]).withUnsafeBytes { $0.uuid() }
    }

    static func isOne(_ causation: UUID?) -> Bool { causation?.bytes.starts(with: head) ?? false }

    /// What the events of a commit with this mark are of an import; nil if it is another causation.
    static func part(_ causation: UUID?) -> ImportMark.Part? {
        guard isOne(causation), let last = causation?.bytes.last, last > 0 else { return nil }
        return ImportMark.Part.allCases.dropFirst(Int(last) - 1).first
    }
}

extension CommitInfo {
    /// Whether the commit writes anew what an erasure left of others.
    package var isWrittenAnew: Bool { RewriteMark.isOne(causation) }
}

extension Authorship {
    /// Of a commit that writes anew what is left of another: of the same author, and of the same work, so that undoing
    /// that work undoes it too.
    init(rewriting commit: CommitInfo) {
        self.init(
            author: commit.author, causation: RewriteMark.causation(of: commit.causation),
            correlation: commit.correlation)
    }
}
