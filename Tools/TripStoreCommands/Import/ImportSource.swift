import Foundation
import TripStore

/// The identity of a file that is imported: its bytes, and what its commits are marked with.
struct ImportSource: Sendable {
    /// What the causation of a mirror's deletions begins with: "MIRR".
    private static let mirrorMark: [UInt8] = Array("MIRR".utf8)

    let digest: Digest
    /// The causation of what the file says: the first 16 bytes of its digest.
    let causation: UUID
    /// The causation of deletions of what the file lacks: "MIRR" and the first 12 bytes of its digest. By it a later
    /// import tells them from what a person deleted.
    let mirrorCausation: UUID

    init(_ digest: Digest) {
        self.digest = digest
        causation = Self.uuid(digest.bytes)
        mirrorCausation = Self.uuid(Self.mirrorMark + digest.bytes)
    }

    /// Reads the whole file in pieces.
    init(path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var builder = DigestBuilder()
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            piece.withUnsafeBytes { builder.add($0) }
        }
        self.init(builder.finish())
    }

    /// The note by which a store remembers that the file was imported to its end.
    var noteName: String { "import/\(digest)" }
    /// The note that it was also mirrored to its end.
    var mirrorNoteName: String { "import/\(digest)/mirror" }

    /// Whether a commit's causation is that of a mirror's deletions.
    static func isMirror(_ causation: UUID?) -> Bool {
        causation.map { $0.bytes.starts(with: mirrorMark) } ?? false
    }

    // Bytes beyond the 16 are left out.
    private static func uuid(_ bytes: [UInt8]) -> UUID {
        bytes.withUnsafeBytes { $0.uuid() }
    }
}
