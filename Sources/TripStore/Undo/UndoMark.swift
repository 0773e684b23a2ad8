import EventLog
import Events
import Foundation

/// Marks a commit as the undo or redo of another: its causation.
///
/// A UUID of version 8 (RFC 9562): `undo` or `redo` in ASCII, then ten bytes of the hash of the newest commit undone
/// around the bits of version and variant.
struct UndoMark: Hashable {
    enum Action: String {
        case undo
        case redo
    }

    let action: Action
    private let hash: [UInt8]

    init(_ action: Action, of commit: Digest) {
        self.action = action
        hash = Self.prefix(of: commit)
    }

    /// The bytes of a hash that name a commit.
    static func prefix(of commit: Digest) -> [UInt8] { Array(commit.bytes.prefix(10)) }

    /// Nil if it is any other causation.
    init?(_ causation: UUID?) {
        guard let bytes = causation?.bytes, bytes[6] == 0x80, bytes[8] == 0x80,
            let action = Action(rawValue: String(decoding: bytes[0..<4], as: UTF8.self))
        else { return nil }
        self.action = action
        hash = Array(bytes[4..<6] + bytes[7..<8] + bytes[9..<16])
    }

    var causation: UUID {
        var bytes = Array(action.rawValue.utf8)
        bytes += hash[0..<2]
        bytes.append(0x80)
        bytes += hash[2..<3]
        bytes.append(0x80)
        bytes += hash[3..<10]
        return bytes.withUnsafeBytes { $0.uuid() }
    }

    /// Whether it names a commit.
    func names(_ commit: Digest) -> Bool { commit.bytes.starts(with: hash) }

    /// The first bytes of the hash of the commit that it names.
    var subject: [UInt8] { hash }
}

extension CommitInfo {
    /// A commit's part in undoing.
    package enum Undoing: String, Sendable, Hashable {
        /// The commit puts back what another changed.
        case undo
        /// The commit does again what an undoing put back.
        case redo
    }

    /// Whether the commit undoes another, or does again what was undone; nil for all others.
    package var undoing: Undoing? { UndoMark(causation).flatMap { Undoing(rawValue: $0.action.rawValue) } }
}
